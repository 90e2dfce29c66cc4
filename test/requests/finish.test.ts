import { describe, expect, test, vi } from 'vitest';
import { JuryError } from '../../src/common/errors.ts';
import type { Ask } from '../../src/judging/ask.ts';
import type { SpotCheckParts } from '../../src/requests/check-run.ts';
import type { CheckSurface, Reading } from '../../src/requests/presenter.ts';
import { shownFor } from '../../src/requests/shown-messages.ts';
import type { SpotCheck } from '../../src/requests/spot-check.ts';
import { ask as byRules } from '../judges/rules/world.ts';
import { aCase, fail, judgementOf } from '../support/builders.ts';
import { closeAfterEach, until } from '../support/resources.ts';
import { aCheck, aRecord, saturday } from '../support/store-builders.ts';
import { LEASE_MS, undelivered, world } from './world.ts';

closeAfterEach();

type Own = Partial<SpotCheckParts & Pick<CheckSurface, 'read'>>;

const casesOf = (...responses: string[]): SpotCheck['input'] => {
  const [first = '', ...others] = responses;
  const asked = (response: string) => ({ evalCase: aCase({ id: response, response }), assumed: [] });
  return { kind: 'cases', cases: [asked(first), ...others.map(asked)] };
};
const message = (text: string, parts: object = {}): SpotCheck['input'] => ({
  kind: 'message',
  message: '1.1',
  text,
  files: [],
  ...parts,
});
const items = (...responses: string[]): Reading => ({
  kind: 'items',
  items: responses.map((response) => ({ case: aCase({ id: response, response }), assumed: [], spans: [] })),
});

/** A request that one process brings to its end. */
async function finished(parts: Partial<SpotCheck>, own: Own = {}) {
  const all = await world();
  await all.record('check-1', parts);
  await all.start('first', null, own).take('check-1');
  return all;
}

describe('several cases of one request', () => {
  test('are judged each, and shown in one message', async () => {
    const { chat, shown, store } = await finished({ input: casesOf('A.', 'B.', 'C.') });
    expect([...chat]).toEqual([['check-1', 'pass,pass,pass']]);
    expect(shown.summaries[0]?.map(({ kind }) => kind)).toEqual(['pending', 'pending', 'pending']);
    expect(await store.recentVerdicts({ channel: null, limit: 9 })).toHaveLength(3);
    expect(await shownFor(store, 'check-1', saturday)).toMatchObject({ cases: 3 });
  });

  test('have in place of a verdict why there is none', async () => {
    const rated = aCase();
    const unsure = {
      text: 'I think the rating is 3.1 in reality',
      withIt: { ...rated, response: `${rated.response}\nI think the rating is 3.1 in reality` },
    };
    const reading: Reading = {
      kind: 'items',
      items: [
        { case: { ...rated, id: 'two ways' }, assumed: [], spans: [], unsure },
        { problem: 'There is no answer.', missing: [], understood: {} },
        { case: { ...rated, id: 'whole' }, assumed: [], spans: [] },
      ],
    };
    const { shown } = await finished(
      { input: message('a paste'), wish: { models: ['rules'] } },
      { read: async () => reading, ask: byRules },
    );
    expect(shown.summaries.at(-1)).toMatchObject([
      {
        kind: 'problem',
        title: 'two ways',
        problem: expect.stringMatching(
          /^It is not clear whether "I think the rating is 3\.1 in reality" .* Paste this case alone to choose\.$/,
        ),
      },
      { kind: 'problem', title: 'case 2', problem: 'There is no answer.' },
      { kind: 'judged' },
    ]);
  });

  test('are no more than 100', async () => {
    const many = Array.from({ length: 101 }, (_, n) => `Answer ${n}.`);
    const { shown, asked } = await finished({ input: message('x') }, { read: async () => items(...many) });
    expect(shown.problems).toMatchObject([
      { kind: 'refused', message: expect.stringContaining('There are 101 cases; one request takes 100.') },
    ]);
    expect(asked).toEqual([]);
  });
});

