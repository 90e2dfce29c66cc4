import { groupedBy } from '../../common/collections.ts';
import { andList, capital } from '../../common/text.ts';
import { isNotAsked, NOT_ASKED } from '../../judging/judgement.ts';
import type { Criterion } from '../../judging/rubric.ts';

/** What an exact check found. Clauses begin in lower case and have no full stop, so that they can be put together. */
export interface Outcome {
  decision: 'pass' | 'fail' | 'unscored';
  /** What was asked and what the case gives; without a decision, what stands in the way. */
  reason: string;
  /** What would settle it: ``add `Duration: 5 min` ``; null where there is a decision. */
  next: string | null;
  /** What a reader should know beside it, in the order of importance. */
  notes: readonly string[];
}

export const decided = (holds: boolean, reason: string, notes: readonly string[] = []): Outcome => ({
  decision: holds ? 'pass' : 'fail',
  reason,
  next: null,
  notes,
});

/** It holds, since nothing was asked that it could violate. */
export const notAsked = (noun: string): Outcome =>
  decided(true, `${NOT_ASKED.toLowerCase()}: the request names no ${noun}`);

/** No decision; `next` is what to do, where words cannot settle it. */
export const undecidable = (reason: string, next = 'ask a model'): Outcome => ({
  decision: 'unscored',
  reason,
  next,
  notes: [],
});

/** A number without the noise of floating point, at most three decimals: prices have that many. */
export const shown = (value: number): string => String(Number(value.toFixed(3)));

/** `1 item`, `2.5 items`. */
export const counted = (value: number, unit: string): string =>
  `${shown(value)} ${unit}${shown(value) === '1' ? '' : 's'}`;

/** In quotes; longer text is cut behind a word. */
export const quoted = (text: string, most = 60): string =>
  `"${text.length > most ? `${text.slice(0, most).replace(/\s+\S*$/, '')} …` : text}"`;

const sentence = (text: string): string => `${capital(text)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** A finding in sentences: the reason and what to do in the first, since it may be all that is seen; then the notes. */
export const explain = ({ reason, next, notes }: Outcome): string =>
  [next === null ? reason : `${reason}; ${next}`, ...notes].map(sentence).join(' ');

export interface CriterionOutcome {
  criterion: Criterion;
  outcome: Outcome;
}

const titles = (outcomes: readonly CriterionOutcome[]): string =>
  andList(outcomes.map(({ criterion }) => criterion.title.toLowerCase()));

/** The reason for a decision: each criterion that fails, and then which hold or could not be checked; where all hold, each. */
export function summarize(outcomes: readonly CriterionOutcome[]): string {
  const having = (decision: Outcome['decision']) =>
    outcomes.filter(({ outcome }) => outcome.decision === decision);
  const [failed, passed, open] = [having('fail'), having('pass'), having('unscored')];
  const asked = passed.filter(
    ({ outcome }) => !isNotAsked({ decision: 'pass', rationale: capital(outcome.reason) }),
  );
  const told = (failed.length > 0 ? failed : passed).map(
    ({ criterion, outcome }) => `${criterion.title}: ${outcome.reason}`,
  );
  const holding =
    failed.length > 0 && asked.length > 0
      ? [`${titles(asked)} ${asked.length === 1 ? 'holds' : 'hold'}`]
      : [];
  const unchecked = open.length > 0 ? [`${titles(open)} could not be checked`] : [];
  const rest = [...holding, ...unchecked].join('; ');
  return [...told, ...(rest === '' ? [] : [rest])].map(sentence).join(' ');
}

/** Which criteria could not be checked, and why; those with the same reason together. */
export function whyUnscored(outcomes: readonly CriterionOutcome[]): string {
  const open = outcomes.filter(({ outcome }) => outcome.decision === 'unscored');
  const reasons = [...groupedBy(open, ({ outcome }) => outcome.reason)];
  return `could not check ${reasons.map(([reason, group]) => `${titles(group)} (${reason})`).join(', ')}`;
}
