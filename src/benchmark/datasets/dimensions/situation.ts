import * as z from 'zod';
import { type OpeningHours, type Weekday, weekdays } from '../../../case/case.ts';
import { clockTime, neighborDay } from '../../../case/opening-hours.ts';
import { JuryError } from '../../../common/errors.ts';
import { Id } from '../../../common/schema.ts';
import type { Random } from '../../../statistics/random.ts';
import type { Coordinates, Trip } from '../router.ts';
import { type District, type Drawn, districtsOf, Range, type Scene, type Side } from '../scene.ts';

/**
 * Something the user has is enough for an earlier dimension's number, and in the error it is not: such as the car's range for the
 * distance to the station. Here the error is in the situation; the recommendation stays the same.
 */
export const Reach = z.strictObject({
  id: Id,
  kind: z.literal('reach'),
  /** Path of what the user has. */
  field: z.string().min(1),
  /** The dimension that draws the required number, and its path. */
  by: Id,
  of: z.string().min(1),
  /** Usable share: 0.9 if a tenth must remain. */
  share: z.number().positive().max(1).default(1),
  /** Sufficient amounts, in whole numbers; they must suffice for the other dimension's error too. */
  enough: Range,
  /** Insufficient amounts, as a share of what is needed. */
  short: Range,
});
type Reach = z.infer<typeof Reach>;

const numberAt = ({ fields }: Side, path: string): number | null => {
  const value = fields[path];
  return typeof value === 'number' ? value : null;
};

/** @throws JuryError `bad-file` if the other dimension draws no such number, or `enough` does not suffice */
export function drawReach(
  { id, field, by, of, share, enough, short }: Reach,
  { before, random }: Scene,
): Drawn {
  const other = before.get(by);
  const [right, wrong] = [other?.right, other?.wrong].map((side) =>
    side === undefined ? null : numberAt(side, of),
  );
  if (typeof right !== 'number' || typeof wrong !== 'number')
    throw new JuryError(
      'bad-file',
      `Dimension "${id}" depends on ${of} of "${by}", which comes later or draws no such number.`,
    );
  const least = Math.max(Math.ceil(enough[0]), Math.ceil(Math.max(right, wrong) / share));
  const most = Math.floor(enough[1]);
  if (least > most)
    throw new JuryError(
      'bad-file',
      `Dimension "${id}": ${most} is not enough where ${of} is ${Math.max(right, wrong)}.`,
    );
  const part = short[0] + (random.below(1001) / 1000) * (short[1] - short[0]);
  const sideOf = (value: number): Side => ({
    fields: { [field]: value },
    said: { [`${id}.said`]: String(value) },
  });
  return {
    id,
    wish: {},
    chosen: null,
    right: sideOf(least + random.below(most - least + 1)),
    wrong: sideOf(Math.floor(right * part * 10) / 10),
  };
}

/** The place is within the drive that the criterion's check `drive-at-most` allows; its error is beyond it. */
export const Drive = z.strictObject({ id: Id, kind: z.literal('drive') });
type Drive = z.infer<typeof Drive>;

/** Half the side of the square of places around a district's center, in degrees: about 450 m and 300 m. */
const STRAY = 0.004;

const strayed = (degrees: number, random: Random): number =>
  Math.round((degrees + ((random.below(2001) - 1000) / 1000) * STRAY) * 10_000) / 10_000;

const placeIn = (district: District, random: Random): Coordinates => ({
  latitude: strayed(district.latitude, random),
  longitude: strayed(district.longitude, random),
});

const sideOf = (id: string, district: District, place: Coordinates, trip: Trip): Side => {
  const minutes = Math.max(1, Math.round(trip.durationMin));
  const km = Math.max(0.1, Math.round(trip.distanceKm * 10) / 10);
  return {
    fields: {
      'recommendation.location': { ...place, description: district.description },
      'recommendation.distanceKm': km,
      'recommendation.durationMin': minutes,
    },
    said: {
      [`${id}.district`]: district.description.replace(`, ${district.city}`, ''),
      [`${id}.minutes`]: `${minutes} minute${minutes === 1 ? '' : 's'}`,
      [`${id}.km`]: `${km} km`,
    },
  };
};

/**
 * Draws one place that is near enough and one that is too far, in the user's city. Like algorithm 3 of Habicht et al., which asks a route
 * service until the drive is long enough, it draws places until one certainly fits: with assumed drives, not even the full uncertainty
 * of the assumption may move it across the limit.
 *
 * @throws JuryError `bad-file` if no district of the city fits
 */
