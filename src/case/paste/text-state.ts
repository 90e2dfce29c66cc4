import type { CaseFormat } from '../case-format.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import type { ContextEntry, VenueEntry } from './attributes.ts';
import type { Draft, DraftTurn } from './draft.ts';
import { isMeantAsHours } from './hours.ts';
import type { Found } from './json.ts';
import { meaningOf, type Role } from './labels.ts';
import { begins, type Labeled, type Letters, phrases, readLabel, STAMP, withoutMark } from './line-starts.ts';
import { saidAmongPairs } from './log-lines.ts';
import { momentLine } from './moments.ts';
import { BLOCK_BEGINS, BLOCK_ENDS, excerpt, isBlank, stripQuotes } from './text.ts';

/** Where the next line without a label goes. */
type Target =
  | { to: 'preamble' | 'aside' | 'expected' }
  | { to: 'turn'; turn: DraftTurn }
  | { to: 'context'; entry: ContextEntry & { value: string } }
  | { to: 'venue'; entry: VenueEntry & { value: string } }
  | { to: 'document'; document: { text: string } };

/** What has been read of a text so far, and what is open. */
export class TextState {
  draft: Draft;
  /** What stands in the text as an object; each has a line of its own there. */
  objects: readonly Found[];
  letters: Letters | null;
  target: Target = { to: 'preamble' };
  /** Whose block the lines are in: it decides whose a location is. */
  block: 'none' | 'user' | 'venue' = 'none';
  /** Whether a header opened the block, so that a label of a turn does not close it. */
  isNamed = false;
  /** Lines before the first label, and lines that belong to nothing. */
  leftOut: { preamble: string[]; aside: string[] } = { preamble: [], aside: [] };
  /** The lines still to come. */
  ahead: readonly string[] = [];
  /** How many quotes and fences the line is in, and how many the turn or document that is open was begun in. */
  depth = 0;
  openDepth = 0;
  /** Whether the open turn is over: what follows it is no longer what was said. */
  isOver = false;
  /** Whether it continued behind the venue's data. */
  isGoingOn = false;
  /** The last line of the open turn that is not blank, and whether a blank line came just before. */
  last = '';
  isAfterBlank = false;
  /** What the car reported of its state. */
  report: (ContextEntry & { value: string }) | null = null;

  constructor(draft: Draft, objects: readonly Found[], letters: Letters | null) {
    this.draft = draft;
    this.objects = objects;
    this.letters = letters;
  }
}

/** Stands for an object within the text; control characters were removed from it, so it cannot be forged. */
export const OBJECT = '\u0000';

/** Whether a line only says that a quote or a fence begins or ends. */
export const isMark = (line: string): boolean => line === BLOCK_BEGINS || line === BLOCK_ENDS;
/** Whether quotes stand around the whole of a text. */
export const isQuoted = (text: string): boolean => stripQuotes(text) !== text.trim();
/** `Notes: …`, `*Reproducibility:* 3/5`: another attribute, which no rubric asks for. */
export const hasOtherLabel = (line: string): boolean =>
  /^[-*• ]{0,4}\p{L}[\p{L}\d_ ]{1,30}:\*{0,2} ?\S/u.test(line);
/** Whether a line announces what stands below it. */
export const announces = (line: string): boolean => /:$/.test(line.trimEnd());

export const lastTurn = (state: TextState): DraftTurn | undefined => state.draft.turns.at(-1);

/** The next line that says something. */
export const nextLine = (state: TextState): string | undefined =>
  state.ahead.find((line) => !isBlank(line) && !isMark(line));

export function openTurn(
  state: TextState,
  role: Role,
  { word, value, marked, sign, stamp }: Pick<Labeled, 'word' | 'value' | 'marked' | 'sign' | 'stamp'>,
): void {
  // A block of text in YAML begins on the next line.
  const said = value.replace(/^[|>][-+]?$/, '');
  const { text, marked: isMarked } = withoutMark(saidAmongPairs(said) ?? said, state.draft.format.words);
  const turn: DraftTurn = { role, word, text, marked: marked || isMarked, sign, stamp };
  state.draft.turns.push(turn);
  const fresh = { openDepth: state.depth, isOver: false, isGoingOn: false, isAfterBlank: false };
  Object.assign(state, { target: { to: 'turn', turn }, last: text, ...fresh });
}

