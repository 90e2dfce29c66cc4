import { memoized } from '../../common/index.ts';
import type { Condition, MessageWords, RecordReader, SaidBy, TraceReaders } from '../format/index.ts';
import { isRecord } from '../index.ts';
import { firstOf, firstText, millisecondsIn, momentIn, type Place, under, valueAt } from './lookup.ts';
import { plainText } from './markup.ts';
import { isRedacted, jsonIn, roleNamed } from './messages.ts';

/** A value of the input and its name in messages, such as `line 3`. */
export interface InputValue {
  value: unknown;
  where: string;
}

/** An object that a reader knows. */
export interface TraceRecord {
  reader: RecordReader;
  /** The title of the reader's file. */
  format: string;
  where: string;
  /** Its number in the input. */
  at: number;
  place: Place;
  /** Ids are unique within a trace. */
  id: string | undefined;
  parent: string | undefined;
  trace: string | undefined;
  session: string | undefined;
  /** The list or the input that it is in: its conversation if nothing else says which. */
  container: number;
  time: number | undefined;
  end: number | undefined;
  local: string | undefined;
  latencyMs: number | undefined;
  model: string | undefined;
  build: string | undefined;
  language: string | undefined;
  speaker: string | undefined;
}

/** An object that no reader knows. */
export interface UnknownObject {
  where: string;
  /** Its first keys. */
  keys: string;
  /** Whether it is a whole value of the input, such as a line, and not one beside records in a list. */
  isWhole: boolean;
  /** Whether it could not be read at all, such as the end of a file that was cut off. */
  isBroken: boolean;
}

/** What was found in an input. */
export interface Found {
  records: TraceRecord[];
  /** Objects beside records that no reader knows. */
  unknown: UnknownObject[];
}

const regExp = memoized((source: string) => new RegExp(source, 'u'));

const textOf = (value: unknown): string | null =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;

/** Whether an object is like a condition says. */
export function fits(condition: Condition, place: Place): boolean {
  const { has, some, lacks, is, like } = condition;
  return (
    has.every((path) => valueAt(place, path) !== undefined) &&
    (some.length === 0 || some.some((path) => valueAt(place, path) !== undefined)) &&
    lacks.every((path) => valueAt(place, path) === undefined) &&
    Object.entries(is).every(([path, values]) => {
      const text = textOf(opened(valueAt(place, path)))?.toLowerCase();
      return text !== undefined && values.some((value) => value.toLowerCase() === text);
    }) &&
    Object.entries(like).every(([path, source]) => {
      const text = textOf(valueAt(place, path));
      return text !== null && regExp(source).test(text);
    })
  );
}

/** Some tracers write even a single word as JSON: `"\"LLM\""`. */
const opened = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('"') ? (jsonIn(value) ?? value) : value;

type File = TraceReaders['files'][number];

/** The reader of an object, and the title of its file; null if none knows it. */
function readerOf(files: readonly File[], place: Place, of: string | undefined): [RecordReader, File] | null {
  for (const file of files) {
    if (file.of !== of) continue;
    for (const reader of file.records)
      if (reader.when.some((condition) => fits(condition, place))) return [reader, file];
  }
  return null;
}

/** The fields of a closer reader, and those of the first one where it has none. */
function joined(first: RecordReader, closer: RecordReader): RecordReader {
  const paths = (own: readonly string[], other: readonly string[]) => [...own, ...other];
  return {
    ...first,
    ...closer,
    inside: paths(closer.inside, first.inside),
    id: paths(closer.id, first.id),
    parent: paths(closer.parent, first.parent),
    trace: paths(closer.trace, first.trace),
    session: paths(closer.session, first.session),
    time: paths(closer.time, first.time),
    end: paths(closer.end, first.end),
    local: paths(closer.local, first.local),
    latency: [...closer.latency, ...first.latency],
    model: paths(closer.model, first.model),
    build: paths(closer.build, first.build),
    language: paths(closer.language, first.language),
  };
}

const firstTime = (place: Place, paths: readonly string[]): number | undefined => {
  for (const path of paths) {
    const time = momentIn(valueAt(place, path));
    if (time !== undefined) return time;
  }
  return undefined;
};

function recordOf(
  reader: RecordReader,
  format: string,
  place: Place,
  position: Pick<TraceRecord, 'where' | 'at' | 'container'>,
): TraceRecord {
  const latencies = reader.latency.flatMap(({ at, unit }) => millisecondsIn(valueAt(place, at), unit) ?? []);
  const text = (paths: readonly string[]) => {
    const found = firstText(place, paths);
    const own = opened(found);
    return typeof own === 'string' ? own : found;
  };
  return {
    reader,
    format,
    place,
    ...position,
    id: text(reader.id),
    parent: text(reader.parent),
    trace: text(reader.trace),
    session: text(reader.session),
    time: firstTime(place, reader.time),
    end: firstTime(place, reader.end),
    local: text(reader.local),
    latencyMs: latencies[0],
    model: text(reader.model),
    build: text(reader.build),
    language: text(reader.language),
    speaker: text(reader.speaker),
  };
}

/** An object with the JSON at some of its keys read. */
function withJson(value: Readonly<Record<string, unknown>>, keys: readonly string[]) {
  const read = keys.flatMap((key): [string, unknown][] => {
    const held = value[key];
    const json = typeof held === 'string' ? jsonIn(held) : undefined;
    return json === undefined ? [] : [[key, json]];
  });
  return read.length === 0 ? value : { ...value, ...Object.fromEntries(read) };
}

