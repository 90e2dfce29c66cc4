import type { Check } from '../../judging/check.ts';
import { greatCircleKm } from './great-circle.ts';
import { shown } from './outcome.ts';
import type { Way } from './way-of.ts';

type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

/** A length of the way or of the drive that the case does not state, and how it came about. */
export interface Estimate {
  value: number;
  /** `12 km at an assumed 25 km/h`. */
  basis: string;
  /** The assumption with its formula. */
  assumption: string;
}

/** The road in km, guessed from the great circle times `detour`; null where a coordinate is missing. */
export function estimateKm(check: DriveAtMost, way: Way): (Estimate & { straight: number }) | null {
  const straight = greatCircleKm(way.start, way.place);
  if (straight === null) return null;
  const value = straight * check.detour;
  return {
    value,
    straight,
    basis: `${shown(straight)} km in a straight line`,
    assumption: `a road ${shown(check.detour)} times as long as the straight line was assumed: ${shown(straight)} km × ${shown(check.detour)} = ${shown(value)} km`,
  };
}

/** The drive in minutes, guessed from the given distance or else from the places; null where there is neither. */
export function estimateMinutes(check: DriveAtMost, way: Way): Estimate | null {
  const speed = `${shown(check.speedKmh)} km/h on average in the city`;
  const minutesFor = (km: number) => (km / check.speedKmh) * 60;
  const given = way.distanceKm;
  if (given !== null)
    return {
      value: minutesFor(given),
      basis: `${shown(given)} km at an assumed ${shown(check.speedKmh)} km/h`,
      assumption: `no drive time is given, and ${speed} was assumed: ${shown(given)} km ÷ ${shown(check.speedKmh)} km/h = ${shown(minutesFor(given))} minutes`,
    };
  const road = estimateKm(check, way);
  if (road === null) return null;
  return {
    value: minutesFor(road.value),
    basis: `${shown(road.straight)} km in a straight line, at an assumed ${shown(check.speedKmh)} km/h`,
    assumption: `no drive time is given; a road ${shown(check.detour)} times as long as the straight line and ${speed} were assumed: ${shown(road.straight)} km × ${shown(check.detour)} ÷ ${shown(check.speedKmh)} km/h = ${shown(minutesFor(road.value))} minutes`,
  };
}
