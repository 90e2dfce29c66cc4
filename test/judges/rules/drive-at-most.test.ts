import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvalCase } from '../../../src/case/case.ts';
import { greatCircleKm } from '../../../src/case/case.ts';
import { aCase, findingOn } from './world.ts';

const from = { latitude: 52.53, longitude: 13.41 };

const to = (recommendation: EvalCase['recommendation'], location: EvalCase['context'] = { location: from }) =>
  findingOn('location', { ...aCase('pizza'), context: location, recommendation });

describe('a drive of at most 15 minutes', () => {
  it.each([
    [0, 'pass'],
    [14.9, 'pass'],
    [15, 'pass'],
    [15.1, 'fail'],
    [38, 'fail'],
  ])('a drive of %d minutes: %s', async (durationMin, decision) => {
    expect((await to({ durationMin })).decision).toBe(decision);
  });

  it.each([
    { distanceKm: 2 },
    { distanceKm: 20 },
    { location: { latitude: 52.54, longitude: 13.41 } },
    { location: { latitude: 48.14, longitude: 11.58 } },
    { location: { latitude: 52.5 } },
    { cuisine: 'Italian' },
  ])('is not estimated from %j: what to add is said', async (recommendation) => {
    expect(await to(recommendation)).toMatchObject({
      decision: 'unscored',
      rationale: 'The case gives no drive time; add `Duration: 5 min`.',
    });
  });

  it('does not place a user whose place is not given', async () => {
    const evalCase: EvalCase = { ...aCase('pizza', { durationMin: 6 }), context: {} };
    expect((await findingOn('location', evalCase)).rationale).toBe(
      'The drive takes 6 min, within the limit of 15 min.',
    );
  });
});

describe('figures of which one must be wrong', () => {
  // More than 200 km/h on average: 80 km in 5 min = 960 km/h, 4 km in 1 min = 240, 5 km in 0 min.
  it.each([
    [{ durationMin: 5, distanceKm: 80 }, 'unscored', /80 km in 5 min is not drivable/],
    [{ durationMin: 1, distanceKm: 4 }, 'unscored', /not drivable/],
    [{ durationMin: 0, distanceKm: 5 }, 'unscored', /not drivable/],
    [
      { durationMin: 3, location: { latitude: 48.14, longitude: 11.58 } },
      'unscored',
      /km in 3 min is not drivable/,
    ],
    // 3 km in 1 min = 180 km/h; up to half a kilometer may be rounded to 0 minutes.
    [{ durationMin: 1, distanceKm: 3 }, 'pass', /1 min/],
    [{ durationMin: 0, distanceKm: 0.5 }, 'pass', /0 min/],
    // No road is shorter than the straight line: 7.78 km; a given drive time still counts.
    [{ distanceKm: 0.5, location: { latitude: 52.6, longitude: 13.41 } }, 'unscored', /no drive time/],
    [
      { distanceKm: 0.5, durationMin: 6, location: { latitude: 52.6, longitude: 13.41 } },
      'pass',
      /takes 6 min/,
    ],
  ] as const)('%j: %s', async (recommendation, decision, words) => {
    const finding = await to(recommendation);
    expect(finding.decision).toBe(decision);
    expect(finding.rationale).toMatch(words);
  });
});

describe('the great circle', () => {
  it('is 504 km from Berlin to Munich', () => {
    // Brandenburg Gate to Marienplatz; https://www.movable-type.co.uk/scripts/latlong.html gives the same formula.
    // Δφ = 4.3792°, Δλ = 1.8023°: a = sin²(2.1896°) + cos 52.5163° cos 48.1371° sin²(0.90115°)
    //   = 0.0014598 + 0.60850 × 0.66735 × 0.00024735 = 0.0015602; 2 · 6371.0088 · asin √a = 503.4 km.
    const berlin = { latitude: 52.5163, longitude: 13.3777 };
    const munich = { latitude: 48.1371, longitude: 11.5754 };
    expect(greatCircleKm(berlin, munich)).toBeCloseTo(503.4, 0);
  });

  const place = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });

  it('is 0 from a place to itself and the same in both directions', () => {
    fc.assert(
      fc.property(place, place, (one, other) => {
        expect(greatCircleKm(one, one)).toBe(0);
        expect(greatCircleKm(one, other)).toBeCloseTo(greatCircleKm(other, one) ?? Number.NaN, 6);
      }),
    );
  });

  it('is unknown where a coordinate is missing', () => {
    expect(greatCircleKm({ latitude: 1 }, from)).toBeNull();
    expect(greatCircleKm(undefined, from)).toBeNull();
  });
});
