import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { decided, listed, nounOf, type Outcome, quoted, shown, undecidable } from './outcome.ts';
import { ABOUT, type MeantMention } from './turn.ts';
import { type Matter, nothingAsked, otherSubject, wishesFor } from './wishes.ts';

/** Numbers as they are shown: prices have three decimals, more are floating point. */
const exact = (value: number): string => String(Number(value.toFixed(3)));

/** Ratings have one or two decimals; a difference below this is floating point (4.7 − 4.5 = 0.2000000000000002). */
const EPSILON = 1e-9;

/** What a number phrase allows: `low` and `high` are included, unless it is strict. */
interface Allowed {
  /** `at least 4.5`. */
  phrase: string;
  low: number;
  high: number;
  strict?: boolean;
  /** How far "around" reaches. */
  tolerance?: number;
}

const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/**
 * How the terms of a lexicon of numbers are read. `plain` is a number without any word, which must match; `to` is what is
 * to be reached; `stars` are at least so many. Around is ± tolerance.
 */
const RELATIONS: Readonly<Record<string, (first: number, second: number, tolerance: number) => Allowed>> = {
  'at-least': (low) => ({ phrase: `at least ${exact(low)}`, low, high: most }),
  stars: (low) => ({ phrase: `at least ${exact(low)}`, low, high: most }),
  above: (low) => ({ phrase: `above ${exact(low)}`, low, high: most, strict: true }),
  'at-most': (high) => ({ phrase: `at most ${exact(high)}`, low: least, high }),
  below: (high) => ({ phrase: `below ${exact(high)}`, low: least, high, strict: true }),
  between: (one, other) => {
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    return { phrase: `between ${exact(low)} and ${exact(high)}`, low, high };
  },
  around: (value, _, tolerance) => ({
    phrase: `around ${exact(value)}`,
    low: value - tolerance,
    high: value + tolerance,
    tolerance,
  }),
  exactly: (value) => ({ phrase: `exactly ${exact(value)}`, low: value, high: value }),
  to: (value) => ({ phrase: exact(value), low: value, high: value }),
  plain: (value) => ({ phrase: exact(value), low: value, high: value }),
};

/** Against a bound on one side: `4.6 ≥ 4.5, 0.1 to spare`. */
function againstBound(found: number, { low, high, strict }: Allowed, holds: boolean, margin: string): string {
  const signs =
    high === most ? [strict ? '>' : '≥', strict ? '≤' : '<'] : [strict ? '<' : '≤', strict ? '≥' : '>'];
  return `${exact(found)} ${signs[holds ? 0 : 1]} ${exact(high === most ? low : high)}, ${margin}`;
}

/** Whether a number is allowed, with the comparison. */
function compareNumber(found: number, range: Allowed): { holds: boolean; calculation: string } {
  const { low, high, strict = false, tolerance } = range;
  const over = Math.min(found - low, high - found);
  const holds = strict ? over > EPSILON : over >= -EPSILON;
  const off = exact(Math.abs(over));
  const margin = (end: string, within: string, beyond: string) =>
    Math.abs(over) <= EPSILON ? end : `${off} ${holds ? within : beyond}`;
  if (low === high) {
    const differs = `${exact(found)} ≠ ${exact(low)}, ${off} ${found > low ? 'above' : 'below'}`;
    return { holds, calculation: holds ? `${exact(found)} = ${exact(low)}` : differs };
  }
  if (low === least || high === most) {
    const words = margin('the bound itself', 'to spare', high === most ? 'short' : 'too much');
    return { holds, calculation: againstBound(found, range, holds, words) };
  }
  const around = tolerance === undefined ? '' : ` (${exact((low + high) / 2)} ± ${exact(tolerance)})`;
  const words = margin('at its end', 'inside', 'outside');
  return { holds, calculation: `${exact(found)} against ${exact(low)} to ${exact(high)}, ${words}${around}` };
}

type NumberWish = Extract<Check, { type: 'number-wish' }>;

/** The scale of ratings where neither the user nor the venue shows another. */
const USUAL_TOP = 5;

const relationOf = ({ terms: [term = ''] }: MeantMention): string | null => (term in RELATIONS ? term : null);

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

/** The relation of a number by itself; that it must match is `plain`, so that a reason does not say "exactly". */
const PLAIN = { exactly: 'plain', 'at-least': 'at-least', 'at-most': 'at-most' } as const;

/** What a phrase allows; the rubric says how a number by itself is meant. */
function allowedBy(mention: MeantMention, check: NumberWish): Allowed {
  const relation = relationOf(mention) ?? 'plain';
  const [first = Number.NaN, second = first] = valuesOf(mention);
  const read = RELATIONS[relation === 'plain' ? PLAIN[check.plain] : relation] ?? RELATIONS.plain;
  return read === undefined ? { phrase: '', low: first, high: first } : read(first, second, check.tolerance);
}

/** The number in the field fits the user's phrases, all of them. */
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

  const allowed = mentions.map((mention) => allowedBy(mention, check));
  const [low, high] = [
    Math.max(...allowed.map((range) => range.low)),
    Math.min(...allowed.map((range) => range.high)),
  ];
  if (low > high)
    return undecidable(
      `the request names several numbers that no ${noun} can meet (${wishes.quote})`,
      'ask a model',
      { asked, limit },
    );
  const results = allowed.map((range) => compareNumber(found, range));
  const phrases = allowed.map(({ phrase }) => phrase);
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
        : `${quoted(plain.quote)}, without "at least" or "around", is read as ${check.plain.replace('-', ' ')} that number`,
    meaning: '',
    gist: holds ? `${noun} ${exact(found)}` : `${noun} ${exact(found)} instead of ${listed(phrases)}`,
  });
}
