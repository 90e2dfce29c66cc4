import type { ContextEntry, VenueEntry } from './attributes.ts';
import type { Found } from './json.ts';
import { type Labeled, type Letters, withoutMark } from './label-line.ts';
import type { Role } from './labels.ts';
import { saidAmongPairs } from './log-lines.ts';
import type { Draft, DraftTurn } from './problems.ts';
import { BLOCK_BEGINS, BLOCK_ENDS, isBlank, stripQuotes } from './text.ts';

/** Where the next line without a label goes. */
type Target =
  | { to: 'preamble' | 'aside' | 'expected' }
  | { to: 'turn'; turn: DraftTurn }
  | { to: 'context'; entry: ContextEntry & { value: string } }
  | { to: 'venue'; entry: VenueEntry & { value: string } }
  | { to: 'document'; document: { text: string } };

/** What has been read of a text so far, and what is open. */
export interface State {
  draft: Draft;
  target: Target;
  /** Whose block the lines are in: it decides whose a location is. */
  block: 'none' | 'user' | 'venue';
  /** Whether a header opened the block, so that a label of a turn does not close it. */
  isNamed: boolean;
  /** Lines before the first label, and lines that belong to nothing. */
  leftOut: { preamble: string[]; aside: string[] };
  /** The lines still to come. */
  ahead: readonly string[];
  objects: Found[];
  letters: Letters | null;
  /** How many quotes and fences the line is in, and how many the turn or document that is open was begun in. */
  depth: number;
  openDepth: number;
  /** Whether the open turn is over: what follows it is no longer what was said. */
  isOver: boolean;
  /** Whether it went on behind the venue's data. */
  isGoingOn: boolean;
  /** The last line of the open turn that is not blank, and whether a blank line came just before. */
  last: string;
  isAfterBlank: boolean;
  /** What the car reported of its state. */
  report: (ContextEntry & { value: string }) | null;
  /** The times before or behind labels of turns. */
  stamps: { role: Role; stamp: string }[];
}

/** The state before the first line. */
export const startOf = (draft: Draft, objects: Found[], letters: Letters | null): State => ({
  draft,
  target: { to: 'preamble' },
  block: 'none',
  isNamed: false,
  leftOut: { preamble: [], aside: [] },
  ahead: [],
  objects,
  letters,
  depth: 0,
  openDepth: 0,
  isOver: false,
  isGoingOn: false,
  last: '',
  isAfterBlank: false,
  report: null,
  stamps: [],
});

/** Stands for an object within the text; control characters were removed from it, so nobody can forge one. */
export const OBJECT = '\u0000';

/** Whether a line only says that a quote or a fence begins or ends. */
export const isMark = (line: string): boolean => line === BLOCK_BEGINS || line === BLOCK_ENDS;
/** Whether quotes stand around the whole of a text. */
export const isQuoted = (text: string): boolean => stripQuotes(text) !== text.trim();
/** `Notes: …`, `*Reproducibility:* 3/5`: another attribute, which nobody asks for. */
export const hasOtherLabel = (line: string): boolean =>
  /^[-*• ]{0,4}\p{L}[\p{L}\d_ ]{1,30}:\*{0,2} ?\S/u.test(line);
/** Whether a line announces what stands below it. */
export const announces = (line: string): boolean => /:$/.test(line.trimEnd());

export const lastTurn = (state: State): DraftTurn | undefined => state.draft.turns.at(-1);

/** The next line that says something. */
export const nextLine = (state: State): string | undefined =>
  state.ahead.find((line) => !isBlank(line) && !isMark(line));

export function openTurn(
  state: State,
  role: Role,
  { word, value, marked, sign, stamp }: Pick<Labeled, 'word' | 'value' | 'marked' | 'sign' | 'stamp'>,
): void {
  // A block of text in YAML begins on the next line.
  const said = value.replace(/^[|>][-+]?$/, '');
  const { text, marked: isMarked } = withoutMark(saidAmongPairs(said) ?? said, state.draft.format.words);
  const turn: DraftTurn = { role, word, text, marked: marked || isMarked, sign };
  state.draft.turns.push(turn);
  const fresh = { openDepth: state.depth, isOver: false, isGoingOn: false, isAfterBlank: false };
  Object.assign(state, { target: { to: 'turn', turn }, last: text, ...fresh });
  if (stamp !== '') state.stamps.push({ role, stamp });
}

export function closeTurn(state: State): void {
  state.isOver = true;
  state.target = { to: 'aside' };
}

/** A quote or fence begins: a turn or document that has no text yet is what stands in it. */
export function beginBlock(state: State): void {
  const { target } = state;
  state.depth += 1;
  const open = target.to === 'turn' ? state.last : target.to === 'document' ? target.document.text : null;
  if (open === '') state.openDepth = state.depth;
}

/** The quote or fence ends: what was said in it is over. */
export function endBlock(state: State): void {
  state.depth -= 1;
  if (state.target.to !== 'preamble' && state.openDepth > state.depth) closeTurn(state);
}

/** After the situation a user's turn may go on; a response is over, what follows is what somebody says about it. */
export function leaveContext(state: State): void {
  const turn = lastTurn(state);
  const goesOn = turn && !state.isOver && !state.isNamed && (turn.role === 'user' || isBlank(turn.text));
  state.target = goesOn ? { to: 'turn', turn } : { to: 'aside' };
}

export function onContext(state: State, { label, value, unit }: Labeled, field: ContextEntry['field']): void {
  const entry = { field, label, value, unit };
  state.draft.context.push(entry);
  // A date or time is the user's, so what follows it is no longer the venue's, unless a header said so.
  if (state.block === 'venue' && !state.isNamed) state.block = 'none';
  if (value === '') state.target = { to: 'context', entry };
  else leaveContext(state);
}

export function onVenue(
  state: State,
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

export function openDocument(state: State, text: string, id?: string): void {
  const document = { text, ...(id ? { id } : {}) };
  state.draft.documents.push(document);
  const target: Target = { to: 'document', document };
  Object.assign(state, { target, openDepth: state.depth, block: 'none', isNamed: false });
}
