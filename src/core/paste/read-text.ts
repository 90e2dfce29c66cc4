import { excerpt } from './clean-text.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { type Found, findJson } from './find-json.ts';
import { isHoursLine } from './read-hours.ts';
import { readLabel } from './read-label.ts';
import { addTurns, addVenue, holdsVenue, isReadable, readKeys } from './read-object.ts';
import type { Note } from './read-quantity.ts';
import { counts, onLabel, onNamedDocument } from './text-labels.ts';
import { onPlain } from './text-plain.ts';
import { OBJECT, onVenue, type State } from './text-state.ts';
import { textOf, turnOf } from './turn-keys.ts';

function onObject(state: State, found: Found): void {
  const { target, draft } = state;
  const { value } = found;
  const raw = JSON.stringify(value);
  const isValue = (target.to === 'venue' || target.to === 'context') && target.entry.value === '';
  if (!found.isStrict && !isValue)
    draft.assumed.push('an object that is not strict JSON was read all the same');
  if ((target.to === 'venue' || target.to === 'context') && target.entry.value === '') {
    const entry: { value: unknown } = target.entry;
    entry.value = value;
    state.target = { to: 'aside' };
  } else if (Array.isArray(value)) {
    if (value.some((item) => turnOf(item) !== null)) addTurns(draft, value, 'list');
    else if (value[0]) onObject(state, { ...found, isStrict: true, value: value[0] });
    state.target = { to: 'aside' };
  } else if (turnOf(value)) {
    addTurns(draft, [value], 'turn');
    state.target = { to: 'aside' };
  } else if (!isReadable(value)) onPlain(state, raw);
  else if (holdsVenue(value)) {
    addVenue(draft, value, 'venue');
    draft.block.push(raw);
  } else if (target.to === 'turn') {
    const text = target.turn.text.trim() === '' ? textOf(value) : null;
    const before = draft.venue.length;
    if (text !== null) target.turn.text = text;
    readKeys(draft, value, target.turn.role);
    if (draft.venue.length > before) draft.block.push(raw);
  } else {
    const before = draft.venue.length;
    readKeys(draft, value, state.block === 'venue' ? 'venue' : state.block === 'user' ? 'context' : 'case');
    if (draft.venue.length > before) draft.block.push(raw);
  }
}

/** `Date: 2024-03-04, Time: 20:35` and `Name: X | Rating: 4.6` are several lines in one. */
function partsOf(line: string): string[] {
  const kindsInline = new Set(['context', 'place', 'venue', 'venue-or-name']);
  const first = readLabel(line);
  if (first === null || !kindsInline.has(first.meaning.kind) || /^[[{]/.test(first.value)) return [line];
  const parts: string[] = [];
  for (const piece of line.split(/(?<=[,;|·])/)) {
    const labelled = parts.length === 0 ? null : readLabel(piece);
    const starts = labelled && !labelled.alone && kindsInline.has(labelled.meaning.kind);
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
    if (found) onObject(state, found);
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
