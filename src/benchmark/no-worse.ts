import { JuryError } from '../common/errors.ts';
import { strictChange } from './assistant/answer-changes.ts';
import { readAnswers } from './assistant/answers.ts';
import { type Side, sideOf, type Wishes } from './make-report.ts';
import { comparePairs, matchCases, matchSetups } from './reports/comparison.ts';
import type { Change } from './reports/gates.ts';
import type { PairReport } from './reports/measures.ts';
import { subjectOf } from './run.ts';
import type { TrialStore } from './trial-store.ts';

const incomparable = (base: Side, why: string): JuryError =>
  new JuryError('usage', `--no-worse-than ${base.run}: cannot be compared: ${why}.`);

/** F1 where labels say what is right, else the share that passes. */
function changeOf({ cases, scores, decisions, second }: PairReport): Change {
  const [metric, difference] =
    cases === 0
      ? (['pass-rate', decisions.passRate] as const)
      : scores.f1.difference.defined
        ? (['f1', scores.f1] as const)
        : (['accuracy', scores.accuracy] as const);
  return { setup: second, metric, difference };
}

/**
 * How the configurations of a run changed since a baseline, pair by pair on the cases of both, with a trial without a decision counted as
 * wrong. Of an assistant, its answers to the same requests.
 *
 * @throws JuryError `usage` if there is no such run, or nothing that can be compared
 */
export async function changesSince(
  store: TrialStore,
  base: Side,
  side: Side,
  wishes: Wishes = {},
): Promise<Change[]> {
  const [before, after] = [await sideOf(store, base, wishes), await sideOf(store, side, wishes)];
  if (base.setup === null && side.setup === null && subjectOf(after.manifest) === 'assistant') {
    const [then, now] = [
      await readAnswers(store, before.manifest),
      await readAnswers(store, after.manifest, wishes.clusterBy),
    ];
    const { kind, obstacles, changed, difference } = strictChange(then, now);
    if (changed > 0 && (obstacles.length > 0 || difference === null))
      throw incomparable(base, obstacles.join('; ') || 'no answer was decided');
    if (changed > 0 && difference !== null) {
      const { value, n, interval } = difference;
      const metric = kind === 'pass' ? 'pass-rate' : 'mean score';
      const measure = { defined: true as const, value, n };
      return [{ setup: now.setup.id, metric, difference: { difference: measure, interval } }];
    }
  }
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
  const compared = comparePairs(pairs, before.table, after.table, places, before.marks);
  const undecided = compared.find(({ pair }) => pair.cases + pair.decisions.cases === 0);
  if (undecided !== undefined) throw incomparable(base, 'no case that was judged in both gets a decision');
  return compared.map(({ pair }) => changeOf(pair));
}
