import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Creates a folder and its parents, accessible only to their owner. Node's own recursive `mkdir` never returns on file systems that
 * report a missing folder instead of a missing permission (such as /proc).
 * @throws the error for the first folder that cannot be created
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another process may have created it first.
    if (!(await isFolder(folder))) throw thrown;
  }
}
