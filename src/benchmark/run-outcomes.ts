import { hasFailed } from '../judging/verdict.ts';
import { placesOf, plannedTrials, type RunManifest, trialKey } from './run.ts';
import type { Trial } from './trial.ts';

/**
 * What became of one trial: `+` the decision is the label's, `-` it is not (what judges left undecided although they answered is
 * wrong), `?` nothing can be said, because there is no label or judges did not answer.
 */
export type OutcomeMark = '+' | '-' | '?';

/**
 * What became of each trial of a run, one character each at its `slotOf`, and `.` for a trial that is not kept. A text, because
 * that of a hundred thousand trials is read, checked and compared in the time that a map takes for a thousand.
 */
export interface RunOutcomes {
  /** How many slots a case has. */
  configurations: number;
  marks: string;
}

type Shape = Pick<RunManifest, 'configurations' | 'dataset'>;

/** The place of a trial among all of its run, case by case; null where the run has no such trial. */
export function slotOf({ configurations, dataset }: Shape, key: string): number | null {
  const places = placesOf(key);
  if (places === null) return null;
  const { configuration, index } = places;
  if (configuration >= configurations.length || index >= dataset.cases) return null;
  return index * configurations.length + configuration;
}

export function markOf(trial: Pick<Trial, 'label' | 'decision' | 'judgements' | 'ratings'>): OutcomeMark {
  const { label, decision } = trial;
  if (label?.decision === undefined || hasFailed(trial)) return '?';
  return label.decision === decision ? '+' : '-';
}

/** @param marks what became of trials, by their keys; keys that the run has not are passed over */
export function outcomesFrom(
  manifest: RunManifest,
  marks: Iterable<readonly [string, OutcomeMark]>,
): RunOutcomes {
  const all = new Array<string>(plannedTrials(manifest)).fill('.');
  for (const [key, mark] of marks) {
    const slot = slotOf(manifest, key);
    if (slot !== null) all[slot] = mark;
  }
  return { configurations: manifest.configurations.length, marks: all.join('') };
}

/** Reads every trial: for runs of which nothing else tells. */
export async function gatherOutcomes(
  manifest: RunManifest,
  trials: AsyncIterable<Trial>,
): Promise<RunOutcomes> {
  const marks = new Map<string, OutcomeMark>();
  for await (const trial of trials) marks.set(trial.key, markOf(trial));
  return outcomesFrom(manifest, marks);
}

/** How many trials are kept. */
export const keptOf = ({ marks }: RunOutcomes): number => marks.replaceAll('.', '').length;

const counts = (mark: string): boolean => mark === '+' || mark === '-';

/** Right decisions, of all that count, and the cases that these are on. */
interface RightCounts {
  correct: number;
  n: number;
  cases: number;
}

export function countRight({ configurations, marks }: RunOutcomes): RightCounts {
  let [correct, n, cases, lastCase] = [0, 0, 0, -1];
  for (let slot = 0; slot < marks.length; slot += 1) {
    const mark = marks.charAt(slot);
    if (!counts(mark)) continue;
    n += 1;
    if (mark === '+') correct += 1;
    const place = Math.floor(slot / configurations);
    if (place !== lastCase) cases += 1;
    lastCase = place;
  }
  return { correct, n, cases };
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

/** @param before a run of the same cases in the same ways, so that a slot means the same in both */
export function compareOutcomes(
  before: RunOutcomes,
  { configurations, marks }: RunOutcomes,
): OutcomeComparison {
  let [gained, n, cases, lastCase] = [0, 0, 0, -1];
  const lost: string[] = [];
  for (let slot = 0; slot < marks.length; slot += 1) {
    const [was, is] = [before.marks.charAt(slot), marks.charAt(slot)];
    if (!counts(was) || !counts(is)) continue;
    n += 1;
    const place = Math.floor(slot / configurations);
    if (place !== lastCase) cases += 1;
    lastCase = place;
    if (was === is) continue;
    if (is === '+') gained += 1;
    else lost.push(trialKey(slot % configurations, place));
  }
  return { gained, lost, n, cases };
}
