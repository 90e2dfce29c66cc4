import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createPseudonyms } from '../../../src/stores/pseudonyms.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { orderOf } from '../../../src/studies/annotation.ts';
import type { Study } from '../../../src/studies/study.ts';
import { redisOfRun } from '../../support/redis.ts';
import { prepareRedis } from '../../support/redis-server.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import type { SlackDouble } from '../../support/slack-double.ts';
import { viewProblems } from '../../support/slack-limits.ts';
import { lastView, payloadsOf, unchanged } from '../../support/slack-requests.ts';
import { type RunningJury, startJury, type Transport, withSlack } from '../../support/slack-service.ts';
import { aStudy, labeled, says } from '../../support/study-builders.ts';

closeAfterEach();

const env = { JURY_SECRET: 'for this test' };
const pseudonym = createPseudonyms(env.JURY_SECRET, ['slack']);
const idOf = (user: string) => pseudonym({ surface: 'slack', team: '', user });

const CASES = [
  labeled('secret-id-a', 'pass'),
  labeled('secret-id-b', 'time'),
  labeled('secret-id-c', 'cost'),
];

const studyOf = (slack: SlackDouble, parts: Partial<Study> = {}): Study =>
  aStudy({
    at: Date.now(),
    cases: CASES,
    annotators: [slack.users.ann].map((user, place) => ({
      id: idOf(user),
      place,
      person: { surface: 'slack', team: '', user },
    })),
    ...parts,
  });

type View = ReturnType<typeof lastView>;
const Updated = z.object({ response_action: z.literal('update'), view: z.looseObject({}) });

/** The view that a submission was answered with. */
function nextView({ body }: { body: unknown }): View {
  const { view } = Updated.parse(body);
  expect(viewProblems(view)).toEqual([]);
  return z
    .looseObject({
      callback_id: z.string().optional(),
      private_metadata: z.string().optional(),
      blocks: z.array(z.looseObject({ type: z.string() })),
    })
    .parse(view);
}

const titleOf = (view: View) => String(Object(view.title).text);
const holds = (view: View, text: string) => expect(JSON.stringify(view.blocks)).toContain(text);

/** The form filled in: an answer by item, whatever the ids of this form's inputs are. */
function filled(view: View, answers: Record<string, string | string[]>) {
  const values = unchanged(view);
  for (const [item, answer] of Object.entries(answers)) {
    const block = Object.keys(values).find((id) => id.startsWith(`${item}-`)) ?? expect.fail(item);
    const picked = Array.isArray(answer)
      ? { selected_options: answer.map((value) => ({ value })) }
      : item === 'comment'
        ? { value: answer }
        : { selected_option: { value: answer } };
    values[block] = { [block]: { ...Object(Object.values(values[block] ?? {})[0]), ...picked } };
  }
  return values;
}

const good = { user: '5', system: '4', correct: 'yes' };
const bad = { user: '4', system: '2', correct: 'no', errors: ['time'], comment: 'it <!channel> is late' };

/** The invitation and what can be done from it. */
async function invited(slack: SlackDouble, jury: RunningJury, user = slack.users.ann) {
  const message = await until(async () =>
    (await slack.written(slack.im)).find(({ text }) => text.startsWith('Study')),
  );
  const person = payloadsOf(slack, user);
  const [, value = ''] = /"value":"(s\d+ \d+)"/.exec(JSON.stringify(message.blocks)) ?? [];
  const inMessage = { channel: { id: slack.im, name: 'directmessage' } };
  return {
    message,
    value,
    person,
    start: async () => {
      const before = slack.called('views.open').length;
      await jury.deliver.interaction(person.click('study_next', value, message.ts, inMessage));
      await until(() => slack.called('views.open').length > before);
      return lastView(slack);
    },
    submit: (view: View, answers: Record<string, string | string[]>) =>
      jury.deliver.interaction(
        person.submit('study_form', view.private_metadata ?? '', filled(view, answers)),
      ),
    inView: (action: string, at: string, view: View) =>
      jury.deliver.interaction(
        person.click(action, at, '', {
          channel: undefined,
          message: undefined,
          view: {
            id: 'V1',
            type: 'modal',
            hash: 'h',
            private_metadata: view.private_metadata ?? '',
            state: {},
          },
        }),
      ),
    shows: (text: string) =>
      until(async () => (await slack.message(slack.im, message.ts))?.text.includes(text)),
  };
}

async function aRunningStudy(slack: SlackDouble, parts: Partial<Study> = {}, transport: Transport = 'http') {
  const folder = newFolder();
  const store = await openSqliteStore(join(folder, 'jury.db'));
  closing(() => store.close());
  await store.addStudy(studyOf(slack, parts));
  const jury = await startJury(slack, transport, { ...env, JURY_DATA_DIR: folder });
  return { jury, store, folder };
}

