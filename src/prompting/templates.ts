import Handlebars from 'handlebars/runtime';
import { JuryError, messageOf } from '../common/errors.ts';

export interface Templates {
  /** Fills a template. Values are not escaped: these are prompts, not HTML. */
  template: (id: string, values: Record<string, unknown>) => string;
}

export interface Fill {
  path: string;
  fill: (values: Record<string, unknown>) => string;
}

export const createFiller =
  (fillOf: (id: string) => Fill | undefined): Templates['template'] =>
  (id, values) => {
    const found = fillOf(id);
    if (found === undefined) throw new JuryError('internal', `There is no template "${id}".`);
    try {
      return found.fill(values).trim();
    } catch (thrown) {
      throw new JuryError('bad-file', `${found.path}: ${messageOf(thrown).split('\n')[0]}`, {
        cause: thrown,
      });
    }
  };

/** Precompiled templates. */

export function templatesOf(compiled: Readonly<Record<string, TemplateSpecification>>): Templates {
  const fills = new Map(
    Object.entries(compiled).map(([id, source]) => [
      id,
      { path: `templates/${id}.md`, fill: Handlebars.template(source) },
    ]),
  );
  return { template: createFiller((id) => fills.get(id)) };
}
