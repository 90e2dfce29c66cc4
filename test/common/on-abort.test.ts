import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { onAbort } from '../../src/common/async.ts';

describe('who waits for a signal', () => {
  it('is called once, in the order of asking', () => {
    const stop = new AbortController();
    const told: string[] = [];
    onAbort(stop.signal, () => told.push('first'));
    onAbort(stop.signal, () => told.push('second'));
    stop.abort();
    stop.signal.dispatchEvent(new Event('abort'));
    expect(told).toEqual(['first', 'second']);
  });

  it('is called at once where it has aborted', () => {
    const told = vi.fn();
    onAbort(AbortSignal.abort(), told);
    expect(told).toHaveBeenCalledOnce();
  });

  it('is not called after leaving, and others still are', () => {
    const stop = new AbortController();
    const [left, stayed] = [vi.fn(), vi.fn()];
    const leave = onAbort(stop.signal, left);
    onAbort(stop.signal, stayed);
    leave();
    stop.abort();
    expect(left).not.toHaveBeenCalled();
    expect(stayed).toHaveBeenCalledOnce();
  });

  it('can leave while others are called', () => {
    const stop = new AbortController();
    const told: string[] = [];
    onAbort(stop.signal, () => {
      told.push('first');
      leave();
    });
    const leave = onAbort(stop.signal, () => told.push('second'));
    stop.abort();
    expect(told).toEqual(['first']);
  });

  it('brings no warning of a leak, however many wait', async () => {
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.message);
    process.on('warning', note);
    const { signal } = new AbortController();
    for (let count = 0; count < 100; count += 1) onAbort(signal, () => {});
    await new Promise((done) => setImmediate(done));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('is called although an earlier listener throws', () => {
    const stop = new AbortController();
    const later = vi.spyOn(process, 'nextTick').mockImplementation(() => {});
    const listener = vi.fn();
    onAbort(stop.signal, () => {
      throw new Error('cannot');
    });
    onAbort(stop.signal, listener);
    stop.abort();
    expect(listener).toHaveBeenCalledOnce();
    expect(later.mock.calls[0]?.[0]).toThrow('cannot');
    later.mockRestore();
  });

  it('leaves no listener behind, and can come back', () => {
    const stop = new AbortController();
    const [leave, other] = [onAbort(stop.signal, () => {}), onAbort(stop.signal, () => {})];
    leave();
    leave();
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
    other();
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
    const told = vi.fn();
    onAbort(stop.signal, told);
    stop.abort();
    expect(told).toHaveBeenCalledOnce();
  });
});
