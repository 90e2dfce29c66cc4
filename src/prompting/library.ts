import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { JuryError } from '../core/errors.ts';
import { Exemplar } from '../core/exemplar.ts';
import { Lexicon } from '../core/lexicon.ts';
import { Method } from '../core/method.ts';
import { Persona } from '../core/persona.ts';
import type { Rubric } from '../core/rubric.ts';
import { crossProblems, exemplarProblems } from './cross-check.ts';
import {
  checked,
  filesOf,
  frontMatterOf,
  type Problems,
  type PromptFile,
  withId,
  yamlOf,
} from './prompt-files.ts';
import { rubricsOf } from './rubric-files.ts';
import { createTemplates } from './templates.ts';

/** All that the prompts folders hold, read and checked. */
export interface Library {
  rubrics: ReadonlyMap<string, Rubric>;
  methods: ReadonlyMap<string, Method>;
  personas: ReadonlyMap<string, Persona>;
  /** Worked examples by rubric id, in the order in which methods take them. */
  exemplars: (rubricId: string) => readonly Exemplar[];
  /** Read and checked when first asked for: only exact checks need them, and they are long. */
  lexicons: () => ReadonlyMap<string, Lexicon>;
  /** Fills a template; a variable that `values` lacks is an error. */
  template: (id: string, values: Record<string, unknown>) => string;
}

function eachOf<T>(
  files: ReadonlyMap<string, PromptFile>,
  read: (file: PromptFile) => T | undefined,
): Map<string, T> {
  const found = new Map<string, T>();
  for (const [id, file] of files) {
    const value = read(file);
    if (value !== undefined) found.set(id, value);
  }
  return found;
}

function refuse(problems: Problems): void {
  if (problems.length === 0) return;
  const head =
    problems.length === 1
      ? 'A prompt file is wrong'
      : `${problems.length} things in the prompt files are wrong`;
  throw new JuryError('bad-file', `${head}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}

const KINDS = ['rubrics', 'methods', 'personas', 'exemplars', 'lexicons', 'templates', 'samples', 'datasets'];

/** A prompts folder that is not there, or holds folders that nothing would be read from. */
function folderProblems(folder: string): Problems {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return [`${folder}: is no folder; JURY_PROMPTS_DIR must name one`];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !KINDS.includes(entry.name))
    .map(
      ({ name }) =>
        `${join(folder, name)}: is not a folder that anything is read from; there is ${KINDS.join(', ')}`,
    );
}

/** The YAML files of one kind, checked, by id. */
function yamlFiles<T extends z.ZodType>(
  folders: readonly string[],
  kind: string,
  schema: T,
  problems: Problems,
): Map<string, z.infer<T>> {
  return eachOf(filesOf(folders, kind, '.yaml', problems), (file) =>
    checked(schema, withId(file.id, yamlOf(file, problems)), file.path, problems),
  );
}

/**
 * Worked examples, read and checked when a method first shows them: most do not, and they are long. A user's own are
 * checked at once, so that a mistake in them is told at the start.
 */
function exemplarsOf(
  folders: readonly string[],
  rubrics: ReadonlyMap<string, Rubric>,
  problems: Problems,
): Library['exemplars'] {
  const files = filesOf(folders, 'exemplars', '.yaml', problems);
  const known = new Map<string, readonly Exemplar[]>();
  const read = (file: PromptFile, found: Problems): readonly Exemplar[] => {
    const exemplars = checked(z.array(Exemplar), yamlOf(file, found), file.path, found) ?? [];
    found.push(...exemplarProblems(file.id, exemplars, rubrics));
    known.set(file.id, exemplars);
    return exemplars;
  };
  const [builtIn = ''] = folders;
  for (const file of files.values()) if (!file.path.startsWith(builtIn)) read(file, problems);
  return (rubricId) => {
    const file = files.get(rubricId);
    if (file === undefined) return [];
    const found: Problems = [];
    const exemplars = known.get(rubricId) ?? read(file, found);
    refuse(found);
    return exemplars;
  };
}

/** Reads the lexicons when they are first asked for. */
function lexiconsOf(folders: readonly string[]): Library['lexicons'] {
  let read: ReadonlyMap<string, Lexicon> | undefined;
  return () => {
    if (read !== undefined) return read;
    const problems: Problems = [];
    read = yamlFiles(folders, 'lexicons', Lexicon, problems);
    refuse(problems);
    return read;
  };
}

/**
 * Reads and checks prompts folders, the built-in one first; a file in a later folder overrides one with the same id.
 *
 * @throws JuryError `bad-file` that lists every problem with file, key and what is allowed
 */
export function loadLibrary(folders: readonly string[]): Library {
  const problems: Problems = folders.flatMap(folderProblems);
  if (problems.length > 0) refuse(problems);
  const personas = eachOf(filesOf(folders, 'personas', '.md', problems), (file) => {
    const parts = frontMatterOf(file, problems);
    return checked(Persona, parts && withId(file.id, parts.data, { voice: parts.body }), file.path, problems);
  });
  const parts = {
    rubrics: rubricsOf(folders, problems),
    methods: yamlFiles(folders, 'methods', Method, problems),
    personas,
  };
  const templates = createTemplates(filesOf(folders, 'templates', '.md', problems), problems);
  // References are only worth checking when the files themselves are right: else one mistake is reported twice.
  const lexiconIds = [...filesOf(folders, 'lexicons', '.yaml', problems).keys()];
  if (problems.length === 0) problems.push(...crossProblems(parts, lexiconIds));
  const exemplars = exemplarsOf(folders, parts.rubrics, problems);
  refuse(problems);
  return { ...parts, ...templates, exemplars, lexicons: lexiconsOf(folders) };
}

/**
 * What stands under an id.
 * @throws JuryError `usage` that lists the ids there are
 */
export function entry<T>(kind: string, entries: ReadonlyMap<string, T>, id: string): T {
  const found = entries.get(id);
  if (found === undefined)
    throw new JuryError(
      'usage',
      `There is no ${kind} "${id}". There is: ${[...entries.keys()].sort().join(', ')}.`,
    );
  return found;
}
