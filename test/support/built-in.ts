import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazily } from '../../src/common/collections.ts';
import type { Env } from '../../src/env.ts';
import type { Library } from '../../src/prompting/library.ts';
import { loadLibrary } from '../../src/prompting/load-library.ts';
import { readLibrary } from '../../src/prompting/read-library.ts';

/** The prompts that come with the program. */
export const builtIn = fileURLToPath(new URL('../../prompts', import.meta.url));

/** The same, read once per process. */
export const builtInLibrary = lazily(() => readLibrary([builtIn]));

const prepared = lazily(() => loadLibrary([builtIn]));

/** The built-in prompts, loaded once and shared by programs and services under test, unless a test has prompts of its own. */
export const loadedFor = async ({
  promptFolders,
}: Pick<Env, 'promptFolders'>): Promise<{ library?: Library }> =>
  promptFolders.length === 1 ? { library: await prepared() } : {};

/** A prompts folder of a user's own, with these files. */
export function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'jury-prompts-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
