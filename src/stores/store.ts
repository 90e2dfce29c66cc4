import * as z from 'zod';
import { groupedBy, JuryError, type KeyValue, memoized } from '../common/index.ts';
import { readJson } from '../common/text/index.ts';
import type { ScheduleStore } from '../digests/index.ts';
import type { Decision } from '../judging/verdict/index.ts';
import type { AuditStore, ChannelSettingsStore } from '../labels/access/index.ts';
import {
  asCounted,
  type Ballot,
  CaseVote,
  CountKey,
  type CountRow,
  type CountStore,
  isSilent,
  noVotes,
  PanelVote,
  VerdictRecord,
  type VerdictSearchStore,
  type VerdictStore,
  type Vote,
  type VoteTally,
  VoteValue,
} from '../labels/record/index.ts';
import type { AdjudicationStore, VoteStore } from '../labels/voting/index.ts';
import type { RequestStore } from '../requests/index.ts';
import type { StudyStore } from '../studies/index.ts';
import failureTables from './failures.json' with { type: 'json' };

/**
 * Everything that must outlive the process, except benchmark runs. Combines the store interfaces of the other modules;
 * one test suite covers both adapters (`test/contracts/store.ts`). Every method is atomic (erasing and pruning per
 * verdict: if interrupted, the next call continues), safe against other processes, and rejects with a `JuryError`
 * `store-unavailable` if the store is unreachable for two seconds. A rejected call may still have taken effect and can
 * be repeated.
 *
 * Times are ms since the epoch and are passed in: a store has no clock of its own.
 */
export interface Store
  extends VerdictStore,
    VerdictSearchStore,
    VoteStore,
    CountStore,
    AdjudicationStore,
    AuditStore,
    ChannelSettingsStore,
    RequestStore,
    ScheduleStore,
    StudyStore,
    KeyValue {
  /** Name in logs and readiness checks: `sqlite` or `redis`. */
  readonly kind: string;
  /**
   * Erases a person: their votes with their counts and comments, votes they took back, and their annotations and places
   * in studies. Votes on pruned verdicts are already gone; their share of the counts is anonymous and stays. Resolves
   * to the number of deleted votes and annotations.
   */
  forgetVoter(voter: string): Promise<{ votes: number; annotations: number }>;
  /** Checks that the store can be read. */
  ping(): Promise<void>;
  /**
   * Checks that the store can be written, with as much data as a request takes: unlike `ping`, it rejects on a full
   * disk or a read-only store.
   */
  proveWrite(now: number): Promise<void>;
  /** Its address (without a password), and warnings about settings that endanger data, each with advice. */
  inspect(): Promise<{ where: string; warnings: string[] }>;
  close(): Promise<void>;
}

/** Value written by `proveWrite`: about as long as a request. */
export const PROOF = 'x'.repeat(16_384);

/**
 * Parses a stored value.
 *
 * @param what names the value in the error, such as `a vote`
 * @throws JuryError `internal` if it does not match the schema: it is damaged, or another version wrote it
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

/**
 * Like `parseStored`, for JSON text.
 *
 * @throws JuryError `internal` if it is not JSON or does not match the schema
 */
export function parseStoredJson<T extends z.ZodType>(schema: T, text: string, what: string): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new JuryError('internal', `The store contains damaged data: ${what} is not JSON.`, { cause });
  }
  return parseStored(schema, value, what);
}

/** Schema of a column or reply with JSON text. */
export const storedJson = <T extends z.ZodType>(schema: T, what: string) =>
  z.string().transform((text): z.output<T> => parseStoredJson(schema, text, what));

/** Total length of the verdict texts kept parsed: about a thousand verdicts, as many as the usual lists show. */
const PARSED_CHARS = 8_000_000;

/**
 * Returns a function that parses verdicts, caching the most recent ones: lists read the same verdicts again and again
 * and would otherwise spend most of their time parsing. Results are shared, so they must not be modified.
 */
