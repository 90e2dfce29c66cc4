import { describe, expect, test } from 'vitest';
import { PAIR_PASTE, prefersNumbers } from '../../support/pairs.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { serviceModel } from '../../support/service-model.ts';
import { nextTs, payloadsOf } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

/** Two answers in a thread, judged by a model that prefers the second. */
async function aPair(blind = false) {
  const slack = await withSlack();
  const { double, env } = await serviceModel({ answer: prefersNumbers }, 'openai/judge');
  const jury = await startJury(slack, 'http', env);
  const store = await jury.parts.store();
  if (blind) await store.saveChannelSettings(slack.channel, { wish: {}, blind: true });
  const thread = await slack.say(PAIR_PASTE);
  await jury.deliver.event(payloadsOf(slack).mention(PAIR_PASTE, thread));
  // Redelivered, as Slack does where an answer is late.
  await jury.deliver.event(payloadsOf(slack).mention(PAIR_PASTE, thread));
  const card = await until(async () =>
    (await slack.written(slack.channel, thread)).find(({ text }) =>
      text.startsWith(blind ? 'How do you judge' : 'New is better'),
    ),
  );
  const record = await until(
    async () => (await store.recentVerdicts({ channel: slack.channel, limit: 9 }))[0],
  );
  const shown = async () =>
    JSON.stringify((await slack.message(slack.channel, card.ts, thread))?.blocks ?? null);
  return { slack, jury, store, record, card, thread, double, shown };
}

describe('two answers in a thread', () => {
  test('become one card with the names that the person used', async () => {
    const { slack, shown, thread, double, store } = await aPair();
    const text = await shown();
    for (const said of [
      'New is better',
      '3 of 3 judges, in both orders',
      'New names the temperature; Old only says yes',
      '"text":"Old"',
      '"text":"New"',
      '"text":"Same"',
    ])
      expect(text).toContain(said);
    expect(await slack.written(slack.channel, thread)).toHaveLength(1);
    expect(await store.recentVerdicts({ channel: slack.channel, limit: 9 })).toHaveLength(1);
    expect(double.counts.received).toBe(6);
    expect(slack.problems).toEqual([]);
  });

  test('are voted on by what is better, once a person, and the card tells how many prefer which', async () => {
    const { slack, jury, store, record, card, shown } = await aPair();
    const ann = payloadsOf(slack);
    const ben = payloadsOf(slack, slack.users.ben);
    await jury.deliver.interaction(ann.click('prefer_first', `-1 ${record.id}`, card.ts));
    await jury.deliver.interaction(ann.click('prefer_first', `-1 ${record.id}`, card.ts));
    await jury.deliver.interaction(ben.click('prefer_second', `1 ${record.id}`, card.ts));
    expect(await store.tally(record.id)).toEqual({ agree: 1, disagree: 1, unsure: 0 });
    await until(async () => (await shown()).includes('"text":"Old 1"') && (await shown()).includes('New 1'));
    await jury.deliver.interaction(ann.click('prefer_same', `0 ${record.id}`, card.ts));
    await until(async () => (await shown()).includes('Same 1') && !(await shown()).includes('Old 1'));
    expect(await store.tally(record.id)).toEqual({ agree: 1, disagree: 1, unsure: 0 });
    expect(slack.called('views.open')).toEqual([]);
    await jury.deliver.event(ann.reaction('reaction_added', '+1', card.ts, nextTs()));
    expect(await store.tally(record.id)).toEqual({ agree: 2, disagree: 0, unsure: 0 });
    expect(slack.problems).toEqual([]);
  });

  test('keep what a person said with their vote until they vote otherwise', async () => {
    const { jury, slack, store, record, card } = await aPair();
    const prefer = (which: string, score: number, seconds: number) => {
      const action_ts = String(Date.now() / 1_000 + seconds);
      const pressed = { type: 'button', block_id: 'b', action_id: which, value: `${score} ${record.id}` };
      const click = payloadsOf(slack).click('', '', card.ts, { actions: [{ ...pressed, action_ts }] });
      return jury.deliver.interaction(click);
    };
    await prefer('prefer_first', -1, 0);
    const [vote] = await store.votes(record.id);
    if (vote?.correction === undefined) throw new Error('no vote');
    const correction = { ...vote.correction, comment: 'New talks too much' };
    await store.castVote({ ...vote, at: vote.at + 1, correction });
    await prefer('prefer_first', -1, 60);
    expect(await store.votes(record.id)).toMatchObject([{ value: 'disagree', correction }]);
    await prefer('prefer_same', 0, 120);
    expect((await store.votes(record.id))[0]?.correction).toEqual({ score: 0, criteria: [], judges: [] });
  });

  test('count for each judge by what it preferred', async () => {
    const { slack, jury, store, record, card } = await aPair();
    await jury.deliver.interaction(payloadsOf(slack).click('prefer_second', `1 ${record.id}`, card.ts));
    const day = new Date(record.at).toISOString().slice(0, 10);
    const rows = await store.counts({ from: day, to: day });
    const judges = rows.filter(({ key, tally }) => key.kind === 'judge' && tally.agree === 1);
    expect(judges.map(({ key }) => key.decision)).toEqual(['B', 'B', 'B']);
  });

  test('can be voted on before the verdict is shown; the answers stand there, and nothing of the outcome', async () => {
    const { slack, jury, store, record, card, shown } = await aPair(true);
    const hidden = await shown();
    for (const said of ['Yes.', 'I set the temperature', 'Which answer is better?', '"text":"Same"'])
      expect(hidden).toContain(said);
    expect(hidden).not.toMatch(/names the temperature|in both orders/);
    await jury.deliver.interaction(payloadsOf(slack).click('prefer_first', `-1 ${record.id}`, card.ts));
    await until(() => slack.called('views.open').length > 0);
    expect(JSON.stringify(slack.called('views.open'))).toContain('You said: Old is better');
    const [vote] = await store.votes(record.id);
    expect(vote).toMatchObject({ value: 'disagree', blind: { answer: { kind: 'score', score: -1 } } });
    await jury.deliver.interaction(payloadsOf(slack).click('prefer_second', `1 ${record.id}`, card.ts));
    expect((await store.votes(record.id))[0]).toMatchObject({ blind: { answer: { score: -1 } } });
  });
});
