import type { CronTimes } from './read-cron.ts';
import type { Zone } from './time-zone.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The 29th of February can be eight years away. */
const FARTHEST_DAYS = 9 * 366;

/** As crontab does it: where both days are restricted either will do. */
function isDay({ daysOfMonth, daysOfWeek, months }: CronTimes, day: number): boolean {
  const date = new Date(day);
  if (!months.includes(date.getUTCMonth() + 1)) return false;
  const inMonth = daysOfMonth?.includes(date.getUTCDate());
  const inWeek = daysOfWeek?.includes(date.getUTCDay());
  if (inMonth === undefined) return inWeek ?? true;
  return inWeek === undefined ? inMonth : inMonth || inWeek;
}

/** Wall times of one hour that may be after an instant. */
function* wallsOf({ minutes, seconds }: CronTimes, hour: number, last: number): Generator<number> {
  for (const minute of minutes) {
    const start = hour + minute * MINUTE;
    if (start + MINUTE > last) for (const second of seconds) yield start + second * 1000;
  }
}

/**
 * The slot of one hour after an instant. An hour that is named comes once: skipped by the clock, as soon as it has jumped;
 * read twice, the first time. Where every hour is named, slots follow real time instead: none in the gap, both in the
 * hour that is read twice.
 */
function slotInHour(times: CronTimes, zone: Zone, hour: number, after: number, last: number): number | null {
  const everyHour = times.hours.length === 24;
  let repeated: number | null = null;
  for (const wall of wallsOf(times, hour, last)) {
    const instants = zone.instantsOf(wall);
    if (instants.kind === 'gap') {
      if (!everyHour && instants.end > after) return instants.end;
      continue;
    }
    if (instants.first > after) return instants.first;
    if (everyHour && repeated === null && instants.last > after) repeated = instants.last;
  }
  return repeated;
}

/** The first time after an instant that a cron expression names in a time zone; null where none comes. ms since the epoch. */
export function nextSlot(times: CronTimes, zone: Zone, after: number): number | null {
  const today = Math.floor((after + zone.offsetAt(after)) / DAY) * DAY;
  for (let n = -1; n < FARTHEST_DAYS; n += 1) {
    const day = today + n * DAY;
    if (!isDay(times, day)) continue;
    // Wall times up to this one are over in every reading of the clock.
    const last = after + Math.min(zone.offsetAt(day - DAY), zone.offsetAt(day + 2 * DAY));
    for (const hour of times.hours) {
      const start = day + hour * HOUR;
      if (start + HOUR <= last) continue;
      const slot = slotInHour(times, zone, start, after, last);
      if (slot !== null) return slot;
    }
  }
  return null;
}
