import { validateDetailed } from 'node-cron';
import { WordedError } from '../words/index.ts';
import type { DigestSchedule } from './digest-schedule.ts';

/** A parsed cron expression; lists are ascending. */
export interface CronTimes {
  seconds: readonly number[];
  minutes: readonly number[];
  hours: readonly number[];
  /** 1 to 31; null: any. */
  daysOfMonth: readonly number[] | null;
  /** 1 to 12. */
  months: readonly number[];
  /** 0 (Sunday) to 6; null: any. */
  daysOfWeek: readonly number[] | null;
}

const MAX_LENGTH = 200;

/**
 * Parses a cron expression: five fields, or six with seconds first. Supports names, ranges, steps and lists.
 * @throws JuryError `usage` if it is invalid, naming the field
 */
export function readCron(expression: string): CronTimes {
  const wrong = (why: string) =>
    new WordedError('usage', ({ schedules }) =>
      schedules.wrong.badCron({ cron: expression.slice(0, 60), why }),
    );
  if (expression.length > MAX_LENGTH) throw wrong('it is too long');
  const { valid, fields, errors } = validateDetailed(expression.trim());
  if (!valid || fields === undefined)
    throw wrong(errors.map(({ message }) => message).join('; ') || 'it cannot be read');
  const numbers = (list: readonly (number | string)[], what: string): number[] =>
    list
      .map((value) => {
        if (typeof value === 'number') return value;
        throw wrong(`${what} "${value}" is not supported`);
      })
      .sort((a, b) => a - b);
  const daysOfMonth = numbers(fields.dayOfMonth, 'the day of month');
  const daysOfWeek = numbers(fields.dayOfWeek, 'the day of week');
  return {
    seconds: numbers(fields.second, 'the second'),
    minutes: numbers(fields.minute, 'the minute'),
    hours: numbers(fields.hour, 'the hour'),
    daysOfMonth: daysOfMonth.length === 31 ? null : daysOfMonth,
    months: numbers(fields.month, 'the month'),
    daysOfWeek: daysOfWeek.length === 7 ? null : daysOfWeek,
  };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A time zone. Wall times are in ms, as if they were UTC. */
export type Zone = ReturnType<typeof createZone>;

/** @throws RangeError if there is no time zone with that name */
export function createZone(name: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });

  /** Parses `GMT`, `GMT+05:30` or `GMT-00:44:30`. Returns ms. */
  function offsetAt(instant: number): number {
    const { sign, hours, minutes, seconds } =
      /GMT(?<sign>[+-])(?<hours>\d+):(?<minutes>\d+)(?::(?<seconds>\d+))?$/.exec(format.format(instant))
        ?.groups ?? {};
    const ms = Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * MINUTE + Number(seconds ?? 0) * 1000;
    return sign === '-' ? -ms : ms;
  }
  return {
    /** Wall time minus UTC at an instant, ms. */
    offsetAt,
    /** The instants with this wall time, oldest first: none if the clock skips it, two if the clock repeats it. */
    instantsOf: (wall: number): number[] =>
      // Compare the offsets a day before and a day after: clocks change less often than that.
      [...new Set([offsetAt(wall - DAY), offsetAt(wall + DAY)])]
        .map((offset) => wall - offset)
        .filter((instant) => instant + offsetAt(instant) === wall)
        .sort((a, b) => a - b),
    /** The instant at which the clock jumps over a skipped wall time. */
    jumpOver: (wall: number): number => {
      let [low, high] = [wall - DAY, wall + DAY];
      const after = offsetAt(high);
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offsetAt(middle) === after) high = middle;
        else low = middle;
      }
      return high;
    },
  };
}

/** February 29 can be eight years away. */
const FARTHEST_DAYS = 9 * 366;

