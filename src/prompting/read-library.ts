import Handlebars from 'handlebars';
import * as z from 'zod';
import { caseFormat } from '../case/format/index.ts';
import { lazily, messageOf } from '../common/index.ts';
import { type Exemplar, exemplarOf, Lexicon, Method, Persona } from '../judging/standards/index.ts';
import { fieldsOf, readersOf, wordsOf } from './case-fields.ts';
import { exemplarProblems } from './exemplars.ts';
import { byId, createFiller, type Library, libraryOf, type PromptData, promptsKey } from './library.ts';
import {
  archivedFiles,
  archiveProblems,
  filesOf,
  folderProblems,
  frontMatterOf,
  isBelow,
  type Problems,
  type PromptFile,
  parseWith,
  parseYaml,
  readVersioned,
  throwProblems,
  withId,
  yamlOf,
} from './prompt-files.ts';
import { crossProblems, rubricsOf } from './rubric-files.ts';

const valued = <T>(value: T, ...names: readonly string[]): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, value]));

const markers = { opening: 'o', closing: 'c' };
const list = [
  {
    ...valued('text', 'id', 'title', 'rule', 'scale', 'steps', 'voice', 'reason', 'heading', 'body'),
    levels: [{ level: '0', meaning: 'm' }],
  },
];

/** The templates that the renderer uses, each with sample values for all its variables. */
const VARIABLES: Record<string, Record<string, unknown>> = {
  system: {
    ...valued('text', 'task', 'replyForm', 'voice', 'steps'),
    ...valued(list, 'rated', 'criterionSteps', 'criteria', 'cast'),
    ...valued(
      true,
      'several',
      'binary',
      'stepwise',
      'reasons',
      'confidence',
      'optional',
      'asksForDecision',
      'mayLeaveOpen',
    ),
    markers,
    examples: [{ number: 1, material: 'm', date: 'd', weekday: 'w', reply: 'r' }],
  },
  case: {
    ...valued('text', 'key', 'material', 'date', 'weekday', 'language'),
    ...valued(list, 'leftOut', 'ratings', 'arguments'),
    ...valued(true, 'interaction', 'turns'),
  },
  question: { ...valued('text', 'judge', 'replyForm', 'voice'), criteria: list, markers, maxChars: 1 },
  'question-case': {
    ...valued('text', 'key', 'material', 'date', 'weekday', 'verdict', 'question'),
    judgements: list,
  },
  reading: { ...valued('text', 'replyForm'), fields: list, markers },
  'reading-paste': valued('text', 'key', 'paste'),
  neutral: {},
  repair: { problem: 'text' },
};

/** An empty value, which takes the other branch of a condition. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === 'string') return '';
  return typeof value === 'boolean' ? false : value;
}

/**
 * Sample values with everything set, nothing set, and all but one or only one set. Filling a template with each takes every branch, so
 * unknown variables are found at startup.
 */
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

/** Templates, including earlier versions, without front matter. */
const filesIn = (folders: readonly string[], problems: Problems): Map<string, PromptFile> =>
  new Map(
    [...filesOf(folders, 'templates', '.md', problems), ...archivedFiles(folders, 'templates', problems)].map(
      ([id, file]) => [id, { ...file, text: file.text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '') }],
    ),
  );

