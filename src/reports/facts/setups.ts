import type { Configuration, RunManifest } from '../../benchmark/index.ts';
import { groupedBy } from '../../common/index.ts';

/** One way of judging with all its repeats. */
export interface Setup {
  id: string;
  method: string;
  models: readonly string[];
  temperature: number | null;
  /** For a plain vote: ID of the debate whose number of calls it matches; otherwise null. */
  equalCallsOf: string | null;
  /** IDs of the setups whose answers it uses. */
  pooledFrom: readonly string[];
  /** One per repeat. */
  configurations: readonly Configuration[];
}

/** A configuration's id, `mad openai/gpt-4o t0 #2` or `… #2 vote`, without the repeat. */
const withoutRepeat = (id: string, repeat: number): string => {
  const mark = ` #${repeat}`;
  const at = id.lastIndexOf(mark);
  return at < 0 ? id : id.slice(0, at) + id.slice(at + mark.length);
};

/** Groups a run's configurations that differ only in the repeat, in order. */
export function setupsOf({ configurations }: Pick<RunManifest, 'configurations'>): Setup[] {
  const groups = groupedBy(configurations, ({ id, repeat }) => withoutRepeat(id, repeat));
  return [...groups].flatMap(([id, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const { method, models, temperature, equalCallsOf, pooledFrom = [], repeat } = first;
    return [
      {
        ...{ id, method, models, temperature },
        equalCallsOf: equalCallsOf === null ? null : withoutRepeat(equalCallsOf, repeat),
        pooledFrom: pooledFrom.map((one) => withoutRepeat(one, repeat)),
        configurations: own,
      },
    ];
  });
}

/** The setup and the repeat of every configuration of a run, by its id. */
export const repeatsOf = (manifest: Pick<RunManifest, 'configurations'>) =>
  new Map(
    setupsOf(manifest).flatMap(({ id: setup, configurations }) =>
      configurations.map(({ id, repeat }) => [id, { setup, repeat }] as const),
    ),
  );
