import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { DigestPoster } from '../../digests/digest-poster.ts';
import { runDigests } from '../../digests/run-digests.ts';
import type { DigestSender } from '../../digests/send-digest.ts';
import { slotsOf } from '../../digests/slots.ts';
import type { OpenDigests } from '../open-digests.ts';

const EVERY_MS = 5_000;
/** Far longer than a post may take: what a process set out to post has arrived or never will. */
const LEASE_MS = 60_000;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 3_600_000;

/** What a process sends digests with. */
export function digestSender(
  { store, gather, runBenchmarks }: Pick<OpenDigests, 'store' | 'gather' | 'runBenchmarks'>,
  poster: DigestPoster,
  now: () => number,
  warn: DigestSender['warn'],
  stop: AbortSignal,
): DigestSender {
  return {
    store,
    poster,
    gather,
    runBenchmarks: async (schedule, slot, until) => {
      const outcomes = await runBenchmarks(schedule, slot, until);
      for (const { kind, name } of outcomes)
        if (kind !== 'complete')
          warn('digest: a benchmark came to no end, the digest says why', {
            schedule: schedule.id,
            slot,
            reason: name,
          });
      return outcomes;
    },
    slotsOf,
    holder: randomUUID(),
    now,
    monotonicNow: () => performance.now(),
    leaseMs: LEASE_MS,
    backoffMs: (failures) => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)),
    warn,
    stop,
  };
}

/** Posts the digests of one surface at their time for as long as the service runs. */
export function startDigests(
  digests: OpenDigests,
  poster: DigestPoster,
  now: () => number,
  log: Logger,
): { stop: () => Promise<void> } {
  const stop = new AbortController();
  const warn: DigestSender['warn'] = (message, fields) => log.warn(fields, message);
  const sender = digestSender(digests, poster, now, warn, stop.signal);
  const { store } = digests;
  const storeFailed = (reason: string) =>
    log.warn({ reason }, 'digest: schedules cannot be read, it is tried again');
  const running = runDigests({ ...sender, store, everyMs: EVERY_MS, storeFailed }, stop.signal);
  return {
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}
