import type { BenchmarkOutcome } from '../benchmark/index.ts';
import { type KeyValue, messageOf, sleep } from '../common/index.ts';
import { sizeOf } from '../reports/assistant/index.ts';
import { type Language, messageIn, wordsIn } from '../words/index.ts';
import { type Alert, type AlertFigures, alertDigest, nothingFails, webhookBody } from './alert.ts';
import { countBlockers, countRun, isOpen, isWrongAfter, watchOf } from './alert-watch.ts';
import { composeDigest } from './compose-digest.ts';
import {
  type Delivery,
  type DeliveryLease,
  type DigestPoster,
  type DigestProgress,
  LeaseLostError,
  leaseDelivery,
  newDelivery,
  type PostKey,
  readProgress,
} from './delivery.ts';
import { type DigestData, noLabels, type Snapshot } from './digest.ts';
import { keepDigestPage } from './digest-page.ts';
import { type DigestSchedule, isAlert, type Schedule, type ScheduleStore } from './digest-schedule.ts';
import { type DueSlot, dueSlot, LATE_LIMIT_MS, type NextSlot, ON_TIME_MS } from './next-digest-time.ts';

/** Collects the data for a digest. */
export type GatherDigest = (
  schedule: DigestSchedule,
  due: DueSlot,
  last: Snapshot | null,
  outcomes: readonly BenchmarkOutcome[],
  language: Language,
) => Promise<DigestData>;

/**
 * Runs a schedule's defined benchmarks for a slot. Calling it again for the same slot resumes the run, even from another process.
 * @throws the reason of `stop`
 */
export type RunBenchmarks = (
  schedule: DigestSchedule,
  slot: number,
  stop: AbortSignal,
) => Promise<BenchmarkOutcome[]>;

/**
 * Reads the figures of a benchmark's newest finished run; null if there is none.
 * @param isCounted reads the oldest run instead for which this is false
 */
export type ReadFigures = (
  benchmark: string,
  isCounted?: (run: string, at: number) => boolean,
) => Promise<AlertFigures | null>;

/** Calls the named webhook. Retries pass the same key. Rejects unless the response is a success. */
export type CallWebhook = (name: string, key: string, body: unknown) => Promise<void>;

export interface DigestSender {
  store: ScheduleStore & Pick<KeyValue, 'setIfAbsent'>;
  poster: DigestPoster;
  gather: GatherDigest;
  runBenchmarks: RunBenchmarks;
  readFigures: ReadFigures;
  callWebhook: CallWebhook;
  nextSlotOf: (schedule: DigestSchedule) => NextSlot;
  /** ID of this process, unique among all processes. */
  holder: string;
  /** ms since the epoch. */
  now: () => number;
  /** ms from an arbitrary origin, never goes back. Measures how long another process has been silent. */
  monotonicNow: () => number;
  leaseMs: number;
  /** How long to wait after this many failures, ms. */
  backoffMs: (failures: number) => number;
  warn: (message: string, fields: { schedule: string; slot: number; reason: string }) => void;
  /** Aborted on shutdown: long work is left to another process or the next start. */
  stop: AbortSignal;
}

/** Since when this process has seen no change to each schedule, by its monotonic clock. */
export type Watched = Map<string, { version: number; since: number }>;

/** `held`: another process has the lease, or had it when it died. `waiting`: it is not yet time to retry. */
export type SendOutcome = 'nothing-due' | 'held' | 'waiting' | 'posted' | 'failed';

const NOTIFY_AFTER_FAILURES = 2;

/**
 * Whether this process may take over because it has seen no heartbeat for a full lease. Only this process's monotonic clock is used, so clock
 * differences between machines and changes to the system clock don't matter.
 */
function isSilent(sender: DigestSender, watched: Watched, schedule: string, version: number): boolean {
  const seen = watched.get(schedule);
  if (seen?.version !== version) {
    watched.set(schedule, { version, since: sender.monotonicNow() });
    return false;
  }
  return sender.monotonicNow() - seen.since > sender.leaseMs;
}

/** The digest due now; null if there is none. Its content is composed once the lease is held. */
function dueDigest(sender: DigestSender, schedule: DigestSchedule, done: number | null): Delivery | null {
  const floor = Math.max(schedule.since, done ?? schedule.since);
  const due = dueSlot(sender.nextSlotOf(schedule), floor, sender.now());
  return due === null ? null : newDelivery(due.slot, due.late, sender.holder);
}

/** What is about to be delivered, and the progress that it was decided by, as stored under `version`. */
interface Due {
  progress: DigestProgress;
  delivery: Delivery;
  version: number;
}

/**
 * Counts each run that an alert has not counted yet, oldest first, up to one that changes its state or has new blockers: that alert is due. Each run is
 * counted by a replacement of the progress, and the one that makes the alert due by the delivery's own, so that it counts once and is
 * not counted without being posted.
 * @returns null if none is due, or if another process is counting
 */
