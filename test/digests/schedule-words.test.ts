import { describe, expect, test } from 'vitest';
import { readScheduleWords, scheduleWords, zoneIn } from '../../src/digests/schedule-words.ts';

const cronOf = (text: string) => readScheduleWords(text.split(' '))?.cron ?? null;

describe('a time in words', () => {
  test.each([
    ['every monday 9am', '0 9 * * 1'],
    ['Every Monday at 9:00', '0 9 * * 1'],
    ['every monday at 9', '0 9 * * 1'],
    ['mondays 9', '0 9 * * 1'],
    ['9am every monday', '0 9 * * 1'],
    ['every monday', '0 9 * * 1'],
    ['weekdays at 8:30', '30 8 * * 1,2,3,4,5'],
    ['every weekday at 5:45pm', '45 17 * * 1,2,3,4,5'],
    ['mon, wed and fri 7 pm', '0 19 * * 1,3,5'],
    ['tues,thurs at noon', '0 12 * * 2,4'],
    ['daily at 12am', '0 0 * * *'],
    ['at 18:05', '5 18 * * *'],
    ['weekends 10h', '0 10 * * 0,6'],
    ['hourly', '0 * * * *'],
    ['Mo Mi Fr 9 Uhr', '0 9 * * 1,3,5'],
    ['jeden Montag um 9', '0 9 * * 1'],
    ['jeden Montag um 9 Uhr', '0 9 * * 1'],
    ['montags und donnerstags 8.30', '30 8 * * 1,4'],
    ['werktags um 7:15', '15 7 * * 1,2,3,4,5'],
    ['am Sonnabend um 10 Uhr', '0 10 * * 6'],
    ['täglich mittags', '0 12 * * *'],
    ['0 9 * * 1', '0 9 * * 1'],
    ['*/30 8-10 1,15 * mon-fri', '*/30 8-10 1,15 * mon-fri'],
    ['0 0 9 * * 1', '0 0 9 * * 1'],
  ])('%s is %s', (text, cron) => {
    expect(cronOf(text)).toBe(cron);
  });

  test.each([
    '',
    'someday',
    'every 2 days',
    'every blue moon',
    '9',
    'nightly',
    '25:00',
    '0 9 * *',
    'at 13pm',
    'do',
    'so it',
  ])('“%s” is not a time', (text) => {
    expect(cronOf(text)).toBeNull();
  });

  test('ends where other words begin', () => {
    expect(readScheduleWords(['every monday 9am', 'C0123', 'in', 'Europe/Berlin', 'nightly'])?.rest).toEqual([
      'C0123',
      'in',
      'Europe/Berlin',
      'nightly',
    ]);
    expect(readScheduleWords(['0', '9', '*', '*', '1', 'UTC'])).toEqual({ cron: '0 9 * * 1', rest: ['UTC'] });
    expect(readScheduleWords(['mondays', '9am', 'in', 'UTC'])?.rest).toEqual(['UTC']);
  });
});

test.each([
  ['0 9 * * 1', 'Mondays at 9:00'],
  ['30 8 * * 1-5', 'weekdays at 8:30'],
  ['0 9 * * mon,thu', 'Mondays and Thursdays at 9:00'],
  ['0 10 * * 0,6', 'weekends at 10:00'],
  ['5 7,19 * * *', 'every day at 7:05 and 19:05'],
  ['15 * * * *', 'every hour at :15'],
  ['0 9 1 * *', '0 9 1 * *'],
  ['0 9 * 6 1', '0 9 * 6 1'],
  ['0,30 9 * * 1', '0,30 9 * * 1'],
])('%s reads as %s', (cron, text) => {
  expect(scheduleWords(cron)).toBe(text);
});

test('a time zone is known in any case; what was meant as one is not a benchmark', () => {
  expect(['europe/berlin', 'utc', 'Mars/Olympus', 'Berlin', 'nightly'].map(zoneIn)).toEqual([
    'Europe/Berlin',
    'UTC',
    'Mars/Olympus',
    'Berlin',
    null,
  ]);
});
