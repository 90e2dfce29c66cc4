import * as z from 'zod';
import { greatCircleKm, type Weekday } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import { Id } from '../../common/schema.ts';
import type { Check } from '../../judging/check.ts';
import type { Criterion, Rubric } from '../../judging/rubric.ts';
import type { Random } from '../../statistics/random.ts';

/** Values by dotted path in a case: `recommendation.rating` → 4.5. */
export type Fields = Readonly<Record<string, unknown>>;

/** The venue's fields in one dimension, and the system's wording. */
export interface Side {
  fields: Fields;
  said: Slots;
}

/** One dimension of one user: the wish, what fulfills it and what does not. */
export interface Drawn {
  id: string;
  /** The wish in words; empty for rules that apply unasked, such as opening hours. */
  wish: Slots;
  /** The requested term, for dimensions that depend on it. */
  chosen: string | null;
  right: Side;
  wrong: Side;
}

/** One user's situation, for which a dimension is drawn. */
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
  /** Earlier dimensions, by id. */
  before: ReadonlyMap<string, Drawn>;
  /** The dimension's own random stream. */
  random: Random;
}

export const line = z.string().trim().min(1);

export const Range = z
  .tuple([z.number(), z.number()])
  .refine(([from, to]) => from <= to, 'must run from low to high');

/** Latitude and longitude in WGS 84 degrees. */
const Point = z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]);

const City = z
  .strictObject({
    name: line,
    /** Districts in which users are when they ask. */
    users: z.array(line).min(1),
    /** Districts of places, near and far, with their centers. */
    districts: z.record(line, Point),
  })
  .superRefine((city, context) => {
    city.users.forEach((name, index) => {
      if (!Object.hasOwn(city.districts, name))
        context.addIssue({
          code: 'custom',
          path: ['users', index],
          message: `"${name}" is not among the districts`,
        });
    });
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

/** Districts in which a user can be. */
export const userDistricts = ({ cities }: Areas): District[] =>
  cities.flatMap(({ name, users, districts }) =>
    users.flatMap((user) => {
      const point = districts[user];
      return point === undefined ? [] : [districtOf(name, user, point)];
    }),
  );

/** All districts of a city. */
export const districtsOf = ({ cities }: Areas, city: string): District[] =>
  cities
    .filter(({ name }) => name === city)
    .flatMap(({ districts }) =>
      Object.entries(districts).map(([name, point]) => districtOf(city, name, point)),
    );

/** A word in a grammar or a form of a phrase: `order`, `cost.adjective`. */
const Name = z
  .string()
  .regex(/^[a-z][A-Za-z0-9-]*$/, 'must be letters, digits and hyphens, a small letter first');

/** A wish in words, by the forms in which sentences can hold it: `{adjective: cheap}`, `{tail: for little money}`. */
export const Phrase = z
  .record(Name, z.string().trim().min(1))
  .refine((forms) => Object.keys(forms).length > 0, 'needs at least one form, such as {adjective: cheap}');
export type Phrase = z.infer<typeof Phrase>;

/** Texts by the names under which a grammar finds them: `cost.adjective` → `cheap`. */
export type Slots = Readonly<Record<string, string>>;

/** A phrase's forms as slots of the dimension that it belongs to. */
export const slotsOf = (dimension: string, phrase: Phrase): Slots =>
  Object.fromEntries(Object.entries(phrase).map(([form, text]) => [`${dimension}.${form}`, text]));

/** Alternative texts by name. `{name}` in a text refers to another name or a slot. */
export const Grammar = z.record(Name, z.array(z.string()).min(1));
export type Grammar = z.infer<typeof Grammar>;

export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** A drive from one place to another. */
export interface Trip {
  distanceKm: number;
  durationMin: number;
}

/** A route service, or an assumption. */
export interface Router {
  /** Null if there is no way by car. */
  drive: (from: Coordinates, to: Coordinates) => Promise<Trip | null>;
  /** Relative uncertainty of durations: 0 for a route service. */
  uncertainty: number;
  /** The source of drive times, in words for readers of the data. */
  basis: string;
}

export type DriveAtMost = Extract<Check, { type: 'drive-at-most' }>;

/** Drives by the assumptions of the check: great circle × detour, at the average speed. */
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
 * @throws JuryError `bad-file` if it has no such check
 */
export function assumedRouterOf({ criteria, id }: Pick<Rubric, 'criteria' | 'id'>): Router {
  const check = criteria.map((criterion) => criterion.check).find((one) => one?.type === 'drive-at-most');
  if (check?.type === 'drive-at-most') return assumedRouter(check);
  throw new JuryError(
    'bad-file',
    `The rubric "${id}" has no check drive-at-most, so drives cannot be assumed.`,
  );
}

/** Values by dotted path as nested objects: `{"context.date": …}` → `{context: {date: …}}`. */
export function nested(fields: Fields): Record<string, unknown> {
  const inner = new Map<string, Record<string, unknown>>();
  const whole: [string, unknown][] = [];
  for (const [path, value] of Object.entries(fields)) {
    const dot = path.indexOf('.');
    if (dot < 0) whole.push([path, value]);
    else {
      const root = path.slice(0, dot);
      inner.set(root, { ...inner.get(root), [path.slice(dot + 1)]: value });
    }
  }
  return Object.fromEntries([...whole, ...[...inner].map(([root, rest]) => [root, nested(rest)] as const)]);
}
