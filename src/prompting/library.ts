import type { CaseFormat } from '../case/case-format.ts';
import type { Field } from '../case/field.ts';
import type { Words } from '../case/words.ts';
import type { Lexicons } from '../judging/lexicon.ts';
import type { JudgingLibrary } from '../judging/library.ts';
import type { Method } from '../judging/method.ts';
import type { Persona } from '../judging/persona.ts';
import type { Rubric } from '../judging/rubric.ts';

/** What every start needs of the prompts folders, as plain data: what stands in their files, checked and made whole. */
export interface PromptData {
  words: Words;
  fields: Field[];
  rubrics: Rubric[];
  methods: Method[];
  personas: Persona[];
}

/** All that the prompts folders hold, read and checked. */
export interface Library extends JudgingLibrary {
  /** What a case may look like: the contract's fields and those that files declare. */
  caseFormat: CaseFormat;
  /**
   * Only exact checks need them, and they are long: a user's own are read and checked when this is first called, the
   * built-in ones when they are first asked for.
   */
  lexicons: () => Lexicons & { checkAll: () => void };
  /** Fills a template; a variable that `values` lacks is an error. */
  template: (id: string, values: Record<string, unknown>) => string;
}

/** Entries by their id. */
export const byId = <T extends { id: string }>(entries: readonly T[]): ReadonlyMap<string, T> =>
  new Map(entries.map((entry) => [entry.id, entry]));
