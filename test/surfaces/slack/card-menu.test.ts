import { describe, expect, test } from 'vitest';
import { readSet, setNames } from '../../../src/datasets/named-case-sets.ts';
import type { ChannelSettings } from '../../../src/labels/access/channel-settings.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { lastView, payloadsOf, unchanged } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const QUESTION = 'User: Is it too cold for summer tires?\nSystem: Yes. Below 7 °C winter tires grip better.';
const UNCHECKED =
  'User: Find me a sushi place rated at least 4\nSystem: Sakura.\nCuisine: Japanese\nRating: 4.3';

/** A card, and what Ann does with its menu. */
async function aCard(
  paste: string,
  start: string,
  env: Record<string, string> = {},
  settings: ChannelSettings = { wish: {} },
) {
  const slack = await withSlack();
  const jury = await startJury(slack, 'http', env);
  await (await jury.parts.store()).saveChannelSettings(slack.channel, settings);
  const thread = await slack.say(paste);
  const ann = payloadsOf(slack);
  await jury.deliver.event(ann.mention(paste, thread));
  const inThread = async (text: string) =>
    (await slack.written(slack.channel, thread)).find((one) => one.text.startsWith(text));
  const card = await until(() => inThread(start));
  const store = await jury.parts.store();
  const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
  const id = record?.id ?? '';
  const choose = (option: string) => {
    const chosen = { selected_option: { value: `${option} ${id}` }, action_ts: String(Date.now() / 1000) };
    return jury.deliver.interaction(
      ann.click('card_menu', '', card.ts, {
        actions: [{ type: 'overflow', action_id: 'card_menu', ...chosen }],
      }),
    );
  };
  const told = (text: string) =>
    until(() => slack.called('chat.postEphemeral').some(({ args }) => String(args.text).includes(text)));
  return { slack, jury, ann, thread, inThread, card, store, record, id, choose, told };
}

async function aModel() {
  const double = await startModelDouble({ answer: () => ({ fields: { decision: 'pass', relevant: true } }) });
  closing(() => double.close());
  return { OPENAI_API_KEY: 'sk-test-key-of-a-double', OPENAI_BASE_URL: double.baseUrl };
}

describe("a card's menu", () => {
  test('counts people who are not sure, and takes a vote back; people who have not voted read that', async () => {
    const { slack, store, id, choose, told } = await aCard(PASTE, 'FAIL');
    await choose('retract');
    await told('You have not voted on this verdict');
    await choose('unsure');
    expect(await store.tally(id)).toEqual({ agree: 0, disagree: 0, unsure: 1 });
    await choose('retract');
    expect(await store.tally(id)).toEqual({ agree: 0, disagree: 0, unsure: 0 });
    expect(slack.called('chat.postEphemeral')).toHaveLength(1);
    expect(slack.problems).toEqual([]);
  });

  test('opens a dialog with rubric, models and method to judge again', async () => {
    const { slack, choose, record } = await aCard(PASTE, 'FAIL');
    await choose('again');
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    const inputs = view.blocks.flatMap((block) => ('element' in block ? [block.block_id] : []));
    expect(inputs).toEqual(['wish_rubric', 'wish_models', 'wish_method']);
    expect(JSON.stringify(view.blocks)).toContain(`"value":"${record?.verdict.method}"`);
  });

  test('shares the card to the channel once, with a link to its votes', async () => {
    const { slack, choose, told } = await aCard(PASTE, 'FAIL');
    await choose('share');
    const [shared] = await until(async () => {
      const posted = await slack.written(slack.channel);
      return posted.length > 0 && posted;
    });
    expect(shared?.text).toMatch(/^FAIL – /);
    expect(JSON.stringify(shared?.blocks)).toContain('vote on it in its thread');
    await choose('share');
    await told('has been shared to the channel already');
    expect(await slack.written(slack.channel)).toHaveLength(1);
    expect(slack.problems).toEqual([]);
  });

  test('adds the case to a named set once, and its label when it is settled', async () => {
    const { slack, jury, ann, store, record, id, choose, told } = await aCard(PASTE, 'FAIL');
    const submit = async (name: string | null, opened: number) => {
      await choose('add-to-set');
      await until(() => slack.called('views.open').length === opened);
      const view = lastView(slack);
      const values = name === null ? unchanged(view) : { set: { set: { value: name } } };
      return jury.deliver.interaction(ann.submit('set_form', view.private_metadata ?? '', values));
    };
    expect(JSON.stringify(await submit('no/name', 1))).toContain('cannot be the name of a set');
    await submit(null, 2);
    await told('Added to the set "regressions", without a label');
    await submit('Smoke tests', 3);
    await told('Added to the set "smoke-tests"');
    expect(JSON.stringify(slack.called('chat.postEphemeral').at(-1)?.args.blocks)).not.toContain('⚠️');
    await store.adjudicate({
      verdictId: id,
      right: { kind: 'decision', decision: 'fail' },
      role: 'safety lead',
      at: Date.now(),
    });
    await submit('regressions', 4);
    await told('is now labeled fail, ruled by safety lead');
    expect(await setNames(store, Date.now())).toEqual(['regressions', 'smoke-tests']);
    expect(await readSet(store, 'regressions', Date.now())).toMatchObject([
      { id, response: record?.evalCase.response, label: { decision: 'fail' } },
    ]);
    expect(slack.problems).toEqual([]);
  });

  test('sends the verdict as a file to the person who asks for it alone', async () => {
    const { slack, choose, told, id } = await aCard(PASTE, 'FAIL');
    await choose('json');
    await told('The file is in your messages with me');
    const args = slack.called('files.completeUploadExternal')[0]?.args;
    expect(JSON.stringify(args?.files)).toContain(`verdict-${id}.json`);
    expect(args?.channel_id).not.toBe(slack.channel);
  });

  test('says what sending the verdict as a file needs', async () => {
    const { slack, choose, told } = await aCard(PASTE, 'FAIL');
    slack.refuse('files.getUploadURLExternal', 'missing_scope');
    await choose('json');
    await told('the app needs the scope files:write');
  });
});

