import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { MAX_ANSWER } from './answer.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { ASK, counted, decided, type Outcome, quoted, shown, undecidable } from './outcome.ts';
import { termsIn, textsOf, titlesOf, unreadable } from './terms.ts';
import { addition, type Matter } from './wishes.ts';

// Checks that go by what the case holds, whatever the user asked for.

type CheckOf<Type extends Check['type']> = Extract<Check, { type: Type }>;
type Held = Pick<Matter, 'evalCase' | 'format'>;

/** Numbers are compared to the thousandth, so that floating point does not decide. */
const EPSILON = 1e-3;

/** The field's number is at most `share` of the other field's, both in the same unit. */
export function atMostField(check: CheckOf<'at-most-field'>, matter: Held): Outcome {
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
export function saysSame(check: CheckOf<'says-same'>, lexicon: CompiledLexicon, matter: Matter): Outcome {
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
    return undecidable(`the words of the response do not show what ${check.name} it claims`, ASK);
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
