import Handlebars from 'handlebars';
import { JuryError, messageOf } from '../core/errors.ts';
import type { Problems, PromptFile } from './prompt-files.ts';

const levels = [{ level: '0', meaning: 'm' }];
const text = {
  id: 'i',
  title: 't',
  rule: 'r',
  scale: 's',
  steps: 's',
  voice: 'v',
  reason: 'r',
  heading: 'h',
  body: 'b',
  levels,
};

/**
 * The templates that the renderer uses, each with values that open every branch, and with values that open none: a
 * variable that does not exist is found at start and not by the first case that needs it.
 */
const PROBES: Record<string, Record<string, unknown>[]> = {
  system: [
    {
      task: 't',
      rated: [text],
      several: true,
      criterionSteps: [text],
      binary: true,
      criteria: [text],
      stepwise: true,
      steps: 's',
      confidence: true,
      optional: true,
      asksForDecision: true,
      replyForm: 'f',
      examples: [{ number: 1, material: 'm', reply: 'r' }],
      cast: [text],
      voice: 'v',
    },
    {
      task: 't',
      rated: null,
      several: true,
      criterionSteps: null,
      binary: false,
      criteria: [text],
      stepwise: false,
      steps: null,
      confidence: false,
      optional: false,
      asksForDecision: false,
      replyForm: 'f',
      examples: [],
      cast: null,
      voice: 'v',
    },
    {
      task: 't',
      rated: null,
      several: false,
      criterionSteps: [text],
      binary: false,
      criteria: [text],
      stepwise: true,
      steps: null,
      confidence: true,
      optional: false,
      asksForDecision: false,
      replyForm: 'f',
      examples: [],
      cast: null,
      voice: 'v',
    },
  ],
  case: [
    { key: 'k', material: 'm', interaction: true, leftOut: [text], ratings: [text], arguments: [text] },
    { key: 'k', material: 'm', interaction: false, leftOut: [], ratings: [], arguments: [] },
  ],
  neutral: [{}],
  repair: [{ problem: 'p' }],
};

export interface Templates {
  template: (id: string, values: Record<string, unknown>) => string;
}

/** Compiles templates on first use. Values are put in as they are: they are prompts, not HTML. */
export function createTemplates(files: ReadonlyMap<string, PromptFile>, problems: Problems): Templates {
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  for (const id of Object.keys(PROBES)) if (!files.has(id)) problems.push(`templates/${id}.md: is missing`);
  const fileOf = (id: string): PromptFile => {
    const file = files.get(id);
    if (file === undefined) throw new JuryError('internal', `There is no template "${id}".`);
    return file;
  };
  const template = (id: string, values: Record<string, unknown>): string => {
    const { path, text } = fileOf(id);
    const fill = compiled.get(id) ?? Handlebars.compile(text, { strict: true, noEscape: true });
    compiled.set(id, fill);
    try {
      return fill(values).trim();
    } catch (thrown) {
      throw new JuryError('bad-file', `${path}: ${messageOf(thrown).split('\n')[0]}`, { cause: thrown });
    }
  };
  for (const [id, probes] of Object.entries(PROBES)) {
    try {
      if (files.has(id)) for (const values of probes) template(id, values);
    } catch (thrown) {
      problems.push(messageOf(thrown));
    }
  }
  return { template };
}
