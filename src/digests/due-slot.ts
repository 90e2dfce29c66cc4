/** The next slot after an instant, null where none comes. */
export type NextSlot = (after: number) => number | null;

/** How long after its time a slot still counts as on time: each such slot is posted. */
export const ON_TIME_MS = 15 * 60_000;
/** What was missed for longer than this is not caught up. */
export const LATE_LIMIT_MS = 3 * 86_400_000;

export interface DueSlot {
  slot: number;
  late: boolean;
}

/**
 * The slot to post now, if any: the oldest of those that are on time; else of those that were missed the newest, once, while it is not too late. Times
 * are ms since the epoch.
 *
 * @param floor the last slot that was seen to, or when the schedule began
 */
export function dueSlot(next: NextSlot, floor: number, now: number): DueSlot | null {
  const onTime = next(Math.max(floor, now - ON_TIME_MS));
  if (onTime !== null && onTime <= now) return { slot: onTime, late: false };
  let missed: number | null = null;
  let slot = next(Math.max(floor, now - LATE_LIMIT_MS));
  while (slot !== null && slot <= now) {
    missed = slot;
    slot = next(slot);
  }
  return missed === null ? null : { slot: missed, late: true };
}
