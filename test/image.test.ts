import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { load } from 'js-yaml';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { readEnv } from '../src/env.ts';
import { findRedis } from './support/find-redis.ts';
import { newFolder } from './support/resources.ts';
import { main } from './support/run-jury.ts';

const redis = findRedis();
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
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()),
  healthcheck: z.object({ test: z.tuple([z.literal('CMD-SHELL'), z.string()]) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
});
const Compose = z.object({
  services: z.object({ jury: Service, redis: Service }),
  volumes: z.record(z.string(), z.null()),
});

describe('compose.yaml', () => {
  const { services, volumes } = Compose.parse(load(read('compose.yaml')));

  test('starts Jury once Redis answers, with the password that Redis has', () => {
    expect(services.jury.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
    const { REDIS_URL = '' } = services.jury.environment;
    const url = REDIS_URL.replace(/\$\{REDIS_PASSWORD:\?[^}]+\}/, 'a1b2c3');
    expect(readEnv({ REDIS_URL: url }, '').settings.REDIS_URL).toBe('redis://:a1b2c3@redis:6379');
    expect(services.redis.environment.REDISCLI_AUTH).toMatch(/^\$\{REDIS_PASSWORD\}$/);
  });

  test.skipIf(redis === null)(
    'has Redis keep everything, within its memory, and only for the password',
    async () => {
      const { command, libraries } = redis ?? { command: '', libraries: '' };
      const socket = join(newFolder(), 'redis.sock');
      const [shell = '', flags = '', script = ''] = services.redis.command;
      // As Compose hands it over; a socket stands in for the port, which others may have.
      const handed = script
        .replaceAll('$$', '$')
        .replace('redis-server -', `$& --port 0 --unixsocket ${socket}`);
      const env = {
        PATH: `${dirname(command)}:${process.env.PATH}`,
        LD_LIBRARY_PATH: libraries,
        REDISCLI_AUTH: 'a1b2c3',
        REDIS_MAXMEMORY: '1gb',
      };
      const server = spawn(shell, [flags, handed], { cwd: newFolder(), env, stdio: 'ignore' });
      onTestFinished(async () => {
        server.kill('SIGKILL');
        await once(server, 'exit');
      });
      const connect = (password?: string) => {
        const client = new Redis(socket, {
          retryStrategy: () => 20,
          maxRetriesPerRequest: null,
          ...(password === undefined ? {} : { password }),
        });
        client.on('error', () => {});
        onTestFinished(() => client.disconnect());
        return client;
      };
      const client = connect('a1b2c3');
      expect(await client.ping()).toBe('PONG');
      expect(await client.config('GET', 'appendonly')).toEqual(['appendonly', 'yes']);
      expect(await client.config('GET', 'maxmemory')).toEqual(['maxmemory', `${1024 ** 3}`]);
      expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
      await expect(connect().get('jury')).rejects.toThrow('NOAUTH');
      const arguments_ = spawnSync('ps', ['-o', 'args=', '-p', `${server.pid}`], { encoding: 'utf8' }).stdout;
      expect(arguments_).not.toContain('a1b2c3');
    },
  );

  test('keeps data in volumes alone, and opens Jury to this machine', () => {
    const mounts = Object.values(services).map(({ volumes: [mount = ''] }) => mount.split(':'));
    expect(mounts.map(([name]) => name)).toEqual(Object.keys(volumes));
    expect(mounts[0]?.[1]).toBe(restOf('VOLUME'));
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
