import { fieldOf } from '../../case/case.ts';
import { nounOf } from '../../case/shown-fields.ts';
import type { Check } from '../../judging/check.ts';
import type { Wish } from './doubts.ts';
import type { CompiledLexicon } from './lexicon.ts';
import {
  addition,
  contradiction,
  type Matter,
  nothingAsked,
  otherSubject,
  readAnswer,
  unread,
  wishesFor,
} from './matter.ts';
import { ABOUT, type Mention } from './mentions.ts';
import { decided, type Outcome, quoted, shown, undecidable } from './outcome.ts';

type NumberWish = Extract<Check, { type: 'number-wish' }>;

/** Ratings have one or two decimals; a difference below this is floating point (4.7 − 4.5 = 0.2000000000000002). */
const EPSILON = 1e-9;

/** What a number phrase allows: `low` and `high` are included, unless it is strict. */
interface Allowed {
  low: number;
  high: number;
  strict?: boolean;
}

const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const exactly = (value: number): Allowed => ({ low: value, high: value });
const atLeast = (low: number): Allowed => ({ low, high: most });
/**
 * How the terms of a lexicon of numbers are read. `plain` is a number without any word, which must match; `to` is what is
 * to be reached; `stars` are at least so many. Around is ± tolerance.
 */
const RELATIONS: Readonly<Record<string, (first: number, second: number, tolerance: number) => Allowed>> = {
  'at-least': atLeast,
  stars: atLeast,
  above: (low) => ({ low, high: most, strict: true }),
  'at-most': (high) => ({ low: least, high }),
  below: (high) => ({ low: least, high, strict: true }),
  between: (one, other) => ({ low: Math.min(one, other), high: Math.max(one, other) }),
  around: (value, _, tolerance) => ({ low: value - tolerance, high: value + tolerance }),
  exactly,
  to: exactly,
  plain: exactly,
};

/** Whether a number is allowed, and by how much: `0.1 to spare`, `0.2 outside 4.3 to 4.7`. */
function compareNumber(found: number, { low, high, strict = false }: Allowed) {
  const over = Math.min(found - low, high - found);
  const holds = strict ? over > EPSILON : over >= -EPSILON;
  const off = shown(Math.abs(over));
  const isAtEnd = Math.abs(over) <= EPSILON;
  if (low === high)
    return { holds, margin: holds ? 'as asked' : `${off} ${found > low ? 'above' : 'below'}` };
  if (low === least || high === most) {
    const [side, beyond] = high === most ? ['above', 'short'] : ['below', 'too much'];
    if (isAtEnd) return { holds, margin: holds ? 'as asked' : `not ${side} ${shown(found)}` };
    return { holds, margin: `${off} ${holds ? 'to spare' : beyond}` };
  }
  const range = `${shown(low)} to ${shown(high)}`;
  return { holds, margin: holds ? `within ${range}` : `${off} outside ${range}` };
}

/** The scale of ratings where neither the user nor the venue shows another. */
const USUAL_TOP = 5;

/** An upper limit so many times what is given may be one of something else: "diesel for 50 euros". */
const FAR = 10;

/** The term of words for guides, whose stars are another scale, and of numbers of reviews. */
const GUIDE = 'guide';

const valuesOf = ({ numbers }: Mention): number[] => numbers.flatMap((token) => token.value ?? []);

/** What a phrase allows, or null where it is no wish to check; the rubric says how a number by itself is meant. */
function allowedBy(wish: Wish, check: NumberWish): Allowed | null {
  const [relation = ''] = wish.terms;
  const [first = Number.NaN, second = first] = valuesOf(wish);
  return RELATIONS[relation === 'plain' ? check.plain : relation]?.(first, second, check.tolerance) ?? null;
}

