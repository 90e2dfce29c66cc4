import { type CaseFormat, pathOfField } from '../case/format/index.ts';
import { OpeningHours, Turn } from '../case/index.ts';
import {
  isOfTool,
  parseJson,
  partsOfTools,
  type Reading,
  readDate,
  readDistanceKm,
  readDurationMin,
  readFields,
  readHours,
  readLatencyMs,
  readPlaceText,
  readRating,
  readTime,
  roleOf,
  turnOf,
} from '../case/paste/index.ts';
import { JuryError } from '../common/index.ts';
import { shortened } from '../common/text/index.ts';
import columnNames from './column-names.json' with { type: 'json' };

/** The role of each speaker, by lower-case name; null if the name is not a speaker and its lines belong to the turn before. */
export type Speakers = ReadonlyMap<string, Turn['role'] | null>;

/**
 * Parses `LAMDA=system`; `Note=-` means that it is not a speaker.
 * @throws JuryError `usage`
 */
export const readSpeakers = (texts: readonly string[]): Speakers =>
  new Map(
    texts.map((text) => {
      const at = text.lastIndexOf('=');
      const role = text.slice(at + 1).trim();
      if (at < 1 || !['user', 'system', '-'].includes(role))
        throw new JuryError(
          'usage',
          `--speaker "${text}": write name=user, name=system, or name=- for a word that is not a speaker.`,
        );
      const name = text.slice(0, at).trim().toLowerCase();
      return [name, role === '-' ? null : role === 'user' ? 'user' : 'system'];
    }),
  );

/** Parses JSON in a cell; other values are returned unchanged. */
function decoded(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const parsed = parseJson(value);
  return 'value' in parsed ? parsed.value : value;
}

const KNOWN = /^(user|system|assistant|driver|car|human|bot)$/i;
/** A name of one to three words at the start of a line, before a colon that is not part of a URL. */
const NAMED =
  /^\s*(?<name>\p{L}[\p{L}\p{N}_-]{0,30}(?: [\p{L}\p{N}_-]{1,30}){0,2})\s*:(?!\/\/)\s*(?<rest>.*)$/u;
/** Speakers' names are capitalized; a word in the middle of a sentence is not. */
const CAPITALIZED = /^\p{Lu}/u;

interface TurnReading {
  format: CaseFormat;
  speakers: Speakers;
  /** Records an assumption. */
  note: (assumption: string) => void;
}

type Read = { value: Turn[] } | { problem: string };

const isToolRole = (speaker: unknown): boolean => speaker === 'tool' || speaker === 'function';

const unknownSpeaker = (name: string): { problem: string } => ({
  problem: `has a line by "${name}", who is neither user nor system: add --speaker ${name}=system, ${name}=user, or ${name}=- if it is not a speaker`,
});

/** Reads lines such as `User: …` and `System: …`; a line without a speaker belongs to the turn before it. */
function spoken(text: string, { format, speakers, note }: TurnReading): Read {
  const lines = text.split(/\r?\n/).map((line) => {
    const { name, rest = '' } = NAMED.exec(line)?.groups ?? {};
    const asked = name === undefined ? undefined : speakers.get(name.toLowerCase());
    const standardRole = name !== undefined && KNOWN.test(name) ? roleOf(name, format)?.role : undefined;
    const isStranger = name !== undefined && asked === undefined && standardRole === undefined;
    const stranger = isStranger && CAPITALIZED.test(name) ? name : undefined;
    return { line, rest, role: asked === undefined ? standardRole : (asked ?? undefined), stranger };
  });
  const strangers = lines.flatMap(({ stranger }) => stranger ?? []);
  const asOne: Read = { value: [{ role: 'user', text: text.trim() }] };
  if (!lines.some(({ role }) => role !== undefined)) {
    // Unknown names are speakers if one of them occurs more than once, or every line starts with a name.
    const areTurns =
      strangers.length > 1 &&
      (new Set(strangers).size < strangers.length ||
        lines.every(({ line, stranger }) => stranger !== undefined || line.trim() === ''));
    return areTurns ? unknownSpeaker(strangers[0] ?? '') : asOne;
  }
  // With a heading such as `Summarize: …` before a dialog, the whole text is the user's request.
  const [head] = lines;
  if (head?.stranger !== undefined && strangers.length === 1) {
    note(`"${head.stranger}:" at the head of a text is no speaker: the text is one turn of the user`);
    return asOne;
  }
  if (strangers[0] !== undefined) return unknownSpeaker(strangers[0]);
  const turns: { role: Turn['role']; lines: string[] }[] = [];
  for (const { line, rest, role } of lines) {
    const last = turns.at(-1);
    if (role !== undefined) turns.push({ role, lines: [rest] });
    else if (last !== undefined) last.lines.push(line);
    else if (line.trim() !== '') return { problem: 'begins with a line without a speaker' };
  }
  const spoken = turns.flatMap(({ role, lines: turnLines }): Turn[] => {
    const text = turnLines.join('\n').trim();
    if (text === '') note('a turn without text is left out');
    return text === '' ? [] : [{ role, text }];
  });
  return { value: spoken };
}

