import Handlebars from 'handlebars';
import { messageOf } from '../common/errors.ts';
import { filesOf, type Problems } from './prompt-files.ts';
import { createFiller, type Fill, type Templates } from './templates.ts';

const levels = [{ level: '0', meaning: 'm' }];
const markers = { opening: 'o', closing: 'c' };
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
 * The templates that the renderer uses, with values that take every branch and values that take none, so that unknown variables are
 * found at startup.
 */
const PROBES: Record<string, Record<string, unknown>[]> = {
  system: [
    {
      task: 't',
      markers,
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
      markers,
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
      markers,
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
  question: [
    { judge: 'j', criteria: [text], markers, replyForm: 'f', maxChars: 1, voice: 'v' },
    { judge: null, criteria: [], markers, replyForm: 'f', maxChars: 1, voice: 'v' },
  ],
  'question-case': [
    { key: 'k', material: 'm', verdict: 'v', judgements: [text], question: 'q' },
    { key: 'k', material: 'm', verdict: 'v', judgements: [], question: 'q' },
  ],
  neutral: [{}],
  repair: [{ problem: 'p' }],
};

const OPTIONS = { strict: true, noEscape: true };

const filesIn = (folders: readonly string[], problems: Problems) =>
  filesOf(folders, 'templates', '.md', problems);

/** Compiles the templates of prompts folders and fills each with its probes. */
export function createTemplates(folders: readonly string[], problems: Problems): Templates {
  const files = filesIn(folders, problems);
  const fills = new Map<string, Fill>();
  for (const [id, { path, text }] of files) fills.set(id, { path, fill: Handlebars.compile(text, OPTIONS) });
  const template = createFiller((id) => fills.get(id));
  for (const [id, probes] of Object.entries(PROBES)) {
    if (!files.has(id)) problems.push(`templates/${id}.md: is missing`);
    try {
      if (files.has(id)) for (const values of probes) template(id, values);
    } catch (thrown) {
      problems.push(messageOf(thrown));
    }
  }
  return { template };
}

/** The templates of a folder as source code of expressions that `templatesOf` takes. */
export const templateSources = (folder: string): [id: string, source: string][] =>
  [...filesIn([folder], [])].map(([id, { text }]) => [id, String(Handlebars.precompile(text, OPTIONS))]);
