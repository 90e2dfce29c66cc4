import { describe, expect, test } from 'vitest';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import type { SlackDouble } from '../../support/slack-double.ts';
import { lastView, nextTs, payloadsOf } from '../../support/slack-requests.ts';
import { type RunningJury, startJury, type Transport, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

async function aCard(slack: SlackDouble, jury: RunningJury) {
  const thread = await slack.say(PASTE);
  await jury.deliver.event(payloadsOf(slack).mention(PASTE, thread));
  const card = await until(async () => {
    const [message] = await slack.written(slack.channel, thread);
    return message?.text.startsWith('FAIL') && message;
  });
  const store = await jury.parts.store();
  const [record] = await store.recentVerdicts({ channel: slack.channel, limit: 1 });
  if (record === undefined) throw new Error('no verdict was kept');
  const shows = (text: string) =>
    until(async () => {
      const message = await slack.message(slack.channel, card.ts, thread);
      return JSON.stringify(message?.blocks).includes(text);
    });
  return { thread, card, store, record, shows };
}

describe.each<Transport>(['http', 'socket'])('thumbs over %s', (transport) => {
  test('are counted once a person, can be changed and taken back, and the card tells how many', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, transport);
    const { card, store, record, shows } = await aCard(slack, jury);
    const ann = payloadsOf(slack);
    const ben = payloadsOf(slack, slack.users.ben);
    await jury.deliver.interaction(ann.click('vote_feedback', `agree ${record.id}`, card.ts));
    await jury.deliver.interaction(ann.click('vote_feedback', `agree ${record.id}`, card.ts));
    await jury.deliver.interaction(ben.click('vote_unsure', `unsure ${record.id}`, card.ts));
    expect(await store.tally(record.id)).toEqual({ agree: 1, disagree: 0, unsure: 1 });
    await shows('👍 1 agrees · 🤷 1 not sure');
    await jury.deliver.interaction(ann.click('vote_feedback', `disagree ${record.id}`, card.ts));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 1 });
    await jury.deliver.interaction(ann.click('vote_retract', `retract ${record.id}`, card.ts));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 0, unsure: 1 });
    await shows('Votes: 🤷 1 not sure');
    const shown = JSON.stringify((await slack.written(slack.channel, card.ts)).map(({ blocks }) => blocks));
    expect(shown).not.toContain(slack.users.ann);
    expect(slack.problems).toEqual([]);
  });

  test('down open a form whose answer becomes part of the vote', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, transport);
    const { card, store, record } = await aCard(slack, jury);
    const ann = payloadsOf(slack);
    await jury.deliver.interaction(ann.click('vote_feedback', `disagree ${record.id}`, card.ts));
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    const answer = await jury.deliver.interaction(
      ann.submit('correction_form', view.private_metadata ?? '', {
        right: { right: { type: 'static_select', selected_option: { value: 'pass' } } },
        criteria: { criteria: { type: 'multi_static_select', selected_options: [{ value: 'rating' }] } },
        comment: { comment: { type: 'plain_text_input', value: 'rounded up' } },
      }),
    );
    expect(JSON.stringify(answer)).not.toContain('errors');
    const [vote] = await store.votes(record.id);
    expect(vote).toMatchObject({
      value: 'disagree',
      correction: { decision: 'pass', criteria: ['rating'], comment: 'rounded up' },
    });
    expect(vote?.voter).not.toContain(slack.users.ann);
  });

  test('as reactions are the same vote, in every skin tone, and go with them', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, transport);
    const { card, store, record, shows } = await aCard(slack, jury);
    const ann = payloadsOf(slack);
    await jury.deliver.interaction(ann.click('vote_feedback', `agree ${record.id}`, card.ts));
    await jury.deliver.event(ann.reaction('reaction_added', '-1::skin-tone-3', card.ts, nextTs()));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 0 });
    await shows('👎 1 disagrees');
    await jury.deliver.event(ann.reaction('reaction_added', 'tada', card.ts, nextTs()));
    await jury.deliver.event(ann.reaction('reaction_removed', '+1', card.ts, nextTs()));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 0 });
    await jury.deliver.event(ann.reaction('reaction_removed', '-1::skin-tone-3', card.ts, nextTs()));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 0, unsure: 0 });
  });
});

describe('the card', () => {
  test('is shown with classic blocks where the workspace refuses the new ones, from then on at once', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    slack.refuse('chat.update', 'invalid_blocks', Number.POSITIVE_INFINITY, ({ args }) =>
      JSON.stringify(args.blocks).includes('context_actions'),
    );
    const { card, record, shows } = await aCard(slack, jury);
    expect(JSON.stringify(card.blocks)).toContain('vote_agree');
    const before = slack.called('chat.update').length;
    await jury.deliver.interaction(payloadsOf(slack).click('vote_agree', `agree ${record.id}`, card.ts));
    await shows('👍 1 agrees');
    const later = slack.called('chat.update').slice(before);
    expect(later.filter(({ args }) => JSON.stringify(args.blocks).includes('context_actions'))).toEqual([]);
  });

  test('changes at most once a second, however many vote', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const { card, store, record, shows } = await aCard(slack, jury);
    const before = slack.called('chat.update').length;
    const from = performance.now();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        jury.deliver.interaction(
          payloadsOf(slack, `U${1000 + index}`).click('vote_agree', `agree ${record.id}`, card.ts),
        ),
      ),
    );
    expect(await store.tally(record.id)).toEqual({ agree: 40, disagree: 0, unsure: 0 });
    await shows('👍 40 agree');
    const changes = slack.called('chat.update').slice(before);
    expect(changes.length).toBeLessThanOrEqual(Math.ceil((performance.now() - from) / 1000) + 1);
  });
});