export async function drawDrive({ id }: Drive, scene: Scene): Promise<Drawn> {
  const { areas, criterion, place, random, router } = scene;
  const check = criterion.check;
  if (check?.type !== 'drive-at-most')
    throw new JuryError(
      'bad-file',
      `Dimension "${id}" draws drives, but criterion "${criterion.id}" of the rubric has no check drive-at-most.`,
    );
  const { uncertainty } = router;
  const isNear = ({ durationMin }: Trip) => durationMin * (1 + uncertainty) <= check.minutes;
  // Minutes are rounded for display, which must not move them across the limit.
  const isFar = ({ durationMin }: Trip) =>
    durationMin * (1 - uncertainty) > check.minutes && Math.round(durationMin) > check.minutes;
  const draw = async (fits: (trip: Trip) => boolean, what: string): Promise<Side> => {
    for (const district of random.shuffled(districtsOf(areas, place.city))) {
      const spot = placeIn(district, random);
      const trip = await router.drive(place, spot);
      if (trip !== null && fits(trip)) return sideOf(id, district, spot, trip);
    }
    throw new JuryError(
      'bad-file',
      `No district of ${place.city} is ${what} than ${check.minutes} minutes from ${place.description}: add one to datasets/areas/${areas.id}.yaml.`,
    );
  };
  const right = await draw(isNear, 'certainly nearer');
  const wrong = await draw(isFar, 'certainly farther');
  return { id, wish: {}, chosen: null, right, wrong };
}

const DAY = 24 * 60;
const SPANS = /^\d\d:\d\d-\d\d:\d\d(?:, \d\d:\d\d-\d\d:\d\d)*$/;
const DAYS = /^(?:mon|tue|wed|thu|fri|sat|sun)(?:-(?:mon|tue|wed|thu|fri|sat|sun))?$/;

/** `mon-thu` → Monday to Thursday. */
function daysOf(key: string): Weekday[] {
  const [first = 0, last = first] = key
    .split('-')
    .map((short) => weekdays.findIndex((day) => day.startsWith(short)));
  return weekdays.slice(first, last + 1);
}

/**
 * The opening hours of a week, with each day exactly once: `{mon-fri: 11:30-22:00, sat-sun: closed}`. Spans are `HH:MM-HH:MM`, separated
 * by ", ", and may pass midnight.
 */
export const Week = z
  .record(
    z.string().regex(DAYS, 'must be a day or days such as mon or mon-thu'),
    z.union([z.literal('closed'), z.string().regex(SPANS, 'must be hours such as 11:30-14:30, 17:00-22:00')]),
  )
  .transform((texts, context): OpeningHours => {
    const found = Object.entries(texts).flatMap(([key, text]) =>
      daysOf(key).map((day) => [day, text.replace('00:00-00:00', '00:00-24:00')] as const),
    );
    if (found.length !== weekdays.length || new Set(found.map(([day]) => day)).size !== weekdays.length)
      context.addIssue({ code: 'custom', message: 'must name each day of the week exactly once' });
    return Object.fromEntries(found);
  });

/** `20:35` → 1235. */
export const minuteOf = (clock: string): number => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * 60 + minute;
};

/** Minutes since the day's midnight; the end may be on the next day. */
const spansOf = (text = 'closed'): [from: number, to: number][] =>
  text === 'closed'
    ? []
    : text.split(', ').map((span) => {
        const [from = 0, to = 0] = span.split('-').map(minuteOf);
        return [from, to > from ? to : to + DAY];
      });

/** Minutes until it closes; 0 if it is closed. It is closed from the closing minute on. */
export function minutesLeft(week: OpeningHours, day: Weekday, minute: number): number {
  const yesterday = spansOf(week[neighborDay(day, -1)]).map(([from, to]) => [from - DAY, to - DAY] as const);
  const open = [...spansOf(week[day]), ...yesterday].filter(([from, to]) => from <= minute && minute < to);
  return Math.max(0, ...open.map(([, to]) => to - minute));
}

/** The place is open at the user's moment; in the error it has other hours, by which it is closed. */
export const Open = z.strictObject({
  id: Id,
  kind: z.literal('open'),
  /** Path of the opening hours. */
  field: z.string().min(1),
  /** Minutes for which the right place must stay open, so that a visit makes sense. */
  leastLeft: z.int().min(1),
  weeks: z.array(Week).min(1),
});
type Open = z.infer<typeof Open>;

/** @throws JuryError `bad-file` if no week is open, or none closed, at the moment */
export function drawOpen({ id, field, leastLeft, weeks }: Open, scene: Scene): Drawn {
  const { weekday, minute, random } = scene;
  const draw = (fits: (left: number) => boolean, what: string): Side => {
    const fitting = weeks.filter((week) => fits(minutesLeft(week, weekday, minute)));
    if (fitting.length === 0)
      throw new JuryError(
        'bad-file',
        `No week of dimension "${id}" is ${what} on ${weekday} at ${clockTime(minute)}: add one.`,
      );
    return { fields: { [field]: random.pick(fitting) }, said: {} };
  };
  const right = draw((left) => left >= leastLeft, `open for another ${leastLeft} minutes`);
  const wrong = draw((left) => left === 0, 'closed');
  return { id, wish: {}, chosen: null, right, wrong };
}
