import type { Recommendation } from '../case.ts';
import { squeezeLines } from './text.ts';
import { type Note, readDistanceKm, readDurationMin, readRating } from './values.ts';
import { readCost } from './venue.ts';

/** Words of cuisine, cost and kind of place without their German endings, as alternatives of a pattern. */
const CUISINES =
  `african|american|arabic|argentinian|asian|austrian|bavarian|belgian|brazilian|british|burger|cajun|caribbean|chinese|cuban|
ethiopian|european|french|fusion|georgian|german|greek|hawaiian|hungarian|indian|indonesian|iranian|irish|israeli|italian|
jamaican|japanese|korean|lebanese|malaysian|mediterranean|mexican|moroccan|nepalese|oriental|pakistani|persian|peruvian|
pizza|polish|portuguese|ramen|russian|scandinavian|seafood|spanish|steak|sushi|swiss|syrian|taiwanese|tapas|tex-mex|thai|tibetan|
turkish|ukrainian|vegan|vegetarian|vietnamese|amerikanisch|arabisch|asiatisch|bayerisch|bayrisch|brasilianisch|chinesisch|
deutsch|französisch|griechisch|indisch|italienisch|japanisch|koreanisch|libanesisch|mexikanisch|mediterran|österreichisch|
persisch|polnisch|portugiesisch|russisch|spanisch|syrisch|thailändisch|türkisch|ukrainisch|vegetarisch|vietnamesisch`.replaceAll(
    '\n',
    '',
  );
const COSTS =
  `high-end|upscale|upmarket|luxurious|luxury|fancy|exclusive|expensive|pricey|premium|fine-dining|fine dining|cheap|inexpensive|
low-cost|low-budget|budget|budget-friendly|affordable|mid-range|mid-priced|moderately priced|reasonably priced|gehoben|teuer|teur|luxuriös|
günstig|preiswert|billig|preisgünstig|edel|edl|exklusiv`.replaceAll('\n', '');
const NOUNS =
  `restaurants?|place|spot|bistro|eatery|diner|trattoria|pizzeria|steakhouse|café|cafe|bar|brasserie|venue|cuisine|food|option|
Restaurants?|Lokal|Küche`.replaceAll('\n', '');

/** The words with a small or a capital first letter: the case of the rest tells a name from other words. */
const anyCase = (words: string): string =>
  words.replace(/(?<=^|\|)\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);

const ENDING = '(?:es|er|en|em|e)?';
/** Ends with a word that negates what follows. */
const NEGATED =
  /(?:\bnot|n['’]t|\bnever|\bno|\bnicht|\bkeine?n?|\bcannot|\bunable to|\brather than|\binstead of)(?: \p{L}{1,12}){0,2} ?$/iu;

/** The words just before a position, which may negate what stands there. */
const before = (text: string, at: number): string => text.slice(Math.max(0, at - 40), at);

const RECOMMENDS = anyCase(
  "recommend|recommending|suggest|suggesting|how about|what about|found|called|named|namens|empfehle|wie wäre es mit|wie wär's mit|gefunden",
);
const FILLER =
  '(?:you |ihnen |dir |that |trying |visiting |going to |go to |to |a |an |the |das |die |den |dem |ein |eine |[Rr]estaurants? |called |named |namens )';
const WORD = String.raw`\p{Lu}[\p{L}\p{N}'’&.-]{0,30}`;
const LINK = String.raw`(?:de|la|le|les|du|des|di|da|del|della|el|and|und|&|of|the|am|an|im|in der|zum|zur|zu|von|by|et|y|e|\d{1,4})`;
const NAME = new RegExp(
  String.raw`(?<![\p{L}])(${RECOMMENDS}),?:? ${FILLER}{0,4}(?:(?:${anyCase(CUISINES)})${ENDING} (?=(?:${NOUNS}) ))?${FILLER}{0,3}(?:["“„*]{1,3}([^"”“*]{2,60})["”“*]{1,3}|(${WORD}(?: (?:${LINK} ){0,2}${WORD}){0,5}))`,
  'gu',
);
const ONLY_KIND = new RegExp(`^(?:(?:${CUISINES}|${COSTS})${ENDING} ?){1,3}$`, 'iu');
const NO_NAME = new RegExp(
  `^(?:${[
    'i|you|we|it|there|this|that|these|here|the|a|an|your|our|my|he|she|they|what|which|how|no|not|yes|ok|okay|sure|great|sorry',
    'unfortunately|alright|well|certainly|perfect|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|tonight',
    'google|note|traffic|weather|route|destination|distance|parking|navigation|bluetooth|battery|arrival|dinner|lunch|breakfast',
    'ich|du|sie|wir|es|das|die|der|dies|hier|dort|ihr|ihre|dein|deine|mein|ja|nein|gerne|klar|leider|heute|morgen|hinweis|verkehr',
    'wetter|parken|ziel|ankunft',
  ].join('|')})$`,
  'i',
);
const IS = String.raw`(?: (?:is|are|has|offers|serves|liegt|ist|hat|bietet|befindet)(?!\p{L})| ?\(|,? ?[,–—-] ?(?:an? |ein )?(?:\d{1,2}[.,]\d|\d{1,4} ?(?:km|min|m|mi)(?!\p{L})|[€$]|(?:${anyCase(COSTS)}|${anyCase(CUISINES)})(?!\p{L}{3})))`;
/** A name before what is said of it: `El Camino (Mexican, $$) is …` at the start of a sentence, `*Pizza Nostra* is …` anywhere. */
const SUBJECT = new RegExp(
  `(?:["“„*]{1,3}([^"”“*]{2,60})["”“*]{1,3}|(?<=^|[.!?:] )(${WORD}(?: (?:${LINK} ){0,2}${WORD}){0,5}))(?=${IS})`,
  'gu',
);

const isName = (name: string): boolean =>
  /^[\p{Lu}\d]/u.test(name) && !NO_NAME.test(name) && !ONLY_KIND.test(name);

const tidy = (name: string): string => name.replace(/[.,:;!?'’-]{1,5}$/, '').trim();

/** The names that a text recommends; where it recommends none, those that it says something of. */
function namesIn(text: string): string[] {
  const recommended = [...text.matchAll(NAME)].flatMap((match) => {
    const name = tidy(match[2] ?? match[3] ?? '');
    return isName(name) && !NEGATED.test(before(text, match.index)) ? [name] : [];
  });
  if (recommended.length > 0) return recommended;
  return [...text.matchAll(SUBJECT)].flatMap((match) => {
    const name = tidy(match[1] ?? match[2] ?? '');
    return isName(name) ? [name] : [];
  });
}

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
