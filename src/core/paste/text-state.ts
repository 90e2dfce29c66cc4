import type { ContextEntry, Draft, DraftTurn } from './draft.ts';
import type { Found } from './find-json.ts';
import type { Labelled } from './read-label.ts';
import type { VenueEntry } from './read-venue.ts';

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
  objects: readonly Found[];
  /** Reads what stands after a header on the same line as a line of its own. */
  read: (state: State, line: string) => void;
}

/** Stands for an object within the text; control characters were removed from it, so nobody can forge one. */
export const OBJECT = '\u0000';

export const lastTurn = (state: State): DraftTurn | undefined => state.draft.turns.at(-1);
export const saysSystem = (state: State): boolean =>
  state.draft.turns.some((turn) => turn.role === 'system' && turn.text.trim() !== '');

export function openTurn(
  state: State,
  labelled: Pick<Labelled, 'word' | 'value' | 'marked'> & { role: 'user' | 'system' },
): void {
  const marks = /^(.*?)[([]judge this(?: one)?[)\]]$/i.exec(labelled.value);
  const turn: DraftTurn = {
    role: labelled.role,
    word: labelled.word,
    text: marks?.[1]?.trim() ?? labelled.value,
    marked: labelled.marked || marks !== null,
  };
  state.draft.turns.push(turn);
  state.target = { to: 'turn', turn };
}

/** After the situation a user's turn may go on; a response is over, what follows is what somebody says about it. */
export function leaveContext(state: State): void {
  const turn = lastTurn(state);
  const goesOn = turn && !state.isNamed && (turn.role === 'user' || turn.text.trim() === '');
  state.target = goesOn ? { to: 'turn', turn } : { to: 'aside' };
}

export function onContext(state: State, labelled: Labelled, field: ContextEntry['field']): void {
  const entry = {
    field,
    label: labelled.label,
    value: labelled.value,
    ...(labelled.unit ? { unit: labelled.unit } : {}),
  };
  state.draft.context.push(entry);
  // A date or time is the user's, so what follows it is no longer the venue's, unless a header said so.
  if (state.block === 'venue' && !state.isNamed) state.block = 'none';
  if (labelled.value === '') state.target = { to: 'context', entry };
  else leaveContext(state);
}

export function onVenue(state: State, labelled: Labelled, field: VenueEntry['field'], line: string): void {
  const entry = {
    field,
    label: labelled.label,
    value: labelled.value,
    ...(labelled.unit ? { unit: labelled.unit } : {}),
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
  Object.assign(state, { target: { to: 'document', document }, block: 'none', isNamed: false });
}
