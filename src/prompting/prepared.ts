import type { PromptData } from './prompt-data.ts';

/** The built-in prompts as they were read when the program was built. */
export interface PreparedPrompts {
  /** `promptsKey` of the folder that they were read from. */
  key: string;
  data: PromptData;
  /** By id, in the form that Handlebars compiles to. */
  templates: Readonly<Record<string, TemplateSpecification>>;
}

/**
 * Nothing, in the sources; the build puts `preparedModule` (prepare.ts) in the place of this module, which saves every start the
 * reading, checking and compiling of some sixty files.
 */
export const prepared: PreparedPrompts | null = null;
