import { alternatives, oncePer, type Words } from '../words.ts';
import { isMeantAsHours } from './hours.ts';
import { readLabel, STAMP } from './label-line.ts';
import { meaningOf } from './labels.ts';
import { momentLine } from './moments.ts';
import { begins, phrases } from './phrases.ts';
import { type DraftTurn, speaks } from './problems.ts';
import { closeTurn, isMark, lastTurn, leaveContext, nextLine, openTurn, type State } from './state.ts';
import { excerpt, stripQuotes } from './text.ts';
import { describesPlace, readPlaceText, type VenueEntry } from './venue.ts';

/** Whether quotes stand around the whole of a text. */
export const isQuoted = (text: string): boolean => stripQuotes(text) !== text.trim();
const isBullet = (line: string): boolean => /^ *[-•*–·] ?\S/.test(line);

/** Whether an attribute is a list, which may go on for lines. */
const isMenu = ({ field }: VenueEntry): boolean =>
  field === 'menu' || (typeof field === 'object' && field.type === 'list');

/** Whether an entry says how the car stands: that may take a line for each part of it. */
const isState = ({ field }: VenueEntry): boolean => typeof field === 'object' && field.type === 'text';

/** Whether a line goes on with the attribute of a venue that was begun. */
function goesOn(entry: VenueEntry & { value: string }, line: string, words: Words): boolean {
  if (line.trim() === '') return false;
  if (entry.value === '') return true;
  if (isState(entry)) return reports(words).test(line.trim());
  if (entry.field === 'openingHours') return isMeantAsHours(line, words);
  return isMenu(entry) && isBullet(line);
}

