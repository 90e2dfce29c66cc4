import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { openStore } from '../../../src/stores/open-store.ts';
import { PASTE } from '../../support/pastes.ts';
import { storeKinds, triedOn } from '../../support/repeated.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import { withModel } from '../../support/service-model.ts';
import { type TeamsDouble, type TeamsPost, textOfPost } from '../../support/teams-double.ts';
import { aPlace, shows, started } from '../../support/teams-processes.ts';
import {
  aPerson,
  CHANNEL,
  executes,
  type Someone,
  type TeamsActivity,
  thumb,
  withTeams,
} from '../../support/teams-service.ts';

closeAfterEach();
const { rounds } = inject('counts');

/** When the process is killed. */
type Moment = (teams: TeamsDouble) => Promise<unknown>;
const moments: Record<string, Moment> = {
  'before anything is shown': async () => {},
  'as soon as the placeholder stands': (teams) => until(async () => teams.posts.length > 0),
  'while judges are asked': (teams) => until(async () => shows(teams, /thinking…/)),
};

describe.each(storeKinds)('Teams on %s: a process that is killed', (kind) => {
  test.each(triedOn(kind, Object.entries(moments)))(
    '%s leaves one verdict and one card, with the help of the next one',
    {
      repeats: rounds - 1,
    },
    async (_, moment) => {
      const { teams, env, open } = await aPlace(kind);
      const ann = aPerson(teams);
      const never = await withModel({ until: new Promise(() => {}) });
      const first = await started({ ...env, ...never });
      const asked = ann.message(CHANNEL, PASTE);
      void ann.deliver(first.port, asked).catch(() => {});
      await moment(teams);
      await first.kill();
      const before = teams.posts.length;

      const second = await started({ ...env, ...(await withModel({})) });
      // Teams delivers again what it got no answer for.
      await ann.deliver(second.port, asked);
      await until(async () => shows(teams, /^PASS/));
      const store = await open();
      await until(async () => (await store.pendingSpotChecks()) === 0);
      expect(await store.recentVerdicts({ channel: null, limit: 9 })).toHaveLength(1);
      const cards = teams.posts.filter((post) => /^PASS/.test(textOfPost(post)));
      expect(cards).toHaveLength(1);
      // Only a placeholder whose id could not be kept may stay behind: it names the request and has no buttons.
      const left = teams.posts.filter((post) => !cards.includes(post));
      expect(left.length).toBeLessThanOrEqual(before);
      for (const post of left) {
        expect(textOfPost(post)).toMatch(/^Reading the case/);
        expect(JSON.stringify(post.activity)).not.toContain('Action.');
      }
    },
  );
});

/** The button's data on a card that is shown. */
const idOn = (post: TeamsPost | undefined, does: string): string =>
  new RegExp(`"do":"${does}","id":"([^"]+)"`).exec(JSON.stringify(post?.activity.attachments))?.[1] ?? '';

/** Milliseconds between a click and the kill: before it is kept, about then, and after it was answered. */
const kills = [1, 4, 12, 40];
/** The same of what is sent in a dialog, and of Stop. */
const formKills = [4, 40];

type Click = (who: Someone, asked: string, card: string, verdict: string) => TeamsActivity;
const clicks: Record<string, ['agree' | 'disagree', Click]> = {
  'a button': [
    'agree',
    (who, asked, card, id) => who.invoke(CHANNEL, asked, 'adaptiveCard/action', executes(id, 'agree'), card),
  ],
  'a reaction': [
    'agree',
    (who, asked, card) => who.react(CHANNEL, asked, card, { reactionsAdded: [{ type: 'like' }] }),
  ],
  'Teams’ own thumb': [
    'disagree',
    (who, asked, card) =>
      who.invoke(CHANNEL, asked, 'message/submitAction', thumb('dislike', 'It was open.'), card),
  ],
  'the button that opens the form': [
    'disagree',
    (who, asked, card, id) =>
      who.invoke(CHANNEL, asked, 'task/fetch', { data: { do: 'disagree', id } }, card),
  ],
};

