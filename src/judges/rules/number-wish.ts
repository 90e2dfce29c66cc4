import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import type { Wish } from './doubts.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { ABOUT } from './mentions.ts';
import { decided, nounOf, type Outcome, quoted, shown, undecidable } from './outcome.ts';
import { addition, type Matter, nothingAsked, otherSubject, wishesFor } from './wishes.ts';

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

/** What stands between a number and a bound that it meets, and one that it does not. */
const signsOf = ({ high, strict = false }: Allowed): [string, string] => {
  if (high === most) return strict ? ['>', '≤'] : ['≥', '<'];
  return strict ? ['<', '≥'] : ['≤', '>'];
};

/** Whether a number is allowed, with the comparison: `4.6 ≥ 4.5, 0.1 to spare`. */
function compareNumber(found: number, range: Allowed): { holds: boolean; calculation: string } {
  const { low, high, strict = false, tolerance } = range;
  const over = Math.min(found - low, high - found);
  const holds = strict ? over > EPSILON : over >= -EPSILON;
  const off = exact(Math.abs(over));
  const margin = (end: string, within: string, beyond: string) =>
    Math.abs(over) <= EPSILON ? end : `${off} ${holds ? within : beyond}`;
  const said = (words: string) => ({ holds, calculation: `${exact(found)} ${words}` });
  if (low === high)
    return said(holds ? `= ${exact(low)}` : `≠ ${exact(low)}, ${off} ${found > low ? 'above' : 'below'}`);
  if (low === least || high === most) {
    const words = margin('the bound itself', 'to spare', high === most ? 'short' : 'too much');
    const [met, missed] = signsOf(range);
    return said(`${holds ? met : missed} ${exact(high === most ? low : high)}, ${words}`);
  }
  const around = tolerance === undefined ? '' : ` (${exact((low + high) / 2)} ± ${exact(tolerance)})`;
  return said(
    `against ${exact(low)} to ${exact(high)}, ${margin('at its end', 'inside', 'outside')}${around}`,
  );
}

type NumberWish = Extract<Check, { type: 'number-wish' }>;

/** The scale of ratings where neither the user nor the venue shows another. */
const USUAL_TOP = 5;

/** The term of words for guides, whose stars are another scale. */
const GUIDE = 'guide';

/** The relation of a number by itself; that it must match is `plain`, so that a reason does not say "exactly". */
const PLAIN = { exactly: 'plain', 'at-least': 'at-least', 'at-most': 'at-most' } as const;

const valuesOf = ({ numbers }: Wish): number[] => numbers.flatMap((token) => token.value ?? []);

/** What a phrase allows, or null where it is no wish to check; the rubric says how a number by itself is meant. */
function allowedBy(wish: Wish, check: NumberWish): Allowed | null {
  const [relation = ''] = wish.terms;
  const [first = Number.NaN, second = first] = valuesOf(wish);
  const read = RELATIONS[relation === 'plain' ? PLAIN[check.plain] : relation];
  return read?.(first, second, check.tolerance) ?? null;
}

/** Why the user's number and the venue's rating cannot be compared, or null. */
function scaleProblem(wish: Wish, found: number): string | null {
  const top = wish.numbers.find((token) => token.scale !== null)?.scale ?? null;
  const venueTop = found > USUAL_TOP ? 10 : USUAL_TOP;
  if (top === null ? Math.max(...valuesOf(wish), found) <= USUAL_TOP : top === venueTop) return null;
  return `the user's ${quoted(wish.quote)} and the venue's ${shown(found)} seem to be on different scales`;
}

/** The number in the field fits the user's phrase; of several phrases it is not clear how they go together. */
export function numberWish(check: NumberWish, _: CompiledLexicon, matter: Matter): Outcome {
  const noun = check.name ?? nounOf(check.field);
  const own = matter.request.wishes.filter(({ lexicon }) => lexicon === check.lexicon);
  const isAbout = ({ terms }: Wish) => terms.includes(ABOUT);
  const wishes = wishesFor(check.lexicon, matter.request, (wish) => !isAbout(wish));
  if (wishes.kind !== 'asked') {
    // A word that speaks of the subject ("with amazing reviews"), where no wish about it could be read.
    const about = wishes.kind === 'silent' ? own.find(isAbout) : undefined;
    const quote = quoted(about?.quote ?? '');
    const problem = `${quote} speaks of the ${noun} but names no number`;
    const said = about === undefined ? wishes : ({ kind: 'unclear', problem, quote } as const);
    return nothingAsked(said, check.lexicon, noun, matter);
  }
  const facts = {
    asked: `the user asked for ${wishes.quote}`,
    limit: `the ${noun} that the request names must be met`,
  };
  const [wish, ...others] = wishes.wanted;
  const isOfGuide = own.some(({ terms }) => terms.includes(GUIDE));
  const allowed = wish === undefined || others.length > 0 || isOfGuide ? null : allowedBy(wish, check);
  if (wish === undefined || allowed === null)
    return undecidable(`it is not clear which numbers ${wishes.quote} allows`, 'ask a model', facts);
  const other = otherSubject(matter);
  if (other !== null) return undecidable(other.problem, other.next, facts);
  const found = fieldOf(matter.evalCase, check.field);
  if (typeof found !== 'number')
    return undecidable(`the case does not give the ${noun}`, addition(check.field, matter), {
      ...facts,
      gist: `no ${noun} given`,
    });
  const isRating = check.unit === undefined;
  const strange = isRating ? scaleProblem(wish, found) : null;
  if (strange !== null) return undecidable(strange, 'give both on the same scale, or ask a model', facts);
  const { holds, calculation } = compareNumber(found, allowed);
  const { phrase } = allowed;
  const reading = `${quoted(wish.quote)}, without "at least" or "around", is read as ${check.plain.replace('-', ' ')} that number`;
  return decided(holds, {
    asked: `the user asked for ${phrase}`,
    found: isRating ? `the venue is rated ${shown(found)}` : `it is ${exact(found)} ${check.unit}`.trim(),
    limit: `the ${noun} must be ${phrase}`,
    calculation,
    assumption: wish.terms[0] === 'plain' ? reading : null,
    meaning: '',
    gist: holds ? `${noun} ${exact(found)}` : `${noun} ${exact(found)} instead of ${phrase}`,
  });
}
