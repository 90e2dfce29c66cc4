import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvalCase, OpeningHours } from '../../../src/case/case.ts';
import { neighborDay, weekdayOf } from '../../../src/case/format/opening-hours.ts';
import { openingState } from '../../../src/judges/rules/opening-hours-check.ts';
import { words } from '../../support/format.ts';
import { aCase, findingOn } from './world.ts';

/** 2024-03-04 is a Monday. */
const at = (time: string, openingHours: OpeningHours, changes: Partial<EvalCase> = {}, date = '2024-03-04') =>
  findingOn('time', {
    ...aCase('Find me a pizza place', { openingHours }),
    context: { date, time },
    ...changes,
  });

const rows: [string, OpeningHours, string, RegExp][] = [
  [
    '20:35',
    { monday: '12:00-20:00', tuesday: '12:00-14:30, 18:00-01:00' },
    'fail',
    /closed since 20:00, opens tomorrow at 12:00/i,
  ],
  ['19:55', { monday: '12:00-20:00' }, 'pass', /open, closes in 5 min \(20:00\)/i],
  ['19:59', { monday: '12:00-20:00' }, 'pass', /closes in 1 min \(/i],
  // The closing minute itself is closed, the opening minute is open.
  ['20:00', { monday: '12:00-20:00' }, 'fail', /closed since 20:00/i],
  ['12:00', { monday: '12:00-20:00' }, 'pass', /closes in 8 h/i],
  ['11:59', { monday: '12:00-20:00' }, 'fail', /opens at 12:00, in 1 min/i],
  ['16:00', { monday: '12:00-14:30, 18:00-01:00' }, 'fail', /closed since 14:30, opens at 18:00, in 2 h/i],
  ['23:30', { monday: '12:00-14:30, 18:00-01:00' }, 'pass', /closes in 90 min \(01:00\)/i],
  ['19:00', { monday: 'closed' }, 'fail', /closed all day/i],
  ['03:00', { monday: '00:00-24:00' }, 'pass', /open/i],
  // Midnight does not close a place that is open on.
  ['00:30', { monday: '00:00-24:00', tuesday: '00:00-14:00' }, 'pass', /closes tomorrow at 14:00/i],
  ['23:50', { monday: '00:00-24:00', tuesday: '00:00-24:00' }, 'pass', /around the clock/i],
  ['23:50', { monday: '18:00-24:00', tuesday: '00:00-02:00' }, 'pass', /closes in 2 h 10 min \(02:00\)/i],
  // Yesterday's span reaches into today.
  ['00:30', { sunday: '18:00-01:00', monday: 'closed' }, 'pass', /closes in 30 min/i],
  ['01:00', { sunday: '18:00-01:00', monday: 'closed' }, 'fail', /closed since 01:00/i],
  ['00:30', { sunday: '18:00-01:00' }, 'pass', /open since Sunday at 18:00/i],
  // Nothing is known.
  ['19:00', { tuesday: '12:00-20:00' }, 'unscored', /say nothing about Monday/i],
  ['19:00', { monday: 'evenings only' }, 'unscored', /could not be read: "evenings only"/i],
  ['00:30', { monday: '12:00-20:00' }, 'unscored', /say nothing about Sunday/i],
  ['12:30', { monday: '12:00-20:00', sunday: '???' }, 'pass', /open/i],
];

describe('open at the moment of the request', () => {
  it.each(rows)('at %s with %j: %s', async (time, hours, decision, words) => {
    const finding = await at(time, hours);
    expect(finding.decision).toBe(decision);
    expect(finding.rationale).toMatch(words);
  });

  it('tells the hours of the day before only where they decide', async () => {
    const always = { sunday: '00:00-24:00', monday: '00:00-24:00' };
    expect((await at('16:40', always)).rationale).not.toContain('Sunday');
    const night = await at('00:30', { sunday: '18:00-01:00', monday: 'closed' });
    expect(night.rationale).toMatch(/^Open since Sunday at 18:00, closes in 30 min \(01:00\)/);
  });

  it('says that the venue closes before the arrival, and passes all the same', async () => {
    const recommendation = { openingHours: { monday: '12:00-20:00' }, durationMin: 12 };
    const finding = await at('19:50', {}, { recommendation });
    expect(finding.decision).toBe('pass');
    // 19:50 + 12 min = 20:02, two minutes after closing.
    expect(finding.rationale).toMatch(/closes 2 min before the user would arrive at 20:02/);
  });

  it('is not decided for another moment than the request', async () => {
    const conversation: EvalCase['conversation'] = [{ role: 'user', text: 'A pizza place for tomorrow' }];
    expect((await at('19:00', { monday: '12:00-23:00' }, { conversation })).rationale).toContain(
      '"tomorrow"',
    );
    const tonight: EvalCase['conversation'] = [{ role: 'user', text: 'A pizza place tonight' }];
    expect((await at('19:00', { monday: '12:00-23:00' }, { conversation: tonight })).decision).toBe('pass');
    expect((await at('12:30', { monday: '12:00-23:00' }, { conversation: tonight })).decision).toBe(
      'unscored',
    );
    const named: EvalCase['conversation'] = [{ role: 'user', text: "It's 19:00, find me a pizza place" }];
    expect((await at('19:00', { monday: '12:00-23:00' }, { conversation: named })).decision).toBe('pass');
  });

  it.each([
    ['not closing soon', '19:00', 'unscored'],
    ["that isn't closing soon", '19:00', 'unscored'],
    ['open for at least another hour', '19:00', 'unscored'],
    ['open for at least another 30 minutes', '19:00', 'unscored'],
    ['noch mindestens eine Stunde offen', '19:00', 'unscored'],
    ['not closing soon', '23:30', 'unscored'],
    ['open late', '19:00', 'unscored'],
    ['open late', '23:30', 'unscored'],
    ['a place that is open late', '19:00', 'unscored'],
    ["a place that's still open late", '19:00', 'unscored'],
    ['das noch lange auf hat', '19:00', 'unscored'],
    ['next Tuesday', '19:00', 'unscored'],
  ])('a pizza place %s at %s: %s', async (words, time, decision) => {
    const conversation: EvalCase['conversation'] = [{ role: 'user', text: `A pizza place ${words}` }];
    expect((await at(time, { monday: '12:00-23:00' }, { conversation })).decision).toBe(decision);
  });

  it('needs hours, a date and a time', async () => {
    const none = await findingOn('time', { ...aCase('pizza'), recommendation: { cuisine: 'Italian' } });
    expect(none).toMatchObject({ decision: 'unscored' });
    expect(none.rationale).toContain('add `Opening hours: daily 12:00-22:00`');
    const timeless = await findingOn('time', { ...aCase('pizza'), context: { date: '2024-03-04' } });
    expect(timeless.rationale).toContain('add `Time: 20:35`');
  });
});

describe('the calendar', () => {
  it.each([
    ['2024-03-04', 'monday'],
    ['2024-02-29', 'thursday'],
    ['2024-12-31', 'tuesday'],
    ['2026-11-21', 'saturday'],
  ] as const)('%s is a %s', (date, day) => {
    expect(weekdayOf(date)).toBe(day);
  });

  it('goes round', () => {
    expect(neighborDay('monday', -1)).toBe('sunday');
    expect(neighborDay('sunday', 1)).toBe('monday');
  });

  it('opens a place at exactly one of any minute and its complement', () => {
    // 10:00–20:00 on every day: open in [600, 1200).
    const hours: OpeningHours = { sunday: '10:00-20:00', monday: '10:00-20:00', tuesday: '10:00-20:00' };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1439 }), (minute) => {
        expect(openingState(hours, 'monday', minute, words).kind).toBe(
          minute >= 600 && minute < 1200 ? 'open' : 'closed',
        );
      }),
    );
  });
});