describe('a message', () => {
  test('is read once, also if the process that read it dies', async () => {
    const { start, wait, record, isDone, died, chat } = await world();
    let reads = 0;
    const read = async () => {
      reads += 1;
      return items('A.');
    };
    await record('check-1', { input: message('a paste') });
    void start('first', 'ask', { read }).take('check-1');
    await until(() => died.length > 0);
    wait(LEASE_MS + 1);
    await start('second', null, { read }).recover();
    await until(isDone);
    expect(reads).toBe(1);
    expect([...chat.values()]).toEqual(['pass']);
  });

  test('of thanks is thanked for, and nothing else happens', async () => {
    const { shown, chat } = await finished({ input: message('thanks a lot!') });
    expect(shown.thanked).toEqual(['check-1']);
    expect([...chat]).toEqual([]);
    const files = [{ id: 'F1', name: 'case.txt', size: 1, url: 'x' }];
    expect((await finished({ input: message('thanks!', { files }) })).shown.thanked).toEqual([]);
    expect((await finished({ input: message('why?') })).shown.thanked).toEqual([]);
  });

  test('that is a question about the verdict above is answered, and judged if there is none', async () => {
    const question: Own = { read: async () => ({ kind: 'question', asked: 'why?' }) };
    const { store, start, record, shown, chat } = await world();
    await record('judged', { input: casesOf('A.'), thread: '1.0' });
    await start('first').take('judged');
    const explain = vi.fn<SpotCheckParts['explain']>(async () => ({
      status: 'answered',
      text: 'It is closed.',
      words: [],
    }));
    await record('asks', { input: message('why?'), thread: '1.0' });
    await start('first', null, { ...question, explain }).take('asks');
    expect(shown.answers).toMatchObject([{ kind: 'answer', text: 'It is closed.' }]);
    expect(chat.get('asks')).toBe('received');
    expect(await store.pendingSpotChecks()).toBe(0);
    const alone = await finished({ input: message('why?') }, question);
    expect(alone.shown.problems).toEqual([{ kind: 'unreadable', isShort: true }]);
    expect(alone.shown.answers).toEqual([]);
  });

  test('that holds nothing says so, also below a verdict', async () => {
    const nothing = { kind: 'nothing' } as const;
    const unreadable = { kind: 'unreadable', isShort: true } as const;
    for (const reading of [nothing, unreadable])
      expect(
        (await finished({ input: message('hm') }, { read: async () => reading })).shown.problems,
      ).toEqual([reading]);
    const { start, record, shown } = await world();
    await record('judged', { input: casesOf('A.'), thread: '1.0' });
    await start('first').take('judged');
    await record('again', { input: message('a paste'), thread: '1.0' });
    await start('first', null, { read: async () => items('B.') }).take('again');
    expect(shown.answers).toEqual([]);
  });
});

describe('what is kept of a case', () => {
  const received = { text: 'User: a\nSystem: A.', spans: [] };

  test('is the text that it was read from, and where it was asked', async () => {
    const { store } = await finished({
      input: { kind: 'cases', cases: [{ evalCase: aCase(), assumed: [], received }] },
    });
    const [kept] = await store.recentVerdicts({ channel: null, limit: 1 });
    expect(kept).toMatchObject({ received, source: { channel: 'C1', message: 'message of check-1' } });
    const without = await finished({});
    expect((await without.store.recentVerdicts({ channel: null, limit: 1 }))[0]).not.toHaveProperty(
      'received',
    );
  });
});

describe('where the budget ends before the judges have answered', () => {
  const broke: Ask = async (question) =>
    question.judge.model === 'rules' ? byRules(question) : judgementOf(question, { unscored: 'budget' });
  const spentBy: SpotCheckParts['spentBy'] = async () => [{ of: 'person', limitUsd: 1, resetsAt: saturday }];

  test('exact checks judge, unless the requester chose the models; either way the requester learns it', async () => {
    const own = { ask: broke, spentBy };
    const checked = await finished({}, own);
    expect(checked.shown.limits).toEqual([true]);
    expect([...checked.chat.values()]).not.toContain('budget');
    const named = await finished({ wish: { models: ['openai/other'] } }, own);
    expect(named.shown.limits).toEqual([false]);
    expect([...named.chat.values()]).toEqual(['budget']);
  });

  test('a form that sends the usual models has chosen none; one with others has', async () => {
    const outcome = async (...models: string[]) => {
      const { chat } = await finished(
        { wish: { models, ...(models.length > 1 ? { method: 'max-vote' } : {}) }, isWishComplete: true },
        { ask: broke },
      );
      return [...chat.values()];
    };
    expect(await outcome('openai/test')).not.toEqual(['budget']);
    for (const models of [['openai/other'], ['openai/test', 'openai/other']])
      expect(await outcome(...models)).toEqual(['budget']);
  });
});

