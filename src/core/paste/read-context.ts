import type { Context, EvalCase, Place, Weekday } from '../case.ts';
import { excerpt, squeeze, stripQuotes } from './clean-text.ts';
import type { ContextEntry } from './draft.ts';
import { readDate, settleDate } from './read-date.ts';
import { joinPlaces, readPlace } from './read-place.ts';
import { type Note, readLatencyMs } from './read-quantity.ts';
import { readTime } from './read-time.ts';

interface Moment {
  date: string | null;
  weekday: Weekday | null;
  time: string | null;
}

const HOW = {
  date: 'write Date: 2024-03-04',
  time: 'write Time: 20:35',
  when: 'write Date: 2024-03-04 and Time: 20:35',
};

/** A date line may hold a time only where it is unmistakable: `04.03.` is not four minutes past three. */
const showsTime = (text: string): boolean => /\d:\d|\d ?(?:[ap]\.?m\b|uhr\b|h\b)/i.test(text);

function readMoment(entry: ContextEntry & { field: 'date' | 'time' | 'when' }, note: Note): Moment {
  const text = typeof entry.value === 'string' ? stripQuotes(squeeze(entry.value)) : '';
  const { rest, isUnread, ...day } = readDate(text, note);
  const time = entry.field === 'time' || showsTime(rest) ? readTime(rest, note) : null;
  if (time !== null && /\d ?(?:Z|[+-]\d{2}:?\d{2})$/.test(text))
    note(`the time zone of "${excerpt(text, 40)}" was left out: ${time} is taken as the user's local time`);
  if (day.date === null && day.weekday === null && time === null && !isUnread)
    note(`${entry.label} "${excerpt(text, 40)}" not understood: left out, ${HOW[entry.field]}`);
  return { ...day, time };
}

const LANGUAGES: Readonly<Record<string, string>> = {
  english: 'en',
  englisch: 'en',
  german: 'de',
  deutsch: 'de',
  french: 'fr',
  französisch: 'fr',
  spanish: 'es',
  spanisch: 'es',
  italian: 'it',
  italienisch: 'it',
  dutch: 'nl',
  niederländisch: 'nl',
  chinese: 'zh',
  chinesisch: 'zh',
  japanese: 'ja',
  korean: 'ko',
};

const first = <Value>(values: readonly (Value | null)[]): Value | null =>
  values.find((value) => value !== null) ?? null;

/** What the entries say about the user's situation; whatever is not certain is noted. */
export function readContext(
  entries: readonly ContextEntry[],
  note: Note,
): Pick<EvalCase, 'context' | 'latencyMs' | 'language'> {
  const moments: Moment[] = [];
  const places: Place[] = [];
  const beside: Pick<EvalCase, 'latencyMs' | 'language'> = {};
  const seen = new Set<string>();
  for (const entry of entries) {
    const { field, label, value, unit } = entry;
    const shown = `${label} "${excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 40)}"`;
    if (seen.has(field)) {
      note(`not used: a second ${shown}`);
      continue;
    }
    seen.add(field);
    if (field === 'date' || field === 'time' || field === 'when')
      moments.push(readMoment({ ...entry, field }, note));
    else if (field === 'timestamp')
      note(`not used: ${shown} (the log's time is not the user's: ${HOW.when})`);
    else if (field === 'language') {
      const words = typeof value === 'string' ? stripQuotes(value) : '';
      if (words !== '') beside.language = LANGUAGES[words.toLowerCase()] ?? words;
    } else if (field === 'latency') {
      const latency = readLatencyMs(value, note, unit);
      if (latency === null) note(`${shown} not understood: left out, write Latency: 1800 ms`);
      else beside.latencyMs = latency;
    } else {
      const place = readPlace(field === 'location' ? value : { [field]: value }, note);
      if (place) places.push(place);
      else note(`${shown} not understood: left out, write Location: Prenzlauer Berg, Berlin`);
    }
  }
  const context: Context = {};
  const date = settleDate(
    first(moments.map((moment) => moment.date)),
    first(moments.map((moment) => moment.weekday)),
    note,
  );
  const time = first(moments.map((moment) => moment.time));
  const location = joinPlaces(places, note);
  if (date !== null) context.date = date;
  if (time !== null) context.time = time;
  if (location !== null) context.location = location;
  return Object.keys(context).length > 0 ? { context, ...beside } : beside;
}
