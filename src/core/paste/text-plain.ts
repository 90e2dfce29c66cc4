import { stripQuotes } from './clean-text.ts';
import { isHoursLine } from './read-hours.ts';
import { readPlaceText } from './read-place.ts';
import type { VenueEntry } from './read-venue.ts';
import { lastTurn, leaveContext, openTurn, type State, saysSystem } from './text-state.ts';

const isBullet = (line: string): boolean => /^ *[-•*–·] ?\S/.test(line);

/** Whether a line goes on with the attribute of a venue that was begun. */
function goesOn(entry: VenueEntry & { value: string }, line: string): boolean {
  if (line.trim() === '') return false;
  if (entry.value === '') return true;
  if (entry.field === 'hours') return isHoursLine(line);
  return entry.field === 'menu' && isBullet(line);
}

function onVenueLine(state: State, entry: VenueEntry & { value: string }, line: string): void {
  if (goesOn(entry, line)) {
    const isList = entry.field === 'menu' || entry.field === 'hours';
    entry.value = isList ? `${entry.value}\n${line.trim()}` : line.trim();
    state.draft.block.push(line);
    return;
  }
  if (line.trim() === '') {
    state.draft.block.push(line);
    return;
  }
  const isOfPlace = entry.field === 'latitude' || entry.field === 'longitude';
  if (isOfPlace && /^ *(?:description|address|beschreibung) ?:/i.test(line)) {
    state.draft.venue.push({ field: 'location', label: 'location', value: line.trim() });
    return;
  }
  const turn = lastTurn(state);
  // "Notes: …" is another attribute, which nobody asks for, and not what the system said.
  const isOver = turn === undefined || stripQuotes(turn.text) !== turn.text.trim();
  if (state.isNamed || isOver || /^[-*• ]{0,4}\p{L}[\p{L} ]{1,24}: ?\S/u.test(line))
    state.leftOut.aside.push(line);
  else {
    state.target = { to: 'turn', turn };
    turn.text += `\n${line}`;
  }
}

export function onPlain(state: State, line: string): void {
  const { target } = state;
  if (target.to === 'turn') target.turn.text += `\n${line}`;
  else if (target.to === 'document') target.document.text += `\n${line}`;
  else if (target.to === 'venue') onVenueLine(state, target.entry, line);
  else if (target.to === 'context' && line.trim() !== '') {
    target.entry.value = line.trim();
    leaveContext(state);
  } else if (line.trim() === '') return;
  else if (target.to === 'aside' && state.block === 'venue' && !saysSystem(state) && line.length > 40) {
    state.draft.assumed.push('the text of the recommendation was read as the response');
    openTurn(state, { word: 'block', value: line, marked: false, role: 'system' });
  } else if (target.to === 'aside' && state.block === 'user' && addCoordinates(state, line)) return;
  else state.leftOut[target.to === 'preamble' ? 'preamble' : 'aside'].push(line);
}

/** Coordinates on a line of their own after a location in words. */
function addCoordinates(state: State, line: string): boolean {
  const entry = state.draft.context.findLast((candidate) => candidate.field === 'location');
  if (
    entry === undefined ||
    typeof entry.value !== 'string' ||
    readPlaceText(line, () => {})?.latitude === undefined
  )
    return false;
  entry.value = `${entry.value}, ${line.trim()}`;
  return true;
}
