import type { ContextEntry, Draft, DraftTurn } from './draft.ts';
import type { Found } from './json.ts';
import type { Role } from './labels.ts';
import { type Labeled, type Signs, withoutMark } from './speakers.ts';
import { BLOCK_BEGINS, BLOCK_ENDS } from './text.ts';
import type { VenueEntry } from './venue.ts';

/** Where the next line without a label goes. */
type Target =
  | { to: 'preamble' | 'aside' }
  | { to: 'turn'; turn: DraftTurn }
  | { to: 'context'; entry: ContextEntry & { value: string } }
  | { to: 'venue'; entry: VenueEntry & { value: string } }
  | { to: 'document'; document: { text: string } };

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
  signs: Signs | null;
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
  /** The times before or behind labels of turns. */
  stamps: { role: Role; label: string; stamp: string }[];
  /** Reads what stands after a header on the same line as a line of its own. */
  read: (state: State, line: string) => void;
}

/** Stands for an object within the text; control characters were removed from it, so nobody can forge one. */
export const OBJECT = '\u0000';

export const lastTurn = (state: State): DraftTurn | undefined => state.draft.turns.at(-1);
export const saysSystem = (state: State): boolean =>
  state.draft.turns.some((turn) => turn.role === 'system' && turn.text.trim() !== '');

/** Whether a line only says that a quote or a fence begins or ends. */
export const isMark = (line: string): boolean => line === BLOCK_BEGINS || line === BLOCK_ENDS;

/** The next line that says something. */
export const nextLine = (state: State): string | undefined =>
  state.ahead.find((line) => line.trim() !== '' && !isMark(line));

export function openTurn(
  state: State,
  labeled: Pick<Labeled, 'word' | 'value' | 'marked' | 'sign'> & {
    role: Role;
    label?: string;
    stamp?: string;
  },
): void {
  const { text, marked } = withoutMark(labeled.value, state.draft.format.words);
  const turn: DraftTurn = {
    role: labeled.role,
    word: labeled.word,
    text,
    marked: labeled.marked || marked,
    ...(labeled.sign === undefined ? {} : { sign: labeled.sign }),
  };
  state.draft.turns.push(turn);
  Object.assign(state, {
    target: { to: 'turn', turn },
    openDepth: state.depth,
    isOver: false,
    isGoingOn: false,
    last: turn.text,
    isAfterBlank: false,
  });
  const { stamp, role, label = '' } = labeled;
  if (stamp !== undefined) state.stamps.push({ role, label, stamp });
}

/** A quote or fence begins: a turn or document that has no text yet is what stands in it. */
export function beginBlock(state: State): void {
  const { target } = state;
  state.depth += 1;
  const isEmpty =
    (target.to === 'turn' && state.last === '') || (target.to === 'document' && target.document.text === '');
  if (isEmpty) state.openDepth = state.depth;
}

/** The quote or fence ends: what was said in it is over. */
export function endBlock(state: State): void {
  state.depth -= 1;
  if (state.target.to !== 'preamble' && state.openDepth > state.depth) closeTurn(state);
}

export function closeTurn(state: State): void {
  state.isOver = true;
  state.target = { to: 'aside' };
}

/** After the situation a user's turn may go on; a response is over, what follows is what somebody says about it. */
export function leaveContext(state: State): void {
  const turn = lastTurn(state);
  const goesOn = turn && !state.isOver && !state.isNamed && (turn.role === 'user' || turn.text.trim() === '');
  state.target = goesOn ? { to: 'turn', turn } : { to: 'aside' };
}

export function onContext(state: State, labeled: Labeled, field: ContextEntry['field']): void {
  const entry = {
    field,
    label: labeled.label,
    value: labeled.value,
    ...(labeled.unit ? { unit: labeled.unit } : {}),
  };
  state.draft.context.push(entry);
  // A date or time is the user's, so what follows it is no longer the venue's, unless a header said so.
  if (state.block === 'venue' && !state.isNamed) state.block = 'none';
  if (labeled.value === '') state.target = { to: 'context', entry };
  else leaveContext(state);
}

export function onVenue(state: State, labeled: Labeled, field: VenueEntry['field'], line: string): void {
  const entry = {
    field,
    label: labeled.label,
    value: labeled.value,
    ...(labeled.unit ? { unit: labeled.unit } : {}),
  };
  if (state.block === 'none') state.block = 'venue';
  state.draft.venue.push(entry);
  state.draft.block.push(line);
  state.draft.blockAt ??= state.draft.turns.length;
  state.target = { to: 'venue', entry };
}

export function openDocument(state: State, text: string, id?: string): void {
  const document = { text, ...(id ? { id } : {}) };
  state.draft.documents.push(document);
  Object.assign(state, {
    target: { to: 'document', document },
    openDepth: state.depth,
    block: 'none',
    isNamed: false,
  });
}
