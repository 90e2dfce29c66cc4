import { describe, expect, it } from 'vitest';
import { createCallClock } from '../../../src/judges/llm/call-clock.ts';

const hour = 3_600_000;

describe('the clock of a call', () => {
  it('tells those who still wait, once, why it ended', () => {
    const controller = new AbortController();
    const clock = createCallClock(controller.signal, hour);
    const told: string[] = [];
    clock.onStop(() => told.push('first'));
    const leave = clock.onStop(() => told.push('second'));
    leave();
    controller.abort();
    controller.abort();
    clock.onStop(() => told.push('late'));
    expect(told).toEqual(['first', 'late']);
    expect([clock.isStopped(), clock.endedBy()]).toEqual([true, 'cancelled']);
  });

  it('is over from the start where it was cancelled before', () => {
    expect(createCallClock(AbortSignal.abort(), hour).endedBy()).toBe('cancelled');
  });

  it('ends a wait when its time is up, counted from the start', async () => {
    const clock = createCallClock(new AbortController().signal, 20);
    clock.start();
    await clock.sleep(hour);
    expect(clock.endedBy()).toBe('timeout');
    expect(clock.remainingMs()).toBeLessThanOrEqual(0);
  });

  it('ends at the deadline of all, whether it was started or not', async () => {
    const clock = createCallClock(new AbortController().signal, hour, performance.now() + 20);
    await clock.sleep(hour);
    expect([clock.endedBy(), clock.elapsedMs()]).toEqual(['timeout', 0]);
  });

  it('does not end any more once it was closed', async () => {
    const controller = new AbortController();
    const clock = createCallClock(controller.signal, 10);
    clock.start();
    clock.close();
    controller.abort();
    await new Promise((done) => setTimeout(done, 30));
    expect(clock.endedBy()).toBeNull();
  });
});
