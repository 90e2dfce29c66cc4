import { isDeepStrictEqual } from 'node:util';
import { subjectOf, type TrialStore } from '../../benchmark/index.ts';
import { JuryError } from '../../common/index.ts';
import { counted, grouped } from '../../common/text/index.ts';
import { type Interval, measured, sum, unmeasured } from '../../statistics/index.ts';
import { kindsText, readAnswers, strictChange } from '../assistant/index.ts';
import {
  comparePairs,
  matchCases,
  matchSetups,
  type PairReport,
  type Side,
  sideOf,
} from '../comparison/index.ts';
import { byCase, changeBetween, type Difference, signed, signedRange } from '../estimates/index.ts';
import type { ReadingWishes, TrialFacts } from '../facts/index.ts';
import { type Check, ROUNDING } from './thresholds.ts';

/** A change since a baseline. */
interface Change {
  setup: string;
  metric: string;
  difference: Pick<Difference, 'difference' | 'interval'>;
  /** Limits for claims that it is not larger than something; default: the interval. */
  bounds?: Interval;
  /** Both with so many times as many cases; default: they shrink with the root of the number of cases. */
  limitsAt?: (times: number) => { interval: Interval; bounds: Interval };
  /** Whether the metric is a share, so that a change is in points; default: yes. */
  isShare?: boolean;
  /** Whether some requests are others in each run, so that both runs need more; default: no. */
  hasOthers?: boolean;
  /** Whether it is a share of answers as judged, which shrinks a true change; default: no. */
  isJudged?: boolean;
}

/** What decides whether a run is worse: the difference itself, or what is sure of it. */
export interface Margin {
  /** How much worse is allowed. */
  by: number;
  /**
   * `estimate`: the difference decides. `pass`: not met only if it is worse by more than the margin beyond chance. `fail`: not met unless it
   * is sure not to be worse by more than the margin.
   */
  whenUnclear: 'estimate' | 'pass' | 'fail';
}

/** Metric name for the share of trials that have a score at all. */
const SCORED = 'share with a score';
/** The most that share may drop, whatever the margin: a margin is in points of the score. */
const SCORED_MARGIN = 0.05;

/** `2 points`, or `0.5` of a score. */
function amount(by: number, { isShare = true, isJudged = false }: Change): string {
  const number = String(Number((isShare ? by * 100 : by).toPrecision(6)));
  const unit = !isShare ? '' : number === '1' ? ' point' : ' points';
  return `${number}${unit}${isJudged ? ' of judged answers' : ''}`;
}

/** A number of cases, rounded up to two digits. */
function roughly(cases: number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(cases)) - 1);
  // Less a little, so that rounding errors don't make one step more of a round number.
  return counted(Math.ceil(cases / step - 1e-6) * step, 'case');
}

/** What is sure of a change, given its margin. */
type Finding = 'worse' | 'not-worse' | 'unclear';

function findingOf({ interval, bounds }: Record<'interval' | 'bounds', Interval>, by: number): Finding {
  if (interval.defined && interval.high < -by - ROUNDING) return 'worse';
  return bounds.defined && bounds.low >= -by - ROUNDING ? 'not-worse' : 'unclear';
}

const limitsOf = ({ difference: { interval }, bounds = interval }: Change) => ({ interval, bounds });

/** With more times as many cases than this, no number is named. */
const MOST_TIMES = 1000;

/** How many times as many cases it takes to tell, if the difference stays what it is; null: too many to name, or not known. */
function timesNeeded(change: Change, by: number): number | null {
  const { difference } = change.difference;
  const { interval, bounds } = limitsOf(change);
  if (!difference.defined || !interval.defined || !bounds.defined) return null;
  if (change.limitsAt === undefined) {
    const distance = difference.value + by;
    const reach = distance > 0 ? difference.value - bounds.low : interval.high - difference.value;
    const times = (reach / distance) ** 2;
    return times <= MOST_TIMES ? times : null;
  }
  const isClear = (times: number) =>
    change.limitsAt !== undefined && findingOf(change.limitsAt(times), by) !== 'unclear';
  if (!isClear(MOST_TIMES)) return null;
  let [few, many] = [1, MOST_TIMES];
  while (many / few > 1.001) {
    const middle = Math.sqrt(few * many);
    if (isClear(middle)) many = middle;
    else few = middle;
  }
  return many;
}