describe('an attempt', () => {
  test('is a retry only where another one came before', async () => {
    const { start, wait, record, isDone, died, shown } = await world();
    await record();
    void start('first', 'ask').take('check-1');
    await until(() => died.length > 0);
    wait(LEASE_MS + 1);
    await start('second').recover();
    await until(isDone);
    // The second process found where the message stands.
    expect(shown.retries).toEqual([false]);
    await record('check-2');
    void start('third', 'placeholder').take('check-2');
    await until(() => died.length > 1);
    wait(LEASE_MS + 1);
    await start('fourth').recover();
    await until(isDone);
    expect(shown.retries).toEqual([false, true]);
  });

  test('uses the answers that judges gave in the one before', async () => {
    const { start, wait, record, isDone } = await world();
    const asked: string[] = [];
    await record('check-1', { wish: { method: 'mab' } });
    const ask =
      (owner: string, most: number): Ask =>
      async (question) => {
        if (asked.length >= most) return new Promise(() => {});
        asked.push(`${owner} ${question.judge.persona}`);
        return judgementOf(question, fail);
      };
    void start('first', null, { ask: ask('first', 1) }).take('check-1');
    await until(() => asked.length > 0);
    wait(LEASE_MS + 1);
    await start('second', null, { ask: ask('second', 99) }).recover();
    await until(isDone);
    const personas = asked.map((one) => one.split(' ')[1]);
    expect(new Set(personas).size).toBe(personas.length);
    expect(personas.length).toBeGreaterThan(1);
  });

  test('that nothing works on is over at once when it is stopped', async () => {
    const { store, asked, chat, start, record, isDone, now } = await world();
    await record();
    await start('first').stop('check-1', 'ann');
    await until(isDone);
    expect(asked).toEqual([]);
    expect([...chat]).toEqual([['check-1', 'stopped']]);
    // Who stopped it is not kept a second time.
    await until(async () => (await store.get('stop:check-1', now())) === null);
  });

  test('leaves its request known for two days, however often it is delivered again', async () => {
    const { store, wait, now } = await finished({});
    const again = async () => {
      await store.prune(0, now());
      return store.addSpotCheck(aCheck({ id: 'check-1' }));
    };
    wait(47 * 3_600_000);
    expect(await again()).toBe('known');
    wait(2 * 3_600_000);
    expect(await again()).toBe('added');
  });
});

describe('the pauses between attempts to show something', () => {
  test('are 1.5 to 2 seconds, then twice as long each time, and at most five minutes', async () => {
    const { refused, start, wait, record } = await world();
    await record();
    refused.push(...Array.from({ length: 20 }, () => undelivered(true)));
    const process = start('first');
    await process.take('check-1');
    for (const pause of [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]) {
      wait(0.75 * pause - 1);
      expect((await process.recover()).taken).toBe(0);
      wait(0.25 * pause + 2);
      const left = refused.length;
      expect((await process.recover()).taken).toBe(1);
      await until(() => refused.length < left && process.running() === 0);
    }
  });
});

describe('the answer to a deleted request', () => {
  const shownOnce = async () => {
    const all = await world();
    await all.record();
    await all.start('first').take('check-1');
    return all;
  };

  test('is removed with its verdicts, also those of several cases', async () => {
    const { start, record, chat, store } = await world();
    await record('check-1', { input: casesOf('A.', 'B.') });
    const process = start('first');
    await process.take('check-1');
    await process.withdraw('check-1', 'slack');
    expect(chat.size).toBe(0);
    const kept = await store.recentVerdicts({ channel: null, limit: 9 });
    const marks = await Promise.all(kept.map(({ id }) => store.get(`withdrawn:${id}`, saturday)));
    expect(marks).toEqual(['withdrawn', 'withdrawn']);
    expect(await store.get(`withdrawn:${aRecord().id}`, saturday)).toBeNull();
  });

  test('is removed again and again, after growing pauses, where the chat cannot be reached', async () => {
    const { start, refusedWithdrawals, chat } = await shownOnce();
    refusedWithdrawals.push(undelivered(true), undelivered(true), undelivered(true));
    const tick = () => new Promise((done) => setImmediate(done));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await start('first').withdraw('check-1', 'slack');
      for (const [left, pause] of [
        [2, 2_000],
        [1, 4_000],
        [0, 8_000],
      ] as const) {
        vi.advanceTimersByTime(0.75 * pause - 1);
        for (let n = 0; n < 100; n += 1) await tick();
        expect(refusedWithdrawals).toHaveLength(left);
        vi.advanceTimersByTime(0.25 * pause + 2);
        while (refusedWithdrawals.length === left && chat.size > 0) await tick();
        // The next pause begins when the attempt is over.
        while (chat.size > 0 && vi.getTimerCount() === 0) await tick();
      }
      expect(chat.size).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('stays where the chat refuses for good, and whoever withdrew it learns it', async () => {
    const { start, refusedWithdrawals, chat } = await shownOnce();
    for (const refusal of [undelivered(false), new JuryError('usage', 'the conversation is gone')]) {
      refusedWithdrawals.push(refusal);
      await expect(start('first').withdraw('check-1', 'slack')).rejects.toBe(refusal);
    }
    expect(chat.size).toBe(1);
  });

  test('is not withdrawn by a surface that there is not', async () => {
    const { start, chat, store } = await shownOnce();
    await start('first').withdraw('check-1', 'pager');
    expect(chat.size).toBe(1);
    expect(await shownFor(store, 'check-1', saturday)).toMatchObject({ withdrawn: false });
  });
});
