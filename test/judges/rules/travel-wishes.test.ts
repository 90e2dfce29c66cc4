import { describe, expect, it } from 'vitest';
import { aCase, findingOn, type VenueChanges } from './world.ts';

type Row = [string, VenueChanges, 'pass' | 'fail' | 'unscored'];

const check = (rows: readonly Row[]) =>
  it.each(rows)('pizza %s %j: %s', async (words, venue, decision) => {
    const finding = await findingOn('location', aCase(`pizza ${words}`, venue));
    expect(finding).toMatchObject({ decision });
  });

describe('a limit in minutes that the user sets', () => {
  check([
    ['no more than a 5 min drive', { durationMin: 12 }, 'fail'],
    ['no more than a 5 min drive', { durationMin: 5 }, 'pass'],
    ['within a 3 minute drive', { durationMin: 5 }, 'fail'],
    ['within a three-minute drive', { durationMin: 5 }, 'fail'],
    ['ten minutes tops', { durationMin: 11 }, 'fail'],
    ["I don't want to drive more than 5 minutes", { durationMin: 9 }, 'fail'],
    ['less than 5 minutes away', { durationMin: 5 }, 'fail'],
    ['less than 5 minutes away', { durationMin: 4.9 }, 'pass'],
    ['höchstens 5 Minuten entfernt', { durationMin: 6 }, 'fail'],
    ['nicht mehr als 5 Minuten Fahrt', { durationMin: 5 }, 'pass'],
    // The driver's own bound counts, be it tighter or looser.
    ['within 30 minutes', { durationMin: 20 }, 'pass'],
    ['within 1 hour', { durationMin: 14 }, 'pass'],
    // A distance says nothing about minutes.
    ['within 10 minutes', { durationMin: undefined, distanceKm: 2 }, 'unscored'],
    ['within 5 minutes', { durationMin: undefined, distanceKm: 2 }, 'unscored'],
    ['within 3 minutes', { durationMin: undefined, distanceKm: 2 }, 'unscored'],
  ]);
});

describe('a limit of the way that the user sets', () => {
  check([
    ['within 5 km', { distanceKm: 12, durationMin: 14 }, 'fail'],
    ['within 5 km', { distanceKm: 5 }, 'pass'],
    ['not more than 2 km away', { distanceKm: 4 }, 'fail'],
    ['4 stars minimum, 2 km max', { distanceKm: 9, durationMin: 12 }, 'fail'],
    ['within a 5 km radius', { distanceKm: 6 }, 'fail'],
    ['max. 800 m', { distanceKm: 0.9 }, 'fail'],
    ['500 meters at most', { distanceKm: 0.4 }, 'pass'],
    // 2 miles = 3.219 km.
    ['within 2 miles', { distanceKm: 3.2 }, 'pass'],
    ['within 2 miles', { distanceKm: 3.3 }, 'fail'],
    ['im Umkreis von 3 Kilometern', { distanceKm: 4 }, 'fail'],
    ['nicht weiter als 3 km', { distanceKm: 2.9 }, 'pass'],
    ['no more than 10 minutes and at most 2 km', { distanceKm: 3 }, 'unscored'],
    // A drive time says nothing about kilometers.
    ['within 5 km', {}, 'unscored'],
    // Neither do coordinates say how long the way is.
    ['within 1 km', { location: { latitude: 52.54, longitude: 13.41 } }, 'unscored'],
    ['within 1.5 km', { location: { latitude: 52.54, longitude: 13.41 } }, 'unscored'],
    ['within 2 km', { location: { latitude: 52.54, longitude: 13.41 } }, 'unscored'],
  ]);

  it('is not decided beside another limit', async () => {
    const evalCase = aCase('pizza within 5 km and 15 minutes at most', { distanceKm: 2 });
    expect(await findingOn('location', evalCase)).toMatchObject({ decision: 'unscored' });
  });
});

describe('a limit that is set anew', () => {
  it.each([
    [['pizza within 5 km', 'actually within 10 km'], 'unscored'],
    [['pizza within 10 km', 'no, within 5 km'], 'unscored'],
    [['pizza within 5 km, no wait, within 10 km'], 'unscored'],
    [['pizza within 5 km', 'within 10 minutes please'], 'unscored'],
    [['pizza within 5 km', '10 km is fine, too'], 'unscored'],
  ] as const)('%j, 7 km away: %s', async (turns, decision) => {
    const finding = await findingOn('location', aCase(turns, { distanceKm: 7, durationMin: 9 }));
    expect(finding).toMatchObject({ decision });
  });
});

describe('words about the way that set no exact limit', () => {
  check([
    ['in walking distance', { durationMin: 14 }, 'unscored'],
    ['within a 5 minute walk', {}, 'unscored'],
    ['5 minutes away', {}, 'unscored'],
    ['at least 10 minutes away', {}, 'unscored'],
    ['not within 5 km', { distanceKm: 2 }, 'unscored'],
    ['within 5 or 10 km', { distanceKm: 7 }, 'unscored'],
    ['around 5 km away', { distanceKm: 7 }, 'unscored'],
    ['within half an hour', {}, 'pass'],
    ['within 5 minutes of Marienplatz', {}, 'unscored'],
    ['within 2 km from my hotel', { distanceKm: 1 }, 'unscored'],
    ['within 2 km from here', { distanceKm: 1 }, 'pass'],
    ['in walking distance', { durationMin: 16 }, 'unscored'],
    ['nearby', { durationMin: 14 }, 'pass'],
  ]);
});
