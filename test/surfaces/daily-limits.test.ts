import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { page } from '../../src/surfaces/web/page-surface.ts';
import { call, textOfHtml } from '../support/page-service.ts';
import { PASTE } from '../support/pastes.ts';
import { closeAfterEach, until } from '../support/resources.ts';
import { jury as runJury } from '../support/run-jury.ts';
import { runService } from '../support/run-service.ts';
import { serviceModel } from '../support/service-model.ts';
import { payloadsOf } from '../support/slack-requests.ts';
import { startJury, withSlack } from '../support/slack-service.ts';
import { textOfPost } from '../support/teams-double.ts';
import { aPerson, CHANNEL, QUICK, startTeamsJury, withTeams } from '../support/teams-service.ts';

closeAfterEach();

const MINE = 'Your own daily limit of $0.00000010 for model calls is spent. It resets at ';
/** Less than one answer costs: the first call spends it. */
const TINY = '0.0000001';

describe('a person whose daily limit is spent', () => {
  test('is told so alone in Slack; others ask on, and the status page counts without a name', async () => {
    const { env } = await serviceModel();
    const slack = await withSlack();
    const jury = await startJury(slack, 'http', { ...env, JURY_PERSON_DAILY_USD: TINY });
    const ask = async (user: string): Promise<string> => {
      const ts = await slack.say(PASTE);
      await jury.deliver.event(payloadsOf(slack, user).mention(PASTE, ts));
      const store = await jury.parts.store();
      await until(async () => (await store.pendingSpotChecks()) === 0);
      return JSON.stringify(await slack.written(slack.channel, ts));
    };
    await ask(slack.users.ann);
    const shown = await ask(slack.users.ann);
    expect(shown).not.toContain('own daily limit');
    const [told, ...more] = slack.called('chat.postEphemeral');
    expect(told?.args).toMatchObject({ user: slack.users.ann, text: expect.stringContaining(MINE) });
    expect(more.every(({ args }) => args.user === slack.users.ann)).toBe(true);
    const [first] = await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 9 });
    expect(JSON.stringify(first)).not.toContain('own daily limit');
    const status = await call(jury.service.port, '/status');
    expect(textOfHtml(status.text)).toContain('$0.00000010 a person (1 reached today)');
    expect(status.text).not.toContain(slack.users.ann);
  });

  test.each([
    ['by a message that they alone see', true, true],
    ['in their own chat where Teams takes no such message', false, true],
    ['nowhere if they have no such chat', false, false],
  ])('is told so in Teams %s', async (_where, takesTargeted, hasChat) => {
    const { env } = await serviceModel();
    const teams = await withTeams(QUICK);
    const ann = aPerson(teams);
    const jury = await startTeamsJury(teams, { ...env, JURY_PERSON_DAILY_USD: TINY });
    if (hasChat) await ann.deliver(jury.service.port, ann.installed());
    if (!takesTargeted) teams.refuse({ status: 403, times: Number.POSITIVE_INFINITY, targeted: true });
    for (let n = 0; n < 2; n += 1) await ann.deliver(jury.service.port, ann.message(CHANNEL, PASTE));
    const store = await jury.parts.store();
    await until(async () => (await store.recentVerdicts({ channel: null, limit: 9 })).length === 2);
    await until(async () => (await store.pendingSpotChecks()) === 0);
    const told = teams.posts.filter((post) => textOfPost(post).includes(MINE));
    const where = takesTargeted ? '29:Ann' : ann.personal;
    const alone = takesTargeted || hasChat;
    expect(told.length > 0).toBe(alone);
    expect(told.every(({ onlyFor, conversation }) => where === (onlyFor ?? conversation))).toBe(true);
    expect(teams.refused() > 0).toBe(!takesTargeted);
    const others = teams.posts.filter((post) => !told.includes(post));
    expect(others.map(textOfPost).join()).not.toContain('own daily limit');
  });
});

test('jury doctor has the limits, and how many have reached them', async () => {
  const set = { JURY_PERSON_DAILY_USD: '1', JURY_TOKEN_DAILY_USD: '5' };
  const { out } = await runJury(['doctor'], { env: set });
  expect(out).toContain('✓ daily limits: $1.00 a person (0 reached today), $5.00 a token (0 reached today)');
  expect((await runJury(['doctor'])).out).toContain('– daily limits: none: JURY_PERSON_DAILY_USD, ');
});

describe('at the console', () => {
  test('it is said on the page, below what exact checks found', async () => {
    const { env } = await serviceModel();
    const jury = await runService({ ...env, JURY_PERSON_DAILY_USD: TINY }, [page]);
    const { port } = jury.service;
    const ask = async (): Promise<string> => {
      const body = { key: randomUUID(), text: PASTE };
      const { text } = await call(port, '/ui/requests', { method: 'POST', body });
      const { view } = z.object({ view: z.string() }).parse(JSON.parse(text));
      const store = await jury.parts.store();
      await until(async () => (await store.pendingSpotChecks()) === 0);
      return textOfHtml((await call(port, `/requests/${view}`)).text);
    };
    await ask();
    const shown = await ask();
    expect(shown).toContain('exact checks only');
    expect(shown).toContain(MINE);
  });
});

test('a token whose daily limit is spent gets 429 with whose limit it is and when it resets', async () => {
  const { env } = await serviceModel();
  const tokens = 'one:token-one-0123456789,two:token-two-0123456789';
  const limits = { JURY_API_TOKENS: tokens, JURY_TOKEN_DAILY_USD: TINY };
  const jury = await runService({ ...env, ...limits }, [page]);
  const ask = (token: string) =>
    call(jury.service.port, '/api/v1/verdicts', {
      method: 'POST',
      body: { paste: PASTE, models: ['openai/gpt-4o-mini'] },
      headers: { authorization: `Bearer ${token}` },
    });
  await ask('token-one-0123456789');
  const { status, text } = await ask('token-one-0123456789');
  expect([status, JSON.parse(text)]).toEqual([
    429,
    {
      error: {
        code: 'budget',
        message: expect.stringMatching(
          /^This token’s daily limit of \$0\.00000010 for model calls is spent\. It resets at \d{4}-\d\d-\d\d 00:00 UTC\.$/,
        ),
      },
    },
  ]);
  expect((await ask('token-two-0123456789')).status).toBe(200);
});

test('a token whose daily limit is spent reads that beside what exact checks found, and no one else does', async () => {
  const { env } = await serviceModel();
  const tokens = 'one:token-one-0123456789,two:token-two-0123456789';
  const limits = { JURY_API_TOKENS: tokens, JURY_TOKEN_DAILY_USD: TINY };
  const jury = await runService({ ...env, ...limits }, [page]);
  const headers = { authorization: 'Bearer token-one-0123456789' };
  const ask = async () =>
    z.object({ id: z.string(), fallback: z.string().optional(), limits: z.string().optional() }).parse(
      JSON.parse(
        (
          await call(jury.service.port, '/api/v1/verdicts', {
            method: 'POST',
            body: { paste: PASTE },
            headers,
          })
        ).text,
      ),
    );
  await ask();
  const { id, fallback, limits: said } = await ask();
  expect([fallback, said]).toEqual([
    'budget',
    expect.stringMatching(/^This token’s daily limit of .* is spent\./),
  ]);
  const kept = await call(jury.service.port, `/api/v1/verdicts/${id}`, { headers });
  expect(kept.text).not.toContain('daily limit of');
});
