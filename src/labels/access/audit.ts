import * as z from 'zod';
import { minuteText } from '../../common/text/index.ts';
import { Person, personText } from './permissions.ts';

/** A change to something that belongs to a whole conversation, with its state before and after. */
export const Change = z.strictObject({
  id: z.string(),
  /** ms since the epoch */
  at: z.number(),
  /**
   * All known identities of the person, and their verified e-mail address. Not a pseudonym: the audit log must name
   * them.
   */
  by: z.strictObject({ people: z.array(Person).min(1), email: z.string().nullable() }),
  what: z.enum(['settings', 'known answers', 'digest', 'alert', 'ruling', 'study', 'set']),
  surface: z.string(),
  channel: z.string(),
  /** Id of the verdict, digest or alert; null for what exists only once, such as settings. */
  about: z.string().nullable(),
  /** Null: it did not exist. */
  before: z.record(z.string(), z.unknown()).nullable(),
  /** Null: it no longer exists. */
  after: z.record(z.string(), z.unknown()).nullable(),
});
export type Change = z.infer<typeof Change>;

export interface AuditStore {
  /** Appends a change permanently; adding it again changes nothing. */
  addChange(change: Change): Promise<void>;
  /** Changes from a time on (ms since the epoch), oldest first. `VerdictStore.prune` deletes old ones. */
  changes(since: number): Promise<Change[]>;
}

/** The ids and e-mail address of the person who made a change. */
export const namesOf = ({ by: { people, email } }: Change): string[] => [
  ...people.map(personText),
  ...(email === null ? [] : [email]),
];

/** Fields that repeat what the line already says, or that only the program needs. */
const UNSAID = new Set(['id', 'verdictId', 'target', 'since', 'at']);

/** Values by path, such as `wish.method`. Arrays are joined into one text; empty values are left out. */
function leavesOf(value: unknown, path: readonly string[] = []): [path: string, text: string][] {
  if (value === null || value === undefined || value === '' || UNSAID.has(path[0] ?? '')) return [];
  if (typeof value === 'object' && !Array.isArray(value))
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  if (text === '') return [];
  return [[path.join('.'), text]];
}

/** What differs: `wish.method: none → io, blind: none → true`. */
function differences(before: Change['before'], after: Change['after']): string {
  const [old, now] = [new Map(leavesOf(before ?? {})), new Map(leavesOf(after ?? {}))];
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter(
    (path) => old.get(path) !== now.get(path),
  );
  return paths.map((path) => `${path}: ${old.get(path) ?? 'none'} → ${now.get(path) ?? 'none'}`).join(', ');
}

/** `2026-11-22 20:31 UTC U0ANN changed settings in SURFACE CHANNEL: wish.method: none → io`. */
export function changeLine(change: Change): string {
  const { at, what, surface, channel, about, before, after } = change;
  const did = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const which = about === null ? what : `${what} ${about}`;
  return `${minuteText(at)} ${namesOf(change).join(' = ')} ${did} ${which} ${surface === channel ? `in the ${surface}` : `in ${surface} ${channel}`}: ${differences(before, after)}`;
}