/**
 * Why a message in a list is not a turn; null if it is one.
 * @param asked the role requested for its speaker; null: leave it out
 */
function leftOut(
  item: unknown,
  asked: Turn['role'] | null | undefined,
  hasAssistant: boolean,
  { words }: CaseFormat,
  { speaker, found, text }: Partial<NonNullable<ReturnType<typeof turnOf>>>,
): string | null {
  if (asked === null) return 'a message is left out, as asked for';
  if (text === '') return 'a turn without text is left out';
  if (asked !== undefined) return null;
  const isEmpty = text === null || text === undefined;
  if (isOfTool(item, words) || isToolRole(speaker) || (isEmpty && partsOfTools(item, words).length > 0))
    return 'a message of a tool is left out';
  // If the assistant has a name of its own, `system` messages are its instructions.
  return hasAssistant && found?.role === 'system' && words.labelKinds.instructions.includes(found.word)
    ? `a message by "${found.word}" is left out, read as instructions`
    : null;
}

/** Reads one message of a list as a turn; null, with a note, if it is not one. */
function messageIn(
  item: unknown,
  hasAssistant: boolean,
  { format, speakers, note }: TurnReading,
): Turn | { problem: string } | null {
  const read: Partial<NonNullable<ReturnType<typeof turnOf>>> = turnOf(item, format) ?? {};
  const { speaker, found, text } = read;
  const asked = typeof speaker === 'string' ? speakers.get(speaker.toLowerCase()) : undefined;
  const left = leftOut(item, asked, hasAssistant, format, read);
  if (left !== null) {
    note(left);
    return null;
  }
  const turn = Turn.safeParse({ role: asked ?? found?.role, text });
  if (turn.success) return turn.data;
  return typeof speaker === 'string' && found === null
    ? unknownSpeaker(speaker)
    : { problem: 'must be text, or turns with role and text' };
}

/** Reads the turns in a cell: a JSON list of turns, lines with speakers, or a single user turn. */
function turnsIn(cell: unknown, reading: TurnReading): Read {
  const { format } = reading;
  const value = decoded(cell);
  if (typeof value === 'string') return spoken(value, reading);
  if (!Array.isArray(value)) return { problem: 'must be text, or turns with role and text' };
  const hasAssistant = value.some((item) => {
    const meaning = turnOf(item, format)?.found;
    return meaning?.role === 'system' && !format.words.labelKinds.instructions.includes(meaning.word);
  });
  const turns: Turn[] = [];
  for (const item of value) {
    const read = messageIn(item, hasAssistant, reading);
    if (read !== null && 'problem' in read) return read;
    if (read !== null) turns.push(read);
  }
  return { value: turns };
}

/** How cells are read, and who speaks in conversations. */
export type CellReading = Reading & { speakers: Speakers };

/** Reads a cell as one field of a case, recording assumptions. */
type ReadCell = (value: unknown, reading: CellReading) => { value: unknown } | { problem: string };

const textIn = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : (JSON.stringify(value) ?? '');

const quoted = (value: unknown): string => `"${shortened(textIn(value), 60)}"`;

