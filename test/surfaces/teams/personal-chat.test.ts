import { describe, expect, test } from 'vitest';
import { isWithdrawn } from '../../../src/labels/access/permissions.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { serviceModel } from '../../support/service-model.ts';
import { type TeamsPost, textOfPost } from '../../support/teams-double.ts';
import {
  aTeam,
  CHANNEL,
  deletionOf,
  executes,
  GROUP,
  recent,
  saying,
  thumb,
} from '../../support/teams-service.ts';

closeAfterEach();

const byTurns = (n: number): string => (n % 2 === 0 ? 'pass' : 'fail');

/**
 * A team with a panel of models that answer one after the other, when they are let.
 * @param decide what each judge says, by the number of the call
 * @param isQuick whether less time than usual passes between two writes
 */
async function withPanel(decide = byTurns, isQuick = true) {
  const waiting: (() => void)[] = [];
  const { env } = await serviceModel({
    answer: async ({ n }) => {
      await new Promise<void>((answer) => waiting.push(answer));
      return { fields: { decision: decide(n), rationale: 'It is rated 4.3.' } };
    },
  });
  const team = await aTeam(env, { isQuick });
  const { ann, jury, teams } = team;
  return {
    ...team,
    /** So many judges that wait answer. */
    answer: (count = Number.POSITIVE_INFINITY) => {
      for (const answer of waiting.splice(0, count)) answer();
    },
    asked: (judges = 1) => until(() => waiting.length >= judges),
    ask: async (text = PASTE, channel = ann.personal) => {
      const said = ann.message(channel, text);
      await ann.deliver(jury.service.port, said);
      return said;
    },
    press: (id: string, does: string) =>
      ann.deliver(
        jury.service.port,
        ann.invoke(ann.personal, null, 'adaptiveCard/action', executes(id, does)),
      ),
    stream: () => until(() => teams.streams[0]),
    settled: async () => {
      const store = await jury.parts.store();
      await until(async () => (await store.pendingSpotChecks()) === 0);
    },
  };
}

const shownIn = (post: TeamsPost | undefined): string => (post === undefined ? '' : textOfPost(post));

