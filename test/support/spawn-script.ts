import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Within the repository, so that the scripts find its packages. */
const cache = fileURLToPath(new URL('../../.cache/scripts', import.meta.url));
const bundles = new Map<string, Promise<string>>();

async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(here, `${name}.ts`)],
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  mkdirSync(cache, { recursive: true });
  const file = join(cache, `${name}.mjs`);
  // Another test may be reading it.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, outputFiles[0]?.contents ?? '');
  renameSync(own, file);
  return file;
}

/**
 * Starts a script of this folder in a process of its own, bundled once: to read its hundreds of modules at each start takes longer than
 * all that it does before it is killed.
 */
export async function spawnScript(
  name: string,
  args: readonly string[],
  stdio: StdioOptions,
): Promise<ChildProcess> {
  const made = bundles.get(name) ?? bundle(name);
  bundles.set(name, made);
  return spawn(process.execPath, [await made, ...args], { stdio });
}
