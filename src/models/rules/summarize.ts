import type { Lens } from '../../judging/persona.ts';
import type { Criterion } from '../../judging/rubric.ts';
import { listed, type Outcome } from './outcome.ts';
import { tell } from './tell.ts';

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
  if (passed.length > 0) others.push(`${titles(passed)} ${passed.length === 1 ? 'is' : 'are'} in order`);
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
      return `${wish}${others.length === 0 ? '' : `; beside that: ${listed(others)}`}.`;
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
