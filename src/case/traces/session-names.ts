import { memoized } from '../../common/index.ts';
import type { TraceRecord } from './find-records.ts';

const regExp = memoized((source: string) => new RegExp(source, 'u'));

/** The short form of the id of a session, if its format has one: `s` for `projects/p/sessions/s`. */
function shortOf(session: string, { reader }: TraceRecord): string | undefined {
  return reader.shortSession === undefined ? undefined : regExp(reader.shortSession).exec(session)?.[1];
}

/** Gives records that only have a short id the long one, where there is exactly one that it can stand for. */
export function joinShortSessions(records: readonly TraceRecord[]): void {
  const longOnes = new Map<string, Set<string>>();
  for (const record of records) {
    const short = record.session === undefined ? undefined : shortOf(record.session, record);
    if (record.session === undefined || short === undefined) continue;
    longOnes.set(short, (longOnes.get(short) ?? new Set<string>()).add(record.session));
  }
  for (const record of records) {
    if (record.session === undefined || record.reader.shortSession === undefined) continue;
    const [only, ...more] = longOnes.get(record.session) ?? [];
    if (only !== undefined && more.length === 0) record.session = only;
  }
}

/** The short form of the name of a conversation; null if its format has none. */
export function shortNameOf(name: string | null, records: readonly TraceRecord[]): string | null {
  if (name === null) return null;
  const [short] = records.flatMap((record) => shortOf(name, record) ?? []);
  return short ?? null;
}

/** Longest id of a case, in characters. */
const MAX_ID = 200;

/** What a case can be named after. */
interface Named {
  name: string | null;
  shortName: string | null;
}

/** The ids of the cases of conversations: their names, in the short form where no other one is called the same. */
export function idsOf<T extends Named>(conversations: readonly T[]): Map<T, string> {
  const users = new Map<string, number>();
  for (const { name, shortName } of conversations)
    for (const id of new Set([name, shortName])) if (id !== null) users.set(id, (users.get(id) ?? 0) + 1);
  return new Map(
    conversations.flatMap((one): [T, string][] => {
      const { name, shortName } = one;
      if (name === null) return [];
      const isOwn = shortName !== null && users.get(shortName) === 1;
      return [[one, (isOwn ? shortName : name).slice(0, MAX_ID)]];
    }),
  );
}
