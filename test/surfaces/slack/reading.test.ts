import { describe, expect, test } from 'vitest';
import { folderWith } from '../../support/built-in.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { GOOD_PASTE, PASTE } from '../../support/pastes.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import { type SlackDouble, tokens } from '../../support/slack-double.ts';
import { lastView, payloadsOf } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const answer = (slack: SlackDouble, thread: string, start: string, channel = slack.channel) =>
  until(async () => (await slack.written(channel, thread)).find(({ text }) => text.startsWith(start)));

describe('a mention without a paste in a thread', () => {
  test("judges the thread's first message", async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const root = await slack.say(PASTE);
    await slack.say('hm, is that right?', { thread: root, as: 'ben' });
    const ts = await slack.say('what do you think', { thread: root });
    await jury.deliver.event(payloadsOf(slack).mention('what do you think', ts, { thread_ts: root }));
    await answer(slack, root, 'FAIL');
  });

  test('of two lines, which only a guess makes a case, means what stands above it', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const root = await slack.say(PASTE);
    const ts = await slack.say('the hours look odd\nplease have a look', { thread: root });
    await jury.deliver.event(
      payloadsOf(slack).mention('the hours look odd\nplease have a look', ts, { thread_ts: root }),
    );
    await answer(slack, root, 'FAIL');
  });

  test('judges the message above that is a case, where the first one is none', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const root = await slack.say('today in the car');
    await slack.say(PASTE, { thread: root });
    const ts = await slack.say('', { thread: root }).catch(() => slack.say('?', { thread: root }));
    await slack.say(GOOD_PASTE, { thread: root });
    await jury.deliver.event(payloadsOf(slack).mention('', ts, { thread_ts: root }));
    await answer(slack, root, 'FAIL');
  });
});

describe('a question above a paste', () => {
  test('hides nothing of it, and is said to be ignored', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const text = [
      'is this ok?',
      'User: take me to a sushi place rated at least 4',
      'System: Sakura is five minutes away.',
      'Rating: 3.8',
    ].join('\n');
    const ts = await slack.say(text);
    await jury.deliver.event(payloadsOf(slack).mention(text, ts));
    const card = await answer(slack, ts, 'FAIL');
    expect(JSON.stringify(card.blocks)).toContain('text before the first label');
  });
});

describe('a paste that is not clear', () => {
  test('is answered with what was understood and a button to the form that holds it', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const text = 'Find me a sushi place\n\nSakura is five minutes away.\n\nIt is open until ten.';
    const ts = await slack.say(text);
    const ann = payloadsOf(slack);
    await jury.deliver.event(ann.mention(text, ts));
    const message = await answer(slack, ts, 'This could not be judged');
    const blocks = JSON.stringify(message.blocks);
    expect(blocks).toContain('Find me a sushi place');
    const value =
      /"action_id":"open_form","value":"([^"]+)"/.exec(blocks)?.[1] ??
      /"value":"([^"]+)","[^}]*open_form/.exec(blocks)?.[1];
    await jury.deliver.interaction(ann.click('open_form', value ?? '', message.ts));
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    expect(JSON.stringify(view.blocks)).toContain('Sakura is five minutes away.');
    expect(slack.problems).toEqual([]);
  });

  test('is a greeting: the app says what it does', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say('help', { channel: slack.im });
    await jury.deliver.event(payloadsOf(slack).directMessage('help', ts));
    await answer(slack, ts, 'Paste what a user said', slack.im);
  });
});

describe('a model whose endpoint refuses the key, for what exact checks cannot judge', () => {
  const joke = { conversation: [{ role: 'user', text: 'Tell me a joke' }], response: 'No.' };

  test.each([
    ['one case', 'User: Tell me a joke\nSystem: No.'],
    ['several cases', JSON.stringify([1, 2, 3, 4, 5, 6].map((n) => ({ ...joke, id: `c${n}` })))],
  ])('is named in one message with what to do: %s', async (_name, text) => {
    const double = await startModelDouble({
      answer: () => ({ status: 401, error: 'Incorrect API key provided' }),
    });
    closing(() => double.close());
    const slack = await withSlack();
    const env = { JURY_MODEL: 'openai/gpt-4o', OPENAI_API_KEY: 'none', OPENAI_BASE_URL: double.baseUrl };
    const jury = await startJury(slack, 'http', env);
    const ts = await slack.say(text);
    await jury.deliver.event(payloadsOf(slack).mention(text, ts));
    const { text: said } = await answer(slack, ts, 'This could not be judged');
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
    expect(said).toContain('refuses the key. Ask your Jury admin to set a valid one.');
    const written = (await slack.written(slack.channel, ts)).map((message) => message.text);
    expect(written.filter((one) => one.includes('refuses the key'))).toHaveLength(1);
    expect(await store.recentVerdicts({ channel: null, limit: 9 })).toEqual([]);
    expect(slack.problems).toEqual([]);
  });
});

describe('a direct message', () => {
  test('is judged where it was written', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE, { channel: slack.im });
    await jury.deliver.event(payloadsOf(slack).directMessage(PASTE, ts));
    await answer(slack, ts, 'FAIL', slack.im);
  });

  test('that mentions the app comes as two events and is judged once', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE, { channel: slack.im });
    const { directMessage, mention } = payloadsOf(slack);
    await Promise.all([
      jury.deliver.event(directMessage(PASTE, ts)),
      jury.deliver.event(mention(PASTE, ts, { channel: slack.im })),
    ]);
    await answer(slack, ts, 'FAIL', slack.im);
    expect(await slack.written(slack.im, ts)).toHaveLength(1);
    expect(await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 9 })).toHaveLength(1);
  });

  test('of an app, an edit, or one of our own is no request', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const { directMessage } = payloadsOf(slack);
    await jury.deliver.event(directMessage(PASTE, '1.1', { bot_id: 'B1' }));
    await jury.deliver.event(directMessage(PASTE, '1.2', { subtype: 'message_changed' }));
    await jury.deliver.event(directMessage(PASTE, '1.3', { user: slack.users.jury }));
    await jury.deliver.event(
      directMessage(PASTE, '1.4', { channel_type: 'channel', channel: slack.channel }),
    );
    await until(async () => (await (await jury.parts.store()).pendingSpotChecks()) === 0);
    expect(slack.called('chat.postMessage')).toEqual([]);
  });
});

