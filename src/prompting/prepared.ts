import type { Exemplar, Lexicon } from '../judging/standards/index.ts';
import type { PromptData } from './library.ts';

/** The built-in prompts, read at build time. */
export interface PreparedPrompts {
  /** `promptsKey` of the folder they were read from. */
  key: string;
  /** Precompiled, by id. */
  templates: Readonly<Record<string, TemplateSpecification>>;
  data: () => PromptData;
  /** By rubric. */
  exemplars: () => Readonly<Record<string, readonly Exemplar[]>>;
  /** By id. */
  lexicons: () => Readonly<Record<string, Lexicon>>;
}

/**
 * Null in the sources. The build replaces this module with `preparedModule` (read-library.ts), which saves reading, checking and compiling
 * some ninety files at every start.
 */
export const prepared: PreparedPrompts | null = null;
