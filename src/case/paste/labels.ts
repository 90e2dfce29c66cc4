import type { Field } from '../field.ts';
import { namesUnit } from './values.ts';

const UNIT_WORDS =
  'km|kilometers?|kilometres?|m|meters?|metres?|miles?|mi|minutes?|minuten|mins?|seconds?|secs?|s|ms|h';
/** A unit at the end of a label: `distance km`, `duration in minutes`. */
const UNIT = new RegExp(`(?: in)? (${UNIT_WORDS})$`);

/** `openingHours`, `opening_hours` and `Opening hours (today)` are one word; a unit in brackets stays, and so does `kWh`. */
export function wordOf(label: string): string {
  return label
    .normalize('NFC')
    .replace(/(?<=[a-zäöü\d]{2})(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/[([]([^()[\]]{0,40})[)\]]/g, (_, inner: string) => (UNIT.test(` ${inner}`) ? ` ${inner}` : ''))
    .replace(/[_\-–/&+.*`"'“”‘’?]/g, ' ')
    .replace(/\s{1,40}/g, ' ')
    .trim();
}

/** The words that name declared fields, as `wordOf` gives them. */
export interface DeclaredLabels {
  byWord: ReadonlyMap<string, Field>;
  /** Fields that share a word with others, told by the unit of the value. */
  byUnit: ReadonlyMap<string, readonly Field[]>;
  /** Objects of a case that consist of declared fields alone; in a text their names are headers. */
  groups: ReadonlySet<string>;
}

export const NONE_DECLARED: DeclaredLabels = { byWord: new Map(), byUnit: new Map(), groups: new Set() };

const OPEN = new Set(['recommendation', 'context']);

/** The words for a list of fields. Where two claim one word the first has it. */
export function declaredLabels(fields: readonly Field[]): DeclaredLabels {
  const byWord = new Map<string, Field>();
  const byUnit = new Map<string, Field[]>();
  for (const field of fields) {
    for (const label of [field.name, ...field.labels])
      if (!byWord.has(wordOf(label))) byWord.set(wordOf(label), field);
    for (const label of field.byUnit?.labels ?? [])
      byUnit.set(wordOf(label), [...(byUnit.get(wordOf(label)) ?? []), field]);
  }
  const groups = new Set(fields.flatMap(({ of }) => (of === undefined || OPEN.has(of) ? [] : [wordOf(of)])));
  return { byWord, byUnit, groups };
}

/** The field that a shared word means beside this value, or undefined. */
const fieldByUnit = (word: string, value: unknown, { byUnit }: DeclaredLabels): Field | undefined =>
  typeof value === 'string' ? byUnit.get(word)?.find((field) => namesUnit(value, field)) : undefined;

/** Whose turn a label begins. */
export type Role = 'user' | 'system';
export type ContextField = 'date' | 'time' | 'when' | 'location' | 'language' | 'latency' | 'timestamp';
export type PlaceField = 'location' | 'latitude' | 'longitude';
export type VenueField =
  | 'name'
  | 'cuisine'
  | 'menu'
  | 'cost'
  | 'rating'
  | 'hours'
  | 'distance'
  | 'duration'
  | 'address'
  | PlaceField;

/** What a label in a text, or a key in an object, stands for. */
export type Meaning =
  | { kind: 'role'; role: Role }
  | { kind: 'context'; field: ContextField | Field }
  /** A place is the user's or the venue's, as the section says. */
  | { kind: 'place'; field: PlaceField }
  | { kind: 'venue'; field: VenueField | Field }
  /** A venue's name where a value follows, else the header of its section. */
  | { kind: 'venue-or-name' }
  | { kind: 'section'; section: 'user-block' | 'system-block' | 'user-context' | 'context' | 'venue' }
  | { kind: 'document' }
  | { kind: 'field'; field: 'id' | 'rubric' | 'groundTruth' };

const USER = `user, u, q, h, d, n, f, question, query, utterance, prompt, input, human, driver, request, customer, passenger,
  client, nutzer, nutzerin, benutzer, benutzerin, anwender, fahrer, fahrerin, frage, kunde, anfrage, eingabe, äußerung,
  nutzeräußerung, user utterance, user query, user input, user request, user message, user turn, user question, user prompt,
  user says, user said, user text, driver utterance, driver request, driver says, last user utterance, human message`;

const SYSTEM = `system, s, a, b, c, answer, response, reply, output, assistant, bot, ai, agent, car, vehicle, model, completion,
  chatbot, copilot, llm, antwort, assistent, assistentin, auto, fahrzeug, ki, ausgabe, sprachassistent, voice assistant,
  car assistant, system response, system output, system answer, system reply, system utterance, system message, system turn,
  system says, system said, system text, assistant response, assistant message, assistant reply, assistant answer,
  assistant says, bot response, bot reply, bot answer, car response, car says, model response, model output, model answer,
  ai response, ai message, systemantwort, final response, final answer`;

/** One table for both languages: every spelling of a label, in lower case with single spaces. */
const TABLE: readonly (readonly [Meaning, string])[] = [
  [{ kind: 'role', role: 'user' }, USER],
  [{ kind: 'role', role: 'system' }, SYSTEM],
  [
    { kind: 'context', field: 'date' },
    'date, datum, day, tag, weekday, wochentag, current date, local date, user date, day of week',
  ],
  [
    { kind: 'context', field: 'time' },
    'time, zeit, uhrzeit, current time, local time, user time, time of day, clock, clock time, request time',
  ],
  [
    { kind: 'context', field: 'when' },
    'when, wann, datetime, date time, date and time, time and date, datum uhrzeit, datum und uhrzeit, current datetime, local datetime, zeitpunkt, now, jetzt',
  ],
  [{ kind: 'context', field: 'timestamp' }, 'timestamp, ts, zeitstempel, logged at, created at'],
  [
    { kind: 'context', field: 'location' },
    `user location, current location, current gps, user gps, gps location, my location, current position, user position, car location, vehicle location, car position,
    vehicle position, aktueller standort, aktuelle position, nutzerstandort`,
  ],
  [{ kind: 'context', field: 'language' }, 'language, sprache, lang, locale'],
  [
    { kind: 'context', field: 'latency' },
    'latency, latenz, response time, antwortzeit, response latency, time to response, elapsed',
  ],
  [
    { kind: 'place', field: 'location' },
    'location, position, standort, ort, place, gps, coordinates, coords, koordinaten, gps coordinates, geo, lage',
  ],
  [{ kind: 'place', field: 'latitude' }, 'latitude, lat, breitengrad, breite'],
  [{ kind: 'place', field: 'longitude' }, 'longitude, lon, lng, long, längengrad, länge'],
  [
    { kind: 'venue', field: 'address' },
    'address, adresse, anschrift, street, venue location, restaurant location, vicinity',
  ],
  [
    { kind: 'venue', field: 'name' },
    'name, restaurant name, venue name, name des restaurants, lokal, title, display name',
  ],
  [
    { kind: 'venue', field: 'cuisine' },
    'cuisine, cuisine type, cuisines, kitchen, küche, kueche, küchenart, food type, type of cuisine, type of food, küchenrichtung, category',
  ],
  [{ kind: 'venue', field: 'menu' }, 'menu, menu items, dishes, speisekarte, gerichte, menü, speisen'],
  [
    { kind: 'venue', field: 'cost' },
    `cost, costs, price, prices, price level, price range, price category, pricing, cost category, cost level, preis, preise,
    preisklasse, preisniveau, preiskategorie, kosten, budget`,
  ],
  [
    { kind: 'venue', field: 'rating' },
    'rating, ratings, bewertung, stars, sterne, score, user rating, average rating, note',
  ],
  [
    { kind: 'venue', field: 'hours' },
    `opening hours, opening times, open hours, hours, business hours, hours of operation, open, opens, opening, öffnungszeiten,
    oeffnungszeiten, geöffnet, weekday text, current opening hours, regular opening hours`,
  ],
  [
    { kind: 'venue', field: 'distance' },
    'distance, entfernung, distanz, dist, distance from user, distance to user, driving distance, strecke',
  ],
  [
    { kind: 'venue', field: 'duration' },
    `duration, dauer, drive, drive time, driving time, drive duration, travel time, fahrzeit, fahrtzeit, fahrdauer, eta,
    time to destination, reisezeit`,
  ],
  [
    { kind: 'venue-or-name' },
    `restaurant, venue, poi, place name, recommended restaurant, recommended venue, empfohlenes restaurant, station, fuel station,
    gas station, petrol station, charging station, recommended station, tankstelle, ladestation, ladesäule`,
  ],
  [{ kind: 'section', section: 'user-block' }, 'user block, user turn block, nutzerblock'],
  [{ kind: 'section', section: 'system-block' }, 'system block, systemblock'],
  [
    { kind: 'section', section: 'user-context' },
    `user context, user data, user info, user state, user metadata, nutzerkontext, situation, car context, vehicle context,
    vehicle state, context of the user, contextual information, context information, metadata, meta`,
  ],
  [{ kind: 'section', section: 'context' }, 'context, kontext'],
  [
    { kind: 'section', section: 'venue' },
    `recommendation, restaurant recommendation, venue recommendation, restaurant recommendation from the system,
    recommendation from the system, venue recommendation from the system, system recommendation, recommended place, restaurant details, venue details,
    venue data, restaurant data, restaurant info, venue info, poi details, search result, tool result, tool output,
    empfehlung, restaurantempfehlung, empfehlung des systems, details`,
  ],
  [
    { kind: 'document' },
    'document, doc, documents, source, passage, dokument, quelle, reference document, retrieved document',
  ],
  [{ kind: 'field', field: 'id' }, 'id, case id, case, fall'],
  [{ kind: 'field', field: 'rubric' }, 'rubric'],
  [
    { kind: 'field', field: 'groundTruth' },
    'ground truth, expected, expected answer, expected response, reference answer',
  ],
];

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  TABLE.flatMap(([meaning, words]) =>
    words.split(',').map((word): [string, Meaning] => [word.replace(/\s+/g, ' ').trim(), meaning]),
  ),
);

/** A label as read: its spelling in lower case, what it stands for, and the unit it names (`distance_km`). */
export interface LabelMeaning {
  word: string;
  meaning: Meaning;
  unit?: string;
}

/** A declared field is part of the user's situation, or belongs to what the system gave. */
const declaredMeaning = (field: Field): Meaning => ({
  kind: field.of === 'context' ? 'context' : 'venue',
  field,
});

/** What a whole word stands for: in the contract, else in what is declared. */
function wordMeaning(word: string, { byWord, groups }: DeclaredLabels): Meaning | undefined {
  const own = MEANINGS.get(word);
  if (own !== undefined) return own;
  const field = byWord.get(word);
  if (field !== undefined) return declaredMeaning(field);
  return groups.has(word) ? { kind: 'section', section: 'venue' } : undefined;
}

/** What a label or key stands for, or null; the contract's own before what is declared. Labels longer than 60 characters are none. */
export function meaningOf(label: string, declared: DeclaredLabels = NONE_DECLARED): LabelMeaning | null {
  if (label.length > 60) return null;
  const word = wordOf(label);
  const unnumbered = word.replace(/ ?#? ?\d{1,4}$/, '');
  for (const candidate of [word, unnumbered]) {
    const meaning = wordMeaning(candidate, declared);
    if (meaning !== undefined) return { word: candidate, meaning };
  }
  const unit = UNIT.exec(word)?.[1];
  const meaning = unit === undefined ? undefined : MEANINGS.get(word.replace(UNIT, ''));
  return unit === undefined || meaning === undefined ? null : { word: word.replace(UNIT, ''), meaning, unit };
}

/** The same with the value at hand, whose unit may tell what a label means that several share. */
export function meaningWith(label: string, value: unknown, declared: DeclaredLabels): LabelMeaning | null {
  const word = declared.byUnit.size === 0 || label.length > 60 ? '' : wordOf(label);
  const field = fieldByUnit(word, value, declared);
  return field === undefined ? meaningOf(label, declared) : { word, meaning: declaredMeaning(field) };
}

/** What an attribute is called in a message. */
export const attributeName = (field: string | Field): string =>
  typeof field === 'string' ? field : field.title;
