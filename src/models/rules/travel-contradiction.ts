import type { Check } from '../../judging/check.ts';
import { greatCircleKm } from './great-circle.ts';
import { counted, shown } from './outcome.ts';
import type { Way } from './way-of.ts';

type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

/** No drive to a restaurant averages more than this in km/h: then distance or duration is wrong. */
const IMPOSSIBLE_KMH = 200;
/** Distances up to this in km may be rounded to no minutes at all. */
const NEGLIGIBLE_KM = 0.5;

export interface TravelContradiction {
  /** `the case gives 80 km and 5 minutes, which is 960 km/h`. */
  problem: string;
  /** What to correct. */
  next: string;
  /** Whether drive time and way cannot both be right; else only two statements of the way differ. */
  ofDuration: boolean;
}

/** What a case says of the way that cannot all be right, or null. */
export function travelContradiction(check: DriveAtMost, way: Way): TravelContradiction | null {
  const { durationMin, distanceKm } = way;
  const straight = greatCircleKm(way.start, way.place);
  if (durationMin !== null) {
    const ways: [km: number, words: string, field: string][] = [
      ...(distanceKm === null
        ? []
        : [[distanceKm, `${shown(distanceKm)} km`, check.distance] satisfies [number, string, string]]),
      ...(straight === null
        ? []
        : [
            [straight, `places ${shown(straight)} km apart`, 'the coordinates'] satisfies [
              number,
              string,
              string,
            ],
          ]),
    ];
    for (const [km, words, field] of ways)
      if (km > NEGLIGIBLE_KM && km * 60 > IMPOSSIBLE_KMH * durationMin)
        return {
          problem: `${words} in ${counted(durationMin, 'minute')} is not drivable, so one of the two is wrong`,
          next: `correct ${check.duration} or ${field}`,
          ofDuration: true,
        };
  }
  // A tenth and 200 m for rounding: no road is shorter than the straight line.
  if (distanceKm !== null && straight !== null && straight > distanceKm * 1.1 + 0.2)
    return {
      problem: `the coordinates lie ${shown(straight)} km apart, more than the ${shown(distanceKm)} km given as the distance`,
      next: `correct ${check.distance} or the coordinates, or give ${check.duration}`,
      ofDuration: false,
    };
  return null;
}
