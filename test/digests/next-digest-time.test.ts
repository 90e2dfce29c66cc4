import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JuryError } from '../../src/common/errors.ts';
import {
  createZone,
  dueSlot,
  isTimeZone,
  LATE_LIMIT_MS,
  nextSlot,
  ON_TIME_MS,
  readCron,
} from '../../src/digests/next-digest-time.ts';

/** So many slots after an instant, as ISO texts. */
function slots(cron: string, zone: string, after: string, count: number): (string | null)[] {
  const times = readCron(cron);
  const clock = createZone(zone);
  let at: number | null = Date.parse(after);
  return Array.from({ length: count }, () => {
    at = at === null ? null : nextSlot(times, clock, at);
    return at === null ? null : new Date(at).toISOString().replace('.000Z', 'Z');
  });
}

describe('slots', () => {
  test('come at the wall time of their zone, in winter and in summer', () => {
    // Berlin: UTC+1 until 2026-03-29 01:00 UTC, then UTC+2.
    expect(slots('0 9 * * 1', 'Europe/Berlin', '2026-03-17T00:00:00Z', 2)).toEqual([
      '2026-03-23T08:00:00Z',
      '2026-03-30T07:00:00Z',
    ]);
    // Not the same instant again.
    expect(slots('0 9 * * 1', 'Europe/Berlin', '2026-03-23T08:00:00Z', 1)).toEqual(['2026-03-30T07:00:00Z']);
    expect(slots('0 9 * * 1', 'Europe/Berlin', '2026-03-23T07:59:59.999Z', 1)).toEqual([
      '2026-03-23T08:00:00Z',
    ]);
  });

  test('at an hour that the clock skips come once, when it has jumped', () => {
    // 02:00 becomes 03:00 at 01:00 UTC on 2026-03-29.
    expect(slots('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', 3)).toEqual([
      '2026-03-28T01:30:00Z',
      '2026-03-29T01:00:00Z',
      '2026-03-30T00:30:00Z',
    ]);
    expect(slots('10,40 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00Z',
      '2026-03-30T00:10:00Z',
    ]);
  });

  test('at an hour that the clock reads twice come once, the first time', () => {
    // 03:00 becomes 02:00 at 01:00 UTC on 2026-10-25.
    expect(slots('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ]);
    // Asked between the two readings.
    expect(slots('30 2 * * *', 'Europe/Berlin', '2026-10-25T01:00:00Z', 1)).toEqual(['2026-10-26T01:30:00Z']);
  });

  test('of every hour follow real time through both changes', () => {
    expect(slots('0 * * * *', 'Europe/Berlin', '2026-03-28T23:30:00Z', 3)).toEqual([
      '2026-03-29T00:00:00Z',
      '2026-03-29T01:00:00Z',
      '2026-03-29T02:00:00Z',
    ]);
    expect(slots('0,30 * * * *', 'Europe/Berlin', '2026-10-24T23:45:00Z', 5)).toEqual([
      '2026-10-25T00:00:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:00:00Z',
      '2026-10-25T01:30:00Z',
      '2026-10-25T02:00:00Z',
    ]);
    // Lord Howe goes back by half an hour: 02:00 becomes 01:30 at 15:00 UTC on 2026-04-04.
    expect(slots('0,30 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:00:00Z', 4)).toEqual([
      '2026-04-04T14:30:00Z',
      '2026-04-04T15:00:00Z',
      '2026-04-04T15:30:00Z',
      '2026-04-04T16:00:00Z',
    ]);
  });

  // Days on which libraries leave out a digest, post it twice or fail.
  test.each([
    ['0 23 * * 6', 'America/Nuuk', '2026-03-27T00:00:00Z', ['2026-03-29T01:00:00Z', '2026-04-05T00:00:00Z']],
    ['30 23 * * 6', 'America/Scoresbysund', '2026-03-27T00:00:00Z', ['2026-03-29T01:00:00Z']],
    ['0 0 * * 5', 'Africa/Cairo', '2026-04-20T00:00:00Z', ['2026-04-23T22:00:00Z', '2026-04-30T21:00:00Z']],
    ['0 0 * * 0', 'Asia/Beirut', '2026-03-24T00:00:00Z', ['2026-03-28T22:00:00Z', '2026-04-04T21:00:00Z']],
    ['0 0 * * 0', 'America/Havana', '2026-03-05T00:00:00Z', ['2026-03-08T05:00:00Z']],
    ['0 0 * * 0', 'America/Havana', '2026-10-30T00:00:00Z', ['2026-11-01T04:00:00Z', '2026-11-08T05:00:00Z']],
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', ['2026-10-03T15:30:00Z']],
    ['45 1 * * 0', 'Australia/Lord_Howe', '2026-04-04T00:00:00Z', ['2026-04-04T14:45:00Z']],
    [
      '0 2 * * 0',
      'Antarctica/Troll',
      '2026-10-24T00:00:00Z',
      ['2026-10-25T00:00:00Z', '2026-11-01T02:00:00Z'],
    ],
  ])('%s in %s after %s come once each where the clocks change', (cron, zone, after, expected) => {
    expect(slots(cron, zone, after, expected.length)).toEqual(expected);
  });

  test('of every hour come in order where two hours are repeated', () => {
    expect(slots('0 * * * *', 'Antarctica/Troll', '2026-10-24T22:30:00Z', 6)).toEqual([
      '2026-10-24T23:00:00Z',
      '2026-10-25T00:00:00Z',
      '2026-10-25T01:00:00Z',
      '2026-10-25T02:00:00Z',
      '2026-10-25T03:00:00Z',
      '2026-10-25T04:00:00Z',
    ]);
  });

  test('on either day where both the month and the week name one, as crontab has it', () => {
    expect(slots('0 0 1 * 1', 'UTC', '2026-11-28T00:00:00Z', 3)).toEqual([
      '2026-11-30T00:00:00Z',
      '2026-12-01T00:00:00Z',
      '2026-12-07T00:00:00Z',
    ]);
  });

  test('are found years away, and for every few seconds', () => {
    expect(slots('0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', 2)).toEqual([
      '2028-02-29T00:00:00Z',
      '2032-02-29T00:00:00Z',
    ]);
    expect(slots('*/20 * * * * *', 'America/New_York', '2026-11-21T09:00:41Z', 2)).toEqual([
      '2026-11-21T09:01:00Z',
      '2026-11-21T09:01:20Z',
    ]);
    expect(slots('0 9 * * 1', 'Pacific/Auckland', '2026-11-22T00:00:00Z', 1)).toEqual([
      '2026-11-22T20:00:00Z',
    ]);
  });

  test('always come after what was asked for and read as the expression says', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 59 }),
        fc.integer({ min: 4, max: 22 }),
        fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) }),
        (zone, minute, hour, after) => {
          const clock = createZone(zone);
          const slot = nextSlot(readCron(`${minute} ${hour} * * *`), clock, after);
          expect(slot).not.toBeNull();
          const at = slot ?? 0;
          expect(at).toBeGreaterThan(after);
          expect(at - after).toBeLessThanOrEqual(49 * 3_600_000);
          const wall = new Date(at + clock.offsetAt(at));
          expect([wall.getUTCHours(), wall.getUTCMinutes()]).toEqual([hour, minute]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a cron expression', () => {
  test.each([
    '',
    '9 * *',
    '60 9 * * *',
    '0 9 31 2 *',
    'every monday',
    '0 9 L * *',
    '0 9 * * 5#2',
    '* '.repeat(300),
  ])('"%s" is refused with what is allowed', (text) => {
    expect(() => readCron(text)).toThrow(JuryError);
    expect(() => readCron(text)).toThrow('such as "0 9 * * 1"');
  });

  test('may use names, ranges, steps and a week that ends with day 7', () => {
    expect(readCron('*/30 8-10 * JAN,MAR MON-FRI')).toMatchObject({
      minutes: [0, 30],
      hours: [8, 9, 10],
      months: [1, 3],
      daysOfWeek: [1, 2, 3, 4, 5],
      daysOfMonth: null,
    });
    expect(readCron('0 0 * * 7').daysOfWeek).toEqual([0]);
  });
});

