import * as z from 'zod';

/** How a criterion is answered: pass or fail, or a number between two bounds, with the meaning of each level. */
export const Scale = z.union([
  z.literal('binary'),
  z
    .strictObject({
      min: z.number(),
      max: z.number(),
      /** Meaning of levels, keyed by the number; where given, only whole numbers count as an answer. */
      levels: z.record(z.string().regex(/^-?\d+$/, 'must be a whole number'), z.string().min(1)).optional(),
    })
    .refine((scale) => scale.min < scale.max, 'min must be below max')
    .refine(
      ({ min, max, levels = {} }) =>
        Object.keys(levels).every((level) => Number(level) >= min && Number(level) <= max),
      'levels must lie between min and max',
    ),
]);
export type Scale = z.infer<typeof Scale>;

export const isBinary = (scale: Scale): scale is 'binary' => scale === 'binary';

/** The bounds of a number scale; null for pass or fail. */
export const rangeOf = (scale: Scale): { min: number; max: number } | null =>
  isBinary(scale) ? null : { min: scale.min, max: scale.max };
