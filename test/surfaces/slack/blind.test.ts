import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { VerdictRecord } from '../../../src/labels/record/verdict-record.ts';
import { builtIn } from '../../support/built-in.ts';
import type { DoubleAnswer } from '../../support/model-double.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { serviceModel } from '../../support/service-model.ts';
import type { SlackDouble } from '../../support/slack-double.ts';
import { lastView, nextTs, payloadsOf } from '../../support/slack-requests.ts';
import { type RunningJury, startJury, withSlack } from '../../support/slack-service.ts';
import type { SlackCall } from '../../support/slack-wire.ts';

closeAfterEach();

/** Stands in every reason that a judge gives, and nowhere else. */
const REASON = 'ZEBRA-CROSSING';
const podcast = readFileSync(join(builtIn, 'samples/core/podcast-for-the-drive.json'), 'utf8');

type Answers = (n: number) => DoubleAnswer;
const says =
  (...decisions: ('pass' | 'fail')[]): Answers =>
  (n) => ({ fields: { decision: decisions[n % decisions.length], rationale: REASON } });
const scores =
  (score: number): Answers =>
  () => ({ fields: { score, rationale: REASON } });
const mumbles: Answers = () => ({ content: REASON });

interface Hidden {
  slack: SlackDouble;
  jury: RunningJury;
  thread: string;
  record: VerdictRecord;
  /** The message that the verdict is about. */
  ts: string;
}

interface Case {
  answers: Answers;
  paste?: string;
}

/** A channel that votes first, with one verdict; the judges answer once it was shown that they are at work. */
async function aHiddenVerdict({ answers, paste = PASTE }: Case): Promise<Hidden> {
  const slack = await withSlack();
  const isShown = () =>
    slack.calls.some(
      ({ method, args }) => method === 'chat.update' && JSON.stringify(args).includes('Judging'),
    );
  const { env } = await serviceModel(
    {
      answer: async ({ n }) => {
        await until(isShown);
        return answers(n);
      },
    },
    'openai/judge',
  );
  const jury = await startJury(slack, 'http', env);
  const store = await jury.parts.store();
  await store.saveChannelSettings(slack.channel, { wish: {}, blind: true });
  const thread = await slack.say(paste);
  await jury.deliver.event(payloadsOf(slack).mention(paste, thread));
  const record = await until(async () => {
    const [newest] = await store.recentVerdicts({ channel: slack.channel, limit: 1 });
    return newest;
  });
  const message = await until(async () =>
    (await slack.written(slack.channel, thread)).find(({ text }) => text.startsWith('How do you judge')),
  );
  return { slack, jury, thread, record, ts: message.ts };
}

const ANNS = 'ann-has-answered';

/** Ann answers, and opens the verdict by it. */
async function annAnswers({ slack, jury, record, ts }: Hidden, action: string, said: string): Promise<void> {
  const ann = payloadsOf(slack);
  const more = { trigger_id: ANNS };
  const chosen = { action_ts: nextTs(), selected_option: { value: `${said} ${record.id}` } };
  await jury.deliver.interaction(
    action === 'blind_score'
      ? ann.click(action, '', ts, {
          ...more,
          actions: [{ type: 'static_select', action_id: action, ...chosen }],
        })
      : ann.click(action, `${said} ${record.id}`, ts, more),
  );
  await until(() => slack.called('views.open').some(({ args }) => args.trigger_id === ANNS));
}

