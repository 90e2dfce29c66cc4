import * as z from 'zod';
import type { Weekday } from '../../case/case.ts';
import { Id, line } from '../../common/schema.ts';
import type { Criterion } from '../../judging/rubric.ts';
import type { Random } from '../../statistics/random.ts';
import type { Router } from './router.ts';

/** Values by dotted path in a case: `recommendation.rating` → 4.5. */
type Fields = Readonly<Record<string, unknown>>;

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
  .record(Name, line)
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
