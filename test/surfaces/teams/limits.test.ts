import { describe, expect, test } from 'vitest';
import type { SummaryLine } from '../../../src/surfaces/chat/progress.ts';
import { casesCard } from '../../../src/surfaces/teams/render/lists.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { playgroundAt } from '../../support/run-service.ts';
import { serviceModel } from '../../support/service-model.ts';
import { ownRedis } from '../../support/slack-service.ts';
import { textOfPost } from '../../support/teams-double.ts';
import {
  aPerson,
  aTeam,
  CHANNEL,
  executes,
  GROUP,
  recent,
  type Someone,
  saying,
  startTeamsJury,
  TENANT,
  withTeams,
} from '../../support/teams-service.ts';

closeAfterEach();

describe('Teams: limits and failures', () => {
  test.each([429, 412, 503])('a refusal with %i is waited for, and the card comes once', async (status) => {
    const { teams, ann, jury } = await aTeam({}, { isQuick: false });
    teams.refuse({ status, times: 2, retryAfter: 1 });
    await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
    await saying(teams, /^FAIL/);
    expect(teams.posts).toHaveLength(1);
    const posts = teams.calls.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(3);
  });

  test.each([429, 412])('a conversation that is refused with %i keeps no other waiting', async (status) => {
    const { teams, ann, bob, jury } = await aTeam({}, { isQuick: false });
    teams.refuse({ status, times: Number.POSITIVE_INFINITY, retryAfter: 3, conversation: GROUP });
    await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
    await until(async () => teams.calls.length > 0);
    await bob.deliver(jury.service.port, bob.message(bob.personal, PASTE));
    await until(async () =>
      teams.posts.some((post) => post.conversation === bob.personal && /^FAIL/.test(textOfPost(post))),
    );
    expect(teams.posts.some(({ conversation }) => conversation === GROUP)).toBe(false);
    teams.refuse({ status, times: 0 });
    await until(async () => teams.posts.some(({ conversation }) => conversation === GROUP));
  });

  test.each([403, 404, 400])(
    'a refusal with %i that names no time is final: one try, and the person is notified in private',
    async (status) => {
      const { teams, ann, jury } = await aTeam({}, { isQuick: false });
      await ann.deliver(jury.service.port, ann.installed());
      await saying(teams, /^Paste what a user said/);
      teams.refuse({ status, times: 1 });
      await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
      const store = await jury.parts.store();
      if (status === 400)
        await until(async () => teams.calls.filter(({ path }) => path.includes('lunch')).length > 0);
      else await until(async () => (await store.pendingSpotChecks()) === 0);
      const tries = teams.calls.filter(
        ({ method, path }) => method === 'POST' && decodeURIComponent(path).includes(GROUP),
      );
      expect(tries).toHaveLength(1);
      if (status !== 400) await saying(teams, /I cannot post in that conversation/);
    },
  );

  test('an answer that could not be posted is posted later, without being asked for again', async () => {
    const { teams, ann, jury } = await aTeam({}, { isQuick: false });
    const said = ann.message(ann.personal, 'help');
    teams.refuse({ status: 400, times: 1 });
    expect((await ann.deliver(jury.service.port, said)).status).toBe(200);
    await saying(teams, /^Paste what a user said/);
    expect([teams.refused(), teams.posts.length]).toEqual([1, 1]);
  });

  test('a request that cannot be read is refused without a stack trace', async () => {
    const { jury } = await aTeam({}, { isQuick: false });
    const answer = await fetch(playgroundAt(jury.service.port), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"secret": ',
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe('{"error":"bad request"}');
  });

  test('the list of a hundred cases fits into a dialog', () => {
    const long = (n: number): SummaryLine => ({
      kind: 'judged',
      id: `v${n}`,
      title: '長'.repeat(90),
      decision: 'fail',
      reason: '短'.repeat(120),
    });
    const card = casesCard(
      Array.from({ length: 100 }, (_, n) => long(n)),
      'en',
    );
    expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28_000);
    expect(JSON.stringify(card)).toMatch(/\d+ more do not fit here/);
  });

  test('one mention over two services on one store gives one verdict and one card', async () => {
    const teams = await withTeams();
    const ann = aPerson(teams);
    const env = { JURY_DATA_DIR: newFolder() };
    const jury = await startTeamsJury(teams, env);
    const asked = ann.message(CHANNEL, PASTE);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ann.deliver(jury.service.port, asked)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await saying(teams, /^FAIL/);
    await ann.deliver(jury.service.port, asked);
    expect(teams.posts).toHaveLength(1);
    expect(await recent(jury)).toHaveLength(1);
  });

  test('the same activity five times over two replicas gives one verdict and one card', async () => {
    const teams = await withTeams();
    const ann = aPerson(teams);
    const redis = await ownRedis();
    const env = { REDIS_URL: redis.url, JURY_SECRET: 'of-this-test' };
    const replicas = [await startTeamsJury(teams, env), await startTeamsJury(teams, env)];
    const asked = ann.message(CHANNEL, PASTE);
    await Promise.all([0, 1, 0, 1, 0].map((n) => ann.deliver(replicas[n]?.service.port ?? 0, asked)));
    const card = await saying(teams, /^FAIL/);
    const [, second] = replicas;
    if (second === undefined) throw new Error('no second replica');
    const [record] = await recent(second);
    const press = (who: Someone, port: number) =>
      who.deliver(
        port,
        who.invoke(CHANNEL, asked.id, 'adaptiveCard/action', executes(record?.id ?? '', 'agree'), card.id),
      );
    await Promise.all(replicas.map(({ service }, n) => press(aPerson(teams, `P${n}`), service.port)));
    await until(async () => /👍 2/.test(textOfPost(card)));
    expect(teams.posts).toHaveLength(1);
    expect(await recent(second)).toHaveLength(1);
  });

  test('Teams is answered before any model is asked, and the person before any model answers', async () => {
    const { double, env } = await serviceModel({ answer: () => ({ hang: true }) });
    const { teams, ann, jury } = await aTeam(env, { isQuick: false });
    await ann.deliver(jury.service.port, ann.message(GROUP, 'help'));
    const { status } = await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
    expect(status).toBe(200);
    expect(double.counts.received).toBe(0);
    await until(async () => teams.posts.length === 2);
    expect(double.counts.answered).toBe(0);
  });

  test('a service URL that changes takes the place of the old one', async () => {
    const { ann, jury } = await aTeam({}, { isQuick: false });
    const store = await jury.parts.store();
    const place = async () => JSON.parse((await store.get(`teams-place:${GROUP}`, Date.now())) ?? '{}');
    const said = ann.message(GROUP, 'help');
    await ann.deliver(jury.service.port, said);
    const before = await place();
    await ann.deliver(jury.service.port, {
      ...ann.message(GROUP, 'help'),
      serviceUrl: `${said.serviceUrl}/moved`,
    });
    expect((await place()).serviceUrl).toBe(`${before.serviceUrl}/moved`);
    expect(before.tenant).toBe(TENANT);
  });

  test('pasted markup is words: no run of text is read as Markdown, HTML, a mention or a card', async () => {
    const team = await aTeam({}, { isQuick: false });
    const { teams, ann, jury } = team;
    teams.withoutStreams();
    const hostile =
      '<at>everyone</at> **bold** [x](https://evil.test) <b>b</b> {"type":"AdaptiveCard"} @everyone';
    const paste = PASTE.replace(/^(User: )(.*)$/m, `$1$2 ${hostile}`);
    await ann.deliver(jury.service.port, ann.message(ann.personal, paste));
    await until(async () => (await recent(jury)).length === 1);
    const post = await until(async () => teams.posts[0]);
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      // A TextBlock would be read as Markdown.
      if ('type' in value) expect(value.type).not.toBe('TextBlock');
      Object.values(value).forEach(visit);
    };
    visit(post.activity);
    expect(JSON.stringify(post.activity)).not.toContain('"mentioned"');
  });
});
