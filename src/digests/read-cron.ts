import { validateDetailed } from 'node-cron';
import { JuryError } from '../common/errors.ts';

/** What a cron expression names, each list ascending. */
export interface CronTimes {
  seconds: readonly number[];
  minutes: readonly number[];
  hours: readonly number[];
  /** 1 to 31; null: any. */
  daysOfMonth: readonly number[] | null;
  /** 1 to 12. */
  months: readonly number[];
  /** 0 (Sunday) to 6; null: any. */
  daysOfWeek: readonly number[] | null;
}

const LONGEST = 200;

/**
 * Reads a cron expression: five fields, or six with seconds first; names, ranges, steps and lists.
 *
 * @throws JuryError `usage` where it is none, saying which field is wrong
 */
export function readCron(expression: string): CronTimes {
  const wrong = (why: string) =>
    new JuryError(
      'usage',
      `"${expression.slice(0, 60)}" is no time to post at: ${why}. Give minute, hour, day of month, month and day of week, such as "0 9 * * 1" for Mondays at 9:00.`,
    );
  if (expression.length > LONGEST) throw wrong('it is too long');
  const { valid, fields, errors } = validateDetailed(expression.trim());
  if (!valid || fields === undefined)
    throw wrong(errors.map(({ message }) => message).join('; ') || 'it cannot be read');
  const numbers = (list: readonly (number | string)[], what: string): number[] =>
    list
      .map((value) => {
        if (typeof value === 'number') return value;
        throw wrong(`${what} "${value}" is not supported`);
      })
      .sort((a, b) => a - b);
  const daysOfMonth = numbers(fields.dayOfMonth, 'the day of month');
  const daysOfWeek = numbers(fields.dayOfWeek, 'the day of week');
  return {
    seconds: numbers(fields.second, 'the second'),
    minutes: numbers(fields.minute, 'the minute'),
    hours: numbers(fields.hour, 'the hour'),
    daysOfMonth: daysOfMonth.length === 31 ? null : daysOfMonth,
    months: numbers(fields.month, 'the month'),
    daysOfWeek: daysOfWeek.length === 7 ? null : daysOfWeek,
  };
}