function onVenueLine(state: State, entry: VenueEntry & { value: string }, line: string): void {
  const { words } = state.draft.format;
  if (goesOn(entry, line, words)) {
    const isList = isMenu(entry) || entry.field === 'openingHours';
    const glue = isState(entry) ? '; ' : '\n';
    entry.value =
      (isList || isState(entry)) && entry.value !== '' ? `${entry.value}${glue}${line.trim()}` : line.trim();
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
  const isOver = turn === undefined || state.isOver || isQuoted(turn.text);
  if (state.isNamed || isOver || OTHER_LABEL.test(line)) state.leftOut.aside.push(line);
  else {
    state.target = { to: 'turn', turn };
    onTurnLine(state, turn, line);
  }
}

const isBlank = (line: string): boolean => line.trim() === '';

/** Whether a line, or the paragraph that it begins, speaks to the app and not to the user. */
function isForApp(state: State, line: string): boolean {
  const { words } = state.draft.format;
  if (begins(line, 'appFirst', words)) return true;
  if (!state.isAfterBlank) return false;
  const end = state.ahead.findIndex(isBlank);
  return [line, ...state.ahead.slice(0, end < 0 ? state.ahead.length : end)].some((one) =>
    phrases(words).app.test(one),
  );
}

/** Whether a line is what a colleague says about the answer above it. */
const isComment = ({ draft, isAfterBlank }: State, line: string): boolean =>
  begins(line, 'remark', draft.format.words) || (isAfterBlank && begins(line, 'comment', draft.format.words));

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

const BEGINS_WITH_TIME = new RegExp(`^${STAMP} `);

/** A line of a turn, or the first one after a response that is no longer part of it. */
function onTurnLine(state: State, turn: DraftTurn, line: string): void {
  const isFilled = state.last !== '' && line.trim() !== '';
  const isAnswered = isFilled && turn.role === 'system';
  // What was said may end with its quotes.
  const isPastQuotes = isFilled && isQuoted(turn.text) && !/[:,]["'”“]$/.test(turn.text.trim());
  if (isAnswered && onReport(state, line)) return;
  // Where each turn has its time, a line with a time and no speaker is none.
  const isEvent = isFilled && state.stamps.length > 0 && BEGINS_WITH_TIME.test(line.trim());
  if (isPastQuotes || isEvent || (isAnswered && (isForApp(state, line) || isComment(state, line)))) {
    closeTurn(state);
    state.leftOut.aside.push(line);
  } else if (isAnswered && isMoment(state, line)) takeMoment(state, line);
  else {
    if (isFilled) sayDoubt(state, turn, line);
    turn.text += `\n${line}`;
    if (line.trim() !== '') state.last = line;
  }
}

/** Text behind the venue's data, or with a label, may be the turn going on or something else. */
function sayDoubt(state: State, { role }: DraftTurn, line: string): void {
  const { draft } = state;
  const isUser = role === 'user';
  if (!isUser && draft.blockAt === draft.turns.length && !state.isGoingOn) {
    state.isGoingOn = true;
    draft.assumed.push(`"${excerpt(line)}" after the venue's data was read as part of the response`);
    return;
  }
  const isOther = OTHER_LABEL.test(line) || /^ *[[(][^[\]]{3,80}[\])] *$/.test(line);
  const isLabeled = isOther && line.length <= 80 && !/:$/.test(state.last.trimEnd());
  if (isLabeled && (isUser || readLabel(line, draft.format) === null))
    draft.assumed.push(
      `"${excerpt(line, 60)}" was read as part of the ${isUser ? "user's turn" : 'response'}`,
    );
}

function leaveOut(state: State, line: string): void {
  state.leftOut[state.target.to === 'preamble' ? 'preamble' : 'aside'].push(line);
}

export function onPlain(state: State, line: string): void {
  const { target } = state;
  if (target.to === 'turn') onTurnLine(state, target.turn, line);
  else if (target.to === 'document') target.document.text += `\n${line}`;
  else if (target.to === 'field') onFieldLine(state, target.field, line);
  else if (target.to === 'venue') onVenueLine(state, target.entry, line);
  else if (target.to === 'context' && line.trim() !== '') {
    target.entry.value = line.trim();
    leaveContext(state);
  } else if (line.trim() === '') return;
  else if (
    target.to === 'aside' &&
    state.block === 'venue' &&
    !state.isOver &&
    !speaks(state.draft, 'system') &&
    line.length > 40
  ) {
    state.draft.assumed.push('the text of the recommendation was read as the response');
    openTurn(state, 'system', { word: 'block', value: line, marked: false });
  } else if (target.to === 'aside' && state.block === 'user' && addCoordinates(state, line)) return;
  else if (target.to === 'aside' && isMoment(state, line)) takeMoment(state, line);
  else leaveOut(state, line);
}

/** `Notes: …`, `*Reproducibility:* 3/5`: another attribute, which nobody asks for. */
const OTHER_LABEL = /^[-*• ]{0,4}\p{L}[\p{L}\d_ ]{1,30}:\*{0,2} ?\S/u;
export const hasOtherLabel = (line: string): boolean => OTHER_LABEL.test(line);

const reports = oncePer(({ values: { states, stateUnits } }: Words) => {
  const value = `(?:-?\\d{1,5}(?:[.,]\\d{1,3})? ?${alternatives(stateUnits)}?|${alternatives(states)})`;
  const name = String.raw`\p{L}[\p{L}\d_./-]{0,40}`;
  return new RegExp(
    `^[-*•] ?${name}(?: ${name}){0,4} ?[:=] ?${value}$|^${name}(?: ${name}){0,4} ?[:=] ?${value}$|^${name} ?[:=]? ?(?:${name}=[^\\s=]{1,30}[ ,;]{0,2}){1,20}$`,
    'iu',
  );
});

/** A line below the answer that the car reports its state in, where a field holds that. */
function onReport(state: State, line: string): boolean {
  const { format, context } = state.draft;
  const isReport = line.length <= 200 && reports(format.words).test(line.trim());
  if (!isReport || /:$/.test(state.last.trimEnd()) || readLabel(line, format) !== null) return false;
  const meaning = meaningOf('reported state', format)?.meaning;
  if (meaning?.kind !== 'context' || typeof meaning.field !== 'object') return false;
  if (state.report) state.report.value += `; ${line.trim()}`;
  else {
    state.report = { field: meaning.field, label: 'State', value: line.trim() };
    context.push(state.report);
  }
  return true;
}

/** What was expected may go on for lines, up to a blank one. */
function onFieldLine(state: State, field: 'id' | 'rubric' | 'groundTruth', line: string): void {
  const { fields } = state.draft;
  const before = fields[field];
  const isOther = OTHER_LABEL.test(line) || /^ *[-=_*]{3,}/.test(line) || isComment(state, line);
  if (before !== undefined && isOther) {
    state.target = { to: 'aside' };
    leaveOut(state, line);
  } else if (line.trim() !== '')
    fields[field] = before === undefined ? line.trim() : `${before}\n${line.trim()}`;
  else if (before !== undefined) state.target = { to: 'aside' };
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
