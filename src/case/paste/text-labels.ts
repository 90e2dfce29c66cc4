import { attributeName } from './labels.ts';
import { momentLine } from './moments.ts';
import { isSign, type Labelled, readLabel } from './speakers.ts';
import { excerpt } from './text.ts';
import {
  lastTurn,
  nextLine,
  OBJECT,
  onContext,
  onVenue,
  openDocument,
  openTurn,
  type State,
  saysSystem,
} from './text-state.ts';

function onRole(state: State, labelled: Labelled, role: 'user' | 'system'): void {
  const isOther = (role === 'user') !== (state.block === 'user');
  if (!state.isNamed || isOther) Object.assign(state, { block: 'none', isNamed: false });
  openTurn(state, { ...labelled, role });
}

/** A location directly after the response and directly before the venue's attributes is the venue's. */
function beginsVenue(state: State): boolean {
  if (state.target.to !== 'turn' || state.target.turn.role !== 'system') return false;
  return isBeforeVenue(state);
}

/** Labels that mean many things beside an attribute of a venue, and the label that means only that. */
const WEAK: Readonly<Record<string, string>> = {
  title: 'Name',
  score: 'Rating',
  note: 'Rating',
  category: 'Cuisine',
};

/** Whether the next line is an attribute of a venue that can be nothing else. */
function isBeforeVenue(state: State): boolean {
  const next = nextLine(state);
  const found = next === undefined ? null : readLabel(next, state.draft.format.labels);
  const kind = found?.meaning.kind;
  return kind === 'venue-or-name' || (kind === 'venue' && !Object.hasOwn(WEAK, found?.word ?? ''));
}

function onPlace(
  state: State,
  labelled: Labelled,
  field: 'location' | 'latitude' | 'longitude',
  line: string,
): void {
  const hasPlace = state.draft.venue.some((entry) => entry.field === field);
  if (state.block === 'venue' && (!hasPlace || state.isNamed)) onVenue(state, labelled, field, line);
  else if (state.block === 'none' && beginsVenue(state)) onVenue(state, labelled, field, line);
  else {
    const isAfter = state.block === 'none' && lastTurn(state)?.role === 'system' && field === 'location';
    if (isAfter)
      state.draft.assumed.push(`"${labelled.label}" after the response read as the user's location`);
    onContext(state, labelled, field);
  }
}

