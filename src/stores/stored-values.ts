import * as z from 'zod';
import { memoized } from '../common/collections.ts';
import { JuryError } from '../common/errors.ts';
import { readJson } from '../common/text.ts';
import { CountKey } from '../labels/verdict-record.ts';
import { type Ballot, Vote, type VoteTally, VoteValue } from '../labels/vote.ts';

/** What proves that the store can be written: about as long as a request. */
export const PROOF = 'x'.repeat(16_384);

/**
 * Parses a stored value.
 *
 * @throws JuryError `internal` if this version would not write it: it is damaged, or another version wrote it
 */
export function parseStored<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new JuryError(
    'internal',
    `The store holds ${what} that this version cannot read. Was it changed by hand, or written by another version? ${parsed.error.issues[0]?.message ?? ''} (at ${parsed.error.issues[0]?.path.join('.') ?? ''})`,
    { cause: parsed.error },
  );
}

/** The same for JSON text. */
export function parseStoredJson<T extends z.ZodType>(schema: T, text: string, what: string): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new JuryError('internal', `The store contains damaged data: ${what} is not JSON.`, { cause });
  }
  return parseStored(schema, value, what);
}

/** A column or reply of JSON text. */
export const storedJson = <T extends z.ZodType>(schema: T, what: string) =>
  z.string().transform((text): z.output<T> => parseStoredJson(schema, text, what));

/** Parses what it can and counts the rest, which may come from another version. */
export function parseReadable<T extends z.ZodType>(
  schema: T,
  texts: readonly string[],
): { readable: z.output<T>[]; unreadable: number } {
  const readable = texts.flatMap((text) => {
    const read = readJson(schema, text);
    return read === null ? [] : [read.value];
  });
  return { readable, unreadable: texts.length - readable.length };
}

const Failures = z.record(z.string(), z.object({ advice: z.string(), retryable: z.boolean() }));

/** The error codes by which a store is unavailable, with what to do; all others are defects of ours. */
export const failureTable = (table: unknown) => Failures.parse(table);

/** A ballot as both adapters store it, without keys and time. `value` null: taken back (a tombstone). */
export const StoredBallot = Vote.omit({ verdictId: true, voter: true, at: true }).extend({
  value: VoteValue.nullable(),
});

/** Equal ballots give equal text. A correction is dropped with its vote. */
export const writeBallot = ({ value, correction, blind, surface }: Ballot): string =>
  JSON.stringify(
    StoredBallot.parse(value === null ? { value, surface } : { value, correction, blind, surface }),
  );

/** Null if the ballot was taken back. */
export const standingVote = (
  keys: { verdictId: string; voter: string; at: number },
  { value, ...ballot }: z.infer<typeof StoredBallot>,
): Vote | null => (value === null ? null : { ...keys, value, ...ballot });

/** `1,0,2`: agree, disagree, unsure. */
export function readTally(text: string): VoteTally {
  const [agree = 0, disagree = 0, unsure = 0] = text.split(',').map(Number);
  return { agree, disagree, unsure };
}

/** The same for many mostly equal texts, as in counts: each distinct one is parsed once. */
export const tallyReader = (): ((text: string) => VoteTally) => memoized(readTally);

const Text = z.string();
const Group = z.tuple([Text, Text, Text, Text, CountKey.shape.kind, Text, Text]);

/** The group of a key within its day, without line breaks: `["C1","navigation","mab","test/model","verdict","","fail"]`. */
export const groupText = ({ channel, rubric, method, models, kind, subject, decision }: CountKey): string =>
  JSON.stringify([channel, rubric, method, models, kind, subject, decision] satisfies z.infer<typeof Group>);

/** Reads groups for many days, which mostly have the same ones: each distinct one is parsed once. */
export const groupReader = (): ((text: string) => Omit<CountKey, 'day'>) =>
  memoized((text: string) => {
    const [channel, rubric, method, models, kind, subject, decision] = parseStoredJson(Group, text, 'counts');
    return { channel, rubric, method, models, kind, subject, decision };
  });
