import { onAbort } from '../common/on-abort.ts';

/** Waits; shorter where it is told to stop. Never rejects. */
export function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, ms);
    const forget = onAbort(stop, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
