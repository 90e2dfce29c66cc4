import { describe, expect, test } from 'vitest';
import { JuryError } from '../../src/common/errors.ts';
import { failedRequest } from '../../src/requests/failed-requests.ts';
import { noteShown } from '../../src/requests/shown-messages.ts';
import { closeAfterEach, until } from '../support/resources.ts';
import { dayMs, saturday } from '../support/store-builders.ts';
import { LEASE_MS, undelivered, world } from './world.ts';

closeAfterEach();

describe('a request whose process died', () => {
  test.each([
    ['before it was shown that it was received', 'placeholder', ['second']],
    ['before it was kept where its message stands', 'posted', ['second']],
    ['while a judge was asked', 'ask', ['first', 'second']],
    ['before its card was shown', 'card', ['first']],
    ['before it was kept that its card is shown', 'shown', ['first']],
  ] as const)('%s is taken up by another one and shown in one message', async (_, dies, owners) => {
    const { store, chat, asked, died, posted, start, wait, record, isDone } = await world();
    await record();
    void start('first', dies).take('check-1');
    await until(() => died.length > 0);
    const second = start('second');
    expect(await second.recover()).toEqual({ taken: 0, unreadable: 0 });
    wait(LEASE_MS + 1);
    expect((await second.recover()).taken).toBe(1);
    await until(isDone);
    expect([...chat]).toEqual([['check-1', 'pass']]);
    expect(posted).toEqual(['check-1']);
    expect([...new Set(asked)]).toEqual(owners);
    const kept = await store.recentVerdicts({ channel: null, limit: 9 });
    expect(kept.map(({ verdict }) => verdict.decision)).toEqual(['pass']);
  });

  test('keeps its card if the store goes away once that is shown, and is finished later', async () => {
    const { store, chat, start, wait, record, isDone } = await world();
    await record();
    const away = new JuryError('store-unavailable', 'the store is away');
    const failing = new Proxy(store, {
      get: (whole, name: keyof typeof store) => {
        const value = whole[name];
        return typeof value !== 'function'
          ? value
          : (...args: never[]) =>
              chat.get('check-1') === 'pass' ? Promise.reject(away) : Reflect.apply(value, whole, args);
      },
    });
    await start('first', null, { store: failing }).take('check-1');
    expect([...chat]).toEqual([['check-1', 'pass']]);
    expect(await isDone()).toBe(false);
    wait(LEASE_MS + 1);
    await start('second').recover();
    await until(isDone);
    expect([...chat]).toEqual([['check-1', 'pass']]);
  });

  test('is left alone as long as the process lives', async () => {
    const { asked, start, wait, record } = await world();
    await record();
    void start('first', 'ask').take('check-1');
    await until(() => asked.length > 0);
    wait(LEASE_MS - 1);
    expect((await start('second').recover()).taken).toBe(0);
    await start('third').take('check-1');
    expect([...new Set(asked)]).toEqual(['first']);
  });

  test('is taken up by one of two processes that look at the same time', async () => {
    const { asked, chat, died, start, wait, record, isDone } = await world();
    await record();
    void start('first', 'placeholder').take('check-1');
    await until(() => died.length > 0);
    wait(LEASE_MS + 1);
    await Promise.all([start('second').recover(), start('third').recover()]);
    await until(isDone);
    expect(new Set(asked).size).toBe(1);
    expect([...chat]).toEqual([['check-1', 'pass']]);
  });
});

describe('a request that was stopped', () => {
  test('in another process, which died, is not judged by the next one', async () => {
    const { asked, chat, died, start, wait, record, isDone } = await world();
    await record();
    void start('first', 'placeholder').take('check-1');
    await until(() => died.length > 0);
    const second = start('second');
    await second.stop('check-1', 'ann');
    wait(LEASE_MS + 1);
    await second.recover();
    await until(isDone);
    expect(asked).toEqual([]);
    expect([...chat]).toEqual([['check-1', 'stopped']]);
  });

  test('by a shutdown is the next process’s at once', async () => {
    const { asked, chat, start, record, isDone } = await world();
    await record();
    const first = start('first', 'ask');
    void first.take('check-1');
    await until(() => asked.length > 0);
    await first.close(0, async () => {});
    await until(async () => (await start('second').recover()).taken === 1);
    await until(isDone);
    expect([...chat]).toEqual([['check-1', 'pass']]);
  });
});

