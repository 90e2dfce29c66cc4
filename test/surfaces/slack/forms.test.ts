import { describe, expect, test } from 'vitest';
import { suggestedPrompts } from '../../../src/surfaces/wording/examples.ts';
import { GOOD_PASTE, PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import type { SlackDouble } from '../../support/slack-double.ts';
import { lastView, payloadsOf, unchanged } from '../../support/slack-requests.ts';
import { startJury, type Transport, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const opened = (slack: SlackDouble, times = 1) =>
  until(() => slack.called('views.open').length >= times && lastView(slack));

const chosen = (view: ReturnType<typeof lastView>, block: string) => JSON.stringify(unchanged(view)[block]);

const cardIn = (slack: SlackDouble, thread: string, start: string, not: readonly string[] = []) =>
  until(async () =>
    (await slack.written(slack.channel, thread)).find(
      ({ text, ts }) => text.startsWith(start) && !not.includes(ts),
    ),
  );

describe.each<Transport>(['http', 'socket'])('the message shortcut over %s', (transport) => {
  test('opens the form prefilled from the message; submitted, it becomes a card in its thread', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, transport);
    const ts = await slack.say(PASTE);
    const ann = payloadsOf(slack);
    await jury.deliver.interaction(ann.messageShortcut({ ts, text: PASTE }));
    const view = await opened(slack);
    expect(JSON.stringify(view.blocks)).toContain('rated at least 4.5');
    await jury.deliver.interaction(ann.submit('judge_form', view.private_metadata ?? '', unchanged(view)));
    await cardIn(slack, ts, 'FAIL');
    expect(slack.problems).toEqual([]);
  });
});

describe('the form', () => {
  test('tells at the field what is wrong, and judges nothing', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ann = payloadsOf(slack);
    await jury.deliver.command('', { channel: slack.channel, user: slack.users.ann });
    const view = await opened(slack);
    const answer = await jury.deliver.interaction(
      ann.submit('judge_form', view.private_metadata ?? '', unchanged(view)),
    );
    expect(answer.body).toMatchObject({ response_action: 'errors' });
    const errors = Object(answer.body).errors;
    expect(Object.keys(errors)).toEqual(['paste']);
    expect(await slack.written(slack.channel)).toEqual([]);
  });

  test('of /jury is answered in the channel', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    await jury.deliver.command(GOOD_PASTE, { channel: slack.channel, user: slack.users.ann });
    const view = await opened(slack);
    await jury.deliver.interaction(
      payloadsOf(slack).submit('judge_form', view.private_metadata ?? '', unchanged(view)),
    );
    const card = await until(async () =>
      (await slack.written(slack.channel)).find(({ text }) => text.startsWith('PASS')),
    );
    expect(card.thread_ts).toBeUndefined();
  });

  test('of the global shortcut is answered in person', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ann = payloadsOf(slack);
    await jury.deliver.interaction(ann.globalShortcut());
    const view = await opened(slack);
    const values = { ...unchanged(view), paste: { paste: { value: GOOD_PASTE } } };
    const answer = await jury.deliver.interaction(
      ann.submit('judge_form', view.private_metadata ?? '', values),
    );
    expect(answer.body).toBe('');
    await until(async () => (await slack.written(slack.im)).find(({ text }) => text.startsWith('PASS')));
  });

  test('opens field by field with what was pasted, and asks for other fields when another rubric is chosen', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ann = payloadsOf(slack);
    await jury.deliver.interaction(ann.globalShortcut());
    const short = await opened(slack);
    const updated = (times: number) =>
      until(() => slack.called('views.update').length >= times && lastView(slack, 'views.update'));
    const typed = {
      paste: { paste: { value: 'User: Where to?\nSystem: To Sakura.' } },
      wish_models: { wish_models: { selected_options: [{ value: 'rules' }] } },
    };
    await jury.deliver.interaction(ann.clickIn(short, 'form_advanced', typed));
    const fields = await updated(1);
    const texts = JSON.stringify(fields.blocks);
    expect(texts).toContain('To Sakura.');
    expect(texts).toMatch(/"initial_options":\[\{[^\]]*"value":"rules"/);
    expect(texts).toContain('wish_panel');
    expect(texts).not.toContain('case_context_time');
    const rubric = { wish_rubric: { form_rubric: { selected_option: { value: 'navigation' } } } };
    await jury.deliver.interaction(ann.clickIn(fields, 'form_rubric', rubric));
    const other = await updated(2);
    expect(JSON.stringify(other.blocks)).toContain('case_context_time');
    expect(JSON.stringify(other.blocks)).toContain('wish_panel');
    const submission = ann.submit('judge_form', other.private_metadata ?? '', {
      ...unchanged(other),
      case_recommendation: { case_recommendation: { value: 'Name: Sakura\nRating: 4' } },
    });
    expect((await jury.deliver.interaction(submission)).body).toBe('');
    await until(async () => (await slack.written(slack.im)).length > 0);
    expect(slack.problems).toEqual([]);
  });

  test('sent twice is judged once', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE);
    const ann = payloadsOf(slack);
    await jury.deliver.interaction(ann.messageShortcut({ ts, text: PASTE }));
    const view = await opened(slack);
    const submission = ann.submit('judge_form', view.private_metadata ?? '', unchanged(view));
    await Promise.all([jury.deliver.interaction(submission), jury.deliver.interaction(submission)]);
    await cardIn(slack, ts, 'FAIL');
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
  });
});