const said = async (store: Store) =>
  (await store.annotations('s1')).map(({ case: index, answers }) => [index, answers] as const);

describe.each<Transport>(['http', 'socket'])('an annotator over %s', (transport) => {
  test('is invited in private, sees case after case, and can stop and continue', async () => {
    const slack = await withSlack();
    const { jury, store } = await aRunningStudy(slack, {}, transport);
    const ann = await invited(slack, jury);
    expect(ann.message.text).toContain('You are asked about 3 cases');
    const order = orderOf(studyOf(slack), studyOf(slack).annotators[0] ?? expect.fail());

    const first = await ann.start();
    expect(titleOf(first)).toBe('Case 1 of 3');
    holds(first, `Request ${CASES[order[0] ?? 0]?.id}`);
    const second = nextView(await ann.submit(first, good));
    expect(titleOf(second)).toBe('Case 2 of 3');
    await ann.shows('1 of 3 are done');

    const again = await ann.start();
    expect(titleOf(again)).toBe('Case 2 of 3');
    const third = nextView(await ann.submit(again, bad));
    const done = nextView(await ann.submit(third, good));
    holds(done, 'All 3 cases of “Sample” are done');
    await ann.shows('All 3 cases are done');
    expect(await said(store)).toEqual(
      [
        [order[0], says(5, 4)],
        [order[1], { ...says(4, 2, 'time'), comment: 'it <!channel> is late' }],
        [order[2], says(5, 4)],
      ].sort(([a], [b]) => Number(a) - Number(b)),
    );
    expect(slack.problems).toEqual([]);
  });
});

describe('the guide', () => {
  test('stands above the first case that an annotator opens, once; later it is one click away', async () => {
    const slack = await withSlack();
    const { jury } = await aRunningStudy(slack, {});
    const ann = await invited(slack, jury);
    holds(await ann.start(), 'Guide: what to judge by');
    const again = await ann.start();
    expect(JSON.stringify(again.blocks)).not.toContain('Guide: what to judge by');
    holds(again, 'Whole case and guide');
  });
});

