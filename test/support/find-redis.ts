import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A redis-server that can be started. */
export interface RedisBinary {
  command: string;
  /** Where its libraries are, where it does not come from the system. */
  libraries: string;
}

const cache = fileURLToPath(new URL('../../.cache/redis', import.meta.url));
/** The server, its tools (in which the program itself is), and the libraries that a small system lacks. */
const packages = [
  'redis-server',
  'redis-tools',
  'libjemalloc2',
  'liblzf1',
  'libatomic1',
  'liblua5.1-0',
  'lua-cjson',
  'lua-bitop',
];

const runs = ({ command, libraries }: RedisBinary): boolean =>
  spawnSync(command, ['--version'], { env: { ...process.env, LD_LIBRARY_PATH: libraries } }).status === 0;

function unpacked(): RedisBinary {
  const lib = join(cache, 'usr', 'lib');
  const triplets = existsSync(lib) ? readdirSync(lib).filter((name) => name.includes('-linux-')) : [];
  return {
    command: join(cache, 'usr', 'bin', 'redis-server'),
    libraries: [lib, ...triplets.map((name) => join(lib, name))].join(':'),
  };
}

/** Debian and Ubuntu: the distribution's own packages, without root and without touching the system. */
function unpack(): void {
  const work = mkdtempSync(
    join(mkdirSync(join(cache, '..'), { recursive: true }) ?? join(cache, '..'), 'work-'),
  );
  try {
    const own = (name: string) => {
      const folder = join(work, name);
      mkdirSync(join(folder, 'partial'), { recursive: true });
      return folder;
    };
    const apt = (options: string[], ...args: string[]) =>
      spawnSync('apt-get', ['-q', ...options, ...args], { cwd: work, timeout: 60_000 }).status === 0;
    const download = (options: string[]) =>
      packages.filter((name) => apt(options, 'download', name)).includes('redis-tools');
    const ownLists = [`Dir::State::lists=${own('lists')}`, `Dir::Cache=${own('cache')}`].flatMap((option) => [
      '-o',
      option,
    ]);
    // Its own lists only where the system has none.
    if (!download([]) && !(apt(ownLists, 'update') && download(ownLists))) return;
    const root = join(work, 'root');
    for (const name of readdirSync(work).filter((file) => file.endsWith('.deb')))
      execFileSync('dpkg', ['-x', join(work, name), root]);
    rmSync(cache, { recursive: true, force: true });
    renameSync(root, cache);
  } catch {
    // Another system, no network, or another process was faster: whether it runs is seen below.
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A Redis on the path, else one unpacked before, else one unpacked now; null where none of it works. */
export function findRedis(): RedisBinary | null {
  const onPath: RedisBinary = { command: 'redis-server', libraries: process.env.LD_LIBRARY_PATH ?? '' };
  if (runs(onPath)) return onPath;
  if (!runs(unpacked())) unpack();
  return runs(unpacked()) ? unpacked() : null;
}
