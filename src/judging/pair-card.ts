import type { AnswerNames } from '../case/pair.ts';
import { firstSentence } from '../common/text.ts';
import {
  type CardPart,
  type CardTexts,
  dissentText,
  judgeName,
  judgesOf,
  menuActions,
  type ScoreRow,
} from './card.ts';
import { isScored } from './judgement.ts';

import { betterOf, type Preference, type Verdict } from './verdict.ts';
import { decisiveJudgements, isExact, pairReason } from './why.ts';

/** One reason for each of two answers, and the judges that prefer the other one. */
export function pairPart(verdict: Verdict, preference: Preference, texts: CardTexts): CardPart[] {
  const against = decisiveJudgements(verdict)
    .filter(isScored)
    .filter(({ score }) => (score ?? 0) * (verdict.score ?? 0) < 0);
  const [first] = against;
  const names = against.map((one) => judgeName(one, judgesOf(verdict), texts));
  const dissent = first === undefined ? [] : [dissentText(names, first.rationale)];
  // Judges that were asked for no reasons leave the dissent alone to say.
  const [text, other = null] = [pairReason(preference), ...dissent].filter((said) => said !== '');
  return text === undefined ? [] : [{ kind: 'panel', text, isExact: isExact(verdict), dissent: other }];
}

/** The criteria by which two answers differ. */
export function differences(verdict: Verdict, { names: [A, B] }: Preference): ScoreRow[] {
  // What is said of the only criterion is said of the whole.
  if (verdict.criteria.length === 1) return [];
  return verdict.criteria.flatMap(({ title, score, rationale }) => {
    const better = betterOf(score ?? 0);
    if (better === 'same') return [];
    return [{ title, score: `→ ${better === 'A' ? A : B}`, text: firstSentence(rationale) }];
  });
}

/** People say which answer is better, whatever the panel says. */
export const pairActions = (names: AnswerNames, asksModel: boolean): CardPart => ({
  kind: 'actions',
  names,
  buttons: [
    ...(asksModel ? (['ask-model'] as const) : []),
    'prefer-first',
    'prefer-second',
    'prefer-same',
    'details',
  ],
  menu: [...menuActions],
});
