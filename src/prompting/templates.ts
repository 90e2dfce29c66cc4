import Handlebars from 'handlebars';
import { JuryError, messageOf } from '../core/errors.ts';
import type { Problems, PromptFile } from './prompt-files.ts';

/** The templates that the renderer uses; a prompts folder may override any of them. */
const NEEDED = ['system', 'case', 'neutral', 'repair'];

export interface Templates {
  template: (id: string, values: Record<string, unknown>) => string;
  templateSource: (id: string) => string;
}

/** Compiles templates on first use. Values are put in as they are: they are prompts, not HTML. */
export function createTemplates(files: ReadonlyMap<string, PromptFile>, problems: Problems): Templates {
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  for (const id of NEEDED) if (!files.has(id)) problems.push(`templates/${id}.md: is missing`);
  for (const { path, text } of files.values()) {
    try {
      Handlebars.parse(text);
    } catch (thrown) {
      problems.push(`${path}: is not a valid template: ${messageOf(thrown).split('\n')[0]}`);
    }
  }
  const fileOf = (id: string): PromptFile => {
    const file = files.get(id);
    if (file === undefined) throw new JuryError('internal', `There is no template "${id}".`);
    return file;
  };
  return {
    templateSource: (id) => fileOf(id).text,
    template: (id, values) => {
      const { path, text } = fileOf(id);
      const fill = compiled.get(id) ?? Handlebars.compile(text, { strict: true, noEscape: true });
      compiled.set(id, fill);
      try {
        return fill(values).trim();
      } catch (thrown) {
        throw new JuryError('bad-file', `${path}: ${messageOf(thrown)}`, { cause: thrown });
      }
    },
  };
}
