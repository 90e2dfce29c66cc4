import { oncePer } from '../../common/index.ts';
import { type CaseFormat, declaredFields, pathOfField } from '../format/index.ts';
import type { ContextEntry, VenueEntry } from './attributes.ts';
import { type Authors, findAuthors, namePattern } from './authors.ts';
import { cleanText, excerpt, isBlank, listed } from './clean-text.ts';
import { Draft, type DraftTurn, finishDraft } from './draft.ts';
import type { Role } from './label-meanings.ts';
import { type LabeledLine, labeledLines } from './labeled-lines.ts';
import { readLabel } from './line-labels.ts';
import { MARKS, mostLines, type Parsed, type PasteOptions, withSpans } from './parse-input.ts';
import { type Range, Tracked } from './tracked-text.ts';

/** What a part of a paste is said to be, besides the path of a field. */
const KINDS = ['user', 'system', 'document', 'left out'];

type FieldTarget =
  | { in: 'venue'; field: VenueEntry['field']; isText: boolean }
  | { in: 'context'; field: ContextEntry['field']; isText: boolean };

/** The contract's fields that a part may hold; their values are read as after a label. */
const OWN: Readonly<Record<string, FieldTarget>> = {
  'context.date': { in: 'context', field: 'date', isText: true },
  'context.time': { in: 'context', field: 'time', isText: true },
  'context.location': { in: 'context', field: 'location', isText: true },
  'recommendation.name': { in: 'venue', field: 'name', isText: true },
  'recommendation.location': { in: 'venue', field: 'address', isText: true },
  'recommendation.cuisine': { in: 'venue', field: 'cuisine', isText: true },
  'recommendation.cost': { in: 'venue', field: 'cost', isText: true },
  'recommendation.rating': { in: 'venue', field: 'rating', isText: true },
  'recommendation.menu': { in: 'venue', field: 'menu', isText: false },
  'recommendation.openingHours': { in: 'venue', field: 'openingHours', isText: false },
  'recommendation.distanceKm': { in: 'venue', field: 'distance', isText: true },
  'recommendation.durationMin': { in: 'venue', field: 'duration', isText: true },
};

/** The fields that a part may hold, by path. */
const fieldsFor = oncePer((format: CaseFormat): ReadonlyMap<string, FieldTarget> => {
  const declared = declaredFields(format).map((field): [string, FieldTarget] => [
    pathOfField(field),
    {
      in: field.of === 'context' ? 'context' : 'venue',
      field,
      isText: field.type !== 'hours' && field.type !== 'list',
    },
  ]);
  return new Map([...declared, ...Object.entries(OWN)]);
});

/** The paths of the fields that a part of a paste may hold. */
export const fieldParts = (format: CaseFormat): string[] => [...fieldsFor(format).keys()];

/** Everything that a part of a paste may be: a turn, a document, left out, or a field by its path. */
export const partNames = (format: CaseFormat): string[] => [...KINDS, ...fieldParts(format)];

/** A part of a sheet, as a reader gives it. */
export interface GivenPart {
  /** The first and the last line, from 1. */
  from: number;
  to: number;
  /** The words of a single line, verbatim; empty for whole lines. */
  quote: string;
  /** One of {@link partNames}. */
  is: string;
}

/** A paste that a reader reads by its lines, and what of it the reader sees. */
export interface Sheet {
  /** The paste as received. */
  received: string;
  /** Without what a chat or a terminal added; positions are in the text as received. */
  clean: Tracked;
  /** The text that the reader sees; positions are in `clean`. */
  sent: Tracked;
  authors: Authors;
}

/**
 * A paste that plain reading refused, as a sheet for a reader who quotes from it. Null if its problem is not who says what: it is
 * JSON, empty, binary or too long.
 */
