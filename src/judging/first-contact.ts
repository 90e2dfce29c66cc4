import { isScored, type Judgement } from './judgement.ts';
import type { Verdict } from './verdict.ts';
import { allJudgements } from './why.ts';

/** So many cases without an answer, and none with one, are enough to know that the rest would get none. */
const ENOUGH = 3;

/** Whether models have answered since a piece of work began. Later outages are not its concern: they are waited for. */
export type FirstContact = ReturnType<typeof createFirstContact>;

const isAnswer = (judgement: Judgement): boolean =>
  judgement.usage.attempts > 0 &&
  (isScored(judgement) || (judgement.unavailable !== true && judgement.reason !== 'cancelled'));

/** Why no judge could be asked; null if any said something, or had another reason for silence. */
function silenceOf(verdict: Verdict): string | null {
  const [first, ...others] = allJudgements(verdict);
  const isDown = (one: Judgement) => !isScored(one) && one.unavailable === true;
  if (first === undefined || isScored(first) || !isDown(first)) return null;
  return others.every(isDown) ? first.message : null;
}

/** @param cases how many there are, if they are few */
export function createFirstContact(cases = ENOUGH) {
  const enough = Math.min(ENOUGH, Math.max(1, cases));
  let made = false;
  let silent = 0;
  return {
    /**
     * Takes note of a verdict. Why it says nothing of its case, which is then to be asked about again; null if it stands, as every
     * verdict does once a model has answered.
     */
    silence(verdict: Verdict): string | null {
      made ||= allJudgements(verdict).some(isAnswer);
      const why = made ? null : silenceOf(verdict);
      if (why !== null) silent += 1;
      return why;
    },
    /** Whether there is no point in asking on. */
    isLost: (): boolean => !made && silent >= enough,
  };
}