describe.each(storeKinds)('Teams on %s: a process that is killed during a vote', (kind) => {
  const [clickKills, sendKills] = [triedOn(kind, kills), triedOn(kind, formKills)];

  /** A card, and the service that showed it. */
  async function judged() {
    const place = await aPlace(kind);
    const { teams, env, open } = place;
    const service = await started(env);
    const asked = aPerson(teams).message(CHANNEL, PASTE);
    await aPerson(teams).deliver(service.port, asked);
    await until(async () => shows(teams, /^FAIL/));
    const [card] = teams.posts;
    if (card === undefined) throw new Error('there is no card');
    const store = await open();
    await until(async () => (await store.pendingSpotChecks()) === 0);
    return { ...place, service, store, asked: asked.id, card, verdict: idOn(card, 'details') };
  }
  const thumbs = { agree: '👍', disagree: '👎' };

  test('each click counts once or not at all, and once when it is delivered again', {
    repeats: rounds - 1,
  }, async () => {
    const { teams, env, store, asked, card, verdict, ...first } = await judged();
    let { service } = first;
    const expected = { agree: 0, disagree: 0, unsure: 0 };
    for (const ms of clickKills) {
      // One voter for each way to click, all at once.
      const presses = Object.values(clicks).map(([value, click], way) => {
        const voter = aPerson(teams, `P${way}-${ms}`);
        return { voter, value, press: click(voter, asked, card.id, verdict) };
      });
      const standing = (await store.votes(verdict)).length;
      for (const { voter, press } of presses) void voter.deliver(service.port, press).catch(() => {});
      await wait(ms);
      await service.kill();
      const votes = await store.votes(verdict);
      const { agree, disagree, unsure } = await store.tally(verdict);
      expect(agree + disagree + unsure).toBe(votes.length);
      expect(votes.length).toBeGreaterThanOrEqual(standing);
      expect(votes.length).toBeLessThanOrEqual(standing + presses.length);
      service = await started(env);
      for (const { voter, value, press } of presses) {
        await voter.deliver(service.port, press);
        expected[value] += 1;
      }
      expect({ ...(await store.tally(verdict)) }).toEqual(expected);
      await until(
        async () =>
          textOfPost(card).includes(`${thumbs.agree} ${expected.agree}`) &&
          textOfPost(card).includes(`${thumbs.disagree} ${expected.disagree}`),
      );
    }
    expect(await store.votes(verdict)).toHaveLength(clickKills.length * Object.keys(clicks).length);
    expect(teams.posts).toHaveLength(1);
  });

  test('the form that says what is right stands with its vote once', {
    repeats: rounds - 1,
  }, async () => {
    const { teams, env, store, asked, card, verdict, ...first } = await judged();
    let { service } = first;
    for (const [n, ms] of sendKills.entries()) {
      const voter = aPerson(teams, `P${n}`);
      const fetch = voter.invoke(CHANNEL, asked, 'task/fetch', { data: { do: 'disagree', id: verdict } });
      const { content } = (await voter.deliver(service.port, fetch)).body.task.value.card;
      const data = { ...content.actions[0].data, right: 'pass', comment: `It was open, says P${n}.` };
      const send = voter.invoke(CHANNEL, asked, 'task/submit', { data });
      void voter.deliver(service.port, send).catch(() => {});
      await wait(ms);
      await service.kill();
      service = await started(env);
      await voter.deliver(service.port, send);
      expect(await store.tally(verdict)).toEqual({ agree: 0, disagree: n + 1, unsure: 0 });
      await until(async () => textOfPost(card).includes(`👎 ${n + 1}`));
    }
    const comments = (await store.votes(verdict)).map(({ correction }) => correction?.comment);
    expect(comments.sort()).toEqual(sendKills.map((_, n) => `It was open, says P${n}.`));
  });

  test('after the vote was acknowledged: the next process shows it, and no click is needed', async () => {
    const { teams, env, service, store, asked, card, verdict } = await judged();
    const bob = aPerson(teams, 'Bob');
    teams.refuse({ status: 429, times: Number.POSITIVE_INFINITY });
    const press = {
      ...bob.invoke(CHANNEL, asked, 'adaptiveCard/action', executes(verdict, 'agree'), card.id),
      timestamp: new Date().toISOString(),
    };
    expect((await bob.deliver(service.port, press)).status).toBe(200);
    await service.kill();
    teams.refuse({ status: 429, times: 0 });
    expect(textOfPost(card)).not.toContain('👍 1');
    await started(env);
    await until(async () => textOfPost(card).includes('👍 1'));
    expect(await store.tally(verdict)).toEqual({ agree: 1, disagree: 0, unsure: 0 });
  });

  test('by Stop: one verdict and one card, however often it is delivered', {
    repeats: rounds - 1,
  }, async () => {
    for (const ms of sendKills) {
      const { teams, env, open } = await aPlace(kind);
      const ann = aPerson(teams);
      const first = await started({ ...env, ...(await withModel({ until: new Promise(() => {}) })) });
      const asked = ann.message(CHANNEL, PASTE);
      await ann.deliver(first.port, asked);
      await until(async () => shows(teams, /thinking…/));
      const [post] = teams.posts;
      const stop = executes(idOn(post, 'stop'), 'stop');
      const press = ann.invoke(CHANNEL, asked.id, 'adaptiveCard/action', stop, post?.id);
      void ann.deliver(first.port, press).catch(() => {});
      await wait(ms);
      await first.kill();
      const second = await started({ ...env, ...(await withModel({})) });
      expect((await ann.deliver(second.port, press)).status).toBe(200);
      const store = await open();
      await until(async () => (await store.pendingSpotChecks()) === 0);
      expect(teams.posts).toHaveLength(1);
      const verdicts = await store.recentVerdicts({ channel: null, limit: 9 });
      expect(verdicts.length).toBeLessThanOrEqual(1);
      const shown = verdicts.length === 1 ? /^(?:PASS|UNDECIDED|Not decided)/i : /^Stopped before anything/;
      expect(post === undefined ? '' : textOfPost(post)).toMatch(shown);
    }
  });
});

