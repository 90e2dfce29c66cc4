import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GOOD_PASTE, PASTE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import type { ShownMessage, SlackDouble } from '../../support/slack-double.ts';
import { lastView, payloadsOf, unchanged } from '../../support/slack-requests.ts';
import { type RunningJury, startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const USER = 'User: Find me a sushi place rated at least 4.5';
const SYSTEM = 'System: Sakura is five minutes away.\nRating: 4.3';

const shown = (message: ShownMessage) => JSON.stringify([message.text, message.blocks]);
const saying = (slack: SlackDouble, thread: string, words: string) =>
  until(async () => (await slack.written(slack.channel, thread)).find((one) => shown(one).includes(words)));
const verdicts = async (jury: RunningJury) =>
  (await jury.parts.store()).recentVerdicts({ channel: null, limit: 9 });
const isIdle = async (jury: RunningJury) =>
  until(async () => (await (await jury.parts.store()).pendingSpotChecks()) === 0);

type Line = [text: string, as?: 'ann' | 'ben' | 'bot'];

/** A thread of these messages, and below them a mention of the app. */
async function aThread(lines: readonly Line[], asked = 'what do you think', env = {}) {
  const slack = await withSlack();
  const jury = await startJury(slack, 'http', env);
  const [[first, by = 'ann'] = [''], ...more] = lines;
  const root = await slack.say(first, { as: by });
  for (const [text, as = 'ann'] of more) await slack.say(text, { thread: root, as });
  const mention = async (text: string) => {
    const ts = await slack.say(text === '' ? '?' : text, { thread: root, as: 'ben' });
    const ben = payloadsOf(slack, slack.users.ben);
    await jury.deliver.event(ben.mention(text, ts, { thread_ts: root }));
    return ts;
  };
  const ts = await mention(asked);
  return { slack, jury, root, ts, mention };
}

/** What a button of a message carries. */
const valueBehind = (message: ShownMessage, action: string, label = ''): string => {
  const buttons = message.blocks.flatMap(({ elements = [] }) => (Array.isArray(elements) ? elements : []));
  const found = buttons.find((one) => one.action_id === action && JSON.stringify(one.text).includes(label));
  return String(found?.value ?? '');
};

describe('a conversation in several messages of a thread', () => {
  test('is joined by its labels, whoever pasted them; chatter is left out, and both are said on the card', async () => {
    const { slack, jury, root } = await aThread([
      ['hm, look at this'],
      [USER],
      ['wait for it', 'ben'],
      [SYSTEM, 'ben'],
      ['that is far below what was asked'],
    ]);
    const card = shown(await saying(slack, root, 'FAIL'));
    expect(card).toContain('joined 2 messages of this thread');
    expect(card).toContain('3 other messages of this thread');
    expect(card).toContain('wait for it');
    const [record] = await verdicts(jury);
    expect(record?.evalCase).toMatchObject({
      conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4.5' }],
      response: 'Sakura is five minutes away.',
      recommendation: { rating: 4.3 },
    });
    expect(slack.problems).toEqual([]);
  });

  test('takes in the half that the mention itself brings', async () => {
    const { slack, root } = await aThread([[USER], ['lol', 'ben']], SYSTEM);
    expect(shown(await saying(slack, root, 'FAIL'))).toContain('joined 2 messages');
  });

  test("has what an edit made of a message, no deleted one, and none of the app's own", async () => {
    const { slack, jury, root, mention } = await aThread([['User: Find me a ramen place'], [SYSTEM]]);
    await until(async () => (await verdicts(jury)).length === 1);
    await isIdle(jury);
    const edited = await slack.asPerson('chat.update', { channel: slack.channel, ts: root, text: USER });
    expect(edited.ok).toBe(true);
    await mention('judge this again');
    await until(async () => (await verdicts(jury)).length === 2);
    await saying(slack, root, 'FAIL');
    const [record] = await verdicts(jury);
    expect(record?.evalCase.conversation).toEqual([
      { role: 'user', text: 'Find me a sushi place rated at least 4.5' },
    ]);
  });

  test('that a process left behind is brought to its end by the next one, as it was joined', async () => {
    const slack = await withSlack();
    const env = { JURY_DATA_DIR: newFolder() };
    const first = await startJury(slack, 'http', env);
    const root = await slack.say(USER);
    const answer = await slack.say(SYSTEM, { thread: root, as: 'ben' });
    const release = slack.hold('chat.update');
    const ts = await slack.say('well?', { thread: root });
    await first.deliver.event(payloadsOf(slack).mention('well?', ts, { thread_ts: root }));
    await until(async () => (await verdicts(first)).length > 0);
    await first.die();
    // Gone by now: the request holds what was joined.
    await slack.asPerson('chat.delete', { channel: slack.channel, ts: answer }, 'ben');
    await startJury(slack, 'http', env, undefined, () => Date.now() + 60_000);
    release();
    expect(shown(await saying(slack, root, 'FAIL'))).toContain('joined 2 messages');
    expect(await slack.written(slack.channel, root)).toHaveLength(1);
  });
});

describe('a thread in which it is not sure what belongs together', () => {
  test('is asked about first; a press judges those messages, once, in place of the question', async () => {
    const { slack, jury, root } = await aThread([
      ['Find me a sushi place rated at least 4.5'],
      ['Sakura is five minutes away.\nRating: 4.3', 'ben'],
      ['lol'],
    ]);
    const question = await saying(slack, root, 'Judge these 2 messages');
    await isIdle(jury);
    expect(shown(question)).toContain('Sakura is five minutes away');
    expect(shown(question)).toContain('lol');
    expect(await verdicts(jury)).toEqual([]);
    const value = valueBehind(question, 'judge_these');
    const press = () =>
      jury.deliver.interaction(payloadsOf(slack).click('judge_these', value, question.ts, { thread: root }));
    await Promise.all([press(), press()]);
    const card = await saying(slack, root, 'FAIL');
    expect(card.ts).toBe(question.ts);
    expect(shown(card)).toContain('(read as the system)');
    await isIdle(jury);
    expect(await verdicts(jury)).toHaveLength(1);
    expect(await slack.written(slack.channel, root)).toHaveLength(1);
    expect(slack.problems).toEqual([]);
  });

  test('keeps and shows no detail that is redacted', async () => {
    const folder = newFolder();
    const { slack, jury, root } = await aThread(
      [
        ['Call +49 171 1234567 for a table, rated at least 4.5'],
        ['Calling +49 171 1234567 now.\nRating: 4.3', 'ben'],
        ['mine is +49 171 1234567'],
      ],
      'what do you think',
      { JURY_DATA_DIR: folder, JURY_REDACT: 'phone' },
    );
    const question = await saying(slack, root, 'Judge these');
    await isIdle(jury);
    expect(shown(question)).toContain('[phone number]');
    expect(shown(question)).not.toContain('1234567');
    const value = valueBehind(question, 'judge_these');
    await jury.deliver.interaction(
      payloadsOf(slack).click('judge_these', value, question.ts, { thread: root }),
    );
    await saying(slack, root, '(read as the system)');
    await isIdle(jury);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        expect(readFileSync(join(entry.parentPath, entry.name), 'latin1')).not.toContain('1234567');
  });

  test('shows no verdict where people vote first, and asks them in place of the question', async () => {
    const lines: Line[] = [['Find me a sushi place rated at least 4.5'], ['Sakura.\nRating: 4.3', 'ben']];
    const { slack, jury, root } = await aThread(lines);
    const question = await saying(slack, root, 'Judge these 2 messages');
    await isIdle(jury);
    const store = await jury.parts.store();
    await store.saveChannelSettings(slack.channel, { wish: {}, blind: true });
    const value = valueBehind(question, 'judge_these');
    const click = payloadsOf(slack).click('judge_these', value, question.ts, { thread: root });
    await jury.deliver.interaction(click);
    const card = await saying(slack, root, 'blind_right');
    expect(card.ts).toBe(question.ts);
    const texts = JSON.stringify(slack.called('chat.update').map(({ args }) => args));
    expect(texts).not.toContain('FAIL');
  });

  test('opens the form with them for “Edit…”, and says on the card what was joined', async () => {
    const { slack, jury, root } = await aThread([
      ['Find me a sushi place rated at least 4.5'],
      ['Sakura is five minutes away.\nRating: 4.3', 'ben'],
    ]);
    const question = await saying(slack, root, 'Judge these 2 messages');
    const click = payloadsOf(slack).click('open_form', valueBehind(question, 'open_form'), question.ts);
    await jury.deliver.interaction(click);
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    expect(JSON.stringify(view.blocks)).toContain('System: Sakura is five minutes away.');
    const about = view.private_metadata ?? '';
    await jury.deliver.interaction(payloadsOf(slack).submit('judge_form', about, unchanged(view)));
    expect(shown(await saying(slack, root, 'FAIL'))).toContain('joined 2 messages');
  });

  test.each<[string, Line[], string[]]>([
    ['two pastes', [[PASTE], [GOOD_PASTE, 'ben']], ['There are 2 pastes above.']],
    ['labels in chatter', [[USER], [SYSTEM], ['Bot: lol, broken again', 'ben']], ['More than one message']],
    ['values of someone else', [[USER], [SYSTEM], ['Rating: 4.9', 'ben']], ['Someone else wrote values']],
    [
      'a mention that is forged',
      [['<!channel> <@U1> User: hi'], ['<!here> sure', 'ben']],
      ['Judge these 2 messages'],
    ],
  ])('is asked about, and nothing is judged: %s', async (_name, lines, says) => {
    const { slack, jury, root } = await aThread(lines);
    const question = await saying(slack, root, says[0] ?? '');
    await isIdle(jury);
    expect(await verdicts(jury)).toEqual([]);
    expect(shown(question)).not.toMatch(/<!(?:channel|here)>|"type":"(?:user|broadcast)"/);
    expect(slack.problems).toEqual([]);
  });

  test('of hundreds of messages is looked at in bounds, and that is said', async () => {
    const chatter = Array.from({ length: 250 }, (_, n): Line => [`chatter ${n}`, n % 2 ? 'ann' : 'ben']);
    const { slack, jury, root } = await aThread([[USER], ...chatter, [SYSTEM]]);
    const question = await saying(slack, root, 'This thread is long');
    expect(shown(question)).toContain('Judge these 2 messages');
    expect(await verdicts(jury)).toEqual([]);
    expect(slack.problems).toEqual([]);
  });

  test('is judged for no one who is not in its conversation, and not after its request was deleted', async () => {
    const { slack, jury, root, ts } = await aThread([['Find me sushi'], ['Sakura is near.', 'ben']]);
    const question = await saying(slack, root, 'Judge these 2 messages');
    await isIdle(jury);
    const value = valueBehind(question, 'judge_these');
    slack.room(slack.channel, [slack.users.ann, slack.users.jury], true);
    const press = (user: string, channel: string) =>
      jury.deliver.interaction(
        payloadsOf(slack, user).click('judge_these', value, question.ts, { channel: { id: channel } }),
      );
    await press(slack.users.ben, slack.im);
    await until(() => JSON.stringify(slack.called('chat.postMessage')).includes('not a member'));
    await jury.deliver.event({
      ...{ type: 'message', subtype: 'message_deleted', channel: slack.channel, deleted_ts: ts, ts: '9.9' },
      previous_message: { ts, user: slack.users.ben, text: 'x' },
    });
    await until(async () => (await slack.written(slack.channel, root)).length === 0);
    await press(slack.users.ann, slack.channel);
    await until(() => JSON.stringify(slack.called('chat.postEphemeral')).includes('was deleted'));
    expect(await verdicts(jury)).toEqual([]);
  });
});

describe('“Ask the jury” on an answer', () => {
  const opened = (slack: SlackDouble) =>
    until(() => slack.called('views.open').length > 0 && JSON.stringify(lastView(slack).blocks));

  test('in a thread takes the request above it too, and the card says so', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const root = await slack.say(USER);
    await slack.say('lol', { thread: root });
    const text = 'Sakura is five minutes away.\nRating: 4.3';
    const ts = await slack.say(text, { thread: root, as: 'ben' });
    const ben = payloadsOf(slack);
    await jury.deliver.interaction(ben.messageShortcut({ ts, text, thread_ts: root, user: slack.users.ben }));
    const form = await opened(slack);
    expect(form).toContain(USER);
    expect(form).toContain('System: Sakura is five minutes away.');
    const view = lastView(slack);
    await jury.deliver.interaction(ben.submit('judge_form', view.private_metadata ?? '', unchanged(view)));
    expect(shown(await saying(slack, root, 'FAIL'))).toContain('joined 2 messages');
  });

  test('in the channel takes the message above it, of an app or a person', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    await slack.say('never mind');
    await slack.say('Find me a sushi place rated at least 4.5');
    const text = 'Sakura is five minutes away.';
    const ts = await slack.say(text, { as: 'ben' });
    await jury.deliver.interaction(payloadsOf(slack).messageShortcut({ ts, text, bot_id: 'B9' }));
    const form = await opened(slack);
    expect(form).toContain(
      'User: Find me a sushi place rated at least 4.5\\nSystem: Sakura is five minutes away.',
    );
    expect(form).not.toContain('never mind');
  });

  test('opens the form without it, and says so, where Slack does not let the app read', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    slack.refuse('conversations.history', 'channel_not_found');
    const text = 'Sakura is five minutes away.';
    const ts = await slack.say(text);
    await jury.deliver.interaction(payloadsOf(slack).messageShortcut({ ts, text }));
    const form = await opened(slack);
    expect(form).toContain('I could not read the messages above');
    expect(form).toContain(text);
  });
});
