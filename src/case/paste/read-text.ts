import type { CaseFormat } from '../case-format.ts';
import { isHoursLine } from './hours.ts';
import { type Found, findJson, NOT_STRICT, parseYaml } from './json.ts';
import { addTurns, addVenue, holdsVenue, isReadable, readKeys } from './keys.ts';
import { findLetters, isTurnNumber, type Labeled, readLabel } from './label-line.ts';
import { counts, onLabel, onNamedDocument } from './labeled-lines.ts';
import { textOf, turnOf } from './labels.ts';
import { onPlain } from './lines.ts';
import { HOW_MOMENT, momentHint, momentLine } from './moments.ts';
import { isCaseNumber } from './phrases.ts';
import { type Draft, emptyDraft } from './problems.ts';
import { beginBlock, endBlock, isMark, lastTurn, OBJECT, onVenue, type State, startOf } from './state.ts';
import { type Table, tableAt, tableLines, tableVenues } from './tables.ts';
import { BLOCK_BEGINS, BLOCK_ENDS, excerpt, listed } from './text.ts';
import type { Reading } from './values.ts';

/** A list of turns, or the first object of another list. */
function onList(state: State, list: readonly unknown[]): void {
  const [first] = list;
  if (list.some((item) => turnOf(item, state.draft.format) !== null)) addTurns(state.draft, list, 'list');
  else if (typeof first === 'object' && first !== null) onObject(state, first);
  state.target = { to: 'aside' };
}

/** An object that follows a label: what it says belongs to that turn, or to the block that it stands in. */
function onKeys(state: State, value: object): void {
  const { target, draft, block } = state;
  if (target.to === 'turn') {
    const text = target.turn.text.trim() === '' ? textOf(value, draft.format.words) : null;
    if (text !== null) target.turn.text = text;
    readKeys(draft, value, target.turn.role);
  } else readKeys(draft, value, block === 'venue' ? 'venue' : block === 'user' ? 'context' : 'case');
}

/** The text of an object that stands where the text of a turn would. */
const textFor = ({ target, draft }: State, value: object): string | null =>
  target.to === 'turn' && target.turn.text.trim() === '' ? textOf(value, draft.format.words) : null;

function onObject(state: State, value: object): void {
  const { draft } = state;
  const before = draft.venue.length;
  if (Array.isArray(value)) onList(state, value);
  else if (turnOf(value, draft.format)) onList(state, [value]);
  else if (!isReadable(value, draft.format)) onPlain(state, textFor(state, value) ?? JSON.stringify(value));
  else if (holdsVenue(value, draft.format)) addVenue(draft, value, 'venue');
  else onKeys(state, value);
  if (draft.venue.length > before) {
    draft.block.push(JSON.stringify(value));
    draft.blockAt ??= draft.turns.length;
  }
}

/** An object among the lines: the value of the label before it, or something by itself. */
function onFound(state: State, found: Found): void {
  const { target } = state;
  if ((target.to === 'venue' || target.to === 'context') && target.entry.value === '') {
    const entry: { value: unknown } = target.entry;
    entry.value = found.value;
    state.target = { to: 'aside' };
    return;
  }
  if (!found.isStrict) state.draft.assumed.push(NOT_STRICT);
  onObject(state, found.value);
}

const INLINE = new Set(['context', 'place', 'venue', 'venue-or-name']);

