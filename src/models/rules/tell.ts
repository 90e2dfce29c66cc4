import type { Lens } from '../../core/persona.ts';
import type { Outcome } from './outcome.ts';

const sentence = (text: string): string =>
  text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

const joined = (sentences: readonly string[]): string =>
  sentences
    .map(sentence)
    .filter((text) => text !== '')
    .join(' ');

/** What no persona may leave out: an assumption behind a decision, and what contradicts itself in the case. */
const warnings = (outcome: Outcome): string[] => [
  ...(outcome.assumption === null ? [] : [outcome.assumption]),
  ...outcome.notes,
];

/** From the user's side: what was asked, what comes, and what that means for the user. */
function fromRequest(outcome: Outcome): string {
  if (outcome.decision === 'unscored') {
    const asked = outcome.asked === '' ? '' : `${outcome.asked}; `;
    return joined([`${asked}whether the venue offers that is open: ${outcome.problem}`, outcome.next ?? '']);
  }
  return joined([
    `${outcome.asked}; ${outcome.found}${outcome.meaning.startsWith('which') ? ',' : ':'} ${outcome.meaning}`,
    ...warnings(outcome),
  ]);
}

/** From the numbers: the values, the comparison with its margin, the assumptions. */
function fromEvidence(outcome: Outcome): string {
  if (outcome.decision === 'unscored')
    return joined([
      outcome.problem ?? '',
      outcome.calculation === '' ? '' : `so far: ${outcome.calculation}`,
      ...warnings(outcome),
      `to settle it, ${outcome.next ?? 'ask a model'}`,
    ]);
  return joined([`${outcome.found}`, outcome.calculation, ...warnings(outcome)]);
}

/** From the rule: what had to hold, whether it does, and on what ground. */
function fromRule(outcome: Outcome): string {
  const rule = outcome.limit === '' ? '' : `Rule: ${outcome.limit}`;
  if (outcome.decision === 'unscored')
    return joined([rule, `not applicable to this case as given, because ${outcome.problem}`]);
  const applied = `${outcome.calculation}; the rule ${outcome.decision === 'pass' ? 'holds' : 'is broken'}`;
  return joined([rule, applied, ...warnings(outcome)]);
}

const tellers: { [L in Lens]: (outcome: Outcome) => string } = {
  request: fromRequest,
  evidence: fromEvidence,
  rule: fromRule,
};

/** One exact finding, told from a persona's side. */
export const tell = (outcome: Outcome, lens: Lens): string => tellers[lens](outcome);
