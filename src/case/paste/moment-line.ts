import { squeeze } from './clean-text.ts';
import { weekdayOf } from './days.ts';
import { readDate } from './read-date.ts';
import { readTime } from './read-time.ts';

const CLOCK =
  /(?<![\d.:])(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?(?: ?[ap]\.?m\b\.?)?|\d{1,2}(?:\.\d{2})? ?(?:[ap]\.?m\b\.?|uhr\b))(?:Z\b|[+-]\d{2}:?\d{2})?/i;
/** From one time of day to another: hours of a place, no moment, and no offset of a time zone either. */
const SPAN = /\d{1,2}[:.]\d{2} ?[-–—] ?\d{1,2}[:.]\d{2}/;
const NOISE = /^(?:uhr|um|am|at|on|the|den|der|ca|h|t)$/i;
const quiet = () => {};

/** Whether a line is a date, or a time of day, and nothing else: `Mo 04.03.24, 22:15`. */
export function momentLine(line: string): 'date' | 'time' | null {
  if (line.length > 80 || !/\d/.test(line)) return null;
  const text = squeeze(line.replace(/[*_`"“”„()[\]]/g, ' '));
  const { date, weekday, rest, isUnread } = readDate(text, quiet);
  if (date === null && weekday !== null && SPAN.test(rest)) return null;
  const timeless = rest.replace(CLOCK, ' ');
  const words = timeless.replace(/\p{L}{1,12}/gu, (word) =>
    weekdayOf(word) || NOISE.test(word) ? '' : word,
  );
  if (/[\p{L}\p{N}]/u.test(words)) return null;
  const hasTime = timeless !== rest;
  if (date !== null || isUnread || (weekday !== null && hasTime)) return 'date';
  return hasTime ? 'time' : null;
}

/** How to use a moment that was left out, such as that of a log; null where the text holds none. */
export function momentHint(text: string): string | null {
  const { date, rest } = readDate(text, quiet);
  const time = CLOCK.test(rest) ? readTime(rest, quiet) : null;
  const lines = [date === null ? [] : [`Date: ${date}`], time === null ? [] : [`Time: ${time}`]].flat();
  return lines.length === 0 ? null : `add ${lines.join(' and ')} if that was the moment of the request`;
}
