import { JuryError } from '../common/errors.ts';
import type { DigestSchedule } from './digest-schedule.ts';
import { slotsOf } from './slots-of.ts';
import { isTimeZone } from './time-zone.ts';

const HOUR = 3_600_000;
/** So many slots are looked at: the days and hours of a week, if they are named one by one. */
const LOOKED_AT = 50;

/**
 * A schedule that somebody asks for.
 *
 * @throws JuryError `usage` where its time or time zone is none, or digests would come more often than hourly
 */
export function newSchedule(wish: Omit<DigestSchedule, 'paused'>): DigestSchedule {
  if (!isTimeZone(wish.timezone))
    throw new JuryError(
      'usage',
      `"${wish.timezone.slice(0, 60)}" is no time zone: give an IANA name such as Europe/Berlin or UTC.`,
    );
  const next = slotsOf(wish);
  let slot = next(wish.since);
  if (slot === null) throw new JuryError('usage', `"${wish.cron}" never comes: give a date that there is.`);
  for (let n = 0; n < LOOKED_AT; n += 1) {
    const after = next(slot);
    if (after === null) break;
    if (after - slot < HOUR)
      throw new JuryError(
        'usage',
        `"${wish.cron}" comes more often than once an hour, which is too much for a channel.`,
      );
    slot = after;
  }
  return { ...wish, paused: false };
}
