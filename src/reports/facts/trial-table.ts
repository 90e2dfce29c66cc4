import { placesOf, type RunManifest, type Trial } from '../../benchmark/index.ts';
import { createFactList } from './fact-list.ts';
import { createMistakeList, type Mistakes } from './mistakes.ts';
import { repeatsOf, type Setup, setupsOf } from './setups.ts';
import { factsOf, type Reading, type TrialFacts } from './trial-facts.ts';

/** A run's trials without their texts. */
export interface TrialTable<T extends Trial = Trial> {
  setups: readonly Setup[];
  /** The facts of a setup's trials in the order in which they were read, created anew at every call. */
  factsOf: (setup: string) => TrialFacts[];
  mistakes: Mistakes;
  /** The trials of the mistakes to show, as they were read. */
  mistaken: readonly T[];
  trials: number;
  /** How many trials were taken over, by the run that judged them. */
  takenOver: ReadonlyMap<string, number>;
  /** If no trial has an answer, why the first one has none; otherwise null. */
  silence: string | null;
}

/** Called with each trial; null if there is nothing to wait for. */
export type EachTrial<T extends Trial> = (trial: T, setup: string, facts: TrialFacts) => Promise<void> | null;

/**
 * Reads trials once, in any order. Keeps about 150 bytes of each, no text.
 *
 * @param each called with every trial, such as to write it to a file
 * @param only places of the cases that count; null: all
 */
export async function tabulate<T extends Trial>(
  manifest: RunManifest,
  trials: AsyncIterable<T>,
  each: EachTrial<T> = () => null,
  only: ReadonlySet<number> | null = null,
  reading?: Partial<Reading>,
): Promise<TrialTable<T>> {
  const setups = setupsOf(manifest);
  const places = repeatsOf(manifest);
  const facts = new Map(setups.map(({ id }) => [id, createFactList()]));
  const mistakes = createMistakeList<T>(setups.map(({ id }) => id));
  const takenOver = new Map<string, number>();
  let count = 0;
  let answered = 0;
  let silence = '';
  for await (const trial of trials) {
    const configuration = places.get(trial.configuration);
    if (configuration === undefined || only?.has(placesOf(trial.key)?.index ?? 0) === false) continue;
    const fact = factsOf(trial, configuration.repeat, reading);
    facts.get(configuration.setup)?.add(fact);
    mistakes.add(configuration.setup, trial, fact);
    count += 1;
    const { run } = trial.takenFrom ?? {};
    if (run !== undefined) takenOver.set(run, (takenOver.get(run) ?? 0) + 1);
    if (fact.outcome !== 'unanswered') answered += 1;
    else silence ||= trial.why;
    // Usually null, and awaiting null would take longer than counting.
    const waiting = each(trial, configuration.setup, fact);
    if (waiting !== null) await waiting;
  }
  return {
    setups,
    factsOf: (setup) => facts.get(setup)?.read() ?? [],
    ...mistakes.result(),
    trials: count,
    takenOver,
    silence: answered === 0 && count > 0 ? silence : null,
  };
}
