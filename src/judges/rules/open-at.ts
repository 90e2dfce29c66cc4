import { fieldOf, OpeningHours, type Weekday, weekdays } from '../../case/case.ts';
import { parseHours, type Span } from '../../case/opening-hours.ts';
import type { Check } from '../../judging/check.ts';
import { counted, decided, type Outcome, quoted, undecidable } from './outcome.ts';
import type { Matter } from './wishes.ts';

/** Minutes are counted from the midnight at which today begins; below 0 is yesterday, above 1440 tomorrow. */
export type OpeningState =
  | { kind: 'open'; span: Span }
  | { kind: 'closed'; lastClosed: number | null; nextOpens: number | null; wholeDay: boolean }
  | { kind: 'unknown'; day: Weekday; text: string | null };

const DAY = 1440;

/** The weekday of an ISO date. */
export function weekdayOf(date: string): Weekday | null {
  const sundayFirst = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekdays[(sundayFirst + 6) % 7] ?? null;
}

export const neighborDay = (day: Weekday, days: number): Weekday =>
  weekdays[(weekdays.indexOf(day) + days + 7) % 7] ?? day;

/** `20:05`; a time after midnight is that of the next day. */
function clockTime(minutes: number): string {
  const within = ((minutes % DAY) + DAY) % DAY;
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`;
}

const spansOn = (hours: OpeningHours, day: Weekday): readonly Span[] | null => {
  const text = hours[day];
  if (text === undefined) return null;
  const read = parseHours(text);
  return read.kind === 'unreadable' ? null : read.kind === 'closed' ? [] : read.spans;
};

/** Spans that touch or overlap become one, so that "closes at midnight" is not said of a place open on. */
function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

/** Up to this time of the night a span of the day before may still run. */
const EARLY = 6 * 60;

/**
 * Whether a place is open at `minute` of `day`. Spans of the day before count where they reach past midnight; the
 * closing minute itself is closed.
 */
export function openingState(hours: OpeningHours, day: Weekday, minute: number): OpeningState {
  const today = spansOn(hours, day);
  const before = neighborDay(day, -1);
  const yesterday = spansOn(hours, before);
  const shift = (spans: readonly Span[] | null, by: number) =>
    (spans ?? []).map((span) => ({ from: span.from + by, to: span.to + by }));
  const timeline = merge([
    ...shift(yesterday, -DAY),
    ...shift(today, 0),
    ...shift(spansOn(hours, neighborDay(day, 1)), DAY),
  ]);
  const span = timeline.find(({ from, to }) => from <= minute && minute < to);
  if (span !== undefined) return { kind: 'open', span };
  if (today === null) return { kind: 'unknown', day, text: hours[day] ?? null };
  if (yesterday === null && minute < EARLY)
    return { kind: 'unknown', day: before, text: hours[before] ?? null };
  const ended = timeline.filter(({ to }) => to <= minute && to > 0);
  const coming = timeline.find(({ from }) => from > minute);
  return {
    kind: 'closed',
    lastClosed: ended.at(-1)?.to ?? null,
    nextOpens: coming?.from ?? null,
    wholeDay: today.length === 0,
  };
}

type OpenAt = Extract<Check, { type: 'open-at' }>;

/** From this hour on "tonight" is now. */
const EVENING = 17 * 60;
/** Closing sooner than this is worth a warning. */
const SOON = 60;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Terms of the lexicon that say how long the venue is to stay open, and at which other times it is to be open. */
const LASTING = 'lasting';
const LATE = 'late';

/** The user's words of a kind, or null. */
const wordsOf = (term: string, check: OpenAt, matter: Matter): string | null =>
  matter.request.parts
    .flat()
    .findLast((found) => found.lexicon === check.lexicon && found.terms.includes(term))?.quote ?? null;

/** The words by which the user speaks of another moment than now, or null. */
function otherMoment(check: OpenAt, matter: Matter, time: string, minute: number): string | null {
  const mention = matter.request.parts
    .flat()
    .findLast(
      (found) =>
        found.lexicon === check.lexicon &&
        found.reading !== 'any' &&
        !found.terms.some((term) => term === LASTING || term === LATE) &&
        !found.quote.includes(time) &&
        !(found.terms.includes('evening') && minute >= EVENING),
    );
  return mention?.quote ?? null;
}

/** Why the moment of the request is not the one to look at, or not the only one. */
function otherWish(check: OpenAt, matter: Matter, time: string, minute: number): [string, string] | null {
  const other = otherMoment(check, matter, time, minute);
  if (other !== null)
    return [
      `the request speaks of another moment (${quoted(other, 40)}) than its own ${time}`,
      'give that date and time as context.date and context.time',
    ];
  const late = wordsOf(LATE, check, matter);
  return late === null ? null : moreThanNow(late, time);
}

const moreThanNow = (words: string, time: string): [string, string] => [
  `the rule only looks at ${time}, and ${quoted(words, 40)} asks for more`,
  'ask a model',
];

function inWords(minutes: number): string {
  if (minutes < 120) return counted(minutes, 'minute');
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} hours` : `${hours} h ${rest} min`;
}

