import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazily } from '../../src/common/collections.ts';
import { readLibrary } from '../../src/prompting/read-library.ts';

/** The prompts that come with the program. */
export const builtIn = fileURLToPath(new URL('../../prompts', import.meta.url));

/** They, read once for all tests of a process. */
export const builtInLibrary = lazily(() => readLibrary([builtIn]));

/** A prompts folder of a user's own, with these files. */
export function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'jury-prompts-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
