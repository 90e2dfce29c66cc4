import * as z from 'zod';
import { clockTime, neighborDay } from '../case/format/index.ts';
import { type OpeningHours, type Weekday, weekdays } from '../case/index.ts';
import { Id, JuryError, line } from '../common/index.ts';
import type { Criterion } from '../judging/standards/index.ts';
import type { Random } from '../statistics/index.ts';
import type { Coordinates, Router, Trip } from './driving-routes.ts';

/** Case values by dotted path: `recommendation.rating` → 4.5. */
type Fields = Readonly<Record<string, unknown>>;

/** The venue's fields in one dimension, with the system's wording. */
export interface Side {
  fields: Fields;
  said: Slots;
}

/** One dimension for one user: the wish, a venue that meets it and one that does not. */
export interface Drawn {
  id: string;
  /** The wish in words; empty for rules that always apply, such as opening hours. */
  wish: Slots;
  /** The requested term, for dimensions that depend on it. */
  chosen: string | null;
  right: Side;
  wrong: Side;
}

/** The situation of the user for whom a dimension is drawn. */
export interface Scene {
  place: District;
  /** ISO date. */
  date: string;
  weekday: Weekday;
  /** Minutes since midnight. */
  minute: number;
  areas: Areas;
  router: Router;
  /** The criterion that judges this dimension. */
  criterion: Criterion;
  /** Dimensions drawn earlier, by ID. */
  before: ReadonlyMap<string, Drawn>;
  /** The dimension's own random stream. */
  random: Random;
}

export const Range = z
  .tuple([z.number(), z.number()])
  .refine(([from, to]) => from <= to, 'must run from low to high');

/** Latitude and longitude in WGS 84 degrees. */
const Point = z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]);

const City = z
  .strictObject({
    name: line,
    /** Districts where users can be when they ask. */
    users: z.array(line).min(1),
    /** Coordinates of the centers of all districts where places can be. */
    districts: z.record(line, Point),
  })
  .superRefine(({ users, districts }, context) => {
    for (const [index, name] of users.entries()) {
      const message = `"${name}" is not among the districts`;
      if (!Object.hasOwn(districts, name))
        context.addIssue({ code: 'custom', path: ['users', index], message });
    }
  });

/** Locations of users and places, from `prompts/datasets/areas/<id>.yaml`. */
export const Areas = z.strictObject({ id: Id, title: line, source: line, cities: z.array(City).min(1) });
export type Areas = z.infer<typeof Areas>;

/** A district of a city. */
export interface District {
  /** `Schwabing, Munich`. */
  description: string;
  city: string;
  latitude: number;
  longitude: number;
}

const districtOf = (city: string, name: string, [latitude, longitude]: z.infer<typeof Point>): District => ({
  description: `${name}, ${city}`,
  city,
  latitude,
  longitude,
});

/** Districts where a user can be. */
export const userDistricts = ({ cities }: Areas): District[] =>
  cities.flatMap(({ name, users, districts }) =>
    users.flatMap((user) => {
      const point = districts[user];
      return point === undefined ? [] : [districtOf(name, user, point)];
    }),
  );

/** All districts of a city. */
const districtsOf = ({ cities }: Areas, city: string): District[] =>
  cities
    .filter(({ name }) => name === city)
    .flatMap(({ districts }) =>
      Object.entries(districts).map(([name, point]) => districtOf(city, name, point)),
    );

/** A name of a grammar text or of a phrase's form. Combined as `order`, `cost.adjective`. */
const Name = z
  .string()
  .regex(/^[a-z][A-Za-z0-9-]*$/, 'must be letters, digits and hyphens, a small letter first');

/** The forms in which a sentence can express a wish: `{adjective: cheap}`, `{tail: for little money}`. */
export const Phrase = z
  .record(Name, line)
  .refine((forms) => Object.keys(forms).length > 0, 'needs at least one form, such as {adjective: cheap}');
export type Phrase = z.infer<typeof Phrase>;

/** Texts by their names in the grammar: `cost.adjective` → `cheap`. */
export type Slots = Readonly<Record<string, string>>;

/** A phrase's forms as slots of its dimension. */
export const slotsOf = (dimension: string, phrase: Phrase): Slots =>
  Object.fromEntries(Object.entries(phrase).map(([form, text]) => [`${dimension}.${form}`, text]));

