import { limits } from './limits.ts';

/**
 * Characters that each part of a card may have, titles included. Their sum stays below what Slack takes for one message
 * ({@link limits.messageText}), with room for the buttons; tested with the longest debate.
 */
export const room = {
  why: 700,
  exchange: 1_200,
  criteria: 2_600,
  dissent: 3_400,
  agreement: 1_900,
  unscored: 700,
  notes: 500,
  facts: 500,
} as const;

/** Most entries of each part; the others are counted and stand in the details. */
export const most = { criteria: 20, opinions: 8, notes: 4 } as const;

/** Of one entry: longest title or name, and longest stance with what came before it. */
export const entry = { title: 60, judge: 80, stance: 40, before: 60, caveat: 120, tally: 20 } as const;