describe('a card', () => {
  test('opens its details, page by page', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE);
    const ann = payloadsOf(slack);
    await jury.deliver.event(ann.mention(PASTE, ts));
    const card = await cardIn(slack, ts, 'FAIL');
    const [record] = await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 1 });
    await jury.deliver.interaction(ann.click('verdict_details', record?.id ?? '', card.ts));
    const view = await opened(slack);
    expect(view.callback_id).toBe('details_view');
    expect(JSON.stringify(view.blocks)).toContain('Sakura is five minutes away');
    expect(slack.problems).toEqual([]);
  });

  test('is judged again by another method, in a message of its own', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE);
    const ann = payloadsOf(slack);
    await jury.deliver.event(ann.mention(PASTE, ts));
    const card = await cardIn(slack, ts, 'FAIL');
    const store = await jury.parts.store();
    const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
    await jury.deliver.interaction(ann.click('verdict_again', record?.id ?? '', card.ts));
    const view = await opened(slack);
    expect(chosen(view, 'wish_method')).toContain(`"value":"${record?.verdict.method}"`);
    const values = {
      ...unchanged(view),
      wish_method: { wish_method: { selected_option: { value: 'mab' } } },
    };
    await jury.deliver.interaction(ann.submit('judge_form', view.private_metadata ?? '', values));
    await cardIn(slack, ts, 'FAIL', [card.ts]);
    const both = await store.recentVerdicts({ channel: null, limit: 5 });
    expect(both.map(({ verdict }) => verdict.method)).toContain('mab');
    expect(both).toHaveLength(2);
    expect(both[0]?.evalCase).toEqual(both[1]?.evalCase);
  });
});

describe('the settings of a channel', () => {
  test('are what its cases are judged by where a request says nothing else', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ann = payloadsOf(slack);
    await jury.deliver.command('settings', { channel: slack.channel, user: slack.users.ann });
    const view = await opened(slack);
    expect(view.callback_id).toBe('settings_form');
    expect(JSON.stringify(view.blocks)).not.toContain('wish_method');
    const values = { ...unchanged(view), wish_method: { wish_method: { selected_option: { value: 'io' } } } };
    await jury.deliver.interaction(ann.submit('settings_form', view.private_metadata ?? '', values));
    const told = async () => (await slack.written(slack.channel)).map(({ text }) => text);
    await until(async () => (await told()).length > 0);
    expect(await told()).toEqual([
      `${slack.users.ann} changed how cases are judged here: method: from the rubric → Input–output.`,
    ]);
    await jury.deliver.interaction(ann.submit('settings_form', view.private_metadata ?? '', values));
    expect(await told()).toHaveLength(1);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(ann.mention(PASTE, ts));
    await cardIn(slack, ts, 'FAIL');
    const store = await jury.parts.store();
    const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
    expect(record?.verdict.method).toBe('io');

    await jury.deliver.interaction(ann.messageShortcut({ ts, text: PASTE }));
    const short = await opened(slack, 2);
    await jury.deliver.interaction(ann.clickIn(short, 'form_advanced'));
    const form = await until(
      () => slack.called('views.update').length > 0 && lastView(slack, 'views.update'),
    );
    expect(chosen(form, 'wish_method')).toContain('"value":"io"');
    const own = { wish_method: { wish_method: { selected_option: { value: '*' } } } };
    await jury.deliver.interaction(
      ann.submit('judge_form', form.private_metadata ?? '', { ...unchanged(form), ...own }),
    );
    const methods = async () => {
      const records = await store.recentVerdicts({ channel: null, limit: 2 });
      return records.length === 2 && records.map(({ verdict }) => verdict.method);
    };
    expect((await until(methods)).sort()).toEqual(['io', 'mab']);
  });
});

test('settings show their advanced fields, with what was chosen so far', async () => {
  const slack = await withSlack();
  const jury = await startJury(slack);
  const ann = payloadsOf(slack);
  await jury.deliver.command('settings', { channel: slack.channel, user: slack.users.ann });
  const view = await opened(slack);
  const chosenSoFar = { wish_rubric: { wish_rubric: { selected_option: { value: 'navigation' } } } };
  await jury.deliver.interaction(ann.clickIn(view, 'form_advanced', chosenSoFar));
  const shown = await until(() => slack.called('views.update').length > 0 && lastView(slack, 'views.update'));
  expect(chosen(shown, 'wish_rubric')).toContain('"value":"navigation"');
  expect(JSON.stringify(shown.blocks)).toContain('wish_method');
});

