import { describe, expect, it } from 'vitest';
import { retryAfterOf } from '../../../src/judges/llm/chat-failure.ts';
import { defaultBackoff, waitBeforeRetry } from '../../../src/judges/llm/send-with-retry.ts';

const now = Date.parse('2026-03-04T12:00:00Z');
const asked = (headers: Record<string, string>) => retryAfterOf(headers, now);

describe('waiting before a retry', () => {
  it('grows up to a cap, with a random part of it', () => {
    const most = { ...defaultBackoff, random: () => 1 };
    expect([1, 2, 3, 6, 20].map((failures) => waitBeforeRetry(failures, null, most))).toEqual([
      250, 500, 1000, 8000, 8000,
    ]);
    expect(waitBeforeRetry(3, null, { ...defaultBackoff, random: () => 0 })).toBe(0);
  });

  it('is never shorter than the endpoint asks', () => {
    expect(waitBeforeRetry(1, 2000, { ...defaultBackoff, random: () => 0 })).toBe(2000);
    expect(waitBeforeRetry(1, 2000, { ...defaultBackoff, random: () => 1 })).toBe(2200);
  });

  it('keeps its own pace where the endpoint says "now" and continues refusing', () => {
    expect(waitBeforeRetry(4, 0, { ...defaultBackoff, random: () => 1 })).toBe(2000);
  });

  it('takes negative and endless numbers for no wait at all', () => {
    expect(asked({ 'retry-after': '-5' })).toBeNull();
    expect(asked({ 'retry-after': '1e999' })).toBeNull();
  });

  it('reads seconds, milliseconds and dates, and ignores nonsense', () => {
    expect(asked({ 'retry-after': '2' })).toBe(2000);
    expect(asked({ 'retry-after': '2', 'retry-after-ms': '150' })).toBe(150);
    expect(asked({ 'retry-after': 'Wed, 04 Mar 2026 12:00:30 GMT' })).toBe(30_000);
    expect(asked({ 'retry-after': 'Wed, 04 Mar 2026 11:00:00 GMT' })).toBe(0);
    expect(asked({ 'retry-after': 'soon' })).toBeNull();
    expect(asked({})).toBeNull();
  });
});
