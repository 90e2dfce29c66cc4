import { isRecord } from '../case.ts';
import type { CaseFormat } from '../case-format.ts';
import { Draft } from './draft.ts';
import { isHoursLine } from './hours.ts';
import { type Found, findJson, NOT_STRICT } from './json.ts';
import { counts, onLabel } from './labeled-lines.ts';
import { holdsVenue, isReadable, textOf, turnOf } from './labels.ts';
import { findLetters, isCaseNumber, isTurnNumber, type Labeled, readLabel } from './line-starts.ts';
import { HOW_MOMENT, momentHint, momentLine } from './moments.ts';
import { addTurns, addVenue, readKeys } from './objects.ts';
import { type Table, tableAt, tableLines } from './tables.ts';
import { BLOCK_BEGINS, BLOCK_ENDS, excerpt, listed } from './text.ts';
import { beginBlock, endBlock, isMark, lastTurn, OBJECT, onPlain, onVenue, TextState } from './text-state.ts';

/** Whose the keys of an object in a block are. */
const OWNER = { none: 'case', user: 'context', venue: 'venue' } as const;

/** An object among the lines: it belongs to the label before it, or to the block that it stands in, or says what it is by itself. */
function onObject(state: TextState, value: object): void {
  const { draft, target, block } = state;
  const { format } = draft;
  const before = draft.venue.length;
  const [first, ...more] = Array.isArray(value) ? value : [value];
  const open = target.to === 'turn' ? target.turn : null;
  const text = open?.text.trim() === '' ? textOf(value, format.words) : null;
  if ([first, ...more].some((item) => turnOf(item, format) !== null)) {
    addTurns(draft, [first, ...more], 'list');
    state.target = { to: 'aside' };
  } else if (Array.isArray(value)) {
    if (isRecord(first)) onObject(state, first);
    state.target = { to: 'aside' };
  } else if (!isReadable(value, format)) onPlain(state, text ?? JSON.stringify(value));
  else if (holdsVenue(value, format)) addVenue(draft, value, 'venue');
  else {
    if (open && text !== null) open.text = text;
    readKeys(draft, value, open?.role ?? OWNER[block]);
  }
  if (draft.venue.length > before) {
    draft.block.push(JSON.stringify(value));
    draft.blockAt ??= draft.turns.length;
  }
}

function onFound(state: TextState, found: Found): void {
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
  const [start = '', ...pieces] = line.split(/(?<=[,;|·])/);
  const parts = [start];
  for (const piece of pieces) {
    const labeled = readLabel(piece, format);
    const isOfPlace = labeled?.meaning.kind === 'place' && first.meaning.kind === 'place';
    const last = parts.pop() ?? '';
    if (labeled && !labeled.alone && !isOfPlace && INLINE.has(labeled.meaning.kind))
      parts.push(last.replace(/[,;|·]$/, '').trimEnd(), piece);
    else parts.push(last + piece);
  }
  return parts;
}

const isAnswered = (state: TextState): boolean => lastTurn(state)?.role === 'system';

/** A day's hours within a venue's block or beside a conversation, with or without a header for them. */
function onHours(state: TextState, line: string): boolean {
  const { target, draft, block } = state;
  const isOpen =
    block === 'venue' ||
    (target.to === 'venue' && target.entry.field === 'openingHours') ||
    // After lines of date or time: it can be of nothing but the place.
    (target.to === 'aside' && isAnswered(state));
  if (!isOpen || !isHoursLine(line, draft.format.words)) return false;
  const entry = draft.venue.find(({ field }) => field === 'openingHours');
  if (typeof entry?.value !== 'string')
    onVenue(state, { label: 'Opening hours', value: line.trim() }, 'openingHours', line);
  else {
    const value = `${entry.value}\n${line.trim()}`;
    state.target = { to: 'venue', entry: Object.assign(entry, { value }) };
    draft.block.push(line);
  }
  return true;
}

