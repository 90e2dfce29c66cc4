import { safeText, shortened } from './safe-text.ts';
import { shares } from './shares.ts';

/** Texts that were made to fit, and what that took away. */
export interface Fitted {
  texts: string[];
  /** Whether any of them was shortened. */
  cut: boolean;
}

const LEAST = 40;

/**
 * Texts, short ones whole and long ones cut between words, that take at most `room` characters together and `each` one by
 * one.
 */
export function fitted(texts: readonly string[], room: number, each = room): Fitted {
  const safe = texts.map((text) => safeText(text).trim());
  const given = shares(
    safe.map(({ length }) => length),
    room,
  );
  const fit = safe.map((text, index) => {
    const most = Math.min(given[index] ?? 0, each);
    return most >= Math.min(text.length, LEAST) ? shortened(text, most) : '…';
  });
  return { texts: fit, cut: fit.some((text, index) => text !== safe[index]) };
}
