import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * Makes a folder and those above it. Node's own recursive way never returns on file systems that deny a folder's
 * existence instead of the permission to make it (such as /proc).
 *
 * @throws the error of the first folder that cannot be made
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  try {
    await mkdir(folder);
  } catch (thrown) {
    // Another process may have been faster.
    if (!(await isFolder(folder))) throw thrown;
  }
}
