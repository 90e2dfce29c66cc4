import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { describe, expect, inject, test } from 'vitest';
import { PASTE } from '../support/pastes.ts';
import { redisOfRun } from '../support/redis.ts';
import { closeAfterEach, closing, newFolder, until } from '../support/resources.ts';
import { main } from '../support/run-jury.ts';
import type { SlackDouble } from '../support/slack-double.ts';
import { type Delivery, overHttp, payloadsOf } from '../support/slack-requests.ts';
import { ownRedis, slackEnv, startJury, withSlack } from '../support/slack-service.ts';
import { textOfPost } from '../support/teams-double.ts';
import { aPerson, executes, startTeamsJury, withTeams } from '../support/teams-service.ts';

closeAfterEach();
const again = { repeats: inject('counts').rounds - 1 };

interface Scene {
  slack: SlackDouble;
  port: number;
  deliver: Delivery;
  breakStore: () => Promise<unknown> | unknown;
  mendStore: () => Promise<unknown> | unknown;
}

/** Asks and votes before, while and after the store takes nothing: what is answered meanwhile did not wait for it. Everything is there once at the end. */
async function play({ slack, port, deliver, breakStore, mendStore }: Scene): Promise<void> {
  const ann = payloadsOf(slack);
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  const card = (ts: string) =>
    until(async () => {
      const [message] = await slack.written(slack.channel, ts);
      return message?.text.startsWith('FAIL') && message;
    });
  const toldOf = (text: string) =>
    slack.called('chat.postEphemeral').filter(({ args }) => String(args.text).includes(text));

  expect(await ready()).toBe(200);
  const first = await slack.say(PASTE);
  expect((await deliver.event(ann.mention(PASTE, first))).status).toBe(200);
  const { ts: cardTs } = await card(first);
  const message = await slack.message(slack.channel, cardTs, first);
  const id = /agree ([0-9a-f]{20})/.exec(JSON.stringify(message?.blocks))?.[1] ?? 'none';

  await breakStore();
  await until(async () => (await ready()) === 503);
  const second = await slack.say(PASTE);
  const mention = ann.mention(PASTE, second);
  for (let delivery = 0; delivery < 3; delivery++) expect((await deliver.event(mention)).status).toBe(503);
  await until(() => toldOf('Slack sends your request again').length > 0);

  expect((await deliver.interaction(ann.click('vote_feedback', `agree ${id}`, cardTs))).status).toBe(200);
  await until(() => toldOf('nothing was saved').length > 0);
  expect((await deliver.command('settings', { channel: slack.channel, user: slack.users.ann })).status).toBe(
    200,
  );
  const dialog = ann.submit('correction_form', JSON.stringify({ verdict: id }), {});
  const { status, body } = await deliver.interaction(dialog);
  expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('nothing was saved')]);

  await mendStore();
  await until(async () => (await ready()) === 200);
  await Promise.all([mention, mention].map((one) => deliver.event(one)));
  await card(second);
  await deliver.interaction(ann.click('vote_feedback', `agree ${id}`, cardTs));
  await until(async () =>
    JSON.stringify((await slack.message(slack.channel, cardTs, first))?.blocks).includes('👍 1'),
  );
  // Nothing twice: a card a request, and one word about the store.
  for (const ts of [first, second]) expect(await slack.written(slack.channel, ts)).toHaveLength(1);
  expect(toldOf('Slack sends your request again')).toHaveLength(1);
}