describe('a form', () => {
  test('says at the question what is missing or contradicts, and keeps nothing', async () => {
    const slack = await withSlack();
    const { jury, store } = await aRunningStudy(slack);
    const ann = await invited(slack, jury);
    const view = await ann.start();
    const errorsFor = async (answers: Record<string, string | string[]>) => {
      const { body } = await ann.submit(view, answers);
      expect(body).toMatchObject({ response_action: 'errors' });
      const ids = view.blocks.flatMap(({ block_id }) => (typeof block_id === 'string' ? [block_id] : []));
      for (const id of Object.keys(Object(body).errors)) expect(ids).toContain(id);
      return Object.keys(Object(body).errors).map((id) => id.split('-')[0]);
    };
    expect(await errorsFor({})).toEqual(['user', 'system', 'correct']);
    expect(await errorsFor({ ...good, correct: 'no' })).toEqual(['errors']);
    expect(await errorsFor({ ...good, errors: ['time'] })).toEqual(['errors']);
    expect(await store.annotations('s1')).toEqual([]);
  });

  test('that arrives twice counts once, and late it does not undo what was changed since', async () => {
    const slack = await withSlack();
    const { jury, store } = await aRunningStudy(slack);
    const ann = await invited(slack, jury);
    const first = await ann.start();
    const [one, two] = await Promise.all([ann.submit(first, good), ann.submit(first, good)]);
    expect(titleOf(nextView(one))).toBe('Case 2 of 3');
    const second = nextView(two);
    expect(await store.annotations('s1')).toHaveLength(1);

    await ann.inView('study_back', `${ann.value} 1`, second);
    await until(() => slack.called('views.update').length > 0);
    const back = lastView(slack, 'views.update');
    expect(titleOf(back)).toBe('Case 1 of 3');
    expect(JSON.stringify(unchanged(back))).toContain('"value":"5"');
    expect(titleOf(nextView(await ann.submit(back, bad)))).toBe('Case 2 of 3');
    await ann.submit(first, good);
    expect((await said(store))[0]?.[1]).toMatchObject({ correct: false, errors: ['time'] });
    expect(await store.annotations('s1')).toHaveLength(1);
  });

  test('has inputs of ids that no form before had, so that Slack carries nothing over', async () => {
    const slack = await withSlack();
    const { jury } = await aRunningStudy(slack);
    const ann = await invited(slack, jury);
    const first = await ann.start();
    const second = nextView(await ann.submit(first, good));
    const ids = [first, second].map((view) => Object.keys(unchanged(view)));
    expect(ids[0]?.filter((id) => ids[1]?.includes(id))).toEqual([]);
  });

  test('of another annotator is of no use to anybody else', async () => {
    const slack = await withSlack();
    const { jury, store } = await aRunningStudy(slack);
    const ann = await invited(slack, jury);
    const view = await ann.start();
    const ben = payloadsOf(slack, slack.users.ben);
    const answer = await jury.deliver.interaction(
      ben.submit('study_form', view.private_metadata ?? '', filled(view, good)),
    );
    holds(nextView(answer), 'You have no place in this study');
    const opened = slack.called('views.open').length;
    await jury.deliver.interaction(ben.click('study_next', ann.value, ann.message.ts));
    await until(() => slack.called('chat.postEphemeral').length > 0);
    expect(slack.called('views.open')).toHaveLength(opened);
    expect(await store.annotations('s1')).toEqual([]);
  });

  test('of a study that was closed, removed or made anew keeps nothing and says so', async () => {
    const slack = await withSlack();
    const { jury, store } = await aRunningStudy(slack);
    const ann = await invited(slack, jury);
    const view = await ann.start();
    await store.closeStudy('s1', true);
    holds(nextView(await ann.submit(view, good)), 'This study is closed');
    await store.removeStudy('s1');
    holds(nextView(await ann.submit(view, good)), 'This study is gone');
    await store.addStudy(studyOf(slack, { at: Date.now() + 5 }));
    holds(nextView(await ann.submit(view, good)), 'This study is gone');
    expect(await store.annotations('s1')).toEqual([]);
  });

  test('of a person who was forgotten in between keeps nothing', async () => {
    const slack = await withSlack();
    const { jury, store } = await aRunningStudy(slack);
    const ann = await invited(slack, jury);
    const view = await ann.start();
    await store.forgetVoter(idOf(slack.users.ann));
    holds(nextView(await ann.submit(view, good)), 'You have no place in this study');
    expect(await store.annotations('s1')).toEqual([]);
  });

  test('is not lost when the store cannot be reached: it stays open and says so', async () => {
    const slack = await withSlack();
    const { jury } = await aRunningStudy(slack);
    const ann = await invited(slack, jury);
    const view = await ann.start();
    await (await jury.parts.store()).close();
    const { body } = await ann.submit(view, good);
    expect(body).toMatchObject({ response_action: 'errors' });
    expect(JSON.stringify(body)).toContain('nothing was saved');
  });
});

describe('a long case', () => {
  const marks = Array.from({ length: 2_500 }, (_, n) => `w${n};`);
  test('is cut with how much is missing, and can be read whole in pages', async () => {
    const slack = await withSlack();
    const long = labeled('long', 'pass', { response: marks.join(' ') });
    const { jury } = await aRunningStudy(slack, { cases: [long] });
    const ann = await invited(slack, jury);
    const view = await ann.start();
    expect(JSON.stringify(view)).toMatch(/\d+ more parts of this case/);
    await ann.inView('study_case', `${ann.value} 0`, view);
    await until(() => slack.called('views.push').length > 0);
    let page = lastView(slack, 'views.push');
    let whole = JSON.stringify(page);
    for (let n = 1; !JSON.stringify(page).includes('Task'); n += 1) {
      await ann.inView('study_case_page', `${ann.value} 0 ${n}`, page);
      await until(() => slack.called('views.update').length >= n);
      page = lastView(slack, 'views.update');
      whole += JSON.stringify(page);
    }
    expect(marks.filter((mark) => !whole.includes(mark))).toEqual([]);
    const cut = JSON.stringify(view);
    expect(marks.filter((mark) => !cut.includes(mark)).length).toBeGreaterThan(500);
    expect(slack.problems).toEqual([]);
  });
});

