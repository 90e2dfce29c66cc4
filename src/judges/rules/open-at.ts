import { fieldOf, OpeningHours, type Weekday } from '../../case/case.ts';
import { clockTime, neighborDay, parseHours, weekdayOf } from '../../case/opening-hours.ts';
import { type OpeningState, openingState } from '../../case/opening-state.ts';
import type { Words } from '../../case/words.ts';
import type { Check } from '../../judging/check.ts';
import { counted, decided, type Outcome, quoted, undecidable } from './outcome.ts';
import type { MeantMention } from './turn.ts';
import type { Matter } from './wishes.ts';

type OpenAt = Extract<Check, { type: 'open-at' }>;

const DAY = 1440;
/** From this hour on "tonight" is now. */
const EVENING = 17 * 60;
/** Closing sooner than this is worth a warning. */
const SOON = 60;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The user's words about some moment other than now, about being open late, and about staying open; each null where there are none. */
function momentsOf(check: OpenAt, { request }: Matter, time: string, minute: number) {
  const words = request.parts
    .flat()
    .filter(({ lexicon, reading }) => lexicon === check.lexicon && reading !== 'any');
  const last = (keeps: (mention: MeantMention) => boolean): string | null =>
    words.findLast(keeps)?.quote ?? null;
  const is =
    (term: string) =>
    ({ terms }: MeantMention) =>
      terms.includes(term);
  const isOther = (mention: MeantMention) =>
    !is('lasting')(mention) &&
    !is('late')(mention) &&
    !mention.quote.includes(time) &&
    !(is('evening')(mention) && minute >= EVENING);
  return { other: last(isOther), late: last(is('late')), lasting: last(is('lasting')) };
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
function hoursInWords(
  hours: OpeningHours,
  day: Weekday,
  state: OpeningState,
  fromYesterday: boolean,
  words: Words,
): string {
  const yesterday = neighborDay(day, -1);
  const on = (of: Weekday): string => {
    const text = hours[of] ?? '';
    return parseHours(text, words).kind === 'closed'
      ? `it is closed on ${capital(of)}s`
      : `it is open ${text} on ${capital(of)}s`;
  };
  if (hours[day] === undefined) return `no hours are given for ${capital(day)}; ${on(yesterday)}`;
  if (fromYesterday) return `${on(yesterday)}; ${on(day)}`;
  const closes =
    state.kind === 'closed' &&
    state.lastClosed !== null &&
    (state.nextOpens === null || state.nextOpens >= DAY);
  return closes ? `it closes at ${clockTime(state.lastClosed ?? 0)} on ${capital(day)}s` : on(day);
}

/** Open at the date and time of the request; a request for another moment, or for more than being open, is left open. */
export function openAt(check: OpenAt, matter: Matter): Outcome {
  const { date, time } = matter.evalCase.context ?? {};
  const limit = 'the place must be open at the moment of the request';
  if (date === undefined || time === undefined) {
    const missing = date === undefined ? 'date' : 'time';
    return undecidable(`the case has no ${missing}`, `give context.${missing}`, { limit });
  }
  const day = weekdayOf(date);
  const hours = OpeningHours.safeParse(fieldOf(matter.evalCase, check.hours));
  const [hour = 0, minutes = 0] = time.split(':').map(Number);
  const minute = hour * 60 + minutes;
  const asked = `the user asked at ${time} on ${day === null ? date : capital(day)}`;
  const open = (problem: string, next: string, gist = problem): Outcome =>
    undecidable(problem, next, { asked, limit, gist });
  if (day === null || !hours.success)
    return open('the case gives no opening hours', `give ${check.hours}`, 'no opening hours');
  const { other, late, lasting } = momentsOf(check, matter, time, minute);
  if (other !== null)
    return open(
      `the request speaks of another moment (${quoted(other, 40)}) than its own ${time}`,
      'give that date and time as context.date and context.time',
    );
  const moreThanNow = (words: string) =>
    open(`the rule only looks at ${time}, and ${quoted(words, 40)} asks for more`, 'ask a model');
  if (late !== null) return moreThanNow(late);
  const state = openingState(hours.data, day, minute, matter.words);
  if (state.kind === 'unknown')
    return open(
      state.text === null
        ? `the opening hours do not say anything about ${capital(state.day)}`
        : `the hours of ${capital(state.day)} could not be read: ${quoted(state.text)}`,
      `give ${check.hours}.${state.day} like "12:00-22:00" or "closed"`,
    );
  const today = openingState({ [day]: hours.data[day] }, day, minute, matter.words);
  const found = hoursInWords(
    hours.data,
    day,
    state,
    state.kind === 'open' && today.kind !== 'open',
    matter.words,
  );
  if (state.kind === 'closed') {
    const calculation = closedCalculation(state, minute);
    return decided(false, {
      asked,
      found,
      limit,
      calculation: `${time}: ${calculation}`,
      meaning: '',
      gist: calculation,
    });
  }
  if (lasting !== null) return moreThanNow(lasting);
  const left = state.span.to - minute;
  const isSoon = left <= SOON;
  return decided(true, {
    asked,
    found,
    limit,
    calculation: `${time}: ${openCalculation(left, state.span.to)}`,
    meaning: isSoon ? `it is open for another ${inWords(left)}` : '',
    gist: isSoon ? `open, closes in ${inWords(left)}` : 'open',
    notes: arrivalNotes(matter, state.span.to, minute),
  });
}
