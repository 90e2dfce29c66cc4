import * as z from 'zod';
import type { CountStore } from '../../labels/vote-counts.ts';
import { CountKey, type CountRow } from '../../labels/vote-counts.ts';
import { parseStoredJson } from '../parse-stored.ts';
import { tallyReader } from '../tally-text.ts';
import type { Connection } from './connect.ts';
import type { Keys } from './keys.ts';

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

/** A day's counts: a flat list of `group|tally` and items. */
const Flat = z.array(z.string()).refine((flat) => flat.every((text, n) => n % 2 === 0 || /^\d+$/.test(text)));

async function countsOfDay(connection: Connection, keys: Keys, day: string): Promise<CountRow[]> {
  const flat = await connection.command(Flat, 'HGETALL', keys.counts(day));
  const groups = new Map<string, CountKey>();
  const tallyOf = tallyReader();
  const rows: CountRow[] = [];
  for (let n = 0; n + 1 < flat.length; n += 2) {
    const field = flat[n] ?? '';
    const bar = field.lastIndexOf('|');
    const group = field.slice(0, bar);
    const key = groups.get(group) ?? readGroup(day, group);
    groups.set(group, key);
    rows.push({ key, tally: tallyOf(field.slice(bar + 1)), items: Number(flat[n + 1]) });
  }
  return rows;
}

export const redisCounts = (connection: Connection, keys: Keys): CountStore => ({
  counts: async ({ from, to }) => {
    const days = await connection.command(
      z.array(z.string()),
      'ZRANGEBYLEX',
      keys.days,
      `[${from}`,
      `[${to}`,
    );
    return (await Promise.all(days.map((day) => countsOfDay(connection, keys, day)))).flat();
  },
});
