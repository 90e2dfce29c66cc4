import { oncePer } from '../../common/index.ts';
import { alternatives, type CaseFormat, type Words } from '../format/index.ts';
import { isRecord } from '../index.ts';
import { type Above, continuesRequest, kindBelow } from './answer-end.ts';
import type { ContextEntry, VenueEntry } from './attributes.ts';
import { BLOCK_BEGINS, BLOCK_ENDS, excerpt, isBlank, listed, stripQuotes } from './clean-text.ts';
import { HOW_MOMENT, momentHint, momentLine } from './dates-and-times.ts';
import { Draft, type DraftTurn, speaks } from './draft.ts';
import { type Found, findJson, NOT_STRICT } from './find-json.ts';
import { isHoursLine, isMeantAsHours } from './hours.ts';
import {
  attributeName,
  holdsVenue,
  isReadable,
  type Meaning,
  meaningOf,
  type Role,
  textOf,
  turnOf,
  wordOf,
} from './label-meanings.ts';
import {
  findLetters,
  isCaseNumber,
  isClosing,
  isLetter,
  isRemark,
  isTurnNumber,
  type Labeled,
  type Letters,
  STAMP,
  withoutMark,
} from './line-labels.ts';
import { joined, Line, lineOf } from './lines.ts';
import { addTurns, addVenue, readKeys } from './read-objects.ts';
import { claim } from './spans.ts';
import { type Table, tableAt, tableLines } from './tables.ts';
import type { Tracked } from './tracked-text.ts';
import { readLatencyMs } from './values.ts';

/** An attribute whose value can continue on the next line. */
type Open<Entry> = Entry & { value: string };

/** What the next line without a label is added to. */
type Target =
  | { to: 'preamble' | 'aside' | 'expected' }
  | { to: 'turn'; turn: DraftTurn }
  | { to: 'context'; entry: Open<ContextEntry> }
  | { to: 'venue'; entry: Open<VenueEntry> }
  | { to: 'document'; document: Draft['documents'][number] };

/** The state of reading a text line by line. The open turn is the last one, until it is over. */
interface State {
  readonly draft: Draft;
  readonly format: CaseFormat;
  /** The objects in the text, each by the line that it was put on. */
  readonly objects: ReadonlyMap<Line, FoundAt>;
  readonly letters: Letters | null;
  target: Target;
  /** The block that the lines are in. Decides whether a location is the user's or the venue's. */
  block: 'none' | 'user' | 'venue';
  /** Whether a header opened the block, so that a label of a turn does not close it. */
  isNamed: boolean;
  /** Lines before the first label, lines that belong to nothing, and remarks about the answer. */
  leftOut: { preamble: string[]; aside: string[]; remark: string[] };
  /** The next few lines. */
  ahead: readonly Line[];
  /** The number of quotes and fences around the line, and around the start of the open turn or document. */
  depth: number;
  openDepth: number;
  /** Whether the open turn's quote or fence began after its label, so that it holds nothing else. */
  isOwnBlock: boolean;
  /** Indentation of the open turn's label, in characters. */
  indent: number;
  /** Whether the turn has ended, so that nothing that follows is part of it. */
  isOver: boolean;
  /** Whether a remark, data or a dividing line has followed the open turn. */
  isLeft: boolean;
  /** The open turn's last line that is not blank, its lines, and whether the previous line was blank. */
  last: string;
  lines: string[];
  isAfterBlank: boolean;
  /** The state that the car reported below the answer. */
  report: Open<ContextEntry> | null;
}

/** An object in a text, with its position. */
type FoundAt = Found & { from: Tracked };

