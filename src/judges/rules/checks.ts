import type { Check } from '../../judging/check.ts';
import { atMostField } from './at-most-field.ts';
import { driveAtMost } from './drive-at-most.ts';
import { hasAll } from './has-all.ts';
import { numberWish } from './number-wish.ts';
import { openAt } from './open-at.ts';
import { type Outcome, undecidable } from './outcome.ts';
import { sameTerm } from './same-term.ts';
import { saysSame } from './says-same.ts';
import type { Matter } from './wishes.ts';
import { withinRange } from './within-range.ts';

type CheckOf<Type extends Check['type']> = { [T in Type]: Extract<Check, { type: T }> }[Type];

/** Every check by its type. A new one is its schema in core/check.ts, its own file, and one line here. */
const checks: { [Type in Check['type']]: (check: CheckOf<Type>, matter: Matter) => Outcome } = {
  'at-most-field': atMostField,
  'drive-at-most': driveAtMost,
  'has-all': hasAll,
  'number-wish': numberWish,
  'open-at': openAt,
  'same-term': sameTerm,
  'says-same': saysSame,
  'within-range': withinRange,
};

/** Checks that do not look at the request. */
const UNASKED: ReadonlySet<Check['type']> = new Set(['within-range', 'at-most-field', 'says-same']);

export function runCheck<Type extends Check['type']>(check: CheckOf<Type>, matter: Matter): Outcome {
  const { tooLong } = matter.request;
  if (tooLong !== null && !UNASKED.has(check.type)) return undecidable(tooLong, 'ask a model');
  const run: (check: CheckOf<Type>, matter: Matter) => Outcome = checks[check.type];
  return run(check, matter);
}