async function dueAlert(
  sender: DigestSender,
  alert: Alert,
  stored: Pick<Due, 'progress' | 'version'>,
): Promise<Due | null> {
  let { progress, version } = stored;
  const isWrong = progress.last?.sounding ?? false;
  for (;;) {
    const kept = watchOf(alert, progress.watch, progress.done);
    const figures = await sender.readFigures(alert.benchmark, (run, at) => !isOpen(kept, run, at));
    if (figures === null || !isOpen(kept, figures.run, figures.at)) return null;
    const { watch: counted, news } = countRun(alert.rule, kept, isWrong, figures);
    const { watch, blockers } = countBlockers(counted, figures);
    progress = { ...progress, watch };
    if (news !== null || blockers !== null) {
      const runs = { [alert.benchmark]: figures.run };
      const snapshot = {
        at: sender.now(),
        labels: noLabels,
        runs,
        sounding: isWrongAfter(isWrong, news),
        ...(blockers === null ? {} : { blockers: sizeOf(blockers.groups) }),
      };
      const language = await sender.poster.languageOf(alert.target);
      const failing =
        news?.isWrong === true || blockers !== null
          ? await figures.failing(alert.target.channel, blockers, language)
          : nothingFails;
      const digest = alertDigest(alert, figures, news, failing, {
        command: sender.poster.command,
        language,
      });
      const delivery = {
        ...newDelivery(figures.at, false, sender.holder),
        content: { digest, snapshot, page: null },
      };
      return { progress, delivery, version };
    }
    const text = JSON.stringify(progress);
    if (!(await sender.store.replaceDigestProgress(alert.id, version, text))) return null;
    version += 1;
  }
}

async function acquireLease(
  sender: DigestSender,
  schedule: Schedule,
  watched: Watched,
): Promise<DeliveryLease | { outcome: SendOutcome }> {
  const { store, holder, leaseMs, now } = sender;
  const stored = await store.digestProgress(schedule.id);
  if (stored === null) return { outcome: 'nothing-due' };
  const { version } = stored;
  const held = { outcome: 'held' } as const;
  const progress = readProgress(stored.text);
  const { current } = progress;
  const take = async (due: Due) => (await leaseDelivery(store, schedule.id, due, leaseMs)) ?? held;
  if (current !== null) {
    if (current.holder !== null && !isSilent(sender, watched, schedule.id, version)) return held;
    // Ignore waits longer than the late limit: a clock that was set back must not delay a retry for years.
    const waits = current.retryAt - now();
    if (current.holder === null && waits > 0 && waits <= LATE_LIMIT_MS) return { outcome: 'waiting' };
    return take({ progress, delivery: { ...current, holder }, version });
  }
  if (schedule.paused) return { outcome: 'nothing-due' };
  if (isAlert(schedule)) {
    const due = await dueAlert(sender, schedule, { progress, version });
    return due === null ? { outcome: 'nothing-due' } : take(due);
  }
  const delivery = dueDigest(sender, schedule, progress.done);
  return delivery === null ? { outcome: 'nothing-due' } : take({ progress, delivery, version });
}

/** Posts one part unless it has been posted already. Resolves to the message's ID. */
async function postOnce(
  sender: DigestSender,
  { id, target }: Schedule,
  lease: DeliveryLease,
  part: PostKey['part'],
  thread: string | null,
): Promise<string> {
  const { poster } = sender;
  const { slot, content, [part]: step } = lease.delivery();
  if (step.state === 'posted') return step.message;
  if (content === null) throw new Error('a digest is posted before it is put together');
  const key: PostKey = { schedule: id, slot, part };
  const earlier = step.state === 'posting' ? await poster.find(target, key, thread) : null;
  // Recorded right before the post, so that only the lease holder posts; repeated if the write itself was slow.
  let asked: number;
  do {
    asked = sender.monotonicNow();
    await lease.note({ [part]: { state: 'posting' } });
  } while (sender.monotonicNow() - asked > sender.leaseMs / 2);
  const { picture } = lease.delivery();
  const journal = { picture, keep: (uploaded: string | null) => lease.note({ picture: uploaded }) };
  const message = earlier ?? (await poster.post(target, content.digest, key, thread, journal));
  await lease.note({ [part]: { state: 'posted', message } });
  return message;
}

/** Calls the alert's webhook, if it has one and it has not been called yet. */
async function callOnce(sender: DigestSender, schedule: Schedule, lease: DeliveryLease): Promise<void> {
  const { slot, content, webhook } = lease.delivery();
  if (!isAlert(schedule) || schedule.webhook === null || webhook.state === 'posted') return;
  await sender.callWebhook(schedule.webhook, `${schedule.id}/${slot}`, webhookBody(schedule, content));
  await lease.note({ webhook: { state: 'posted', message: '' } });
}

