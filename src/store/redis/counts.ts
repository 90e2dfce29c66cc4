import * as z from 'zod';
import { CountKey, type CountRow } from '../../core/vote-counts.ts';
import { parseStoredJson } from '../parse-stored.ts';
import type { Store } from '../store.ts';
import type { Connection } from './connect.ts';
import type { Keys, ShardKeys } from './keys.ts';
import { readTally } from './votes.ts';

const Group = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  CountKey.shape.kind,
  z.string(),
  z.string(),
]);

/** The group of a key within its day, as text without line breaks. */
export const groupText = ({ channel, rubric, method, models, kind, subject, decision }: CountKey): string =>
  JSON.stringify([channel, rubric, method, models, kind, subject, decision] satisfies z.infer<typeof Group>);

function readGroup(day: string, text: string): CountKey {
  const [channel, rubric, method, models, kind, subject, decision] = parseStoredJson(Group, text, 'counts');
  return { day, channel, rubric, method, models, kind, subject, decision };
}

interface DayField {
  day: string;
  /** `group|tally` */
  field: string;
  items: number;
}

async function fieldsOf(
  connection: Connection,
  shard: ShardKeys,
  from: string,
  to: string,
): Promise<DayField[]> {
  const days = await connection.command(z.array(z.string()), 'ZRANGEBYLEX', shard.days, `[${from}`, `[${to}`);
  const ofDays = await Promise.all(
    days.map(async (day) => {
      const flat = await connection.command(z.array(z.string()), 'HGETALL', shard.counts(day));
      const fields: DayField[] = [];
      for (let n = 0; n + 1 < flat.length; n += 2)
        fields.push({ day, field: flat[n] ?? '', items: Number(flat[n + 1]) });
      return fields;
    }),
  );
  return ofDays.flat();
}

/** The same group is counted in every part that has verdicts of it: its items add up. */
function addUp(fields: readonly DayField[]): CountRow[] {
  const rows = new Map<string, CountRow>();
  for (const { day, field, items } of fields) {
    const name = `${day} ${field}`;
    const known = rows.get(name);
    if (known !== undefined) {
      known.items += items;
      continue;
    }
    const bar = field.lastIndexOf('|');
    const key = readGroup(day, field.slice(0, bar));
    rows.set(name, { key, tally: readTally(field.slice(bar + 1)), items });
  }
  return [...rows.values()];
}

export const redisCounts = (connection: Connection, keys: Keys): Pick<Store, 'counts'> => ({
  counts: async ({ from, to }) =>
    addUp((await Promise.all(keys.shards.map((shard) => fieldsOf(connection, shard, from, to)))).flat()),
});
