import type { CaseFormat } from '../case-format.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { isLetter, type Labeled, readLabel } from './label-line.ts';
import { attributeName, meaningOf, type Role } from './labels.ts';
import { hasOtherLabel, isQuoted } from './lines.ts';
import { momentLine } from './moments.ts';
import { speaks } from './problems.ts';
import {
  lastTurn,
  leaveContext,
  nextLine,
  OBJECT,
  onContext,
  onVenue,
  openDocument,
  openTurn,
  type State,
} from './state.ts';
import { excerpt, stripQuotes } from './text.ts';
import { readLatencyMs } from './values.ts';

function onRole(state: State, labeled: Labeled, role: 'user' | 'system'): void {
  const isOther = (role === 'user') !== (state.block === 'user');
  if (!state.isNamed || isOther) Object.assign(state, { block: 'none', isNamed: false });
  const value = spokenBy(role, labeled.value, state.draft.format);
  // "Eiscafé Venezia …" [card: …]
  const [, quoted, aside] = /^(["“„][^"“”„]+["”“]) {0,3}(\[.{1,300}\])$/.exec(value) ?? [];
  if (aside !== undefined) state.leftOut.aside.push(aside);
  openTurn(state, role, { ...labeled, value: quoted ?? value });
}

/** What is said behind a second label of the same speaker: `Actual: System: …`, `Actual: the assistant says "…"`. */
function spokenBy(role: Role, value: string, format: CaseFormat): string {
  const [, speaker = '', quoted] =
    /^(?:(?:[Tt]he|D[aei][rs]|d[aei][rs]) )?([\p{L} ]{2,40}?)[:,]? ?(["“„][^"“”„]+["”“])\.?$/u.exec(value) ??
    [];
  const behind = quoted === undefined ? null : meaningOf(speaker, format)?.meaning;
  if (quoted !== undefined && behind?.kind === 'role' && behind.role === role) return quoted;
  const inner = readLabel(value, format);
  const isSame = inner?.meaning.kind === 'role' && inner.meaning.role === role;
  return isSame && !inner.alone && inner.word.length > 1 && inner.value !== '' ? inner.value : value;
}

/** A location directly after the response and directly before the venue's attributes is the venue's. */
function beginsVenue(state: State): boolean {
  if (state.target.to !== 'turn' || state.target.turn.role !== 'system') return false;
  return isBeforeVenue(state);
}

/** Whether a label means many things beside an attribute of a venue. */
const isDoubtful = (state: State, { word }: Pick<Labeled, 'word'>): boolean =>
  state.draft.format.words.labelKinds.doubtful.includes(word);

/** Whether the next line is an attribute of a venue that can be nothing else. */
function isBeforeVenue(state: State): boolean {
  const next = nextLine(state);
  const found = next === undefined ? null : readLabel(next, state.draft.format);
  const kind = found?.meaning.kind;
  return kind === 'venue-or-name' || (kind === 'venue' && found !== null && !isDoubtful(state, found));
}

function onPlace(
  state: State,
  labeled: Labeled,
  field: 'location' | 'latitude' | 'longitude',
  line: string,
): void {
  const hasPlace = state.draft.venue.some((entry) => entry.field === field);
  if (state.block === 'venue' && (!hasPlace || state.isNamed)) onVenue(state, labeled, field, line);
  else if (state.block === 'none' && beginsVenue(state)) onVenue(state, labeled, field, line);
  else {
    const isAfter = state.block === 'none' && lastTurn(state)?.role === 'system' && field === 'location';
    if (isAfter)
      state.draft.assumed.push(`"${labeled.label}" after the response read as the user's location`);
    onContext(state, labeled, field);
  }
}

const looksLikeName = (text: string): boolean =>
  text.length <= 60 && !/[.!?:]$/.test(text) && /^[\p{Lu}\d"“„]/u.test(text) && text.split(' ').length <= 7;

function onVenueHeader(state: State, labeled: Labeled, line: string): void {
  Object.assign(state, { block: 'venue', isNamed: true, target: { to: 'aside' } });
  if (labeled.value === '') return;
  if (looksLikeName(labeled.value)) onVenue(state, labeled, 'name', line);
  else if (!speaks(state.draft, 'system')) {
    state.draft.assumed.push(`the text after "${labeled.label}" was read as the response`);
    openTurn(state, 'system', labeled);
  } else state.leftOut.aside.push(labeled.value);
}

const CONTEXT_KINDS = new Set(['context', 'place', 'section']);

/** The header of what the user's situation is, or of documents; what stands behind it and is yet to be read. */
function onContextHeader(state: State, labeled: Labeled): string {
  const next = nextLine(state);
  const { format } = state.draft;
  const following = next === undefined ? null : readLabel(next, format);
  const inner = readLabel(labeled.value, format);
  if (inner && CONTEXT_KINDS.has(inner.meaning.kind)) {
    Object.assign(state, { block: 'user', isNamed: true });
    return labeled.value;
  }
  if (
    labeled.value === '' &&
    ((following && CONTEXT_KINDS.has(following.meaning.kind)) || next?.startsWith(OBJECT))
  )
    Object.assign(state, { block: 'user', isNamed: true, target: { to: 'aside' } });
  else {
    if (labeled.value !== '' || next !== undefined)
      state.draft.assumed.push(`the text after "${labeled.label}" was read as a document`);
    openDocument(state, labeled.value);
  }
  return '';
}

function onSection(state: State, labeled: Labeled, section: string, line: string): string {
  if (section === 'context') return onContextHeader(state, labeled);
  if (section === 'userContext') {
    Object.assign(state, { block: 'user', isNamed: true, target: { to: 'aside' } });
    return labeled.value;
  }
  if (section === 'recommendation') onVenueHeader(state, labeled, line);
  else {
    const isUser = section === 'userBlock';
    Object.assign(state, { block: isUser ? 'user' : 'venue', isNamed: true });
    openTurn(state, isUser ? 'user' : 'system', { ...labeled, word: 'block' });
  }
  return '';
}

const awaitsText = ({ target, last }: State): boolean =>
  target.to === 'turn' && last === '' && target.turn.word !== 'block';

/** A word such as "Score" is the venue's only among its other attributes; in a response it stays, and that is said. */
function isWeak(state: State, labeled: Labeled): boolean {
  if (!isDoubtful(state, labeled) || state.block === 'venue' || isBeforeVenue(state)) return false;
  const { label, value, meaning } = labeled;
  const name = meaning.kind === 'venue' ? attributeName(meaning.field) : '';
  const sure = name.charAt(0).toUpperCase() + name.slice(1);
  if (value !== '' && !labeled.alone && (sure !== 'Rating' || /\d/.test(value)))
    state.draft.assumed.push(
      `"${excerpt(`${label}: ${value}`, 60)}" was left in the response: write "${sure}: …" if it is the venue's`,
    );
  return true;
}

/** What the system did may stand between request and answer: `Action: …` just before `Response: …`. */
function isBetweenTurns(state: State, meaning: Labeled['meaning']): boolean {
  const of = meaning.kind === 'venue' && typeof meaning.field === 'object' ? meaning.field.of : undefined;
  const next = nextLine(state);
  const follows = next === undefined ? undefined : readLabel(next, state.draft.format)?.meaning;
  return (
    of !== undefined &&
    of !== 'recommendation' &&
    ((follows?.kind === 'role' && follows.role === 'system') ||
      (follows?.kind === 'venue' && typeof follows.field === 'object'))
  );
}

/** Longest value that is taken for metadata and not for a sentence, in characters. */
const MAX_METADATA = 120;

/** Whether metadata stands beside the turns; among other lines of an answer, `Status: …` is text. */
function isBesideTurns({ target, ahead: [after = ''], last, draft }: State, { value }: Labeled): boolean {
  const { turn } = target.to === 'turn' ? target : {};
  // What was said may end with its quotes.
  const isWithin = turn?.role === 'system' && turn.text !== '' && !isQuoted(turn.text);
  const goesOn =
    /:$/.test(last.trimEnd()) ||
    (after.trim() !== '' && readLabel(after, draft.format) === null && !hasOtherLabel(after));
  return value !== '' && value.length <= MAX_METADATA && !(isWithin && goesOn);
}

/** What is no part of a document, though it stands below one: the latency, and what was expected. */
function isBesideDocument({ draft, target }: State, { meaning, value, unit }: Labeled): boolean {
  if (meaning.kind === 'field') return value !== '';
  if (meaning.kind === 'metadata')
    return value !== '' && target.to === 'document' && !target.document.text.includes('\n');
  return (
    meaning.kind === 'context' &&
    meaning.field === 'latency' &&
    readLatencyMs(value, { format: draft.format, note: () => {} }, unit) !== null
  );
}

/** Whether a label counts where it stands: in a user's turn or in a document, `Rating: at least 4` is text. */
export function counts(state: State, labeled: Labeled): boolean {
  const { meaning } = labeled;
  const { kind } = meaning;
  const { words } = state.draft.format;
  const { labelKinds } = words;
  // A lone "Expected result" is a heading where a paragraph begins.
  const isHeading = meaning.kind === 'field' && meaning.field === 'groundTruth' && state.isAfterBlank;
  const isHeader = kind === 'role' || kind === 'section' || kind === 'document' || isHeading;
  if (
    labeled.alone &&
    !isHeader &&
    kind !== 'venue-or-name' &&
    !(kind === 'venue' && state.block === 'venue')
  )
    return false;
  if (meaning.kind === 'role' && isLetter(labeled.word))
    return !labeled.alone && state.letters?.[meaning.role] === labeled.word;
  if (labelKinds.now.includes(labeled.word) && momentLine(labeled.value, state.draft.format) === null)
    return false;
  // After a label that awaits its text, "Answer 1" on a line of its own is that text.
  if (labeled.alone && kind === 'role' && awaitsText(state)) return false;
  if (state.target.to === 'document') return isHeader || isBesideDocument(state, labeled);
  if (kind === 'metadata') return isBesideTurns(state, labeled);
  return (kind !== 'venue' && kind !== 'venue-or-name') || isOfVenue(state, labeled);
}

/** Whether a label of a venue, or of what the system did, stands where one can. */
function isOfVenue(state: State, labeled: Labeled): boolean {
  const { meaning, alone } = labeled;
  const isOpen =
    state.block === 'venue' || lastTurn(state)?.role === 'system' || isBetweenTurns(state, meaning);
  const isHeaderOnly = alone && meaning.kind === 'venue-or-name' && state.block !== 'venue';
  return isOpen && !isHeaderOnly && !isWeak(state, labeled);
}

const describedAs = (meaning: Labeled['meaning']): string =>
  meaning.kind === 'venue' ? `the ${attributeName(meaning.field)}` : "the system's own words";

/** A line with a label that counts; what stands behind a header and is yet to be read as a line of its own, or nothing. */
export function onLabel(state: State, labeled: Labeled, line: string): string {
  const { meaning } = labeled;
  if (meaning.kind === 'venue' && isDoubtful(state, labeled))
    state.draft.assumed.push(`"${labeled.label}" was read as the venue's ${attributeName(meaning.field)}`);
  const isDescribed = state.draft.format.words.labelKinds.described.includes(labeled.word);
  // "Actual: …" below the answer tells of it again.
  if (isDescribed && meaning.kind === 'role' && lastTurn(state)?.role === 'system') {
    onMetadata(state, labeled);
    return '';
  }
  if (isDescribed) state.draft.assumed.push(`"${labeled.label}" was read as ${describedAs(meaning)}`);
  if (meaning.kind === 'role') onRole(state, labeled, meaning.role);
  else if (meaning.kind === 'context') onContext(state, labeled, meaning.field);
  else if (meaning.kind === 'place') onPlace(state, labeled, meaning.field, line);
  else if (meaning.kind === 'venue') onVenue(state, labeled, meaning.field, line);
  else if (meaning.kind === 'section') return onSection(state, labeled, meaning.section, line);
  else if (meaning.kind === 'document' && /^https?:\S+$/.test(labeled.value)) onMetadata(state, labeled);
  else if (meaning.kind === 'document') onDocument(state, labeled);
  else if (meaning.kind === 'field') onField(state, labeled, meaning.field);
  else if (meaning.kind === 'metadata') onMetadata(state, labeled);
  else if (labeled.value === '') onVenueHeader(state, labeled, line);
  else onVenue(state, labeled, 'name', line);
  return '';
}

/** `Source: …` may be where an answer is from; that it was taken for a document is said. */
function onDocument(state: State, { label, word, value }: Labeled): void {
  if (state.draft.format.words.labelKinds.sources.includes(word))
    state.draft.assumed.push(`the text after "${label}" was read as a document`);
  openDocument(state, value, documentId(label));
}

function onField(state: State, { label, value }: Labeled, field: 'id' | 'rubric' | 'groundTruth'): void {
  const { draft } = state;
  if (field === 'groundTruth')
    draft.assumed.push(`"${label}" was kept as what was expected, not as part of the answer`);
  if (draft.fields[field] !== undefined && value !== '')
    draft.assumed.push(`not used: the first "${draft.fields[field]}", where a second ${label} was given`);
  if (value === '') delete draft.fields[field];
  else draft.fields[field] = stripQuotes(value);
  state.target = field === 'groundTruth' ? { to: 'field', field } : { to: 'aside' };
}

/** What a log or a ticket says beside the turns; a user's turn may go on below it. */
function onMetadata(state: State, { label, value }: Labeled): void {
  state.draft.unused.push(`${label} "${excerpt(value, 40)}"`);
  leaveContext(state);
}

const documentId = (label: string): string | undefined =>
  /^[\p{L} ]{1,30}?[ #]{1,3}([\p{L}\p{N}_.-]{0,30}\d[\p{L}\p{N}_.-]{0,30})$/u.exec(label)?.[1];
const documentPattern = oncePer(
  ({ labels }: Words) =>
    new RegExp(
      String.raw`^${alternatives(labels.document)} ?#?((?<= |#)[\p{L}\p{N}_.-]{1,40}|\d{1,10}) ?:(.*)$`,
      'iu',
    ),
);

/** `Document m12: …`, whose label no table can hold. */
export function onNamedDocument(state: State, line: string): boolean {
  const match = line.length < 20_000 ? documentPattern(state.draft.format.words).exec(line.trim()) : null;
  if (!match?.[1]) return false;
  openDocument(state, (match[2] ?? '').trim(), match[1]);
  return true;
}
