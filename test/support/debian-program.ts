import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program that can be started. */
export interface Program {
  command: string;
  /** Where its libraries are (`LD_LIBRARY_PATH`), where it does not come from the system. */
  libraries: string;
}

/** A program of Debian and Ubuntu that tests start. */
export interface DebianProgram {
  /** Its name on the path. */
  name: string;
  /** Where its package has it, from the root of the system. */
  file: string;
  /** What makes it print its version and end. */
  version: string;
  /** The package that has it, then the libraries that a small system lacks. */
  packages: readonly [string, ...string[]];
}

const cache = fileURLToPath(new URL('../../.cache', import.meta.url));

const runs = ({ command, libraries }: Program, { version }: DebianProgram): boolean =>
  spawnSync(command, [version], { env: { ...process.env, LD_LIBRARY_PATH: libraries } }).status === 0;

function unpacked({ name, file }: DebianProgram): Program {
  const lib = join(cache, name, 'usr', 'lib');
  const triplets = existsSync(lib) ? readdirSync(lib).filter((folder) => folder.includes('-linux-')) : [];
  return {
    command: join(cache, name, file),
    libraries: [lib, ...triplets.map((folder) => join(lib, folder))].join(':'),
  };
}

/** The distribution's own packages, without root and without touching the system. */
function unpack({ name, packages }: DebianProgram): void {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'work-'));
  try {
    const own = (folder: string) => {
      const path = join(work, folder);
      mkdirSync(join(path, 'partial'), { recursive: true });
      return path;
    };
    const apt = (options: string[], ...args: string[]) =>
      spawnSync('apt-get', ['-q', ...options, ...args], { cwd: work, timeout: 60_000 }).status === 0;
    const download = (options: string[]) =>
      packages.filter((one) => apt(options, 'download', one)).includes(packages[0]);
    const ownLists = [`Dir::State::lists=${own('lists')}`, `Dir::Cache=${own('cache')}`].flatMap((option) => [
      '-o',
      option,
    ]);
    // Its own lists only where the system has none.
    if (!download([]) && !(apt(ownLists, 'update') && download(ownLists))) return;
    const root = join(work, 'root');
    for (const file of readdirSync(work).filter((one) => one.endsWith('.deb')))
      execFileSync('dpkg', ['-x', join(work, file), root]);
    rmSync(join(cache, name), { recursive: true, force: true });
    renameSync(root, join(cache, name));
  } catch {
    // Another system, no network, or another process was faster: whether it runs is seen below.
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The program on the path, else one unpacked before, else one unpacked now; null where none of them works. */
export function findProgram(wanted: DebianProgram): Program | null {
  const onPath: Program = { command: wanted.name, libraries: process.env.LD_LIBRARY_PATH ?? '' };
  if (runs(onPath, wanted)) return onPath;
  if (!runs(unpacked(wanted), wanted)) unpack(wanted);
  return runs(unpacked(wanted), wanted) ? unpacked(wanted) : null;
}

/** Says aloud that tests are skipped for want of a program; under CI=true that fails. */
export function saySkipped(what: string): void {
  if (process.env.CI === 'true') throw new Error(what);
  console.warn(`\n!!! ${what} The tests that need it are SKIPPED.\n`);
}
