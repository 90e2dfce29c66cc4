import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { decided, type Outcome, shown, undecidable } from './outcome.ts';
import { addition, type Matter } from './wishes.ts';

type AtMostField = Extract<Check, { type: 'at-most-field' }>;

/** Numbers are compared to the thousandth, so that floating point does not decide. */
const EPSILON = 1e-3;

/** The field's number is at most `share` of the other field's, both in the same unit. */
export function atMostField(check: AtMostField, matter: Pick<Matter, 'evalCase' | 'format'>): Outcome {
  const { names, share, unit } = check;
  const part = share === 1 ? names.limit : `${shown(share * 100)} % of ${names.limit}`;
  const limit = `${names.field} must be at most ${part}`;
  const [value, most] = [fieldOf(matter.evalCase, check.field), fieldOf(matter.evalCase, check.limit)];
  if (typeof value !== 'number' || typeof most !== 'number') {
    const [name, path] = typeof value === 'number' ? [names.limit, check.limit] : [names.field, check.field];
    return undecidable(`the case does not give ${name}`, addition(path, matter), { limit });
  }
  const bound = most * share;
  const over = value - bound;
  const holds = over <= EPSILON;
  const margin = holds ? `${shown(Math.max(0, -over))} ${unit} to spare` : `${shown(over)} ${unit} too much`;
  const factor = share === 1 ? '' : ` (${shown(most)} × ${shown(share)})`;
  return decided(holds, {
    asked: `${names.limit} is ${shown(most)} ${unit}`,
    found: `${names.field} is ${shown(value)} ${unit}`,
    limit,
    calculation: `${shown(value)} ${unit} ${holds ? '≤' : '>'} ${shown(bound)} ${unit}${factor}, ${margin}`,
    meaning: holds ? 'which is within it' : 'which is more',
    gist: `${names.field} ${shown(value)} ${unit} of ${shown(bound)}`,
  });
}
