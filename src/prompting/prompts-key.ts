import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders whose files are read at every start. */
const READ = ['fields', 'methods', 'personas', 'rubrics', 'templates'];

/** Folders that are read when something asks for them, but whose files others name. */
const NAMED = ['lexicons'];

const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();

/** A hash of all that the checked content of a prompts folder depends on; null where it cannot be read. */
export function promptsKey(folder: string): string | null {
  const hash = createHash('sha256');
  const add = (part: string | Buffer) => hash.update(`${part.length} `).update(part);
  try {
    for (const kind of [...READ, ...NAMED])
      for (const name of namesIn(join(folder, kind))) {
        add(`${kind}/${name}`);
        if (READ.includes(kind)) add(readFileSync(join(folder, kind, name)));
      }
  } catch {
    return null;
  }
  return hash.digest('hex');
}
