import { createCallClock, type Stop } from '../../src/judges/llm/call-clock.ts';

/** Something that stops when it is told to. */
export function stopping(): { stop: Stop; end: () => void } {
  const controller = new AbortController();
  const stop = createCallClock(controller.signal, Number.POSITIVE_INFINITY);
  return { stop, end: () => controller.abort() };
}

/** Something that is never stopped. */
export const never = (): Stop => stopping().stop;
