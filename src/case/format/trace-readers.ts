import * as z from 'zod';
import { Id, line } from '../../common/index.ts';
import { isPattern } from './words.ts';

/**
 * Where a value is, from a record on: keys joined by dots, `*` for every item, a number for one item (`-1` is the last).
 * A key may hold dots itself. With `^` in front, the enclosing objects are searched, from the nearest outward.
 */
const Path = z.string().regex(/^\^?[^\s^][^^]{0,199}$/, 'must be a path such as info.trace_id or ^session');
/** Places that are tried in order; the first that has a value counts. */
const Paths = z.array(Path).default([]);

/** What an object must be like to be read. All that is given must hold. */
const Condition = z.strictObject({
  /** These have a value. */
  has: Paths,
  /** At least one of these has a value. */
  some: Paths,
  /** None of these has a value. */
  lacks: Paths,
  /** The value at each path is one of these texts; case is ignored. */
  is: z.record(Path, z.array(z.string()).min(1)).default({}),
  /** The text at each path fits this regular expression. */
  like: z.record(Path, z.string().refine(isPattern, 'is not a regular expression')).default({}),
});
export type Condition = z.infer<typeof Condition>;

const keys = z.array(line).default([]);

const roles = ['user', 'system', 'instructions', 'tool'] as const;
export type SaidBy = (typeof roles)[number];

/** How one kind of record is read. */
const RecordReader = z.strictObject({
  /** The record is one if one of these fits. */
  when: z.union([Condition.transform((one) => [one]), z.array(Condition).min(1)]),
  /**
   * What it is: `exchange` has what went in and what came out; `message` is one turn; `part` is one message of the exchange
   * with its id; `tool` is a call of a tool; `break` begins a new conversation; `undo` takes back the message with its id, or
   * all from the last record on that fits `since`; `aside` is left out, for the reason in `why`.
   */
  as: z.enum(['exchange', 'message', 'part', 'tool', 'break', 'undo', 'aside']),
  since: Condition.optional(),
  /** Why it is left out. */
  why: line.optional(),
  /** Whether all records below it are left out too, such as what a model is asked to judge an answer. */
  covers: z.boolean().default(false),
  /** Keys whose texts are JSON, such as those of metadata in a table. */
  json: keys,
  /** Where further records are in it. */
  inside: Paths,
  id: Paths,
  parent: Paths,
  /** What records of one request to the system share. */
  trace: Paths,
  /** What records of one conversation share. */
  session: Paths,
  /**
   * The part in brackets of an id of a session stands for all of it, in other records and as the id of a case: `s` for
   * `projects/p/sessions/s`.
   */
  shortSession: z.string().refine(isPattern, 'is not a regular expression').optional(),
  /** Whether a record without a session belongs to the one before it. */
  follows: z.boolean().default(false),
  /** Moments: ISO 8601, or seconds to nanoseconds since 1970. */
  time: Paths,
  end: Paths,
  /** Moments in the user's own time zone, with its offset. */
  local: Paths,
  latency: z.array(z.strictObject({ at: Path, unit: z.enum(['s', 'ms', 'us', 'ns']) })).default([]),
  model: Paths,
  build: Paths,
  language: Paths,
  /** Who speaks in a message: a role, or where it says so. */
  role: z
    .union([
      z.enum(roles),
      z.strictObject({ at: Paths, words: z.partialRecord(z.enum(roles), z.array(z.string())).default({}) }),
    ])
    .optional(),
  /** Who wrote a message. Several people in the user's place are no conversation with an assistant. */
  speaker: Paths,
  /** What a message says. If several values are found, they are joined. */
  text: Paths,
  markup: z.enum(['plain', 'html', 'angled', 'ssml']).default('plain'),
  /** For what was asked where the words are not kept: the name of the intent, and its slots. */
  intent: z.strictObject({ name: Paths, slots: Paths }).optional(),
  /** What went into an exchange: text, or messages in any form that `messages` files describe, also as JSON in a text. */
  input: Paths,
  output: Paths,
  /** Whether several messages of the output are alternatives. */
  alternatives: z.boolean().default(false),
  /** Which side of an exchange a part belongs to. */
  side: z.enum(['input', 'output']).default('input'),
  /** Calls of tools in the output, beside its messages. */
  calls: Paths,
  tool: z.strictObject({ name: Paths, arguments: Paths, result: Paths, id: Paths }).optional(),
});
export type RecordReader = z.infer<typeof RecordReader>;