const orProblem = <T>(value: T | null | undefined, what: string, cell: unknown) =>
  value === null || value === undefined ? { problem: `${what}, found ${quoted(cell)}` } : { value };

const { noError } = columnNames.values;

const errorType: ReadCell = (cell, { note }) => {
  const text = textIn(cell);
  const id = text
    .toLowerCase()
    .replace(/[ _-]+error$/, '')
    .replaceAll(/[ _]+/g, '-');
  if (noError.includes(text.toLowerCase())) return { value: undefined };
  if (id !== text) note(`"${text}" read as "${id}"`);
  return { value: id };
};

const number: ReadCell = (cell) => {
  const value = typeof cell === 'number' ? cell : Number(textIn(cell).replace(/^(-?\d+),(\d+)$/, '$1.$2'));
  return orProblem(Number.isFinite(value) ? value : null, 'must be a number', cell);
};

const place: ReadCell = (cell, reading) => {
  const value = decoded(cell);
  return orProblem(
    typeof value === 'string' ? readPlaceText(value, reading) : value,
    'must be a place',
    cell,
  );
};

const hours: ReadCell = (cell, { format, note }) => {
  const value = decoded(cell);
  const read =
    typeof value === 'string' ? readHours(value, format.words, note) : OpeningHours.safeParse(value).data;
  return orProblem(read, 'must be opening hours such as "Mon-Fri 11:30-22:00; Sat closed"', cell);
};

const list: ReadCell = (cell) => {
  const value = decoded(cell);
  if (typeof value !== 'string') return { value };
  const mark = value.includes(';') ? ';' : value.includes('|') ? '|' : ',';
  return { value: value.split(mark).flatMap((item) => (item.trim() === '' ? [] : [item.trim()])) };
};

const documents: ReadCell = (cell) => {
  const value = decoded(cell);
  const each = Array.isArray(value) ? value : [value];
  return { value: each.map((item: unknown) => (typeof item === 'string' ? { text: item } : item)) };
};

const turns: ReadCell = turnsIn;

const json: ReadCell = (cell) => ({ value: decoded(cell) });

const READERS: Readonly<Record<string, ReadCell>> = {
  conversation: turns,
  history: turns,
  documents,
  recommendations: json,
  context: json,
  recommendation: json,
  label: json,
  tags: json,
  'label.criteria': json,
  'context.location': place,
  'recommendation.location': place,
  'recommendation.openingHours': hours,
  'recommendation.menu': list,
  'context.date': (cell, reading) => orProblem(readDate(textIn(cell), reading).date, 'must be a date', cell),
  'context.time': (cell, reading) => orProblem(readTime(textIn(cell), reading), 'must be a time', cell),
  'recommendation.rating': (cell, reading) => orProblem(readRating(cell, reading), 'must be a rating', cell),
  'recommendation.distanceKm': (cell, reading) =>
    orProblem(readDistanceKm(cell, reading, 'km'), 'must be a distance', cell),
  'recommendation.durationMin': (cell, reading) =>
    orProblem(readDurationMin(cell, reading, 'min'), 'must be a duration', cell),
  latencyMs: (cell, reading) => orProblem(readLatencyMs(cell, reading, 'ms'), 'must be a time', cell),
  'label.errorType': errorType,
};

/** Reads a cell for a path of a case. Coordinates are plain numbers in degrees; paths not listed are text. */
export function readCell(path: string, cell: unknown, reading: CellReading): ReturnType<ReadCell> {
  const { format, note } = reading;
  const declared = [...format.groups.values()].flat().find((field) => pathOfField(field) === path);
  if (declared !== undefined) {
    const notes: string[] = [];
    const entry = { field: declared, label: path, value: decoded(cell), from: [] };
    const read = readFields([entry], { format, note: (assumption) => notes.push(assumption) });
    const value = read[declared.of ?? '']?.[declared.name];
    if (value !== undefined) notes.forEach(note);
    return orProblem(value, `must be ${declared.title}`, cell);
  }
  const reader = READERS[path] ?? (path.endsWith('itude') ? number : null);
  return reader === null ? { value: textIn(cell) } : reader(cell, reading);
}
