import { expect, test } from 'vitest';
import { beginReview, reviewStatus, volunteer } from '../../../src/reviews/manage-reviews.ts';
import { openTrialStore } from '../../../src/stores/open-store.ts';
import { folderWith } from '../../support/built-in.ts';
import { keepMadeRun } from '../../support/made-run.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { aWish } from '../../support/reviews.ts';
import {
  aTeam,
  CHANNEL,
  executes,
  type Someone,
  saying,
  startTeamsJury,
  TENANT,
  thumb,
} from '../../support/teams-service.ts';

closeAfterEach();

const RUN = 'nightly-1';

/** A service with a run of which answers are drawn for someone, who has volunteered. */
async function aReview(who: 'ann' | 'bob' = 'ann') {
  const team = await aTeam();
  const { jury } = team;
  const store = await jury.parts.store();
  const runs = await openTrialStore(jury.parts.env.settings, () => {});
  const habit = { method: 'io', models: ['rules'], skill: 0.8, costUsd: 0, latencyMs: 1, judges: 1 };
  await keepMadeRun(runs, { name: RUN, cases: 24, repeats: 1, habits: [habit] });
  const voter = (await jury.parts.pseudonym())({ surface: 'teams', team: TENANT, user: team[who].user });
  const parts = { store, runs, now: Date.now };
  await beginReview(parts, RUN, aWish({ size: 8, people: [voter] }));
  await runs.close();
  await volunteer(parts, voter);
  const { port } = jury.service;
  const press = async (who: Someone, channel: string, id: string, message: string) => {
    const invoke = who.invoke(channel, null, 'adaptiveCard/action', executes(id, 'review-right'), message);
    return JSON.stringify((await who.deliver(port, invoke)).body);
  };
  return { ...team, port, press, checked: async () => (await reviewStatus(parts, RUN))?.design.checked };
}

test('“review” shows the next answer in the personal chat; in a channel it says to write there', async () => {
  const { teams, ann, port } = await aReview();
  await ann.deliver(port, ann.message(ann.personal, 'review'));
  const post = await saying(teams, /^Answer 1 of at most 10 this week/);
  expect(post.conversation).toBe(ann.personal);
  await ann.deliver(port, ann.message(CHANNEL, 'review'));
  const said = await saying(teams, /^Write “review” to me in our own chat/);
  expect(said.conversation).toContain(CHANNEL);
  expect(JSON.stringify(said.activity)).not.toContain('Sakura');
});

test('only the person who was asked answers, and only in their own chat; a thumb or a reaction is no answer', async () => {
  const { teams, ann, bob, port, press, checked } = await aReview();
  await ann.deliver(port, ann.message(ann.personal, 'review'));
  const { id, activity } = await saying(teams, /^Answer 1 of/);
  const [, value = ''] = /"do":"review-right","id":"([^"]+)"/.exec(JSON.stringify(activity)) ?? [];
  expect(await press(bob, bob.personal, value, id)).toContain('This answer is no longer there to check.');
  expect(await press(ann, CHANNEL, value, id)).toContain('in our own chat');
  await ann.deliver(port, ann.invoke(ann.personal, null, 'message/submitAction', thumb('like'), id));
  await ann.deliver(port, ann.react(ann.personal, null, id, { reactionsAdded: [{ type: 'like' }] }));
  expect(await checked()).toBe(0);
  expect(await press(ann, ann.personal, value, id)).toContain('Answer 2 of at most 10 this week');
  expect(await checked()).toBe(1);
});

test('someone who has not installed the app cannot be asked; the log says so, without who it is', async () => {
  const { teams, ann, bob, jury } = await aReview('bob');
  await jury.close();
  const file = [
    ...['title: Nightly', 'dataset: { generate: navigation, users: 2, seed: 1 }', 'methods: [io]'],
    ...['models: [rules]', 'budget: none', `review: { people: ["teams:${TENANT}:${bob.user}"] }`],
  ].join('\n');
  const again = await startTeamsJury(teams, {
    JURY_DATA_DIR: jury.parts.env.settings.JURY_DATA_DIR,
    JURY_PROMPTS_DIR: folderWith({ 'benchmarks/nightly.yaml': file }),
  });
  const logged = await until(() => again.logged.find((line) => line.includes('could not be asked')));
  expect(logged).toContain('this person has no personal chat with Jury');
  expect(logged).not.toContain(bob.user);
  expect(teams.posts.filter(({ conversation }) => conversation !== ann.personal)).toEqual([]);
});