/** As in crontab: if both day fields are restricted, either may match. */
function isDay({ daysOfMonth, daysOfWeek, months }: CronTimes, day: number): boolean {
  const date = new Date(day);
  if (!months.includes(date.getUTCMonth() + 1)) return false;
  const inMonth = daysOfMonth?.includes(date.getUTCDate());
  const inWeek = daysOfWeek?.includes(date.getUTCDay());
  if (inMonth === undefined) return inWeek ?? true;
  return inWeek === undefined ? inMonth : inMonth || inWeek;
}

/**
 * The slots within one hour. A listed hour happens once: right after the jump if the clock skips it, the first time if the clock repeats it.
 * If every hour is listed, slots follow real time: none in the gap, and both times in a repeated hour.
 */
function slotsInHour({ hours, minutes, seconds }: CronTimes, zone: Zone, start: number): number[] {
  const walls = minutes.flatMap((minute) => seconds.map((second) => start + minute * MINUTE + second * 1000));
  return walls.flatMap((wall) => {
    const instants = zone.instantsOf(wall);
    if (hours.length === 24) return instants;
    return instants.length > 0 ? instants.slice(0, 1) : [zone.jumpOver(wall)];
  });
}

/** The clocks of Antarctica/Troll go back by two hours, those of all other zones by less. */
const LONGEST_REPEAT_HOURS = 2;

/**
 * The first occurrence after an instant, ms since the epoch; null if there is none.
 *
 * Ours because the libraries lose digests where clocks change. In Greenland, 23:00 to 24:00 is skipped in spring: croner 11 leaves out a
 * digest at 23:00 that day, so a weekly one comes a week late. cron-parser 5 does the same where midnight is skipped, as in Cairo, and throws
 * for Australia/Lord_Howe on the day its clocks go back.
 */
export function nextSlot(times: CronTimes, zone: Zone, after: number): number | null {
  const today = Math.floor((after + zone.offsetAt(after)) / DAY) * DAY;
  for (let n = -1; n < FARTHEST_DAYS; n += 1) {
    const day = today + n * DAY;
    if (!isDay(times, day)) continue;
    // Wall times up to this one are past under either offset.
    const past = after + Math.min(zone.offsetAt(day - DAY), zone.offsetAt(day + 2 * DAY));
    const starts = times.hours.map((hour) => day + hour * HOUR).filter((start) => start + HOUR > past);
    for (const start of starts) {
      // While the clock repeats hours, a later one may come before this one's second time.
      const near = starts.filter((one) => one >= start && one <= start + LONGEST_REPEAT_HOURS * HOUR);
      const slots = near.flatMap((one) => slotsInHour(times, zone, one)).filter((slot) => slot > after);
      if (slots.length > 0) return Math.min(...slots);
    }
  }
  return null;
}

/** The next slot after an instant; null if there is none. */
export type NextSlot = (after: number) => number | null;

/** Slots overdue by less than this count as on time, and each is posted. */
export const ON_TIME_MS = 15 * 60_000;
/** Slots overdue by more than this are skipped. */
export const LATE_LIMIT_MS = 3 * 86_400_000;

export interface DueSlot {
  slot: number;
  late: boolean;
}

/**
 * The slot to post now, if any: the oldest one still on time, otherwise the newest missed one that is not too late. Times are in ms since the
 * epoch.
 * @param floor the last finished slot, or when the schedule began
 */
export function dueSlot(next: NextSlot, floor: number, now: number): DueSlot | null {
  const onTime = next(Math.max(floor, now - ON_TIME_MS));
  if (onTime !== null && onTime <= now) return { slot: onTime, late: false };
  let missed: number | null = null;
  let slot = next(Math.max(floor, now - LATE_LIMIT_MS));
  while (slot !== null && slot <= now) {
    missed = slot;
    slot = next(slot);
  }
  return missed === null ? null : { slot: missed, late: true };
}

/** @throws JuryError `usage` if the cron expression is invalid */
export function nextSlotOf({ cron, timezone }: Pick<DigestSchedule, 'cron' | 'timezone'>): NextSlot {
  const [times, zone] = [readCron(cron), createZone(timezone)];
  return (after) => nextSlot(times, zone, after);
}