/**
 * What is sure of a change, in words: `worse beyond chance`, `not worse by more than 2 points`, or how many cases it takes to tell, if the
 * difference stays what it is.
 */
function findingText(change: Change, by: number): string {
  const { difference, interval } = change.difference;
  const finding = findingOf(limitsOf(change), by);
  if (finding === 'worse')
    return `worse beyond chance${by === 0 ? '' : `, by more than ${amount(by, change)}`}`;
  if (finding === 'not-worse') return `not worse by more than ${amount(by, change)}`;
  if (!interval.defined) return `too few to tell: ${interval.why}`;
  const what =
    interval.high < -ROUNDING ? 'worse beyond chance, but too few to tell by how much' : 'too few to tell';
  const times = timesNeeded(change, by);
  return times === null
    ? `${what}, and so close to the margin that more than ${grouped(MOST_TIMES)} times as many cases would be needed`
    : `${what}: ${roughly(difference.n * times)}${change.hasOthers === true ? ' in each run' : ''} would do`;
}

/** `−0.012`. */
const changeText = (value: number): string =>
  Math.abs(value) < 0.0005
    ? `less than ${value < 0 ? '−' : '+'}0.001`
    : signed({ defined: true, n: 1, value });

/** Whether a setup is at most `margin` worse than a baseline, and in words what is sure of that. */
export function checkChange(change: Change, baseline: string, { by: margin, whenUnclear }: Margin): Check {
  const { setup, metric } = change;
  const { difference, interval } = change.difference;
  const by = metric === SCORED ? Math.min(margin, SCORED_MARGIN) : margin;
  // How many trials have a score is counted, not estimated: only a judge that gives up changes it.
  const isCounted = metric === SCORED;
  const check = {
    setup,
    metric,
    name: `${metric} no worse than ${baseline} by ${by}`,
    required: { kind: 'drop', value: by },
    found: difference.defined ? { value: difference.value, n: difference.n } : null,
    isByValue: whenUnclear === 'estimate' || isCounted,
  } as const;
  if (!difference.defined) {
    const text = `${metric} cannot be compared with ${baseline}: ${difference.why}`;
    return { ...check, met: false, text };
  }
  const finding = findingOf(limitsOf(change), by);
  const isLess = difference.value < -by - ROUNDING;
  const met =
    whenUnclear === 'estimate' || isCounted
      ? !isLess
      : whenUnclear === 'pass'
        ? finding !== 'worse'
        : finding === 'not-worse';
  const range = interval.defined ? `; 95 % interval ${signedRange(interval)}` : '';
  const sure = isCounted ? '' : `: ${findingText(change, by)}`;
  const moved = difference.value === 0 ? 'did not change' : `changed by ${changeText(difference.value)}`;
  const text = `${metric} ${moved} since ${baseline} (n = ${grouped(difference.n)}${range}); it may be lower by at most ${by}${sure}`;
  const isOpen = !met && whenUnclear === 'fail' && finding === 'unclear' && !isLess;
  return { ...check, met, text, ...(isOpen ? { isOpen } : {}) };
}

/** Minimum share of a run's cases that must be the same, and judged, in the baseline. */
const LEAST_SAME = 0.9;

/** How a run changed since its baseline, and the number of cases compared. */
interface Changes {
  compared: number;
  /** How many are compared with other requests, and of which kinds: `of the same kinds`. */
  others: { n: number; kinds: string };
  changes: Change[];
}

