import { type Weekday, weekdays } from '../case.ts';

const NAMES: Readonly<Record<Weekday, string>> = {
  monday: 'monday mondays mon montag montags mo',
  tuesday: 'tuesday tuesdays tue tues tu dienstag dienstags di',
  wednesday: 'wednesday wednesdays wed weds we mittwoch mittwochs mi',
  thursday: 'thursday thursdays thu thur thurs th donnerstag donnerstags do',
  friday: 'friday fridays fri fr freitag freitags',
  saturday: 'saturday saturdays sat samstag samstags sonnabend sa',
  sunday: 'sunday sundays sun su sonntag sonntags so',
};

const BY_NAME: ReadonlyMap<string, Weekday> = new Map(
  weekdays.flatMap((day) => NAMES[day].split(' ').map((name): [string, Weekday] => [name, day])),
);

/** The weekday that a word names in English or German, full or short. */
export const weekdayOf = (word: string): Weekday | null =>
  BY_NAME.get(word.toLowerCase().replace(/\.$/, '')) ?? null;

/** Day by its number from Monday, 0 to 6, whatever whole number is given. */
const dayAt = (index: number): Weekday => weekdays[((index % 7) + 7) % 7] ?? 'monday';

/** The days from one to another; over the end of the week where the second is earlier. */
export function daysBetween(first: Weekday, last: Weekday): Weekday[] {
  const from = weekdays.indexOf(first);
  const length = ((weekdays.indexOf(last) - from + 7) % 7) + 1;
  return Array.from({ length }, (_, step) => dayAt(from + step));
}

/** The weekday of a calendar date `2024-03-04`. */
export const weekdayOfDate = (date: string): Weekday => dayAt(new Date(`${date}T00:00:00Z`).getUTCDay() - 1);

/** `Monday` for `monday`. */
export const titleOf = (day: Weekday): string => day.charAt(0).toUpperCase() + day.slice(1);
