import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { closeAfterEach, closing } from '../../support/resources.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { tokens } from '../../support/slack-double.ts';
import { withSlack } from '../../support/slack-service.ts';

closeAfterEach();

/** Sixty answers without labels, of which so many recommend a place that is rated too low. */
function answers(cwd: string, name: string, wrong: number): string {
  const file = join(cwd, `${name}.jsonl`);
  const lines = Array.from({ length: 60 }, (_, n) =>
    JSON.stringify({
      id: `c${n}`,
      conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4' }],
      response: `Sakura is five minutes away (${name}).`,
      recommendation: { name: 'Sakura', cuisine: 'Japanese', rating: n < wrong ? 3.5 : 4.5, durationMin: 5 },
      latencyMs: 900 + 10 * n,
    }),
  );
  writeFileSync(file, lines.join('\n'));
  return file;
}

async function runOf(cwd: string, name: string, wrong: number): Promise<void> {
  const file = answers(cwd, name, wrong);
  const ran = await jury(['bench', 'run', file, '--models', 'rules', '--name', name, '--series', 'nightly'], {
    cwd,
  });
  expect(ran.code).toBe(0);
}

describe('jury alert', () => {
  test('says where each alert stands, and posts once when a run crosses the limit, to the webhook too', async () => {
    const cwd = scratch();
    const slack = await withSlack();
    const calls: { key: unknown; body: unknown }[] = [];
    let status = 503;
    const hook = createServer(async (request, response) => {
      const body: unknown = JSON.parse(await text(request));
      calls.push({ key: request.headers['idempotency-key'], body });
      response.writeHead(status).end();
    });
    hook.listen(0, '127.0.0.1');
    await once(hook, 'listening');
    closing(async () => void hook.close());
    const { port } = hook.address() as AddressInfo;
    const env = {
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: tokens.bot,
      JURY_WEBHOOKS: `pager=http://127.0.0.1:${port}/secret-path`,
    };
    const run = (...args: string[]) => jury(args, { cwd, env });
    await runOf(cwd, 'nightly-1', 0);
    const set = await run('alert', 'set', slack.channel, 'nightly', 'below', '90%', 'webhook', 'pager');
    expect(set).toMatchObject({
      code: 0,
      err: '',
      out: `a1: nightly below 90 %, also to pager; watching: 100 % (94–100), limit 90 %; in ${slack.channel}\n`,
    });
    await run('alert', 'set', slack.channel, 'nightly', 'latency', 'above', '2', 's');
    await run('alert', 'set', slack.channel, 'nightly', 'worse', 'than', 'baseline', 'by', '3', 'points');
    expect((await run('digest', 'send')).out).toBe('a1: nothing due\na2: nothing due\na3: nothing due\n');

    await run('bench', 'baseline', 'nightly', 'nightly-1');
    await runOf(cwd, 'nightly-2', 20);
    const listed = (await run('alert', 'list')).out;
    expect(listed).toContain(
      'a1: nightly below 90 %, also to pager. Watching: 66.7 % (54.1–77.3), limit 90 %',
    );
    expect(listed).toContain('a2: nightly latency above 2 s. Watching: 1.2 s (1.1–1.3), limit 2 s');
    expect(listed).toMatch(
      /a3: nightly worse than the baseline by 3 points\. Watching: −33\.3 points .*, limit 3 points/,
    );

    const failed = await run('digest', 'send');
    expect(failed.out).toBe('a1: failed\na2: nothing due\na3: posted\n');
    expect(failed.err).toContain('The webhook "pager" could not be called: it answered 503');
    expect(failed.err).not.toContain('secret-path');
    // It is called again later; what was posted is not posted again.
    status = 200;
    expect((await run('digest', 'send')).out).toBe('a1: waiting\na2: nothing due\na3: nothing due\n');
    const written = (await slack.written(slack.channel)).map((post) => post.text).reverse();
    // The channel reads what was set for it, and then what sounds.
    expect(written.splice(0, 3)).toEqual([
      expect.stringMatching(/, in the terminal, set an alert: nightly below 90 % \(a1\)\.$/),
      expect.stringMatching(/ set an alert: nightly latency above 2 s \(a2\)\.$/),
      expect.stringMatching(/ set an alert: nightly worse than the baseline by 3 points \(a3\)\.$/),
    ]);
    const posts = written.reverse();
    expect(posts).toHaveLength(2);
    expect(posts.join('\n')).toContain(
      'nightly fell below 90 %: 66.7 % (54.1–77.3). Newly failing: Rating (20), for example: ',
    );
    expect(posts.join('\n')).toContain(
      'nightly is worse than its baseline by more than 3 points: −33.3 points',
    );
    const [alert] = await slack.written(slack.channel);
    const thread = await slack.written(slack.channel, alert?.ts);
    expect(JSON.stringify(thread)).toContain('20 answers newly fail');
    expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
    expect(calls[0]?.body).toMatchObject({
      alert: 'a1',
      benchmark: 'nightly',
      state: 'wrong',
      run: 'nightly-2',
    });
  });

  /** The texts of alerts in a channel, oldest first, without who set them. */
  const postsIn = async (slack: Awaited<ReturnType<typeof withSlack>>) =>
    (await slack.written(slack.channel))
      .map(({ text }) => text)
      .filter((text) => !text.includes(' set an alert'))
      .reverse();

  test('adds up runs of the same requests, and says that it is about these', async () => {
    const cwd = scratch();
    const slack = await withSlack();
    const env = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: tokens.bot };
    const run = (...args: string[]) => jury(args, { cwd, env });
    // 85 % of 240 are right, and always the same; only how long it took differs.
    const collected = async (name: string, ms: number) => {
      const lines = Array.from({ length: 240 }, (_, n) =>
        JSON.stringify({
          id: `c${n}`,
          conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4' }],
          response: 'Sakura is five minutes away.',
          recommendation: { name: 'Sakura', cuisine: 'Japanese', rating: n < 36 ? 3.5 : 4.5, durationMin: 5 },
          latencyMs: ms + n,
        }),
      );
      writeFileSync(join(cwd, `${name}.jsonl`), lines.join('\n'));
      await run('bench', 'run', `${name}.jsonl`, '--models', 'rules', '--name', name, '--series', 'weekly');
    };
    await collected('weekly-0', 900);
    await run('alert', 'set', slack.channel, 'weekly', 'below', '86%');
    await run('alert', 'set', slack.channel, 'weekly', 'below', '90%');
    let looks = 0;
    while (looks < 8 && (await postsIn(slack)).length === 0) {
      looks += 1;
      await collected(`weekly-${looks}`, 900 + looks);
      await run('digest', 'send');
    }
    expect(looks).toBe(4);
    expect(await postsIn(slack)).toEqual([expect.stringContaining('weekly is below 90 %: 85 % (79.9–89).')]);
    const [post] = await slack.written(slack.channel);
    expect(JSON.stringify(post)).toContain('It is about these 240 requests, the same in each run.');
    const listed = (await run('alert', 'list')).out;
    expect(listed).toContain('a1: weekly below 86 %. Watching: 85 % (79.9–89), limit 86 %; in ');
    expect(listed).toContain('a2: weekly below 90 %. Not back yet: 85 % (79.9–89), limit 90 %; in ');
  });

  test('says once of answers that are judged again that these are below the limit', async () => {
    const cwd = scratch();
    const slack = await withSlack();
    const env = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: tokens.bot };
    const run = (...args: string[]) => jury(args, { cwd, env });
    const file = answers(cwd, 'kept', 7);
    const judge = (name: string) =>
      run('bench', 'run', file, '--models', 'rules', '--name', name, '--series', 'nightly');
    await judge('nightly-1');
    const set = await run('alert', 'set', slack.channel, 'nightly', 'below', '90%');
    expect(set.out).toContain('watching: 88.3 % (77.8–94.2), limit 90 %');
    for (const name of ['nightly-2', 'nightly-3', 'nightly-4']) {
      await judge(name);
      await run('digest', 'send');
    }
    expect(await postsIn(slack)).toEqual([
      expect.stringContaining(
        'nightly is below 90 %: 88.3 %. These are the same 60 answers as before, judged again.',
      ),
    ]);
    expect((await run('alert', 'list')).out).toContain(
      'a1: nightly below 90 %. Watching: 88.3 % (77.8–94.2), limit 90 %; the same answers as before',
    );
  });

  test('is paused, resumed and removed by its id', async () => {
    const cwd = scratch();
    const run = (...args: string[]) => jury(['alert', ...args], { cwd });
    expect((await run('list')).err).toContain('No alerts are set');
    expect((await run('set', 'C0123ABCD', 'navigation', 'below', '90%', '--owner', 'U0123ABCD')).out).toBe(
      'a1: navigation below 90 %; no run is finished yet; in C0123ABCD; set by U0123ABCD\n',
    );
    expect((await run('pause', 'a1')).out).toBe('a1 paused\n');
    expect((await run('list')).out).toContain('; paused; ');
    expect(JSON.parse((await run('list', '--json')).out)).toMatchObject({ id: 'a1', paused: true });
    expect((await run('resume', 'a1')).out).toBe('a1 resumed\n');
    const twin = await run('set', 'C0123ABCD', 'navigation', 'below', '0.9');
    expect(twin).toMatchObject({ code: 64, out: '' });
    expect(twin.err).toContain('a1 does that already. Nothing was added.');
    // Digests and alerts are kept apart.
    expect((await jury(['digest', 'list'], { cwd })).err).toContain('No digests are scheduled');
    expect((await jury(['digest', 'pause', 'a1'], { cwd })).err).toContain('There is no schedule "a1"');
    expect((await run('remove', 'a1')).out).toBe('a1 removed\n');
    expect((await run('list')).out).toBe('');
  });

  test.each([
    [['set', 'C0123ABCD'], 'Give a channel, a benchmark and a rule'],
    [['set', '#quality', 'navigation', 'below', '90%'], '"#quality" is not a channel id'],
    [
      ['set', 'C0123ABCD', 'nightly', 'below', '90%'],
      'There is no benchmark or series of runs named "nightly"',
    ],
    [['set', 'C0123ABCD', 'navigaton', 'below', '90%'], 'Did you mean "navigation"?'],
    [['set', 'C0123ABCD', 'navigation', 'above', '90%'], 'is not an alert rule. Write “below 90 %”'],
    [['set', 'C0123ABCD', 'navigation', 'below', '90%', 'webhook', 'pager'], 'Set JURY_WEBHOOKS'],
    [['pause', 'a7'], 'There is no alert "a7"'],
  ])('%j is refused with what to do', async (args, message) => {
    const ran = await jury(['alert', ...args]);
    expect(ran).toMatchObject({ code: 64, out: '' });
    expect(ran.err).toContain(message);
  });

  test('a malformed webhook stops the start without naming its address', async () => {
    const ran = await jury(['alert', 'list'], { env: { JURY_WEBHOOKS: 'pager=ftp://secret-host/x' } });
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('JURY_WEBHOOKS: must be name=https://… pairs');
    expect(ran.err).not.toContain('secret-host');
  });

  test('reads each run as it was, also where several have ended since', async () => {
    const cwd = scratch();
    const slack = await withSlack();
    const env = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: tokens.bot };
    const run = (...args: string[]) => jury(args, { cwd, env });
    await runOf(cwd, 'nightly-1', 0);
    await run('alert', 'set', slack.channel, 'nightly', 'below', '90%');
    await runOf(cwd, 'nightly-2', 20);
    await runOf(cwd, 'nightly-3', 0);
    expect((await run('digest', 'send')).out).toBe('a1: posted\n');
    const [post] = await slack.written(slack.channel);
    expect(post?.text).toContain('nightly fell below 90 %: 66.7 % (54.1–77.3). Newly failing: Rating (20)');
  });
});
