import type { ContextEntry } from './attributes.ts';
import { speaks } from './draft.ts';
import { attributeName, type Meaning, type Role, wordOf } from './labels.ts';
import { isLetter, type Labeled, readLabel } from './line-starts.ts';
import { momentLine } from './moments.ts';
import { excerpt, stripQuotes } from './text.ts';
import {
  announces,
  goesOnBehind,
  hasOtherLabel,
  isQuoted,
  lastTurn,
  leaveContext,
  nextLine,
  OBJECT,
  onVenue,
  openTurn,
  type TextState,
} from './text-state.ts';
import { readLatencyMs } from './values.ts';

/** The label of the next line that says something. */
const nextLabel = (state: TextState): Labeled | null => readLabel(nextLine(state) ?? '', state.draft.format);

/** The declared object of the case that a label belongs to, such as `action`. */
const objectOf = (meaning: Meaning | undefined): string | undefined =>
  meaning?.kind === 'venue' && typeof meaning.field === 'object' ? meaning.field.of : undefined;

/** Whether a label says what the system did: `Action: …`. */
const isAction = (meaning: Meaning | undefined): boolean =>
  !['recommendation', undefined].includes(objectOf(meaning));

/** Whether a label of a venue, or of what the system did, stands where one can: behind the answer, or just before it. */
function isOfVenue(state: TextState, labeled: Labeled): boolean {
  const { meaning, alone } = labeled;
  const next = nextLabel(state)?.meaning;
  const isBetweenTurns =
    isAction(meaning) && ((next?.kind === 'role' && next.role === 'system') || objectOf(next) !== undefined);
  const isOpen = state.block === 'venue' || lastTurn(state)?.role === 'system' || isBetweenTurns;
  const isHeaderOnly = alone && meaning.kind === 'venue-or-name' && state.block !== 'venue';
  return isOpen && !isHeaderOnly;
}

/** Longest value that is taken for metadata and not for a sentence, in characters. */
const MAX_METADATA = 120;

/** Whether metadata stands beside the turns; among other lines of an answer, `Status: …` is text. */
function isBesideTurns({ target, ahead: [after = ''], last, draft }: TextState, { value }: Labeled): boolean {
  const turn = target.to === 'turn' && target.turn.role === 'system' ? target.turn : null;
  const goesOn =
    announces(last) ||
    (after.trim() !== '' && readLabel(after, draft.format) === null && !hasOtherLabel(after));
  const isText = turn !== null && turn.text !== '' && !isQuoted(turn.text) && goesOn;
  return value !== '' && value.length <= MAX_METADATA && !isText;
}

/** Whether a label below a document is no part of it: the latency, what was expected, and metadata behind one line. */
function isBesideDocument(
  { draft: { format }, target }: TextState,
  { meaning, value, unit }: Labeled,
): boolean {
  if (value === '') return false;
  if (meaning.kind === 'metadata') return target.to === 'document' && !target.document.text.includes('\n');
  const isLatency = meaning.kind === 'context' && meaning.field === 'latency';
  return (
    meaning.kind === 'field' || (isLatency && readLatencyMs(value, { format, note: () => {} }, unit) !== null)
  );
}

/** Whether a label counts where it stands: in a user's turn or in a document, `Rating: at least 4` is text. */
export function counts(state: TextState, labeled: Labeled): boolean {
  const { meaning, alone, word, value } = labeled;
  const { kind } = meaning;
  const { target, draft } = state;
  // A lone "Expected result" is a heading where a paragraph begins.
  const isHeading = kind === 'field' && meaning.field === 'groundTruth' && state.isAfterBlank;
  const isHeader = kind === 'role' || kind === 'section' || kind === 'document' || isHeading;
  const canBeAlone = kind === 'venue-or-name' || (kind === 'venue' && state.block === 'venue');
  if (alone && !isHeader && !canBeAlone) return false;
  if (kind === 'role' && isLetter(word)) return !alone && state.letters?.[meaning.role] === word;
  if (draft.format.words.labelKinds.now.includes(word) && momentLine(value, draft.format) === null)
    return false;
  // After a label that awaits its text, "Answer 1" on a line of its own is that text.
  const awaitsText = target.to === 'turn' && state.last === '' && target.turn.word !== 'block';
  if (alone && kind === 'role' && awaitsText) return false;
  if (target.to === 'document') return isHeader || isBesideDocument(state, labeled);
  if (kind === 'metadata') return isBesideTurns(state, labeled);
  return (kind !== 'venue' && kind !== 'venue-or-name') || isOfVenue(state, labeled);
}

