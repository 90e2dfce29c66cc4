import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Program } from './debian-program.ts';

/** A server that a test can stop and start again on the same data. */
export interface RedisServer {
  url: string;
  start(): Promise<void>;
  /** SIGKILL: as a crash would. */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT: it hangs, with its connections open. */
  hang(): void;
  resume(): void;
  /** Stops it for good and deletes its data. */
  remove(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  // A cluster's nodes talk on their port + 10000.
  return address.port < 55_000 ? address.port : freePort();
}

async function answers(url: string): Promise<void> {
  const client = new Redis(url.replace(/^unix:\/\//, ''), {
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  client.on('error', () => {});
  await client.ping();
  client.disconnect();
}

/** A Sentinel that watches one server under the name `main`. */
export async function startSentinel(
  binary: Program,
  server: RedisServer,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'jury-sentinel-'));
  const port = await freePort();
  const config = join(folder, 'sentinel.conf');
  const { hostname, port: watched } = new URL(server.url);
  writeFileSync(
    config,
    `port ${port}\nbind 127.0.0.1\ndir ${folder}\nsentinel monitor main ${hostname} ${watched} 1\n`,
  );
  const child = spawn(binary.command, [config, '--sentinel'], {
    stdio: 'ignore',
    env: { ...process.env, LD_LIBRARY_PATH: binary.libraries },
  });
  await answers(`redis://127.0.0.1:${port}`);
  return {
    url: `redis+sentinel://127.0.0.1:${port}/main`,
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function joinOneNode(url: string): Promise<void> {
  const client = new Redis(url);
  const info = async () => String(await client.call('CLUSTER', 'INFO'));
  if (!(await info()).includes('cluster_slots_assigned:16384'))
    await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
  while (!(await info()).includes('cluster_state:ok')) await sleep(20);
  client.disconnect();
}

/**
 * Prepares a server; `cluster`: of one node that has all slots and so refuses what crosses them.
 * @param fsync `always`: a server that is killed has all that it acknowledged; `everysec` is faster, and such a server may lose the last
 *   two seconds
 */
export async function prepareRedis(
  binary: Program,
  kind: 'single' | 'tcp' | 'cluster' = 'single',
  fsync: 'always' | 'everysec' = 'always',
): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'jury-redis-'));
  const socket = join(folder, 'redis.sock');
  const port = kind === 'single' ? 0 : await freePort();
  const ways = {
    single: ['--port', '0', '--unixsocket', socket],
    tcp: ['--port', `${port}`, '--bind', '127.0.0.1'],
    cluster: [
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--cluster-enabled',
      'yes',
      '--cluster-announce-ip',
      '127.0.0.1',
    ],
  };
  let child: ChildProcess | null = null;
  const plainUrl = kind === 'single' ? `unix://${socket}` : `redis://127.0.0.1:${port}`;
  const kill = async () => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  };
  return {
    url: kind === 'cluster' ? `redis+cluster://127.0.0.1:${port}` : plainUrl,
    start: async () => {
      const args = [
        ...ways[kind],
        '--dir',
        folder,
        '--appendonly',
        'yes',
        '--appendfsync',
        fsync,
        '--save',
        '',
      ];
      child = spawn(binary.command, args, {
        stdio: 'ignore',
        env: { ...process.env, LD_LIBRARY_PATH: binary.libraries },
      });
      await answers(plainUrl);
      if (kind === 'cluster') await joinOneNode(plainUrl);
    },
    kill,
    hang: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