/** Whether the user's number may be on another scale, or about something else: 4 of 10 and 4.5 stars, 30 % and a share of 0.3, diesel for 50 euros. */
function isElsewhere(wish: Wish, { low, high }: Allowed, found: number, { unit }: NumberWish): boolean {
  if (low === least && high > found * FAR) return true;
  if (unit !== undefined) return low === high && low > 1 && found > 0 && found < 1;
  const top = wish.numbers.find((token) => token.scale !== null)?.scale ?? null;
  const venueTop = found > USUAL_TOP ? 10 : USUAL_TOP;
  return top === null ? Math.max(...valuesOf(wish), found) > USUAL_TOP : top !== venueTop;
}

/** The outcome where a phrase allows some numbers and the case gives one. */
function compared(wish: Wish, allowed: Allowed, found: number, check: NumberWish, matter: Matter): Outcome {
  const noun = check.name ?? nounOf(check.field);
  if (isElsewhere(wish, allowed, found, check))
    return undecidable(
      `${quoted(wish.quote)} may be on another scale than the ${noun}, which is ${shown(found)}, or about something else`,
      'give both on the same scale, or ask a model',
    );
  const { holds, margin } = compareNumber(found, allowed);
  const given = `the ${noun} is ${shown(found)} ${check.unit ?? ''}`.trim();
  const claims = readAnswer(matter)
    .mentions.filter((mention) => mention.lexicon === check.lexicon && mention.numbers.length > 0)
    .map((one) => ({ ...one, fits: valuesOf(one).some((value) => Math.abs(value - found) <= EPSILON) }));
  const contradicted = holds ? contradiction(given, claims) : null;
  if (contradicted !== null) return contradicted;
  const reading = `${quoted(wish.quote)}, without "at least" or "around", is read as ${check.plain.replace('-', ' ')} that number`;
  return decided(
    holds,
    `the request says ${quoted(wish.quote)}; ${given}, ${margin}`,
    wish.terms[0] === 'plain' ? [reading] : [],
  );
}

/** The number in the field fits the user's phrase; of several phrases it is not clear how they go together. */
export function numberWish(check: NumberWish, _: CompiledLexicon, matter: Matter): Outcome {
  const { lexicon, field, least: usual } = check;
  const noun = check.name ?? nounOf(field);
  const found = fieldOf(matter.evalCase, field);
  const saidOf = (term: string) =>
    matter.request.wishes.find((wish) => wish.lexicon === lexicon && wish.terms.includes(term))?.quote;
  const wishes = wishesFor(lexicon, matter.request, ({ terms }) => !terms.includes(ABOUT));
  const missing = undecidable(`the case does not give the ${noun}`, addition(field, matter));
  if (wishes.kind === 'silent' && usual !== undefined) {
    if (typeof found !== 'number') return missing;
    const holds = found >= usual;
    const doubt = holds ? unread(lexicon, noun, matter) : null;
    return doubt ?? decided(holds, `the ${noun} is ${shown(found)}; it must be at least ${shown(usual)}`);
  }
  // A word that speaks of the subject ("with amazing reviews"), where no wish about it could be read.
  const about = wishes.kind === 'silent' ? saidOf(ABOUT) : undefined;
  if (about !== undefined) return undecidable(`${quoted(about)} speaks of the ${noun} but names no number`);
  if (wishes.kind !== 'asked') return nothingAsked(wishes, lexicon, noun, matter);
  const guide = saidOf(GUIDE);
  if (guide !== undefined) return undecidable(`${quoted(guide)} is not the ${noun}`);
  const [wish, ...others] = wishes.wanted;
  const allowed = wish === undefined || others.length > 0 ? null : allowedBy(wish, check);
  if (wish === undefined || allowed === null)
    return undecidable(
      `it is not clear which numbers ${wishes.quote} ${others.length === 0 ? 'allows' : 'allow'}`,
    );
  const other = otherSubject(matter);
  if (other !== null) return other;
  return typeof found === 'number'
    ? compared(wish, allowed, found, check, matter)
    : { ...missing, reason: `the request says ${quoted(wish.quote)}, and ${missing.reason}` };
}