const keysOf = (value: object): string => Object.keys(value).slice(0, 6).join(', ');

/** Finds the objects that readers know, wherever they are. */
export function findRecords(values: readonly InputValue[], { files }: TraceReaders): Found {
  const search = new Search(files);
  for (const { value, where } of values) {
    const count = search.visit(value, { around: [], where, container: 0 });
    if (count === 0)
      search.unknown.push({
        where,
        keys: isRecord(value) ? keysOf(value) : '',
        isWhole: true,
        isBroken: value === undefined,
      });
  }
  return { records: search.records, unknown: search.unknown };
}

/** Where a value is that is being searched. */
interface Position extends Pick<TraceRecord, 'where' | 'container'> {
  around: Place['around'];
}

/** One search through an input, whose values can be of any shape. */
class Search {
  readonly records: TraceRecord[] = [];
  readonly unknown: UnknownObject[] = [];
  readonly #files: readonly File[];
  /** Keys of texts that hold JSON with records. */
  readonly #open: ReadonlySet<string>;
  #containers = 0;

  constructor(files: readonly File[]) {
    this.#files = files;
    this.#open = new Set(files.flatMap((file) => file.open));
  }

  /** @returns how many records are in a value */
  visit(value: unknown, position: Position): number {
    if (Array.isArray(value)) return this.#visitList(value, position);
    if (!isRecord(value)) return 0;
    const known = this.#readerOf({ value, around: position.around });
    return known === null ? this.#visitEachKey(value, position) : this.#visitRecord(value, known, position);
  }

  /** The reader of an object, with what a closer one of the same tool adds; null if none knows it. */
  #readerOf(place: Place): { reader: RecordReader; format: string } | null {
    const found = readerOf(this.#files, place, undefined);
    if (found === null) return null;
    const [first, file] = found;
    const closer = readerOf(this.#files, place, file.id);
    return closer === null
      ? { reader: first, format: file.title }
      : { reader: joined(first, closer[0]), format: closer[1].title };
  }

  #visitRecord(
    value: Readonly<Record<string, unknown>>,
    { reader, format }: { reader: RecordReader; format: string },
    { around, where, container }: Position,
  ): number {
    const place = { value: withJson(value, reader.json), around };
    const at = this.records.length;
    this.records.push(recordOf(reader, format, place, { where, at, container }));
    for (const path of reader.inside) {
      const child = valueAt(place, path);
      const whole = typeof child === 'string' ? jsonIn(child) : child;
      this.visit(whole, { around: [value, ...around], where, container });
    }
    return this.records.length - at;
  }

  #visitEachKey(value: Readonly<Record<string, unknown>>, { around, where, container }: Position): number {
    let count = 0;
    for (const [key, child] of Object.entries(value)) {
      const whole = typeof child === 'string' && this.#open.has(key) ? jsonIn(child) : child;
      const from = Array.isArray(whole) ? where : `${where}, ${key}`;
      count += this.visit(whole, { around: [value, ...around], where: from, container });
    }
    return count;
  }

  #visitList(list: readonly unknown[], { around, where }: Position): number {
    this.#containers += 1;
    const container = this.#containers;
    const strangers: UnknownObject[] = [];
    let count = 0;
    for (const [index, item] of list.entries()) {
      const place = `${where}, item ${index + 1}`;
      const here = this.visit(item, { around, where: place, container });
      if (here === 0 && isRecord(item))
        strangers.push({ where: place, keys: keysOf(item), isWhole: false, isBroken: false });
      count += here;
    }
    // A list without any record is of another kind, such as the buttons below a message.
    if (count > 0) this.unknown.push(...strangers);
    return count;
  }
}

/** Who says the message in a record; null if it is not known. */
export function roleOf({ reader, place }: TraceRecord, readers: TraceReaders): SaidBy | null {
  const { role } = reader;
  if (role === undefined) return null;
  if (typeof role === 'string') return role;
  const word = firstText(place, role.at);
  if (word === undefined) return null;
  for (const name of ['user', 'system', 'instructions', 'tool'] as const)
    if (role.words[name]?.some((one) => one.toLowerCase() === word.toLowerCase())) return name;
  return roleNamed(word, readers.words);
}

/** All texts in a value, such as those of a list of `{"text": {"text": ["…"]}}`. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return Array.isArray(value) ? value.flatMap(textsIn) : [];
};

/** The text of the message in a record; empty if there is none. */
export function saidIn({ reader, place }: TraceRecord, words: MessageWords): string {
  for (const path of reader.text) {
    const texts = textsIn(valueAt(place, path)).map((text) =>
      isRedacted(text, words) ? '' : plainText(text, reader.markup),
    );
    const whole = texts.join('\n').trim();
    if (whole !== '') return whole;
  }
  return intentIn({ reader, place });
}

/** An intent and its slots, for what was asked where the words are not kept: `FindPlace (cuisine: French)`. */
function intentIn({ reader, place }: Pick<TraceRecord, 'reader' | 'place'>): string {
  if (reader.intent === undefined) return '';
  const name = firstText(place, reader.intent.name);
  if (name === undefined) return '';
  const slots = firstOf(place, reader.intent.slots);
  const named = isRecord(slots) ? Object.entries(slots) : [];
  const values = named.flatMap(([slot, held]) => {
    const value = isRecord(held) ? (under(held, 'value') ?? under(held, 'slotValue.value')) : held;
    return value === undefined || value === null || typeof value === 'object' ? [] : [`${slot}: ${value}`];
  });
  return values.length === 0 ? name : `${name} (${values.join(', ')})`;
}
