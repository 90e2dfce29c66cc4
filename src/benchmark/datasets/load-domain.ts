import type * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import { checked, filesOf, type Problems, withId, yamlOf } from '../../prompting/prompt-files.ts';
import { Areas } from './areas.ts';
import { Domain } from './domain.ts';

function read<T extends z.ZodType>(
  folders: readonly string[],
  kind: string,
  id: string,
  schema: T,
): z.infer<T> {
  const problems: Problems = [];
  const files = filesOf(folders, kind, '.yaml', problems);
  const file = files.get(id);
  if (file === undefined)
    throw new JuryError(
      'usage',
      `There is no ${kind}/${id}.yaml. There is: ${[...files.keys()].join(', ')}.`,
    );
  const data = checked(schema, withId(id, yamlOf(file, problems)), file.path, problems);
  if (data === undefined || problems.length > 0)
    throw new JuryError(
      'bad-file',
      `A file that data is generated from is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  return data;
}

/**
 * Reads and checks what data of one kind is made from, and where it takes place; a file in a later folder takes the
 * place of one with the same id.
 *
 * @throws JuryError `usage` for an id that is not there, `bad-file` for one that is wrong
 */
export function loadDomain(folders: readonly string[], id: string): { domain: Domain; areas: Areas } {
  const domain = read(folders, 'datasets', id, Domain);
  return { domain, areas: read(folders, 'datasets/areas', domain.areas, Areas) };
}

/**
 * What a model is told that rephrases requests.
 * @throws JuryError `bad-file` where it is missing
 */
export function loadInstructions(folders: readonly string[]): string {
  const file = filesOf(folders, 'datasets', '.md', []).get('paraphrase');
  if (file === undefined) throw new JuryError('bad-file', 'datasets/paraphrase.md: is missing');
  return file.text.trim();
}