async function deliver(sender: DigestSender, schedule: Schedule, lease: DeliveryLease): Promise<void> {
  const { slot } = lease.delivery();
  if (lease.delivery().content === null && !isAlert(schedule)) {
    const late = lease.delivery().late || sender.now() - slot > ON_TIME_MS;
    const until = AbortSignal.any([lease.lost, sender.stop]);
    const outcomes =
      schedule.benchmarks.length === 0 ? [] : await sender.runBenchmarks(schedule, slot, until);
    const data = await sender.gather(
      schedule,
      { slot, late },
      lease.last,
      outcomes,
      await sender.poster.languageOf(schedule.target),
    );
    const { digest, snapshot, known } = composeDigest(data);
    const { surface, channel } = schedule.target;
    const page =
      data.pageUrl === null || known.length === 0
        ? null
        : { surface, channel, at: data.now, headline: digest.headline, known };
    await lease.note({ content: { digest, snapshot, page } });
  }
  // Only now is it certain which digest is posted.
  const page = lease.delivery().content?.page ?? null;
  if (page !== null) await keepDigestPage(sender.store, schedule.id, slot, page, sender.now());
  const post = async () => {
    const main = await postOnce(sender, schedule, lease, 'main', null);
    if (lease.delivery().content?.digest.details.length !== 0)
      await postOnce(sender, schedule, lease, 'details', main);
  };
  // A chat outage must not keep the webhook from being called.
  const ends = await Promise.allSettled([post(), callOnce(sender, schedule, lease)]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  await lease.finish(lease.delivery().content?.snapshot ?? lease.last);
}

/** After a failure: schedules a retry, or gives up. The schedule's owner, or else the channel's creator, is notified once. */
async function postpone(
  sender: DigestSender,
  schedule: Schedule,
  lease: DeliveryLease,
  thrown: unknown,
): Promise<void> {
  const { poster, now } = sender;
  const reason = messageOf(thrown);
  const { slot, main, details, content, told } = lease.delivery();
  const failures = lease.delivery().failures + 1;
  sender.warn('digest: not posted, will retry', { schedule: schedule.id, slot, reason });
  const hasMain = main.state === 'posted';
  // A thread that can't be posted must not block the next digest.
  const givesUp = now() - slot > LATE_LIMIT_MS;
  const kind = isAlert(schedule) ? 'alert' : 'digest';
  const hasThread = details.state === 'posted' || content?.digest.details.length === 0;
  const part = isAlert(schedule)
    ? hasMain
      ? hasThread
        ? 'webhook'
        : 'alertThread'
      : 'alert'
    : hasMain
      ? 'thread'
      : 'digest';
  const problem = (language: Language): string => {
    const { failed } = wordsIn(language).digests;
    return failed[part]({
      id: schedule.id,
      reason: messageIn(language, thrown),
      next: (givesUp ? failed.givesUp : failed.tries)[kind],
    });
  };
  const notify = () =>
    poster
      .notify(schedule.target, schedule.owner, problem)
      .then(() => true)
      .catch(() => false);
  const notified = told || ((givesUp || failures >= NOTIFY_AFTER_FAILURES) && (await notify()));
  if (givesUp) return lease.finish(hasMain && content !== null ? content.snapshot : lease.last);
  const retryAt = now() + sender.backoffMs(failures);
  await lease.note({ holder: null, failures, told: notified, retryAt });
}

/**
 * Sends a schedule's due digest, at most one slot per call. Each slot is posted once, no matter how many processes call this or when one of
 * them dies.
 * Rejects if the store fails; call it again to resume.
 */
export async function sendDigest(
  sender: DigestSender,
  schedule: Schedule,
  watched: Watched,
): Promise<SendOutcome> {
  const lease = await acquireLease(sender, schedule, watched);
  if ('outcome' in lease) return lease.outcome;
  const failed = async (thrown: unknown): Promise<SendOutcome> => {
    if (lease.lost.aborted) throw thrown;
    if (sender.stop.aborted && lease.delivery().content === null) {
      await lease.note({ holder: null, retryAt: 0 });
      return 'waiting';
    }
    await postpone(sender, schedule, lease, thrown);
    return 'failed';
  };
  try {
    return await deliver(sender, schedule, lease).then((): SendOutcome => 'posted', failed);
  } catch (thrown) {
    if (thrown instanceof LeaseLostError) return 'held';
    throw thrown;
  } finally {
    lease.release();
  }
}

export interface DigestRunner extends Omit<DigestSender, 'stop'> {
  store: DigestSender['store'] & ScheduleStore;
  /** How often to look for due digests, ms. */
  everyMs: number;
  /** Called once when the store becomes unavailable; digests keep being retried. */
  storeFailed: (reason: string) => void;
}

/**
 * Sends the due digests of the poster's surface until stopped. Schedules do not wait for each other. Resolves once deliveries in progress have
 * ended.
 */
export async function runDigests(runner: DigestRunner, stop: AbortSignal): Promise<void> {
  const watched: Watched = new Map();
  const underWay = new Map<string, Promise<void>>();
  let failing = false;

  async function look(): Promise<void> {
    for (const schedule of await runner.store.schedules()) {
      if (schedule.target.surface !== runner.poster.surface || underWay.has(schedule.id)) continue;
      const sending = sendAllDue(schedule).finally(() => underWay.delete(schedule.id));
      underWay.set(schedule.id, sending);
    }
    failing = false;
  }
  async function sendAllDue(schedule: Schedule): Promise<void> {
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
