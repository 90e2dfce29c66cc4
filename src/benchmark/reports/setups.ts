import type { Configuration, RunManifest } from '../run.ts';

/** One way of judging with all its repeats. */
export interface Setup {
  id: string;
  method: string;
  models: readonly string[];
  temperature: number | null;
  /** Id of the setup whose number of calls it is given. */
  equalCallsOf: string | null;
  /** Ids of its configurations, one a repeat. */
  configurations: string[];
}

/** An id as configurations have it, `mad openai/gpt-4o t0 #2` or `… #2 vote`, without the repeat. */
const withoutRepeat = (id: string, repeat: number): string => {
  const mark = ` #${repeat}`;
  const at = id.lastIndexOf(mark);
  return at < 0 ? id : id.slice(0, at) + id.slice(at + mark.length);
};

/** The configurations of a run, those together that differ only in the repeat; in the order of the run. */
export function setupsOf({ configurations }: Pick<RunManifest, 'configurations'>): Setup[] {
  const setups = new Map<string, Setup>();
  for (const { id, repeat, method, models, temperature, equalCallsOf } of configurations) {
    const own = withoutRepeat(id, repeat);
    const setup = setups.get(own);
    if (setup === undefined)
      setups.set(own, {
        id: own,
        method,
        models,
        temperature,
        equalCallsOf: equalCallsOf === null ? null : withoutRepeat(equalCallsOf, repeat),
        configurations: [id],
      });
    else setup.configurations.push(id);
  }
  return [...setups.values()];
}

/** Which setup and repeat a configuration is. */
export const placesOfConfigurations = (
  setups: readonly Setup[],
  configurations: readonly Configuration[],
): Map<string, { setup: string; repeat: number }> => {
  const repeats = new Map(configurations.map(({ id, repeat }) => [id, repeat]));
  return new Map(
    setups.flatMap(({ id: setup, configurations: own }) =>
      own.map((id) => [id, { setup, repeat: repeats.get(id) ?? 1 }] as const),
    ),
  );
};