/** `Date: 2026-03-02, Time: 20:35` and `Name: X | Rating: 4.6` are several lines in one. */
function partsOf(line: string, first: Labeled | null, format: CaseFormat): string[] {
  if (first === null || !INLINE.has(first.meaning.kind) || /^[[{]/.test(first.value)) return [line];
  const parts: string[] = [];
  for (const piece of line.split(/(?<=[,;|·])/)) {
    const labeled = parts.length === 0 ? null : readLabel(piece, format);
    const isOfPlace = labeled?.meaning.kind === 'place' && first.meaning.kind === 'place';
    const starts = labeled && !labeled.alone && !isOfPlace && INLINE.has(labeled.meaning.kind);
    const last = parts.pop();
    if (last === undefined) parts.push(piece);
    else if (starts) parts.push(last.replace(/[,;|·]$/, '').trimEnd(), piece);
    else parts.push(last + piece);
  }
  return parts;
}

/** A day's hours within a venue's block or beside a conversation, with or without a header for them. */
function onHours(state: State, line: string): boolean {
  const isOpen =
    state.block === 'venue' ||
    (state.target.to === 'venue' && state.target.entry.field === 'openingHours') ||
    // After lines of date or time: it can be of nothing but the place.
    (state.target.to === 'aside' && lastTurn(state)?.role === 'system');
  if (!isOpen || !isHoursLine(line, state.draft.format.words)) return false;
  const entry = state.draft.venue.find((candidate) => candidate.field === 'openingHours');
  if (entry && typeof entry.value === 'string') {
    entry.value += `\n${line.trim()}`;
    state.target = { to: 'venue', entry: Object.assign(entry, { value: entry.value }) };
    state.draft.block.push(line);
  } else onVenue(state, { label: 'Opening hours', value: line.trim() }, 'openingHours', line);
  return true;
}

function onLine(state: State, whole: string): void {
  if (whole === BLOCK_BEGINS) beginBlock(state);
  else if (whole === BLOCK_ENDS) endBlock(state);
  else if (whole.startsWith(OBJECT)) {
    const found = state.objects[Number(whole.slice(1))];
    if (found) onFound(state, found);
  } else if (whole.trim() === '' || isTurnNumber(whole, state.draft.format.words)) onPlain(state, '');
  else onWords(state, whole);
}

function onWords(state: State, line: string): void {
  if (onHours(state, line)) return;
  const { format } = state.draft;
  const first = readLabel(line, format);
  const parts = partsOf(line, first, format);
  for (const part of parts) {
    const labeled = parts.length === 1 ? first : readLabel(part, format);
    if (labeled && counts(state, labeled)) {
      const rest = onLabel(state, labeled, part);
      if (rest !== '') onLine(state, rest);
    } else if (!onNamedDocument(state, part)) onPlain(state, part);
  }
}

/** A table is read where attributes of a venue would be; elsewhere, and with other words in it, it is text. */
function onTable(state: State, table: Table, lines: readonly string[]): void {
  const { draft, target, block } = state;
  const isOpen = target.to !== 'document' && (block === 'venue' || lastTurn(state)?.role === 'system');
  const venues = isOpen ? tableVenues(table, draft) : null;
  if (venues) {
    draft.choices.push(...venues);
    draft.block.push(...lines);
    draft.blockAt ??= draft.turns.length;
    state.isAfterBlank = true;
    return;
  }
  const { format } = draft;
  const below = state.ahead;
  const labeled = tableLines(table, format);
  const isRead = labeled?.some((line) => {
    const found = readLabel(line, format);
    return found !== null && counts(state, found);
  });
  const rows = isRead && labeled ? labeled : lines;
  for (const [at, line] of rows.entries()) {
    state.ahead = [...rows.slice(at + 1), ...below];
    onLine(state, line);
  }
}

/** The lines of a text, every object in it on a line of its own. */
function linesOf(text: string, objects: readonly Found[]): string[] {
  let at = 0;
  let whole = '';
  for (const [index, { start, end }] of objects.entries()) {
    const lead = text.slice(at, start);
    whole += `${lead}${lead.endsWith('\n') || lead === '' ? '' : '\n'}${OBJECT}${index}\n`;
    at = end;
  }
  return (whole + text.slice(at)).split('\n');
}

/** Most lines that say where a place is. */
const MAX_PLACE = 8;
const indentOf = (line = ''): number => line.length - line.trimStart().length;

/** `location:` and the indented lines below it, as YAML has them, are an object of their own. */
function withPlaces(lines: readonly string[], objects: Found[], format: CaseFormat): string[] {
  const out: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    out.push(line);
    const header = /: {0,3}$/.test(line) ? readLabel(line, format) : null;
    if (header?.value !== '' || header.meaning.kind !== 'place') continue;
    const below = lines.slice(at + 1, at + 1 + MAX_PLACE);
    const end = below.findIndex((next) => next.trim() === '' || indentOf(next) <= indentOf(line));
    const own = end < 0 ? below : below.slice(0, end);
    const value = own.length === 0 ? null : parseYaml(own.join('\n'));
    if (value === null) continue;
    out.push(`${OBJECT}${objects.length}`);
    objects.push({ start: 0, end: 0, value, isStrict: true });
    at += own.length;
  }
  return out;
}

const sayLeftOut = (lines: readonly string[], where: string, { format, note }: Reading): void => {
  const text = lines.filter((line) => line.trim() !== '' && !isCaseNumber(line, format.words)).join(' ');
  const moment = lines.find((line) => /^[ [(]{0,3}\d/.test(line) || momentLine(line, format) !== null);
  const hint = momentHint(moment?.slice(0, 40), format);
  if (text !== '') note(`left out: text ${where} ("${excerpt(text)}")${hint === null ? '' : `: ${hint}`}`);
};

/** The times of a log are not the user's, but may be: the last one of the user's turns. */
function sayStamps(stamps: State['stamps'], { format, note }: Reading): void {
  const last = stamps.findLast((entry) => entry.role === 'user') ?? stamps.at(-1);
  if (last === undefined) return;
  const times = stamps.map((entry) => `"${entry.stamp}"`);
  note(
    `left out: the time of each line (${listed(times, 4)}): ${momentHint(last.stamp, format) ?? `${HOW_MOMENT} for the moment of the request`}`,
  );
}

/** Whether an object stands behind a label of a log, such as `slots: {…}`: then it is no more than that line says. */
function isMetadata(text: string, { start }: Found, format: CaseFormat): boolean {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return line.trim() !== '' && readLabel(line, format)?.meaning.kind === 'metadata';
}

/** Text with labeled lines, and objects among them, as a draft; whether any label of a turn was found is its turns. */
export function readText(text: string, format: CaseFormat): Draft {
  const objects = findJson(text).filter((found) => !isMetadata(text, found, format));
  const lines = withPlaces(linesOf(text, objects), objects, format);
  const draft = emptyDraft(format);
  const state = startOf(draft, objects, findLetters(lines, format));
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const table = line.includes('|') || line.startsWith('+') ? tableAt(lines, at) : null;
    const end = at + (table?.length ?? 1);
    state.ahead = lines.slice(end, end + 5);
    if (table) onTable(state, table, lines.slice(at, end));
    else {
      onLine(state, line);
      if (!isMark(line)) state.isAfterBlank = line.trim() === '';
    }
    at = end;
  }
  const reading: Reading = { format, note: (assumption) => draft.assumed.push(assumption) };
  if (state.report)
    reading.note(
      `"${excerpt(state.report.value)}" was read as the state of the car, not as part of the response`,
    );
  sayStamps(state.stamps, reading);
  sayLeftOut(state.leftOut.preamble, 'before the first label', reading);
  sayLeftOut(state.leftOut.aside, 'that belongs to no turn', reading);
  return draft;
}
