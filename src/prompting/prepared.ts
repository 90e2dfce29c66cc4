import type { Lexicon } from '../judging/check.ts';
import type { Exemplar } from '../judging/library.ts';
import type { PromptData } from './library.ts';

/** The built-in prompts, as read by the build. */
export interface PreparedPrompts {
  /** `promptsKey` of their folder. */
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
 * Null in the sources. The build replaces this module with `preparedModule` (read-library.ts), so that no start has to read, check and
 * compile some ninety files.
 */
export const prepared: PreparedPrompts | null = null;
