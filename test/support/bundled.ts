import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** A module of the sources as a file that a process runs at once, without reading and translating what it imports. */
export function bundled(path: string): string {
  const outfile = join(mkdtempSync(join(tmpdir(), 'jury-bundled-')), 'module.mjs');
  const banner = {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  };
  buildSync({ entryPoints: [path], outfile, bundle: true, platform: 'node', format: 'esm', banner });
  return outfile;
}
