import { squeeze } from './clean-text.ts';
import type { Note } from './read-quantity.ts';

const CLOCK =
  /(?<![\d.,:])(\d{1,2})(?:[:h]| ?\. ?)(\d{2})(?::\d{2}(?:[.,]\d{1,6})?)?(?!\d)(?: ?([ap])\.? ?m\b\.?| ?(uhr|h)\b)?/i;
const HOUR = /(?<![\d.,:])(\d{1,2}) ?(?:([ap])\.? ?m\b\.?|(uhr|h)\b)/i;
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:noon|midday)\b|\bmittags?\b/i, '12:00'],
  [/\bmidnight\b|\bmitternacht\b/i, '00:00'],
];

const pad = (value: number): string => String(value).padStart(2, '0');

function toClock(hour: number, minute: number, half: string | undefined): string | null {
  if (minute > 59 || hour > 23) return null;
  if (half === undefined) return `${pad(hour)}:${pad(minute)}`;
  if (hour < 1 || hour > 12) return null;
  return `${pad((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0))}:${pad(minute)}`;
}

/** The time of day in a text, as `HH:MM` on the 24-hour clock, or null. `8:35` without am or pm is noted. */
export function readTime(value: string, note: Note): string | null {
  const text = squeeze(value);
  const match = CLOCK.exec(text);
  if (match) {
    const [, hour = '', minute = '', half, clock] = match;
    const time = toClock(Number(hour), Number(minute), half);
    if (time && half === undefined && clock === undefined && /^[1-9]$/.test(hour))
      note(`time "${match[0].trim()}" has neither am nor pm: read on the 24-hour clock as ${time}`);
    return time;
  }
  const full = HOUR.exec(text);
  if (full) return toClock(Number(full[1]), 0, full[2]);
  return WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
