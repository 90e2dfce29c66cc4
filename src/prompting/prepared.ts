import type { Lexicon } from '../judging/lexicon.ts';
import type { Exemplar } from '../judging/library.ts';
import type { PromptData } from './library.ts';

/** The built-in prompts as they were read when the program was built. */
export interface PreparedPrompts {
  /** `promptsKey` of the folder that they were read from. */
  key: string;
  data: PromptData;
  /** By id, in the form that Handlebars compiles to. */
  templates: Readonly<Record<string, TemplateSpecification>>;
  /** By rubric, made when asked for: most commands need few of these, and they are long. */
  exemplars: Readonly<Record<string, () => readonly Exemplar[]>>;
  /** By id. */
  lexicons: Readonly<Record<string, () => Lexicon>>;
}

/**
 * Nothing, in the sources; the build puts `preparedModule` (prepare.ts) in the place of this module, which saves every start the
 * reading, checking and compiling of some ninety files.
 */
export const prepared: PreparedPrompts | null = null;