/** All ways in which a person who has not answered can look at a verdict or try to get around answering. */
async function benLooksAround({ slack, jury, record, ts }: Hidden): Promise<void> {
  const ben = payloadsOf(slack, slack.users.ben);
  const opens = () => slack.called('views.open').length;
  const atHome = { type: 'app_home_opened', user: slack.users.ben, channel: 'D0BEN', tab: 'home' };
  const open = opens();
  await jury.deliver.interaction(ben.click('verdict_details', record.id, ts));
  await until(() => opens() === open + 1);
  const metadata = lastView(slack).private_metadata ?? '';
  const view = { id: 'V1', type: 'modal', hash: 'h', private_metadata: metadata, state: { values: {} } };
  await jury.deliver.interaction(ben.click('verdict_details_page', `${record.id} 1`, ts, { view }));
  await jury.deliver.interaction(ben.click('vote_disagree', `disagree ${record.id}`, ts));
  await jury.deliver.interaction(ben.click('vote_retract', `retract ${record.id}`, ts));
  await jury.deliver.interaction(ben.click('blind_say_more', record.id, ts));
  await jury.deliver.interaction(ben.click('verdict_again', record.id, ts));
  await until(() => opens() === open + 5);
  await jury.deliver.interaction(
    ben.submit('correction_form', JSON.stringify({ verdict: record.id }), {
      right: { right: { type: 'static_select', selected_option: { value: 'pass' } } },
    }),
  );
  await jury.deliver.event(ben.reaction('reaction_added', '+1', ts, nextTs()));
  await jury.deliver.event(atHome);
  await until(() => slack.called('views.publish').length > 0);
  await jury.deliver.command('queue', { channel: slack.channel, user: slack.users.ben });
  await until(() =>
    slack.called('chat.postEphemeral').some(({ args }) => /\bneeds? your vote\.$/.test(String(args.text))),
  );
}

/** What was sent to Slack, without what Ann was shown for her answer. */
const sentToOthers = (slack: SlackDouble): SlackCall[] =>
  slack.calls.filter(({ args }) => args.trigger_id !== ANNS);

/** The same for two verdicts where nothing but what came of them differs: names, times and drafts are left out. */
function withoutNames({ slack, record, thread, ts }: Hidden): string[] {
  const names = new Map([
    [record.id, 'VERDICT'],
    [thread, 'THREAD'],
    [thread.replace('.', ''), 'THREAD'],
    [ts, 'MESSAGE'],
    [ts.replace('.', ''), 'MESSAGE'],
  ]);
  const seen = sentToOthers(slack)
    .filter(({ method }) => method !== 'auth.test')
    .map(({ method, args }) => {
      let text = JSON.stringify({ method, args });
      for (const [name, stand] of names) text = text.replaceAll(name, stand);
      return text
        .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, 'DRAFT')
        .replaceAll(/"timestamp":\d+/g, 'TIME')
        .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'TIME')
        .replaceAll(/\b[TCDU][0-9A-Z]{8,}\b/g, 'ID');
    });
  return [...new Set(seen)].sort();
}

const tells =
  /[✅❌📊❔➖👍👎]|\b(passe[ds]|failed|fails|undecided|not decided|\d+ (pass|fail|scored|(dis)?agrees?))\b/iu;

const binary: Record<string, Case> = {
  pass: { answers: says('pass') },
  fail: { answers: says('fail') },
  'a split panel': { answers: says('fail', 'fail', 'pass') },
  undecided: { answers: mumbles },
};
const scored: Record<string, Case> = {
  'a high score': { answers: scores(4), paste: podcast },
  'a low score': { answers: scores(1), paste: podcast },
  'no score': { answers: mumbles, paste: podcast },
};

/** Everything that others than Ann were sent, Ann's answer with its votes being there already. */
async function othersSee(one: Case, said: [action: string, said: string]): Promise<[Hidden, string[]]> {
  const hidden = await aHiddenVerdict(one);
  await annAnswers(hidden, ...said);
  const store = await hidden.jury.parts.store();
  await until(async () => (await store.votes(hidden.record.id)).length === 1);
  await benLooksAround(hidden);
  expect(await store.votes(hidden.record.id)).toHaveLength(1);
  expect(hidden.slack.problems).toEqual([]);
  for (const method of ['chat.update', 'views.open', 'views.publish', 'chat.postEphemeral'])
    expect(JSON.stringify(hidden.slack.called(method).map(({ args }) => args))).toContain(hidden.record.id);
  return [hidden, withoutNames(hidden)];
}

