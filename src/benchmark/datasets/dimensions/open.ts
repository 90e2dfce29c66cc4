import * as z from 'zod';
import { type OpeningHours, type Weekday, weekdays } from '../../../case/case.ts';
import { clockTime, neighborDay } from '../../../case/opening-hours.ts';
import { JuryError } from '../../../common/errors.ts';
import { Id } from '../../../common/schema.ts';
import type { Drawn, Scene, Side } from '../scene.ts';

const DAY = 24 * 60;
const SPANS = /^\d\d:\d\d-\d\d:\d\d(?:, \d\d:\d\d-\d\d:\d\d)*$/;
const DAYS = /^(?:mon|tue|wed|thu|fri|sat|sun)(?:-(?:mon|tue|wed|thu|fri|sat|sun))?$/;

/** `mon-thu` → Monday to Thursday. */
function daysOf(key: string): Weekday[] {
  const [first = 0, last = first] = key
    .split('-')
    .map((short) => weekdays.findIndex((day) => day.startsWith(short)));
  return weekdays.slice(first, last + 1);
}

/**
 * The opening hours of a week, with each day exactly once: `{mon-fri: 11:30-22:00, sat-sun: closed}`. Spans are `HH:MM-HH:MM`, separated
 * by ", ", and may pass midnight.
 */
export const Week = z
  .record(
    z.string().regex(DAYS, 'must be a day or days such as mon or mon-thu'),
    z.union([z.literal('closed'), z.string().regex(SPANS, 'must be hours such as 11:30-14:30, 17:00-22:00')]),
  )
  .transform((texts, context): OpeningHours => {
    const found = Object.entries(texts).flatMap(([key, text]) =>
      daysOf(key).map((day) => [day, text.replace('00:00-00:00', '00:00-24:00')] as const),
    );
    if (found.length !== weekdays.length || new Set(found.map(([day]) => day)).size !== weekdays.length)
      context.addIssue({ code: 'custom', message: 'must name each day of the week exactly once' });
    return Object.fromEntries(found);
  });

/** `20:35` → 1235. */
export const minuteOf = (clock: string): number => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * 60 + minute;
};

/** Minutes since the day's midnight; the end may be on the next day. */
const spansOf = (text = 'closed'): [from: number, to: number][] =>
  text === 'closed'
    ? []
    : text.split(', ').map((span) => {
        const [from = 0, to = 0] = span.split('-').map(minuteOf);
        return [from, to > from ? to : to + DAY];
      });

/** Minutes until it closes; 0 if it is closed. It is closed from the closing minute on. */
export function minutesLeft(week: OpeningHours, day: Weekday, minute: number): number {
  const yesterday = spansOf(week[neighborDay(day, -1)]).map(([from, to]) => [from - DAY, to - DAY] as const);
  const open = [...spansOf(week[day]), ...yesterday].filter(([from, to]) => from <= minute && minute < to);
  return Math.max(0, ...open.map(([, to]) => to - minute));
}

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
        `No week of dimension "${id}" is ${what} on ${weekday} at ${clockTime(minute)}: add one.`,
      );
    return { fields: { [field]: random.pick(fitting) }, said: {} };
  };
  const right = draw((left) => left >= leastLeft, `open for another ${leastLeft} minutes`);
  const wrong = draw((left) => left === 0, 'closed');
  return { id, wish: {}, chosen: null, right, wrong };
}
