import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readEnv } from '../src/env.ts';
import { newFolder } from './support/resources.ts';
import { main } from './support/run-jury.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const { engines, dependencies } = z
  .object({
    engines: z.object({ node: z.string() }),
    dependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(read('package.json')));

interface Line {
  word: string;
  rest: string;
}

/** The lines of a Dockerfile, without comments, by stage. */
function stagesOf(text: string) {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line): Line[] => {
      const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      return word === '' ? [] : [{ word, rest }];
    });
  const stages: { image: string; name: string; lines: Line[] }[] = [];
  for (const line of lines) {
    const [, image = '', name = ''] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(line.rest) ?? [];
    if (line.word === 'FROM') stages.push({ image, name, lines: [] });
    else stages.at(-1)?.lines.push(line);
  }
  return stages;
}

const stages = stagesOf(read('Dockerfile'));
const last = stages.at(-1)?.lines ?? [];
const restOf = (word: string) => last.find((line) => line.word === word)?.rest;
const words = (rest: string) => rest.split(/\s+/).filter((one) => !one.startsWith('--'));

/** What is not sent to the build: `docs/*` and then `!docs/*.md`. */
const ignored = read('.dockerignore').split('\n');

describe('the Dockerfile', () => {
  test('has one version of Node everywhere, which the package allows and CI tries', () => {
    const images = new Set(stages.map(({ image }) => image));
    expect(images.size).toBe(1);
    const [, major = ''] = /^node:(\d+)-\w+-slim$/.exec([...images][0] ?? '') ?? [];
    const [, least = ''] = /^>=(\d+)/.exec(engines.node) ?? [];
    expect(Number(major)).toBeGreaterThanOrEqual(Number(least));
    expect(read('.github/workflows/ci.yml')).toMatch(new RegExp(`node: \\[.*\\b${major}\\b.*\\]`));
  });

  test('copies what is there, and nothing that is kept out of the build', () => {
    const copied = stages.flatMap(({ lines }) =>
      lines
        .filter(({ word, rest }) => word === 'COPY' && !rest.includes('--from='))
        .flatMap(({ rest }) => words(rest).slice(0, -1)),
    );
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(join(root, path)) || ignored.includes(path))).toEqual([]);
    const from = stages.flatMap(({ lines }) =>
      lines.flatMap(({ rest }) => /--from=(\S+) (\S+)/.exec(rest)?.slice(1, 2) ?? []),
    );
    const names = stages.map(({ name }) => name);
    expect(from.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('brings every folder that the program reads, and the packages that it imports', () => {
    const copied = last.filter(({ word }) => word === 'COPY').map(({ rest }) => words(rest).at(-1));
    const env = readEnv({}, '');
    const folders = [env.promptFolders[0], env.docsFolder, `${root}dist`, `${root}manifests`];
    expect(
      folders.map((path) => `./${path.replace(root, '')}`).filter((path) => !copied.includes(path)),
    ).toEqual([]);
    expect(copied).toContain('./node_modules');
    // What is taken out again is in the bundle, or has types alone.
    const removed = /rm -r (.*)/.exec(
      stages.flatMap(({ lines }) => lines.map(({ rest }) => rest)).find((rest) => rest.includes('rm -r')) ??
        '',
    )?.[1];
    expect(removed?.split(' ')).toEqual(['node_modules/zod', 'node_modules/@types']);
    expect(Object.keys(dependencies).filter((name) => name.startsWith('@types/'))).toEqual([]);
  });

  test('starts the program without privileges, and asks whether it lives', () => {
    expect(restOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(JSON.parse(restOf('ENTRYPOINT') ?? '')).toEqual(['node', 'dist/main.js']);
    expect(main).toBe(join(root, 'dist/main.js'));
    const command: unknown = JSON.parse(/CMD (\[.*\])$/.exec(restOf('HEALTHCHECK') ?? '')?.[1] ?? '');
    const [program, flag, script = ''] = z.array(z.string()).parse(command);
    expect([program, flag]).toEqual(['node', '-e']);
    const down = spawnSync(process.execPath, ['-e', script], { env: { PORT: '9' } });
    expect(down.status).toBe(1);
    const data = /JURY_DATA_DIR=(\S+)/.exec(restOf('ENV') ?? '')?.[1];
    expect(restOf('VOLUME')).toBe(data);
  });
});

const Service = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  read_only: z.boolean(),
});
const Compose = z.object({
  services: z.object({ jury: Service, redis: Service }),
  volumes: z.record(z.string(), z.null()),
});

describe('compose.yaml', () => {
  const { services, volumes } = Compose.parse(load(read('compose.yaml')));

  test('has Redis keep everything, and Jury wait for it', () => {
    const command = services.redis.command?.join(' ');
    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(services.redis.healthcheck?.test).toEqual(['CMD', 'redis-cli', 'ping']);
    expect(services.jury.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
    const { REDIS_URL = '' } = services.jury.environment ?? {};
    expect(readEnv({ REDIS_URL }, '').settings.REDIS_URL).toBe('redis://redis:6379');
  });

  test('keeps data in volumes alone, and opens Jury to this machine', () => {
    const mounts = Object.values(services).map(({ volumes: [mount = ''] }) => mount.split(':'));
    expect(mounts.map(([name]) => name)).toEqual(Object.keys(volumes));
    expect(mounts[0]?.[1]).toBe(restOf('VOLUME'));
    expect(Object.values(services).map(({ read_only }) => read_only)).toEqual([true, true]);
    expect(services.jury.ports).toEqual(['127.0.0.1:3000:3000']);
  });
});

const hasNamespaces = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test.skipIf(!hasNamespaces)('the program needs nothing writable but its data, and no capability', () => {
  const data = newFolder();
  const script = [
    'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" || exit 99',
    '! touch written 2>/dev/null || exit 98',
    'exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"',
  ].join('\n');
  const ran = spawnSync('unshare', ['-rm', 'sh', '-c', script, root, process.execPath, main, 'doctor'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, JURY_DATA_DIR: data },
  });
  expect(ran.stdout).toContain(`✓ store: SQLite in ${data}/jury.db`);
  expect([ran.status, ran.stderr]).toEqual([0, '']);
});
