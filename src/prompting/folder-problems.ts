import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Problems } from './prompt-files.ts';

const KINDS = [
  'rubrics',
  'fields',
  'methods',
  'personas',
  'exemplars',
  'lexicons',
  'templates',
  'samples',
  'datasets',
  'benchmarks',
];

/** A prompts folder that is not there, or holds folders that nothing would be read from. */
export function folderProblems(folder: string): Problems {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return [`${folder}: is no folder; JURY_PROMPTS_DIR must name one`];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !KINDS.includes(entry.name))
    .map(
      ({ name }) =>
        `${join(folder, name)}: is not a folder that anything is read from; there is ${KINDS.join(', ')}`,
    );
}
