import { JuryError } from '../../common/errors.ts';
import type { Check } from '../../judging/check.ts';
import type { Rubric } from '../../judging/rubric.ts';
import { greatCircleKm } from '../../models/rules/great-circle.ts';

export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** A drive from one place to another. */
export interface Trip {
  distanceKm: number;
  durationMin: number;
}

/** Tells drives: a route service, or an assumption. */
export interface Router {
  /** Null where there is no way by car. */
  drive: (from: Coordinates, to: Coordinates) => Promise<Trip | null>;
  /** How far off a duration may be, as a share of it: 0 for a route service. */
  uncertainty: number;
  /** Where the drive times come from, in a sentence for whoever reads the data. */
  basis: string;
}

export type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

/** Drives by the assumptions of the check that judges them: great circle × detour, at the average speed. */
export const assumedRouter = ({ speedKmh, detour, uncertainty }: DriveAtMost): Router => ({
  uncertainty,
  basis: `assumed: roads ${detour} times as long as the straight line, driven at ${speedKmh} km/h; places within ${uncertainty * 100} % of the limit are not used`,
  drive: async (from, to) => {
    const distanceKm = (greatCircleKm(from, to) ?? 0) * detour;
    return { distanceKm, durationMin: (distanceKm / speedKmh) * 60 };
  },
});

/**
 * Drives by the assumptions that a rubric checks them with.
 * @throws JuryError `bad-file` where it checks none
 */
export function assumedRouterOf({ criteria, id }: Pick<Rubric, 'criteria' | 'id'>): Router {
  const check = criteria.map((criterion) => criterion.check).find((one) => one?.type === 'drive-at-most');
  if (check?.type === 'drive-at-most') return assumedRouter(check);
  throw new JuryError(
    'bad-file',
    `The rubric "${id}" has no check drive-at-most, so drives cannot be assumed.`,
  );
}