function openCalculation(to: number, minute: number): string {
  const left = to - minute;
  if (left > DAY) return 'open, around the clock';
  return `open, closes in ${inWords(left)} (${clockTime(to)})`;
}

function closedCalculation(state: Extract<OpeningState, { kind: 'closed' }>, minute: number): string {
  const opensToday = state.nextOpens !== null && state.nextOpens < DAY ? state.nextOpens : null;
  const parts: string[] = [];
  if (state.lastClosed !== null) parts.push(`closed since ${clockTime(state.lastClosed)}`);
  else if (state.wholeDay) parts.push('closed all day');
  if (opensToday !== null)
    parts.push(`opens at ${clockTime(opensToday)}, in ${inWords(opensToday - minute)}`);
  else if (state.nextOpens !== null) parts.push(`opens tomorrow at ${clockTime(state.nextOpens)}`);
  return parts.length === 0 ? 'closed' : parts.join(', ');
}

/** Whether the venue closes before the user can be there; that does not fail the rule, but a reader wants to know. */
function arrivalNotes(matter: Matter, to: number, minute: number): string[] {
  const duration = matter.evalCase.recommendation?.durationMin;
  if (duration === undefined) return [];
  const arrival = minute + Math.ceil(duration);
  const early = arrival - to;
  if (early < 0) return [];
  const when = early === 0 ? 'at the minute' : `${inWords(early)} before`;
  return [`it closes ${when} the user would arrive at ${clockTime(arrival)}, which the rule does not count`];
}

/** The hours that decide; those of the day before too where the night still belongs to them. */
function hoursInWords(hours: OpeningHours, day: Weekday, fromYesterday: boolean): string {
  const yesterday = neighborDay(day, -1);
  if (hours[day] === undefined)
    return `the hours of ${capital(day)} are not given, those of ${capital(yesterday)} ${hours[yesterday]}`;
  return fromYesterday
    ? `the hours of ${capital(yesterday)} are ${hours[yesterday]} and those of ${capital(day)} ${hours[day]}`
    : `the hours of ${capital(day)} are ${hours[day]}`;
}

/** Open at the date and time of the request: see opening-state.ts for the hours, parse-hours.ts for their text. */
export function openAt(check: OpenAt, matter: Matter): Outcome {
  const { date, time } = matter.evalCase.context ?? {};
  const limit = 'the place must be open at the moment of the request';
  if (date === undefined || time === undefined)
    return undecidable(
      `the case has no ${date === undefined ? 'date' : 'time'}`,
      `give context.${date === undefined ? 'date' : 'time'}`,
      { limit },
    );
  const day = weekdayOf(date);
  const hours = OpeningHours.safeParse(fieldOf(matter.evalCase, check.hours));
  const [hour = 0, minutes = 0] = time.split(':').map(Number);
  const minute = hour * 60 + minutes;
  const asked = `the user asked at ${time} on ${day === null ? date : `${capital(day)} ${date}`}`;
  if (day === null || !hours.success)
    return undecidable('the case gives no opening hours', `give ${check.hours}`, {
      asked,
      limit,
      gist: 'no opening hours',
    });
  const other = otherWish(check, matter, time, minute);
  if (other !== null) return undecidable(...other, { asked, limit, gist: other[0] });
  const state = openingState(hours.data, day, minute);
  if (state.kind === 'unknown')
    return undecidable(
      state.text === null
        ? `the opening hours do not say anything about ${capital(state.day)}`
        : `the hours of ${capital(state.day)} could not be read: ${quoted(state.text)}`,
      `give ${check.hours}.${state.day} like "12:00-22:00" or "closed"`,
      { asked, limit },
    );
  const today = openingState({ [day]: hours.data[day] }, day, minute);
  const found = hoursInWords(hours.data, day, state.kind === 'open' && today.kind !== 'open');
  if (state.kind === 'closed') {
    const calculation = closedCalculation(state, minute);
    return decided(false, {
      asked,
      found,
      limit,
      calculation: `${time}: ${calculation}`,
      meaning: 'it is closed then',
      gist: calculation,
    });
  }
  const lasting = wordsOf(LASTING, check, matter);
  if (lasting !== null)
    return undecidable(...moreThanNow(lasting, time), { asked, limit, gist: 'more than open now is asked' });
  const left = state.span.to - minute;
  return decided(true, {
    asked,
    found,
    limit,
    calculation: `${time}: ${openCalculation(state.span.to, minute)}`,
    meaning: left <= SOON ? `it is open for another ${inWords(left)}` : 'it is open',
    gist: left <= SOON ? `open, closes in ${inWords(left)}` : 'open',
    notes: arrivalNotes(matter, state.span.to, minute),
  });
}
