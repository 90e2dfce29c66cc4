import { expect, test } from 'vitest';
import { createCoalescer } from '../../src/surfaces/coalesce.ts';

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

test('the first is done at once, of the rest only the latest', async () => {
  const done: string[] = [];
  const coalescer = createCoalescer(50, () => {});
  for (const name of ['1', '2', '3']) coalescer.schedule('k', async () => void done.push(name));
  expect(done).toEqual(['1']);
  await wait(120);
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
  await wait(10);
  expect([errors.length, done]).toEqual([1, ['b']]);
});

test('what was dropped is not done, and nothing runs any more when the drop resolves', async () => {
  const done: string[] = [];
  const coalescer = createCoalescer(20, () => {});
  coalescer.schedule('k', async () => {
    await wait(30);
    done.push('1');
  });
  coalescer.schedule('k', async () => void done.push('2'));
  await coalescer.drop('k');
  expect(done).toEqual(['1']);
  await wait(60);
  expect(done).toEqual(['1']);
});

test('a flush does at once what waits', async () => {
  const done: string[] = [];
  const coalescer = createCoalescer(60_000, () => {});
  for (const name of ['1', '2']) coalescer.schedule('k', async () => void done.push(name));
  await coalescer.flush();
  expect(done).toEqual(['1', '2']);
});
