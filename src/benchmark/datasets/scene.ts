import type { Weekday } from '../../case/case.ts';
import type { Criterion } from '../../judging/rubric.ts';
import type { Random } from '../../statistics/random.ts';
import type { Areas, District } from './areas.ts';
import type { Slots } from './phrase.ts';
import type { Router } from './router.ts';

/** Values by dotted path in a case: `recommendation.rating` → 4.5. */
export type Fields = Readonly<Record<string, unknown>>;

/** What the venue is like as to one dimension, and how the system may say so. */
export interface Side {
  fields: Fields;
  said: Slots;
}

/** One dimension of one user: what is wished, what fulfils it and what does not. */
export interface Drawn {
  id: string;
  /** The wish in words; nothing where a rule holds unasked, as for opening hours. */
  wish: Slots;
  /** Value of the term that was wished, for dimensions that depend on it. */
  chosen: string | null;
  right: Side;
  wrong: Side;
}

/** What a dimension is drawn for: one user, where and when. */
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
  /** What was drawn for the dimensions before, by id. */
  before: ReadonlyMap<string, Drawn>;
  /** The dimension's own stream. */
  random: Random;
}
