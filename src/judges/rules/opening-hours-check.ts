import {
  clockTime,
  neighborDay,
  nounOf,
  parseHours,
  type Span,
  type Words,
  weekdayOf,
} from '../../case/format/index.ts';
import { fieldOf, OpeningHours, type Weekday } from '../../case/index.ts';
import { andList, capital } from '../../common/text/index.ts';
import {
  type CheckOf,
  decided,
  type Matter,
  notGiven,
  type Outcome,
  quoted,
  undecidable,
} from './check-outcome.ts';
import { EVENT } from './word-roles.ts';

const DAY = 1440;

/** Whether a place is open. Times are minutes since the start of today: below 0 is yesterday, 1440 and above tomorrow. */
export type OpeningState =
  | { kind: 'open'; span: Span }
  | { kind: 'closed'; lastClosed: number | null; nextOpens: number | null; wholeDay: boolean }
  | { kind: 'unknown'; day: Weekday; text: string | null };

const spansOn = (hours: OpeningHours, day: Weekday, words: Words): readonly Span[] | null => {
  const text = hours[day];
  if (text === undefined) return null;
  const read = parseHours(text, words);
  return read.kind === 'unreadable' ? null : read.kind === 'closed' ? [] : read.spans;
};

/** Merges spans that touch or overlap, so that "closes at midnight" is not said of a place that stays open. */
function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

/** Until this minute, a place with unknown hours on the previous day may still be open. */
const EARLY = 6 * 60;

/**
 * Whether a place is open at a time. Spans of the previous day count if they go past midnight. At the closing minute, the
 * place is closed.
 * @param minute since midnight of `day`
 */
export function openingState(hours: OpeningHours, day: Weekday, minute: number, words: Words): OpeningState {
  const today = spansOn(hours, day, words);
  const before = neighborDay(day, -1);
  const yesterday = spansOn(hours, before, words);
  const shift = (spans: readonly Span[] | null, by: number) =>
    (spans ?? []).map((span) => ({ from: span.from + by, to: span.to + by }));
  const timeline = merge([
    ...shift(yesterday, -DAY),
    ...shift(today, 0),
    ...shift(spansOn(hours, neighborDay(day, 1), words), DAY),
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

/** From this hour on, "tonight" means now. */
const EVENING = 17 * 60;

/** Decimal numbers that cannot be times: 1.65, 4.5, 1.679. */
const NO_TIME = /\d[.,](?:\d(?!\d)|[6-9]\d|\d{3})/;

/** The user's words about another moment than now, or about more than being open then ("open late"); null if none. */
function otherMoment(
  check: CheckOf<'open-at'>,
  { request }: Matter,
  time: string,
  minute: number,
): string | null {
  const isNow = ({ terms, quote }: { terms: readonly string[]; quote: string }) =>
    quote.includes(time) || terms.includes(EVENT) || (terms.includes('evening') && minute >= EVENING);
  const words = request.wishes.filter(
    (wish) => wish.lexicon === check.lexicon && wish.reading !== 'any' && !isNow(wish),
  );
  const number = request.unknown.find(({ kind, quote }) => kind === 'number' && !NO_TIME.test(quote));
  return (words.at(-1) ?? number)?.quote ?? null;
}

function inWords(minutes: number): string {
  if (minutes < 120) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

function openInWords({ from, to }: Span, day: Weekday, minute: number): string {
  if (to >= 2 * DAY) return 'open, around the clock';
  const since =
    from < 0 && from > -DAY ? ` since ${capital(neighborDay(day, -1))} at ${clockTime(from + DAY)}` : '';
  const left = to - minute;
  return left > DAY
    ? `open${since}, closes tomorrow at ${clockTime(to)}`
    : `open${since}, closes in ${inWords(left)} (${clockTime(to)})`;
}

type Closed = Extract<OpeningState, { kind: 'closed' }>;

function closedInWords({ lastClosed, nextOpens, wholeDay }: Closed, minute: number): string {
  const parts: string[] = [];
  if (lastClosed !== null) parts.push(`closed since ${clockTime(lastClosed)}`);
  else if (wholeDay) parts.push('closed all day');
  if (nextOpens !== null)
    parts.push(
      nextOpens < DAY
        ? `opens at ${clockTime(nextOpens)}, in ${inWords(nextOpens - minute)}`
        : `opens tomorrow at ${clockTime(nextOpens)}`,
    );
  return parts.length === 0 ? 'closed' : parts.join(', ');
}

/** A note if the place closes before the user can arrive. The check passes anyway, but readers want to know. */
function arrivalNotes({ evalCase }: Matter, to: number, minute: number): string[] {
  const duration = evalCase.recommendation?.durationMin;
  if (duration === undefined) return [];
  const arrival = minute + Math.ceil(duration);
  const early = arrival - to;
  if (early < 0) return [];
  const when = early === 0 ? 'at the minute' : `${inWords(early)} before`;
  return [`it closes ${when} the user would arrive at ${clockTime(arrival)}, which the rule does not count`];
}

/** Checks that the place is open at the request's date and time. No decision if the user speaks of another moment. */
export function openAt(check: CheckOf<'open-at'>, matter: Matter): Outcome {
  const { date, time } = matter.evalCase.context ?? {};
  const missing = [
    ...(date === undefined ? ['context.date'] : []),
    ...(time === undefined ? ['context.time'] : []),
  ];
  if (date === undefined || time === undefined)
    return notGiven(`the ${andList(missing.map(nounOf))}`, missing, matter);
  const day = weekdayOf(date);
  const hours = OpeningHours.safeParse(fieldOf(matter.evalCase, check.hours));
  if (day === null || !hours.success) return notGiven('the opening hours', check.hours, matter);
  const [hour = 0, minutes = 0] = time.split(':').map(Number);
  const minute = hour * 60 + minutes;
  const other = otherMoment(check, matter, time, minute);
  if (other !== null)
    return undecidable(
      `the request came at ${time}, but ${quoted(other, 40)} may mean another time, or ask for more than being open then`,
      'ask a model, or give the date and time that count',
    );
  const state = openingState(hours.data, day, minute, matter.format.words);
  if (state.kind === 'unknown')
    return undecidable(
      state.text === null
        ? `the opening hours say nothing about ${capital(state.day)}`
        : `the hours of ${capital(state.day)} could not be read: ${quoted(state.text)}`,
      `add \`${capital(state.day)}: 12:00-22:00\` or \`${capital(state.day)}: closed\``,
    );
  const asked = `the request came on ${capital(day)} at ${time}`;
  if (state.kind === 'open')
    return decided(
      true,
      `${openInWords(state.span, day, minute)}; ${asked}`,
      arrivalNotes(matter, state.span.to, minute),
    );
  // These may be another moment: "when the kids are asleep", "at the frobfest", "for my birthday".
  const unknown =
    matter.request.wishes.find(({ lexicon, terms }) => lexicon === check.lexicon && terms.includes(EVENT)) ??
    matter.request.unknown[0];
  if (unknown !== undefined)
    return undecidable(`the place is closed, but ${quoted(unknown.quote, 40)} may name another moment`);
  return decided(false, `${closedInWords(state, minute)}; ${asked}`);
}