/** What the records of a file have in common: where a record itself says nothing, this counts. */
const Common = RecordReader.pick({
  inside: true,
  json: true,
  id: true,
  parent: true,
  trace: true,
  session: true,
  time: true,
  end: true,
  local: true,
  latency: true,
  model: true,
  build: true,
  language: true,
  speaker: true,
  text: true,
  input: true,
  output: true,
});
const COMMON = Common.keyof().options;

/** The words of messages, payloads and calls of tools, wherever they are. The lists of all files add up. */
const MessageWords = z.strictObject({
  /** Objects around a message, or around a payload. */
  around: keys,
  /** Keys that hold the role, and the words for each. */
  role: keys,
  roles: z.partialRecord(z.enum(roles), z.array(line)).default({}),
  /** Keys that hold the text or its parts, in messages and parts. */
  text: keys,
  /** Types of parts: a call of a tool, what it gave back, what is not said, such as reasoning, and pictures and the like. */
  kind: keys,
  call: keys,
  result: keys,
  silent: keys,
  media: keys,
  /** What stands in brackets or the like for a text that was not kept: `__REDACTED__`. */
  redacted: keys,
  /** Keys of calls, and of what they gave back. */
  calls: keys,
  callName: keys,
  callArguments: keys,
  callId: keys,
  resultValue: keys,
  /** Keys of payloads: lists of messages, earlier messages, answers to choose from, what was asked, what was answered. */
  messages: keys,
  history: keys,
  alternatives: keys,
  asked: keys,
  answered: keys,
});
export type MessageWords = z.infer<typeof MessageWords>;

/** A file of `prompts/traces/`. */
export const TraceFile = z.strictObject({
  id: Id,
  title: line,
  source: line,
  /** The file whose records this one reads more closely. */
  of: Id.optional(),
  /** Keys whose texts are JSON that may hold records. */
  open: keys,
  common: Common.optional(),
  records: z.array(RecordReader).default([]),
  messages: MessageWords.partial().optional(),
});
export type TraceFile = z.infer<typeof TraceFile>;

/** The readers of all files, and the words of messages. */
export interface TraceReaders {
  files: readonly Pick<TraceFile, 'id' | 'title' | 'of' | 'open' | 'records'>[];
  words: MessageWords;
}

const LISTS = MessageWords.omit({ roles: true }).keyof().options;

/** A record with what all records of its file have in common. */
const completed = (record: RecordReader, common: TraceFile['common']): RecordReader => ({
  ...record,
  ...(common === undefined
    ? {}
    : Object.fromEntries(COMMON.flatMap((key) => (record[key].length === 0 ? [[key, common[key]]] : [])))),
});

/** Joins the files; duplicates within a list of words are dropped. */
export function joinReaders(files: readonly TraceFile[]): TraceReaders {
  const joined = (lists: readonly (readonly string[] | undefined)[]) => [
    ...new Set(lists.flatMap((list) => list ?? [])),
  ];
  const words = files.map(({ messages }) => messages ?? {});
  return {
    files: files.flatMap(({ id, title, of, open, common, records }) =>
      records.length === 0
        ? []
        : [
            {
              id,
              title,
              open,
              ...(of === undefined ? {} : { of }),
              records: records.map((record) => completed(record, common)),
            },
          ],
    ),
    words: MessageWords.parse({
      ...Object.fromEntries(LISTS.map((name) => [name, joined(words.map((one) => one[name]))])),
      roles: Object.fromEntries(roles.map((role) => [role, joined(words.map((one) => one.roles?.[role]))])),
    }),
  };
}

/** No readers. */
export const noReaders: TraceReaders = joinReaders([]);
