import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startCallTimer } from '../../../src/judges/llm/rate-limits.ts';
import { completionRequest } from '../../support/completion-request.ts';
import { withDouble } from '../../support/with-double.ts';

const hour = 3_600_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const aborted = ({ signal }: { signal: AbortSignal }) =>
  new Promise<unknown>((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener('abort', () => resolve(signal.reason));
  });

describe('the timer of a call', () => {
  it('ends it when it is cancelled, and says so', async () => {
    const outer = new AbortController();
    const timer = startCallTimer(outer.signal, hour);
    const reason = aborted(timer);
    outer.abort();
    expect(await reason).toBe('cancelled');
  });

  it('is over from the start where the call was cancelled before', () => {
    expect(startCallTimer(AbortSignal.abort(), hour).signal.reason).toBe('cancelled');
  });

  it('ends it when its time is up, counted from the start', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const timer = startCallTimer(new AbortController().signal, 20);
    vi.advanceTimersByTime(15);
    timer.start();
    vi.advanceTimersByTime(19);
    expect([timer.signal.aborted, timer.remainingMs()]).toEqual([false, 1]);
    vi.advanceTimersByTime(1);
    expect([timer.signal.reason, timer.remainingMs()]).toEqual(['timeout', 0]);
  });

  it('does not run before the start', async () => {
    const timer = startCallTimer(new AbortController().signal, 1);
    await new Promise((done) => setTimeout(done, 20));
    expect([timer.signal.aborted, timer.elapsedMs()]).toEqual([false, 0]);
  });

  it('ends it at its deadline, whether it was started or not', async () => {
    const timer = startCallTimer(new AbortController().signal, hour, performance.now() + 20);
    expect(await aborted(timer)).toBe('timeout');
    expect(timer.elapsedMs()).toBe(0);
  });

  it('keeps to the deadline where the limit would be later', async () => {
    const timer = startCallTimer(new AbortController().signal, hour, performance.now() + 20);
    timer.start();
    expect(await aborted(timer)).toBe('timeout');
  });

  it('does not end it once it was closed', async () => {
    const outer = new AbortController();
    const timer = startCallTimer(outer.signal, 10);
    timer.start();
    timer.close();
    outer.abort();
    await new Promise((done) => setTimeout(done, 30));
    expect(timer.signal.aborted).toBe(false);
  });
});

describe('a signal that outlives its calls', () => {
  it('keeps nothing of 5,000 of them', () => {
    const { signal } = new AbortController();
    const call = () => {
      const timer = startCallTimer(signal, hour);
      timer.start();
      timer.close();
    };
    const usedBytes = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    for (let count = 0; count < 1_000; count += 1) call();
    const before = usedBytes();
    for (let count = 0; count < 5_000; count += 1) call();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    // `AbortSignal.any` would keep some 2 kB a call: 10 MB.
    expect(usedBytes() - before).toBeLessThan(4_000_000);
  });

  it('has no listener left after calls that were answered, refused and out of time', async () => {
    const { client } = await withDouble(
      { answer: ({ n }) => (n === 1 ? {} : n === 2 ? { status: 401, error: 'no' } : { hang: true }) },
      { limitMs: 60 },
    );
    const { signal } = new AbortController();
    for (let count = 0; count < 3; count += 1) await client.complete(completionRequest({ signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
