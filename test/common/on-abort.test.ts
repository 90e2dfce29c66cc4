import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { onAbort } from '../../src/common/on-abort.ts';

describe('who waits for a signal', () => {
  it('is told once, in the order of asking', () => {
    const stop = new AbortController();
    const told: string[] = [];
    onAbort(stop.signal, () => told.push('first'));
    onAbort(stop.signal, () => told.push('second'));
    stop.abort();
    stop.signal.dispatchEvent(new Event('abort'));
    expect(told).toEqual(['first', 'second']);
  });

  it('is told at once where it has aborted', () => {
    const told = vi.fn();
    onAbort(AbortSignal.abort(), told);
    expect(told).toHaveBeenCalledOnce();
  });

  it('is not told after leaving, and others still are', () => {
    const stop = new AbortController();
    const [left, stayed] = [vi.fn(), vi.fn()];
    const leave = onAbort(stop.signal, left);
    onAbort(stop.signal, stayed);
    leave();
    stop.abort();
    expect(left).not.toHaveBeenCalled();
    expect(stayed).toHaveBeenCalledOnce();
  });

  it('can leave while others are told', () => {
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

  it('is one listener of the signal, however many wait', () => {
    const { signal } = new AbortController();
    const listen = vi.spyOn(signal, 'addEventListener');
    for (let count = 0; count < 100; count += 1) onAbort(signal, () => {});
    expect(listen).toHaveBeenCalledOnce();
  });

  it('is told although somebody before throws', () => {
    const stop = new AbortController();
    const later = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {});
    const told = vi.fn();
    onAbort(stop.signal, () => {
      throw new Error('cannot');
    });
    onAbort(stop.signal, told);
    stop.abort();
    expect(told).toHaveBeenCalledOnce();
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