/** Compiles the templates of prompts folders and test-fills each with the sample values of `probesOf`. */
function createTemplates(folders: readonly string[], problems: Problems): Library['template'] {
  const files = filesIn(folders, problems);
  const template = createFiller(
    new Map(
      [...files].map(([id, { path, text }]) => [id, { path, fill: Handlebars.compile(text, OPTIONS) }]),
    ),
  );
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

/** A folder's templates as JavaScript expressions for the prepared library. */
const templateSources = (folder: string): [id: string, source: string][] =>
  [...filesIn([folder], [])].map(([id, { text }]) => [id, String(Handlebars.precompile(text, OPTIONS))]);

function personasOf(folders: readonly string[], problems: Problems): Persona[] {
  const files = [
    ...filesOf(folders, 'personas', '.md', problems).values(),
    ...archivedFiles(folders, 'personas', problems).values(),
  ];
  return files.flatMap((file) => {
    const parts = frontMatterOf(file, problems);
    const id = readVersioned(file.id)?.id ?? file.id;
    const persona = parseWith(
      Persona,
      parts && withId(id, parts.data, { voice: parts.body }),
      file.path,
      problems,
    );
    return persona === undefined ? [] : [{ ...persona, id: file.id }];
  });
}

function readPromptData(folders: readonly string[], problems: Problems): PromptData {
  const words = wordsOf(folders, problems);
  const data: PromptData = {
    words,
    readers: readersOf(folders, problems),
    fields: fieldsOf(folders, words, problems),
    personas: personasOf(folders, problems),
    rubrics: rubricsOf(folders, problems),
    methods: [...filesOf(folders, 'methods', '.yaml', problems).values()].flatMap(
      (file) => parseYaml(Method, file, problems) ?? [],
    ),
  };
  // References are checked only if the files themselves are valid; otherwise one mistake would be reported twice.
  if (problems.length > 0) return data;
  const parts = {
    rubrics: byId(data.rubrics),
    methods: byId(data.methods),
    personas: byId(data.personas),
    lexiconIds: [...filesOf(folders, 'lexicons', '.yaml', problems).keys()],
    format: caseFormat(data.fields, data.words),
  };
  problems.push(...crossProblems(parts));
  return data;
}

/**
 * Reads and checks the files of one kind, each once: custom files immediately, to report mistakes early; built-in files on demand, because
 * they are long and most commands need few of them.
 */
function lazyFiles<T>(
  folders: readonly string[],
  files: ReadonlyMap<string, PromptFile>,
  problems: Problems,
  read: (file: PromptFile, problems: Problems) => T,
) {
  const entries = new Map<string, T>();
  const [builtIn = ''] = folders;
  const readAll = (list: readonly PromptFile[], into: Problems) => {
    for (const file of list) if (!entries.has(file.id)) entries.set(file.id, read(file, into));
  };
  const require = (...list: PromptFile[]) => {
    const fileProblems: Problems = [];
    readAll(list, fileProblems);
    throwProblems(fileProblems);
  };
  readAll(
    [...files.values()].filter(({ path }) => !isBelow(builtIn, path)),
    problems,
  );
  return {
    get: (id: string): T | undefined => {
      const file = files.get(id);
      if (file !== undefined) require(file);
      return entries.get(id);
    },
    checkAll: () => require(...files.values()),
  };
}

function exemplarsOf(folders: readonly string[], { words, fields, ...data }: PromptData, problems: Problems) {
  const Exemplars = z.array(exemplarOf(caseFormat(fields, words).schema));
  const rubrics = byId(data.rubrics);
  const all = new Map([
    ...filesOf(folders, 'exemplars', '.yaml', problems),
    ...archivedFiles(folders, 'exemplars', problems),
  ]);
  return lazyFiles(folders, all, problems, (file, fileProblems): readonly Exemplar[] => {
    const exemplars = parseWith(Exemplars, yamlOf(file, fileProblems), file.path, fileProblems) ?? [];
    fileProblems.push(...exemplarProblems(file.id, exemplars, rubrics));
    return exemplars;
  });
}

const lexiconsOf = (folders: readonly string[]): Library['lexicons'] =>
  lazily(() => {
    const problems: Problems = [];
    const files = filesOf(folders, 'lexicons', '.yaml', problems);
    const lexicons = lazyFiles(folders, files, problems, (file, fileProblems) =>
      parseYaml(Lexicon, file, fileProblems),
    );
    throwProblems(problems);
    return lexicons;
  });

/**
 * Reads and checks prompts folders, the built-in one first; a file in a later folder overrides one with the same id.
 * @throws JuryError `bad-file` that lists every problem with file, key and what is allowed
 */
export function readLibrary(folders: readonly string[]): Library {
  const problems: Problems = folders.flatMap((folder) => [
    ...folderProblems(folder),
    ...archiveProblems(folder),
  ]);
  throwProblems(problems);
  const data = readPromptData(folders, problems);
  const template = createTemplates(folders, problems);
  const { get: exemplars } = exemplarsOf(folders, data, problems);
  throwProblems(problems);
  return libraryOf(data, { template, exemplars, lexicons: lexiconsOf(folders) });
}

const objectSource = (entries: readonly (readonly [name: string, source: string])[]): string =>
  `{${entries.map(([name, source]) => `${JSON.stringify(name)}: ${source}`).join(',\n')}}`;

/**
 * Generates the module that replaces `prepared.ts` in the build, and the JSON files that it reads, by name. Parsing JSON is faster than
 * evaluating the same data as a module, and most commands need only a few of the files.
 * @throws JuryError `bad-file` that lists every problem in the folder
 */
export function preparedModule(folder: string): { source: string; files: Readonly<Record<string, string>> } {
  const { exemplars, lexicons } = readLibrary([folder]);
  const allOf = (kind: string, read: (id: string) => unknown) => {
    const current = filesOf([folder], kind, '.yaml', []);
    const archived = kind === 'exemplars' ? archivedFiles([folder], kind, []) : [];
    return Object.fromEntries([...current.keys(), ...new Map(archived).keys()].map((id) => [id, read(id)]));
  };
  const data = {
    data: readPromptData([folder], []),
    exemplars: allOf('exemplars', exemplars),
    lexicons: allOf('lexicons', lexicons().get),
  };
  const nameOf = (kind: string) => `prompts-${kind}.json`;
  const source = `import { readFileSync } from 'node:fs';
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
export const prepared = {
  key: ${JSON.stringify(promptsKey(folder))},
  templates: ${objectSource(templateSources(folder))},
  ${Object.keys(data)
    .map((kind) => `${kind}: () => read('./${nameOf(kind)}')`)
    .join(',\n  ')},
};
`;
  const files = Object.entries(data).map(([kind, value]) => [nameOf(kind), JSON.stringify(value)]);
  return { source, files: Object.fromEntries(files) };
}
