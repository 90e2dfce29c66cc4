import type { CaseFormat } from '../case/case-format.ts';
import type { Field } from '../case/field.ts';
import type { Words } from '../case/words.ts';
import type { Lexicons } from '../judging/check.ts';
import type { JudgingLibrary } from '../judging/library.ts';
import type { Method } from '../judging/method.ts';
import type { Persona } from '../judging/persona.ts';
import type { Rubric } from '../judging/rubric.ts';

/** The parts of the prompts folders that every start needs, checked, as plain data. */
export interface PromptData {
  words: Words;
  fields: Field[];
  rubrics: Rubric[];
  methods: Method[];
  personas: Persona[];
}

/** The content of the prompts folders, read and checked. */
export interface Library extends JudgingLibrary {
  /** The built-in fields and those that files declare. */
  caseFormat: CaseFormat;
  /**
   * Lexicons are long, and only exact checks need them: a user's own are read and checked on the first call, the built-in ones on
   * first use.
   */
  lexicons: () => Lexicons & { checkAll: () => void };
  /** Fills a template; a variable that `values` lacks is an error. */
  template: (id: string, values: Record<string, unknown>) => string;
}

export const byId = <T extends { id: string }>(entries: readonly T[]): ReadonlyMap<string, T> =>
  new Map(entries.map((entry) => [entry.id, entry]));
