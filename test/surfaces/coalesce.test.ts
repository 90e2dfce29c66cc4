import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCoalescer } from '../../src/surfaces/chat/coalesce.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Advances the test's clock by so many ms. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('the first is done at once, of the rest only the latest', async () => {
  const done: string[] = [];
  const coalescer = createCoalescer(50, () => {});
  for (const name of ['1', '2', '3']) coalescer.schedule('k', async () => void done.push(name));
  expect(done).toEqual(['1']);
  await pass(49);
  expect(done).toEqual(['1']);
  await pass(1);
  expect(done).toEqual(['1', '3']);
});

test('keys do not wait for each other, and errors go nowhere else', async () => {
  const errors: unknown[] = [];
  const done: string[] = [];
  const coalescer = createCoalescer(1000, (thrown) => errors.push(thrown));
  coalescer.schedule('a', async () => {
    throw new Error('no');
  });
  coalescer.schedule('b', async () => void done.push('b'));
  await pass(0);
  expect([errors.length, done]).toEqual([1, ['b']]);
});

test('what was dropped is not done, and nothing runs any more when the drop resolves', async () => {
  const done: string[] = [];
  const coalescer = createCoalescer(20, () => {});
  coalescer.schedule('k', async () => {
    await new Promise((end) => setTimeout(end, 30));
    done.push('1');
  });
  coalescer.schedule('k', async () => void done.push('2'));
  const dropped = coalescer.drop('k');
  await pass(29);
  expect(done).toEqual([]);
  await pass(1);
  await dropped;
  expect(done).toEqual(['1']);
  await pass(60);
  expect(done).toEqual(['1']);
});

test('a flush does at once what waits', async () => {
  const done: string[] = [];
  const coalescer = createCoalescer(60_000, () => {});
  for (const name of ['1', '2']) coalescer.schedule('k', async () => void done.push(name));
  await coalescer.flush();
  expect(done).toEqual(['1', '2']);
});

test('what a task itself schedules comes after it', async () => {
  const done: string[] = [];
  const coalescer = createCoalescer(20, () => {});
  coalescer.schedule('k', async () => {
    coalescer.schedule('k', async () => void done.push('second'));
    done.push('first');
  });
  await pass(40);
  expect(done).toEqual(['first', 'second']);
});
