import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The hash of prompts that judgements record. */
export const contentHash = (...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return `sha256:${hash.digest('hex')}`;
};

/** The folders of the library. */
const KINDS = ['exemplars', 'fields', 'lexicons', 'methods', 'paste', 'personas', 'rubrics', 'templates'];

const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();

/** A hash of everything that the library of a prompts folder depends on; null if it cannot be read. */
export function promptsKey(folder: string): string | null {
  const hash = createHash('sha256');
  const add = (part: string | Buffer) => hash.update(`${part.length} `).update(part);
  try {
    const archived = namesIn(join(folder, 'archive')).map((kind) => `archive/${kind}`);
    for (const kind of [...KINDS, ...archived])
      for (const name of namesIn(join(folder, kind))) {
        add(`${kind}/${name}`);
        add(readFileSync(join(folder, kind, name)));
      }
  } catch {
    return null;
  }
  return hash.digest('hex');
}
