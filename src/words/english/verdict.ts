import { andList, counted, grouped, percent } from '../../common/text/index.ts';

const judges = (count: number): string => counted(count, 'judge');

const votedOn = (verdicts: string, { share, count }: { share: number; count: number }): string =>
  `People agreed with ${percent(share)} of the ${grouped(count)} ${verdicts} they voted on; not a random sample`;

/** What a verdict says and why. */
export const verdict = {
  /** On a card, before the reason. */
  label: { pass: 'PASS', fail: 'FAIL', scored: 'SCORE', undecided: 'NOT DECIDED' },
  /** Within a sentence or a count. */
  decision: {
    pass: 'pass',
    fail: 'fail',
    scored: 'scored',
    undecided: 'not decided',
    unscored: 'not decided',
    'not-judged': 'not checked',
    'not-relevant': 'not relevant',
  },
  /** At most two decimals. */
  number: (value: number): string => String(Math.round(value * 100) / 100),
  count: grouped,
  percent,
  list: andList,
  judges,
  scoreOf: ({ score, max }: { score: string; max: string | null }) =>
    max === null ? score : `${score} of ${max}`,
  scoreStance: (score: string) => `score ${score}`,
  sure: ({ stance, confidence }: { stance: string; confidence: number }) =>
    `${stance}, ${percent(confidence)} sure`,
  better: (name: string) => `${name} is better`,
  tie: 'Tie',
  prefers: (name: string) => `prefers ${name}`,
  noDifference: 'no difference',
  changedWithOrder: 'changed with the order',
  noAnswer: (why: string) => `no answer (${why})`,
  notRelevant: 'not relevant',
  noReason: 'No reason asked for.',
  /** Why one judge gave no answer. */
  silence: {
    malformed: 'no usable reply',
    refused: 'refused to answer',
    timeout: 'timed out',
    'rate-limited': 'rate limit of the model',
    budget: 'over the budget',
    unsupported: 'could not judge this',
    cancelled: 'stopped',
    error: 'could not be reached',
    'not-relevant': 'not relevant',
  },
  /** Why nobody on the panel answered, if all have the same reason. */
  allSilent: {
    malformed: 'the model’s answer could not be used',
    refused: 'the model refused to answer',
    timeout: 'the model did not answer in time',
    'rate-limited': 'the model takes no more questions at the moment',
    budget: 'a budget for model calls is spent',
    unsupported: 'the judges could not judge this',
    cancelled: 'no judge had answered',
    error: 'the model could not be reached',
    'not-relevant': 'the rubric is not relevant to this case',
  },
  /** Several reasons of judges without an answer. */
  silences: (counts: readonly { count: number; why: string }[]) =>
    counts.map(({ count, why }) => `${count} ${why}`).join(', '),
  fallback: {
    budget: "exact checks only, today's budget is spent",
    refused: "exact checks only, the model's endpoint refuses to answer",
    unreachable: 'exact checks only, no model answered',
  },
  /** Where a line of its own says what is wrong with the model. */
  exactOnly: 'exact checks only',
  /** What is wrong with the endpoint of a model, and what to do about it. */
  trouble: {
    unreachable: 'The model cannot be reached. Ask your Jury admin to check its address.',
    key: 'The model’s endpoint refuses the key. Ask your Jury admin to set a valid one.',
    model: 'The endpoint does not know the model. Choose another one, or ask your Jury admin.',
    credit: 'The account for the model is used up. Ask your Jury admin to add credit.',
    overloaded: 'The model takes no more questions at the moment. Try again in a minute.',
  },
  exact: 'exact checks',
  exactAlone: 'exact checks, no model',
  backing: {
    of: ({ count, panel, weight }: { count: number; panel: number; weight: number | null }) =>
      `${count} of ${judges(panel)}${weight === null ? '' : `, ${percent(weight)} of the weight`}`,
    ofAsked: ({ count, asked }: { count: number; asked: number }) =>
      count === asked ? `${count} of ${asked} asked agree` : `${count} of ${judges(asked)} asked`,
    answered: ({ count, panel }: { count: number; panel: number }) => `${count} of ${judges(panel)} answered`,
    same: (count: number) => `the same from ${judges(count)}`,
    range: ({ low, high, count }: { low: string; high: string; count: number }) =>
      `${low}–${high} across ${judges(count)}`,
    bothOrders: ({ count, panel }: { count: number; panel: number }) =>
      `${count} of ${judges(panel)}, in both orders`,
    alone: ({ count, panel }: { count: number; panel: number }) => `${count} of ${judges(panel)}`,
    changed: ({ count, panel }: { count: number; panel: number }) =>
      `${count} of ${judges(panel)} changed with the order`,
    noDifference: ({ count, panel }: { count: number; panel: number }) =>
      `${count} of ${judges(panel)} ${count === 1 ? 'sees' : 'see'} no difference`,
    prefer: ({ count, panel, name }: { count: number; panel: number; name: string }) =>
      `${count} of ${judges(panel)} ${count === 1 ? 'prefers' : 'prefer'} ${name}`,
    notNeeded: (count: number) => `${count} not needed`,
    silent: ({ judge, why }: { judge: string; why: string }) => `${judge} gave no answer (${why})`,
  },
  split: ({ counts, sameWeight }: { counts: readonly number[]; sameWeight: boolean }) =>
    `the judges split ${counts.join(' : ')}${sameWeight ? ', with the same weight on each side' : ''}`,
  splitWithSilent: (about: {
    counts: readonly number[];
    sameWeight: boolean;
    silent: number;
    panel: number;
    why: string;
  }) =>
    `${about.silent} of ${judges(about.panel)} did not answer (${about.why}); the others split ${about.counts.join(' : ')}${about.sameWeight ? ', with the same weight on each side' : ''}`,
  partly: ({ holding, asked, open }: { holding: number; asked: number; open: number }) =>
    `${holding} of ${asked} criteria ${holding === 1 ? 'holds' : 'hold'}, ${open} could not be checked`,
  nothingChecked: 'nothing could be checked',
  pairNeedsModel: 'exact checks do not tell which answer is better: this needs a model',
  nobodyYet: 'no judge had answered',
  noRatings: (why: string) => `no criterion could be rated, so there was nothing to discuss (${why})`,
  nothingToJudgeBy: 'the paste lacks what every criterion needs',
  foundNotRelevant: ({ count, panel }: { count: number; panel: number }) =>
    `${count} of ${judges(panel)} found the rubric not relevant to this case`,
  noneAnswered: ({ panel, why }: { panel: number; why: string }) =>
    `${panel === 1 ? 'the judge did not answer' : `none of ${judges(panel)} answered`} (${why})`,
  fewAnswered: ({ count, panel, why }: { count: number; panel: number; why: string }) =>
    `only ${count} of ${judges(panel)} answered (${why})`,
  fewDecided: ({ count, panel, why }: { count: number; panel: number; why: string }) =>
    `${panel === 1 ? 'the judge could not decide' : `only ${count} of ${judges(panel)} could decide`}${why === '' ? '' : ` (${why})`}`,
  allHold: ({ count, someNotJudged }: { count: number; someNotJudged: boolean }) =>
    `${count === 2 ? 'both' : `all ${count}`} ${someNotJudged ? 'judged criteria' : 'criteria'} hold`,
  hold: (titles: readonly string[]) => `${andList(titles)} ${titles.length === 1 ? 'holds' : 'hold'}`,
  fail: (titles: readonly string[]) =>
    `${andList(titles)} ${titles.length === 1 ? 'does not hold' : 'do not hold'}`,
  manyFail: ({ count, of }: { count: number; of: number }) => `${count} of ${of} criteria do not hold`,
  cutShort: (round: number) => `round ${round + 2} was not finished, after round ${round + 1}`,
  disagree: ({ judges: names, reason }: { judges: readonly string[]; reason: string }) =>
    `${andList(names)} ${names.length === 1 ? 'disagrees' : 'disagree'}${reason === '' ? '' : `: “${reason}”`}`,
  voted: {
    such: (of: { share: number; count: number }) => votedOn('such verdicts', of),
    here: (of: { share: number; count: number }) => votedOn('verdicts in this conversation that', of),
    everywhere: (of: { share: number; count: number }) => votedOn('verdicts in all conversations that', of),
  },
};