describe('a card of exact checks without a decision', () => {
  test('opens the form with the case to fill in what was missing', async () => {
    const { slack, jury, ann, card, id } = await aCard(UNCHECKED, 'NOT DECIDED');
    expect(JSON.stringify(card.blocks)).not.toContain('verdict_ask_model');
    await jury.deliver.interaction(ann.click('verdict_fill_in', id, card.ts));
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    expect(JSON.stringify(view.blocks)).toMatch(/rating\W+4\.3/);
  });

  test('opens the form with a model that is connected', async () => {
    const { slack, jury, ann, card, id, inThread } = await aCard(QUESTION, 'NOT DECIDED', await aModel());
    expect(card.text).toContain('this needs a model');
    await jury.deliver.interaction(ann.click('verdict_ask_model', id, card.ts));
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    expect(JSON.stringify(view.blocks)).toContain(
      '"initial_options":[{"text":{"type":"plain_text","text":"openai/',
    );
    await jury.deliver.interaction(ann.submit('judge_form', view.private_metadata ?? '', unchanged(view)));
    await until(() => inThread('PASS'));
  });

  test('asks the default model at once, and once, however often the button is pressed', async () => {
    const env = { ...(await aModel()), JURY_MODEL: 'openai/gpt-4o-mini' };
    const byRules = { wish: { models: ['rules'] } };
    const { jury, ann, card, id, inThread, store } = await aCard(QUESTION, 'NOT DECIDED', env, byRules);
    for (let n = 0; n < 3; n += 1)
      await jury.deliver.interaction(ann.click('verdict_ask_model', id, card.ts));
    await until(() => inThread('PASS'));
    const records = await store.recentVerdicts({ channel: null, limit: 9 });
    expect(records.map(({ verdict }) => verdict.decision).sort()).toEqual(['pass', 'undecided']);
  });

  test('says what connects a model where there is none', async () => {
    const { card } = await aCard(QUESTION, 'NOT DECIDED');
    expect(card.text).toBe('NOT DECIDED – this needs a model, and none is connected');
    expect(JSON.stringify(card.blocks)).toContain('Ask your Jury admin to connect a model');
    expect(JSON.stringify(card.blocks)).not.toContain('verdict_fill_in');
  });
});

describe('a card', () => {
  test('names who asked, and who stopped it', async () => {
    const { card } = await aCard(PASTE, 'FAIL');
    expect(JSON.stringify(card.blocks)).toContain('asked by ann');
  });

  test('names no one where the app may not look up names', async () => {
    const slack = await withSlack();
    slack.refuse('users.info', 'missing_scope', Number.POSITIVE_INFINITY);
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    const card = await until(async () =>
      (await slack.written(slack.channel, ts)).find(({ text }) => text.startsWith('FAIL')),
    );
    expect(JSON.stringify(card.blocks)).not.toContain('asked by');
  });
});

test('the button of the welcome judges the example, once for each person', async () => {
  const slack = await withSlack();
  const jury = await startJury(slack, 'http');
  const ann = payloadsOf(slack);
  const thread = await slack.say('help');
  await jury.deliver.event(ann.mention('help', thread));
  const inThread = async (start: string) =>
    (await slack.written(slack.channel, thread)).find((one) => one.text.startsWith(start));
  const welcome = await until(() => inThread('Paste what a user said'));
  expect(JSON.stringify(welcome.blocks)).toContain('"action_id":"judge_example"');
  const press = () =>
    jury.deliver.interaction(
      ann.click('judge_example', 'new', welcome.ts, { message: { ts: welcome.ts, thread_ts: thread } }),
    );
  await press();
  const card = await until(() => inThread('FAIL'));
  expect(card.text).toContain('3.8');
  await press();
  const store = await jury.parts.store();
  expect(await store.recentVerdicts({ channel: null, limit: 9 })).toHaveLength(1);
});