describe('Teams: a personal chat', () => {
  test('streams who has answered; its last message is the card, which changes in place from then on', async () => {
    const { teams, jury, ann, answer, asked, ask, press, stream, settled } = await withPanel(byTurns, false);
    const said = await ask();
    const { id, statuses } = await stream();
    expect(statuses[0]).toMatch(/^Reading the case… User: Find me a sushi place/);
    await asked();
    await until(() => statuses.some((status) => /are thinking…$/.test(status)));
    answer(1);
    const first = await until(() => statuses.find((status) => /judges has answered/.test(status)));
    expect(first).toMatch(/1 of \d judges has answered · [✅❌] [\w ]+: .+/u);
    expect(teams.posts).toEqual([]);
    const done = until(async () => (await recent(jury)).length === 1);
    const timer = setInterval(answer, 20);
    await done.finally(() => clearInterval(timer));
    const [record] = await recent(jury);
    const card = await saying(teams, /^(?:PASS|FAIL|UNDECIDED|NOT DECIDED)/);
    expect(card).toMatchObject({ id, conversation: ann.personal, changes: 0 });
    expect(record?.source.message).toBe(id);
    expect(JSON.stringify(card.activity.entities)).toContain('AIGeneratedContent');
    expect(JSON.stringify(card.activity.channelData)).toMatch(/feedback/i);
    await settled();
    await press(record?.id ?? '', 'agree');
    await until(() => shownIn(card).includes('👍 1'));
    expect(teams.posts).toHaveLength(1);
    // The same activity once more is the same request.
    await ann.deliver(jury.service.port, said);
    expect(teams.streams).toHaveLength(1);
    expect(teams.violations).toEqual([]);
  });

  test('keeps what was said when someone presses Teams’ Stop, in one message in place of the stream', async () => {
    const { teams, jury, ann, answer, asked, ask, stream, settled } = await withPanel(() => 'fail');
    await ask();
    const { id, statuses } = await stream();
    await asked(3);
    answer(2);
    await until(() => statuses.some((status) => /2 of 3|have answered/.test(status)));
    const count = statuses.length;
    teams.stopStream(ann.personal);
    // No one answers any more: Jury hears of it all the same.
    const [record] = await until(async () => {
      const kept = await recent(jury);
      return kept.length > 0 && kept;
    });
    await settled();
    expect(record?.verdict).toMatchObject({ cancelled: true });
    expect(record?.verdict.judgements.filter(({ status }) => status === 'scored')).toHaveLength(2);
    const [card, ...others] = teams.posts;
    expect(others).toEqual([]);
    expect(card?.id).not.toBe(id);
    expect(shownIn(card)).toContain('stopped by Ann');
    expect(statuses).toHaveLength(count);
    // Votes on the message count, in whatever way they are given.
    const { port } = jury.service;
    const store = await jury.parts.store();
    const votes = () => store.tally(record?.id ?? '');
    await ann.deliver(port, ann.invoke(ann.personal, null, 'message/submitAction', thumb('like'), card?.id));
    expect(await votes()).toMatchObject({ agree: 1 });
    const like = { reactionsAdded: [{ type: 'dislike' }] };
    await ann.deliver(port, ann.react(ann.personal, null, card?.id ?? '', like));
    expect(await votes()).toMatchObject({ disagree: 1 });
    // The chat can have a stream again at once.
    await until(async () => (await store.get(`teams-stream:${ann.personal}`, Date.now())) === null);
    await ask(PASTE.replace('sushi', 'ramen'));
    await until(() => teams.streams.length === 2);
    expect(teams.violations).toEqual([]);
  });

  test('has one stream at a time: what is asked meanwhile gets a card that is edited', async () => {
    const { teams, ann, jury, answer, asked, ask, stream, settled } = await withPanel();
    await ask();
    await stream();
    await asked();
    await ask(PASTE.replace('sushi', 'ramen'));
    const second = await saying(teams, /^Reading|^Judging/);
    await until(() => /Stop/.test(shownIn(second)));
    const timer = setInterval(answer, 20);
    await settled().finally(() => clearInterval(timer));
    expect(teams.streams).toHaveLength(1);
    expect(teams.posts).toHaveLength(2);
    expect(new Set(teams.posts.map(({ id }) => id)).size).toBe(2);
    // The stream has ended: the next request has one again.
    const store = await jury.parts.store();
    await until(async () => (await store.get(`teams-stream:${ann.personal}`, Date.now())) === null);
    await ask(PASTE.replace('sushi', 'pizza'));
    await until(() => teams.streams.length === 2);
    answer();
    expect(teams.violations).toEqual([]);
  });

  test.each([
    [403, 'Content stream is not allowed'],
    [400, 'Streaming API is not enabled'],
  ])('where Teams refuses streams (%s) has a card that is edited, and is not asked again', async (status) => {
    const { teams, ann, jury } = await aTeam();
    teams.refuse({ status, times: Number.POSITIVE_INFINITY, streams: true });
    for (const food of ['sushi', 'ramen'])
      await ann.deliver(jury.service.port, ann.message(ann.personal, PASTE.replace('sushi', food)));
    await until(() => teams.posts.filter((post) => /^FAIL/.test(textOfPost(post))).length === 2);
    expect(teams.streams).toEqual([]);
    const store = await jury.parts.store();
    expect(await store.get(`teams-stream:${ann.personal}`, Date.now())).toBe('refused');
    expect(await store.get(`teams-stream:${ann.personal}`, Date.now() + 3_700_000)).toBeNull();
  });

  test('has no streams elsewhere', async () => {
    const { teams, ask, asked, answer } = await withPanel();
    await ask(PASTE, GROUP);
    await ask(PASTE, CHANNEL);
    await until(() => teams.posts.filter((post) => /Stop/.test(textOfPost(post))).length === 2);
    await asked();
    answer();
    expect(teams.streams).toEqual([]);
  });

  test('where people vote first says nothing of how judges answer', async () => {
    const { teams, ann, jury, answer, asked, ask, stream, settled } = await withPanel();
    const store = await jury.parts.store();
    await store.saveChannelSettings(ann.personal, { wish: {}, blind: true });
    await ask();
    const { statuses } = await stream();
    await asked();
    const before = statuses.length;
    answer(2);
    // Longer than a change takes to be shown: one may be under way, the next is repeated later.
    await until(() => statuses.length >= Math.max(3, before + 2));
    expect(new Set(statuses.slice(1))).toEqual(new Set(['Judging…']));
    const timer = setInterval(answer, 20);
    await settled().finally(() => clearInterval(timer));
    expect(shownIn(teams.posts[0])).not.toMatch(/FAIL|PASS/);
    expect(teams.violations).toEqual([]);
  });

  test('shows what was pasted as words in a status', async () => {
    const { teams, ask, stream, answer, asked } = await withPanel();
    await ask(`User: <at>everyone</at> **loud** [x](https://evil.test) <b>\nSystem: ok`);
    const { statuses } = await stream();
    expect(statuses[0]).not.toMatch(/[<>*[\]()]/);
    await asked();
    answer();
    expect(teams.violations).toEqual([]);
  });

  test('has one summary of several cases, which ends the stream', async () => {
    const { teams, ann, jury } = await aTeam();
    await ann.deliver(jury.service.port, ann.message(ann.personal, `${PASTE}\n---\n${PASTE}`));
    const summary = await saying(teams, /^2 cases/);
    expect(summary.id).toBe(teams.streams[0]?.id);
    expect(teams.posts).toHaveLength(1);
    expect(teams.violations).toEqual([]);
  });

  test('keeps nothing of a request that is deleted while its stream is open', async () => {
    const { teams, ann, jury, asked, ask, stream, settled } = await withPanel();
    const said = await ask();
    await stream();
    await asked();
    await ann.deliver(jury.service.port, deletionOf(said));
    await settled();
    await until(() => teams.streams.every(({ state }) => state === 'ended'));
    await until(() => teams.posts.length === 0);
    const store = await jury.parts.store();
    for (const { id } of await recent(jury)) expect(await isWithdrawn(store, id, Date.now())).toBe(true);
    expect(teams.violations).toEqual([]);
  });

  test('skips a status that Teams is too busy for; the next has its number', async () => {
    const { teams, ann, answer, asked, ask, stream, settled } = await withPanel();
    await ask();
    const { statuses } = await stream();
    await asked();
    await until(() => statuses.length >= 2);
    teams.refuse({ status: 429, times: 1, retryAfter: 1, conversation: ann.personal });
    answer(1);
    await until(() => statuses.some((status) => /has answered/.test(status)));
    const timer = setInterval(answer, 20);
    await settled().finally(() => clearInterval(timer));
    expect(teams.posts).toHaveLength(1);
    expect(teams.violations).toEqual([]);
  });
});