type ScoredFacts = Pick<TrialFacts, 'score' | 'outcome' | 'unit' | 'truth'>;

/** Trials of one case in both runs. */
interface Pair {
  before: readonly ScoredFacts[];
  after: readonly ScoredFacts[];
}

/** Trials of judges, which are of one judgement if a run took it over from the other, or both from a third. */
interface JudgedPair extends Pair {
  isAgain: boolean;
}

type ComparedRun = Awaited<ReturnType<typeof sideOf>>;

const incomparable = (base: Side, why: string): JuryError =>
  new JuryError('usage', `--no-worse-than ${base.run}: cannot be compared: ${why}.`);

const isScored = ({ score }: ScoredFacts): boolean => score !== null;
const isDecided = ({ outcome }: ScoredFacts): boolean => outcome === 'pass' || outcome === 'fail';

/** Change in the share of trials with a score, on cases that have at least one score. The mean score alone would miss it. */
function scoredChange(
  setup: string,
  pairs: readonly Pair[],
  later: readonly (readonly ScoredFacts[])[] = [],
  earlier: readonly (readonly ScoredFacts[])[] = [],
): Change {
  const share = (facts: readonly ScoredFacts[]) => facts.filter(isScored).length / facts.length;
  const separate = (all: readonly (readonly ScoredFacts[])[]) =>
    all.map((facts, unit) => ({ unit, stratum: '', value: share(facts) }));
  const found = changeBetween(
    {
      pairs: pairs.map(({ before, after }, unit) => {
        const drift = share(after) - share(before);
        return { unit, gained: Math.max(0, drift), lost: Math.max(0, -drift) };
      }),
      later: separate(later),
      earlier: separate(earlier),
    },
    'answers',
  );
  const n = found?.n ?? 0;
  const difference = found === null ? unmeasured('no case is scored in both', 0) : measured(found.value, n);
  return { setup, metric: SCORED, difference: { difference, interval: unmeasured('none is computed', n) } };
}

const unscored: Change['difference'] = {
  difference: unmeasured('no case is scored in both', 0),
  interval: unmeasured('', 0),
};

/** Makes a change of one setup. */
const changeOf =
  (setup: string) =>
  (metric: string, difference: Change['difference'], more: Partial<Change> = {}): Change => ({
    setup,
    metric,
    difference,
    ...more,
  });

const outcomesOf = (facts: readonly ScoredFacts[]): string =>
  facts
    .map(({ outcome }) => outcome)
    .sort()
    .join();

/**
 * Limits of the change if judges decided each case the same in both runs, where differences have no interval: what may still have changed, by
 * the number of cases. Of a case that was taken over it is known that nothing did. A case counts for F1 more than for accuracy. Undefined if
 * some case was decided otherwise.
 */
function alikeBounds(pairs: readonly JudgedPair[], isF1: boolean): Interval | undefined {
  if (pairs.some(({ before, after }) => outcomesOf(before) !== outcomesOf(after))) return undefined;
  const again = pairs.filter(({ isAgain }) => isAgain);
  if (again.length === 0) return { defined: true, n: pairs.length, low: 0, high: 0, level: 0.95 };
  const same = again.map(({ after: [first] }, at) => ({ unit: first?.unit ?? at, gained: 0, lost: 0 }));
  const found = changeBetween({ pairs: same, later: [], earlier: [] }, 'judges')?.bounds;
  if (found?.defined !== true) return found;
  const share = again.length / pairs.length;
  const bounds = { ...found, n: pairs.length, low: found.low * share, high: found.high * share };
  if (!isF1) return bounds;
  const facts = pairs.flatMap(({ after }) => after);
  // F1 is 2TP / (2TP + FP + FN): one more error changes it by at most 2 in that many.
  const counted = sum(
    facts.map(({ truth, outcome }) =>
      truth === 'pass' ? (outcome === 'pass' ? 2 : 1) : truth === 'fail' && outcome !== 'fail' ? 1 : 0,
    ),
  );
  const times = counted === 0 ? Number.POSITIVE_INFINITY : (2 * facts.length) / counted;
  return { ...bounds, low: Math.max(-1, bounds.low * times), high: Math.min(1, bounds.high * times) };
}