test('a time zone is known or not', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true);
  expect(isTimeZone('Europe/Atlantis')).toBe(false);
});

describe('the due slot', () => {
  const hour = 3_600_000;
  /** Slots at 1 h, 2 h, 3 h, … */
  const hourly = (after: number) => (Math.floor(after / hour) + 1) * hour;

  test('is none before its time, and the slot itself at its time', () => {
    expect(dueSlot(hourly, 0, hour - 1)).toBeNull();
    expect(dueSlot(hourly, 0, hour)).toEqual({ slot: hour, late: false });
    expect(dueSlot(hourly, hour, hour + 5)).toBeNull();
  });

  test('is the oldest of several that are on time', () => {
    const everyMinute = (after: number) => (Math.floor(after / 60_000) + 1) * 60_000;
    expect(dueSlot(everyMinute, 0, 5 * 60_000)).toEqual({ slot: 60_000, late: false });
  });

  test('is the newest that was missed, late, and not beyond the limit', () => {
    expect(dueSlot(hourly, 0, 5 * hour + ON_TIME_MS)).toEqual({ slot: 5 * hour, late: true });
    expect(dueSlot(hourly, 0, 5 * hour + ON_TIME_MS - 1)).toEqual({ slot: 5 * hour, late: false });
    const once = (after: number) => (after < hour ? hour : null);
    expect(dueSlot(once, 0, hour + LATE_LIMIT_MS - 1)).toEqual({ slot: hour, late: true });
    expect(dueSlot(once, 0, hour + LATE_LIMIT_MS)).toBeNull();
  });
});