export function sheetOf(text: string, { maxCaseChars, format }: PasteOptions): Sheet | null {
  const lead = text.startsWith('\ufeff') ? 1 : 0;
  const bare = Tracked.received(text.slice(lead), lead).trim();
  const lines = bare.text.split('\n').length;
  if (text.includes('\0') || bare.text.length > maxCaseChars || lines > mostLines(maxCaseChars)) return null;
  if (!bare.text.isWellFormed() || /^[[{]\s*["{[\]}]/.test(bare.text)) return null;
  const clean = cleanText(bare)
    .replace(MARKS, () => '')
    .trim();
  // A single line is a remark or a question rather than a conversation.
  if (clean.text.split('\n').filter((line) => !isBlank(line)).length < 2) return null;
  const authors = findAuthors(clean.text.split('\n'), format);
  return { received: text, clean, sent: Tracked.received(clean.text), authors };
}

/** `A`, …, `Z`, `A2`, … that are no words of a text. */
function* freeLetters(text: string): Generator<string> {
  const words = new Set(text.match(/[\p{L}\p{N}_]+/gu));
  for (let round = 1; ; round += 1)
    for (let code = 65; code <= 90; code += 1) {
      const letter = `${String.fromCharCode(code)}${round === 1 ? '' : round}`;
      if (!words.has(letter)) yield letter;
    }
}

/**
 * The sheet as it may leave this machine: details are replaced by their placeholders and authors by letters. Quotes from it are
 * mapped back by their positions.
 * @param find the details in a text, in order
 */
export function maskSheet(
  sheet: Sheet,
  find: (text: string) => readonly { from: number; to: number; by: string }[],
): Sheet {
  const redacted = sheet.sent.replaceAt(find(sheet.sent.text));
  const { names } = sheet.authors;
  const pattern = namePattern(names);
  if (pattern === null) return { ...sheet, sent: redacted };
  const free = freeLetters(redacted.text);
  const letters = new Map<string, string>();
  // A full name and its parts are one person; full names come first.
  const letterFor = (name: string): string => {
    const key = name.toLowerCase();
    const whole = names.find((one) => ` ${one.toLowerCase()} `.includes(` ${key} `))?.toLowerCase() ?? key;
    const letter = letters.get(whole) ?? free.next().value ?? '';
    letters.set(whole, letter);
    return letter;
  };
  return { ...sheet, sent: redacted.replace(pattern, ([name]) => letterFor(name)) };
}

/** Whether a cut would split a word or a number: `4.3` is no part of `14.3`, nor `4` of `4.3`, nor `5` of `-5`. */
function splits(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 3), at);
  const after = text.slice(at, at + 3);
  if (/[\p{L}\p{M}\p{N}]$/u.test(before) && /^[\p{L}\p{M}\p{N}]/u.test(after)) return true;
  if (/\p{N}[.,:/’'−–-]$/u.test(before) && /^\p{N}/u.test(after)) return true;
  if (/\p{N}$/u.test(before) && /^[.,:/’'−–-]\p{N}/u.test(after)) return true;
  return /(?:^|[^\p{L}\p{N}])[+−-]$/u.test(before) && /^\p{N}/u.test(after);
}

/** Whether a sentence ends here: with its mark, perhaps in quotes. */
const ENDED = /[.!?…。！？:：]["'”“’»)\]]*\s*$/u;

/**
 * Whether a quote of a turn or a document takes a part of a sentence, such as all but its "Not". Before it may stand the author of the line; a
 * field is of a few words, so it may be any of them.
 */
function cutsSentence(text: string, [start, end]: Range, { endIn }: Authors): boolean {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  const [from, to] = [start - lineStart, end - lineStart];
  const before = line.slice(Math.min(from, endIn(line)), from);
  const after = line.slice(to);
  const isWords = (text: string) => /\p{L}/u.test(text);
  const beginsInside = isWords(before) && !ENDED.test(before);
  const endsInside = isWords(after) && !ENDED.test(line.slice(from, to)) && !/^\s*["“„(]/u.test(after);
  return beginsInside || endsInside;
}

/** A part of the paste that was found on the sheet. */
interface FoundPart {
  is: string;
  /** In the text that the reader saw. */
  sent: Range;
  /** In the clean text. */
  clean: Range;
}

/** What is wrong with parts. `isOfSentence`: a quote of a turn is a part of a sentence. */
interface WrongParts {
  problem: string;
  isOfSentence?: true;
}

type Found = FoundPart | WrongParts;

function findPart(
  { from, to, quote, is }: GivenPart,
  lines: readonly Range[],
  { sent, clean, authors }: Sheet,
  format: CaseFormat,
): Found {
  const [first, last] = [lines[from - 1], lines[to - 1]];
  if (first === undefined || last === undefined || to < from)
    return { problem: `there are no lines ${from} to ${to}; the lines are 1 to ${lines.length}` };
  if (!partNames(format).includes(is)) return { problem: `line ${from} cannot be "${excerpt(is, 40)}"` };
  const where = `the quote on line ${from}`;
  let range: Range = [first[0], last[1]];
  if (quote.trim() !== '') {
    if (from !== to) return { problem: `${where} must be of a single line, or empty for whole lines` };
    const line = sent.text.slice(...first);
    const at = line.indexOf(quote);
    if (at < 0) return { problem: `${where} does not stand there, character by character` };
    if (line.indexOf(quote, at + 1) >= 0)
      return { problem: `${where} stands there more than once: quote more of the line` };
    range = [first[0] + at, first[0] + at + quote.length];
  }
  const text = sent.text.slice(...range);
  const trimmed: Range = [
    range[0] + text.length - text.trimStart().length,
    range[1] - (text.length - text.trimEnd().length),
  ];
  if (trimmed[1] <= trimmed[0]) return { problem: `line ${from} is blank` };
  if (trimmed.some((at) => splits(sent.text, at)) || !text.isWellFormed())
    return { problem: `${where} begins or ends within a word or a number` };
  const ranges = sent.slice(...trimmed).ranges();
  const [start, end] = [ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? 0];
  if (splits(clean.text, start) || splits(clean.text, end))
    return { problem: `${where} begins or ends within a word or a number` };
  const isSaid = isRole(is) || is === 'document';
  if (isSaid && quote.trim() !== '' && cutsSentence(clean.text, [start, end], authors))
    return { problem: `${where} is a part of a sentence: quote the whole sentence`, isOfSentence: true };
  return { is, sent: trimmed, clean: [start, end] };
}

/** The lines of a text as ranges, without their breaks. */
function linesAsRanges(text: string): Range[] {
  let at = 0;
  return text.split('\n').map((line): Range => {
    const from = at;
    at += line.length + 1;
    return [from, from + line.length];
  });
}

/** The lines of a part, without the labels or authors that stand before what is said or given. */
interface CutPart {
  is: string;
  lines: Tracked[];
  labels: Tracked[];
  /** Where it begins and ends in the clean text, with a label before it. */
  range: Range;
  /** The unit that a label names. */
  unit?: string | undefined;
}

const isRole = (is: string): is is Role => is === 'user' || is === 'system';

/** The label of a line that says what it is, or its author. */
interface LineStart {
  /** The position after it; 0 if there is none. */
  at: number;
  /** The end of what it labels. */
  end: number;
  unit?: string | undefined;
}

function startOf(line: Tracked, is: string, { endIn }: Authors, format: CaseFormat): LineStart {
  const label = readLabel(line.text, format);
  const meaning = label !== null && label.word.length > 1 && !label.alone ? label.meaning : null;
  const isOwn = isRole(is) ? meaning?.kind === 'role' : meaning !== null && meaning.kind !== 'role';
  if (label !== null && isOwn)
    return {
      at: label.at,
      end: label.at + label.value.length,
      unit: label.unit,
    };
  return { at: endIn(line.text), end: line.text.length };
}

/** Cuts the part from `begins` to `ends` out of a line, and the label before or in it. */
function cutLine(line: Tracked, begins: number, ends: number, start: LineStart) {
  const [low, high] = [Math.min(begins, start.at), Math.max(begins, start.at)];
  const isLabeled = start.at > 0 && (begins < start.at || line.text.slice(low, high).trim() === '');
  if (!isLabeled) return { text: line.slice(begins, ends), labels: [], isLabeled };
  const end = Math.max(start.at, Math.min(ends, start.end));
  const behind = end < ends ? [line.slice(end, ends)] : [];
  return {
    text: line.slice(Math.max(begins, start.at), end),
    labels: [line.slice(0, start.at), ...behind],
    isLabeled,
  };
}

/** Cuts a part out of the paste. */
function cutPart({ is, clean: [from, to] }: FoundPart, sheet: Sheet, format: CaseFormat): CutPart {
  const { clean, authors } = sheet;
  const cut: CutPart = { is, lines: [], labels: [], range: [from, to] };
  let at = clean.text.lastIndexOf('\n', from - 1) + 1;
  const last = clean.text.indexOf('\n', to);
  for (const line of clean.slice(at, last < 0 ? undefined : last).lines()) {
    const start = startOf(line, is, authors, format);
    const begins = Math.max(0, from - at);
    const piece = cutLine(line, begins, Math.min(line.text.length, to - at), start);
    if (piece.isLabeled && begins > 0) cut.range = [at, to];
    if (piece.isLabeled && cut.lines.length === 0) cut.unit = start.unit;
    cut.lines.push(piece.text);
    cut.labels.push(...piece.labels);
    at += line.text.length + 1;
  }
  return cut;
}

const textOfLines = (lines: readonly Tracked[], between = '\n'): string =>
  lines
    .map(({ text }) => text)
    .join(between)
    .trim();

/** Adds a turn, or continues the one before if only labels and blank lines stand between the two. */
function addTurn(draft: Draft, role: Role, { lines }: CutPart, continues: boolean): void {
  const last = draft.turns.at(-1);
  if (continues && last?.role === role) {
    last.text += `\n${textOfLines(lines)}`;
    last.from.push(...lines);
    return;
  }
  const turn: DraftTurn = {
    role,
    word: role,
    text: textOfLines(lines),
    from: lines,
    unsure: [],
    marked: false,
  };
  draft.turns.push(turn);
}

function addField(draft: Draft, target: FieldTarget, { is, lines, unit }: CutPart): void {
  const label = is.slice(is.lastIndexOf('.') + 1);
  const value = textOfLines(lines, target.isText ? '; ' : '\n');
  const entry = { label, value, unit, from: lines };
  if (target.in === 'context') draft.context.push({ ...entry, field: target.field });
  else draft.venue.push({ ...entry, field: target.field, after: draft.turns.length });
}

/** The parts of a text outside of ranges that are in order. */
function outside(text: string, ranges: readonly Range[]): string[] {
  const ends = [...ranges.map(([from]) => from), text.length];
  return ends.map((end, index) => text.slice(ranges[index - 1]?.[1] ?? 0, end));
}

/** The parts of each line outside of ranges that are in order, and whether something else of their line is in one. */
function leftOfLines(text: string, used: readonly Range[]): { text: string; isBeside: boolean }[] {
  return linesAsRanges(text).flatMap(([from, to]) => {
    const inLine = used
      .filter((range) => range[0] < to && range[1] > from)
      .map(([start, end]): Range => [Math.max(start, from) - from, Math.min(end, to) - from]);
    const isBeside = inLine.length > 0;
    return outside(text.slice(from, to), inLine).map((left) => ({ text: left, isBeside }));
  });
}

/**
 * Words that were left out, for a note: not the labels, authors and times before what was said. Beside a part, a single word counts
 * too: a "not" changes what the part says.
 */
function leftOutNote(clean: string, used: readonly Range[], { endIn }: Authors): string[] {
  const lines = leftOfLines(clean, used)
    .map(({ text, isBeside }) => ({ text: text.slice(endIn(text)).trim(), isBeside }))
    .filter(({ text, isBeside }) => (isBeside ? /[\p{L}\p{N}]/u : /\p{L}+\P{L}+\p{L}|\d/u).test(text));
  if (lines.length === 0) return [];
  const quoted = lines.map(({ text }) => `"${excerpt(text)}"`);
  return [`left out: text that belongs to no turn (${listed(quoted, 4)})`];
}

const overlap = (one: Range, other: Range): boolean => one[0] < other[1] && one[1] > other[0];

/** The problem if a part is said to be something else than the label of one of its lines says: a reader does not overrule labels. */
function overrulesLabel(
  parts: readonly FoundPart[],
  labeled: readonly LabeledLine[],
  { clean }: Sheet,
): string | null {
  for (const { is, clean: range } of parts) {
    const other =
      is === 'left out'
        ? undefined
        : labeled.find((line) => overlap(line.range, range) && !line.is.includes(is));
    if (other === undefined) continue;
    const number = clean.text.slice(0, other.range[0]).split('\n').length;
    const names = isRole(is) && other.is.some(isRole) ? 'the other speaker' : excerpt(other.names, 40);
    return `line ${number} has a label that names ${names}: it is no part of the ${is}, and a label is right`;
  }
  return null;
}

/** The parts and the labels of fields in a paste: a line with a label that no part has in full is read by its label. */
function withLabels(
  parts: readonly FoundPart[],
  labeled: readonly LabeledLine[],
): { parts: FoundPart[]; fields: LabeledLine[] } {
  const fields = labeled.filter(
    ({ field }) =>
      field !== undefined &&
      !parts.some(
        ({ is, clean }) => is !== 'left out' && clean[0] <= field.value[0] && clean[1] >= field.value[1],
      ),
  );
  const isInField = ({ clean }: FoundPart) => fields.some(({ range }) => overlap(range, clean));
  return { parts: parts.filter((part) => part.is !== 'left out' && !isInField(part)), fields };
}

/** The turn that begins last above a position, as a reader gives the turns. */
function speakerAbove(parts: readonly FoundPart[], at: number): Role | null {
  const is = parts.findLast((part) => isRole(part.is) && part.clean[0] < at)?.is;
  return is !== undefined && isRole(is) ? is : null;
}

/** Puts a part into the draft. Returns what it takes up of the paste; null if it is empty. */
function addPart(
  draft: Draft,
  part: FoundPart,
  sheet: Sheet,
  format: CaseFormat,
  last: number,
): Range | null {
  const cut = cutPart(part, sheet, format);
  if (textOfLines(cut.lines) === '') return null;
  const target = fieldsFor(format).get(cut.is);
  const between = sheet.clean.text.slice(last, cut.range[0]);
  if (isRole(cut.is)) addTurn(draft, cut.is, cut, isBlank(between));
  else if (target !== undefined) addField(draft, target, cut);
  else draft.documents.push({ text: textOfLines(cut.lines), from: cut.lines });
  draft.labels.push(...cut.labels);
  return cut.range;
}

/** Puts the field of a line with a label into the draft. Returns what it takes up of the paste. */
function addLabeled(draft: Draft, { range, field }: LabeledLine, { clean }: Sheet): Range {
  if (field !== undefined) field.add(draft, clean.slice(...field.value));
  draft.labels.push(clean.slice(...range));
  return range;
}

/**
 * Cuts a case out of a paste by the parts that a reader gives. Each part must stand on the sheet, and none may overlap another; what
 * no part covers is left out, except lines with the label of a field, which count by their label. Since all text is cut from the paste and values are read as after labels, a reader can leave out and
 * confuse, but it cannot add a character.
 * @returns the case, or what is wrong with the parts, in words for the reader
 */
export function cutParts(
  given: readonly GivenPart[],
  sheet: Sheet,
  options: PasteOptions,
): Extract<Parsed, { case: unknown }> | WrongParts {
  const { format } = options;
  const lines = linesAsRanges(sheet.sent.text);
  const parts: FoundPart[] = [];
  for (const one of given) {
    const part = findPart(one, lines, sheet, format);
    if ('problem' in part) return part;
    parts.push(part);
  }
  parts.sort((a, b) => a.clean[0] - b.clean[0]);
  if (parts.some((part, at) => part.clean[0] < (parts[at - 1]?.clean[1] ?? 0)))
    return { problem: 'two parts overlap: each character belongs to one part at most' };
  const labeled = labeledLines(sheet.clean.text, (at) => speakerAbove(parts, at), format);
  const overruled = overrulesLabel(parts, labeled, sheet);
  if (overruled !== null) return { problem: overruled };
  const named = withLabels(parts, labeled);
  const draft = new Draft(format);
  const used: Range[] = [];
  const steps = [
    ...named.parts.map((part) => ({ at: part.clean[0], part, line: null })),
    ...named.fields.map((line) => ({ at: line.range[0], part: null, line })),
  ].sort((a, b) => a.at - b.at);
  for (const { part, line } of steps) {
    const range =
      part === null
        ? addLabeled(draft, line, sheet)
        : addPart(draft, part, sheet, format, used.at(-1)?.[1] ?? 0);
    if (range === null) return { problem: 'a part has no text besides its label' };
    used.push(range);
  }
  draft.assumed.push(...leftOutNote(sheet.clean.text, used, sheet.authors));
  const item = finishDraft(draft);
  // What is missing may quote the paste, which the reader has seen only in part.
  if ('problem' in item)
    return { problem: "the parts make no case: it needs the user's turn and, after it, the system's answer" };
  const [parsed] = withSpans([item], sheet.received, sheet.clean);
  return parsed === undefined || 'problem' in parsed ? { problem: 'the parts make no case' } : parsed;
}
