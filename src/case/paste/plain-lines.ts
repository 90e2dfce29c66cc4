import type { CaseFormat } from '../case-format.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import type { VenueEntry } from './attributes.ts';
import { isMeantAsHours } from './hours.ts';
import { readLabel, STAMP } from './label-line.ts';
import { meaningOf } from './labels.ts';
import { momentLine } from './moments.ts';
import { begins, phrases } from './phrases.ts';
import type { DraftTurn } from './problems.ts';
import { excerpt, isBlank } from './text.ts';
import {
  announces,
  closeTurn,
  hasOtherLabel,
  isMark,
  isQuoted,
  lastTurn,
  leaveContext,
  nextLine,
  type State,
} from './text-state.ts';

/** A line as a car reports its state: a name, and a state or a number. */
const reports = oncePer(({ values: { states, stateUnits } }: Words) => {
  const value = `(?:-?\\d{1,5}(?:[.,]\\d{1,3})? ?${alternatives(stateUnits)}?|${alternatives(states)})`;
  const name = String.raw`\p{L}[\p{L}\d_./-]{0,40}`;
  return new RegExp(
    `^(?:[-*•] ?)?${name}(?: ${name}){0,4} ?[:=] ?${value}$|^${name} ?[:=]? ?(?:${name}=[^\\s=]{1,30}[ ,;]{0,2}){1,20}$`,
    'iu',
  );
});

/** Whether a car reports its state in a line; a name that is a label says something else. */
const isReport = (line: string, format: CaseFormat): boolean =>
  line.length <= 200 &&
  reports(format.words).test(line.trim()) &&
  meaningOf(line.replace(/^[ *•-]{1,20}/, '').split(/ ?[:=]/, 1)[0] ?? '', format) === null;

/** A line below the answer that the car reports its state in, where a field holds that. */
function onReport(state: State, line: string): boolean {
  const { format, context } = state.draft;
  const meaning = meaningOf('reported state', format)?.meaning;
  if (meaning?.kind !== 'context' || announces(state.last) || !isReport(line, format)) return false;
  if (state.report) state.report.value += `; ${line.trim()}`;
  else {
    state.report = { field: meaning.field, label: 'State', value: line.trim() };
    context.push(state.report);
  }
  return true;
}

/** A line below an attribute of the venue: more of it, or the answer goes on. */
function onVenueLine(state: State, entry: VenueEntry & { value: string }, line: string): void {
  const { field, value } = entry;
  const { format } = state.draft;
  const type = typeof field === 'object' ? field.type : field === 'menu' ? 'list' : field;
  const goesOn =
    value === '' ||
    (type === 'text' && isReport(line, format)) ||
    (type === 'openingHours' && isMeantAsHours(line, format.words)) ||
    (type === 'list' && /^ *[-•*–·] ?\S/.test(line));
  if (isBlank(line) || goesOn) {
    state.draft.block.push(line);
    if (!isBlank(line))
      entry.value = [value, line.trim()].filter(Boolean).join(type === 'text' ? '; ' : '\n');
    return;
  }
  const turn = lastTurn(state);
  if (!turn || state.isOver || state.isNamed || isQuoted(turn.text) || hasOtherLabel(line))
    state.leftOut.aside.push(line);
  else {
    state.target = { to: 'turn', turn };
    onTurnLine(state, turn, line);
  }
}

/** Whether a line, or the paragraph that it begins, speaks to the app and not to the user. */
function isForApp({ draft, isAfterBlank, ahead }: State, line: string): boolean {
  const { words } = draft.format;
  if (begins(line, 'appFirst', words)) return true;
  if (!isAfterBlank) return false;
  const end = ahead.findIndex(isBlank);
  const paragraph = [line, ...ahead.slice(0, end < 0 ? undefined : end)];
  return paragraph.some((one) => phrases(words).app.test(one));
}