describe('/jury study', () => {
  const ask = (slack: SlackDouble, jury: RunningJury, text: string, user = slack.users.ann) =>
    jury.deliver.command(text, { channel: slack.channel, user });

  test('opens the next case, and says so where no one is asked', async () => {
    const slack = await withSlack();
    const { jury, store } = await aRunningStudy(slack);
    await ask(slack, jury, 'study');
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    expect(titleOf(view)).toBe('Case 1 of 3');
    await ask(slack, jury, 'study', slack.users.ben);
    const told = await until(() => slack.called('chat.postEphemeral')[0]);
    expect(told.args.text).toContain('No open study asks for your answers');
    await store.closeStudy('s1', true);
    await ask(slack, jury, 'study s1');
    await until(() => slack.called('chat.postEphemeral').length > 1);
    expect(slack.called('views.open')).toHaveLength(1);
  });

  test('lists several, each with its button', async () => {
    const slack = await withSlack();
    const { jury, store } = await aRunningStudy(slack);
    await store.addStudy(studyOf(slack, { id: 's2', name: 'Other' }));
    await ask(slack, jury, ' Study ');
    const { args } = await until(() => slack.called('chat.postEphemeral')[0]);
    expect(args.text).toContain('You are an annotator in 2 studies');
    expect(JSON.stringify(args.blocks).match(/study_next/g)).toHaveLength(2);
    await ask(slack, jury, 'study s2');
    await until(() => slack.called('views.open').length > 0);
    holds(lastView(slack), '0 of 3 done');
    expect(slack.problems).toEqual([]);
  });

  test('is no study where it is a paste', async () => {
    const slack = await withSlack();
    const { jury } = await aRunningStudy(slack);
    await ask(slack, jury, 'study\nSystem: of what?');
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    expect(view.callback_id).toBe('judge_form');
  });
});

describe('a study', () => {
  test('never shows Slack a label, an id of a case, or what anybody else said', async () => {
    const slack = await withSlack();
    const both = [slack.users.ann, slack.users.ben].map((user, place) => ({
      id: idOf(user),
      place,
      person: { surface: 'slack', team: '', user },
    }));
    const { jury, store } = await aRunningStudy(slack, { annotators: both });
    await store.annotate([
      {
        study: 's1',
        annotator: idOf(slack.users.ben),
        case: 0,
        answers: { ...says(1, 1, 'cost'), comment: 'words of Ben' },
        at: 1,
      },
    ]);
    const ann = await invited(slack, jury);
    let view = await ann.start();
    const seen = [JSON.stringify(view)];
    for (const answers of [good, bad, good]) {
      await ann.inView('study_case', `${ann.value} 0`, view);
      view = nextView(await ann.submit(view, answers));
      seen.push(JSON.stringify(view));
    }
    await until(() => slack.called('views.push').length === 3);
    const all = seen.join('') + JSON.stringify(slack.calls.map(({ args }) => args));
    for (const { id, evalCase } of CASES) {
      expect(all).not.toContain(`"${id}"`);
      expect(all).not.toContain(JSON.stringify(evalCase.label));
    }
    expect(all).not.toContain('words of Ben');
    expect(all).not.toMatch(/errorType|"decision"/);
    expect(jury.logged.join('\n')).not.toContain('late');
  });

  test('continues where it was when the service is started again', async () => {
    const slack = await withSlack();
    const { jury, folder } = await aRunningStudy(slack);
    const before = await invited(slack, jury);
    const second = nextView(await before.submit(await before.start(), good));
    await before.shows('1 of 3 are done');
    await jury.close();
    const next = await startJury(slack, 'http', { ...env, JURY_DATA_DIR: folder });
    const after = await invited(slack, next);
    // The form that was open all the time still works, and so does the old message.
    expect(titleOf(nextView(await after.submit(second, bad)))).toBe('Case 3 of 3');
    expect(titleOf(await after.start())).toBe('Case 3 of 3');
    expect((await slack.written(slack.im)).filter(({ text }) => text.startsWith('Study'))).toHaveLength(1);
  });

  test.skipIf(redisOfRun().binary === null)(
    'of two replicas invites once, and either takes answers',
    async () => {
      const { binary } = redisOfRun();
      if (binary === null) return;
      const server = await prepareRedis(binary);
      await server.start();
      closing(() => server.remove());
      const slack = await withSlack();
      const redis = { ...env, REDIS_URL: server.url };
      const one = await startJury(slack, 'http', redis);
      const store = await one.parts.store();
      await store.addStudy(studyOf(slack));
      const two = await startJury(slack, 'http', redis);
      const ann = await invited(slack, one);
      const first = await ann.start();
      const [a, b] = await Promise.all(
        [one, two].map(({ deliver }) =>
          deliver.interaction(
            ann.person.submit('study_form', first.private_metadata ?? '', filled(first, good)),
          ),
        ),
      );
      for (const answer of [a, b]) expect(titleOf(nextView(answer ?? expect.fail()))).toBe('Case 2 of 3');
      expect(await store.annotations('s1')).toHaveLength(1);
      const third = await two.deliver.interaction(
        ann.person.submit(
          'study_form',
          nextView(a ?? expect.fail()).private_metadata ?? '',
          filled(nextView(a ?? expect.fail()), bad),
        ),
      );
      expect(titleOf(nextView(third))).toBe('Case 3 of 3');
      expect((await slack.written(slack.im)).filter(({ text }) => text.startsWith('Study'))).toHaveLength(1);
    },
  );
});
