import Handlebars from 'handlebars';
import { messageOf } from '../common/errors.ts';
import { createFiller, type Fill, type Library } from './library.ts';
import { archivedFiles, filesOf, type Problems, type PromptFile, readVersioned } from './prompt-files.ts';

const valued = <T>(value: T, ...names: readonly string[]): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, value]));

const markers = { opening: 'o', closing: 'c' };
const list = [
  {
    ...valued('text', 'id', 'title', 'rule', 'scale', 'steps', 'voice', 'reason', 'heading', 'body'),
    levels: [{ level: '0', meaning: 'm' }],
  },
];

/** The templates that the renderer uses, each with all its variables. */
const VARIABLES: Record<string, Record<string, unknown>> = {
  system: {
    ...valued('text', 'task', 'replyForm', 'voice', 'steps'),
    ...valued(list, 'rated', 'criterionSteps', 'criteria', 'cast'),
    ...valued(true, 'several', 'binary', 'stepwise', 'reasons', 'confidence', 'optional', 'asksForDecision'),
    markers,
    examples: [{ number: 1, material: 'm', date: 'd', weekday: 'w', reply: 'r' }],
  },
  case: {
    ...valued('text', 'key', 'material', 'date', 'weekday'),
    ...valued(list, 'leftOut', 'ratings', 'arguments'),
    interaction: true,
  },
  question: { ...valued('text', 'judge', 'replyForm', 'voice'), criteria: list, markers, maxChars: 1 },
  'question-case': {
    ...valued('text', 'key', 'material', 'date', 'weekday', 'verdict', 'question'),
    judgements: list,
  },
  neutral: {},
  repair: { problem: 'text' },
};

/** A value that takes the other branch of a condition. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === 'string') return '';
  return typeof value === 'boolean' ? false : value;
}

/** All values, none, and all but one or only one, so that filling takes every branch and unknown variables are found at startup. */
function probesOf(all: Record<string, unknown>): Record<string, unknown>[] {
  const none = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, emptied(value)]));
  return [
    all,
    none,
    ...Object.keys(all).flatMap((name) => [
      { ...all, [name]: none[name] },
      { ...none, [name]: all[name] },
    ]),
  ];
}

const OPTIONS = { strict: true, noEscape: true };

/** Templates and their earlier versions, without front matter. */
const filesIn = (folders: readonly string[], problems: Problems): Map<string, PromptFile> =>
  new Map(
    [...filesOf(folders, 'templates', '.md', problems), ...archivedFiles(folders, 'templates', problems)].map(
      ([id, file]) => [id, { ...file, text: file.text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '') }],
    ),
  );

/** Compiles the templates of prompts folders and fills each as it can be filled. */
export function createTemplates(folders: readonly string[], problems: Problems): Library['template'] {
  const files = filesIn(folders, problems);
  const fills = new Map<string, Fill>();
  for (const [id, { path, text }] of files) fills.set(id, { path, fill: Handlebars.compile(text, OPTIONS) });
  const template = createFiller((id) => fills.get(id));
  for (const id of Object.keys(VARIABLES))
    if (!files.has(id)) problems.push(`templates/${id}.md: is missing`);
  for (const id of files.keys())
    try {
      const all = VARIABLES[readVersioned(id)?.id ?? id];
      if (all !== undefined) for (const values of probesOf(all)) template(id, values);
    } catch (thrown) {
      problems.push(messageOf(thrown));
    }
  return template;
}

/** The templates of a folder as source code of expressions that the prepared library takes. */
export const templateSources = (folder: string): [id: string, source: string][] =>
  [...filesIn([folder], [])].map(([id, { text }]) => [id, String(Handlebars.precompile(text, OPTIONS))]);