/** Whether a line is the mark of a quote or fence that begins or ends. */
const isMark = ({ text }: Line): boolean => text === BLOCK_BEGINS || text === BLOCK_ENDS;
/** Whether a text as a whole is in quotes. */
const isQuoted = (text: string): boolean => stripQuotes(text) !== text.trim();
const endsQuoted = (line: string): boolean => /["“”’'»«]$/.test(line.slice(-20).trimEnd());
/** Whether a line starts with a label, known or not: `Notes: …`, `*Reproducibility:* 3/5`. */
const hasOtherLabel = (line: string): boolean => /^[-*• ]{0,4}\p{L}[\p{L}\d_ ]{1,30}:\*{0,2} ?\S/u.test(line);
/** Whether a line announces what follows it. */
const announces = (line: string): boolean => /:$/.test(line.trimEnd());

const lastTurn = ({ draft }: State): DraftTurn | undefined => draft.turns.at(-1);
const isAnswered = (state: State): boolean => lastTurn(state)?.role === 'system';

/** The next line with text. */
const nextLine = ({ ahead }: State): Line | undefined =>
  ahead.find((line) => !isBlank(line.text) && !isMark(line));
const nextLabel = (state: State): Labeled | null => nextLine(state)?.label ?? null;

function leaveOut({ draft, leftOut }: State, where: keyof State['leftOut'], line: Line | Tracked): void {
  const from = 'from' in line ? line.from : line;
  leftOut[where].push(from.text);
  if (where === 'remark') draft.claims.push(claim({ is: 'remark', why: 'said about the answer' }, from));
  else
    draft.claims.push(
      claim(
        { is: 'left out', why: where === 'preamble' ? 'before the first label' : 'belongs to no turn' },
        from,
      ),
    );
}

// ---- Turns: where they begin and end

/** Of a turn's lines, at least this many are kept to tell whether it continues. */
const MOST_LINES = 40;

function openTurn(state: State, role: Role, labeled: Labeled, value: Tracked, line: Line): void {
  const { draft, format } = state;
  // `|` or `>` after a YAML key: the text begins on the next line.
  const spoken = /^[|>][-+]?$/.test(value.text) ? value.slice(0, 0) : value;
  const { text, marked } = withoutMark(spoken.text, format.words);
  const { word, sign, stamp } = labeled;
  const from = [spoken.slice(0, text.length)];
  const turn = { role, word, text, from, unsure: [], marked: labeled.marked || marked, sign, stamp };
  draft.turns.push(turn);
  Object.assign(state, {
    target: { to: 'turn', turn },
    last: text,
    lines: [text],
    openDepth: state.depth,
    isOwnBlock: false,
    indent: line.text.search(/\S/),
    isOver: false,
    isLeft: false,
    isAfterBlank: false,
  });
}

function closeTurn(state: State): void {
  state.isOver = true;
  state.target = { to: 'aside' };
}

/** Enters a quote or fence. An open turn or document without text is what it holds. */
function beginBlock(state: State): void {
  const { target } = state;
  state.depth += 1;
  const open = target.to === 'turn' ? state.last : target.to === 'document' ? target.document.text : null;
  if (open !== '') return;
  state.openDepth = state.depth;
  state.isOwnBlock = true;
}

/** Leaves a quote or fence, which ends a turn or document that began in it. */
function endBlock(state: State): void {
  state.depth -= 1;
  if (state.target.to !== 'preamble' && state.openDepth > state.depth) closeTurn(state);
}

/** After data: a user's turn may continue, but a response with text has ended. */
function leaveContext(state: State): void {
  const turn = lastTurn(state);
  const goesOn = turn && !state.isOver && !state.isNamed && (turn.role === 'user' || isBlank(turn.text));
  state.isLeft = true;
  state.target = goesOn ? { to: 'turn', turn } : { to: 'aside' };
}

function addToTurn(state: State, turn: DraftTurn, line: Line): void {
  turn.text += `\n${line.text}`;
  turn.from.push(line.from);
  if (isBlank(line.text)) return;
  state.last = line.text;
  state.lines.push(line.text);
  if (state.lines.length > MOST_LINES * 2) state.lines.splice(1, MOST_LINES);
}

/** Adds a line that may be part of a turn or a remark about it. */
function addUnsure(state: State, turn: DraftTurn, line: Line): void {
  if (state.isAfterBlank) turn.unsure.push(lineOf(state.format, '').from);
  turn.unsure.push(line.from);
}

/** Whether a line is a dividing line: dashes or similar signs. */
const isRule = ({ text }: Line): boolean =>
  /^ *(?:-{3,200}|={3,200}|_{3,200}|\*{3,200}|—{3,200}) *$/.test(text);

function onRule(state: State, line: Line): void {
  state.isLeft = true;
  state.draft.labels.push(line.from);
}

/** What comes before a line that follows the open turn's text. */
function aboveOf({ last, lines, isAfterBlank, indent, depth, openDepth, isLeft, isOwnBlock }: State): Above {
  const isInBlock = openDepth > 0 && depth >= openDepth && !isLeft;
  const block = isInBlock ? (isOwnBlock ? 'own' : 'shared') : 'none';
  return { answer: lines, last, isAfterBlank, indent, block };
}

/** Reads a line below a user's text. It continues the turn only if that is certain. */
function onLineBelowUser(state: State, turn: DraftTurn, line: Line): void {
  const isSure = !state.isLeft && turn.unsure.length === 0;
  if (isSure && continuesRequest(line.text, aboveOf(state), state.format.words)) addToTurn(state, turn, line);
  else addUnsure(state, turn, line);
}

/** Reads a line below an answer's text. */
function onLineBelow(state: State, turn: DraftTurn, line: Line): void {
  const { words } = state.format;
  const { isLeft } = state;
  const kind = kindBelow(line.text, aboveOf(state), words);
  if (kind === 'closing') closeTurn(state);
  if (kind === 'closing' || kind === 'remark') {
    state.isLeft = true;
    leaveOut(state, 'remark', line);
  } else if (kind === 'answer' && !isLeft && turn.unsure.length === 0) addToTurn(state, turn, line);
  else addUnsure(state, turn, line);
}

const BEGINS_WITH_TIME = new RegExp(`^${STAMP} `);

/** Reads a line without a label while a turn is open. It may end the turn. */
function onTurnLine(state: State, turn: DraftTurn, line: Line): void {
  const { text } = line;
  const isAnswer = turn.role === 'system';
  if (state.last === '' || isBlank(text)) {
    addToTurn(state, turn, line);
    return;
  }
  if (isAnswer && onReport(state, line)) return;
  // If turns have times, a line with a time but no speaker is an event, not speech.
  const isEvent = Boolean(turn.stamp) && BEGINS_WITH_TIME.test(text.trim());
  // A turn in quotes ends with its closing quote mark.
  if (isEvent || (turn.unsure.length === 0 && endsQuoted(state.last) && isQuoted(turn.text))) {
    closeTurn(state);
    leaveOut(state, isRemark(text, state.format.words) ? 'remark' : 'aside', line);
  } else if (isAnswer && isRule(line) && state.openDepth === 0) onRule(state, line);
  else if (isAnswer) onLineBelow(state, turn, line);
  else onLineBelowUser(state, turn, line);
}

// ---- What the car reported

/** A line in which a car reports its state: a name with a state or a number, or a list of `key=value` pairs. */
const reports = oncePer(({ values: { states, stateUnits } }: Words) => {
  const value = `(?:-?\\d{1,5}(?:[.,]\\d{1,3})? ?${alternatives(stateUnits)}?|${alternatives(states)})`;
  const name = String.raw`\p{L}[\p{L}\d_./-]{0,40}`;
  // The end of a value and the separator must not share characters, or backtracking could take hours on some lines.
  const pair = `${name}=[^\\s=]{0,29}[^\\s=,;]`;
  return new RegExp(
    `^(?:[-*•] ?)?${name}(?: ${name}){0,4} ?[:=] ?${value}$|^${name} ?[:=]? ?${pair}(?:[ ,;]{1,2}${pair}){0,19}[ ,;]{0,2}$`,
    'iu',
  );
});

/** Whether a car reports its state in a line. If the name is a known label, it does not. */
const isReport = (line: string, format: CaseFormat): boolean =>
  line.length <= 200 &&
  reports(format.words).test(line.trim()) &&
  meaningOf(line.replace(/^[ *•-]{1,20}/, '').split(/ ?[:=]/, 1)[0] ?? '', format) === null;

/** Reads a line below the answer as the car's reported state, if a declared field holds that. Returns whether it did. */
function onReport(state: State, line: Line): boolean {
  const { format } = state;
  // A list that the answer announces or has begun is part of the answer.
  if (!isReport(line.text, format) || announces(state.last) || isReport(state.last, format)) return false;
  const meaning = meaningOf('reported state', format)?.meaning;
  if (meaning?.kind !== 'context') return false;
  if (state.report) state.report.value += `; ${line.text.trim()}`;
  else {
    state.report = { field: meaning.field, label: 'State', value: line.text.trim(), from: [] };
    state.draft.context.push(state.report);
  }
  state.report.from.push(line.from);
  return true;
}

// ---- The venue, the user's situation, what was expected

function onVenue(
  state: State,
  { label, unit }: Pick<Labeled, 'label' | 'unit'>,
  value: Tracked,
  field: VenueEntry['field'],
  line: Line,
): void {
  const { draft } = state;
  const entry = { field, label, value: value.text, unit, after: draft.turns.length, from: [value] };
  if (state.block === 'none') state.block = 'venue';
  draft.venue.push(entry);
  draft.block.push(line.text);
  draft.blockAt ??= draft.turns.length;
  state.isLeft = true;
  state.target = { to: 'venue', entry };
}

/** Reads a line below an attribute of the venue. It may continue the attribute. */
function onVenueLine(state: State, entry: Open<VenueEntry>, line: Line): void {
  const { field, value } = entry;
  const { format } = state;
  const { text } = line;
  const type = typeof field === 'object' ? field.type : field === 'menu' ? 'list' : field;
  const goesOn =
    value === '' ||
    // A further line of reported state, not one after a result in words ("Result: done").
    (type === 'text' && isReport(text, format) && isReport(value, format)) ||
    (type === 'openingHours' && isMeantAsHours(text, format.words)) ||
    (type === 'list' && /^ *(?:[•*–·] ?|-(?!-?>) ?)\S/.test(text));
  if (isBlank(text) || goesOn) {
    state.draft.block.push(text);
    if (isBlank(text)) return;
    entry.value = [value, text.trim()].filter(Boolean).join(type === 'text' ? '; ' : '\n');
    entry.from.push(line.from);
  } else if (!onReport(state, line)) onStrayLine(state, line);
}

/** Reads a line that belongs to nothing that is open. It may be part of an answer that is not over. */
function onStrayLine(state: State, line: Line): void {
  const turn = lastTurn(state);
  const { words } = state.format;
  const isOpen = turn?.role === 'system' && !isBlank(turn.text) && !state.isOver && !state.isNamed;
  if (isClosing(line.text, words)) state.isOver = true;
  if (isRule(line)) onRule(state, line);
  else if (isRemark(line.text, words)) leaveOut(state, 'remark', line);
  else if (!isOpen || state.isOver || isQuoted(turn.text)) leaveOut(state, 'aside', line);
  else addUnsure(state, turn, line);
}

/** Reads a line of the expected answer, which ends at a blank line, another label, a dividing line or a remark. */
function onExpectedLine(state: State, line: Line): void {
  const { fields } = state.draft;
  const { groundTruth } = fields;
  const { text } = line;
  const isOther =
    hasOtherLabel(text) ||
    /^ *[-=_*]{3,}/.test(text) ||
    isRemark(text, state.format.words) ||
    isClosing(text, state.format.words);
  if (groundTruth !== undefined && (isOther || isBlank(text))) {
    state.target = { to: 'aside' };
    onPlain(state, line);
  } else if (!isBlank(text)) {
    fields.groundTruth = groundTruth === undefined ? text.trim() : `${groundTruth}\n${text.trim()}`;
    state.draft.claims.push(claim({ is: 'field', path: 'groundTruth' }, line.from));
  }
}

/** Whether a field of the user's situation continues after this value, because a car's report takes several lines. */
const goesOnBehind = (value: string, field: ContextEntry['field'], format: CaseFormat): boolean =>
  value === '' || (typeof field === 'object' && field.type === 'text' && isReport(value, format));

function onContextLine(state: State, entry: Open<ContextEntry>, line: Line): void {
  const { format } = state;
  const { text } = line;
  const isPart = entry.value === '' || goesOnBehind(text, entry.field, format);
  if (isPart) {
    entry.value = [entry.value, text.trim()].filter(Boolean).join('; ');
    entry.from.push(line.from);
    if (goesOnBehind(text, entry.field, format)) return;
  }
  leaveContext(state);
  if (!isPart) onPlain(state, line);
}

/** Reads a line without a label that counts; what is open decides its meaning. */
function onPlain(state: State, line: Line): void {
  const { target } = state;
  if (target.to === 'turn') onTurnLine(state, target.turn, line);
  else if (target.to === 'document') {
    target.document.text += `\n${line.text}`;
    target.document.from.push(line.from);
  } else if (target.to === 'expected') onExpectedLine(state, line);
  else if (target.to === 'venue') onVenueLine(state, target.entry, line);
  else if (isBlank(line.text)) return;
  else if (target.to === 'context') onContextLine(state, target.entry, line);
  else if (target.to === 'preamble') leaveOut(state, 'preamble', line);
  else onStrayLine(state, line);
}

// ---- Labels

/** The object of the case that holds a label's declared field, such as `action`. */
const objectOf = (meaning: Meaning | undefined): string | undefined =>
  meaning?.kind === 'venue' && typeof meaning.field === 'object' ? meaning.field.of : undefined;

/** Whether a label names what the system did: `Action: …`. */
const isAction = (meaning: Meaning | undefined): boolean =>
  !['recommendation', undefined].includes(objectOf(meaning));

/**
 * Whether a label of a venue, or of what the system did, is in a valid place: after the answer or in the venue's block.
 * What the system did may also come directly before the answer.
 */
function isOfVenue(state: State, labeled: Labeled): boolean {
  const { meaning, alone } = labeled;
  const next = nextLabel(state)?.meaning;
  const isBetweenTurns =
    isAction(meaning) && ((next?.kind === 'role' && next.role === 'system') || objectOf(next) !== undefined);
  const isOpen = state.block === 'venue' || isAnswered(state) || isBetweenTurns;
  const isHeaderOnly = alone && meaning.kind === 'venue-or-name' && state.block !== 'venue';
  return isOpen && !isHeaderOnly;
}

/** Maximum length of metadata, in characters; a longer value is a sentence. */
const MAX_METADATA = 120;

/** Whether a label is metadata beside the turns. Among other lines of an answer, `Status: …` is text. */
function isBesideTurns({ target, ahead: [after], last }: State, { value }: Labeled): boolean {
  const turn = target.to === 'turn' && target.turn.role === 'system' ? target.turn : null;
  const goesOn =
    announces(last) ||
    (after !== undefined && after.text.trim() !== '' && after.label === null && !hasOtherLabel(after.text));
  const isText = turn !== null && turn.text !== '' && !isQuoted(turn.text) && goesOn;
  return value !== '' && value.length <= MAX_METADATA && !isText;
}

/**
 * Whether a label below a document is not part of it: a latency, a field such as what was expected, or metadata after a
 * document of one line.
 */
function isBesideDocument({ format, target }: State, { meaning, value, unit }: Labeled): boolean {
  if (value === '') return false;
  if (meaning.kind === 'metadata') return target.to === 'document' && !target.document.text.includes('\n');
  const isLatency = meaning.kind === 'context' && meaning.field === 'latency';
  return (
    meaning.kind === 'field' || (isLatency && readLatencyMs(value, { format, note: () => {} }, unit) !== null)
  );
}

/** Whether a label counts as one in its place. In a user's turn or in a document, `Rating: at least 4` is text. */
function counts(state: State, labeled: Labeled): boolean {
  const { meaning, alone, word, value } = labeled;
  const { kind } = meaning;
  const { target, format } = state;
  // "Expected result" on its own is a heading at the start of a paragraph.
  const isHeading = kind === 'field' && meaning.field === 'groundTruth' && state.isAfterBlank;
  const isHeader = kind === 'role' || kind === 'section' || kind === 'document' || isHeading;
  const canBeAlone = kind === 'venue-or-name' || (kind === 'venue' && state.block === 'venue');
  if (alone && !isHeader && !canBeAlone) return false;
  if (kind === 'role' && isLetter(word)) return !alone && state.letters?.[meaning.role] === word;
  if (format.words.labelKinds.now.includes(word) && momentLine(value, format) === null) return false;
  // After a label without text, a line such as "Answer 1" is that text.
  const awaitsText = target.to === 'turn' && state.last === '' && target.turn.word !== 'block';
  if (alone && kind === 'role' && awaitsText) return false;
  if (target.to === 'document') return isHeader || isBesideDocument(state, labeled);
  if (kind === 'metadata') return isBesideTurns(state, labeled);
  return (kind !== 'venue' && kind !== 'venue-or-name') || isOfVenue(state, labeled);
}

/** Quoted speech followed by data: `[card: …]`, `(0.91)`, `conf=0.91`. */
const CARD =
  /^(?<quoted>["“„][^"“”„]+["”“]) {0,3}(?<aside>\[.{1,300}\]|\([\d.,% ]{1,12}\)|(?:[\w.]{1,30}=[^\s=]{1,60}[ ,;]{0,2}){1,12})$/;

function onRole(state: State, line: Line, labeled: Labeled, role: Role): void {
  const { format, draft } = state;
  const isDescribed = format.words.labelKinds.described.includes(labeled.word);
  // "Actual: …" below the answer describes it again.
  if (isDescribed && isAnswered(state)) {
    onMetadata(state, line, labeled);
    return;
  }
  if (isDescribed) draft.assumed.push(`"${labeled.label}" was read as the system's own words`);
  if (!state.isNamed || (role === 'user') !== (state.block === 'user'))
    Object.assign(state, { block: 'none', isNamed: false });
  // Two labels of one role: "Actual: System: …".
  const behind = new Line(line.value, format);
  const inner = behind.label;
  const isSame = inner?.meaning.kind === 'role' && inner.meaning.role === role && inner.word.length > 1;
  const value = isSame && !inner.alone && inner.value !== '' ? behind.value : line.value;
  const { quoted, aside } = CARD.exec(value.text)?.groups ?? {};
  if (quoted !== undefined && aside !== undefined)
    leaveOut(state, 'aside', value.slice(value.text.length - aside.length));
  openTurn(state, role, labeled, quoted === undefined ? value : value.slice(0, quoted.length), line);
}

/** Reads a place. Among the venue's attributes or just before them, it is the venue's; otherwise the user's. */
function onPlace(
  state: State,
  line: Line,
  labeled: Labeled,
  field: 'location' | 'latitude' | 'longitude',
): void {
  const { draft, block, target } = state;
  const isFirst = state.isNamed || !draft.venue.some((entry) => entry.field === field);
  const isBehindAnswer = target.to === 'turn' && target.turn.role === 'system';
  const next = nextLabel(state)?.meaning.kind ?? '';
  // An empty "location:" before its parts.
  if (labeled.value === '' && next === 'place') return;
  if (
    block === 'venue'
      ? isFirst
      : block === 'none' && isBehindAnswer && ['venue', 'venue-or-name'].includes(next)
  )
    onVenue(state, labeled, line.value, field, line);
  else {
    if (block === 'none' && isAnswered(state) && field === 'location')
      draft.assumed.push(`"${labeled.label}" after the response read as the user's location`);
    onContext(state, line, labeled, field);
  }
}

function onContext(
  state: State,
  line: Line,
  { label, value, unit }: Labeled,
  field: ContextEntry['field'],
): void {
  const entry = { field, label, value, unit, from: [line.value] };
  state.draft.context.push(entry);
  state.isLeft = true;
  // The user's situation ends the venue's block, unless that began with a header.
  if (state.block === 'venue' && !state.isNamed) state.block = 'none';
  if (goesOnBehind(value, field, state.format)) state.target = { to: 'context', entry };
  else leaveContext(state);
}

/** Whether a text may be a venue's name: one that begins with a capital, in a few words, and ends like no sentence or label. */
const looksLikeName = (text: string): boolean =>
  text.length <= 60 && !/[.!?:]$/.test(text) && /^[\p{Lu}\d"“„]/u.test(text) && text.split(' ').length <= 7;

const openBlock = (state: State, block: 'user' | 'venue'): void => {
  Object.assign(state, { block, isNamed: true, target: { to: 'aside' } });
};

function onVenueHeader(state: State, line: Line, labeled: Labeled): void {
  openBlock(state, 'venue');
  if (labeled.value === '') return;
  if (looksLikeName(labeled.value)) onVenue(state, labeled, line.value, 'name', line);
  else if (!speaks(state.draft, 'system')) {
    state.draft.assumed.push(`the text after "${labeled.label}" was read as the response`);
    openTurn(state, 'system', labeled, line.value, line);
  } else leaveOut(state, 'aside', line.value);
}

function openDocument(state: State, value: Tracked, id?: string): void {
  const document = { text: value.text, from: [value], ...(id ? { id } : {}) };
  state.draft.documents.push(document);
  Object.assign(state, {
    target: { to: 'document', document },
    openDepth: state.depth,
    block: 'none',
    isNamed: false,
  });
}

/**
 * Reads "Context:". Before the user's situation it is a header, otherwise the label of a document.
 * @returns the rest of the line if it is still to be read, or null
 */
function onContextHeader(state: State, line: Line, { label, value }: Labeled): Line | null {
  const rest = new Line(line.value, state.format);
  const inner = value === '' ? nextLabel(state) : rest.label;
  const next = nextLine(state);
  const isObject = value === '' && next !== undefined && state.objects.has(next);
  if (isObject || (inner && ['context', 'place', 'section'].includes(inner.meaning.kind))) {
    openBlock(state, 'user');
    return value === '' ? null : rest;
  }
  if (value !== '' || next !== undefined)
    state.draft.assumed.push(`the text after "${label}" was read as a document`);
  openDocument(state, line.value);
  return null;
}

function onSection(state: State, line: Line, labeled: Labeled, section: string): Line | null {
  if (section === 'context') return onContextHeader(state, line, labeled);
  if (section === 'userContext') {
    openBlock(state, 'user');
    return labeled.value === '' ? null : new Line(line.value, state.format);
  }
  if (section === 'recommendation') onVenueHeader(state, line, labeled);
  else {
    const isUser = section === 'userBlock';
    openBlock(state, isUser ? 'user' : 'venue');
    openTurn(state, isUser ? 'user' : 'system', { ...labeled, word: 'block' }, line.value, line);
  }
  return null;
}

function onField(
  state: State,
  line: Line,
  { label, value }: Labeled,
  field: 'id' | 'rubric' | 'groundTruth',
): void {
  const { draft } = state;
  const { assumed, fields } = draft;
  const isExpected = field === 'groundTruth';
  if (isExpected) assumed.push(`"${label}" was kept as what was expected, not as part of the answer`);
  if (fields[field] !== undefined && value !== '')
    assumed.push(`not used: the first "${fields[field]}", where a second ${label} was given`);
  draft.claims = draft.claims.map((one) =>
    one.path === field ? { ranges: one.ranges, is: 'left out', why: `a second ${label} was given` } : one,
  );
  if (value === '') delete fields[field];
  else fields[field] = stripQuotes(value);
  draft.claims.push(claim({ is: 'field', path: field }, line.value));
  state.isLeft = true;
  state.target = { to: isExpected ? 'expected' : 'aside' };
}

/** Notes what a log or a ticket says beside the turns. A user's turn may continue below it. */
function onMetadata(state: State, line: Line, { label, value }: Labeled): void {
  state.draft.unused.push(`${label} "${excerpt(value, 40)}"`);
  state.draft.claims.push(claim({ is: 'left out', why: 'no part of a case' }, line.value));
  leaveContext(state);
}

/** Reads `Document m12: …` or `Source: …`. The latter is noted, because it may be the source of an answer. */
function onDocument(state: State, line: Line, labeled: Labeled): void {
  const { label, word, value } = labeled;
  const { words } = state.format;
  if (/^https?:\S+$/.test(value)) onMetadata(state, line, labeled);
  else {
    if (words.labelKinds.sources.includes(word))
      state.draft.assumed.push(`the text after "${label}" was read as a document`);
    const id = wordOf(label, words) === word ? undefined : label.split(/[ #]/).at(-1);
    if (id !== undefined) {
      const at = line.text.lastIndexOf(id, line.label?.at);
      const path = `documents.${state.draft.documents.length}.id`;
      state.draft.claims.push(claim({ is: 'field', path }, line.from.slice(at, at + id.length)));
    }
    openDocument(state, line.value, id);
  }
}

/**
 * Reads a line with a label that counts.
 * @returns text after a header that is still to be read as a line of its own, or null
 */
function onLabel(state: State, line: Line, labeled: Labeled): Line | null {
  const { meaning } = labeled;
  const { draft, format } = state;
  let rest: Line | null = null;
  switch (meaning.kind) {
    case 'role':
      onRole(state, line, labeled, meaning.role);
      break;
    case 'context':
      onContext(state, line, labeled, meaning.field);
      break;
    case 'place':
      onPlace(state, line, labeled, meaning.field);
      break;
    case 'venue':
      if (format.words.labelKinds.described.includes(labeled.word))
        draft.assumed.push(`"${labeled.label}" was read as the ${attributeName(meaning.field)}`);
      onVenue(state, labeled, line.value, meaning.field, line);
      break;
    case 'venue-or-name':
      if (labeled.value === '') onVenueHeader(state, line, labeled);
      else onVenue(state, labeled, line.value, 'name', line);
      break;
    case 'section':
      rest = onSection(state, line, labeled, meaning.section);
      break;
    case 'document':
      onDocument(state, line, labeled);
      break;
    case 'field':
      onField(state, line, labeled, meaning.field);
      break;
    case 'metadata':
      onMetadata(state, line, labeled);
  }
  draft.labels.push(rest === null ? line.from : line.from.slice(0, labeled.at));
  return rest;
}

// ---- Objects and tables among the lines

/** The owner of an object's keys in each kind of block. */
const OWNER = { none: 'case', user: 'context', venue: 'venue' } as const;

/** Reads an object among the lines, by its content or else by the open turn or block. */
function onObject(state: State, value: object, located: FoundAt): void {
  const { draft, target, block, format } = state;
  const before = draft.venue.length;
  const [first, ...more] = Array.isArray(value) ? value : [value];
  const open = target.to === 'turn' ? target.turn : null;
  const text = open?.text.trim() === '' ? textOf(value, format.words) : null;
  if ([first, ...more].some((item) => turnOf(item, format) !== null)) {
    addTurns(draft, [first, ...more], 'list');
    state.target = { to: 'aside' };
  } else if (Array.isArray(value)) {
    if (isRecord(first)) onObject(state, first, located);
    state.target = { to: 'aside' };
  } else if (open && text !== null) {
    open.text = text;
    open.from.push(...draft.leaves.take(text));
    if (isReadable(value, format)) readKeys(draft, value, open.role);
  } else if (!isReadable(value, format)) onPlain(state, new Line(located.from, format));
  else if (holdsVenue(value, format)) addVenue(draft, value, 'venue');
  else readKeys(draft, value, open?.role ?? OWNER[block]);
  if (draft.venue.length > before) {
    draft.block.push(located.from.text);
    draft.blockAt ??= draft.turns.length;
    state.isLeft = true;
  }
}

function onFound(state: State, located: FoundAt): void {
  const { target, draft } = state;
  draft.leaves.addJson(located.from);
  if ((target.to === 'venue' || target.to === 'context') && target.entry.value === '') {
    const entry: { value: unknown; from: Tracked[] } = target.entry;
    entry.value = located.value;
    entry.from = draft.leaves.take(located.value);
    state.target = { to: 'aside' };
    return;
  }
  if (!located.isStrict) draft.assumed.push(NOT_STRICT);
  onObject(state, located.value, located);
}

const INLINE = new Set(['context', 'place', 'venue', 'venue-or-name']);

/** Splits a line with several labels: `Date: 2026-03-02, Time: 20:35`, `Name: X | Rating: 4.6`. */
export function partsOf(line: Line): Line[] {
  const first = line.label;
  if (first === null || !INLINE.has(first.meaning.kind) || /^[[{]/.test(first.value)) return [line];
  const [start = '', ...pieces] = line.text.split(/(?<=[,;|·])/);
  const parts: Line[] = [];
  let from = 0;
  let at = start.length;
  for (const text of pieces) {
    const piece = line.slice(at, at + text.length);
    const { label } = piece;
    const isOfPlace = label?.meaning.kind === 'place' && first.meaning.kind === 'place';
    if (label && !label.alone && !isOfPlace && INLINE.has(label.meaning.kind)) {
      const before = line.text
        .slice(from, at)
        .replace(/[,;|·]$/, '')
        .trimEnd();
      parts.push(line.slice(from, from + before.length));
      from = at;
    }
    at += text.length;
  }
  return [...parts, line.slice(from)];
}

/** Reads a line of opening hours in a venue's block or after the answer, even without header. Returns whether it did. */
function onHours(state: State, line: Line): boolean {
  const { target, draft, block, format } = state;
  const isOpen =
    block === 'venue' ||
    target.to === 'venue' ||
    // After the user's date or time, hours can only be the venue's.
    (target.to === 'aside' && isAnswered(state));
  if (!isOpen || !isHoursLine(line.text, format.words)) return false;
  const entry = draft.venue.find(({ field }) => field === 'openingHours');
  if (typeof entry?.value !== 'string')
    onVenue(state, { label: 'Opening hours' }, line.from.trim(), 'openingHours', line);
  else {
    const value = `${entry.value}\n${line.text.trim()}`;
    state.target = { to: 'venue', entry: Object.assign(entry, { value }) };
    entry.from.push(line.from);
    draft.block.push(line.text);
  }
  return true;
}

function onLine(state: State, line: Line): void {
  const object = state.objects.get(line);
  if (line.text === BLOCK_BEGINS) beginBlock(state);
  else if (line.text === BLOCK_ENDS) endBlock(state);
  else if (object) onFound(state, object);
  else if (line.text.trim() === '') onPlain(state, line);
  else if (isTurnNumber(line.text, state.format.words)) {
    state.draft.labels.push(line.from);
    onPlain(state, line.slice(0, 0));
  } else if (!onHours(state, line)) onWords(state, line);
}

function onWords(state: State, line: Line): void {
  for (const part of partsOf(line)) {
    const { label } = part;
    const rest = label !== null && counts(state, label) ? onLabel(state, part, label) : part;
    if (rest === part) onPlain(state, part);
    else if (rest !== null) onLine(state, rest);
  }
}

/** Reads a table of attributes where they can be the venue's. Any other table is text. */
function onTable(state: State, table: Table, lines: readonly Line[]): void {
  const { draft, target, block, ahead, format } = state;
  const labeled = tableLines(table, format);
  if (labeled === 'several' && target.to !== 'document' && (block === 'venue' || isAnswered(state))) {
    draft.assumed.push('left out: a table of several places; write the recommended one as “Name: Chez Luc”');
    for (const { from } of lines)
      draft.claims.push(claim({ is: 'left out', why: 'a table of several places' }, from));
    return;
  }
  const isRead = ({ label }: Line) => label !== null && counts(state, label);
  const isLabeled = Array.isArray(labeled) && labeled.some(isRead);
  if (isLabeled) draft.labels.push(...lines.map(({ from }) => from));
  const rows = isLabeled ? labeled : lines;
  const before = draft.block.length;
  for (const [at, line] of rows.entries()) {
    state.ahead = [...rows.slice(at + 1, at + 6), ...ahead];
    onLine(state, line);
  }
  if (isLabeled) draft.block.splice(before, rows.length, ...lines.map(({ text }) => text));
}

// ---- The pass over the lines

/**
 * Whether an object is only text in its line: after the label of a log (`slots: {…}`), within a user's words, or in a sentence
 * of the system, which goes on right after it.
 */
function isOfLine(line: Line, at: number, end: number): boolean {
  const { label } = line;
  if (label === null || line.text.slice(0, at).trim() === '') return false;
  const { meaning } = label;
  if (meaning.kind === 'metadata') return true;
  if (meaning.kind !== 'role' || line.text.slice(label.at, at).trim() === '') return false;
  return meaning.role === 'user' || /^["'”»“.,;:!?)]/.test(line.text.slice(end));
}

/** Puts every object among the lines on a line of its own. */
function withObjects(
  lines: readonly Line[],
  format: CaseFormat,
): { lines: readonly Line[]; objects: Map<Line, FoundAt> } {
  const objects = new Map<Line, FoundAt>();
  const whole = joined(lines);
  const jsons = findJson(whole.text);
  if (jsons.length === 0) return { lines, objects };
  const out: Line[] = [];
  let next = 0;
  let begin = 0;
  /** The position up to which the text is in `out`. */
  let open = 0;
  for (const line of lines) {
    const end = begin + line.text.length;
    for (let one = jsons[next]; one && one.start < end; one = jsons[next]) {
      next += 1;
      if (one.start < open || isOfLine(line, one.start - begin, one.end - begin)) continue;
      if (one.start > open) out.push(line.slice(Math.max(open, begin) - begin, one.start - begin));
      const from = whole.slice(one.start, one.end);
      const objectLine = new Line(from, format);
      objects.set(objectLine, { ...one, from });
      out.push(objectLine);
      open = one.end;
    }
    if (open <= begin) out.push(line);
    else if (open < end) out.push(line.slice(open - begin));
    open = Math.max(open, end + 1);
    begin = end + 1;
  }
  return { lines: out, objects };
}

/** Notes what was left out: a log's times, with a hint to use the user's last one, and lines that belong to nothing. */
function sayLeftOut({ draft: { assumed, turns }, format, leftOut, report }: State): void {
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
    const textLines = lines.filter((line) => line.trim() !== '' && !isCaseNumber(line, format.words));
    const moment = textLines.find((line) => /^[ [(]{0,3}\d/.test(line) || momentLine(line, format) !== null);
    const hint = momentHint(moment?.slice(0, 40), format);
    const text = `left out: ${where} ("${excerpt(textLines.join(' '))}")`;
    if (textLines.length > 0) assumed.push(hint === null || isSaid(hint) ? text : `${text}: ${hint}`);
  };
  say(leftOut.preamble, 'text before the first label');
  say(leftOut.aside, 'text that belongs to no turn');
  say(leftOut.remark, 'what is said about the response');
}

/** Reads lines with labels, and objects among them, in one pass. Without any label of a turn, the draft has no turns. */
export function readLines(given: readonly Line[], format: CaseFormat): Draft {
  const { lines, objects } = withObjects(given, format);
  const state: State = {
    draft: new Draft(format),
    format,
    objects,
    letters: findLetters(lines, format),
    target: { to: 'preamble' },
    block: 'none',
    isNamed: false,
    leftOut: { preamble: [], aside: [], remark: [] },
    ahead: [],
    depth: 0,
    openDepth: 0,
    isOwnBlock: false,
    indent: 0,
    isOver: false,
    isLeft: false,
    last: '',
    lines: [],
    isAfterBlank: false,
    report: null,
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line === undefined) break;
    const table = line.text.includes('|') || line.text.startsWith('+') ? tableAt(lines, at) : null;
    const end = at + (table?.length ?? 1);
    state.ahead = lines.slice(end, end + 5);
    if (table) onTable(state, table, lines.slice(at, end));
    else {
      onLine(state, line);
      if (!isMark(line)) state.isAfterBlank = line.text.trim() === '';
    }
    at = end;
  }
  sayLeftOut(state);
  return state.draft;
}