describe('where people vote first', () => {
  test('what others are sent is the same to the letter whether the panel passes, fails or cannot decide, and whatever was voted', async () => {
    const [[pass, first], ...others] = await Promise.all([
      othersSee(binary.pass ?? { answers: mumbles }, ['blind_right', 'right']),
      othersSee(binary.fail ?? { answers: mumbles }, ['blind_right', 'right']),
      othersSee(binary['a split panel'] ?? { answers: mumbles }, ['blind_wrong', 'wrong']),
      othersSee(binary.undecided ?? { answers: mumbles }, ['blind_unsure', 'unsure']),
    ]);
    expect([pass, ...others.map(([hidden]) => hidden)].map(({ record }) => record.verdict.decision)).toEqual([
      'pass',
      'fail',
      'fail',
      'undecided',
    ]);
    for (const [, other] of others) expect(other).toEqual(first);
  });

  test('what others are sent is the same to the letter for every score', async () => {
    const [[high, first], ...others] = await Promise.all([
      othersSee(scored['a high score'] ?? { answers: mumbles }, ['blind_score', '4']),
      othersSee(scored['a low score'] ?? { answers: mumbles }, ['blind_score', '3']),
      othersSee(scored['no score'] ?? { answers: mumbles }, ['blind_unsure', 'unsure']),
    ]);
    expect(
      [high, ...others.map(([hidden]) => hidden)].map(({ record }) => [
        record.verdict.decision,
        record.verdict.score,
      ]),
    ).toEqual([
      ['scored', 4],
      ['scored', 1],
      ['undecided', null],
    ]);
    for (const [, other] of others) expect(other).toEqual(first);
  });

  test.each(Object.entries({ ...binary, ...scored }))(
    'no reason, decision, mark or count is sent to anybody before they vote: %s',
    async (_name, one) => {
      const [{ slack }] = await othersSee(one, ['blind_unsure', 'unsure']);
      for (const { method, args } of sentToOthers(slack)) {
        const text = JSON.stringify(args);
        expect(text, method).not.toContain(REASON);
        expect(text, method).not.toMatch(tells);
      }
    },
  );

  test('several cases are counted as judged, in their own order', async () => {
    const shown = async (answers: Answers) => {
      const paste = Array.from(
        { length: 3 },
        (_, n) =>
          `{"id":"c${n}","rubric":"question-answering","conversation":[{"role":"user","text":"Is it cold?"}],"response":"Yes ${n}."}`,
      ).join('\n');
      const slack = await withSlack();
      const { env } = await serviceModel({ answer: ({ n }) => answers(n) }, 'openai/judge');
      const jury = await startJury(slack, 'http', env);
      const store = await jury.parts.store();
      await store.saveChannelSettings(slack.channel, { wish: {}, blind: true });
      const thread = await slack.say(paste);
      await jury.deliver.event(payloadsOf(slack).mention(paste, thread));
      const summary = await until(async () =>
        (await slack.written(slack.channel, thread)).find(({ text }) => text === '3 cases: 3 judged'),
      );
      await until(async () => (await store.pendingSpotChecks()) === 0);
      const sent = JSON.stringify(slack.calls.map(({ args }) => args));
      expect(sent).not.toContain(REASON);
      expect(sent).not.toMatch(tells);
      return JSON.stringify(summary.blocks)
        .replaceAll(/"value":"[^"]*"/g, '')
        .replaceAll(/"block_id":"[^"]*"/g, '');
    };
    expect(await shown(says('pass', 'fail'))).toBe(await shown(mumbles));
  });

  test('the person who asked reads, without the decision, that its message is gone', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    await (await jury.parts.store()).saveChannelSettings(slack.channel, { wish: {}, blind: true });
    slack.refuse('chat.update', 'message_not_found');
    const thread = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, thread));
    const told = await until(() =>
      slack.called('chat.postMessage').find(({ args }) => args.channel === slack.users.ann),
    );
    expect(String(told.args.text)).toContain('Answer first');
    expect(JSON.stringify(told.args)).not.toMatch(tells);
  });
});

