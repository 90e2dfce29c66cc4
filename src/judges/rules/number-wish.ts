import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { decided, listed, nounOf, type Outcome, quoted, shown, undecidable } from './outcome.ts';
import { ABOUT, type MeantMention } from './turn.ts';
import { type Matter, nothingAsked, otherSubject, wishesFor } from './wishes.ts';

const RELATIONS = [
  'at-least',
  'above',
  'at-most',
  'below',
  'between',
  'around',
  'exactly',
  'plain',
  'stars',
  'to',
] as const;
/** How a number phrase is read. `plain` is a number without any such word; it must match. `stars` are at least so many; `to` is what is to be reached. */
type Relation = (typeof RELATIONS)[number];

const isRelation = (id: string): id is Relation => RELATIONS.some((relation) => relation === id);

/** Prices have three decimals; more are floating point. */
const exactly = (value: number): string => String(Number(value.toFixed(3)));

interface Compared {
  holds: boolean;
  /** `at least 4.5`. */
  phrase: string;
  /** `4.6 ≥ 4.5, 0.1 to spare`. */
  calculation: string;
}

/** Ratings have one or two decimals; a difference below this is floating point (4.7 − 4.5 = 0.2000000000000002). */
const EPSILON = 1e-9;

function bounded(
  found: number,
  bound: number,
  side: 'low' | 'high',
  strict: boolean,
): Omit<Compared, 'phrase'> {
  const over = side === 'low' ? found - bound : bound - found;
  const holds = strict ? over > EPSILON : over >= -EPSILON;
  const signs = side === 'low' ? (strict ? ['>', '≤'] : ['≥', '<']) : strict ? ['<', '≥'] : ['≤', '>'];
  const margin =
    Math.abs(over) <= EPSILON
      ? 'the bound itself'
      : holds
        ? `${exactly(over)} to spare`
        : `${exactly(-over)} ${side === 'low' ? 'short' : 'too much'}`;
  return { holds, calculation: `${exactly(found)} ${signs[holds ? 0 : 1]} ${exactly(bound)}, ${margin}` };
}

function ranged(found: number, low: number, high: number): Omit<Compared, 'phrase'> {
  const off = Math.max(low - found, found - high);
  const holds = off <= EPSILON;
  const range = `${exactly(low)} to ${exactly(high)}`;
  const margin =
    Math.abs(off) <= EPSILON ? 'at its end' : holds ? `${exactly(-off)} inside` : `${exactly(off)} outside`;
  return { holds, calculation: `${exactly(found)} against ${range}, ${margin}` };
}

/** Bounds are inclusive, except for "above" and "below"; around is ± tolerance, inclusive. */
function compareNumber(
  relation: Relation,
  values: readonly number[],
  found: number,
  tolerance: number,
): Compared {
  const [first = Number.NaN, second = first] = values;
  const [low, high] = [Math.min(first, second), Math.max(first, second)];
  switch (relation) {
    case 'at-least':
    case 'stars':
      return { phrase: `at least ${exactly(first)}`, ...bounded(found, first, 'low', false) };
    case 'above':
      return { phrase: `above ${exactly(first)}`, ...bounded(found, first, 'low', true) };
    case 'at-most':
      return { phrase: `at most ${exactly(first)}`, ...bounded(found, first, 'high', false) };
    case 'below':
      return { phrase: `below ${exactly(first)}`, ...bounded(found, first, 'high', true) };
    case 'between':
      return { phrase: `between ${exactly(low)} and ${exactly(high)}`, ...ranged(found, low, high) };
    case 'around': {
      const { holds, calculation } = ranged(found, first - tolerance, first + tolerance);
      return {
        phrase: `around ${exactly(first)}`,
        holds,
        calculation: `${calculation} (${exactly(first)} ± ${exactly(tolerance)})`,
      };
    }
    case 'exactly':
    case 'to':
    case 'plain': {
      const off = found - first;
      const holds = Math.abs(off) <= EPSILON;
      const phrase = relation === 'exactly' ? `exactly ${exactly(first)}` : exactly(first);
      return {
        phrase,
        holds,
        calculation: holds
          ? `${exactly(found)} = ${exactly(first)}`
          : `${exactly(found)} ≠ ${exactly(first)}, ${exactly(Math.abs(off))} ${off > 0 ? 'above' : 'below'}`,
      };
    }
  }
}

type NumberWish = Extract<Check, { type: 'number-wish' }>;

/** The scale of ratings where neither the user nor the venue shows another. */
const USUAL_TOP = 5;

const relationOf = (mention: MeantMention): Relation | null => {
  const [term] = mention.terms;
  return term !== undefined && isRelation(term) ? term : null;
};

/** The term of words for guides, whose stars are another scale. */
const GUIDE = 'guide';

/** Mentions that are wishes; the words about the subject alone ("rated") are not. */
const counts = (mention: MeantMention): boolean => !mention.terms.includes(ABOUT);

const valuesOf = (mention: MeantMention): number[] => mention.numbers.flatMap((token) => token.value ?? []);

