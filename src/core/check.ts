import { z } from 'zod';

/**
 * An exact check that the built-in `rules` judge can make without a model. A criterion names one; its parameters
 * are the rubric's. What each does is in `models/rules/`.
 */
export const Check = z.discriminatedUnion('type', [
  /** The drive takes at most so many minutes; where only a distance is known, at the assumed speed. */
  z.strictObject({
    type: z.literal('drive-at-most'),
    minutes: z.number().positive(),
    /** Assumed average speed in km/h where no duration is given. */
    speedKmh: z.number().positive(),
    /** Assumed length of the road per length of the straight line, where only two places are given. */
    detour: z.number().min(1),
  }),
  /** Open at the case's date and time. */
  z.strictObject({ type: z.literal('open-at'), hours: z.string().min(1) }),
  /** What the user named from a lexicon is what the field holds (or contains it: Asian ⊃ Thai). */
  z.strictObject({
    type: z.literal('same-term'),
    lexicon: z.string().min(1),
    field: z.string().min(1),
    /** Other fields that may speak for the match where `field` is silent or too general. */
    evidence: z.array(z.string().min(1)).optional(),
  }),
  /** The number in the field fits the user's phrase: at least, above, between, around (± tolerance), exactly, up to. */
  z.strictObject({
    type: z.literal('number-wish'),
    field: z.string().min(1),
    /** Lexicon whose terms say that a number in the utterance is about this field (rating, rated, stars). */
    lexicon: z.string().min(1),
    tolerance: z.number().min(0),
  }),
]);
export type Check = z.infer<typeof Check>;
