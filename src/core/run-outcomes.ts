import { placesOf } from './run.ts';
import { hasFailed, type Trial } from './trial.ts';

/**
 * What became of each trial, by its key: whether the decision is the label's; null where the label says none, or judges did not
 * answer. What is not kept is not in it.
 */
export type RunOutcomes = ReadonlyMap<string, boolean | null>;

/** What became of one trial. What judges left undecided although they answered is wrong. */
export const rightOf = (
  trial: Pick<Trial, 'label' | 'decision' | 'judgements' | 'ratings'>,
): boolean | null => {
  const { label, decision } = trial;
  return label?.decision === undefined || hasFailed(trial) ? null : label.decision === decision;
};

/** Reads every trial: for runs of which nothing else tells. */
export async function gatherOutcomes(trials: AsyncIterable<Trial>): Promise<RunOutcomes> {
  const outcomes = new Map<string, boolean | null>();
  for await (const trial of trials) outcomes.set(trial.key, rightOf(trial));
  return outcomes;
}

/** The place of the case in its dataset: trials of one case share it. A key of another form is of a case of its own. */
const caseOf = (key: string): number | string => placesOf(key)?.index ?? key;

/** Right decisions, of all that count, and the cases that these are on. */
interface RightCounts {
  correct: number;
  n: number;
  cases: number;
}

export function countRight(outcomes: RunOutcomes): RightCounts {
  let [correct, n] = [0, 0];
  const cases = new Set<number | string>();
  for (const [key, right] of outcomes) {
    if (right === null) continue;
    n += 1;
    if (right) correct += 1;
    cases.add(caseOf(key));
  }
  return { correct, n, cases: cases.size };
}

/** Two runs beside each other, on the trials that count in both. */
interface OutcomeComparison {
  /** Trials that became right. */
  gained: number;
  /** Keys of the trials that were right and are wrong, case by case. */
  lost: string[];
  n: number;
  /** The cases that these trials are on. */
  cases: number;
}

/** @param before a run of the same cases in the same ways, so that a key means the same in both */
export function compareOutcomes(before: RunOutcomes, after: RunOutcomes): OutcomeComparison {
  let [gained, n] = [0, 0];
  const lost: string[] = [];
  const cases = new Set<number | string>();
  for (const [key, is] of after) {
    const was = before.get(key) ?? null;
    if (was === null || is === null) continue;
    n += 1;
    cases.add(caseOf(key));
    if (is && !was) gained += 1;
    if (was && !is) lost.push(key);
  }
  return { gained, lost: lost.sort(inOrder), n, cases: cases.size };
}

/** Trials end in any order: by case, then by configuration, they come the same each time. */
function inOrder(a: string, b: string): number {
  const [one, other] = [placesOf(a), placesOf(b)];
  if (one === null || other === null) return a < b ? -1 : 1;
  return one.index - other.index || one.configuration - other.configuration;
}