describe('an answer', () => {
  test('opens the whole verdict and the votes for who gave it, and changes nothing that others see', async () => {
    const hidden = await aHiddenVerdict({ answers: says('fail') });
    const { slack, record, jury } = hidden;
    const before = slack.called('chat.update').length;
    await annAnswers(hidden, 'blind_wrong', 'wrong');
    const shown = await until(() => slack.called('views.open').find(({ args }) => args.trigger_id === ANNS));
    const text = JSON.stringify(shown.args.view);
    expect(text).toContain(REASON);
    expect(text).toContain('You said: the response is wrong. Votes: 👍 1 agrees');
    const store = await jury.parts.store();
    expect(await store.votes(record.id)).toMatchObject([
      { value: 'agree', blind: { answer: { kind: 'decision', decision: 'fail' } } },
    ]);
    // Before it ends it shows whatever has yet to be shown.
    await jury.close();
    expect(slack.called('chat.update')).toHaveLength(before);
  });

  test('is the first one that a person gave, whatever they click or say after', async () => {
    const hidden = await aHiddenVerdict({ answers: says('fail') });
    const { slack, record, jury, ts } = hidden;
    const ann = payloadsOf(slack);
    const store = await jury.parts.store();
    await annAnswers(hidden, 'blind_right', 'right');
    await annAnswers(hidden, 'blind_wrong', 'wrong');
    await jury.deliver.interaction(ann.click('vote_agree', `agree ${record.id}`, ts));
    const metadata = JSON.stringify({ verdict: record.id });
    await jury.deliver.interaction(
      ann.submit('correction_form', metadata, {
        right: { right: { type: 'static_select', selected_option: { value: 'fail' } } },
        comment: { comment: { type: 'plain_text_input', value: 'I had overlooked the rating' } },
      }),
    );
    const [vote] = await store.votes(record.id);
    expect(vote).toMatchObject({
      value: 'disagree',
      correction: { comment: 'I had overlooked the rating' },
      blind: {
        answer: { kind: 'decision', decision: 'pass' },
        later: { answer: { kind: 'decision', decision: 'fail' } },
      },
    });
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 0 });
  });

  test('that is taken back after the verdict was seen cannot be given again', async () => {
    const hidden = await aHiddenVerdict({ answers: says('fail') });
    const { slack, record, jury, ts } = hidden;
    const store = await jury.parts.store();
    await annAnswers(hidden, 'blind_right', 'right');
    await jury.deliver.interaction(payloadsOf(slack).click('vote_retract', `retract ${record.id}`, ts));
    await until(async () => (await store.votes(record.id)).length === 0);
    await annAnswers(hidden, 'blind_wrong', 'wrong');
    await until(() =>
      slack.called('chat.postEphemeral').some(({ args }) => String(args.text).includes('would not be blind')),
    );
    expect(await store.votes(record.id)).toEqual([]);
  });

  test('on App Home takes the case out of what needs a vote, and its verdict stands among the others', async () => {
    const hidden = await aHiddenVerdict({ answers: says('fail') });
    const { slack, record, jury, ts } = hidden;
    const view = { id: 'VH', type: 'home', hash: 'h', private_metadata: '', state: { values: {} } };
    await jury.deliver.interaction(
      payloadsOf(slack).click('blind_wrong', `wrong ${record.id}`, ts, { view, trigger_id: ANNS }),
    );
    const home = await until(() => slack.called('views.publish').at(-1));
    const text = JSON.stringify(home.args.view);
    expect(text).toContain('Nothing is waiting for your vote');
    expect(text).toContain('👍 1 agrees');
  });

  test('to an undecided case says what is right, not that a panel is wrong which could not tell', async () => {
    const hidden = await aHiddenVerdict({ answers: mumbles });
    await annAnswers(hidden, 'blind_right', 'right');
    const store = await hidden.jury.parts.store();
    const [vote] = await until(async () => {
      const votes = await store.votes(hidden.record.id);
      return votes.length > 0 && votes;
    });
    expect(vote).toMatchObject({ right: { kind: 'decision', decision: 'pass' } });
    expect(await store.tally(hidden.record.id)).toMatchObject({ agree: 0, disagree: 0, right: { pass: 1 } });
  });
});
