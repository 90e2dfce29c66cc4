import { andList, capital, counted, grouped } from '../../common/text/index.ts';

/** How good an assistant's answers are, and what changed: the headline of a digest, and what stands under it. */
export const assistant = {
  rate: {
    nothing: 'nothing is judged yet; the same "jury bench run" command resumes',
    noneDecided: (answers: number) => `none of ${counted(answers, 'answer')} could be decided`,
    /** @param of.judged whether to say that these are answers as judged */
    passes: (of: { share: string; count: number; judged: boolean; limits: string }) =>
      `${of.share} % of ${counted(of.count, of.judged ? 'judged answer' : 'answer')} ${of.count === 1 ? 'passes' : 'pass'} (${of.limits})`,
    scores: ({ mean, count, limits }: { mean: string; count: number; limits: string }) =>
      `${counted(count, 'answer')} ${count === 1 ? 'scores' : 'score'} ${mean} on average (${limits})`,
    noInterval: (why: string) => why,
  },
  /** Followed by what is compared with. */
  difference: {
    same: 'the same as',
    points: ({ by, isOne, isLess }: { by: string; isOne: boolean; isLess: boolean }) =>
      `${by} ${isOne ? 'point' : 'points'} ${isLess ? 'less' : 'more'} than`,
    score: ({ by, isLess }: { by: string; isLess: boolean }) => `${by} ${isLess ? 'less' : 'more'} than`,
    perhapsChance: ', which can be chance',
  },
  /** The run that is compared with. */
  against: {
    before: 'before',
    runBefore: 'the run before',
    baseline: (name: string) => `the baseline ${name}`,
    earlierToday: 'earlier today',
    lastWeekday: (day: string) => `last ${day}`,
    /** A day such as `16 Nov 2026`, or what stands for one. */
    on: (was: string) => (/^\d/.test(was) ? `on ${was}` : was),
  },
  onBoth: (requests: number) => `on the ${counted(requests, 'request')} in both`,
  comparedOn: ({ what, both }: { what: string; both: string | null }) =>
    both === null ? `${what},` : `${what}; ${both},`,
  kinds: {
    same: 'of the same kinds',
    sameMix: (tags: readonly string[]) => `at the same mix of ${tags.join(' and ')}`,
    otherMix: (tags: readonly string[]) => `of another mix of ${tags.join(' and ')}`,
    but: ' but ',
  },
  others: ({ shared, kinds }: { shared: number; kinds: string }) =>
    `, ${shared === 0 ? 'other requests' : `${counted(shared, 'request')} in both, the others`} ${kinds}`,
  preference: {
    none: ({ names: [a, b], same }: { names: readonly [string, string]; same: number }) =>
      `No difference was found between ${a} and ${b} on ${counted(same, 'request')}`,
    neither: ([a, b]: readonly [string, string]) => `Neither ${a} nor ${b} is clearly better`,
    better: (name: string) => `${name} is better`,
    figures: (of: {
      /** Null where the sentence begins with it. */
      name: string | null;
      n: number;
      of: number;
      share: string;
      limits: string;
      p: string;
      same: number;
    }) =>
      `${of.name === null ? '' : `${of.name} is `}preferred for ${of.n} of ${counted(of.of, 'request')}, ${of.share} % (${of.limits}), ${of.p} by sign test${of.same === 0 ? '' : `; ${of.same} the same`}`,
    orderUnknown:
      'How sure is this: not known; the judgements were made elsewhere, and the order of the answers is not recorded',
    orderSame: (of: number) =>
      `How sure is this: all ${counted(of, 'judgement')} are the same in both orders`,
    orderChanged: ({ n, of }: { n: number; of: number }) =>
      `How sure is this: ${n} of ${counted(of, 'judgement')} changed with the order of the answers and count as ties`,
  },
  headline: {
    who: (name: string | null) => (name === null ? 'The assistant' : `The assistant (${name})`),
    notComparable: ({ alone, was, why }: { alone: string; was: string; why: string }) =>
      `${alone}. Not comparable with ${was}: ${why}`,
    nothingDecidedTwice: 'no answer was decided both times',
    sameAnswers: ({ who, rate, was }: { who: string; rate: string; was: string }) =>
      `${who} is steady: ${rate} the same answers as ${was}`,
    trend: { better: 'got better', worse: 'got worse', steady: 'is steady' },
    willCompare: (text: string) => `${text}; the next digest will compare`,
  },
  baseline: {
    notComparable: ({ name, why }: { name: string; why: string }) =>
      `Not comparable with the baseline ${name}: ${why}`,
    line: ({
      by,
      name,
      where,
      interval,
      others,
    }: {
      by: string;
      name: string;
      where: string | null;
      interval: string;
      others: string;
    }) => `${capital(by)} the baseline ${name}${where === null ? '' : ` ${where}`} (${interval})${others}`,
    turned: ({ failing, passing }: { failing: number; passing: number }) =>
      `: ${grouped(failing)} newly fail, ${grouped(passing)} newly pass`,
  },
  basis: {
    builds: ({ builds, against }: { builds: readonly string[]; against: readonly string[] }) =>
      `${builds.length === 1 ? 'Build' : 'Builds'} ${builds.join(', ')}${against.length === 0 ? '' : ` against ${against.join(', ')}`}`,
    same: (requests: number) => `same ${counted(requests, 'request')}`,
    others: ({ now, was }: { now: number; was: number }) =>
      `${counted(now, 'request')} now, ${grouped(was)} others then`,
    both: ({ shared, now, was }: { shared: number; now: number; was: number }) =>
      `${counted(shared, 'request')} in both, ${grouped(now)} only now, ${grouped(was)} only then`,
    sameJudges: 'same judges',
    leftOut: (requests: number) => `${counted(requests, 'request')} without one of their kind left out`,
    unchanged: (answers: number) => `${counted(answers, 'answer')} unchanged`,
    takenOver: (verdicts: number) => `${counted(verdicts, 'verdict')} taken over`,
    notDecided: ({ open, of }: { open: number; of: number }) =>
      `${grouped(open)} of ${grouped(of)} not decided`,
  },
  groups: {
    other: 'Other',
    otherInList: 'other',
    noCriterion: 'no criterion',
    otherRow: (count: number) => `Other ${grouped(count)}`,
    labeled: ({ title, n }: { title: string; n: number }) => `${title} ${grouped(n)}`,
    suchAs: (reason: string) => `such as “${reason}”`,
    /** How many of a group's answers share something, as the start of a phrase. */
    share: ({ n, all }: { n: number; all: number }) =>
      n < all ? `${grouped(n)} of them` : n === 2 ? 'both' : 'all',
    /** @param day such as `sunday` */
    onWeekday: ({ who, day }: { who: string; day: string }) => `${who} on ${capital(day)}s`,
    inLanguage: ({ who, language }: { who: string; language: string }) => `${who} in ${language}`,
    withTag: ({ who, tag, value }: { who: string; tag: string; value: string }) =>
      `${who} with ${tag} ${value}`,
    example: ({ title, n, reason }: { title: string; n: number; reason: string | null }) =>
      `${title} (${n})${reason === null ? '' : `, for example: ${reason}`}`,
  },
  turned: ({ n, to }: { n: number; to: 'fail' | 'pass' }) =>
    `${counted(n, 'answer')} newly ${to}${n === 1 ? (to === 'fail' ? 's' : 'es') : ''}`,
  sure: {
    flips: ({ they, share }: { they: boolean; share: string }) =>
      `asked again, ${they ? 'they' : 'judges'} decide ${share} differently`,
    unchanged: ({ they, flipped, n }: { they: boolean; flipped: number; n: number }) =>
      `${they ? 'they' : 'judges'} now decide ${grouped(flipped)} of ${grouped(n)} unchanged answers differently`,
    /** Answers of a kind of which none was checked. */
    unseen: ({ size, decision, split }: { size: number; decision: 'pass' | 'fail'; split: boolean | null }) =>
      `none of the ${grouped(size)} that judges ${decision === 'pass' ? 'passed' : 'failed'}${split === null ? '' : split ? ' and split on' : ' unanimously'} was checked`,
    /** @param of.runs other runs that they are from; null: this one */
    drawn: ({ n, runs }: { n: number; runs: number | null }) =>
      `${grouped(n)} ${runs === null ? 'of these answers' : `answers of ${counted(runs, 'other run')} with the same judges`}, drawn by chance`,
    unchecked: ({ count, drawn }: { count: number; drawn: number }) =>
      `${grouped(count)} of the ${grouped(drawn)} drawn were not checked`,
    notSure: (count: number) => `${grouped(count)} not sure`,
    byLabels: ({ share, limits }: { share: string; limits: string }) =>
      `by the labels alone, ${share} % pass (${limits})`,
    corrected: ({ share, limits }: { share: string; limits: string }) =>
      `allowing for judges’ errors, ${share} % (${limits})`,
    notKnown: (why: string) => `How sure is this: not known yet; ${why}`,
    agreed: (share: string) => `judges agree with the labels on ${share}`,
    chosenUnknown: 'how the labeled ones were chosen is not known',
    allLabeled: ({ count, isAll }: { count: number; isAll: boolean }) =>
      `All ${grouped(count)} ${isAll ? 'answers' : 'decided answers'} are labeled`,
    checked: (what: string) => `People checked ${what}`,
    judgesPass: (share: string) => `Judges pass ${share} %.`,
    agreedToo: (share: string) => `, and judges agree with them on ${share}`,
    nothingDecided: 'no answer was decided',
    /** Why the share that truly passes is not known. */
    why: {
      scores: 'people check decisions, and these are scores',
      fewLabels: ({ needed, count }: { needed: number; count: number }) =>
        `it takes ${needed} labels, and there ${count === 1 ? 'is' : 'are'} ${grouped(count)}`,
      oneGroup: 'it takes answers that do not all belong together',
      needsChecks: ({ needed, checked }: { needed: number; checked: number | null }) =>
        `have people check ${needed} answers drawn by chance, or label all of them${checked === null ? '' : `; so far ${grouped(checked)} ${checked === 1 ? 'is' : 'are'} checked`}`,
      severalRubrics: (of: { rubrics: number; checked: number; runs: number }) =>
        `${counted(of.rubrics, 'rubric')} judge these answers, so the ${grouped(of.checked)} checked of ${counted(of.runs, 'other run')} cannot be used`,
      noInterval: (of: { checked: number; runs: number; why: string }) =>
        `by ${grouped(of.checked)} checked answers of ${counted(of.runs, 'other run')}, ${of.why}`,
    },
  },
  /** Why two runs cannot be compared. */
  obstacle: {
    noSameRequest: 'no request is the same',
    rubricIs: ({ now, was }: { now: readonly string[]; was: readonly string[] }) =>
      `the rubric is ${now.join(', ')}, not ${was.join(', ')}`,
    rubricChanged: (named: readonly string[]) =>
      `the rubric${named.length === 0 ? '' : ` ${named.join(', ')}`} changed`,
    methodChanged: (method: string) => `the method ${method} changed`,
    judges: ({
      now,
      was,
    }: {
      now: { method: string; models: readonly string[] };
      was: { method: string; models: readonly string[] };
    }) => `the judges changed: ${judgedBy(now)}, not ${judgedBy(was)}`,
    seats: 'the judges changed: other personas, settings or temperature',
    prompts: 'the judges’ prompts changed',
    coverage: ({ now, was }: { now: string; was: string }) =>
      `judges decided ${now} of the answers, not ${was}`,
    languages: ({ now, was }: { now: readonly string[]; was: readonly string[] }) =>
      `most requests are in other languages: ${now.join(', ') || 'not stated'}, not ${was.join(', ') || 'not stated'}`,
  },
  latency: {
    median: (duration: string) => `Half of the answers take ${duration} or less`,
    slowest: ({ median, most }: { median: string; most: string }) => `${median}, the slowest ${most}`,
    allSlowest: ({ median, slowest }: { median: string; slowest: readonly string[] }) =>
      `${median}. The slowest: ${slowest.join(', ')}`,
    request: (text: string) => `“${text}”`,
  },
  blockers: {
    count: (n: number) => counted(n, 'blocker'),
    what: ({ n, name }: { n: number; name: string | null }) =>
      `${counted(n, 'blocker')}${name === null ? '' : ` in ${name}`}`,
    check: (n: number): string => (n === 1 ? 'One judged case: check it.' : 'Judged cases: check them.'),
    otherCriteria: (n: number) => `other criteria (${grouped(n)})`,
    allOther: ({ was, before }: { was: string; before: number }) =>
      `; ${was} had ${before === 0 ? 'none' : grouped(before)}, in other requests`,
    someOther: ({ was, now, before }: { was: string; now: number; before: number }) =>
      `; ${grouped(now)} of them in other requests, where ${was} had ${before === 0 ? 'none' : grouped(before)}`,
  },
  slices: {
    without: (tag: string) => `without ${tag}`,
    otherValues: (count: number) => counted(count, 'other value'),
    passes: ({ share, of }: { share: string; of: number }) => `${share} % of ${grouped(of)}`,
    scores: ({ mean, of }: { mean: string; of: number }) => `${mean} on average of ${grouped(of)}`,
    answers: (name: string) => `answers ${name}`,
    oneWorse: ({ what, where, rate }: { what: string; where: string | null; rate: string }) =>
      `${what} got worse${where === null ? '' : ` in ${where}`}: ${rate}`,
    someWorse: ({ all, where }: { all: readonly string[]; where: string | null }) =>
      `${all.slice(0, -1).join(', ')} and ${all.at(-1)} got worse${where === null ? '' : ` in ${where}`}`,
    moreValues: (count: number) => counted(count, 'more value'),
    worse: ', worse',
    noTag: (tag: string) => `No answer has the tag “${tag}”.`,
    title: (tag: string) => `By ${tag}`,
    columns: {
      answers: 'Answers',
      pass: 'Pass',
      mean: 'Mean score',
      interval: '95 % interval',
      pointsSince: (was: string) => `Points since ${was}`,
      since: (was: string) => `Since ${was}`,
    },
    worseNote: (tag: string) =>
      `“Worse” allows for looking at all values of ${tag} at once: if none changed, at most 1 of 20 such tables calls one worse.`,
    fewNote: (least: number) =>
      `Values with fewer than ${least} answers are counted together, and compared from ${least} on.`,
  },
  list: andList,
};

const judgedBy = ({ method, models }: { method: string; models: readonly string[] }): string =>
  `${method} by ${models.join(' + ')}`;
