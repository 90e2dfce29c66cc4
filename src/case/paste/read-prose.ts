import type { Recommendation } from '../case.ts';
import { squeezeLines } from './clean-text.ts';
import { namesIn } from './prose-names.ts';
import { anyCase, before, COSTS, CUISINES, ENDING, NEGATED, NOUNS } from './prose-words.ts';
import { type Note, readDistanceKm, readDurationMin, readRating } from './read-quantity.ts';
import { readCost } from './read-venue.ts';

const KIND = new RegExp(
  String.raw`(?<![\p{L}-])(?:(${anyCase(COSTS)})${ENDING}(?:,| and| und)? )?(?:\p{L}{3,14} )??(?:(${anyCase(CUISINES)})${ENDING}[- ])?(?:fusion |style )?(${NOUNS})(?!\p{L})`,
  'gu',
);
/** An attribute that stands by itself in brackets or between commas: `(Mexican, $$)`, `…, cheap, …`. */
const LISTED = new RegExp(
  `(?<=[(,;·|–—] ?)(?:(${anyCase(COSTS)})${ENDING})?(?: |(?=[,;)·|.–—])|(?<=[(,;·|–—] ?))(?:(${anyCase(CUISINES)})${ENDING})?(?= ?[,;)·|–—]|[.!] |[.!]?$)`,
  'gu',
);
const SYMBOLS = /(?<![€$\d])([€$])\1{0,3}(?![€$]| ?\d)(?=[\s,.;)]|$)/g;
const RATING =
  /(?:\brated|\brating(?: of| is|:)?|\bbewertung(?: von| ist|:)?|\bbewertet mit)(?: at)? (\d(?:[.,]\d{1,2})?)(?![\d%])(?: ?(?:\/|out of|von) ?(\d{1,2}))?|(?<![\d.,])(\d[.,]\d)(?:[ -](?:stars?|sternen?)\b| ?[★⭐]| ?\/ ?5\b)|[★⭐] ?(\d[.,]\d)/giu;
const DISTANCE =
  /(?<![\d.,])(\d{1,5}(?:[.,]\d{1,3})?) ?(km|kilometers?|kilometres?|kilometern?|m|met(?:er|re)s?|metern|miles?|mi|meilen)(?: (?:away|from (?:you|here|your)|entfernt|weg|drive)\b| ?\(|(?=\)|,? (?:and|und) \d{1,3} ?min))/giu;
const LIMITED =
  /(?:within|under|less than|up to|radius of|range of|at most|over|more than|innerhalb von|unter|höchstens|maximal|weniger als|im umkreis von)(?: a| an)? ?$/i;
const DURATION =
  /(?<![\d.,:])(?:(\d{1,2}) ?(?:h|hours?|stunden?) (?:and |und )?)?(\d{1,3})[ -]?(?:min|mins|minutes?|minuten)\b\.?(?! ?(?:walk|on foot|by bike|by bus|by train|zu fuß|zu fuss|fußweg|gehweg|before|until|ago|wait|break))(?:(?=\))| (?:away|drive|by car|driving|from here|from you|entfernt|fahrt|fahrzeit|mit dem auto|autofahrt)\b)/giu;

interface Hit<Value> {
  value: Value;
  negated: boolean;
}

/** The one value that all hits agree on; several different ones are noted and none is taken. */
function agreed<Value extends string | number>(
  hits: readonly (Value | null)[],
  what: string,
  note: Note,
): Value | null {
  const values = [...new Set(hits.filter((hit) => hit !== null))];
  if (values.length > 1)
    note(`not used: the response gives more than one ${what} (${values.slice(0, 4).join(', ')})`);
  return values.length === 1 ? (values[0] ?? null) : null;
}

function kindsIn(text: string, isNamed: boolean): { cost: string[]; cuisine: string[] } {
  const cost: string[] = [];
  const cuisine: string[] = [];
  const listed = isNamed ? [...text.matchAll(LISTED)] : [];
  for (const match of [...text.matchAll(KIND), ...listed]) {
    if (NEGATED.test(`${before(text, match.index).replace(/\b(?:an?|the|any|ein|eine) $/i, '')}`)) continue;
    if (match[1]) cost.push(match[1].toLowerCase());
    if (match[2]) cuisine.push(match[2].charAt(0).toUpperCase() + match[2].slice(1).toLowerCase());
  }
  return { cost, cuisine };
}

const amounts = <Value>(
  text: string,
  pattern: RegExp,
  read: (match: RegExpMatchArray) => Value | null,
): Hit<Value>[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const value = read(match);
    const lead = before(text, match.index);
    return value === null ? [] : [{ value, negated: LIMITED.test(lead) || NEGATED.test(lead) }];
  });

const kept = <Value>(hits: readonly Hit<Value>[]): Value[] =>
  hits.filter((hit) => !hit.negated).map((hit) => hit.value);

/**
 * A venue read from the words of a response: only what a careful pattern finds and nothing contradicts. Null unless
 * at least two attributes are found, one of them the name, the cuisine or the cost: other answers give distances too.
 * Beside the structured data of a venue every attribute counts.
 */
export function readProse(response: string, note: Note, isKnownVenue = false): Recommendation | null {
  const text = squeezeLines(response);
  const notes: string[] = [];
  const say: Note = (assumption) => notes.push(assumption);
  const names = namesIn(text);
  const kinds = kindsIn(text, names.length > 0);
  const symbols = [...text.matchAll(SYMBOLS)].map((match) => match[0]);
  const cost = agreed([...kinds.cost, ...symbols], 'cost', say);
  const found: { [Key in keyof Recommendation]: Recommendation[Key] | null } = {
    name: agreed(names, 'name', say),
    cuisine: agreed(kinds.cuisine, 'cuisine', say),
    cost: cost === null ? null : readCost(cost, say),
    rating: agreed(
      kept(
        amounts(text, RATING, (match) => {
          const outOf = match[2] === undefined ? '' : `/${match[2]}`;
          return readRating(`${match[1] ?? match[3] ?? match[4]}${outOf}`, say);
        }),
      ),
      'rating',
      say,
    ),
    distanceKm: agreed(
      kept(amounts(text, DISTANCE, (match) => readDistanceKm(`${match[1]} ${match[2]?.toLowerCase()}`, say))),
      'distance',
      say,
    ),
    durationMin: agreed(
      kept(
        amounts(text, DURATION, (match) =>
          readDurationMin(`${Number(match[1] ?? 0) * 60 + Number(match[2])} min`, say),
        ),
      ),
      'drive time',
      say,
    ),
  };
  const venue: Recommendation = Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== null),
  );
  const isVenue =
    isKnownVenue ||
    (Object.keys(venue).length >= 2 && (venue.name ?? venue.cuisine ?? venue.cost) !== undefined);
  // Several venues are not one, and that they were seen is said.
  const isSeveral = notes.filter((assumption) => assumption.includes('more than one')).length > 1;
  if (!isVenue && !isSeveral) return null;
  for (const assumption of notes) note(assumption);
  return isVenue ? venue : null;
}