describe('a request that a chat does not take', () => {
  test('is shown after a pause where that may help, and judged once', async () => {
    const { store, asked, chat, refused, refusedCards, start, wait, record, isDone } = await world();
    await record();
    refused.push(undelivered(true));
    refusedCards.push(undelivered(true), undelivered(true));
    const process = start('first');
    await process.take('check-1');
    expect(await isDone()).toBe(false);
    expect((await process.recover()).taken).toBe(0);
    const calls = new Set<number>();
    for (let look = 0; look < 5 && !(await isDone()); look += 1) {
      wait(5 * 60_000);
      await process.take('check-1', true);
      calls.add(asked.length);
    }
    expect([...chat]).toEqual([['check-1', 'pass']]);
    // The panel was asked once, whatever became of the card.
    expect(calls.size).toBe(1);
    expect(await store.recentVerdicts({ channel: null, limit: 9 })).toHaveLength(1);
  });

  test('is told elsewhere where it never will, and is over', async () => {
    const { chat, refused, start, record, isDone } = await world();
    await record();
    refused.push(new JuryError('usage', 'the conversation is gone'));
    await start('first').take('check-1');
    expect(await isDone()).toBe(true);
    expect([...chat.keys()]).toEqual(['check-1 elsewhere']);
  });

  test('is given up after six hours without a verdict', async () => {
    const { asked, refused, start, wait, record, isDone } = await world();
    await record();
    refused.push(...Array.from({ length: 500 }, () => undelivered(true)));
    const process = start('first');
    await process.take('check-1');
    for (let minutes = 5; minutes <= 6 * 60; minutes += 5) {
      wait(5 * 60_000);
      await process.take('check-1', true);
    }
    expect(await isDone()).toBe(false);
    wait(5 * 60_000);
    await process.take('check-1', true);
    expect(await isDone()).toBe(true);
    expect(asked).toEqual([]);
  });
});

test('a request that was deleted while it waited is not judged, and its message goes', async () => {
  const { store, asked, chat, start, wait, record, isDone } = await world();
  await record();
  void start('first', 'posted').take('check-1');
  await until(() => chat.size > 0);
  await noteShown(store, 'check-1', () => ({ channel: 'C1', cases: 1 }), saturday);
  const second = start('second');
  await second.withdraw('check-1', 'slack');
  wait(LEASE_MS + 1);
  await second.recover();
  await until(isDone);
  expect(asked).toEqual([]);
  expect(chat.size).toBe(0);
});

describe('a request that failed', () => {
  const OWN = 'failed-of:slack:U1';
  const never = () => new JuryError('usage', 'the conversation is gone');

  test('is kept to be tried again, and nothing of it is once another try has succeeded', async () => {
    const { store, chat, refused, start, record, isDone, now } = await world();
    await record();
    refused.push(never());
    const process = start('first');
    await process.take('check-1');
    expect(await failedRequest(store, 'check-1', now())).toMatchObject({ id: 'check-1' });
    expect(await store.get(OWN, now())).toBe('["check-1"]');
    expect(await process.tryAgain('check-1')).toBe(true);
    await until(() => chat.get('check-1') === 'pass');
    await until(isDone);
    expect(await failedRequest(store, 'check-1', now())).toBeNull();
    expect(await store.get(OWN, now())).toBe('[]');
    expect(await process.tryAgain('check-1')).toBe(false);
  });

  test('leaves no id behind once it has expired and the person’s next one fails', async () => {
    const { store, refused, start, wait, record, now } = await world();
    const process = start('first');
    const failing = async (id: string) => {
      await record(id, { at: now() });
      refused.push(never());
      await process.take(id);
    };
    await failing('old');
    wait(2 * dayMs);
    await failing('newer');
    expect(await store.get(OWN, now())).toBe('["old","newer"]');
    wait(2 * dayMs);
    await failing('newest');
    expect(await store.get(OWN, now())).toBe('["newer","newest"]');
  });
});
