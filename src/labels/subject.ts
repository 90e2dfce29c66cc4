import * as z from 'zod';
import type { Judge } from '../judging/judgement.ts';
import type { Verdict } from '../judging/verdict.ts';
import type { Ballot, VoteValue } from './vote.ts';

/**
 * Something that a vote on a verdict speaks about: the verdict itself, one judge's last answer, or what was found on one
 * criterion. Votes are counted by subject, so that agreement is known per method, judge and criterion.
 */
export const Subject = z.strictObject({
  kind: z.enum(['verdict', 'judge', 'criterion']),
  /** Empty for the verdict, `judgeKey` for a judge, the criterion's id. */
  id: z.string(),
  /** What was decided about it: pass, fail, scored, undecided. */
  decision: z.string(),
});
export type Subject = z.infer<typeof Subject>;

/** Names a judge in votes and counts: `auditor@openai/gpt-4o-mini`, `@rules` for a neutral one; samples are one judge. */
export const judgeKey = ({ persona, model }: Pick<Judge, 'persona' | 'model'>): string =>
  `${persona ?? ''}@${model}`;

/** What a vote on this verdict can speak about, in a fixed order; judges that gave no answer are left out. */
export function subjectsOf(verdict: Verdict): Subject[] {
  const deciding = verdict.judgements.filter(
    ({ round, status }) => round === verdict.decidedInRound && status === 'scored',
  );
  const judges = new Map<string, Subject>();
  for (const judgement of deciding) {
    if (judgement.status !== 'scored') continue;
    const id = judgeKey(judgement.judge);
    if (!judges.has(id)) judges.set(id, { kind: 'judge', id, decision: judgement.decision });
  }
  return [
    { kind: 'verdict', id: '', decision: verdict.decision },
    ...judges.values(),
    ...verdict.criteria
      .filter(({ decision }) => decision !== 'not-judged' && decision !== 'not-relevant')
      .map(({ id, decision }): Subject => ({ kind: 'criterion', id, decision })),
  ];
}

type Stated = Pick<Ballot, 'value' | 'correction'>;

/** The decision that a ballot says is right, or null where it says none. */
export function rightDecision(ballot: Stated, decided: Verdict['decision']): string | null {
  if (ballot.correction?.decision !== undefined) return ballot.correction.decision;
  if (ballot.value === 'agree') return decided === 'undecided' ? null : decided;
  if (ballot.value === 'disagree') {
    if (decided === 'pass') return 'fail';
    if (decided === 'fail') return 'pass';
  }
  return null;
}

/**
 * What a ballot on a verdict says of one of its subjects; null where it says nothing. A judge is agreed with when it gave
 * the decision that the voter holds right, unless the voter named it as wrong; a criterion when the voter agrees with
 * the verdict, disagreed with when the voter names it.
 */
export function valueOn(subject: Subject, ballot: Stated, decided: Verdict['decision']): VoteValue | null {
  const { value, correction } = ballot;
  if (value === null) return null;
  switch (subject.kind) {
    case 'verdict':
      return value;
    case 'judge': {
      if (correction?.judges.includes(subject.id)) return 'disagree';
      if (value === 'unsure') return 'unsure';
      const right = rightDecision(ballot, decided);
      if (right === null) return null;
      return right === subject.decision ? 'agree' : 'disagree';
    }
    case 'criterion':
      if (correction?.criteria.includes(subject.id)) return 'disagree';
      return value === 'disagree' ? null : value;
  }
}
