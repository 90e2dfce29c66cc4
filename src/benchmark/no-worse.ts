import { JuryError } from '../common/errors.ts';
import { counted } from '../common/text.ts';
import { measured, sum, unmeasured } from '../statistics/measure.ts';
import { strictChange } from './assistant/answer-changes.ts';
import { readAnswers } from './assistant/answers.ts';
import { type Side, sideOf } from './compare-runs.ts';
import type { Wishes } from './make-report.ts';
import { byCase } from './reports/case-bins.ts';
import { comparePairs, matchCases, matchSetups } from './reports/comparison.ts';
import { type Change, SCORED } from './reports/gates.ts';
import type { PairReport } from './reports/measures.ts';
import type { TrialFacts } from './reports/trial-facts.ts';
import { subjectOf } from './run.ts';
import type { TrialStore } from './trial-store.ts';

/** The least share of a run's cases that must be the same, and judged, in the baseline. */
const LEAST_SAME = 0.9;

/** How a run changed since its baseline, and on how many of its cases. */
export interface Changes {
  compared: number;
  cases: number;
  changes: Change[];
}

/** The trials of a case in both runs. */
interface Pair {
  before: readonly TrialFacts[];
  after: readonly TrialFacts[];
}

type Run = Awaited<ReturnType<typeof sideOf>>;

const incomparable = (base: Side, why: string): JuryError =>
  new JuryError('usage', `--no-worse-than ${base.run}: cannot be compared: ${why}.`);

const isScored = ({ score }: TrialFacts): boolean => score !== null;
const isDecided = ({ outcome }: TrialFacts): boolean => outcome === 'pass' || outcome === 'fail';

/** How the share of trials with a score changed, on cases that have one at least once: a mean score is of those alone. */
function scoredChange(setup: string, pairs: readonly Pair[]): Change {
  const share = (facts: readonly TrialFacts[]) => facts.filter(isScored).length / facts.length;
  const drifts = pairs.map(({ before, after }) => share(after) - share(before));
  const n = drifts.length;
  return {
    setup,
    metric: SCORED,
    difference: { difference: measured(sum(drifts) / n, n), interval: unmeasured('none is computed', n) },
  };
}

const unscored = { difference: unmeasured('no case is scored in both', 0), interval: unmeasured('', 0) };

/** F1 where labels say what is right, else the share that passes; of scores their mean, and how many there are. */
function changesOf(
  { cases, scores, decisions, points, second }: PairReport,
  pairs: readonly Pair[],
): Change[] {
  const change = (metric: string, difference: Change['difference']) => ({
    setup: second,
    metric,
    difference,
  });
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

/** Of an assistant, the change of its answers; null if these are the same, so that a change is one of its judges. */
async function assistantChanges(
  store: TrialStore,
  base: Side,
  before: Run,
  after: Run,
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
  const setup = now.setup.id;
  const change = (metric: string, found: typeof passRate): Change => ({
    setup,
    metric,
    difference:
      found === null ? unscored : { difference: measured(found.value, found.n), interval: found.interval },
  });
  const same = {
    value: 0,
    n: compared,
    interval: unmeasured('no answer changed', compared),
    trend: 'steady',
  } as const;
  const changes =
    changed === 0
      ? [change(scored === null ? 'pass-rate' : 'mean score', same)]
      : [
          ...(passRate === null ? [] : [change('pass-rate', passRate)]),
          ...(scored === null ? [] : [change('mean score', scored.mean), scoredChange(setup, scored.pairs)]),
        ];
  return { compared, cases: after.marks.length, changes };
}

/** The change of each configuration on the cases that are the same, and judged, in both. */
function judgeChanges(base: Side, before: Run, after: Run): Changes {
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
    const known = byCase(before.table.factsOf(one.id));
    return [...byCase(after.table.factsOf(other.id))].flatMap(([place, facts]): Pair[] => {
      const own = known.get(places.get(place) ?? -1);
      return own === undefined ? [] : [{ before: own, after: facts }];
    });
  });
  const changes = comparePairs(pairs, before.table, after.table, places, before.marks).map(({ pair }, at) =>
    changesOf(pair, judged[at] ?? []),
  );
  if (changes.some(({ length }) => length === 0))
    throw incomparable(base, 'no case that was judged in both gets a decision');
  return {
    compared: Math.min(...judged.map(({ length }) => length)),
    cases: after.marks.length,
    changes: changes.flat(),
  };
}

/**
 * How the configurations of a run changed since a baseline, pair by pair on the cases of both, with a trial without a decision counted as
 * wrong. Of an assistant, its answers to the same requests.
 *
 * @throws JuryError `usage` if there is no such run, or too little that can be compared
 */
export async function changesSince(
  store: TrialStore,
  base: Side,
  side: Side,
  wishes: Wishes = {},
): Promise<Changes> {
  const [before, after] = [await sideOf(store, base, wishes), await sideOf(store, side, wishes)];
  const isAssistant = base.setup === null && side.setup === null && subjectOf(after.manifest) === 'assistant';
  const ofAssistant = isAssistant
    ? await assistantChanges(store, base, before, after, wishes.clusterBy)
    : null;
  const found = ofAssistant ?? judgeChanges(base, before, after);
  if (found.compared < LEAST_SAME * found.cases)
    throw incomparable(
      base,
      `only ${found.compared} of ${counted(found.cases, 'case')} are the same and judged in both, and at least 90 % must be. Finish both runs, or judge the cases of ${side.run} again as ${base.run} was judged, under a new --name, and compare with that run`,
    );
  return found;
}
