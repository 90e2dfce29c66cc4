import { allJudgements, isScored, type Judgement, type Verdict } from './verdict/index.ts';

/** If no model answers in this many cases, the rest would get no answers either: the address or the key is probably wrong. */
const ENOUGH = 3;

/** Whether models have answered since the work began. Later outages do not matter here: they are waited out. */
export type FirstContact = ReturnType<typeof createFirstContact>;

const isAnswer = (judgement: Judgement): boolean =>
  judgement.usage.attempts > 0 &&
  (isScored(judgement) || (judgement.unavailable !== true && judgement.reason !== 'cancelled'));

/** Why no judge could be reached; null if any answered, or was silent for another reason. */
function silenceOf(verdict: Verdict): string | null {
  const [first, ...others] = allJudgements(verdict);
  const isDown = (one: Judgement) => !isScored(one) && one.unavailable === true;
  if (first === undefined || isScored(first) || !isDown(first)) return null;
  return others.every(isDown) ? first.message : null;
}

/** @param cases how many cases there are, if few */
export function createFirstContact(cases = ENOUGH) {
  const enough = Math.min(ENOUGH, Math.max(1, cases));
  let made = false;
  let silent = 0;
  return {
    /**
     * Records a verdict. Returns why no judge answered, so that the case should be judged again; null if the verdict stands. Once a model
     * has answered, every verdict stands.
     */
    silence(verdict: Verdict): string | null {
      made ||= allJudgements(verdict).some(isAnswer);
      const why = made ? null : silenceOf(verdict);
      if (why !== null) silent += 1;
      return why;
    },
    /** Whether there is no point in asking further. */
    isLost: (): boolean => !made && silent >= enough,
  };
}