function closeTurn(state: TextState): void {
  state.isOver = true;
  state.target = { to: 'aside' };
}

/** A quote or fence begins: a turn or document that has no text yet is what stands in it. */
export function beginBlock(state: TextState): void {
  const { target } = state;
  state.depth += 1;
  const open = target.to === 'turn' ? state.last : target.to === 'document' ? target.document.text : null;
  if (open === '') state.openDepth = state.depth;
}

/** The quote or fence ends: what was said in it is over. */
export function endBlock(state: TextState): void {
  state.depth -= 1;
  if (state.target.to !== 'preamble' && state.openDepth > state.depth) closeTurn(state);
}

/** A user's turn may continue after the situation; a response has ended, and what follows is a remark about it. */
export function leaveContext(state: TextState): void {
  const turn = lastTurn(state);
  const goesOn = turn && !state.isOver && !state.isNamed && (turn.role === 'user' || isBlank(turn.text));
  state.target = goesOn ? { to: 'turn', turn } : { to: 'aside' };
}

export function onVenue(
  state: TextState,
  { label, value, unit }: Pick<Labeled, 'label' | 'value' | 'unit'>,
  field: VenueEntry['field'],
  line: string,
): void {
  const { draft } = state;
  const entry = { field, label, value, unit, after: draft.turns.length };
  if (state.block === 'none') state.block = 'venue';
  draft.venue.push(entry);
  draft.block.push(line);
  draft.blockAt ??= draft.turns.length;
  state.target = { to: 'venue', entry };
}

/** A line as a car reports its state: a name, and a state or a number. */
const reports = oncePer(({ values: { states, stateUnits } }: Words) => {
  const value = `(?:-?\\d{1,5}(?:[.,]\\d{1,3})? ?${alternatives(stateUnits)}?|${alternatives(states)})`;
  const name = String.raw`\p{L}[\p{L}\d_./-]{0,40}`;
  // What ends a value and what parts two of them do not overlap: else, lines of a certain form take hours to read.
  const pair = `${name}=[^\\s=]{0,29}[^\\s=,;]`;
  return new RegExp(
    `^(?:[-*•] ?)?${name}(?: ${name}){0,4} ?[:=] ?${value}$|^${name} ?[:=]? ?${pair}(?:[ ,;]{1,2}${pair}){0,19}[ ,;]{0,2}$`,
    'iu',
  );
});

/** Whether a car reports its state in a line; a name that is a label says something else. */
const isReport = (line: string, format: CaseFormat): boolean =>
  line.length <= 200 &&
  reports(format.words).test(line.trim()) &&
  meaningOf(line.replace(/^[ *•-]{1,20}/, '').split(/ ?[:=]/, 1)[0] ?? '', format) === null;

/** A line below the answer that the car reports its state in, where a field holds that. */
function onReport(state: TextState, line: string): boolean {
  const { format, context } = state.draft;
  // What the answer announces and lists is its own.
  if (!isReport(line, format) || announces(state.last) || isReport(state.last, format)) return false;
  const meaning = meaningOf('reported state', format)?.meaning;
  if (meaning?.kind !== 'context') return false;
  if (state.report) state.report.value += `; ${line.trim()}`;
  else {
    state.report = { field: meaning.field, label: 'State', value: line.trim() };
    context.push(state.report);
  }
  return true;
}

