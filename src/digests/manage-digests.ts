import type { BenchmarkDefinition } from '../benchmark/benchmark-definition.ts';
import { JuryError } from '../common/errors.ts';
import { usd } from '../common/text.ts';
import { momentIn } from './change.ts';
import { newDelivery, readProgress } from './delivery.ts';
import {
  addUnderFreeId,
  type DigestSchedule,
  digestSchedules,
  isDigest,
  type KnownBenchmarks,
  requireBenchmarks,
  type ScheduleStore,
  withId,
} from './digest-schedule.ts';
import { isTimeZone, readCron, slotsOf } from './slots.ts';
import { whenText, zoneOfCity } from './when.ts';

const HOUR = 3_600_000;
/** Slots checked for their distance: covers weekly schedules that list single days and hours. */
const CHECKED_SLOTS = 50;

/**
 * @throws JuryError `usage` if its time or time zone is invalid, or digests would be posted more often than hourly
 */
function newSchedule(request: Omit<DigestSchedule, 'paused'>): DigestSchedule {
  if (!isTimeZone(request.timezone)) {
    const meant = zoneOfCity(request.timezone);
    throw new JuryError(
      'usage',
      `"${request.timezone.slice(0, 60)}" is not a time zone: ${meant === null ? 'give an IANA name such as Europe/Berlin or UTC' : `did you mean ${meant}?`}`,
    );
  }
  const next = slotsOf(request);
  let slot = next(request.since);
  if (slot === null) throw new JuryError('usage', `"${request.cron}" never occurs: give a date that exists.`);
  for (let n = 0; n < CHECKED_SLOTS; n += 1) {
    const after = next(slot);
    if (after === null) break;
    if (after - slot < HOUR)
      throw new JuryError(
        'usage',
        `"${request.cron}" would post more often than once an hour, which is too often for a channel.`,
      );
    slot = after;
  }
  return { ...request, paused: false };
}

export interface ListedSchedule {
  schedule: DigestSchedule;
  /** ms since the epoch; null while paused. */
  next: number | null;
  /** The state of its last or current delivery, if any. */
  remark: string | null;
}

/** Whether two schedules post the same at the same times. */
function isTwin(a: DigestSchedule, b: DigestSchedule): boolean {
  const what = ({ cron, timezone, target, benchmarks }: DigestSchedule) =>
    JSON.stringify([readCron(cron), timezone, target.surface, target.channel, [...benchmarks].sort()]);
  return what(a) === what(b);
}

/** @throws JuryError `usage` if the schedule is invalid, there is one like it, or it names an unknown benchmark */
export async function addSchedule(
  store: ScheduleStore,
  request: Omit<DigestSchedule, 'id' | 'paused'>,
  known: () => Promise<KnownBenchmarks>,
): Promise<ListedSchedule> {
  if (request.benchmarks.length > 0) requireBenchmarks(request.benchmarks, await known());
  const schedule = await addUnderFreeId(store, 'd', (id, all) => {
    const made = newSchedule({ ...request, id });
    const twin = all.filter(isDigest).find((one) => isTwin(one, made));
    if (twin === undefined) return made;
    throw new JuryError(
      'usage',
      `${twin.id} does that already: ${whenText(twin.cron)} (${twin.timezone})${twin.paused ? `. It is paused: resume ${twin.id}` : ''}. Nothing was added.`,
    );
  });
  return listed(store, schedule, request.since);
}

/** @throws JuryError `usage` if there is none with that id */
export const findSchedule = async (store: ScheduleStore, id: string): Promise<DigestSchedule> =>
  withId(await digestSchedules(store), id, 'schedule');

/** Pauses or resumes a schedule. Digests that were due while it was paused are not posted. */
export async function pauseSchedule(
  store: ScheduleStore,
  id: string,
  paused: boolean,
  now: number,
): Promise<void> {
  const schedule = await findSchedule(store, id);
  await store.saveSchedule({ ...schedule, paused, since: paused ? schedule.since : now });
}

/**
 * Has a digest posted now, besides its schedule: whichever process runs digests sends it, once, within seconds.
 * @throws JuryError `usage` if there is none with that id, or one is being sent
 */
export async function sendNow(store: ScheduleStore, id: string, now: number): Promise<void> {
  await findSchedule(store, id);
  const stored = await store.digestProgress(id);
  const progress = readProgress(stored?.text ?? '');
  const next = { ...progress, current: newDelivery(now, false, null) };
  const isSending =
    progress.current !== null ||
    stored === null ||
    !(await store.replaceDigestProgress(id, stored.version, JSON.stringify(next)));
  if (isSending) throw new JuryError('usage', `The digest of ${id} is being sent already.`);
}

export const dropSchedule = async (store: ScheduleStore, id: string): Promise<unknown> =>
  store.removeSchedule((await findSchedule(store, id)).id);

async function remarkOn(store: ScheduleStore, { id, timezone }: DigestSchedule): Promise<string | null> {
  const { current, done } = readProgress((await store.digestProgress(id))?.text ?? '');
  if (current !== null && current.failures > 0)
    return `failed ${current.failures === 1 ? 'once' : `${current.failures} times`}, next attempt ${momentIn(timezone, current.retryAt)}`;
  if (current !== null) return 'being sent';
  return done === null ? null : `last one ${momentIn(timezone, done)}`;
}

const listed = async (
  store: ScheduleStore,
  schedule: DigestSchedule,
  now: number,
): Promise<ListedSchedule> => ({
  schedule,
  next: schedule.paused ? null : slotsOf(schedule)(now),
  remark: await remarkOn(store, schedule),
});

export async function listSchedules(store: ScheduleStore, now: number): Promise<ListedSchedule[]> {
  const all = await digestSchedules(store);
  return Promise.all(all.map((schedule) => listed(store, schedule, now)));
}

/** `d1: Mondays at 9:00 (Europe/Berlin), with nightly; next 23 Nov 2026, 09:00`. */
export function scheduleText({ schedule, next, remark }: ListedSchedule): string {
  const { id, cron, timezone, benchmarks } = schedule;
  const about = benchmarks.length === 0 ? '' : `, with ${benchmarks.join(', ')}`;
  const when = next === null ? 'paused' : `next ${momentIn(timezone, next)}`;
  return `${id}: ${whenText(cron)} (${timezone})${about}; ${when}${remark === null ? '' : `; ${remark}`}`;
}

/** `navigation: Venue recommendations; judged by the default model; at most $1.00 a run`. */
export function benchmarkText({ id, title, models, methods, budget }: BenchmarkDefinition): string {
  const by = models.length === 0 ? 'the default model' : models.join(', ');
  const how = methods.length === 0 ? '' : ` with ${methods.join(', ')}`;
  const cost = budget === 'none' ? 'no budget' : `at most ${usd(budget)} a run`;
  return `${id}: ${title}; judged by ${by}${how}; ${cost}`;
}