test('the person who clicks reads that it did not work where Slack opens no view', async () => {
  const slack = await withSlack();
  const jury = await startJury(slack);
  const ts = await slack.say(PASTE);
  const ann = payloadsOf(slack);
  await jury.deliver.event(ann.mention(PASTE, ts));
  const card = await cardIn(slack, ts, 'FAIL');
  const [record] = await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 1 });
  slack.refuse('views.open', 'expired_trigger_id', 1);
  await jury.deliver.interaction(ann.click('verdict_details', record?.id ?? '', card.ts));
  const { args } = await until(() => slack.called('chat.postEphemeral')[0]);
  expect(args).toMatchObject({ user: slack.users.ann, text: 'That did not work. Try again.' });
});

describe('settings with a choice that has vanished', () => {
  test('are saved without it, and the person who saved them reads which it was', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ann = payloadsOf(slack);
    const store = await jury.parts.store();
    // A method that is in no file any more, stored before; and a rubric that goes while the form is open.
    await store.saveChannelSettings(slack.channel, { wish: { method: 'gone-method' } });
    await jury.deliver.command('settings', { channel: slack.channel, user: slack.users.ann });
    const view = await opened(slack);
    const values = {
      ...unchanged(view),
      wish_rubric: { form_rubric: { selected_option: { value: 'gone-rubric' } } },
      settings_shown: { settings_shown: { selected_option: { value: 'blind' } } },
    };
    const answer = await jury.deliver.interaction(
      ann.submit('settings_form', view.private_metadata ?? '', values),
    );
    expect(answer.body).toBe('');
    expect(await store.channelSettings(slack.channel)).toEqual({ wish: {}, blind: true });
    const { args } = await until(() => slack.called('chat.postEphemeral')[0]);
    expect(args.user).toBe(slack.users.ann);
    expect(args.text).toMatch(/Rubric “gone-rubric”, Method “gone-method”/);
  });
});

describe('App Home', () => {
  test('lists verdicts of conversations that the viewer is in, and of no others, and takes votes on them', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await cardIn(slack, ts, 'FAIL');
    const home = async (user: string, channel: string) => {
      await jury.deliver.event({ type: 'app_home_opened', user, channel, tab: 'home', event_ts: '1.1' });
      const call = await until(() => slack.called('views.publish').find(({ args }) => args.user_id === user));
      return JSON.stringify(call.args.view);
    };
    expect(await home(slack.users.ann, slack.im)).toContain('rated at least 4.5');
    expect(await home('UNOBODY', 'DNOBODY')).not.toContain('rated at least 4.5');

    const [record] = await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 1 });
    await jury.deliver.interaction({
      ...payloadsOf(slack).click('vote_agree', `agree ${record?.id}`, ''),
      channel: undefined,
      message: undefined,
      view: { id: 'VHOME', type: 'home', hash: 'h', private_metadata: '', state: {} },
    });
    const voted = await until(() => slack.called('views.publish')[2]);
    expect(JSON.stringify(voted.args.view)).toContain('👍 1 agrees');
    expect(JSON.stringify(voted.args.view)).toContain('Nothing is waiting');
    expect(slack.problems).toEqual([]);
  });
});

describe('the conversation with the app', () => {
  const prompts = async (env: Record<string, string>) => {
    const slack = await withSlack();
    const jury = await startJury(slack, 'http', env);
    const opened = { type: 'app_home_opened', user: slack.users.ann, channel: slack.im, event_ts: '1.1' };
    await jury.deliver.event({ ...opened, tab: 'messages' });
    // Home comes after it: by then prompts would have been set.
    await jury.deliver.event({ ...opened, tab: 'home' });
    await until(() => slack.called('views.publish')[0]);
    await until(
      () => env.JURY_MODEL === undefined || slack.called('assistant.threads.setSuggestedPrompts')[0],
    );
    return slack.called('assistant.threads.setSuggestedPrompts').map(({ args }) => args);
  };

  test('offers what needs a model where one is connected', async () => {
    const [args, ...more] = await prompts({
      JURY_MODEL: 'openai/judge',
      OPENAI_API_KEY: 'sk-0123456789abcdef',
    });
    expect(more).toEqual([]);
    expect(JSON.parse(String(args?.prompts))).toEqual(suggestedPrompts(true));
    expect(args).not.toHaveProperty('thread_ts');
  });

  test('leaves it at what the manifest offers where exact checks judge', async () => {
    expect(await prompts({})).toEqual([]);
  });
});
