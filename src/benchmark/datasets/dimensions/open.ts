import * as z from 'zod';
import { type OpeningHours, type Weekday, weekdays } from '../../../case/case.ts';
import { JuryError } from '../../../common/errors.ts';
import { Id } from '../../../common/id.ts';
import type { Drawn, Scene, Side } from '../scene.ts';

/** Minutes since the day's midnight; `to` may be on the next day. */
type Span = readonly [from: number, to: number];
/** The spans of each weekday. */
export type Week = Readonly<Record<Weekday, readonly Span[]>>;

const DAY = 24 * 60;
const SPANS = /^\d\d:\d\d-\d\d:\d\d(?:, \d\d:\d\d-\d\d:\d\d)*$/;

const minuteOf = (clock: string): number => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * 60 + minute;
};

const spansOf = (text: string): Span[] =>
  text === 'closed'
    ? []
    : text.split(', ').map((span) => {
        const [from = 0, to = 0] = span.split('-').map(minuteOf);
        return [from, to > from ? to : to + DAY];
      });

/** `mon-thu` → Monday to Thursday. */
function daysOf(key: string): Weekday[] {
  const [first, last = first] = key
    .split('-')
    .map((short) => weekdays.findIndex((day) => day.startsWith(short)));
  return weekdays.slice(first, (last ?? 0) + 1);
}

const DAY_NAME = '(?:mon|tue|wed|thu|fri|sat|sun)';

/**
 * The opening hours of a week, with each day exactly once: `{mon-fri: 11:30-22:00, sat-sun: closed}`. Spans are `HH:MM-HH:MM`, separated
 * by ", ", and may pass midnight.
 */
export const Week = z
  .record(
    z
      .string()
      .regex(new RegExp(`^${DAY_NAME}(?:-${DAY_NAME})?$`), 'must be a day or days such as mon or mon-thu'),
    z.union([z.literal('closed'), z.string().regex(SPANS, 'must be hours such as 11:30-14:30, 17:00-22:00')]),
  )
  .transform((texts, context): Week => {
    const found = Object.entries(texts).flatMap(([key, text]) =>
      daysOf(key).map((day) => [day, text] as const),
    );
    const named = found.map(([day]) => day);
    if (named.length !== weekdays.length || new Set(named).size !== weekdays.length)
      context.addIssue({ code: 'custom', message: 'must name each day of the week exactly once' });
    const of = (day: Weekday) => spansOf(found.find(([name]) => name === day)?.[1] ?? 'closed');
    return {
      monday: of('monday'),
      tuesday: of('tuesday'),
      wednesday: of('wednesday'),
      thursday: of('thursday'),
      friday: of('friday'),
      saturday: of('saturday'),
      sunday: of('sunday'),
    };
  });

const dayBefore = (day: Weekday): Weekday => weekdays[(weekdays.indexOf(day) + 6) % 7] ?? day;

/** Minutes until it closes; 0 if it is closed. It is closed from the closing minute on. */
export function minutesLeft(week: Week, day: Weekday, minute: number): number {
  const spans = [...week[day], ...week[dayBefore(day)].map(([from, to]): Span => [from - DAY, to - DAY])];
  const open = spans.filter(([from, to]) => from <= minute && minute < to);
  return Math.max(0, ...open.map(([, to]) => to - minute));
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Minutes since midnight as `HH:MM`; midnight at the end of a day is 00:00. */
export const clockOf = (minute: number): string => `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`;

const isWholeDay = ([from, to]: Span): boolean => to - from === DAY;

/** A week as a case states it. */
export const openingHoursOf = (week: Week): OpeningHours =>
  Object.fromEntries(
    weekdays.map((day) => [
      day,
      week[day].length === 0
        ? 'closed'
        : week[day]
            .map((span) => (isWholeDay(span) ? '00:00-24:00' : `${clockOf(span[0])}-${clockOf(span[1])}`))
            .join(', '),
    ]),
  );

/** The place is open at the user's moment; in the error it has other hours, by which it is closed. */
export const Open = z.strictObject({
  id: Id,
  kind: z.literal('open'),
  /** Path of the opening hours. */
  field: z.string().min(1),
  /** Minutes for which the right place must stay open, so that a visit makes sense. */
  leastLeft: z.int().min(1),
  weeks: z.array(Week).min(1),
});
type Open = z.infer<typeof Open>;

/** @throws JuryError `bad-file` if no week is open, or none closed, at the moment */
export function drawOpen({ id, field, leastLeft, weeks }: Open, scene: Scene): Drawn {
  const { weekday, minute, random } = scene;
  const draw = (fits: (left: number) => boolean, what: string): Side => {
    const fitting = weeks.filter((week) => fits(minutesLeft(week, weekday, minute)));
    if (fitting.length === 0)
      throw new JuryError(
        'bad-file',
        `No week of dimension "${id}" is ${what} on ${weekday} at ${clockOf(minute)}: add one.`,
      );
    return { fields: { [field]: openingHoursOf(random.pick(fitting)) }, said: {} };
  };
  const right = draw((left) => left >= leastLeft, `open for another ${leastLeft} minutes`);
  const wrong = draw((left) => left === 0, 'closed');
  return { id, wish: {}, chosen: null, right, wrong };
}
