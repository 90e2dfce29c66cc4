import * as z from 'zod';
import { Id } from '../../common/id.ts';

const line = z.string().trim().min(1);

/** Latitude and longitude in WGS 84 degrees. */
const Point = z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]);

const City = z
  .strictObject({
    name: line,
    /** Districts in which users are when they ask. */
    users: z.array(line).min(1),
    /** Districts with their middles: where places lie, near ones and far ones. */
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

/** Where users and places are, read from `prompts/datasets/areas/<id>.yaml`. */
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
