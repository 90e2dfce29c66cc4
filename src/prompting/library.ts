import { z } from 'zod';
import { JuryError } from '../core/errors.ts';
import { Exemplar } from '../core/exemplar.ts';
import { Lexicon } from '../core/lexicon.ts';
import { Method } from '../core/method.ts';
import { Persona } from '../core/persona.ts';
import { Rubric } from '../core/rubric.ts';
import { crossProblems } from './cross-check.ts';
import {
  checked,
  filesOf,
  frontMatterOf,
  type Problems,
  type PromptFile,
  withId,
  yamlOf,
} from './prompt-files.ts';
import { createTemplates } from './templates.ts';

/** All that the prompts folders hold, read and checked. */
export interface Library {
  rubrics: ReadonlyMap<string, Rubric>;
  methods: ReadonlyMap<string, Method>;
  personas: ReadonlyMap<string, Persona>;
  /** Worked examples by rubric id, in the order in which methods take them. */
  exemplars: ReadonlyMap<string, readonly Exemplar[]>;
  lexicons: ReadonlyMap<string, Lexicon>;
  /** Fills a template; a variable that `values` lacks is an error. */
  template: (id: string, values: Record<string, unknown>) => string;
  templateSource: (id: string) => string;
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

/**
 * Reads and checks prompts folders, the built-in one first; a file in a later folder overrides one with the same id.
 *
 * @throws JuryError `bad-file` that lists every problem with file, key and what is allowed
 */
export function loadLibrary(folders: readonly string[]): Library {
  const problems: Problems = [];
  const yamlFiles = <T extends z.ZodType>(kind: string, schema: T) =>
    eachOf(filesOf(folders, kind, '.yaml'), (file) =>
      checked(schema, withId(file.id, yamlOf(file, problems)), file.path, problems),
    );
  const personas = eachOf(filesOf(folders, 'personas', '.md'), (file) => {
    const parts = frontMatterOf(file, problems);
    return checked(Persona, parts && withId(file.id, parts.data, { voice: parts.body }), file.path, problems);
  });
  const exemplarFiles = filesOf(folders, 'exemplars', '.yaml');
  const exemplars = eachOf(exemplarFiles, (file) =>
    checked(z.array(Exemplar), yamlOf(file, problems), file.path, problems),
  );
  const parts = {
    rubrics: yamlFiles('rubrics', Rubric),
    methods: yamlFiles('methods', Method),
    lexicons: yamlFiles('lexicons', Lexicon),
    personas,
    exemplars,
  };
  const templates = createTemplates(filesOf(folders, 'templates', '.md'), problems);
  // References are only worth checking when the files themselves are right: else one mistake is reported twice.
  if (problems.length === 0) problems.push(...crossProblems(parts));
  if (problems.length > 0)
    throw new JuryError(
      'bad-file',
      `${problems.length === 1 ? 'A prompt file is' : `${problems.length} things in the prompt files are`} wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  return { ...parts, ...templates };
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
