import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { counted, decided, type Outcome, shown, undecidable } from './outcome.ts';
import { addition, type Matter } from './wishes.ts';

type AtMostField = Extract<Check, { type: 'at-most-field' }>;
type WithinRange = Extract<Check, { type: 'within-range' }>;

/** Numbers are compared to the thousandth, so that floating point does not decide. */
const EPSILON = 1e-3;

/** The field's number is at most `share` of the other field's, both in the same unit. */
export function atMostField(check: AtMostField, matter: Pick<Matter, 'evalCase' | 'format'>): Outcome {
  const { names, share, unit } = check;
  const [value, most] = [fieldOf(matter.evalCase, check.field), fieldOf(matter.evalCase, check.limit)];
  if (typeof value !== 'number' || typeof most !== 'number') {
    const [name, path] = typeof value === 'number' ? [names.limit, check.limit] : [names.field, check.field];
    return undecidable(`the case does not give ${name}`, addition(path, matter));
  }
  const bound = most * share;
  const holds = value - bound <= EPSILON;
  const part = share === 1 ? names.limit : `${shown(share * 100)} % of ${names.limit}`;
  const limit = `${part}${share === 1 ? '' : ` (${shown(most)} × ${shown(share)} = ${shown(bound)} ${unit})`}`;
  return decided(
    holds,
    `${names.field} is ${shown(value)} ${unit}, ${holds ? 'within' : 'more than'} ${limit}`,
  );
}

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.,-]*/gu)?.length ?? 0;

/** The number to compare: the field's own, or how many words or items it has; null where it holds none of that. */
function measured({ field, measure }: WithinRange, { evalCase }: Pick<Matter, 'evalCase'>): number | null {
  const value = fieldOf(evalCase, field);
  if (measure === 'words') return typeof value === 'string' ? wordsIn(value) : null;
  if (measure === 'items') return Array.isArray(value) ? value.length : null;
  return typeof value === 'number' ? value : null;
}

/** The field's number, or how many words or items it has, lies between `min` and `max`, both included. */
export function withinRange(check: WithinRange, matter: Pick<Matter, 'evalCase' | 'format'>): Outcome {
  const { field, name, unit, min, max } = check;
  const value = measured(check, matter);
  if (value === null) return undecidable(`the case does not give the ${name}`, addition(field, matter));
  const bounds = [
    ...(min === undefined ? [] : [`at least ${shown(min)}`]),
    ...(max === undefined ? [] : [`at most ${shown(max)}`]),
  ].join(' and ');
  const holds = (min === undefined || value >= min) && (max === undefined || value <= max);
  const amount = check.measure === 'items' ? shown(value) : counted(value, unit);
  return decided(holds, `the ${name} is ${amount}; it must be ${bounds}`);
}
