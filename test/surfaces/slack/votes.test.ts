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
    await shows('👍 1');
    await shows('🤷 Not sure 1');
    await jury.deliver.interaction(ann.click('vote_feedback', `disagree ${record.id}`, card.ts));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 1 });
    await jury.deliver.interaction(ann.click('vote_retract', `retract ${record.id}`, card.ts));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 0, unsure: 1 });
    await shows('"👍"');
    await shows('🤷 Not sure 1');
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
    // The same thumb again keeps what was said, and the form has it.
    const later = (value: string, seconds: number) => {
      const pressed = {
        type: 'button',
        action_id: 'vote_feedback',
        block_id: 'b',
        value: `${value} ${record.id}`,
      };
      const action_ts = String(Date.now() / 1_000 + seconds);
      return ann.click('', '', card.ts, { actions: [{ ...pressed, action_ts }] });
    };
    await jury.deliver.interaction(later('disagree', 60));
    const again = await until(() => slack.called('views.open').length > 1 && lastView(slack));
    expect(JSON.stringify(again.blocks)).toContain('"initial_value":"rounded up"');
    expect((await store.votes(record.id))[0]?.correction).toEqual(vote?.correction);
    await jury.deliver.interaction(later('agree', 120));
    expect(await store.votes(record.id)).toMatchObject([{ value: 'agree' }]);
    expect((await store.votes(record.id))[0]).not.toHaveProperty('correction');
  });

  test('count where their form cannot be opened, and the voter is notified', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, transport);
    const { card, store, record } = await aCard(slack, jury);
    slack.refuse('views.open', 'expired_trigger_id', 1);
    await jury.deliver.interaction(
      payloadsOf(slack).click('vote_feedback', `disagree ${record.id}`, card.ts),
    );
    await until(() => slack.called('chat.postEphemeral').length > 0);
    expect(JSON.stringify(slack.called('chat.postEphemeral'))).toContain('Your choice is saved');
    expect(JSON.stringify(slack.called('chat.postEphemeral'))).not.toContain('did not work');
    expect(await store.tally(record.id)).toMatchObject({ disagree: 1 });
  });

  test('as reactions are the same vote, in every skin tone, and go with them', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, transport);
    const { card, store, record, shows } = await aCard(slack, jury);
    const ann = payloadsOf(slack);
    await jury.deliver.interaction(ann.click('vote_feedback', `agree ${record.id}`, card.ts));
    await jury.deliver.event(ann.reaction('reaction_added', '-1::skin-tone-3', card.ts, nextTs()));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 0 });
    await shows('👎 1');
    await jury.deliver.event(ann.reaction('reaction_added', 'tada', card.ts, nextTs()));
    await jury.deliver.event(ann.reaction('reaction_removed', '+1', card.ts, nextTs()));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 0 });
    await jury.deliver.event(ann.reaction('reaction_removed', '-1::skin-tone-3', card.ts, nextTs()));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 0, unsure: 0 });
  });
});

describe('reactions', () => {
  const rig = async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const { card, store, record } = await aCard(slack, jury);
    const ann = payloadsOf(slack);
    const event = (type: 'added' | 'removed', reaction: string, at: number) => () =>
      jury.deliver.event(ann.reaction(`reaction_${type}`, reaction, card.ts, `1800000000.00000${at}`));
    return { jury, ann, card, store, record, event };
  };
  const down = { agree: 0, disagree: 1, unsure: 0 };

  test.each([
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ])('that stay count after others came and went, in the order %i %i %i of arrival', async (...order) => {
    const { store, record, event } = await rig();
    const events = [event('added', '-1', 1), event('added', '+1', 2), event('removed', '+1', 3)];
    for (const index of order) await events[index]?.();
    expect(await store.tally(record.id)).toEqual(down);
    await event('removed', '-1', 4)();
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 0, unsure: 0 });
  });

  test('give way to a click, also when they are removed', async () => {
    const { jury, ann, card, store, record, event } = await rig();
    await event('added', '+1', 1)();
    const later = ann.click('vote_feedback', `disagree ${record.id}`, card.ts);
    await jury.deliver.interaction({
      ...later,
      actions: [{ ...later.actions[0], action_ts: '1800000000.000002' }],
    });
    await event('removed', '+1', 3)();
    expect(await store.tally(record.id)).toEqual(down);
  });
});