describe('files', () => {
  const CASES = [4.1, 4.4]
    .map((rating, index) =>
      JSON.stringify({
        id: `line-${index}`,
        conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4.2' }],
        response: 'Sakura is near.',
        recommendation: { name: 'Sakura', cuisine: 'Japanese', rating, durationMin: 5 },
      }),
    )
    .join('\n');

  test('with several cases get one message, from which each card is opened and voted on, and all are listed', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say('these please');
    const files = [slack.share('cases.jsonl', CASES), slack.share('good.txt', GOOD_PASTE)];
    await jury.deliver.event(payloadsOf(slack).mention('these please', ts, { files }));
    const summary = await answer(slack, ts, '3 cases: 2 pass · 1 fail');
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
    const ann = payloadsOf(slack);
    const shown = JSON.stringify(summary.blocks);
    expect(shown).toContain('line-0');
    const [, failed = ''] = /"action_id":"verdict_details","value":"(\w+)"/.exec(shown) ?? [];
    await jury.deliver.interaction(ann.click('verdict_details', failed, summary.ts));
    const card = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    expect(JSON.stringify(card.blocks)).toContain('❌ FAIL');
    // Voted on in the view, which then shows the vote.
    const view = { id: 'V1', type: 'modal', hash: 'h', private_metadata: '{}', state: { values: {} } };
    await jury.deliver.interaction(ann.click('vote_agree', `agree ${failed}`, summary.ts, { view }));
    expect(await store.tally(failed)).toEqual({ agree: 1, disagree: 0, unsure: 0 });
    const voted = await until(
      () => slack.called('views.update').length > 0 && lastView(slack, 'views.update'),
    );
    expect(JSON.stringify(voted.blocks)).toContain('👍 1');
    const [, all = ''] = /"action_id":"check_cases","value":"([^"]+)"/.exec(shown) ?? [];
    await jury.deliver.interaction(ann.click('check_cases', all, summary.ts));
    const list = await until(() => slack.called('views.open').length > 1 && lastView(slack));
    expect(list.blocks).toHaveLength(3);
    expect(slack.problems).toEqual([]);
  });

  test('of a message are judged as they are where the shortcut is used on it', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say('from today');
    const files = [slack.share('cases.jsonl', CASES)];
    await jury.deliver.interaction(payloadsOf(slack).messageShortcut({ ts, text: 'from today', files }));
    await answer(slack, ts, '2 cases: 1 pass · 1 fail');
    expect(slack.called('views.open')).toEqual([]);
  });

  test('that are too large, no text, or lie elsewhere are not read, and it is said why', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say('these');
    const files = [
      { ...slack.share('huge.txt', 'x'), size: 3_000_000 },
      slack.share('lies.txt', 'x'.repeat(2_100_000), {}),
      slack.share('picture.png', 'x'),
      { ...slack.share('away.txt', PASTE), url_private_download: 'https://evil.example/away.txt' },
      slack.share('moved.txt', PASTE, { location: 'http://evil.example/moved.txt' }),
      slack.share('login.txt', '<html>', { type: 'text/html' }),
    ].map((file) => (file.name === 'lies.txt' ? { ...file, size: 10 } : file));
    await jury.deliver.event(payloadsOf(slack).mention('these', ts, { files }));
    const summary = await answer(slack, ts, '6 cases: 6 not judged');
    const text = JSON.stringify(summary.blocks);
    expect(text).toMatch(/huge.txt was not read: it is larger than 2 MB/);
    expect(text).toMatch(/lies.txt was not read: it is larger than 2 MB/);
    expect(text).toMatch(/picture.png was not read: it is not a .txt/);
    expect(text).toMatch(/away.txt was not read: it is not on a Slack server/);
    expect(text).toMatch(/moved.txt was not read: it is not on a Slack server/);
    expect(text).toMatch(/login.txt was not read: .*files:read/);
    expect(new Set(slack.called('download').map(({ token }) => token))).toEqual(new Set([tokens.bot]));
  });
});

describe("a user's own rubric", () => {
  test('from JURY_PROMPTS_DIR is offered and judged by', async () => {
    const folder = folderWith({
      'rubrics/shouting.yaml': `title: Shouting
source: our style guide
task: Decide whether the answer is quick.
rank: 1
selectedBy: [latencyMs]
decide: all
panel: [auditor]
method: io
criteria:
  - id: quick
    title: Quick
    rule: The answer comes within 2 seconds.
    needs: [latencyMs]
    check: { type: within-range, field: latencyMs, name: latency, unit: millisecond, max: 2000 }
`,
    });
    const slack = await withSlack();
    const jury = await startJury(slack, 'http', { JURY_PROMPTS_DIR: folder, JURY_DATA_DIR: newFolder() });
    const paste = 'User: Hello\nSystem: Good morning\nLatency: 3 s';
    const ts = await slack.say(paste);
    await jury.deliver.event(payloadsOf(slack).mention(paste, ts));
    const card = await answer(slack, ts, 'FAIL');
    expect(JSON.stringify(card.blocks)).toContain('Shouting');
  });
});
