import { messageOf } from '../common/errors.ts';
import { sleep } from '../common/wait.ts';
import type { ScheduleStore } from './digest-schedule.ts';
import { type DigestSender, sendDigest, type Watched } from './send-digest.ts';

export interface DigestRunner extends Omit<DigestSender, 'stop'> {
  store: DigestSender['store'] & ScheduleStore;
  /** How often to look for what is due, ms. */
  everyMs: number;
  /** Told once when the store goes away; the next look tries again. */
  storeFailed: (reason: string) => void;
}

/**
 * Sends digests at their time until it is stopped; resolves when those under way have ended. Schedules do not wait for
 * each other.
 */
export async function runDigests(runner: DigestRunner, stop: AbortSignal): Promise<void> {
  const watched: Watched = new Map();
  const underWay = new Map<string, Promise<void>>();
  let failing = false;

  async function look(): Promise<void> {
    for (const schedule of await runner.store.schedules()) {
      if (underWay.has(schedule.id)) continue;
      const sending = sendAllDue(schedule).finally(() => underWay.delete(schedule.id));
      underWay.set(schedule.id, sending);
    }
    failing = false;
  }
  async function sendAllDue(schedule: Parameters<typeof sendDigest>[1]): Promise<void> {
    try {
      while (!stop.aborted && (await sendDigest({ ...runner, stop }, schedule, watched)) === 'posted');
    } catch (thrown) {
      failed(thrown);
    }
  }
  function failed(thrown: unknown): void {
    if (!failing) runner.storeFailed(messageOf(thrown));
    failing = true;
  }

  while (!stop.aborted) {
    await look().catch(failed);
    await sleep(runner.everyMs, stop);
  }
  await Promise.all(underWay.values());
}
