import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHours } from '../../src/case/format/opening-hours.ts';
import { words } from '../support/format.ts';

/** Spans as `720-870` (minutes from midnight), or the kind. 720 = 12:00, 870 = 14:30, 1080 = 18:00, 1500 = 01:00 next day. */
const short = (text: string): string => {
  const read = parseHours(text, words);
  return read.kind === 'spans' ? read.spans.map(({ from, to }) => `${from}-${to}`).join(' ') : read.kind;
};

const rows: [string, string][] = [
  ['12:00-20:00', '720-1200'],
  ['12:00 - 20:00', '720-1200'],
  ['12:00–20:00', '720-1200'],
  ['12:00—20:00', '720-1200'],
  ['12:00 to 20:00', '720-1200'],
  ['12:00 bis 20:00', '720-1200'],
  ['von 12:00 bis 20:00 Uhr', '720-1200'],
  ['from 12:00 until 20:00', '720-1200'],
  ['12.00-20.00', '720-1200'],
  ['12.00 – 20.00 Uhr', '720-1200'],
  ['12 Uhr - 20 Uhr', '720-1200'],
  ['12-22', '720-1320'],
  ['9-17', '540-1020'],
  ['12h-22h', '720-1320'],
  ['12h30-22h00', '750-1320'],
  ['11am-9pm', '660-1260'],
  ['11 am - 9 pm', '660-1260'],
  ['11:30 a.m. – 9:30 p.m.', '690-1290'],
  ['11AM-9PM', '660-1260'],
  ['5-9pm', '1020-1260'],
  ['11-9pm', '660-1260'],
  ['12pm-10pm', '720-1320'],
  ['12-10pm', '720-1320'],
  ['6pm-12am', '1080-1440'],
  ['6pm-2am', '1080-1560'],
  ['noon-midnight', '720-1440'],
  ['noon to 10 pm', '720-1320'],
  ['12:00-14:30, 18:00-01:00', '720-870 1080-1500'],
  ['12:00-14:30,18:00-22:00', '720-870 1080-1320'],
  ['12:00-14:30; 18:00-22:00', '720-870 1080-1320'],
  ['12:00-14:30 und 18:00-22:00', '720-870 1080-1320'],
  ['12:00-14:30 and 18:00-22:00', '720-870 1080-1320'],
  ['12:00-14:30 / 18:00-22:00', '720-870 1080-1320'],
  ['18:00-22:00, 12:00-14:30', '720-870 1080-1320'],
  ['18:00-01:00', '1080-1500'],
  ['18:00-00:00', '1080-1440'],
  ['18:00-24:00', '1080-1440'],
  ['00:00-24:00', '0-1440'],
  ['24h', '0-1440'],
  ['24 hours', '0-1440'],
  ['open 24 hours', '0-1440'],
  ['Open 24 Hours', '0-1440'],
  ['24/7', '0-1440'],
  ['rund um die Uhr', '0-1440'],
  ['closed', 'closed'],
  ['Closed', 'closed'],
  ['CLOSED.', 'closed'],
  ['geschlossen', 'closed'],
  ['Ruhetag', 'closed'],
  ['Ruhetag.', 'closed'],
  // What cannot be read in full is not read at all.
  ['', 'unreadable'],
  ['-', 'unreadable'],
  ['evenings', 'unreadable'],
  ['from 18:00', 'unreadable'],
  ['25:00-26:00', 'unreadable'],
  ['12:70-20:00', 'unreadable'],
  ['12:00-12:00', 'unreadable'],
  ['13pm-14pm', 'unreadable'],
  ['11am-9', 'unreadable'],
  ['12:00-22:00 (kitchen until 21:00)', 'unreadable'],
  ['12:00-14:30, later', 'unreadable'],
  ['by appointment', 'unreadable'],
  ['none', 'unreadable'],
  // In the morning or in the evening?
  ['11-9', 'unreadable'],
  ['12-2:30, 6-10', 'unreadable'],
  ['5-10', 'unreadable'],
  ['8:30-12', 'unreadable'],
  ['12-1am', 'unreadable'],
  ['11-1am', 'unreadable'],
  ['11-12am', 'unreadable'],
  ['10-2am', 'unreadable'],
  ['18-01', '1080-1500'],
  ['11:30-14:30', '690-870'],
  ['18-1am', '1080-1500'],
];

describe('the hours of a day', () => {
  it.each(rows)('%s → %s', (text, expected) => {
    expect(short(text)).toBe(expected);
  });

  it('are read or not, but never make an error', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => short(text) !== ''));
  });

  it('are read back whatever the spans', () => {
    const clock = fc.integer({ min: 0, max: 1439 });
    const shown = (minutes: number) =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(clock, clock, (from, to) => {
        fc.pre(from !== to);
        expect(short(`${shown(from)}-${shown(to)}`)).toBe(`${from}-${to > from ? to : to + 1440}`);
      }),
    );
  });
});