/** The changes to check: F1 if cases are labeled, otherwise the pass rate; for scores, their mean and how many trials have one. */
function changesOf(
  { cases, scores, decisions, points, second }: PairReport,
  pairs: readonly JudgedPair[],
): Change[] {
  const change = changeOf(second);
  const scored = pairs.filter(({ before, after }) => [...before, ...after].some(isScored));
  const hasDecisions = pairs.some(({ before, after }) => [...before, ...after].some(isDecided));
  const decisionChange = (metric: string, difference: Difference): Change => {
    const bounds = difference.interval.defined ? undefined : alikeBounds(pairs, metric === 'f1');
    return change(metric, difference, bounds === undefined ? {} : { bounds });
  };
  const decided =
    cases === 0
      ? decisions.cases > 0 && (hasDecisions || scored.length === 0)
        ? [decisionChange('pass-rate', decisions.passRate)]
        : []
      : scores.f1.difference.defined
        ? [decisionChange('f1', scores.f1)]
        : [decisionChange('accuracy', scores.accuracy)];
  return scored.length === 0
    ? decided
    : [
        ...decided,
        change('mean score', points?.mean ?? unscored, { isShare: false }),
        scoredChange(second, scored),
      ];
}

/** The changes of an assistant's answers. Null for a labeled run about judges where no answer changed: differences then come from the judges. */
async function assistantChanges(
  store: TrialStore,
  base: Side,
  before: ComparedRun,
  after: ComparedRun,
  clusterBy: string | undefined,
): Promise<Changes | null> {
  const { subject, dataset } = after.manifest;
  const [then, now] = [
    await readAnswers(store, before.manifest),
    await readAnswers(store, after.manifest, clusterBy),
  ];
  const { obstacles, pairs, others, mix, isSame, passRate, scored } = strictChange(then, now);
  const isOfJudges = subject !== 'assistant' && dataset.labeled > 0;
  if (isSame && isOfJudges) return null;
  // Other labeled cases may be made to be failed: they need not be what an assistant was asked.
  if (pairs === 0 && isOfJudges) throw incomparable(base, 'no case is the same in both');
  const isNothing = pairs === 0 && others.later === 0;
  if (isNothing || (!isSame && obstacles.length > 0)) throw incomparable(base, obstacles.join('; '));
  // The part of other requests that is not judged yet could be of another kind.
  const unfinished = [
    { answers: then.answers, ...before },
    { answers: now.answers, ...after },
  ].find(({ answers, marks }) => answers.length < LEAST_SAME * marks.length);
  if (others.later > 0 && unfinished !== undefined) {
    const { manifest, answers, marks } = unfinished;
    throw incomparable(
      base,
      `only ${answers.length} of ${counted(marks.length, 'case')} of ${manifest.name} are judged. Finish it first`,
    );
  }
  const kinds = mix === null ? '' : kindsText(mix);
  const compared = { compared: pairs, others: { n: others.later, kinds } };
  const change = changeOf(now.setup.id);
  if (isSame) {
    const same = { difference: measured(0, pairs), interval: unmeasured('no answer changed', pairs) };
    const bounds = { defined: true, n: pairs, low: 0, high: 0, level: 0.95 } as const;
    const metric = scored === null ? 'pass-rate' : 'mean score';
    return {
      ...compared,
      changes: [change(metric, same, { bounds, isShare: scored === null, isJudged: true })],
    };
  }
  const differenceOf = (found: typeof passRate): Change['difference'] =>
    found === null ? unscored : { difference: measured(found.value, found.n), interval: found.interval };
  const limitsIn = ({ bounds, limitsAt }: NonNullable<typeof passRate>): Partial<Change> =>
    limitsAt === undefined ? { bounds } : { bounds, limitsAt };
  const changeIn = (metric: string, found: typeof passRate, isShare: boolean): Change =>
    change(metric, differenceOf(found), {
      isShare,
      isJudged: true,
      hasOthers: others.later > 0,
      ...(found === null ? {} : limitsIn(found)),
    });
  const changes = [
    ...(passRate === null ? [] : [changeIn('pass-rate', passRate, true)]),
    ...(scored === null
      ? []
      : [
          changeIn('mean score', scored.mean, false),
          scoredChange(now.setup.id, scored.pairs, scored.later, scored.earlier),
        ]),
  ];
  return { ...compared, changes };
}