test('Teams: 150 clicks at once are all counted, and the card changes for many of them together', async () => {
  const teams = await withTeams();
  const ann = aPerson(teams);
  const folder = newFolder();
  const { port } = await started({ TEAMS_PLAYGROUND_URL: teams.url, JURY_DATA_DIR: folder });
  const asked = ann.message(CHANNEL, PASTE);
  await ann.deliver(port, asked);
  await until(async () => shows(teams, /^FAIL/));
  const [card] = teams.posts;
  const id = /"id":"([^"]+)"/.exec(JSON.stringify(card?.activity.attachments))?.[1] ?? '';
  const voters = Array.from({ length: 150 }, (_, n) => aPerson(teams, `P${n}`));
  const changesOf = () => teams.calls.filter(({ method }) => method === 'PUT').map(({ at }) => at);
  const before = changesOf().length;
  const answers = await Promise.all(
    voters.map((voter, n) => {
      const press = executes(id, n % 3 === 0 ? 'disagree' : 'agree');
      return voter.deliver(port, voter.invoke(CHANNEL, asked.id, 'adaptiveCard/action', press, card?.id));
    }),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const store = await openStore({ JURY_DATA_DIR: folder }, () => {});
  closing(() => store.close());
  expect(await store.tally(id)).toEqual({ agree: 100, disagree: 50, unsure: 0 });
  await until(async () => card !== undefined && /100[\s\S]*50/.test(textOfPost(card)));
  // At most once a second: in as many seconds as lie between the first change and the last, and one more.
  const changed = changesOf().slice(before);
  expect(changed.length).toBeLessThanOrEqual(((changed.at(-1) ?? 0) - (changed[0] ?? 0)) / 1000 + 2);
});