describe('a vote in the details of a verdict', () => {
  test('counts, and shows there and on App Home', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const { store, record } = await aCard(slack, jury);
    const view = { id: 'V1', type: 'modal', hash: 'h', private_metadata: '{}', state: { values: {} } };
    const inDetails = { channel: undefined, message: undefined, view };
    const click = payloadsOf(slack).click('vote_agree', `agree ${record.id}`, '', inDetails);
    await jury.deliver.interaction(click);
    expect(await store.tally(record.id)).toEqual({ agree: 1, disagree: 0, unsure: 0 });
    await until(() => JSON.stringify(slack.called('views.update')[0]?.args.view ?? '').includes('👍 1'));
    await until(() => slack.called('views.publish').some(({ args }) => args.user_id === slack.users.ann));
    expect(slack.problems).toEqual([]);
  });
});

describe('a vote that is taken back', () => {
  test('without having been cast is a private note', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const { card, store, record } = await aCard(slack, jury);
    await jury.deliver.interaction(payloadsOf(slack).click('vote_retract', `retract ${record.id}`, card.ts));
    const { args } = await until(() => slack.called('chat.postEphemeral')[0]);
    expect(args).toMatchObject({ user: slack.users.ann, text: expect.stringContaining('not voted') });
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 0, unsure: 0 });
  });
});

describe('a verdict without a decision', () => {
  const UNCLEAR = PASTE.replace('rated at least 4.5', 'somewhere nice').replace('Rating: 4.3', 'Cost: low');
  const undecided = async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const thread = await slack.say(UNCLEAR);
    await jury.deliver.event(payloadsOf(slack).mention(UNCLEAR, thread));
    const store = await jury.parts.store();
    const [record] = await until(async () => {
      const kept = await store.recentVerdicts({ channel: null, limit: 1 });
      return kept.length > 0 && (await store.pendingSpotChecks()) === 0 && kept;
    });
    expect(record?.verdict.decision).toBe('undecided');
    return { slack, jury, store, id: record?.id ?? '', card: record?.source.message ?? '' };
  };

  test.each(['agree', 'disagree'])(
    'asks what is right after a click on %s, which counts nothing',
    async (said) => {
      const { slack, jury, store, id, card } = await undecided();
      const ann = payloadsOf(slack);
      await jury.deliver.interaction(ann.click('vote_feedback', `${said} ${id}`, card));
      const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
      expect(JSON.stringify(view)).toContain('Which decision is right?');
      expect(await store.votes(id)).toEqual([]);
      await jury.deliver.interaction(
        ann.submit('correction_form', view.private_metadata ?? '', {
          right: { right: { type: 'static_select', selected_option: { value: 'pass' } } },
        }),
      );
      expect((await store.votes(id))[0]).toMatchObject({ right: { kind: 'decision', decision: 'pass' } });
    },
  );

  test('asks who reacts, in private, with a button to the form; the reaction is no vote', async () => {
    const { slack, jury, store, id, card } = await undecided();
    const ann = payloadsOf(slack);
    await jury.deliver.event(ann.reaction('reaction_added', '+1', card, nextTs()));
    const { args } = await until(() => slack.called('chat.postEphemeral')[0]);
    expect(args).toMatchObject({ user: slack.users.ann, text: expect.stringContaining('What is right?') });
    expect(JSON.stringify(args.blocks)).toContain('blind_say_more');
    expect(await store.votes(id)).toEqual([]);
    await jury.deliver.interaction(ann.click('blind_say_more', id, ''));
    await until(() => JSON.stringify(slack.called('views.open')[0]?.args ?? '').includes('Which decision'));
  });
});

describe('the card', () => {
  test('changes once for all votes that come while it changes', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const { card, store, record, shows } = await aCard(slack, jury);
    const before = slack.called('chat.update').length;
    const release = slack.hold('chat.update');
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        jury.deliver.interaction(
          payloadsOf(slack, `U${1000 + index}`).click('vote_agree', `agree ${record.id}`, card.ts),
        ),
      ),
    );
    expect(await store.tally(record.id)).toEqual({ agree: 40, disagree: 0, unsure: 0 });
    release();
    await shows('👍 40');
    // The one under way, and one with what came meanwhile.
    expect(slack.called('chat.update').length - before).toBeLessThanOrEqual(2);
  });
});