const looksLikeName = (text: string): boolean =>
  text.length <= 60 && !/[.!?:]$/.test(text) && /^[\p{Lu}\d"“„]/u.test(text) && text.split(' ').length <= 7;

function onVenueHeader(state: State, labelled: Labelled, line: string): void {
  Object.assign(state, { block: 'venue', isNamed: true, target: { to: 'aside' } });
  if (labelled.value === '') return;
  if (looksLikeName(labelled.value)) onVenue(state, labelled, 'name', line);
  else if (!saysSystem(state)) {
    state.draft.assumed.push(`the text after "${labelled.label}" was read as the response`);
    openTurn(state, { ...labelled, role: 'system' });
  } else state.leftOut.aside.push(labelled.value);
}

const CONTEXT_KINDS = new Set(['context', 'place', 'section']);

function onContextHeader(state: State, labelled: Labelled): void {
  const next = nextLine(state);
  const { labels } = state.draft.format;
  const following = next === undefined ? null : readLabel(next, labels);
  const inner = readLabel(labelled.value, labels);
  if (inner && CONTEXT_KINDS.has(inner.meaning.kind)) {
    Object.assign(state, { block: 'user', isNamed: true });
    state.read(state, labelled.value);
  } else if (
    labelled.value === '' &&
    ((following && CONTEXT_KINDS.has(following.meaning.kind)) || next?.startsWith(OBJECT))
  )
    Object.assign(state, { block: 'user', isNamed: true, target: { to: 'aside' } });
  else {
    if (labelled.value !== '' || next !== undefined)
      state.draft.assumed.push(`the text after "${labelled.label}" was read as a document`);
    openDocument(state, labelled.value);
  }
}

function onSection(state: State, labelled: Labelled, section: string, line: string): void {
  if (section === 'venue') onVenueHeader(state, labelled, line);
  else if (section === 'context') onContextHeader(state, labelled);
  else if (section === 'user-context') {
    Object.assign(state, { block: 'user', isNamed: true, target: { to: 'aside' } });
    if (labelled.value !== '') state.read(state, labelled.value);
  } else {
    const isUser = section === 'user-block';
    Object.assign(state, { block: isUser ? 'user' : 'venue', isNamed: true });
    openTurn(state, { ...labelled, word: 'block', role: isUser ? 'user' : 'system' });
  }
}

const awaitsText = ({ target, last }: State): boolean =>
  target.to === 'turn' && last === '' && target.turn.word !== 'block';

const NOW = new Set(['now', 'jetzt']);

/** A word such as "Score" is the venue's only among its other attributes; in a response it stays, and that is said. */
function isWeak(state: State, labelled: Labelled): boolean {
  const sure = Object.hasOwn(WEAK, labelled.word) ? WEAK[labelled.word] : undefined;
  if (sure === undefined || state.block === 'venue' || isBeforeVenue(state)) return false;
  const { label, value } = labelled;
  if (value !== '' && !labelled.alone && (sure !== 'Rating' || /\d/.test(value)))
    state.draft.assumed.push(
      `"${excerpt(`${label}: ${value}`, 60)}" was left in the response: write ${sure}: … if it is the venue's`,
    );
  return true;
}

/** Whether a label counts where it stands: in a user's turn or in a document, `Rating: at least 4` is text. */
export function counts(state: State, labelled: Labelled): boolean {
  const { meaning } = labelled;
  const { kind } = meaning;
  const isHeader = kind === 'role' || kind === 'section' || kind === 'document';
  if (
    labelled.alone &&
    !isHeader &&
    !(kind === 'venue' && state.block === 'venue') &&
    kind !== 'venue-or-name'
  )
    return false;
  if (labelled.alone && kind === 'section' && labelled.word === 'details') return false;
  if (meaning.kind === 'role' && isSign(labelled.word))
    return !labelled.alone && state.signs?.[meaning.role] === labelled.word;
  if (NOW.has(labelled.word) && momentLine(labelled.value) === null) return false;
  // After a label that awaits its text, "Answer 1" on a line of its own is that text.
  if (labelled.alone && kind === 'role' && awaitsText(state)) return false;
  if (state.target.to === 'document') return isHeader;
  if (kind === 'venue' || kind === 'venue-or-name') {
    const isOpen = state.block === 'venue' || lastTurn(state)?.role === 'system';
    const isHeaderOnly = labelled.alone && kind === 'venue-or-name' && state.block !== 'venue';
    return isOpen && !isHeaderOnly && !isWeak(state, labelled);
  }
  return true;
}

export function onLabel(state: State, labelled: Labelled, line: string): void {
  const { meaning } = labelled;
  if (meaning.kind === 'venue' && Object.hasOwn(WEAK, labelled.word))
    state.draft.assumed.push(`"${labelled.label}" was read as the venue's ${attributeName(meaning.field)}`);
  if (meaning.kind === 'role') onRole(state, labelled, meaning.role);
  else if (meaning.kind === 'context') onContext(state, labelled, meaning.field);
  else if (meaning.kind === 'place') onPlace(state, labelled, meaning.field, line);
  else if (meaning.kind === 'venue') onVenue(state, labelled, meaning.field, line);
  else if (meaning.kind === 'section') onSection(state, labelled, meaning.section, line);
  else if (meaning.kind === 'document') openDocument(state, labelled.value, documentId(labelled.label));
  else if (meaning.kind === 'field') onField(state, labelled, meaning.field);
  else if (labelled.value === '') onVenueHeader(state, labelled, line);
  else onVenue(state, labelled, 'name', line);
}

function onField(state: State, labelled: Labelled, field: 'id' | 'rubric' | 'groundTruth'): void {
  if (labelled.value !== '') state.draft.fields[field] = labelled.value;
  state.target = { to: 'aside' };
}

const documentId = (label: string): string | undefined =>
  /^[\p{L} ]{1,30}?[ #]{1,3}([\p{L}\p{N}_.-]{0,30}\d[\p{L}\p{N}_.-]{0,30})$/u.exec(label)?.[1];
const DOCUMENT = /^(?:document|doc|source|passage|dokument|quelle) ?#?([\p{L}\p{N}_.-]{1,40}) ?:(.*)$/iu;

/** `Document m12: …`, whose label no table can hold. */
export function onNamedDocument(state: State, line: string): boolean {
  const match = line.length < 20_000 ? DOCUMENT.exec(line.trim()) : null;
  if (!match?.[1]) return false;
  openDocument(state, (match[2] ?? '').trim(), match[1]);
  return true;
}