export function verdictReader(): (text: string) => VerdictRecord {
  const parsed = new Map<string, VerdictRecord>();
  let chars = 0;
  return (text) => {
    const cached = parsed.get(text);
    const record = cached ?? parseStoredJson(VerdictRecord, text, 'a verdict');
    if (cached === undefined) chars += text.length;
    parsed.delete(text);
    parsed.set(text, record);
    for (const oldest of parsed.keys()) {
      if (chars <= PARSED_CHARS) break;
      parsed.delete(oldest);
      chars -= oldest.length;
    }
    return record;
  };
}

/** Parses what it can and counts the rest, which may have been written by another version. */
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

const FailureTable = z.record(z.string(), z.object({ advice: z.string(), retryable: z.boolean() }));

/** Error codes that mean a store is unavailable, with advice; any other code is a bug in Jury. */
export const failures = z.object({ redis: FailureTable, sqlite: FailureTable }).parse(failureTables);

const keys = { verdictId: true, voter: true, at: true } as const;

/** A ballot as both adapters store it, without its keys and time. `value` null: taken back (a tombstone). */
export const StoredBallot = z.union([
  PanelVote.omit(keys).extend({ value: VoteValue.nullable() }),
  CaseVote.omit(keys),
]);

/** Serializes a ballot; equal ballots give equal text. Taking a vote back drops its correction. */
export function writeBallot(ballot: Ballot): string {
  const { correction, blind, surface, offered } = ballot;
  const answer = 'right' in ballot ? { right: ballot.right } : { value: ballot.value };
  const isTakenBack = answer.value === null;
  return JSON.stringify(
    StoredBallot.parse(
      isTakenBack ? { ...answer, surface } : { ...answer, correction, blind, surface, offered },
    ),
  );
}

/**
 * A stored ballot as a vote; null if it was taken back or counts nowhere.
 *
 * @param decided the verdict's decision
 */
export const standingVote = (
  keys: { verdictId: string; voter: string; at: number },
  ballot: z.infer<typeof StoredBallot>,
  decided: Decision,
): Vote | null => asCounted({ ...keys, ...ballot }, decided);

/** Parses `1,0,2`: agree, disagree, unsure. */
export function readTally(text: string): VoteTally {
  const [agree = 0, disagree = 0, unsure = 0] = text.split(',').map(Number);
  return { agree, disagree, unsure };
}

const Text = z.string();
const Group = z.tuple([Text, Text, Text, Text, CountKey.shape.kind, Text, Text]);

/**
 * Identifies a key's group within its day, without line breaks:
 * `["C1","navigation","mab","test/model","verdict","","fail"]`.
 */
export const groupText = ({ channel, rubric, method, models, kind, subject, decision }: CountKey): string =>
  JSON.stringify([channel, rubric, method, models, kind, subject, decision] satisfies z.infer<typeof Group>);

/**
 * A group's counts on all days, joined inside the store: `day agree,disagree,unsure items`, separated by semicolons.
 * Returning a row for each would cost more than the data in it.
 */
export const GroupCounts = z.object({
  name: z.string(),
  counts: z.string().regex(/^\d{4}-\d\d-\d\d \d+,\d+,\d+ \d+(;\d{4}-\d\d-\d\d \d+,\d+,\d+ \d+)*$/),
});

/** Merges the rows of a group that no vote can be about; version 0.1 counted votes there. */
const unvoted = (rows: readonly CountRow[]): CountRow[] =>
  [...groupedBy(rows, ({ key }) => key)].map(([key, same]) => ({
    key,
    tally: noVotes,
    items: same.reduce((sum, { items }) => sum + items, 0),
  }));

export function countRowsOf(groups: readonly z.infer<typeof GroupCounts>[]): CountRow[] {
  const tallyOf = memoized(readTally);
  return groups.flatMap(({ name, counts }) => {
    const [channel, rubric, method, models, kind, subject, decision] = parseStoredJson(Group, name, 'counts');
    const group = { channel, rubric, method, models, kind, subject, decision };
    const keyOn = memoized((day: string) => ({ day, ...group }));
    const rows = counts.split(';').map((count): CountRow => {
      const [day = '', tally = '', items] = count.split(' ');
      return { key: keyOn(day), tally: tallyOf(tally), items: Number(items) };
    });
    return isSilent(group) ? unvoted(rows) : rows;
  });
}
