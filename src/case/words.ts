import * as z from 'zod';
import { Id } from '../common/id.ts';
import { weekdays } from './case.ts';

const line = z.string().trim().min(1);
/** Every way to write one thing, all languages side by side. */
const spellings = z.array(line).default([]);

const isPattern = (source: string): boolean => {
  try {
    return new RegExp(source, 'iu').source !== '';
  } catch {
    return false;
  }
};
const patterns = z.array(line.refine(isPattern, 'is no regular expression')).default([]);

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

/**
 * Words by which pastes are read, in any language. What each list is for stands beside the built-in words in
 * `prompts/paste/`; any file may hold some of the lists, and all files add up.
 */
const WORDS = {
  labels: z
    .strictObject({
      user: spellings,
      system: spellings,
      date: spellings,
      time: spellings,
      dateTime: spellings,
      timestamp: spellings,
      userLocation: spellings,
      language: spellings,
      latency: spellings,
      location: spellings,
      latitude: spellings,
      longitude: spellings,
      address: spellings,
      name: spellings,
      cuisine: spellings,
      menu: spellings,
      cost: spellings,
      rating: spellings,
      openingHours: spellings,
      distance: spellings,
      duration: spellings,
      venueOrName: spellings,
      userBlock: spellings,
      systemBlock: spellings,
      userContext: spellings,
      context: spellings,
      recommendation: spellings,
      document: spellings,
      id: spellings,
      rubric: spellings,
      groundTruth: spellings,
    })
    .prefault({}),
  labelKinds: z
    .strictObject({
      response: spellings,
      instructions: spellings,
      doubtful: spellings,
      now: spellings,
      neverAlone: spellings,
      units: spellings,
      beforeUnit: spellings,
      priceLevel: spellings,
    })
    .prefault({}),
  keys: z
    .strictObject({
      turns: spellings,
      speaker: spellings,
      text: spellings,
      documents: spellings,
      wrapper: spellings,
      venueGroup: spellings,
      place: spellings,
      ignored: spellings,
      roleLetters: spellings,
    })
    .prefault({}),
  speakers: z
    .strictObject({
      letters: spellings,
      userPictures: spellings,
      systemPictures: spellings,
      turn: spellings,
      judgeThis: spellings,
      greetings: spellings,
      mentions: patterns,
      app: patterns,
      nameLine: patterns,
    })
    .prefault({}),
  weekdays: z.partialRecord(z.enum(weekdays), spellings).default({}),
  months: z.partialRecord(z.enum(months), spellings).default({}),
  moments: z
    .strictObject({
      shortWeekdays: spellings,
      noon: spellings,
      midnight: spellings,
      oClock: spellings,
      relative: spellings,
      filler: spellings,
    })
    .prefault({}),
  hours: z
    .strictObject({
      everyDay: spellings,
      workdays: spellings,
      weekend: spellings,
      closed: spellings,
      allDay: spellings,
      to: spellings,
      and: spellings,
      filler: spellings,
    })
    .prefault({}),
  units: z
    .strictObject({
      kilometers: spellings,
      meters: spellings,
      miles: spellings,
      hours: spellings,
      minutes: spellings,
      seconds: spellings,
      milliseconds: spellings,
    })
    .prefault({}),
  values: z
    .strictObject({
      about: spellings,
      outOf: spellings,
      yes: spellings,
      no: spellings,
      nothing: spellings,
    })
    .prefault({}),
  priceLevels: z.record(line, spellings).default({}),
  languages: z.record(line, spellings).default({}),
  prose: z
    .strictObject({
      cuisines: spellings,
      costs: spellings,
      endings: spellings,
      venues: spellings,
      styles: spellings,
      recommends: spellings,
      beforeName: spellings,
      withinName: spellings,
      says: spellings,
      articles: spellings,
      notNames: spellings,
      negations: spellings,
      limits: spellings,
      rated: spellings,
      stars: spellings,
      away: spellings,
      byCar: spellings,
      notByCar: spellings,
      opens: spellings,
    })
    .prefault({}),
};

/** Words as one file of `prompts/paste/` gives them. */
export const WordFile = z.strictObject({ id: Id, title: line, source: line, ...WORDS });
const Words = z.strictObject(WORDS);
export type Words = z.infer<typeof Words>;
export type LabelName = keyof Words['labels'];

type Lists = Readonly<Record<string, readonly string[]>>;

/** The words of several files together, without those that stand in more than one. */
export function joinWords(files: readonly Words[]): Words {
  const joined = (key: keyof Words): Lists => {
    const all = files.map((file): Lists => file[key]);
    const names = new Set(all.flatMap(Object.keys));
    return Object.fromEntries(
      [...names].map((name) => [name, [...new Set(all.flatMap((lists) => lists[name] ?? []))]]),
    );
  };
  return Words.parse(Object.fromEntries(Words.keyof().options.map((key) => [key, joined(key)])));
}

/** Something made of an object once, when it is first asked for: patterns of words are not needed at every start. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, { made: Made }>();
  return (key) => {
    const found = known.get(key) ?? { made: make(key) };
    known.set(key, found);
    return found.made;
  };
}

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Words as the alternatives of a pattern, in their order; a space stands for one space. */
export const alternatives = (words: readonly string[]): string =>
  `(?:${words.length === 0 ? '(?!)' : words.map(escaped).join('|')})`;