function onRole(state: TextState, labeled: Labeled, role: Role): void {
  const { format, assumed } = state.draft;
  const isDescribed = format.words.labelKinds.described.includes(labeled.word);
  // "Actual: …" below the answer tells of it again.
  if (isDescribed && lastTurn(state)?.role === 'system') {
    onMetadata(state, labeled);
    return;
  }
  if (isDescribed) assumed.push(`"${labeled.label}" was read as the system's own words`);
  if (!state.isNamed || (role === 'user') !== (state.block === 'user'))
    Object.assign(state, { block: 'none', isNamed: false });
  // "Actual: System: …"
  const inner = readLabel(labeled.value, format);
  const isSame = inner?.meaning.kind === 'role' && inner.meaning.role === role && inner.word.length > 1;
  const value = isSame && !inner.alone && inner.value !== '' ? inner.value : labeled.value;
  // "Eiscafé Venezia …" [card: …]
  const [, quoted, aside] = /^(["“„][^"“”„]+["”“]) {0,3}(\[.{1,300}\])$/.exec(value) ?? [];
  if (aside !== undefined) state.leftOut.aside.push(aside);
  openTurn(state, role, { ...labeled, value: quoted ?? value });
}

/** A place is the venue's within its attributes and just before them, else the user's. */
function onPlace(
  state: TextState,
  labeled: Labeled,
  field: 'location' | 'latitude' | 'longitude',
  line: string,
): void {
  const { draft, block, target } = state;
  const isFirst = state.isNamed || !draft.venue.some((entry) => entry.field === field);
  const isBehindAnswer = target.to === 'turn' && target.turn.role === 'system';
  const next = nextLabel(state)?.meaning.kind ?? '';
  // "location:" above its parts
  if (labeled.value === '' && next === 'place') return;
  if (
    block === 'venue'
      ? isFirst
      : block === 'none' && isBehindAnswer && ['venue', 'venue-or-name'].includes(next)
  )
    onVenue(state, labeled, field, line);
  else {
    if (block === 'none' && lastTurn(state)?.role === 'system' && field === 'location')
      draft.assumed.push(`"${labeled.label}" after the response read as the user's location`);
    onContext(state, labeled, field);
  }
}

function onContext(state: TextState, { label, value, unit }: Labeled, field: ContextEntry['field']): void {
  const entry = { field, label, value, unit };
  state.draft.context.push(entry);
  // A date or time is the user's, so what follows it is no longer the venue's, unless a header said so.
  if (state.block === 'venue' && !state.isNamed) state.block = 'none';
  if (goesOnBehind(value, field, state.draft.format)) state.target = { to: 'context', entry };
  else leaveContext(state);
}

const looksLikeName = (text: string): boolean =>
  text.length <= 60 && !/[.!?:]$/.test(text) && /^[\p{Lu}\d"“„]/u.test(text) && text.split(' ').length <= 7;

const openBlock = (state: TextState, block: 'user' | 'venue'): void => {
  Object.assign(state, { block, isNamed: true, target: { to: 'aside' } });
};

function onVenueHeader(state: TextState, labeled: Labeled, line: string): void {
  openBlock(state, 'venue');
  if (labeled.value === '') return;
  if (looksLikeName(labeled.value)) onVenue(state, labeled, 'name', line);
  else if (!speaks(state.draft, 'system')) {
    state.draft.assumed.push(`the text after "${labeled.label}" was read as the response`);
    openTurn(state, 'system', labeled);
  } else state.leftOut.aside.push(labeled.value);
}

function openDocument(state: TextState, text: string, id?: string): void {
  const document = { text, ...(id ? { id } : {}) };
  state.draft.documents.push(document);
  Object.assign(state, {
    target: { to: 'document', document },
    openDepth: state.depth,
    block: 'none',
    isNamed: false,
  });
}

/** "Context:" is the user's situation before lines that say so, else a document; what is yet to be read. */
function onContextHeader(state: TextState, { label, value }: Labeled): string {
  const inner = value === '' ? nextLabel(state) : readLabel(value, state.draft.format);
  const isObject = value === '' && nextLine(state)?.startsWith(OBJECT) === true;
  if (isObject || (inner && ['context', 'place', 'section'].includes(inner.meaning.kind))) {
    openBlock(state, 'user');
    return value;
  }
  if (value !== '' || nextLine(state) !== undefined)
    state.draft.assumed.push(`the text after "${label}" was read as a document`);
  openDocument(state, value);
  return '';
}

function onSection(state: TextState, labeled: Labeled, section: string, line: string): string {
  if (section === 'context') return onContextHeader(state, labeled);
  if (section === 'userContext') {
    openBlock(state, 'user');
    return labeled.value;
  }
  if (section === 'recommendation') onVenueHeader(state, labeled, line);
  else {
    const isUser = section === 'userBlock';
    openBlock(state, isUser ? 'user' : 'venue');
    openTurn(state, isUser ? 'user' : 'system', { ...labeled, word: 'block' });
  }
  return '';
}

function onField(state: TextState, { label, value }: Labeled, field: 'id' | 'rubric' | 'groundTruth'): void {
  const { assumed, fields } = state.draft;
  const isExpected = field === 'groundTruth';
  if (isExpected) assumed.push(`"${label}" was kept as what was expected, not as part of the answer`);
  if (fields[field] !== undefined && value !== '')
    assumed.push(`not used: the first "${fields[field]}", where a second ${label} was given`);
  if (value === '') delete fields[field];
  else fields[field] = stripQuotes(value);
  state.target = { to: isExpected ? 'expected' : 'aside' };
}

/** What a log or a ticket says beside the turns; a user's turn may continue below it. */
function onMetadata(state: TextState, { label, value }: Labeled): void {
  state.draft.unused.push(`${label} "${excerpt(value, 40)}"`);
  leaveContext(state);
}

/** `Document m12: …`, and `Source: …`, which may say where an answer is from: that it was taken for a document is said. */
function onDocument(state: TextState, labeled: Labeled): void {
  const { label, word, value } = labeled;
  if (/^https?:\S+$/.test(value)) onMetadata(state, labeled);
  else {
    if (state.draft.format.words.labelKinds.sources.includes(word))
      state.draft.assumed.push(`the text after "${label}" was read as a document`);
    const id = wordOf(label, state.draft.format.words) === word ? undefined : label.split(/[ #]/).at(-1);
    openDocument(state, value, id);
  }
}

/** A line with a label that counts; what stands behind a header and is yet to be read as a line of its own, or nothing. */
export function onLabel(state: TextState, labeled: Labeled, line: string): string {
  const { meaning } = labeled;
  switch (meaning.kind) {
    case 'role':
      onRole(state, labeled, meaning.role);
      break;
    case 'context':
      onContext(state, labeled, meaning.field);
      break;
    case 'place':
      onPlace(state, labeled, meaning.field, line);
      break;
    case 'venue':
      if (state.draft.format.words.labelKinds.described.includes(labeled.word))
        state.draft.assumed.push(`"${labeled.label}" was read as the ${attributeName(meaning.field)}`);
      onVenue(state, labeled, meaning.field, line);
      break;
    case 'venue-or-name':
      if (labeled.value === '') onVenueHeader(state, labeled, line);
      else onVenue(state, labeled, 'name', line);
      break;
    case 'section':
      return onSection(state, labeled, meaning.section, line);
    case 'document':
      onDocument(state, labeled);
      break;
    case 'field':
      onField(state, labeled, meaning.field);
      break;
    case 'metadata':
      onMetadata(state, labeled);
  }
  return '';
}
