import type { DigestSchedule } from './digest-schedule.ts';
import type { NextSlot } from './due-slot.ts';
import { nextSlot } from './next-slot.ts';
import { readCron } from './read-cron.ts';
import { createZone } from './time-zone.ts';

/**
 * The slots of a schedule.
 *
 * @throws JuryError `usage` where its cron expression is none
 */
export function slotsOf({ cron, timezone }: Pick<DigestSchedule, 'cron' | 'timezone'>): NextSlot {
  const [times, zone] = [readCron(cron), createZone(timezone)];
  return (after) => nextSlot(times, zone, after);
}
