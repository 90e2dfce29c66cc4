import * as z from 'zod';
import { Id, line } from '../../common/index.ts';
import { weekdays } from '../index.ts';

/** Spellings of one thing, in all languages. */
const spellings = z.array(line).default([]);

export const isPattern = (source: string): boolean => {
  try {
    return new RegExp(source, 'iu').source !== '';
  } catch {
    return false;
  }
};
/** Not trimmed, because spaces matter in patterns. */
const patterns = z.array(z.string().min(1).refine(isPattern, 'is not a regular expression')).default([]);

export const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;

/** Names of the lists of labels, by what kind of thing a label or key stands for. */
export const labelLists = {
  role: ['user', 'system'],
  context: ['date', 'time', 'dateTime', 'timestamp', 'language', 'latency'],
  place: ['location', 'latitude', 'longitude'],
  venue: ['name', 'cuisine', 'menu', 'cost', 'rating', 'openingHours', 'distance', 'duration', 'address'],
  section: ['userBlock', 'systemBlock', 'userContext', 'context', 'recommendation'],
  field: ['id', 'rubric', 'groundTruth'],
  other: ['userLocation', 'venueOrName', 'document', 'metadata'],
} as const;
const labelNames = Object.values(labelLists).flat();
export type LabelName = (typeof labelNames)[number];

/** How a chat or a log marks turns, recognized by its lines. `prompts/paste/formats.yaml` explains how to write one. */
const Format = z.strictObject({
  /** Its name in messages: `the lines of a log`. */
  name: line,
  lines: patterns,
  noise: patterns,
  whole: z.boolean().default(false),
  signs: z.boolean().default(false),
});

/** Word lists with these names. A missing list is empty. */
const lists = <const Names extends readonly string[]>(...names: Names) => z.record(z.enum(names), spellings);

/** The vocabulary for reading pastes, in any language. The files in `prompts/paste/` explain each list. */
const Words = z.strictObject({
  labels: z.record(z.enum(labelNames), spellings),
  labelKinds: lists(
    'response',
    'instructions',
    'alsoThings',
    'sources',
    'articles',
    'doubtful',
    'now',
    'neverAlone',
    'described',
    'units',
    'beforeUnit',
    'priceLevel',
  ),
  keys: lists(
    'turns',
    'alternatives',
    'speaker',
    'maybeSpeaker',
    'tools',
    'text',
    'documents',
    'wrapper',
    'venueGroup',
    'place',
    'ignored',
    'roleLetters',
  ),
  speakers: lists('letters', 'turn', 'judgeThis', 'greetings'),
  patterns: z.record(
    z.enum(['mentions', 'app', 'assistants', 'wakeWords', 'remarks', 'closings', 'caseHeaders']),
    patterns,
  ),
  formats: z.array(Format).default([]),
  /**
   * Words in sentences: those that never end one (`open`), start a comment on an answer (`opinion`), continue a request
   * (`goesOn`) or report what others said (`narration`), and conjunctions before a comment or a report (`joins`).
   */
  sentences: lists('open', 'opinion', 'goesOn', 'joins', 'narration'),
  /** Pairs of labels for two answers to one request, first and second. */
  answers: z.array(z.tuple([line, line])).default([]),
  weekdays: lists(...weekdays),
  months: lists(...months),
  moments: lists('shortWeekdays', 'noon', 'midnight', 'oClock', 'relative', 'filler'),
  hours: lists('everyDay', 'workdays', 'weekend', 'closed', 'allDay', 'to', 'and', 'filler'),
  units: lists('kilometers', 'meters', 'miles', 'hours', 'minutes', 'seconds', 'milliseconds'),
  values: lists(
    'about',
    'outOf',
    'reviews',
    'formerly',
    'yes',
    'no',
    'nothing',
    'verdicts',
    'states',
    'stateUnits',
    'notByCar',
  ),
  priceLevels: z.record(line, spellings),
  languages: z.record(line, spellings),
});
export type Words = z.infer<typeof Words>;

/** Any subset of the lists. */
export type SomeWords = { [Key in keyof Words]?: Words[Key] | undefined };

/** The words in one file of `prompts/paste/`. The lists of all files are merged. */
export const WordFile = Words.partial().extend({ id: Id, title: line, source: line });

type Lists = Readonly<Record<string, readonly string[]>>;

/** Merges the words of several files; duplicates within a list are dropped. */
export function joinWords(files: readonly SomeWords[]): Words {
  const joined = (key: Exclude<keyof Words, 'formats' | 'answers'>): Lists => {
    const all = files.map((file): Lists => file[key] ?? {});
    const names = new Set(all.flatMap(Object.keys));
    return Object.fromEntries(
      [...names].map((name) => [name, [...new Set(all.flatMap((lists) => lists[name] ?? []))]]),
    );
  };
  const lists = Words.keyof().options.filter((key) => key !== 'formats' && key !== 'answers');
  const formats = new Map(files.flatMap((file) => file.formats ?? []).map((format) => [format.name, format]));
  return Words.parse({
    ...Object.fromEntries(lists.map((key) => [key, joined(key)])),
    formats: [...formats.values()],
    answers: [
      ...new Map(files.flatMap((file) => file.answers ?? []).map((pair) => [pair.join('\n'), pair])).values(),
    ],
  });
}

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Words as a regular-expression group of alternatives, in the given order. */
export const alternatives = (words: readonly string[]): string =>
  `(?:${words.length === 0 ? '(?!)' : words.map(escaped).join('|')})`;
