import { fieldOf, OpeningHours, type Weekday } from '../../case/case.ts';
import { clockTime, neighborDay, parseHours, weekdayOf } from '../../case/opening-hours.ts';
import { type OpeningState, openingState } from '../../case/opening-state.ts';
import type { Words } from '../../case/words.ts';
import type { Check } from '../../judging/check.ts';
import { counted, decided, type Outcome, quoted, undecidable } from './outcome.ts';
import { addition, type Matter } from './wishes.ts';

type OpenAt = Extract<Check, { type: 'open-at' }>;

const DAY = 1440;
/** From this hour on "tonight" is now. */
const EVENING = 17 * 60;
/** Closing sooner than this is worth a warning. */
const SOON = 60;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The user's words about some moment other than now, or about more than being open at it ("open late"); null where there are none. */
function otherMoment(check: OpenAt, { request }: Matter, time: string, minute: number): string | null {
  const isNow = ({ terms, quote }: { terms: readonly string[]; quote: string }) =>
    quote.includes(time) || (terms.includes('evening') && minute >= EVENING);
  const words = request.wishes.filter(
    (wish) => wish.lexicon === check.lexicon && wish.reading !== 'any' && !isNow(wish),
  );
  return (words.at(-1) ?? request.unknown.find(({ kind }) => kind === 'number'))?.quote ?? null;
}

function inWords(minutes: number): string {
  if (minutes < 120) return counted(minutes, 'minute');
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} hours` : `${hours} h ${rest} min`;
}

const openCalculation = (left: number, to: number): string =>
  left > DAY ? 'open, around the clock' : `open, closes in ${inWords(left)} (${clockTime(to)})`;

type Closed = Extract<OpeningState, { kind: 'closed' }>;

function closedCalculation({ lastClosed, nextOpens, wholeDay }: Closed, minute: number): string {
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

/** Whether the venue closes before the user can be there; that does not fail the rule, but a reader wants to know. */
function arrivalNotes({ evalCase }: Matter, to: number, minute: number): string[] {
  const duration = evalCase.recommendation?.durationMin;
  if (duration === undefined) return [];
  const arrival = minute + Math.ceil(duration);
  const early = arrival - to;
  if (early < 0) return [];
  const when = early === 0 ? 'at the minute' : `${inWords(early)} before`;
  return [`it closes ${when} the user would arrive at ${clockTime(arrival)}, which the rule does not count`];
}

/** The hours that decide, as people say them; those of the day before too where the night still belongs to them. */
function hoursInWords(hours: OpeningHours, day: Weekday, state: OpeningState, minute: number, words: Words) {
  const yesterday = neighborDay(day, -1);
  const on = (of: Weekday, text = hours[of]): string =>
    text === undefined
      ? `the case does not give the hours of ${capital(of)}`
      : parseHours(text, words).kind === 'closed'
        ? `${capital(of)}s it is closed`
        : `${capital(of)}s it is open ${text}`;
  if (state.kind === 'closed') {
    const { lastClosed, nextOpens } = state;
    const isOver = lastClosed !== null && (nextOpens === null || nextOpens >= DAY);
    return isOver ? `${capital(day)}s it closes at ${clockTime(lastClosed)}` : on(day);
  }
  const today = openingState({ [day]: hours[day] }, day, minute, words);
  return today.kind === 'open' ? on(day) : `${on(yesterday)}; ${on(day)}`;
}

/** Open at the date and time of the request; a request for another moment, or for more than being open, is left open. */
export function openAt(check: OpenAt, matter: Matter): Outcome {
  const { date, time } = matter.evalCase.context ?? {};
  const limit = 'the place must be open at the moment of the request';
  if (date === undefined || time === undefined) {
    const missing = date === undefined ? 'date' : 'time';
    return undecidable(`the case does not give the ${missing}`, addition(`context.${missing}`, matter), {
      limit,
    });
  }
  const day = weekdayOf(date);
  const hours = OpeningHours.safeParse(fieldOf(matter.evalCase, check.hours));
  const [hour = 0, minutes = 0] = time.split(':').map(Number);
  const minute = hour * 60 + minutes;
  const asked = `the request came at ${time} on ${day === null ? date : `a ${capital(day)}`}`;
  const open = (problem: string, next: string, gist = problem): Outcome =>
    undecidable(problem, next, { asked, limit, gist });
  const add = addition(check.hours, matter);
  if (day === null || !hours.success)
    return open('the case does not give the opening hours', add, 'no opening hours');
  const other = otherMoment(check, matter, time, minute);
  if (other !== null)
    return open(
      `the request came at ${time}, and ${quoted(other, 40)} speaks of another moment or of more than that`,
      'ask a model, or give the date and time that count',
    );
  const { words } = matter.format;
  const state = openingState(hours.data, day, minute, words);
  if (state.kind === 'unknown')
    return open(
      state.text === null
        ? `the opening hours do not say anything about ${capital(state.day)}`
        : `the hours of ${capital(state.day)} could not be read: ${quoted(state.text)}`,
      `add \`${capital(state.day)}: 12:00-22:00\` or \`${capital(state.day)}: closed\``,
    );
  const facts = {
    asked: '',
    found: `${hoursInWords(hours.data, day, state, minute, words)}; the request came at ${time}`,
    limit,
  };
  if (state.kind === 'closed') {
    // "When the kids are asleep", "nach Feierabend"
    const unknown = matter.request.unknown.find(({ kind }) => kind === 'verb');
    if (unknown !== undefined)
      return open(
        `the place is closed, but ${quoted(unknown.quote, 40)} may name another moment`,
        'ask a model',
      );
    const calculation = closedCalculation(state, minute);
    return decided(false, { ...facts, calculation, meaning: '', gist: calculation });
  }
  const left = state.span.to - minute;
  const isSoon = left <= SOON;
  return decided(true, {
    ...facts,
    calculation: openCalculation(left, state.span.to),
    meaning: isSoon ? `which leaves ${inWords(left)}` : '',
    gist: isSoon ? `open, closes in ${inWords(left)}` : 'open',
    notes: arrivalNotes(matter, state.span.to, minute),
  });
}
