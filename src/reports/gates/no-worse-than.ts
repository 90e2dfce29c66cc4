import { subjectOf, type TrialStore } from '../../benchmark/index.ts';
import { JuryError } from '../../common/index.ts';
import { counted, grouped } from '../../common/text/index.ts';
import { measured, sum, unmeasured } from '../../statistics/index.ts';
import { readAnswers, strictChange } from '../assistant/index.ts';
import {
  comparePairs,
  matchCases,
  matchSetups,
  type PairReport,
  type Side,
  sideOf,
} from '../comparison/index.ts';
import { byCase, type Difference, signed, signedRange } from '../estimates/index.ts';
import type { ReadingWishes, TrialFacts } from '../facts/index.ts';
import { type Check, ROUNDING } from './thresholds.ts';

/** A change since a baseline, on the cases in both. */
interface Change {
  setup: string;
  metric: string;
  difference: Pick<Difference, 'difference' | 'interval'>;
}

/** Metric name for the share of trials that have a score at all. */
const SCORED = 'share with a score';
/** The most that share may drop, whatever the margin: a margin is in points of the score. */
const SCORED_MARGIN = 0.05;

/** Whether a setup is at most `margin` worse than a baseline. The observed difference counts, not its interval. */
export function checkChange(
  { setup, metric, difference: { difference, interval } }: Change,
  baseline: string,
  margin: number,
): Check {
  const by = metric === SCORED ? Math.min(margin, SCORED_MARGIN) : margin;
  const name = `${metric} no worse than ${baseline} by ${by}`;
  if (!difference.defined) {
    const text = `${metric} cannot be compared with ${baseline}: ${difference.why}`;
    return { setup, name, met: false, text };
  }
  const met = difference.value >= -by - ROUNDING;
  const range = interval.defined ? `; 95 % interval ${signedRange(interval)}` : '';
  const text = `${metric} changed by ${signed(difference)} since ${baseline} (n = ${grouped(difference.n)}${range}); it may be lower by at most ${by}`;
  return { setup, name, met, text };
}

/** Minimum share of a run's cases that must be the same, and judged, in the baseline. */
const LEAST_SAME = 0.9;

/** How a run changed since its baseline, and the number of cases compared. */
interface Changes {
  compared: number;
  changes: Change[];
}

type ScoredFacts = Pick<TrialFacts, 'score' | 'outcome'>;

/** Trials of one case in both runs. */
interface Pair {
  before: readonly ScoredFacts[];
  after: readonly ScoredFacts[];
}

type ComparedRun = Awaited<ReturnType<typeof sideOf>>;

const incomparable = (base: Side, why: string): JuryError =>
  new JuryError('usage', `--no-worse-than ${base.run}: cannot be compared: ${why}.`);

const isScored = ({ score }: ScoredFacts): boolean => score !== null;
const isDecided = ({ outcome }: ScoredFacts): boolean => outcome === 'pass' || outcome === 'fail';

/** Change in the share of trials with a score, on cases that have at least one score. The mean score alone would miss it. */
function scoredChange(setup: string, pairs: readonly Pair[]): Change {
  const share = (facts: readonly ScoredFacts[]) => facts.filter(isScored).length / facts.length;
  const drifts = pairs.map(({ before, after }) => share(after) - share(before));
  const n = drifts.length;
  const difference = measured(sum(drifts) / n, n);
  return { setup, metric: SCORED, difference: { difference, interval: unmeasured('none is computed', n) } };
}

const unscored: Change['difference'] = {
  difference: unmeasured('no case is scored in both', 0),
  interval: unmeasured('', 0),
};

/** Makes a change of one setup. */
const changeOf =
  (setup: string) =>
  (metric: string, difference: Change['difference']): Change => ({ setup, metric, difference });

/** The changes to check: F1 if cases are labeled, otherwise the pass rate; for scores, their mean and how many trials have one. */
function changesOf(
  { cases, scores, decisions, points, second }: PairReport,
  pairs: readonly Pair[],
): Change[] {
  const change = changeOf(second);
  const scored = pairs.filter(({ before, after }) => [...before, ...after].some(isScored));
  const hasDecisions = pairs.some(({ before, after }) => [...before, ...after].some(isDecided));
  const decided =
    cases === 0
      ? decisions.cases > 0 && (hasDecisions || scored.length === 0)
        ? [change('pass-rate', decisions.passRate)]
        : []
      : scores.f1.difference.defined
        ? [change('f1', scores.f1)]
        : [change('accuracy', scores.accuracy)];
  return scored.length === 0
    ? decided
    : [...decided, change('mean score', points?.mean ?? unscored), scoredChange(second, scored)];
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
  const { obstacles, compared, changed, passRate, scored } = strictChange(then, now);
  if (changed === 0 && subject !== 'assistant' && dataset.labeled > 0) return null;
  if (compared === 0 || (changed > 0 && obstacles.length > 0)) throw incomparable(base, obstacles.join('; '));
  const change = changeOf(now.setup.id);
  if (changed === 0) {
    const same = { difference: measured(0, compared), interval: unmeasured('no answer changed', compared) };
    const metric = scored === null ? 'pass-rate' : 'mean score';
    return { compared, changes: [change(metric, same)] };
  }
  const differenceOf = (found: typeof passRate): Change['difference'] =>
    found === null ? unscored : { difference: measured(found.value, found.n), interval: found.interval };
  const changes = [
    ...(passRate === null ? [] : [change('pass-rate', differenceOf(passRate))]),
    ...(scored === null
      ? []
      : [change('mean score', differenceOf(scored.mean)), scoredChange(now.setup.id, scored.pairs)]),
  ];
  return { compared, changes };
}

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
    return [...byCase(after.table.factsOf(other.id))].flatMap(([place, facts]): Pair[] => {
      const factsBefore = earlier.get(places.get(place) ?? -1);
      return factsBefore === undefined ? [] : [{ before: factsBefore, after: facts }];
    });
  });
  const changes = comparePairs(pairs, before.table, after.table, places, before.marks).map(({ pair }, at) =>
    changesOf(pair, judged[at] ?? []),
  );
  if (changes.some(({ length }) => length === 0))
    throw incomparable(base, 'no case that was judged in both gets a decision');
  return { compared: Math.min(...judged.map(({ length }) => length)), changes: changes.flat() };
}

/**
 * How a run's configurations changed since a baseline, pair by pair on the cases in both; a trial without a decision counts as wrong. For an
 * assistant, its answers to the same requests are compared.
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
  if (compared.compared < LEAST_SAME * cases)
    throw incomparable(
      base,
      `only ${compared.compared} of ${counted(cases, 'case')} are the same and judged in both, and at least 90 % must be. Finish both runs, or judge the cases of ${side.run} again as ${base.run} was judged, under a new --name, and compare with that run`,
    );
  return { ...compared, cases };
}