describe.skipIf(redisOfRun().binary === null)('a Redis that', () => {
  test.each(['is killed', 'hangs', 'is full', 'takes no writes'])(
    '%s loses nothing and doubles nothing',
    async (how) => {
      const redis = await ownRedis();
      const admin = new Redis(redis.url.replace('unix://', ''), { retryStrategy: () => 50 });
      admin.on('error', () => {});
      closing(async () => admin.disconnect());
      const slack = await withSlack();
      const { service, deliver } = await startJury(slack, 'http', { REDIS_URL: redis.url });
      const ways: Record<string, [() => unknown, () => unknown]> = {
        'is killed': [redis.kill, redis.start],
        hangs: [redis.hang, redis.resume],
        'is full': [() => admin.config('SET', 'maxmemory', '1'), () => admin.config('SET', 'maxmemory', '0')],
        'takes no writes': [() => admin.replicaof('127.0.0.1', '1'), () => admin.replicaof('NO', 'ONE')],
      };
      const [breakStore, mendStore] = ways[how] ?? [() => {}, () => {}];
      await play({ slack, port: service.port, deliver, breakStore, mendStore });
    },
  );

  test('is away: events in Socket Mode are not acknowledged, and come again', again, async () => {
    const redis = await ownRedis();
    const slack = await withSlack();
    const { deliver } = await startJury(slack, 'socket', { REDIS_URL: redis.url });
    const event = payloadsOf(slack).mention(PASTE, await slack.say(PASTE));
    await redis.kill();
    let acknowledged = 0;
    void deliver.event(event).then(() => acknowledged++);
    await until(() => slack.called('chat.postEphemeral').length > 0);
    await new Promise((done) => setTimeout(done, 500));
    expect(acknowledged).toBe(0);
    await redis.start();
    await until(async () => {
      void deliver.event(event).then(() => acknowledged++);
      await new Promise((done) => setTimeout(done, 200));
      return acknowledged > 0;
    });
    await until(async () =>
      (await slack.written(slack.channel, String(event.ts)))[0]?.text.startsWith('FAIL'),
    );
    expect(await slack.written(slack.channel, String(event.ts))).toHaveLength(1);
  });

  test('is away: Teams gets an error for a request, an answer for a click, and one word a conversation', async () => {
    const redis = await ownRedis();
    const teams = await withTeams();
    const { service } = await startTeamsJury(teams, { REDIS_URL: redis.url });
    const ann = aPerson(teams);
    await ann.deliver(service.port, ann.message(ann.personal, 'help'));
    await until(() => teams.posts.length > 0);
    await redis.kill();
    const request = ann.message(ann.personal, PASTE);
    for (let delivery = 0; delivery < 2; delivery++)
      expect((await ann.deliver(service.port, request).catch(() => ({ status: 500 }))).status).toBe(500);
    const click = ann.invoke(ann.personal, null, 'adaptiveCard/action', executes('v1', 'agree'));
    expect(JSON.stringify((await ann.deliver(service.port, click)).body)).toContain('nothing was saved');
    expect(teams.posts.filter((post) => textOfPost(post).includes('nothing was saved'))).toHaveLength(1);
    await redis.start();
    await until(async () => (await fetch(`http://127.0.0.1:${service.port}/readyz`)).status === 200);
    await ann.deliver(service.port, request);
    await until(() => teams.posts.some((post) => textOfPost(post).startsWith('FAIL')));
  });
});

/** A namespace of the service's own, so that its disk can be small and full, without any privilege here. */
const hasNamespaces = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe.skipIf(!hasNamespaces)('a disk that', () => {
  async function aServiceOnDisk(slack: SlackDouble) {
    const disk = newFolder();
    const child = spawn(
      'unshare',
      [
        '-rm',
        'sh',
        '-c',
        'mount -t tmpfs -o size=4m none "$0" && exec "$@"',
        disk,
        process.execPath,
        main,
        'serve',
      ],
      {
        env: {
          PATH: process.env.PATH,
          ...slackEnv(slack, 'http'),
          JURY_DATA_DIR: `${disk}/data`,
          PORT: '0',
          LOG_FORMAT: 'json',
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    closing(async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += String(chunk);
    });
    const port = await until(() => Number(/http:\/\/127\.0\.0\.1:(\d+)\//.exec(log)?.[1] ?? 0) || null);
    return { port, inside: `/proc/${child.pid}/root${disk}`, pid: child.pid ?? 0 };
  }

  test('is full loses nothing and doubles nothing', again, async () => {
    const slack = await withSlack();
    const { port, inside } = await aServiceOnDisk(slack);
    const filler = `${inside}/filler`;
    const breakStore = () => {
      expect(existsSync(inside)).toBe(true);
      for (let size = 1 << 22; size > 512; size >>= 1)
        try {
          while (true) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
        } catch {
          // No room for so much.
        }
    };
    await play({
      slack,
      port,
      deliver: overHttp(port, slack.users.jury),
      breakStore,
      mendStore: () => rmSync(filler),
    });
  });

  test('refuses every write loses nothing and doubles nothing', again, async () => {
    const slack = await withSlack();
    const { port, pid } = await aServiceOnDisk(slack);
    const limit = (soft: string) =>
      expect(spawnSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:unlimited`]).status).toBe(0);
    await play({
      slack,
      port,
      deliver: overHttp(port, slack.users.jury),
      breakStore: () => limit('0'),
      mendStore: () => limit('unlimited'),
    });
  });

  test('is full keeps no run from being begun again once there is room', () => {
    const disk = newFolder();
    const run = 'bench run cases.jsonl --methods io --models rules --name r1';
    const script = `
      mount -t tmpfs -o size=300k none "$0" && cd "$0" && cp "$2" cases.jsonl
      ${'$'}{NODE} "$1" bench run cases.jsonl --methods io --models rules --name before >/dev/null 2>&1
      dd if=/dev/zero of=filler bs=1k 2>/dev/null
      ${'$'}{NODE} "$1" ${run} 2>&1 >/dev/null; echo "ended with $?"; ls data/runs/r1
      rm filler
      ${'$'}{NODE} "$1" ${run} >/dev/null 2>&1; echo "ended with $?"`;
    const cases = fileURLToPath(new URL('../../examples/import-labels/cases.jsonl', import.meta.url));
    const { stdout } = spawnSync('unshare', ['-rm', 'sh', '-c', script, disk, main, cases], {
      env: { PATH: process.env.PATH, NODE: process.execPath, JURY_DATA_DIR: 'data' },
      encoding: 'utf8',
    });
    expect(stdout).toMatch(
      /^.*The folder data\/runs\/r1 cannot be written \(the disk is full\): [^\n]+\nended with 64\nended with 0\n$/s,
    );
  });
});