/** Where each trial was judged, in order. */
const judgedIn = ({ manifest }: ComparedRun, facts: readonly TrialFacts[]): string[] =>
  facts.map(({ repeat, takenFrom }) => `${repeat} ${takenFrom ?? manifest.name}`).sort();

/** The change of each configuration, on the cases that are the same and judged in both runs. */
function judgeChanges(base: Side, before: ComparedRun, after: ComparedRun): Changes {
  const { places } = matchCases(before.marks, after.marks);
  if (places.size === 0) throw incomparable(base, 'no case is the same in both');
  const [only] = before.setups;
  const { pairs, unmatched } =
    base.setup !== null && only !== undefined
      ? { pairs: after.setups.map((setup) => [only, setup] as const), unmatched: { second: [] } }
      : matchSetups(before.setups, after.setups);
  const [alone] = unmatched.second;
  if (alone !== undefined)
    throw incomparable(
      base,
      `it has no configuration "${alone}". Name the one to compare with: "${base.run}:${only?.id ?? ''}"`,
    );
  const judged = pairs.map(([one, other]) => {
    const earlier = byCase(before.table.factsOf(one.id));
    return [...byCase(after.table.factsOf(other.id))].flatMap(([place, facts]): JudgedPair[] => {
      const factsBefore = earlier.get(places.get(place) ?? -1);
      if (factsBefore === undefined) return [];
      const isAgain = !isDeepStrictEqual(judgedIn(before, factsBefore), judgedIn(after, facts));
      return [{ before: factsBefore, after: facts, isAgain }];
    });
  });
  const changes = comparePairs(pairs, before.table, after.table, places, before.marks).map(({ pair }, at) =>
    changesOf(pair, judged[at] ?? []),
  );
  if (changes.some(({ length }) => length === 0))
    throw incomparable(base, 'no case that was judged in both gets a decision');
  return {
    compared: Math.min(...judged.map(({ length }) => length)),
    others: { n: 0, kinds: '' },
    changes: changes.flat(),
  };
}

/**
 * How a run's configurations changed since a baseline, pair by pair on the cases in both; a trial without a decision counts as wrong. For an
 * assistant, its answers are compared: to the same requests, and to others of the same kinds.
 * @throws JuryError `usage` if there is no such run, or too little to compare
 */
export async function changesSince(
  store: TrialStore,
  base: Side,
  side: Side,
  wishes: ReadingWishes = {},
): Promise<Changes & { cases: number }> {
  const [before, after] = [await sideOf(store, base, wishes), await sideOf(store, side, wishes)];
  const isAssistant = base.setup === null && side.setup === null && subjectOf(after.manifest) === 'assistant';
  const compared =
    (isAssistant ? await assistantChanges(store, base, before, after, wishes.clusterBy) : null) ??
    judgeChanges(base, before, after);
  const cases = after.marks.length;
  if (compared.compared + compared.others.n < LEAST_SAME * cases)
    throw incomparable(
      base,
      `only ${compared.compared} of ${counted(cases, 'case')} are the same and judged in both, and at least 90 % must be. Finish both runs, or judge the cases of ${side.run} again as ${base.run} was judged, under a new --name, and compare with that run`,
    );
  return { ...compared, cases };
}
