import { excerpt } from './clean-text.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { type Found, findJson } from './find-json.ts';
import { isHoursLine } from './read-hours.ts';
import { addTurns, addVenue, holdsVenue, readKeys } from './read-keys.ts';
import { readLabel } from './read-label.ts';
import { isReadable } from './read-object.ts';
import type { Note } from './read-quantity.ts';
import { counts, onLabel, onNamedDocument } from './text-labels.ts';
import { onPlain } from './text-plain.ts';
import { OBJECT, onVenue, type State } from './text-state.ts';
import { textOf, turnOf } from './turn-keys.ts';

/** A list of turns, or the first object of another list. */
function onList(state: State, list: readonly unknown[]): void {
  const [first] = list;
  if (list.some((item) => turnOf(item) !== null)) addTurns(state.draft, list, 'list');
  else if (typeof first === 'object' && first !== null) onObject(state, first);
  state.target = { to: 'aside' };
}

/** An object that follows a label: what it says belongs to that turn, or to the block that it stands in. */
function onKeys(state: State, value: object): void {
  const { target, draft, block } = state;
  if (target.to === 'turn') {
    const text = target.turn.text.trim() === '' ? textOf(value) : null;
    if (text !== null) target.turn.text = text;
    readKeys(draft, value, target.turn.role);
  } else readKeys(draft, value, block === 'venue' ? 'venue' : block === 'user' ? 'context' : 'case');
}

function onObject(state: State, value: object): void {
  const { draft } = state;
  const before = draft.venue.length;
  if (Array.isArray(value)) onList(state, value);
  else if (turnOf(value)) onList(state, [value]);
  else if (!isReadable(value)) onPlain(state, JSON.stringify(value));
  else if (holdsVenue(value)) addVenue(draft, value, 'venue');
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
  if (!found.isStrict) state.draft.assumed.push('an object that is not strict JSON was read all the same');
  onObject(state, found.value);
}

/** `Date: 2024-03-04, Time: 20:35` and `Name: X | Rating: 4.6` are several lines in one. */
function partsOf(line: string): string[] {
  const kindsInline = new Set(['context', 'place', 'venue', 'venue-or-name']);
  const first = readLabel(line);
  if (first === null || !kindsInline.has(first.meaning.kind) || /^[[{]/.test(first.value)) return [line];
  const parts: string[] = [];
  for (const piece of line.split(/(?<=[,;|·])/)) {
    const labelled = parts.length === 0 ? null : readLabel(piece);
    const isOfPlace = labelled?.meaning.kind === 'place' && first.meaning.kind === 'place';
    const starts = labelled && !labelled.alone && !isOfPlace && kindsInline.has(labelled.meaning.kind);
    const last = parts.pop();
    if (last === undefined) parts.push(piece);
    else if (starts) parts.push(last.replace(/[,;|·]$/, '').trimEnd(), piece);
    else parts.push(last + piece);
  }
  return parts;
}

/** A day's hours within a venue's block, with or without a header for them. */
function onHours(state: State, line: string): boolean {
  const isOpen =
    state.block === 'venue' || (state.target.to === 'venue' && state.target.entry.field === 'hours');
  if (!isOpen || !isHoursLine(line)) return false;
  const entry = state.draft.venue.find((candidate) => candidate.field === 'hours');
  if (entry && typeof entry.value === 'string') {
    entry.value += `\n${line.trim()}`;
    state.target = { to: 'venue', entry: Object.assign(entry, { value: entry.value }) };
    state.draft.block.push(line);
  } else
    onVenue(
      state,
      {
        label: 'Opening hours',
        value: line.trim(),
        word: '',
        marked: false,
        alone: false,
        meaning: { kind: 'venue', field: 'hours' },
      },
      'hours',
      line,
    );
  return true;
}

function onLine(state: State, line: string): void {
  if (line.startsWith(OBJECT)) {
    const found = state.objects[Number(line.slice(1))];
    if (found) onFound(state, found);
    return;
  }
  if (line.trim() === '') {
    onPlain(state, '');
    return;
  }
  if (onHours(state, line)) return;
  const parts = partsOf(line);
  for (const part of parts) {
    const labelled = readLabel(part);
    if (labelled && counts(state, labelled)) onLabel(state, labelled, part);
    else if (!onNamedDocument(state, part)) onPlain(state, part);
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

const sayLeftOut = (lines: readonly string[], where: string, note: Note): void => {
  const text = lines.filter((line) => line.trim() !== '').join(' ');
  if (text !== '') note(`left out: text ${where} ("${excerpt(text)}")`);
};

/** Text with labelled lines, and objects among them, as a draft; whether any label of a turn was found is its turns. */
export function readText(text: string): Draft {
  const objects = findJson(text);
  const lines = linesOf(text, objects);
  const draft = emptyDraft();
  const state: State = {
    draft,
    target: { to: 'preamble' },
    block: 'none',
    isNamed: false,
    leftOut: { preamble: [], aside: [] },
    ahead: [],
    objects,
    read: onLine,
  };
  for (const [index, line] of lines.entries()) {
    state.ahead = lines.slice(index + 1, index + 6);
    onLine(state, line);
  }
  const note: Note = (assumption) => draft.assumed.push(assumption);
  sayLeftOut(state.leftOut.preamble, 'before the first label', note);
  sayLeftOut(state.leftOut.aside, 'that belongs to no turn', note);
  return draft;
}
