import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { counted, decided, type Outcome, shown, undecidable } from './outcome.ts';
import { addition, type Matter } from './wishes.ts';

type WithinRange = Extract<Check, { type: 'within-range' }>;

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
  const bounds = [
    ...(min === undefined ? [] : [`at least ${counted(min, unit)}`]),
    ...(max === undefined ? [] : [`at most ${counted(max, unit)}`]),
  ].join(' and ');
  const limit = `the ${name} must be ${bounds}`;
  const value = measured(check, matter);
  if (value === null)
    return undecidable(`the case does not give the ${name}`, addition(field, matter), { limit });
  const [short, long] = [min !== undefined && value < min, max !== undefined && value > max];
  const excess = short ? (min ?? value) - value : value - (max ?? value);
  const [less, more] = Number.isInteger(excess) ? ['few', 'many'] : ['little', 'much'];
  const verdict = short || long ? `${shown(excess)} too ${short ? less : more}` : 'within the limit';
  return decided(!short && !long, {
    asked: limit,
    found: `it is ${counted(value, unit)}`,
    limit,
    calculation: `${counted(value, unit)}: ${verdict}`,
    meaning: verdict,
    gist: counted(value, unit),
  });
}
