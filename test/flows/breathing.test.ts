import { expect, test } from 'vitest';
import { breathing } from '../../src/flows/breathing.ts';

const busy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('work that takes no time off lets the rest have its turn once it took long', async () => {
  const breathe = breathing();
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  }, 1);
  for (let step = 0; step < 6; step += 1) {
    busy(12);
    await breathe();
  }
  clearInterval(others);
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('work that took no time goes on at once', () => {
  expect(breathing()()).toBeUndefined();
});
