import { expect, test } from 'vitest';
import { createFairQueue } from '../../src/requests/fair-queue.ts';

/** Tasks that note when they begin and end on request. */
function tasks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const settle = () => new Promise<void>((done) => setImmediate(done));
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  return { begun, task, end };
}

test('owners take turns, however much one of them asks for', async () => {
  const { begun, task, end } = tasks();
  const queue = createFairQueue(1);
  for (const name of ['a1', 'a2', 'a3']) void queue.run('a', task(name));
  for (const name of ['b1', 'b2']) void queue.run('b', task(name));
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('no more run at once than the limit, and what fails makes room', async () => {
  const { begun, task, end } = tasks();
  const queue = createFairQueue(2);
  const failing = queue.run('a', async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  for (const name of ['1', '2', '3']) void queue.run(name, task(name));
  expect(begun).toEqual(['1', '2']);
  expect(queue.depth()).toEqual({ waiting: 1, running: 2 });
  await end('1');
  expect(begun).toEqual(['1', '2', '3']);
});
