import type { Check } from '../../judging/check.ts';
import { atMostField, saysSame, withinRange } from './data-checks.ts';
import { driveAtMost } from './drive-at-most.ts';
import { hasAll, sameTerm } from './has-all.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { numberWish } from './number-wish.ts';
import { openAt } from './open-at.ts';
import { ASK, type Outcome, quoted, undecidable } from './outcome.ts';
import type { Matter } from './wishes.ts';

type CheckOf<Type extends Check['type']> = { [T in Type]: Extract<Check, { type: T }> }[Type];

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
  if (seeks !== 'nothing' && tooLong !== null) return undecidable(tooLong, ASK);
  const outcome = run(check, matter);
  // An answer that says that there is no such place contradicts data in which one is given.
  return seeks !== 'nothing' && outcome.decision === 'pass' && matter.denial !== null
    ? undecidable(`the answer says ${quoted(matter.denial)}, which does not fit the data`, ASK)
    : outcome;
}