/** A line below an attribute of the venue: more of it, or the answer continues. */
function onVenueLine(state: TextState, entry: VenueEntry & { value: string }, line: string): void {
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
function isForApp({ draft, isAfterBlank, ahead }: TextState, line: string): boolean {
  const { words } = draft.format;
  if (begins(line, 'appFirst', words)) return true;
  if (!isAfterBlank) return false;
  const end = ahead.findIndex(isBlank);
  const paragraph = [line, ...ahead.slice(0, end < 0 ? undefined : end)];
  return paragraph.some((one) => phrases(words).app.test(one));
}

/** Whether a line is what a colleague says about the answer above it. */
const isComment = ({ draft, isAfterBlank }: TextState, line: string): boolean =>
  begins(line, 'remark', draft.format.words) || (isAfterBlank && begins(line, 'comment', draft.format.words));

/** Whether a line within or after a turn is the moment of the request; one of several is an option to choose from. */
function isMoment(state: TextState, line: string): boolean {
  const { format } = state.draft;
  const kind = momentLine(line, format);
  if (kind === null || /[:,]$/.test(state.last.trimEnd())) return false;
  if ([state.last, nextLine(state) ?? ''].some((other) => momentLine(other, format) !== null)) return false;
  const [after = ''] = state.ahead;
  const isAlone = isBlank(after) || isMark(after);
  const isBelow = hasOtherLabel(after) || readLabel(after, format) !== null;
  return kind === 'date' ? isAlone || isBelow : isAlone && state.isAfterBlank;
}

function takeMoment(state: TextState, line: string): void {
  const said = `"${excerpt(line, 60)}" was read as the user's date and time, not as part of the response`;
  state.draft.assumed.push(said);
  state.draft.context.push({ field: 'dateTime', label: 'Date and time', value: line.trim() });
  leaveContext(state);
}

const BEGINS_WITH_TIME = new RegExp(`^${STAMP} `);

/** A line of a turn, or the first one after a response that is no longer part of it. */
function onTurnLine(state: TextState, turn: DraftTurn, line: string): void {
  if (state.last !== '' && !isBlank(line)) {
    const isAnswer = turn.role === 'system';
    if (isAnswer && onReport(state, line)) return;
    // Where each turn has its time, a line with a time and no speaker is none.
    const isEvent = Boolean(turn.stamp) && BEGINS_WITH_TIME.test(line.trim());
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

/** Text behind the venue's data, or with a label, may be the rest of the turn or something else. */
function sayDoubt(state: TextState, { role }: DraftTurn, line: string): void {
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

/** What was expected may continue for lines, up to a blank one. */
function onExpectedLine(state: TextState, line: string): void {
  const { fields } = state.draft;
  const { groundTruth } = fields;
  const isOther = hasOtherLabel(line) || /^ *[-=_*]{3,}/.test(line) || isComment(state, line);
  if (groundTruth !== undefined && (isOther || isBlank(line))) {
    state.target = { to: 'aside' };
    onPlain(state, line);
  } else if (!isBlank(line))
    fields.groundTruth = groundTruth === undefined ? line.trim() : `${groundTruth}\n${line.trim()}`;
}

/** Whether a field of the user's situation continues behind this value: what a car reports takes several lines. */
export const goesOnBehind = (value: string, field: ContextEntry['field'], format: CaseFormat): boolean =>
  value === '' || (typeof field === 'object' && field.type === 'text' && isReport(value, format));

function onContextLine(state: TextState, entry: ContextEntry & { value: string }, line: string): void {
  const { format } = state.draft;
  const isPart = entry.value === '' || goesOnBehind(line, entry.field, format);
  if (isPart) entry.value = [entry.value, line.trim()].filter(Boolean).join('; ');
  if (isPart && goesOnBehind(line, entry.field, format)) return;
  leaveContext(state);
  if (!isPart) onPlain(state, line);
}

/** A line without a label, by what is open. */
export function onPlain(state: TextState, line: string): void {
  const { target } = state;
  if (target.to === 'turn') onTurnLine(state, target.turn, line);
  else if (target.to === 'document') target.document.text += `\n${line}`;
  else if (target.to === 'expected') onExpectedLine(state, line);
  else if (target.to === 'venue') onVenueLine(state, target.entry, line);
  else if (isBlank(line)) return;
  else if (target.to === 'context') onContextLine(state, target.entry, line);
  else if (target.to === 'preamble') state.leftOut.preamble.push(line);
  else if (isMoment(state, line)) takeMoment(state, line);
  else state.leftOut.aside.push(line);
}
