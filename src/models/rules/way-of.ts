import { type EvalCase, fieldOf, Place } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';

type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

/** What a case says of the way, in the fields that the check names. */
export interface Way {
  durationMin: number | null;
  distanceKm: number | null;
  start: Place | undefined;
  place: Place | undefined;
}

const numberAt = (evalCase: EvalCase, path: string): number | null => {
  const value = fieldOf(evalCase, path);
  return typeof value === 'number' && value >= 0 ? value : null;
};

const placeAt = (evalCase: EvalCase, path: string): Place | undefined =>
  Place.safeParse(fieldOf(evalCase, path)).data;

export const wayOf = (check: DriveAtMost, evalCase: EvalCase): Way => ({
  durationMin: numberAt(evalCase, check.duration),
  distanceKm: numberAt(evalCase, check.distance),
  start: placeAt(evalCase, check.start),
  place: placeAt(evalCase, check.place),
});
