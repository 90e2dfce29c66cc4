import type { CaseParts, EvalCase } from '../case.ts';
import type { CaseFormat } from '../case-format.ts';
import type { Field } from '../field.ts';
import type { ContextField, PlaceField, Role } from './labels.ts';
import type { VenueEntry } from './venue.ts';

/** The parts of a case that could be read. */
export type Understood = CaseParts;

/** What one item of input was read as: a case, or what is wrong, what is missing, and what was understood. */
export type Parsed =
  | {
      case: EvalCase;
      /** Every assumption in plain words. */
      assumed: string[];
      /** Whether nothing in the text says who speaks: it may be no conversation at all. */
      isUnlabeled?: true;
    }
  | {
      /** What is wrong and how to give it. */
      problem: string;
      /** Names of fields. */
      missing: string[];
      understood: Understood;
    };

export interface DraftTurn {
  role: Role;
  /** The label or key that began it, in lower case: `assistant`, `response`. */
  word: string;
  text: string;
  /** Whether the input says that this is the turn to judge. */
  marked: boolean;
  /** The bullet or arrow before its label. */
  sign?: string;
}

/** Something known about the user's situation, as it was found. */
export interface ContextEntry {
  field: ContextField | PlaceField | Field;
  label: string;
  unit?: string;
  value: unknown;
}

/** What the readers of text and of objects gather, before anything is settled. */
export interface Draft {
  /** What a case may look like. */
  format: CaseFormat;
  turns: DraftTurn[];
  /** Whether the turns are in the order of a list; keys of an object have none. */
  isOrdered: boolean;
  context: ContextEntry[];
  venue: VenueEntry[];
  /** The lines of the structured block: the response, where the system said nothing else. */
  block: string[];
  /** The rows of a table of venues, one of which may be the recommended one. */
  choices: VenueEntry[][];
  /** How many turns came before that block. */
  blockAt: number | null;
  documents: { id?: string; text: string }[];
  /** Fields that are taken as they stand. */
  fields: Partial<EvalCase>;
  assumed: string[];
  /** How keys of objects were read. */
  reads: string[];
  unused: string[];
}

/** Whether a turn of theirs says anything. */
export const speaks = ({ turns }: Draft, role: Role): boolean =>
  turns.some((turn) => turn.role === role && turn.text.trim() !== '');

export const emptyDraft = (format: CaseFormat, assumed: readonly string[] = []): Draft => ({
  format,
  turns: [],
  isOrdered: false,
  context: [],
  venue: [],
  block: [],
  choices: [],
  blockAt: null,
  documents: [],
  fields: {},
  assumed: [...assumed],
  reads: [],
  unused: [],
});
