import type { Place } from '../../case/case.ts';

/** Mean radius of the Earth in km (IUGG). */
const EARTH_KM = 6371.0088;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Length of the straight line over the ground in km (haversine formula), or null where a coordinate is missing. */
export function greatCircleKm(from: Place | undefined, to: Place | undefined): number | null {
  if (from?.latitude === undefined || from.longitude === undefined) return null;
  if (to?.latitude === undefined || to.longitude === undefined) return null;
  const halfway = (a: number, b: number) => Math.sin(radians(b - a) / 2) ** 2;
  const h =
    halfway(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * halfway(from.longitude, to.longitude);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}
