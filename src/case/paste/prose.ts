import { capital } from '../../common/text.ts';
import { Recommendation } from '../case.ts';
import { nounOf } from '../shown-fields.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { readCost } from './attributes.ts';
import { squeezeLines } from './text.ts';
import { type Note, type Reading, readDistanceKm, readRating } from './values.ts';

/** The words with a small or a capital first letter: the case of the rest tells a name from other words. */
const anyCase = (words: readonly string[]): string =>
  alternatives(words).replace(/(?<=\(\?:|\|)\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** Words that end before this position; `-n't` is the end of a word itself. */
function negated(negations: readonly string[]): RegExp {
  const endings = negations.filter((word) => word.startsWith('-')).map((word) => word.slice(1));
  const words = negations.filter((word) => !word.startsWith('-'));
  const either = `(?:(?<!\\p{L})${alternatives(words)}|${alternatives(endings).replaceAll("'", "['’]")})`;
  return new RegExp(`${either}(?: \\p{L}{1,12}){0,2} ?$`, 'iu');
}

/** A full stop within a name stands behind a short word, as in `Mr. Wash`, or within a word. */
const WORD = String.raw`(?:\p{Lu}\p{L}{0,2}\.(?= )|\p{Lu}[\p{L}\p{N}'’&-]{0,30}(?:\.[\p{L}\p{N}]{1,10})?)`;
/** A text in quotes or emphasis. */
const QUOTED = `["“„*]{1,3}([^"”“*]{2,60})["”“*]{1,3}`;

const patterns = oncePer(({ prose, units, hours, values }: Words) => {
  const ending = `${alternatives(prose.endings)}?`;
  const cuisine = anyCase(prose.cuisines);
  const cost = anyCase(prose.costs);
  const venue = alternatives(prose.venues);
  const name = String.raw`${WORD}(?: (?:(?:${alternatives(prose.withinName)}|\d{1,4}) ){0,2}${WORD}){0,5}`;
  const filler = `(?:${anyCase(prose.beforeName)} )`;
  // The lookahead around the last alternatives keeps V8 from compiling them anew for each of the optional characters before them.
  const says = String.raw`(?: ${alternatives(prose.says)}(?!\p{L})| ?\(|,? ?[,–—-] ?(?:${alternatives(prose.articles)} )?(?=\d{1,2}[.,]\d|\d{1,4} ?(?:km|min|m|mi)(?!\p{L})|[€$]|(?:${cost}|${cuisine})(?!\p{L}{3})))`;
  const lengths = alternatives([...units.kilometers, ...units.meters, ...units.miles]);
  // A single letter is a unit of other things, too: "900 m away".
  const minutes = alternatives(units.minutes.filter((unit) => unit.length > 1));
  const and = alternatives(hours.and);
  const byCar = `(?! ?${alternatives(prose.notByCar)})`;
  const outOf = String.raw`(?: ?${alternatives(values.outOf)} ?(\d{1,2}))?`;
  return {
    negated: negated(prose.negations),
    article: new RegExp(`(?<!\\p{L})${alternatives(prose.articles)} $`, 'iu'),
    recommended: new RegExp(
      String.raw`(?<![\p{L}])(${anyCase(prose.recommends)}),?:? ${filler}{0,4}(?:${cuisine}${ending} (?=${venue} ))?${filler}{0,3}(?:${QUOTED}|(${name}))`,
      'gu',
    ),
    /** A name before what is said of it: `El Camino (Mexican, $$) is …` at the start of a sentence, `*Pizza Nostra* is …` anywhere. */
    subject: new RegExp(`(?:${QUOTED}|(?<=^|[.!?:] )(${name}))(?=${says})`, 'gu'),
    onlyKind: new RegExp(
      `^(?:(?:${alternatives(prose.cuisines)}|${alternatives(prose.costs)})${ending}(?: |$))+$`,
      'iu',
    ),
    /** `Das Restaurant Poseidon` is called Poseidon. */
    kindFirst: new RegExp(`^(?:${anyCase(prose.beforeName)} )?${venue} (?=\\p{Lu})`, 'u'),
    notName: new RegExp(`^${alternatives(prose.notNames)}$`, 'iu'),
    kind: new RegExp(
      String.raw`(?<![\p{L}-])(?:(${cost})${ending}(?:,| ${and})? )?(?:\p{L}{3,14} )??(?:(${cuisine})${ending}[- ])?(?:${alternatives(prose.styles)} )?(${venue})(?!\p{L})`,
      'gu',
    ),
    /** An attribute that stands by itself in brackets or between commas: `(Mexican, $$)`, `…, cheap, …`. */
    listed: new RegExp(
      `(?<=[(,;·|–—] ?)(?:(${cost})${ending})?(?: |(?=[,;)·|.–—])|(?<=[(,;·|–—] ?))(?:(${cuisine})${ending})?(?= ?[,;)·|–—]|[.!] |[.!]?$)`,
      'gu',
    ),
    rating: new RegExp(
      String.raw`(?<!\p{L})${alternatives(prose.rated)} (\d(?:[.,]\d{1,2})?)(?![\d%])${outOf}|(?<![\d.,])(\d[.,]\d)(?:[ -]${alternatives(prose.stars)}(?!\p{L})| ?[★⭐]| ?\/ ?5\b)|[★⭐] ?(\d[.,]\d)`,
      'giu',
    ),
    distance: new RegExp(
      String.raw`(?<![\d.,])(\d{1,5}(?:[.,]\d{1,3})?) ?(${lengths})(?: ${alternatives(prose.away)}(?!\p{L})| ?\(|(?=\)|,? ${and} \d{1,3} ?min))`,
      'giu',
    ),
    limited: new RegExp(`${alternatives(prose.limits)}(?: ${alternatives(prose.articles)})? ?$`, 'iu'),
    duration: new RegExp(
      String.raw`(?<![\d.,:]|\d ?[-–] ?)(?:(\d{1,2}) ?${alternatives(units.hours)}\.? (?:${and} )?)?(\d{1,3})[ -]?${minutes}(?!\p{L})\.?${byCar}(?:(?=\))| ${alternatives(prose.byCar)}(?!\p{L})${byCar})`,
      'giu',
    ),
    opens: new RegExp(`(?<!\\p{L})${alternatives(prose.opens)} [^.!?]{0,30}?\\d`, 'iu'),
  };
});

/** Signs of a price level: no currency (`US$`), no amount (`20 €`), no range (`€–€€`). */
const SYMBOLS =
  /(?<![€$\p{L}]|[€$] ?[–—-] ?|\d[.,–—-]{0,2} ?)([€$])\1{0,3}(?![€$]| ?\d| ?[–—-] ?[€$])(?=[\s,.;)]|$)/gu;

/** The words just before a position, which may negate what stands there. */
const before = (text: string, at: number): string => text.slice(Math.max(0, at - 40), at);

/** The names that a text recommends; where it recommends none, those that it says something of. */
function namesIn(text: string, words: Words): string[] {
  const { recommended, subject, negated, notName, onlyKind, kindFirst } = patterns(words);
  const named = (found = ''): string[] => {
    const name = found
      .replace(/[.,:;!?'’-]{1,5}$/, '')
      .replace(kindFirst, '')
      .trim();
    return /^[\p{Lu}\d]/u.test(name) && !notName.test(name) && !onlyKind.test(name) ? [name] : [];
  };
  const given = [...text.matchAll(recommended)].flatMap((match) =>
    negated.test(before(text, match.index)) ? [] : named(match[2] ?? match[3]),
  );
  return given.length > 0
    ? given
    : [...text.matchAll(subject)].flatMap((match) => named(match[1] ?? match[2]));
}

/** The words for cost and cuisine before the kind of a place, and beside a name also those that stand by themselves. */
function kindsIn(text: string, isNamed: boolean, words: Words): { cost: string[]; cuisine: string[] } {
  const { kind, listed, negated, article } = patterns(words);
  const found = [...text.matchAll(kind), ...(isNamed ? text.matchAll(listed) : [])].filter(
    ({ index }) => !negated.test(before(text, index).replace(article, '')),
  );
  return {
    cost: found.flatMap(([, cost]) => cost?.toLowerCase() ?? []),
    cuisine: found.flatMap(([, , cuisine]) => (cuisine ? capital(cuisine.toLowerCase()) : [])),
  };
}

/** The one value that all hits agree on; several different ones are noted and none is taken. */
function agreed<Value extends string | number>(
  hits: readonly (Value | null)[],
  what: string,
  note: Note,
): Value | null {
  const [value, ...more] = new Set(hits.filter((hit) => hit !== null));
  if (value === undefined || more.length === 0) return value ?? null;
  note(`not used: the response gives more than one ${what} (${[value, ...more].slice(0, 4).join(', ')})`);
  return null;
}

/**
 * A venue read from the words of a response: only what a careful pattern finds and nothing contradicts. Null unless
 * at least two attributes are found, one of them the name, the cuisine or the cost: other answers give distances too.
 * Beside the structured data of a venue every attribute counts, but for those in words that the data gives.
 *
 * @param known the structured data
 */
function readProse(
  response: string,
  { format, note }: Reading,
  known: Recommendation | null = null,
): Recommendation | null {
  const { words } = format;
  const { rating, distance, duration, limited, negated } = patterns(words);
  const text = squeezeLines(response);
  const notes: string[] = [];
  const tell: Note = (assumption) => notes.push(assumption);
  const reading: Reading = { format, note: tell };
  const isDescribed = known?.name !== undefined && known.cuisine !== undefined && known.cost !== undefined;
  const names = isDescribed ? [] : namesIn(text, words);
  const kinds = isDescribed ? { cost: [], cuisine: [] } : kindsIn(text, names.length > 0, words);
  const symbols = [...text.matchAll(SYMBOLS)].map((match) => match[0]);
  const cost = agreed([...kinds.cost, ...symbols], 'cost', tell);
  // Without limits and what is negated; every match is read, as notes tell of all.
  const amounts = (pattern: RegExp, read: (match: RegExpMatchArray) => number | null) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const value = read(match);
      const lead = before(text, match.index);
      return value === null || limited.test(lead) || negated.test(lead) ? [] : [value];
    });
  const ratings = amounts(rating, ([, rated, outOf, stars, sign]) =>
    readRating(`${rated ?? stars ?? sign}${outOf === undefined ? '' : `/${outOf}`}`, reading),
  );
  const found = {
    name: agreed(names, 'name', tell),
    cuisine: agreed(kinds.cuisine, 'cuisine', tell),
    cost: cost === null ? null : readCost(cost, reading),
    rating: agreed(ratings, 'rating', tell),
    distanceKm: agreed(
      amounts(distance, ([, digits, unit]) => readDistanceKm(`${digits} ${unit?.toLowerCase()}`, reading)),
      'distance',
      tell,
    ),
    durationMin: agreed(
      amounts(duration, ([, hours, minutes]) => Number(hours ?? 0) * 60 + Number(minutes)),
      'drive time',
      tell,
    ),
  };
  const entries = Object.entries(found).filter(([, value]) => value !== null);
  const isNamed = (found.name ?? found.cuisine ?? found.cost) !== null;
  const isVenue = known !== null || (entries.length >= 2 && isNamed);
  // Several venues are not one, and that they were seen is said.
  const isSeveral = notes.filter((assumption) => assumption.includes('more than one')).length > 1;
  if (isVenue || isSeveral) notes.forEach(note);
  return isVenue ? Object.fromEntries(entries) : null;
}

/** What the contract knows of a venue; declared fields stand beside it. */
const OwnPart = Recommendation.strip();

/** What is given of the venue, completed by what the response says in words. */
export function completed(
  given: Readonly<Record<string, unknown>>,
  response: string,
  { format, note }: Reading,
): Readonly<Record<string, unknown>> {
  const known = OwnPart.safeParse(given).data ?? {};
  const structured = Object.keys(known).length > 0 ? known : null;
  const ofProse: Note = (assumption) => (structured === null ? note(assumption) : undefined);
  const prose = readProse(response, { format, note: ofProse }, structured) ?? {};
  const added = Object.keys(prose).filter((key) => !(key in known));
  if (added.length > 0) note(`the venue's ${added.map(nounOf).join(', ')} taken from the response`);
  const venue: Recommendation = { ...prose, ...known };
  for (const key of ['rating', 'distanceKm', 'durationMin'] as const)
    if (prose[key] !== undefined && prose[key] !== venue[key])
      note(
        `the response gives ${nounOf(key)} ${prose[key]}, the venue's data ${venue[key]}: the data counts`,
      );
  const isVenue = Object.keys(venue).length > 0;
  if (
    isVenue &&
    venue.openingHours === undefined &&
    patterns(format.words).opens.test(squeezeLines(response))
  )
    note('opening hours in the words of the response were not read: add "Opening hours: Monday 12:00-20:00"');
  return { ...prose, ...given };
}
