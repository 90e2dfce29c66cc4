import { join, sep } from 'node:path';
import * as z from 'zod';
import { isRecord } from '../case/case.ts';
import { type CaseFormat, caseFormat } from '../case/case-format.ts';
import { noRedaction } from '../case/redact/redactor.ts';
import { Lexicon } from '../judging/check.ts';
import { type Exemplar, exemplarOf } from '../judging/library.ts';
import { Method } from '../judging/method.ts';
import { Persona } from '../judging/persona.ts';
import { Rubric } from '../judging/rubric.ts';
import { fieldsOf, wordsOf } from './case-fields.ts';
import { createTemplates } from './compile-templates.ts';
import { crossProblems, exemplarProblems } from './cross-check.ts';
import { byId, type Library, type PromptData } from './library.ts';
import {
  type ArchivedKind,
  archivedAt,
  archivedFiles,
  archiveProblems,
  filesOf,
  folderProblems,
  folderVersion,
  frontMatterOf,
  type Problems,
  type PromptFile,
  parseWith,
  parseYaml,
  readVersioned,
  throwProblems,
  withId,
  yamlOf,
} from './prompt-files.ts';

/** Whether a file stands in a folder, not in one whose name begins the same. */
const isBelow = (folder: string, path: string): boolean => path.startsWith(join(folder, sep));

const listAt = (data: Record<string, unknown>, key: string): unknown[] => {
  const value = data[key];
  return Array.isArray(value) ? value : [];
};

/**
 * A rubric's data with the criteria and error types of the rubrics that it includes before its own. Included rubrics cannot include
 * others, so that there are no chains to follow.
 */
function withIncluded(
  data: Record<string, unknown>,
  all: ReadonlyMap<string, unknown>,
  path: string,
  problems: Problems,
): Record<string, unknown> {
  const { include, ...own } = data;
  if (include === undefined) return own;
  const bases = listAt(data, 'include').flatMap((id): Record<string, unknown>[] => {
    const base = typeof id === 'string' ? all.get(id) : undefined;
    if (isRecord(base) && base.include === undefined) return [base];
    const possible = [...all].filter(([, other]) => isRecord(other) && other.include === undefined);
    problems.push(
      `${path}: include: ${JSON.stringify(id)} cannot be included; choose from: ${possible.map(([name]) => name).join(', ')}`,
    );
    return [];
  });
  const pooled = (key: string) => [...bases.flatMap((base) => listAt(base, key)), ...listAt(own, key)];
  const errorTypes = [...new Map(pooled('errorTypes').map((type) => [JSON.stringify(type), type])).values()];
  return { ...own, criteria: pooled('criteria'), ...(errorTypes.length > 0 ? { errorTypes } : {}) };
}

/** A rubric's file with its data. */
interface RubricData {
  path: string;
  data: unknown;
}

function rubricFrom(
  id: string,
  all: ReadonlyMap<string, RubricData>,
  problems: Problems,
): Rubric | undefined {
  const { path = '', data } = all.get(id) ?? {};
  const others = new Map([...all].map(([name, one]) => [name, one.data]));
  const whole = isRecord(data) ? withIncluded(data, others, path, problems) : data;
  return parseWith(Rubric, withId(id, whole), path, problems);
}

/** The rubrics of a folder as their judges read them in an earlier version. @param all the current ones of all folders */
function earlierRubrics(
  folder: string,
  version: number,
  all: ReadonlyMap<string, RubricData>,
  problems: Problems,
): Rubric[] {
  const changed = [...archivedAt(folder, 'rubrics', version)].map(
    ([id, file]) => [id, { path: file.path, data: yamlOf(file, problems) }] as const,
  );
  const own = [...all].flatMap(([id, { path }]) => (isBelow(folder, path) ? [id] : []));
  const then = new Map([...all, ...changed]);
  const idsIn = (kind: ArchivedKind) =>
    new Map([...archivedAt(folder, kind, version)].map(([id, file]) => [id, file.id]));
  const [templates, exemplars, personas] = [idsIn('templates'), idsIn('exemplars'), idsIn('personas')];
  return [...new Set([...own, ...changed.map(([id]) => id)])].flatMap((id): Rubric[] => {
    const rubric = rubricFrom(id, then, problems);
    if (rubric === undefined) return [];
    const personaOf = (persona: string) => personas.get(persona) ?? persona;
    const interests = Object.entries(rubric.interests).map(([persona, ids]) => [personaOf(persona), ids]);
    const wording = { templates: Object.fromEntries(templates), exemplars: exemplars.get(id) ?? id };
    const panel = rubric.panel.map(personaOf);
    return [
      {
        ...rubric,
        id: `${id}@${version}`,
        title: `${rubric.title} (version ${version})`,
        version,
        panel,
        interests: Object.fromEntries(interests),
        wording,
      },
    ];
  });
}

