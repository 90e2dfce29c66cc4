import type { Lens } from '../../judging/persona.ts';
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

/** Why there is no decision and what to give, in one sentence: it may be all that a reader sees. */
const problemOf = ({ problem, next }: Outcome): string =>
  [problem ?? '', ...(next === null ? [] : [next])].join('; ');

/** Clauses such as "which is …", "so …", "more than …" follow a comma, others a colon. */
const withMeaning = (text: string, meaning: string): string =>
  meaning === '' ? text : `${text}${/^(?:which|so|more|within|less) /.test(meaning) ? ',' : ':'} ${meaning}`;

/** From the user's side: what was asked, what comes, and what that means for the user. */
function fromRequest(outcome: Outcome): string {
  if (outcome.decision === 'unscored') {
    const told = outcome.next === null ? '' : 'cannot be told: ';
    return joined([`${told}${problemOf(outcome)}`, outcome.asked]);
  }
  const clauses = [outcome.asked, outcome.found].filter((clause) => clause !== '');
  return joined([withMeaning(clauses.join('; '), outcome.meaning), ...warnings(outcome)]);
}

/** From the numbers: the comparison with its margin, the values, the assumptions. */
function fromEvidence(outcome: Outcome): string {
  if (outcome.decision === 'unscored')
    return joined([
      problemOf(outcome),
      outcome.calculation === '' ? '' : `so far: ${outcome.calculation}`,
      ...warnings(outcome),
    ]);
  return joined([outcome.calculation, outcome.found, ...warnings(outcome)]);
}

/** From the rule: whether it holds and on what ground, and what had to hold. */
function fromRule(outcome: Outcome): string {
  const rule = outcome.limit === '' ? '' : `Rule: ${outcome.limit}`;
  if (outcome.decision === 'unscored')
    return joined([
      outcome.next === null ? problemOf(outcome) : `not applicable: ${problemOf(outcome)}`,
      rule,
    ]);
  const applied = `the rule ${outcome.decision === 'pass' ? 'holds' : 'is broken'}: ${outcome.calculation}`;
  return joined([applied, rule, ...warnings(outcome)]);
}

const tellers: { [L in Lens]: (outcome: Outcome) => string } = {
  request: fromRequest,
  evidence: fromEvidence,
  rule: fromRule,
};

/** One exact finding, told from a persona's side. */
export const tell = (outcome: Outcome, lens: Lens): string => tellers[lens](outcome);
