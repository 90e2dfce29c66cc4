import type { Check } from '../../judging/check.ts';
import type { Matter } from './matter.ts';
import { counted, decided, type Outcome, quoted, shown, undecidable } from './outcome.ts';
import { type Bound, boundWords, compareWithBound, isWithin, kmBound, minutesBound } from './travel-bound.ts';
import { travelContradiction } from './travel-contradiction.ts';
import { type Estimate, estimateKm, estimateMinutes } from './travel-estimate.ts';
import { type Way, wayOf } from './way-of.ts';

type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

const startOf = (way: Way): string => {
  const from = way.start?.description;
  return from === undefined ? '' : `the user starts from ${from}`;
};

const meaningOf = (value: number, bound: Bound, unit = ''): string =>
  isWithin(value, bound)
    ? `within the limit of ${boundWords(bound, unit)}`
    : bound.strict && value <= bound.value
      ? `which is not below ${boundWords(bound, unit)}`
      : `more than ${boundWords(bound, unit)}`;

/** An estimate is not told more exactly than it is. */
const rounded = (value: number): number => (value >= 20 ? Math.round(value) : Math.round(value * 10) / 10);

/** Whether an estimate may lie on either side of the bound. */
const isTooClose = (guess: Estimate, bound: Bound, { uncertainty }: DriveAtMost): boolean =>
  isWithin(guess.value * (1 - uncertainty), bound) !== isWithin(guess.value * (1 + uncertainty), bound);

/** The drive takes at most as long as `bound` says; a given duration counts, else an estimate. */
function checkMinutes(check: DriveAtMost, way: Way, bound: Bound): Outcome {
  const duration = way.durationMin;
  const by = bound.quote === null ? '' : `, as the user says (${quoted(bound.quote)})`;
  const limit = `the drive must take ${bound.strict ? 'less than' : 'at most'} ${counted(bound.value, 'minute')}${by}`;
  const asked = startOf(way);
  if (duration !== null)
    return decided(isWithin(duration, bound), {
      asked,
      found: `the drive takes ${counted(duration, 'minute')}`,
      limit,
      calculation: compareWithBound(duration, bound, 'min'),
      meaning: meaningOf(duration, bound),
      gist: `${counted(duration, 'minute')} away`,
    });
  const guess = estimateMinutes(check, way);
  if (guess === null)
    return undecidable(
      'the case gives no drive time, no distance and not both places',
      `give ${check.duration} (minutes)`,
      { asked, limit, gist: 'no drive time' },
    );
  const about = `about ${counted(rounded(guess.value), 'minute')}`;
  const found = `${about} by car (${guess.basis})`;
  const facts = { asked, found, limit, assumption: guess.assumption };
  if (isTooClose(guess, bound, check))
    return undecidable(
      `${about} (${guess.basis}, ± ${shown(check.uncertainty * 100)} %) is too close to ${boundWords(bound)} to call`,
      `give ${check.duration} (minutes)`,
      { ...facts, gist: 'too close to call without a drive time' },
    );
  const meaning = meaningOf(guess.value, bound);
  return decided(isWithin(guess.value, bound), {
    ...facts,
    found: '',
    asked: [asked, found].filter((clause) => clause !== '').join('; '),
    calculation: `${found}, ${meaning}`,
    meaning,
    gist: `${about} away`,
  });
}

