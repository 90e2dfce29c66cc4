import type { Check } from '../../core/check.ts';
import { greatCircleKm } from './great-circle.ts';
import type { Matter } from './matter.ts';
import { counted, decided, type Outcome, shown, undecidable } from './outcome.ts';

type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

/** Above this speed in km/h a given duration and a given distance cannot both be right. */
const IMPOSSIBLE_KMH = 250;

const NEAR = 'which is near enough';
const FAR = 'which is too far';

interface Estimate {
  minutes: number;
  found: string;
  assumption: string;
}

/** Durations are compared to the thousandth of a minute, so that floating point does not decide. */
const EPSILON = 1e-3;

function contradictions(matter: Matter, duration: number): string[] {
  const given = matter.evalCase.recommendation?.distanceKm;
  const straight = greatCircleKm(matter.evalCase.context?.location, matter.evalCase.recommendation?.location);
  const notes: string[] = [];
  const impossible = (km: number) => km > 0.5 && km > (IMPOSSIBLE_KMH / 60) * duration;
  if (given !== undefined && impossible(given))
    notes.push(
      `${shown(given)} km in ${counted(duration, 'minute')} is not drivable, so one of the two is wrong; the duration counts`,
    );
  else if (given === undefined && straight !== null && impossible(straight))
    notes.push(
      `the places lie ${shown(straight)} km apart, which is not drivable in ${counted(duration, 'minute')}; the duration counts`,
    );
  if (given !== undefined && straight !== null && straight > given * 1.1 + 0.2)
    notes.push(
      `the coordinates lie ${shown(straight)} km apart in a straight line, more than the ${shown(given)} km given as the distance`,
    );
  return notes;
}

function estimate(check: DriveAtMost, matter: Matter): Estimate | null {
  const { recommendation, context } = matter.evalCase;
  const speed = `${shown(check.speedKmh)} km/h on average in the city`;
  const minutesFor = (km: number) => (km / check.speedKmh) * 60;
  if (recommendation?.distanceKm !== undefined) {
    const km = recommendation.distanceKm;
    return {
      minutes: minutesFor(km),
      found: `the venue is ${shown(km)} km away and no drive time is given`,
      assumption: `${speed} was assumed: ${shown(km)} km ÷ ${shown(check.speedKmh)} km/h = ${shown(minutesFor(km))} minutes`,
    };
  }
  const straight = greatCircleKm(context?.location, recommendation?.location);
  if (straight === null) return null;
  const road = straight * check.detour;
  return {
    minutes: minutesFor(road),
    found: `the venue is ${shown(straight)} km away in a straight line and no drive time is given`,
    assumption: `a road ${shown(check.detour)} times as long as the straight line and ${speed} were assumed: ${shown(straight)} km × ${shown(check.detour)} ÷ ${shown(check.speedKmh)} km/h = ${shown(minutesFor(road))} minutes`,
  };
}

/**
 * The drive takes at most `minutes`; exactly that long still passes. A given duration counts; else the given
 * distance, else the great-circle distance times `detour`, at `speedKmh`. Where the limit lies within `uncertainty` of
 * an estimate, the assumption would decide and there is no decision.
 */
export function driveAtMost(check: DriveAtMost, matter: Matter): Outcome {
  const from = matter.evalCase.context?.location?.description;
  const asked = from === undefined ? 'the user is on the road' : `the user starts from ${from}`;
  const limit = `the drive must take at most ${counted(check.minutes, 'minute')}`;
  const compare = (minutes: number, about: string) => {
    const over = minutes - check.minutes;
    if (Math.abs(over) <= EPSILON)
      return `${about}${shown(minutes)} min = ${shown(check.minutes)} min, just within the limit`;
    return over > 0
      ? `${about}${shown(minutes)} min > ${shown(check.minutes)} min, ${shown(over)} min too long`
      : `${about}${shown(minutes)} min ≤ ${shown(check.minutes)} min, ${shown(-over)} min to spare`;
  };
  const duration = matter.evalCase.recommendation?.durationMin;
  if (duration !== undefined)
    return decided(duration <= check.minutes + EPSILON, {
      asked,
      found: `the drive takes ${counted(duration, 'minute')}`,
      limit,
      calculation: compare(duration, ''),
      meaning: duration <= check.minutes + EPSILON ? NEAR : FAR,
      gist: `${counted(duration, 'minute')} away`,
      notes: contradictions(matter, duration),
    });
  const guess = estimate(check, matter);
  if (guess === null)
    return undecidable(
      'the case gives neither a drive time nor a distance nor the coordinates of both places',
      'give recommendation.durationMin (minutes)',
      { asked, limit, gist: 'no drive time' },
    );
  const facts = {
    asked,
    found: guess.found,
    limit,
    calculation: compare(guess.minutes, 'about '),
    assumption: guess.assumption,
    meaning: guess.minutes <= check.minutes ? NEAR : FAR,
    gist: `about ${counted(guess.minutes, 'minute')} away`,
  };
  const [low, high] = [guess.minutes * (1 - check.uncertainty), guess.minutes * (1 + check.uncertainty)];
  if (low <= check.minutes && check.minutes < high)
    return undecidable(
      `about ${counted(guess.minutes, 'minute')} is too close to the limit of ${counted(check.minutes, 'minute')} to call without a drive time: the estimate may be ${shown(check.uncertainty * 100)} % off`,
      'give recommendation.durationMin (minutes)',
      { ...facts, gist: 'too close to call without a drive time' },
    );
  return decided(guess.minutes <= check.minutes, facts);
}
