import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { driveAtMost } from './drive-at-most.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { addition, MAX_ANSWER, type Matter } from './matter.ts';
import { numberWish } from './number-wish.ts';
import { openAt } from './open-at.ts';
import { counted, decided, type Outcome, quoted, shown, undecidable } from './outcome.ts';
import { hasAll, sameTerm, termsIn, textsOf, titlesOf, unreadable } from './terms.ts';

type CheckOf<Type extends Check['type']> = { [T in Type]: Extract<Check, { type: T }> }[Type];

// Checks that go by what the case holds, whatever the user asked for.

type Held = Pick<Matter, 'evalCase' | 'format'>;

/** Numbers are compared to the thousandth, so that floating point does not decide. */
const EPSILON = 1e-3;

/** The field's number is at most `share` of the other field's, both in the same unit. */
function atMostField(check: CheckOf<'at-most-field'>, matter: Held): Outcome {
  const { names, share, unit } = check;
  const [value, most] = [fieldOf(matter.evalCase, check.field), fieldOf(matter.evalCase, check.limit)];
  if (typeof value !== 'number' || typeof most !== 'number') {
    const [name, path] = typeof value === 'number' ? [names.limit, check.limit] : [names.field, check.field];
    return undecidable(`the case does not give ${name}`, addition(path, matter));
  }
  const bound = most * share;
  const holds = value - bound <= EPSILON;
  const part =
    share === 1
      ? names.limit
      : `${shown(share * 100)} % of ${names.limit} (${shown(most)} × ${shown(share)} = ${shown(bound)} ${unit})`;
  return decided(
    holds,
    `${names.field} is ${shown(value)} ${unit}, ${holds ? 'within' : 'more than'} ${part}`,
  );
}

/** The number to compare: the field's own, or how many words or items it has; null where it holds none of that. */
function measured({ field, measure }: CheckOf<'within-range'>, { evalCase }: Held): number | null {
  const value = fieldOf(evalCase, field);
  if (measure === 'words')
    return typeof value === 'string'
      ? (value.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.,-]*/gu)?.length ?? 0)
      : null;
  if (measure === 'items') return Array.isArray(value) ? value.length : null;
  return typeof value === 'number' ? value : null;
}

/** The field's number, or how many words or items it has, lies between `min` and `max`, both included. */
export function withinRange(check: CheckOf<'within-range'>, matter: Held): Outcome {
  const { field, name, unit, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = check;
  const value = measured(check, matter);
  if (value === null) return undecidable(`the case does not give the ${name}`, addition(field, matter));
  const bounds = [
    ...(check.min === undefined ? [] : [`at least ${shown(min)}`]),
    ...(check.max === undefined ? [] : [`at most ${shown(max)}`]),
  ].join(' and ');
  const amount = check.measure === 'items' ? shown(value) : counted(value, unit);
  return decided(value >= min && value <= max, `the ${name} is ${amount}; it must be ${bounds}`);
}

/** What the response says in the lexicon's words is what the field holds. Where either says nothing or two things there is no decision. */
function saysSame(check: CheckOf<'says-same'>, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { evalCase, vocabulary } = matter;
  const value = textsOf(fieldOf(evalCase, check.field));
  if (value.length === 0)
    return undecidable(`the case does not give the ${check.name}`, addition(check.field, matter));
  const said = (texts: readonly string[]) => {
    if (unreadable(texts, lexicon, vocabulary) !== null) return null;
    const [only, ...others] = new Set(termsIn(texts, lexicon).map((names) => [...names].sort().join()));
    return only !== undefined && others.length === 0 ? only.split(',') : null;
  };
  const claimed = evalCase.response.length > MAX_ANSWER ? null : said([evalCase.response]);
  const real = said(value);
  if (claimed === null)
    return undecidable(`the words of the response do not show what ${check.name} it claims`);
  if (real === null)
    return undecidable(
      `the ${check.name} ${quoted(value.join(', '))} is not known here`,
      `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
    );
  const [claim, fact] = [titlesOf(claimed, lexicon), titlesOf(real, lexicon)];
  const holds = real.every((term) => claimed.includes(term));
  return decided(
    holds,
    holds
      ? `the response claims what happened: ${fact}`
      : `the response claims "${claim}", but the ${check.name} is "${fact}"`,
  );
}

/** A check that goes by a lexicon: without a decision where that is not there. */
const withLexicon =
  <One extends { lexicon: string }>(run: (check: One, lexicon: CompiledLexicon, matter: Matter) => Outcome) =>
  (check: One, matter: Matter): Outcome => {
    const lexicon = matter.vocabulary.lexicons.get(check.lexicon);
    return lexicon === undefined
      ? undecidable(`there is no lexicon "${check.lexicon}"`, `add prompts/lexicons/${check.lexicon}.yaml`)
      : run(check, lexicon, matter);
  };

interface Registered<Type extends Check['type']> {
  run: (check: CheckOf<Type>, matter: Matter) => Outcome;
  /** What it looks for in the request: wishes in the words of its lexicon, other words, or nothing. */
  seeks: 'wishes' | 'words' | 'nothing';
}

/** Every check by its type. A new one is its schema in judging/check.ts, its own file, and one line here. */
const checks: { [Type in Check['type']]: Registered<Type> } = {
  'at-most-field': { run: atMostField, seeks: 'nothing' },
  'drive-at-most': { run: driveAtMost, seeks: 'words' },
  'has-all': { run: withLexicon(hasAll), seeks: 'wishes' },
  'number-wish': { run: withLexicon(numberWish), seeks: 'wishes' },
  'open-at': { run: openAt, seeks: 'words' },
  'same-term': { run: withLexicon(sameTerm), seeks: 'wishes' },
  'says-same': { run: withLexicon(saysSame), seeks: 'nothing' },
  'within-range': { run: withinRange, seeks: 'nothing' },
};

/** Whether a check looks for wishes in the words of its lexicon. */
export const seeksWishes = ({ type }: Check): boolean => checks[type].seeks === 'wishes';

export function runCheck<Type extends Check['type']>(check: CheckOf<Type>, matter: Matter): Outcome {
  const { run, seeks }: Registered<Type> = checks[check.type];
  const { tooLong } = matter.request;
  if (seeks !== 'nothing' && tooLong !== null) return undecidable(tooLong);
  const outcome = run(check, matter);
  // An answer that says that there is no such place contradicts data in which one is given.
  return seeks !== 'nothing' && outcome.decision === 'pass' && matter.denial !== null
    ? undecidable(`the answer says ${quoted(matter.denial)}, which does not fit the data`)
    : outcome;
}
