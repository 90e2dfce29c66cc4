import { capital, counted, grouped } from '../../common/text/index.ts';

/** *How we know*: what each printed number rests on, and what has to hold for it. Parts of sentences, put together by `line`. */
export const known = {
  title: 'How we know',
  link: 'What each number rests on',
  /**
   * @param of.n how many items it rests on
   * @param of.source as the rest of “From”
   * @param of.holdsIf as the rest of “Right only if”
   * @param of.note as the rest of “Keep in mind:”
   * @param of.by the name of the method, for those who know it
   */
  line: (of: { n: string; source: string; holdsIf: string[]; note: string[]; by: string | null }) =>
    [
      `${capital(of.n)}. From ${of.source}.`,
      ...(of.holdsIf.length === 0 ? [] : [`Right only if ${of.holdsIf.join(', and ')}.`]),
      ...(of.note.length === 0 ? [] : [`Keep in mind: ${of.note.join('; ')}.`]),
      ...(of.by === null ? [] : [`(${of.by})`]),
    ].join(' '),
  /** Names of methods. */
  by: {
    wilson: 'range after Wilson',
    paired: 'range after Agresti and Min',
    newcombe: 'range after Newcombe',
    ranks: 'range of a median',
    jackknife: 'range by jackknife',
    corrected: 'correction after Rogan and Gladen, range after Lang and Reiczigel',
    both: 'range of the difference after MOVER',
    holm: 'adjusted after Holm',
    wilsonAndHolm: 'range after Wilson, adjusted after Holm',
    sign: 'range after Wilson, exact sign test',
    betting: 'test by betting',
  },
  noRange: (why: string) => `no range: ${why}`,
  figureIn: ({ name, figure }: { name: string; figure: string }) => `${name}: ${figure}`,
  n: {
    decided: ({ decided, of }: { decided: number; of: number }) =>
      `${counted(decided, 'answer')} decided of ${grouped(of)}`,
    together: (count: number) => `, which count as ${grouped(count)} because some belong together`,
    inBoth: (requests: number) => `${counted(requests, 'request')} in both runs`,
    compared: ({ n, basis }: { n: number; basis: string }) => `${counted(n, 'request')} compared: ${basis}`,
    allDecided: (n: number) => `all ${grouped(n)} decided answers`,
    labeled: (n: number) => counted(n, 'labeled answer'),
    repeated: (n: number) => `${counted(n, 'answer')} judged repeatedly`,
    unchangedSince: ({ n, run }: { n: number; run: string }) => `${grouped(n)} unchanged since run ${run}`,
    timed: ({ n, slowest }: { n: number; slowest: readonly string[] }) =>
      `${counted(n, 'answer')} with a known time; the slowest: ${slowest.join(', ')}`,
    preferred: ({ n, of }: { n: number; of: number }) =>
      `${counted(n, 'request')} with a preference of ${grouped(of)}`,
    judgements: (n: number) => counted(n, 'judgement'),
    decidedAnswers: (n: string) => `${n} decided answers`,
    blockers: (of: { answers: number; others: { now: number; before: number } | null; groups: string }) =>
      `${counted(of.answers, 'answer')}${of.others === null ? '' : `; ${of.others.now} of them answer other requests, before ${of.others.before} did`}; ${of.groups}`,
    trials: ({ n, worth }: { n: number; worth: number }) =>
      `${counted(n, 'trial')}${worth < n ? `, which count as ${worth} because some belong together` : ''}`,
    allCalls: 'all calls of the run',
    bothRuns: (n: string) => `${n}, in both runs`,
    votesSince: ({ since, before }: { since: number; before: number }) =>
      `${counted(since, 'verdict')} since, ${before} before`,
    settled: (n: number) => `${counted(n, 'verdict')} settled by votes`,
    eachPoint: 'that of each point',
    benchmarks: (n: number) => counted(n, 'benchmark'),
  },
  source: {
    judgedRun: ({ run, method, models }: { run: string; method: string; models: readonly string[] }) =>
      `run ${run}, judged by ${method} with ${models.join(', ')}`,
    run: (run: string) => `run ${run}`,
    runs: ({ was, now }: { was: string; now: string }) => `runs ${was} and ${now}`,
    runsWhy: ({ was, now, why }: { was: string; now: string; why: string }) =>
      `runs ${was} and ${now}: ${why}`,
    labels: (run: string) => `labels of run ${run}`,
    bothLabels: ({ was, now }: { was: string; now: string }) =>
      `labels or checked answers of both runs, ${was} and ${now}`,
    checkedAnswers: (run: string) =>
      `answers of run ${run} that people checked, each kind counted by how many of it there are`,
    errorsThere: 'how often these judges were wrong there',
    unknown: (why: string) => `nothing yet: ${why}`,
    timed: (run: string) => `run ${run}, as the system or the data says`,
    imported: (run: string) => `run ${run}, imported`,
    bothOrders: (run: string) => `run ${run}, asked in both orders`,
    eachSlice: (run: string) =>
      `run ${run}; the range of a share is for itself, that of a change for two runs`,
    firstBlockers: (run: string) => `run ${run}, with none before it`,
    prices: (run: string) => `run ${run}; tokens times prices`,
    votes: ({ where, rule }: { where: string; rule: string }) => `votes ${where} (${rule})`,
    votesOnJudges: (where: string) => `votes ${where}, by what each implies of the judge`,
    points: 'each point for itself, as it was counted then',
    ranges: 'the range of each benchmark for itself',
    outcomes: 'the runs for this digest',
    turned: 'the two runs that are compared',
    checks: (where: string) => `what was judged and voted on ${where}; costs are tokens times prices`,
    hidden: (where: string) => `what was judged ${where} in the last seven days`,
  },
  holdsIf: {
    othersAlike: (count: number) => `the ${grouped(count)} others would have come out alike`,
    requestsAlike: (kinds: string) =>
      `the requests of both runs came about in the same way (they are compared ${kinds})`,
    labelsRight: 'the labels are right',
    checkersRight: 'the people who check are right',
    uncheckedAlike: 'drawn answers that nobody checked are like the others of their kind',
    errorsSame: 'judges are wrong as often now as then',
    bothRates: 'what both rates need holds, with the same mix of requests',
    timedAlike: 'times were measured alike',
    pricesPaid: 'the prices that are set are those that are paid',
    casesAlone: 'cases do not depend on each other, or only within their groups',
    choseAlike: 'people chose alike before and since',
  },
  note: {
    judged: 'this is what judges say, and they can be wrong',
    shrinks: 'judges’ errors make a true change look smaller',
    hides: 'judges’ errors hide part of a true change',
    steady: 'steady means that more than five points either way are ruled out',
    sameChecked: 'judges, prompts and rubric are the same in both (checked)',
    turnByChance: 'some turn by chance in any two runs',
    notOthers: 'it says nothing about other requests',
    changeNeeds: 'a change needs the same judges, prompts, rubric and language',
    chosenSaysNothing: 'votes and labels of chosen answers say nothing about the others',
    chosenUnknown: 'how the labeled ones were chosen is not known',
    steadyCanErr: 'judges that agree with themselves can still be wrong',
    untimed: 'answers without a time are left out',
    neitherBetter: 'requests where neither is better say nothing',
    orderIsNone: 'a preference that changes with the order is none',
    allValues: '“worse” allows for all values that are looked at',
    blocker: 'each is a judged case, which judges may have got wrong',
    noDecisionWrong: 'a trial without a decision counts as wrong',
    cacheFree: 'answers from the cache cost nothing',
    sameCases: 'the same cases and configurations in both (checked)',
    allConfigurations: 'it allows for all configurations that are looked at',
    bestOfSeveral: 'the best of several runs looks better than it is',
    chosen: 'people vote on what they choose or are shown, which is no random sample of what is judged',
    mayHaveChanged: 'judges, prompts and requests may have changed between points',
    oneOfTwenty: 'of 20 benchmarks without a change, one may look changed',
    runLeftOut: 'such a run is left out or incomplete',
    casesTurn: 'some cases turn by chance in any two runs',
    onlyCost: 'they are in the cost alone',
  },
  figure: {
    noChange: (against: string) => `No change since ${against} is given`,
    change: ({ by, against, interval }: { by: string; against: string; interval: string }) =>
      `${by} ${against} (${interval})`,
    truthUnknown: 'How many answers truly pass is not known',
    truly: (since: string) => `Truly passing: ${since}`,
    agreed: (share: string) => `Judges agree with the labels on ${share}`,
    slice: (of: { value: string; share: string; limits: string; change: string | null }) =>
      `${of.value}: ${of.share} (${of.limits})${of.change === null ? '' : `, change ${of.change}`}`,
    groupShared: ({ group, shared }: { group: string; shared: string }) => `${group} (${shared})`,
    judgesAgree: ({ name, share, limits }: { name: string; share: string; limits: string }) =>
      `${name}: the judges agree with the labels on ${share} (${limits})`,
    points: ({ name, points, interval }: { name: string; points: string; interval: string }) =>
      `${name}: ${points} points since the last digest (${interval})`,
    best: ({ name, share }: { name: string; share: string }) => `${name}: best so far ${share}`,
    votesMoved: ({ share, points, interval }: { share: string; points: string; interval: string }) =>
      `People agree with ${share} since the last digest, ${points} points (${interval})`,
    votes: ({ share, limits }: { share: string; limits: string }) => `People agree with ${share} (${limits})`,
    eachJudge: ({ judge, share, limits }: { judge: string; share: string; limits: string }) =>
      `${judge}: people agree with ${share} (${limits})`,
    ofBenchmarks: (others: string) => `Of the benchmarks, ${others}`,
    hidden: 'Verdicts that are hidden until people vote',
  },
};
