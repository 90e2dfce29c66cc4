import { expect, test, vi } from 'vitest';
import { yieldToEventLoop } from '../../src/common/async.ts';

const busy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('a loop that runs long lets timers fire', async () => {
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  }, 1);
  for (let step = 0; step < 6; step += 1) {
    busy(12);
    await yieldToEventLoop();
  }
  clearInterval(others);
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('a loop that has just yielded continues at once', async () => {
  const later = performance.now() + 3_600_000;
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(later);
  await yieldToEventLoop();
  clock.mockReturnValue(later + 9);
  expect(yieldToEventLoop()).toBeUndefined();
  clock.mockReturnValue(later + 10);
  const yielded = yieldToEventLoop();
  expect(yielded).toBeInstanceOf(Promise);
  // The next turn begins by the real clock again.
  clock.mockRestore();
  await yielded;
});
