import { JuryError } from '../common/errors.ts';
import { type Range, rangeOfVerdict, type Verdict } from '../judging/verdict.ts';
import type { BlindAnswer, Correction, VoteValue } from './vote.ts';

/** What a blind voter is asked for: whether the response is right, or one of some levels of a score. */
export type BlindBallot = { kind: 'decision' } | { kind: 'score'; levels: readonly number[] };

/** Most levels that are offered one by one; wider scales are asked for in tenths. */
const MOST_LEVELS = 11;

function levelsOf({ min, max }: Range): number[] {
  const isWhole = Number.isInteger(min) && Number.isInteger(max) && max - min < MOST_LEVELS;
  const count = isWhole ? max - min + 1 : MOST_LEVELS;
  return Array.from(
    { length: count },
    (_, index) => Math.round((min + (index * (max - min)) / (count - 1)) * 100) / 100,
  );
}

/** Follows from the rubric alone, never from what came out: the kind of question must not tell the answer. */
export function ballotOf(verdict: Pick<Verdict, 'scale' | 'criteria'>): BlindBallot {
  const range = rangeOfVerdict(verdict);
  return range === null ? { kind: 'decision' } : { kind: 'score', levels: levelsOf(range) };
}

/** What floating point adds to equal distances. */
const ROUNDING = 1e-9;

/** Whether no level on offer is closer to a score than this one. */
export const isNearest = (level: number, levels: readonly number[], score: number): boolean =>
  levels.every((other) => Math.abs(level - score) <= Math.abs(other - score) + ROUNDING);

const correct = (right: Pick<Correction, 'decision' | 'score'>): Correction => ({
  ...right,
  criteria: [],
  judges: [],
});

/**
 * What a blind answer says of the judges. Who calls an undecided case right or wrong disagrees with a panel that could not
 * tell; a score agrees with the panel's where no level on offer is closer to it.
 *
 * @throws JuryError `bad-input` for a score where pass or fail was asked for, or the other way round
 */
export function voteOf(
  answer: BlindAnswer,
  verdict: Pick<Verdict, 'decision' | 'score' | 'scale' | 'criteria'>,
): { value: VoteValue; correction?: Correction } {
  const ballot = ballotOf(verdict);
  if (answer.kind === 'unsure') return { value: 'unsure' };
  if (answer.kind !== ballot.kind)
    throw new JuryError('bad-input', `This case is answered with a ${ballot.kind}.`);
  if (answer.kind === 'decision') {
    if (verdict.decision === 'undecided')
      return { value: 'disagree', correction: correct({ decision: answer.decision }) };
    return { value: answer.decision === verdict.decision ? 'agree' : 'disagree' };
  }
  const { score } = verdict;
  const levels = ballot.kind === 'score' ? ballot.levels : [];
  return score !== null && isNearest(answer.score, levels, score)
    ? { value: 'agree' }
    : { value: 'disagree', correction: correct({ score: answer.score }) };
}

/** Whether two answers say the same. */
export function sameAnswer(a: BlindAnswer, b: BlindAnswer): boolean {
  if (a.kind === 'decision' && b.kind === 'decision') return a.decision === b.decision;
  if (a.kind === 'score' && b.kind === 'score') return a.score === b.score;
  return a.kind === b.kind;
}