/** The way is at most as long as the user allows; a given distance counts, else the straight line with its detour. */
function checkKm(check: DriveAtMost, way: Way, bound: Bound): Outcome {
  const limit = `the way must be ${bound.strict ? 'shorter than' : 'at most'} ${shown(bound.value)} km, as the user says (${quoted(bound.quote ?? '')})`;
  const asked = startOf(way);
  const given = way.distanceKm;
  if (given !== null)
    return decided(isWithin(given, bound), {
      asked,
      found: `the venue is ${shown(given)} km away`,
      limit,
      calculation: compareWithBound(given, bound, 'km'),
      meaning: meaningOf(given, bound, ' km'),
      gist: `${shown(given)} km away`,
    });
  const guess = estimateKm(check, way);
  const next = `give ${check.distance}`;
  if (guess === null)
    return undecidable(`the user says ${quoted(bound.quote ?? '')}, but the case gives no distance`, next, {
      asked,
      limit,
      gist: 'no distance',
    });
  const facts = { asked, found: `the venue lies ${guess.basis}`, limit };
  // No road is shorter than the straight line, so beyond the limit nothing needs to be assumed.
  const isBeyond = !isWithin(guess.straight, bound);
  if (!isBeyond && (isTooClose(guess, bound, check) || !isWithin(guess.value, bound)))
    return undecidable(
      `about ${shown(guess.value)} km by road (${guess.basis}) is too close to ${boundWords(bound, ' km')} to call`,
      next,
      { ...facts, assumption: guess.assumption, gist: 'too close to call without a distance' },
    );
  const meaning = meaningOf(isBeyond ? guess.straight : guess.value, bound, ' km');
  return decided(!isBeyond, {
    ...facts,
    calculation: `${guess.basis}, ${meaning}`,
    assumption: isBeyond ? null : guess.assumption,
    meaning,
    gist: `${shown(guess.straight)} km away`,
  });
}

/** Both hold: told as one. */
const both = (drive: Outcome, way: Outcome): Outcome => ({
  ...drive,
  found: [drive.found, way.found].filter((clause) => clause !== '').join(' and '),
  limit: `${drive.limit}; ${way.limit}`,
  calculation: `${drive.calculation}; ${way.calculation}`,
  meaning: 'within both limits',
  assumption: drive.assumption ?? way.assumption,
  notes:
    drive.assumption !== null && way.assumption !== null ? [...drive.notes, way.assumption] : drive.notes,
});

/**
 * The drive takes at most `minutes`; exactly that long still passes. A given duration counts; else the given
 * distance, else the great-circle distance times `detour`, at `speedKmh`. Where the limit lies within `uncertainty` of
 * an estimate, the assumption would decide and there is no decision. A stricter limit that the user names in minutes,
 * kilometers or miles counts as well; words about the way that set no exact limit leave it open. Statements that cannot
 * all be true (see travel-contradiction.ts) leave it open, too.
 */
export function driveAtMost(check: DriveAtMost, matter: Matter): Outcome {
  const wishes = matter.request.travel;
  const figures = wayOf(check, matter.evalCase);
  const unclear = wishes.find((wish) => wish.kind === 'unclear');
  const rule: Bound = { value: check.minutes, strict: false, quote: null };
  const contradiction = travelContradiction(check, figures);
  const hasDuration = figures.durationMin !== null;
  const way = kmBound(wishes);
  if (contradiction !== null && (contradiction.ofDuration || !hasDuration || way !== null))
    return undecidable(contradiction.problem, contradiction.next, {
      asked: startOf(figures),
      limit: `the drive must take at most ${counted(check.minutes, 'minute')}`,
      gist: 'contradictory figures',
    });
  const drive = checkMinutes(check, figures, unclear === undefined ? minutesBound(check, wishes) : rule);
  const notes = contradiction === null ? [] : [contradiction.problem];
  const noted: Outcome = { ...drive, notes: [...drive.notes, ...notes] };
  if (drive.decision === 'fail') return noted;
  if (unclear !== undefined)
    return undecidable(
      `no exact limit of the way can be read from ${quoted(unclear.quote, 40)}`,
      'ask a model, or say "within 10 minutes"',
      { asked: startOf(figures), limit: drive.limit, gist: 'the limit of the way is not clear' },
    );
  if (way === null) return noted;
  const length = checkKm(check, figures, way);
  if (length.decision === 'fail' || drive.decision === 'pass')
    return length.decision === 'pass' ? both(noted, length) : length;
  return noted;
}
