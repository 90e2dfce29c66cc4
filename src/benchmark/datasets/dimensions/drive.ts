import * as z from 'zod';
import { JuryError } from '../../../common/errors.ts';
import { Id } from '../../../common/id.ts';
import type { Random } from '../../../statistics/random.ts';
import {
  type Coordinates,
  type District,
  type Drawn,
  districtsOf,
  type Scene,
  type Side,
  type Trip,
} from '../scene.ts';

const Range = z
  .tuple([z.number(), z.number()])
  .refine(([from, to]) => from <= to, 'must run from low to high');

/**
 * What the user has suffices for something that was drawn before, and in the error does not: the range that the car has
 * left, for the way to the station. Here the error lies in the situation, the recommendation stays the same.
 */
export const Reach = z.strictObject({
  id: Id,
  kind: z.literal('reach'),
  /** Path of what the user has. */
  field: z.string().min(1),
  /** The dimension that draws what it must suffice for, and the path of that number. */
  by: Id,
  of: z.string().min(1),
  /** How much of it may be used: 0.9 where a tenth must be left. */
  share: z.number().positive().max(1).default(1),
  /** What is enough, in whole numbers. It must be enough for the other dimension's error, too. */
  enough: Range,
  /** What is not, as a share of what is needed. */
  short: Range,
});
type Reach = z.infer<typeof Reach>;

const numberAt = ({ fields }: Side, path: string): number | null => {
  const value = fields[path];
  return typeof value === 'number' ? value : null;
};

/** @throws JuryError `bad-file` where the other dimension draws no such number, or `enough` is not enough for it */
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
      `Dimension "${id}" goes by ${of} of "${by}", which stands behind it or draws no such number.`,
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

/** The place lies within the drive that the criterion's check `drive-at-most` allows; its error lies beyond. */
export const Drive = z.strictObject({ id: Id, kind: z.literal('drive') });
type Drive = z.infer<typeof Drive>;

/** Half the side of the square around a district's middle in which places lie, in degrees: about 450 m and 300 m. */
const STRAY = 0.004;

const strayed = (degrees: number, random: Random): number =>
  Math.round((degrees + ((random.below(2001) - 1000) / 1000) * STRAY) * 10_000) / 10_000;

/** A place in a district. */
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
 * Draws one place near enough and one too far, in the user's city. As algorithm 3 of Habicht et al. asks a route service
 * again until the drive is long enough, places are drawn until one fits for certain: where drives are assumed, not even
 * the whole uncertainty of the assumption may change on which side of the limit it lies.
 *
 * @throws JuryError `bad-file` where no district of the city fits
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
  // What is shown is rounded to whole minutes, and must not be rounded to the other side.
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
