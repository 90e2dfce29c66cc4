import * as z from 'zod';
import { type CaseFormat, caseFormat } from '../case/case-format.ts';
import { type Exemplar, exemplarOf } from '../judging/exemplar.ts';
import { Lexicon } from '../judging/lexicon.ts';
import type { Rubric } from '../judging/rubric.ts';
import { createTemplates } from './compile-templates.ts';
import { exemplarProblems } from './cross-check.ts';
import { folderProblems } from './folder-problems.ts';
import { byId, type Library } from './library.ts';
import { readPromptData } from './prompt-data.ts';
import { checked, filesOf, type Problems, type PromptFile, refuse, withId, yamlOf } from './prompt-files.ts';

/**
 * Worked examples, read and checked when a method first shows them: most do not, and they are long. A user's own are
 * checked at once, so that a mistake in them is told at the start.
 */
function exemplarsOf(
  folders: readonly string[],
  rubrics: ReadonlyMap<string, Rubric>,
  caseFormat: CaseFormat,
  problems: Problems,
): Library['exemplars'] {
  const Exemplars = z.array(exemplarOf(caseFormat.schema));
  const files = filesOf(folders, 'exemplars', '.yaml', problems);
  const known = new Map<string, readonly Exemplar[]>();
  const read = (file: PromptFile, found: Problems): readonly Exemplar[] => {
    const exemplars = checked(Exemplars, yamlOf(file, found), file.path, found) ?? [];
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

/** Reads a user's own lexicons when they are first needed, and of the built-in ones only those that are asked for. */
function lexiconsOf(folders: readonly string[]): Library['lexicons'] {
  const [builtIn = ''] = folders;
  const known = new Map<string, Lexicon | undefined>();
  const read = (file: PromptFile, problems: Problems): void => {
    known.set(file.id, checked(Lexicon, withId(file.id, yamlOf(file, problems)), file.path, problems));
  };
  const open = (): ReturnType<Library['lexicons']> => {
    const problems: Problems = [];
    const files = filesOf(folders, 'lexicons', '.yaml', problems);
    const readAll = (which: readonly PromptFile[]) => {
      for (const file of which) if (!known.has(file.id)) read(file, problems);
      refuse(problems);
    };
    readAll([...files.values()].filter(({ path }) => !path.startsWith(builtIn)));
    return {
      get: (id) => {
        const file = files.get(id);
        if (file !== undefined) readAll([file]);
        return known.get(id);
      },
      checkAll: () => readAll([...files.values()]),
    };
  };
  let opened: ReturnType<Library['lexicons']> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}

/**
 * Reads and checks prompts folders, the built-in one first; a file in a later folder overrides one with the same id.
 * @throws JuryError `bad-file` that lists every problem with file, key and what is allowed
 */
export function readLibrary(folders: readonly string[]): Library {
  const problems: Problems = folders.flatMap(folderProblems);
  refuse(problems);
  const data = readPromptData(folders, problems);
  const { template } = createTemplates(folders, problems);
  const format = caseFormat(data.fields);
  const rubrics = byId(data.rubrics);
  const exemplars = exemplarsOf(folders, rubrics, format, problems);
  refuse(problems);
  return {
    caseFormat: format,
    rubrics,
    methods: byId(data.methods),
    personas: byId(data.personas),
    template,
    exemplars,
    lexicons: lexiconsOf(folders),
  };
}
