import type { Words } from '../words.ts';
import type { DraftTurn } from './draft.ts';
import { isMeantAsHours } from './hours.ts';
import { momentLine } from './moments.ts';
import { describesPlace, readPlaceText } from './place.ts';
import { addressesApp, beginsWithApp, readLabel, speakerOf } from './speakers.ts';
import { excerpt, stripQuotes } from './text.ts';
import {
  closeTurn,
  isMark,
  lastTurn,
  leaveContext,
  nextLine,
  openTurn,
  type State,
  saysSystem,
} from './text-state.ts';
import type { VenueEntry } from './venue.ts';

const isBullet = (line: string): boolean => /^ *[-•*–·] ?\S/.test(line);

/** Whether an attribute is a list, which may go on for lines. */
const isMenu = ({ field }: VenueEntry): boolean =>
  field === 'menu' || (typeof field === 'object' && field.type === 'list');

/** Whether a line goes on with the attribute of a venue that was begun. */
function goesOn(entry: VenueEntry & { value: string }, line: string, words: Words): boolean {
  if (line.trim() === '') return false;
  if (entry.value === '') return true;
  if (entry.field === 'openingHours') return isMeantAsHours(line, words);
  return isMenu(entry) && isBullet(line);
}

function onVenueLine(state: State, entry: VenueEntry & { value: string }, line: string): void {
  const { words } = state.draft.format;
  if (goesOn(entry, line, words)) {
    const isList = isMenu(entry) || entry.field === 'openingHours';
    entry.value = isList ? `${entry.value}\n${line.trim()}` : line.trim();
    state.draft.block.push(line);
    return;
  }
  if (line.trim() === '') {
    state.draft.block.push(line);
    return;
  }
  const isOfPlace = entry.field === 'latitude' || entry.field === 'longitude';
  if (isOfPlace && describesPlace(line, words)) {
    state.draft.venue.push({ field: 'location', label: 'location', value: line.trim() });
    return;
  }
  const turn = lastTurn(state);
  // "Notes: …" is another attribute, which nobody asks for, and not what the system said.
  const isOver = turn === undefined || state.isOver || stripQuotes(turn.text) !== turn.text.trim();
  if (state.isNamed || isOver || /^[-*• ]{0,4}\p{L}[\p{L} ]{1,24}: ?\S/u.test(line))
    state.leftOut.aside.push(line);
  else {
    state.target = { to: 'turn', turn };
    onTurnLine(state, turn, line);
  }
}

const isBlank = (line: string): boolean => line.trim() === '';

/** Whether a line, or the paragraph that it begins, speaks to the app and not to the user. */
function isForApp(state: State, line: string): boolean {
  const { words } = state.draft.format;
  if (beginsWithApp(line, words)) return true;
  if (!state.isAfterBlank) return false;
  const end = state.ahead.findIndex(isBlank);
  return [line, ...state.ahead.slice(0, end < 0 ? state.ahead.length : end)].some((one) =>
    addressesApp(one, words),
  );
}

/** Whether a line within or after a turn is the moment of the request; one of several is an option to choose from. */
function isMoment(state: State, line: string): boolean {
  const { format } = state.draft;
  const kind = momentLine(line, format);
  if (kind === null || /[:,]$/.test(state.last.trimEnd())) return false;
  const next = nextLine(state);
  if (momentLine(state.last, format) !== null || (next !== undefined && momentLine(next, format) !== null))
    return false;
  const after = state.ahead[0] ?? '';
  const isAlone = after.trim() === '' || isMark(after);
  return kind === 'date' ? isAlone || readLabel(after, format) !== null : isAlone && state.isAfterBlank;
}

function takeMoment(state: State, line: string): void {
  const { draft } = state;
  draft.assumed.push(
    `"${excerpt(line, 60)}" was read as the user's date and time, not as part of the response`,
  );
  draft.context.push({ field: 'dateTime', label: 'Date and time', value: line.trim() });
  leaveContext(state);
}

/** A line of a turn, or the first one after a response that is no longer part of it. */
function onTurnLine(state: State, turn: DraftTurn, line: string): void {
  const isAnswered = turn.role === 'system' && state.last !== '' && line.trim() !== '';
  if (isAnswered && isForApp(state, line)) {
    closeTurn(state);
    state.leftOut.aside.push(line);
  } else if (isAnswered && isMoment(state, line)) takeMoment(state, line);
  else if (state.stamps.length > 0 && speakerOf(line, state.draft.format.words) !== null) {
    closeTurn(state);
    leaveOut(state, line);
  } else {
    if (isAnswered) sayAfterVenue(state, line);
    turn.text += `\n${line}`;
    if (line.trim() !== '') state.last = line;
  }
}

/** Text behind the venue's data may be the response going on, or a remark about it. */
function sayAfterVenue(state: State, line: string): void {
  const { draft } = state;
  if (draft.blockAt !== draft.turns.length || state.isGoingOn) return;
  state.isGoingOn = true;
  draft.assumed.push(`"${excerpt(line)}" after the venue's data was read as part of the response`);
}

function leaveOut(state: State, line: string): void {
  const name = speakerOf(line, state.draft.format.words);
  if (name !== null && !state.draft.speakers.has(name)) state.draft.speakers.set(name, line.trim());
  state.leftOut[state.target.to === 'preamble' ? 'preamble' : 'aside'].push(line);
}

export function onPlain(state: State, line: string): void {
  const { target } = state;
  if (target.to === 'turn') onTurnLine(state, target.turn, line);
  else if (target.to === 'document') target.document.text += `\n${line}`;
  else if (target.to === 'venue') onVenueLine(state, target.entry, line);
  else if (target.to === 'context' && line.trim() !== '') {
    target.entry.value = line.trim();
    leaveContext(state);
  } else if (line.trim() === '') return;
  else if (
    target.to === 'aside' &&
    state.block === 'venue' &&
    !state.isOver &&
    !saysSystem(state) &&
    line.length > 40
  ) {
    state.draft.assumed.push('the text of the recommendation was read as the response');
    openTurn(state, { word: 'block', value: line, marked: false, role: 'system' });
  } else if (target.to === 'aside' && state.block === 'user' && addCoordinates(state, line)) return;
  else if (target.to === 'aside' && isMoment(state, line)) takeMoment(state, line);
  else leaveOut(state, line);
}

/** Coordinates on a line of their own after a location in words. */
function addCoordinates(state: State, line: string): boolean {
  const entry = state.draft.context.findLast((candidate) => candidate.field === 'location');
  if (
    entry === undefined ||
    typeof entry.value !== 'string' ||
    readPlaceText(line, { format: state.draft.format, note: () => {} })?.latitude === undefined
  )
    return false;
  entry.value = `${entry.value}, ${line.trim()}`;
  return true;
}