function onLine(state: TextState, line: string): void {
  const found = line.startsWith(OBJECT) ? state.objects[Number(line.slice(1))] : undefined;
  if (line === BLOCK_BEGINS) beginBlock(state);
  else if (line === BLOCK_ENDS) endBlock(state);
  else if (found) onFound(state, found);
  else if (line.trim() === '' || isTurnNumber(line, state.draft.format.words)) onPlain(state, '');
  else if (!onHours(state, line)) onWords(state, line);
}

function onWords(state: TextState, line: string): void {
  const { format } = state.draft;
  const first = readLabel(line, format);
  for (const part of partsOf(line, first, format)) {
    const labeled = part === line ? first : readLabel(part, format);
    const isLabel = labeled !== null && counts(state, labeled);
    const rest = isLabel ? onLabel(state, labeled, part) : '';
    if (!isLabel) onPlain(state, part);
    else if (rest !== '') onLine(state, rest);
  }
}

/** A table is read where attributes of a venue would be; elsewhere, and with other words in it, it is text. */
function onTable(state: TextState, table: Table, lines: readonly string[]): void {
  const { draft, target, block, ahead } = state;
  const labeled = tableLines(table, draft.format);
  if (labeled === 'several' && target.to !== 'document' && (block === 'venue' || isAnswered(state))) {
    draft.assumed.push('left out: a table of several places; write the recommended one as “Name: Chez Luc”');
    return;
  }
  const isRead = (line: string) => {
    const found = readLabel(line, draft.format);
    return found !== null && counts(state, found);
  };
  const rows = Array.isArray(labeled) && labeled.some(isRead) ? labeled : lines;
  for (const [at, line] of rows.entries()) {
    state.ahead = [...rows.slice(at + 1, at + 6), ...ahead];
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

/** Says what was left out: the times of a log, of which the last one of the user's may be the moment, and lines that belong to nothing. */
function sayLeftOut({ draft: { format, assumed, turns }, leftOut, report }: TextState): void {
  if (report)
    assumed.push(`"${excerpt(report.value)}" was read as the state of the car, not as part of the response`);
  const stamped = turns.filter(({ stamp }) => stamp);
  const last = stamped.findLast(({ role }) => role === 'user') ?? stamped.at(-1);
  if (last) {
    const times = stamped.map(({ stamp }) => `"${stamp}"`);
    const hint = momentHint(last.stamp, format) ?? `${HOW_MOMENT} for the moment of the request`;
    assumed.push(`left out: the time of each line (${listed(times, 4)}): ${hint}`);
  }
  const isSaid = (hint: string) => assumed.some((note) => note.endsWith(`: ${hint}`));
  const say = (lines: readonly string[], where: string) => {
    const said = lines.filter((line) => line.trim() !== '' && !isCaseNumber(line, format.words));
    const moment = said.find((line) => /^[ [(]{0,3}\d/.test(line) || momentLine(line, format) !== null);
    const hint = momentHint(moment?.slice(0, 40), format);
    const text = `left out: text ${where} ("${excerpt(said.join(' '))}")`;
    if (said.length > 0) assumed.push(hint === null || isSaid(hint) ? text : `${text}: ${hint}`);
  };
  say(leftOut.preamble, 'before the first label');
  say(leftOut.aside, 'that belongs to no turn');
}

/** Whether an object stands behind a label of a log, such as `slots: {…}`: then it is no more than that line says. */
function isMetadata(text: string, { start }: Found, format: CaseFormat): boolean {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return line.trim() !== '' && readLabel(line, format)?.meaning.kind === 'metadata';
}

/** Text with labeled lines, and objects among them, as a draft; whether any label of a turn was found is its turns. */
export function readText(text: string, format: CaseFormat): Draft {
  const objects = findJson(text).filter((found) => !isMetadata(text, found, format));
  const lines = linesOf(text, objects);
  const state = new TextState(new Draft(format), objects, findLetters(lines, format));
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
  sayLeftOut(state);
  return state.draft;
}
