import type { EvalCase } from '../../case/case.ts';
import { cardOf } from '../../judging/card.ts';
import { Decision, type Verdict } from '../../judging/verdict.ts';
import { renderCard, type Screen } from './render-card.ts';

/** How verdicts are told. */
export interface Telling {
  one: (verdict: Verdict, evalCase: EvalCase) => string;
  /**
   * What they come to together; null where there is nothing to add.
   *
   * @param partly in how many of them not every criterion could be judged
   */
  all: (decisions: readonly Decision[], partly: number) => string | null;
}

/** Verdicts as cards, then how many there were of each kind. */
export const telling = (screen: Screen, personaTitle: (id: string) => string): Telling => ({
  one: (verdict, evalCase) => `${renderCard(screen, cardOf(verdict, evalCase, { personaTitle }))}\n`,
  all: (decisions, partly) => (decisions.length > 1 ? summaryOf(decisions, partly) : null),
});

function summaryOf(decisions: readonly Decision[], partly: number): string {
  const counts = Decision.options
    .map((decision) => ({ decision, number: decisions.filter((one) => one === decision).length }))
    .filter(({ number }) => number > 0);
  const told = counts.map(({ decision, number }) => `${number} ${decision}`).join(', ');
  const left = partly > 0 ? `; in ${partly} of them not every criterion could be judged` : '';
  return `${decisions.length} cases: ${told}${left}`;
}
