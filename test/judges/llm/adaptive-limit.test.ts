import { describe, expect, it } from 'vitest';
import { createAdaptiveLimit, type LimitFeedback } from '../../../src/judges/llm/rate-limits.ts';

/** Starts tasks that end on request, with a given pace. */
function tasksOf(limit: ReturnType<typeof createAdaptiveLimit>, count: number) {
  const ends: ((pace: LimitFeedback) => void)[] = [];
  const runs = Array.from({ length: count }, () =>
    limit.run(
      () => new Promise<LimitFeedback>((resolve) => ends.push(resolve)),
      (pace) => pace,
      new AbortController().signal,
    ),
  );
  return { ends, runs };
}
const settle = () => new Promise((done) => setImmediate(done));

describe('the adaptive limit', () => {
  it('halves from what was in flight, once for the requests of one pace', async () => {
    const limit = createAdaptiveLimit(128);
    const { ends } = tasksOf(limit, 20);
    await settle();
    for (const end of ends.slice(0, 5)) end('slow-down');
    await settle();
    expect(limit.concurrency).toBe(10);
  });

  it('cuts again for a request that began after the cut', async () => {
    const limit = createAdaptiveLimit(8);
    const { ends } = tasksOf(limit, 12);
    await settle();
    ends[0]?.('slow-down');
    for (const end of ends.slice(1, 8)) end('unknown');
    await settle();
    expect([limit.concurrency, limit.active, ends.length]).toEqual([4, 4, 12]);
    ends[8]?.('slow-down');
    await settle();
    expect(limit.concurrency).toBe(2);
  });

  it('grows by one with each answer, up to the ceiling, and never below one', async () => {
    const limit = createAdaptiveLimit(4);
    const { ends } = tasksOf(limit, 1);
    await settle();
    ends[0]?.('slow-down');
    await settle();
    expect(limit.concurrency).toBe(1);
    for (const expected of [2, 3, 4, 4]) {
      const next = tasksOf(limit, 1);
      await settle();
      next.ends[0]?.('fine');
      await settle();
      expect(limit.concurrency).toBe(expected);
    }
  });

  it('lets go of tasks that wait behind others while a slot has just come free', async () => {
    const limit = createAdaptiveLimit(4);
    const { ends } = tasksOf(limit, 4);
    await settle();
    ends[0]?.('slow-down');
    for (const end of ends.slice(1)) end('unknown');
    await settle();
    const holding = tasksOf(limit, 2 + 3);
    await settle();
    const late = new AbortController();
    let run: Promise<LimitFeedback | null> | undefined;
    const { concurrency } = limit;
    holding.ends[0]?.('fine');
    // In the moment in which the limit has grown and no task has taken the new slot yet.
    for (let turn = 0; turn < 20 && run === undefined; turn += 1) {
      if (limit.concurrency > concurrency)
        run = limit.run(
          () => new Promise<LimitFeedback>(() => {}),
          (pace) => pace,
          late.signal,
        );
      else await Promise.resolve();
    }
    late.abort();
    const outcome = await Promise.race([run, settle().then(() => 'still waiting')]);
    expect(outcome).toBe(null);
  });

  it('waits for no slot when it was stopped before', async () => {
    const limit = createAdaptiveLimit(1);
    const { ends } = tasksOf(limit, 1);
    await settle();
    const left = limit.run(
      async () => 'ran',
      () => 'fine',
      AbortSignal.abort(),
    );
    expect(await Promise.race([left, settle().then(() => 'waits')])).toBeNull();
    ends[0]?.('fine');
  });

  it('learns of a stop even where a slot was free for a moment and then cut', async () => {
    for (let turns = 0; turns < 8; turns += 1) {
      const limit = createAdaptiveLimit(6);
      const { ends } = tasksOf(limit, 6);
      await settle();
      ends[0]?.('fine');
      for (let turn = 0; turn < turns; turn += 1) await null;
      const stop = new AbortController();
      let began = false;
      const late = limit.run(
        () => {
          began = true;
          return new Promise<LimitFeedback>(() => {});
        },
        (pace) => pace,
        stop.signal,
      );
      ends[1]?.('slow-down');
      await settle();
      stop.abort();
      const outcome = await Promise.race([late, settle().then(() => 'still waiting')]);
      expect(began || outcome === null).toBe(true);
    }
  });

  it('leaves the queue when stopped, and passes on what a task throws', async () => {
    const limit = createAdaptiveLimit(1);
    const { ends } = tasksOf(limit, 1);
    const stop = new AbortController();
    const queued = limit.run(
      async () => 'ran',
      () => 'fine',
      stop.signal,
    );
    stop.abort();
    expect(await queued).toBeNull();
    ends[0]?.('fine');
    const failing = limit.run(
      () => Promise.reject(new Error('defect')),
      () => 'fine',
      new AbortController().signal,
    );
    await expect(failing).rejects.toThrow('defect');
    expect(limit.active).toBe(0);
  });
});