/** Alternative texts by name. `{name}` in a text refers to another name or to a slot. */
export const Grammar = z.record(Name, z.array(z.string()).min(1));
export type Grammar = z.infer<typeof Grammar>;

/** The right place is within the drive allowed by the criterion's `drive-at-most` check; the wrong one is beyond it. */
export const Drive = z.strictObject({ id: Id, kind: z.literal('drive') });
type Drive = z.infer<typeof Drive>;

/** Places are at most this far from their district's center, in degrees of latitude and longitude: about 450 m and 300 m. */
const STRAY = 0.004;

const strayed = (degrees: number, random: Random): number =>
  Math.round((degrees + ((random.below(2001) - 1000) / 1000) * STRAY) * 10_000) / 10_000;

const placeIn = (district: District, random: Random): Coordinates => ({
  latitude: strayed(district.latitude, random),
  longitude: strayed(district.longitude, random),
});

const sideOf = (id: string, district: District, place: Coordinates, trip: Trip): Side => {
  // Rounded as an assistant would say it; nothing is 0 minutes or 0 km away.
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
 * Draws one place that is near enough and one that is too far, in the user's city. Algorithm 3 of Habicht et al. asks a route service until
 * the drive is long enough; likewise, this draws until a place certainly fits: with assumed drives, even the full uncertainty of the
 * assumption must not move it across the limit.
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
  // Displayed minutes are rounded, which must not move them across the limit.
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

/** Parses days: `mon-thu` → Monday to Thursday. */
function daysOf(key: string): Weekday[] {
  const [first = 0, last = first] = key
    .split('-')
    .map((short) => weekdays.findIndex((day) => day.startsWith(short)));
  return weekdays.slice(first, last + 1);
}

/**
 * Opening hours for a week that list each day exactly once: `{mon-fri: 11:30-22:00, sat-sun: closed}`. Spans have the form `HH:MM-HH:MM`, are
 * separated by ", ", and may run past midnight.
 */
export const Week = z
  .record(
    z.string().regex(DAYS, 'must be a day or days such as mon or mon-thu'),
    z.union([z.literal('closed'), z.string().regex(SPANS, 'must be hours such as 11:30-14:30, 17:00-22:00')]),
  )
  .transform((texts, context): OpeningHours => {
    const days = Object.entries(texts).flatMap(([key, text]) =>
      daysOf(key).map((day) => [day, text.replace('00:00-00:00', '00:00-24:00')] as const),
    );
    if (days.length !== weekdays.length || new Set(days.map(([day]) => day)).size !== weekdays.length)
      context.addIssue({ code: 'custom', message: 'must name each day of the week exactly once' });
    return Object.fromEntries(days);
  });

/** Minutes since midnight: `20:35` → 1235. */
export const minuteOf = (clock: string): number => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * 60 + minute;
};

/** Minutes since the day's midnight; the end may be past 24:00. */
const spansOf = (text = 'closed'): [from: number, to: number][] =>
  text === 'closed'
    ? []
    : text.split(', ').map((span) => {
        const [from = 0, to = 0] = span.split('-').map(minuteOf);
        return [from, to > from ? to : to + DAY];
      });

/** Minutes until closing; 0 if closed. At the closing minute itself, the place counts as closed. */
export function minutesLeft(week: OpeningHours, day: Weekday, minute: number): number {
  const yesterday = spansOf(week[neighborDay(day, -1)]).map(([from, to]) => [from - DAY, to - DAY] as const);
  const open = [...spansOf(week[day]), ...yesterday].filter(([from, to]) => from <= minute && minute < to);
  return Math.max(0, ...open.map(([, to]) => to - minute));
}

/** The right place is open when the user asks; the wrong one has other hours and is closed. */
export const Open = z.strictObject({
  id: Id,
  kind: z.literal('open'),
  /** Path of the opening hours. */
  field: z.string().min(1),
  /** Minutes that the right place must stay open, so that a visit makes sense. */
  leastLeft: z.int().min(1),
  weeks: z.array(Week).min(1),
});
type Open = z.infer<typeof Open>;

/** @throws JuryError `bad-file` if no week is open, or none is closed, at that time */
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