/** The current rubrics, then those of earlier versions, `navigation@1`. */
function rubricsOf(folders: readonly string[], problems: Problems): Rubric[] {
  const files = filesOf(folders, 'rubrics', '.yaml', problems);
  const all = new Map(
    [...files].map(([id, file]) => [id, { path: file.path, data: yamlOf(file, problems) }]),
  );
  const latest = folders.map((folder) => ({ folder, version: folderVersion(folder) }));
  const current = [...all].flatMap(([id, { path }]): Rubric[] => {
    const rubric = rubricFrom(id, all, problems);
    const version = latest.findLast(({ folder }) => isBelow(folder, path))?.version ?? 1;
    return rubric === undefined ? [] : [version === 1 ? rubric : { ...rubric, version }];
  });
  const earlier = latest.flatMap(({ folder, version }) =>
    Array.from({ length: version - 1 }, (_, index) => earlierRubrics(folder, index + 1, all, problems)),
  );
  return [...current, ...earlier.flat()];
}

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

export function readPromptData(folders: readonly string[], problems: Problems): PromptData {
  const words = wordsOf(folders, problems);
  const data: PromptData = {
    words,
    fields: fieldsOf(folders, words, problems),
    personas: personasOf(folders, problems),
    rubrics: rubricsOf(folders, problems),
    methods: [...filesOf(folders, 'methods', '.yaml', problems).values()].flatMap(
      (file) => parseYaml(Method, file, problems) ?? [],
    ),
  };
  // References are checked only if the files themselves are right; otherwise a mistake would be reported twice.
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

interface LazyFiles<T> {
  get: (id: string) => T | undefined;
  checkAll: () => void;
}

/**
 * The files of one kind, each read and checked once: a user's own at once, so that mistakes are reported early, built-in ones when they
 * are needed, because they are long and most commands need few.
 */
function lazyFiles<T>(
  folders: readonly string[],
  files: ReadonlyMap<string, PromptFile>,
  problems: Problems,
  read: (file: PromptFile, problems: Problems) => T,
): LazyFiles<T> {
  const known = new Map<string, T>();
  const [builtIn = ''] = folders;
  const readAll = (list: readonly PromptFile[], found: Problems) => {
    for (const file of list) if (!known.has(file.id)) known.set(file.id, read(file, found));
  };
  const require = (...list: PromptFile[]) => {
    const found: Problems = [];
    readAll(list, found);
    throwProblems(found);
  };
  readAll(
    [...files.values()].filter(({ path }) => !isBelow(builtIn, path)),
    problems,
  );
  return {
    get: (id) => {
      const file = files.get(id);
      if (file !== undefined) require(file);
      return known.get(id);
    },
    checkAll: () => require(...files.values()),
  };
}

function exemplarsOf(
  folders: readonly string[],
  rubrics: ReadonlyMap<string, Rubric>,
  caseFormat: CaseFormat,
  problems: Problems,
): Library['exemplars'] {
  const Exemplars = z.array(exemplarOf(caseFormat.schema));
  const all = new Map([
    ...filesOf(folders, 'exemplars', '.yaml', problems),
    ...archivedFiles(folders, 'exemplars', problems),
  ]);
  const files = lazyFiles(folders, all, problems, (file, found): readonly Exemplar[] => {
    const exemplars = parseWith(Exemplars, yamlOf(file, found), file.path, found) ?? [];
    found.push(...exemplarProblems(file.id, exemplars, rubrics));
    return exemplars;
  });
  return (rubricId) => files.get(rubrics.get(rubricId)?.wording?.exemplars ?? rubricId) ?? [];
}

function lexiconsOf(folders: readonly string[]): Library['lexicons'] {
  let opened: LazyFiles<Lexicon | undefined> | undefined;
  return () => {
    if (opened !== undefined) return opened;
    const problems: Problems = [];
    const files = filesOf(folders, 'lexicons', '.yaml', problems);
    opened = lazyFiles(folders, files, problems, (file, found) => parseYaml(Lexicon, file, found));
    throwProblems(problems);
    return opened;
  };
}

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
  const format = caseFormat(data.fields, data.words);
  const rubrics = byId(data.rubrics);
  const exemplars = exemplarsOf(folders, rubrics, format, problems);
  throwProblems(problems);
  return {
    caseFormat: format,
    rubrics,
    methods: byId(data.methods),
    personas: byId(data.personas),
    template,
    exemplars,
    lexicons: lexiconsOf(folders),
    redactor: noRedaction,
  };
}
