import type { Lens } from '../../judging/persona.ts';
import type { Criterion } from '../../judging/rubric.ts';
import { listed, type Outcome } from './outcome.ts';

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

/** What a persona adds to what all of them say where there is no decision. */
const beside: { [L in Lens]: (outcome: Outcome) => string[] } = {
  request: ({ asked }) => [asked],
  evidence: warnings,
  rule: ({ limit }) => (limit === '' ? [] : [`rule: ${limit}`]),
};

/** From the user's side: what was asked, what comes, and what that means for the user. */
function fromRequest(outcome: Outcome): string[] {
  const clauses = [outcome.asked, outcome.found].filter((clause) => clause !== '');
  return [withMeaning(clauses.join('; '), outcome.meaning), ...warnings(outcome)];
}

/** From the rule: whether it holds and on what ground, and what had to hold. */
function fromRule(outcome: Outcome): string[] {
  const applied = `the rule ${outcome.decision === 'pass' ? 'holds' : 'is broken'}: ${outcome.calculation}`;
  return [applied, ...beside.rule(outcome), ...warnings(outcome)];
}

const tellers: { [L in Lens]: (outcome: Outcome) => string[] } = {
  request: fromRequest,
  // From the numbers: the comparison with its margin, the values, the assumptions.
  evidence: (outcome) => [outcome.calculation, outcome.found, ...warnings(outcome)],
  rule: fromRule,
};

/** One exact finding, told from a persona's side. */
export const tell = (outcome: Outcome, lens: Lens): string =>
  joined(
    outcome.decision === 'unscored' ? [problemOf(outcome), ...beside[lens](outcome)] : tellers[lens](outcome),
  );

export interface CriterionOutcome {
  criterion: Criterion;
  outcome: Outcome;
}

/** Failures told in full; the rest are named. */
const MAX_TOLD = 2;

const titles = (outcomes: readonly CriterionOutcome[]): string =>
  listed(outcomes.map(({ criterion }) => criterion.title.toLowerCase()));

const by = (outcomes: readonly CriterionOutcome[], decision: Outcome['decision']): CriterionOutcome[] =>
  outcomes.filter(({ outcome }) => outcome.decision === decision);

function whyFailed(outcomes: readonly CriterionOutcome[], lens: Lens): string {
  const failed = by(outcomes, 'fail');
  const told = failed
    .slice(0, MAX_TOLD)
    .map(
      ({ criterion, outcome }) =>
        `${lens === 'rule' ? '' : `${criterion.title}: `}${firstSentences(tell(outcome, lens))}`,
    );
  const others: string[] = [];
  if (failed.length > MAX_TOLD) others.push(`also failing: ${titles(failed.slice(MAX_TOLD))}`);
  const [passed, open] = [by(outcomes, 'pass'), by(outcomes, 'unscored')];
  if (passed.length > 0) others.push(`${titles(passed)} ${passed.length === 1 ? 'holds' : 'hold'}`);
  if (open.length > 0) others.push(`${titles(open)} could not be checked`);
  const rest = others.join('; ');
  return [...told, ...(rest === '' ? [] : [`${rest.charAt(0).toUpperCase()}${rest.slice(1)}.`])].join(' ');
}

/** The first two sentences: what follows are warnings, which stand in the criterion's own finding. */
const firstSentences = (text: string): string =>
  text
    .split(/(?<=[.!?]) (?=[A-Z0-9"])/)
    .slice(0, 2)
    .join(' ');

function whyPassed(outcomes: readonly CriterionOutcome[], lens: Lens): string {
  switch (lens) {
    case 'request': {
      const wishes = outcomes.filter(({ outcome }) => outcome.asked.startsWith('the user asked for'));
      const asked = wishes.map(({ outcome }) => outcome.asked.replace('the user asked for ', ''));
      const others = outcomes.filter((item) => !wishes.includes(item)).map(({ outcome }) => outcome.gist);
      const wish =
        asked.length === 0 ? 'The user set no terms' : `The user asked for ${listed(asked)} and gets it`;
      return `${wish}${others.length === 0 ? '' : `; also: ${listed(others)}`}.`;
    }
    case 'evidence':
      return `${outcomes.map(({ criterion, outcome }) => `${criterion.title}: ${outcome.calculation}`).join('. ')}.`;
    case 'rule':
      return `${outcomes.length === 1 ? 'The rule holds' : `All ${outcomes.length} rules hold`}: ${outcomes.map(({ outcome }) => outcome.limit).join('; ')}.`;
  }
}

/** The reason for a decision in a few sentences, failures first, from a persona's side. */
export const summarize = (outcomes: readonly CriterionOutcome[], lens: Lens): string =>
  by(outcomes, 'fail').length > 0 ? whyFailed(outcomes, lens) : whyPassed(outcomes, lens);

/** Which criteria could not be checked, and why; those with the same reason together. */
export function whyUnscored(outcomes: readonly CriterionOutcome[]): string {
  const open = by(outcomes, 'unscored');
  const problems = [...new Set(open.map(({ outcome }) => outcome.problem ?? ''))];
  const told = problems.map(
    (problem) => `${titles(open.filter(({ outcome }) => outcome.problem === problem))} (${problem})`,
  );
  return `could not check ${told.join(', ')}`;
}