/** Why the user's number and the venue's cannot be compared, or null. */
function scaleProblem(mention: MeantMention, found: number): string | null {
  const top = mention.numbers.find((token) => token.scale !== null)?.scale ?? null;
  const highest = Math.max(...valuesOf(mention));
  const venueTop = found > USUAL_TOP ? 10 : USUAL_TOP;
  if (top !== null && top !== venueTop)
    return `the request speaks of a scale up to ${shown(top)}, the venue's ${shown(found)} seems to be on one up to ${venueTop}`;
  if (top === null && highest > venueTop)
    return `${shown(highest)} lies above the scale on which the venue has ${shown(found)}`;
  if (top === null && venueTop !== USUAL_TOP)
    return `the venue's ${shown(found)} is on another scale than the usual ${USUAL_TOP}, and the request names none`;
  return null;
}

/** A word that speaks of the subject ("with amazing reviews"), where no wish about it could be read. */
const spokenOf = (lexicon: string, matter: Matter): string | null =>
  matter.request.parts.flat().find((mention) => mention.lexicon === lexicon && mention.terms.includes(ABOUT))
    ?.quote ?? null;

const exact = (value: number): string => String(Number(value.toFixed(3)));

const PLAIN: Readonly<Record<NumberWish['plain'], string>> = {
  exactly: 'exactly that number',
  'at-least': 'at least that number',
  'at-most': 'at most that number',
};

/** How a phrase is compared; the rubric says how a number by itself is meant. */
const meantAs = (mention: MeantMention, check: NumberWish): Relation => {
  const relation = relationOf(mention) ?? 'plain';
  return relation === 'plain' && check.plain !== 'exactly' ? check.plain : relation;
};

/** The number in the field fits the user's phrase; how each phrase is read is in compare-number.ts. */
export function numberWish(check: NumberWish, matter: Matter): Outcome {
  const noun = check.name ?? nounOf(check.field);
  const wishes = wishesFor(check.lexicon, matter.request, counts);
  if (!matter.vocabulary.lexicons.has(check.lexicon))
    return undecidable(
      `the lexicon "${check.lexicon}" is not there`,
      `add prompts/lexicons/${check.lexicon}.yaml`,
    );
  if (wishes.kind !== 'asked') {
    const about = wishes.kind === 'silent' ? spokenOf(check.lexicon, matter) : null;
    return nothingAsked(
      about === null
        ? wishes
        : {
            kind: 'unclear',
            problem: `${quoted(about)} speaks of the ${noun} but names no number`,
            quote: quoted(about),
          },
      check.lexicon,
      noun,
      matter,
    );
  }
  const mentions = wishes.groups.flat();
  const limit = `the ${noun} that the request names must be met`;
  const asked = `the user asked for ${wishes.quote}`;
  const isOfGuide = matter.request.parts
    .flat()
    .some((mention) => mention.lexicon === check.lexicon && mention.terms.includes(GUIDE));
  const isOpen =
    isOfGuide ||
    wishes.unwanted.length > 0 ||
    mentions.some((mention) => mention.openEnded || relationOf(mention) === null) ||
    wishes.groups.some((group) => group.length > 1);
  if (isOpen)
    return undecidable(`it is not clear which numbers ${wishes.quote} allows`, 'ask a model', {
      asked,
      limit,
    });
  const other = otherSubject(matter);
  if (other !== null) return undecidable(other.problem, other.next, { asked, limit });
  const found = fieldOf(matter.evalCase, check.field);
  if (typeof found !== 'number')
    return undecidable(
      `the case gives no ${noun}${check.unit === undefined ? ' of the venue' : ''}`,
      `give ${check.field}`,
      {
        asked,
        limit,
        gist: `no ${noun} given`,
      },
    );
  const isRating = check.unit === undefined;
  const strange = !isRating
    ? undefined
    : mentions.map((mention) => scaleProblem(mention, found)).find((problem) => problem !== null);
  if (strange !== undefined)
    return undecidable(strange, 'give both on the same scale, or ask a model', {
      asked,
      limit,
      found: `the venue is rated ${shown(found)}`,
    });

  const results = mentions.map((mention) =>
    compareNumber(meantAs(mention, check), valuesOf(mention), found, check.tolerance),
  );
  const phrases = results.map((result) => result.phrase);
  const plain = mentions.find((mention) => relationOf(mention) === 'plain');
  const holds = results.every((result) => result.holds);
  return decided(holds, {
    asked: `the user asked for ${listed(phrases)}`,
    found: isRating ? `the venue is rated ${shown(found)}` : `it is ${exact(found)} ${check.unit}`.trim(),
    limit: `the ${noun} must be ${listed(phrases)}`,
    calculation: results.map((result) => result.calculation).join('; '),
    assumption:
      plain === undefined
        ? null
        : `${quoted(plain.quote)}, without "at least" or "around", is read as ${PLAIN[check.plain]}`,
    meaning: '',
    gist: holds ? `${noun} ${exact(found)}` : `${noun} ${exact(found)} instead of ${listed(phrases)}`,
  });
}