/** Whether a line is what a colleague says about the answer above it. */
const isComment = ({ draft, isAfterBlank }: State, line: string): boolean =>
  begins(line, 'remark', draft.format.words) || (isAfterBlank && begins(line, 'comment', draft.format.words));

/** Whether a line within or after a turn is the moment of the request; one of several is an option to choose from. */
function isMoment(state: State, line: string): boolean {
  const { format } = state.draft;
  const kind = momentLine(line, format);
  if (kind === null || /[:,]$/.test(state.last.trimEnd())) return false;
  if ([state.last, nextLine(state) ?? ''].some((other) => momentLine(other, format) !== null)) return false;
  const [after = ''] = state.ahead;
  const isAlone = isBlank(after) || isMark(after);
  const isBelow = hasOtherLabel(after) || readLabel(after, format) !== null;
  return kind === 'date' ? isAlone || isBelow : isAlone && state.isAfterBlank;
}

function takeMoment(state: State, line: string): void {
  const said = `"${excerpt(line, 60)}" was read as the user's date and time, not as part of the response`;
  state.draft.assumed.push(said);
  state.draft.context.push({ field: 'dateTime', label: 'Date and time', value: line.trim() });
  leaveContext(state);
}

const BEGINS_WITH_TIME = new RegExp(`^${STAMP} `);

/** A line of a turn, or the first one after a response that is no longer part of it. */
function onTurnLine(state: State, turn: DraftTurn, line: string): void {
  if (state.last !== '' && !isBlank(line)) {
    const isAnswer = turn.role === 'system';
    if (isAnswer && onReport(state, line)) return;
    // Where each turn has its time, a line with a time and no speaker is none.
    const isEvent = state.stamps.length > 0 && BEGINS_WITH_TIME.test(line.trim());
    // What was said may end with its quotes.
    if (isQuoted(turn.text) || isEvent || (isAnswer && (isForApp(state, line) || isComment(state, line)))) {
      closeTurn(state);
      state.leftOut.aside.push(line);
      return;
    }
    if (isAnswer && isMoment(state, line)) {
      takeMoment(state, line);
      return;
    }
    sayDoubt(state, turn, line);
  }
  turn.text += `\n${line}`;
  if (!isBlank(line)) state.last = line;
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
  const isOther = hasOtherLabel(line) || /^ *[[(][^[\]]{3,80}[\])] *$/.test(line);
  if (
    isOther &&
    line.length <= 80 &&
    !announces(state.last) &&
    (isUser || readLabel(line, draft.format) === null)
  )
    draft.assumed.push(
      `"${excerpt(line, 60)}" was read as part of the ${isUser ? "user's turn" : 'response'}`,
    );
}

/** What was expected may go on for lines, up to a blank one. */
function onExpectedLine(state: State, line: string): void {
  const { fields } = state.draft;
  const { groundTruth } = fields;
  const isOther = hasOtherLabel(line) || /^ *[-=_*]{3,}/.test(line) || isComment(state, line);
  if (groundTruth !== undefined && (isOther || isBlank(line))) {
    state.target = { to: 'aside' };
    onPlain(state, line);
  } else if (!isBlank(line))
    fields.groundTruth = groundTruth === undefined ? line.trim() : `${groundTruth}\n${line.trim()}`;
}

/** A line without a label, by what is open. */
export function onPlain(state: State, line: string): void {
  const { target } = state;
  if (target.to === 'turn') onTurnLine(state, target.turn, line);
  else if (target.to === 'document') target.document.text += `\n${line}`;
  else if (target.to === 'expected') onExpectedLine(state, line);
  else if (target.to === 'venue') onVenueLine(state, target.entry, line);
  else if (isBlank(line)) return;
  else if (target.to === 'context') {
    target.entry.value = line.trim();
    leaveContext(state);
  } else if (target.to === 'preamble') state.leftOut.preamble.push(line);
  else if (isMoment(state, line)) takeMoment(state, line);
  else state.leftOut.aside.push(line);
}
