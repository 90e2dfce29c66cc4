import * as z from 'zod';
import { Better, betterOf, type Range, rangeOfVerdict, type Verdict } from '../../judging/verdict/index.ts';

/** What is right about a case: pass or fail, or a score on the rubric's scale. */
export const Right = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('decision'), decision: z.enum(['pass', 'fail']) }),
  z.strictObject({ kind: z.literal('score'), score: z.number() }),
]);
export type Right = z.infer<typeof Right>;

export const decisionIs = (decision: 'pass' | 'fail'): Right => ({ kind: 'decision', decision });

/** As written in files and on the command line. */
export const rightText = (right: Right): string =>
  right.kind === 'decision' ? right.decision : String(right.score);

export const isSameRight = (a: Right, b: Right): boolean =>
  a.kind === b.kind && rightText(a) === rightText(b);

/**
 * Parses what is right about a verdict's case: pass, fail or a score, as its rubric requires, or the preferred answer.
 */
export function readRight(
  text: string,
  verdict: Pick<Verdict, 'decision' | 'scale' | 'criteria' | 'preference'>,
): { right: Right } | { problem: string } {
  const scale = rangeOfVerdict(verdict);
  const word = text.trim().toLowerCase();
  const [A, B] = verdict.preference?.names.map((name) => name.toLowerCase()) ?? [];
  const preferred = new Map([
    ['a', -1],
    ['b', 1],
    [A, -1],
    [B, 1],
    ['same', 0],
  ]).get(word);
  if (verdict.preference !== undefined && preferred !== undefined)
    return { right: { kind: 'score', score: preferred } };
  // For an undecided verdict, the scale tells whether the rubric scores.
  if (verdict.decision !== 'scored' && (verdict.decision !== 'undecided' || scale === null))
    return word === 'pass' || word === 'fail'
      ? { right: decisionIs(word) }
      : { problem: `"${text}" is neither pass nor fail, as its rubric requires` };
  const score = Number(word);
  const span = scale === null ? '' : `${scale.min} to ${scale.max}`;
  if (word === '' || !Number.isFinite(score))
    return {
      problem:
        verdict.preference === undefined
          ? `"${text}" is not a score${scale === null ? '' : ` from ${span}`}, as its rubric requires`
          : `"${text}" names none of the answers: write ${verdict.preference.names.join(', ')} or same`,
    };
  return scale !== null && (score < scale.min || score > scale.max)
    ? { problem: `the score ${score} is outside its rubric's scale, ${span}` }
    : { right: { kind: 'score', score } };
}

/** What a vote says about the panel's decision, not about the case: both together imply what is right. */
export const VoteValue = z.enum(['agree', 'disagree', 'unsure']);
export type VoteValue = z.infer<typeof VoteValue>;

const remarks = {
  /** Ids of criteria that the panel got wrong. */
  criteria: z.array(z.string()).default([]),
  /** The error in the response: the id of a criterion or of one of the rubric's error types. */
  errorType: z.string().optional(),
  /** Judges that were wrong, by `judgeKey`. */
  judges: z.array(z.string()).default([]),
  comment: z.string().max(3000).optional(),
};

/** What a voter may add to any vote. */
export const Remarks = z.strictObject(remarks);
export type Remarks = z.infer<typeof Remarks>;

export const noRemarks: Correction = { criteria: [], judges: [] };

/** What a voter who disagrees may add. */
export const Correction = z.strictObject({
  decision: z.enum(['pass', 'fail']).optional(),
  score: z.number().optional(),
  ...remarks,
});
export type Correction = z.infer<typeof Correction>;

/** An answer about a case, independent of any panel. */
export const CaseAnswer = z.discriminatedUnion('kind', [
  ...Right.options,
  z.strictObject({ kind: z.literal('unsure') }),
]);
export type CaseAnswer = z.infer<typeof CaseAnswer>;

/** What a blind voter is asked for: pass or fail, or one of several score levels. */
type BlindBallot = { kind: 'decision' } | { kind: 'score'; levels: readonly number[] };

/** Wider or fractional scales are divided into tenths. */
const MAX_LEVELS = 11;

function levelsOf({ min, max }: Range): number[] {
  const isWhole = Number.isInteger(min) && Number.isInteger(max) && max - min < MAX_LEVELS;
  const count = isWhole ? max - min + 1 : MAX_LEVELS;
  return Array.from(
    { length: count },
    (_, index) => Math.round((min + (index * (max - min)) / (count - 1)) * 100) / 100,
  );
}

/** Depends only on the rubric, never on the verdict: the kind of question must not give away the answer. */
export function ballotOf(verdict: Pick<Verdict, 'scale' | 'criteria'>): BlindBallot {
  const range = rangeOfVerdict(verdict);
  return range === null ? { kind: 'decision' } : { kind: 'score', levels: levelsOf(range) };
}

/** Tolerance for rounding errors between equal distances. */
const ROUNDING = 1e-9;

/** Whether no other level is closer to the score. */
export const isNearest = (level: number, levels: readonly number[], score: number): boolean =>
  levels.every((other) => Math.abs(level - score) <= Math.abs(other - score) + ROUNDING);

/**
 * The answers of a blind vote. The first one counts, and sets the vote's `value`. A later change of mind is stored but
 * never counted, because the judges may have influenced it.
 */
export const BlindVote = z.strictObject({
  answer: CaseAnswer,
  later: z.strictObject({ answer: CaseAnswer, at: z.number() }).optional(),
});
export type BlindVote = z.infer<typeof BlindVote>;

/**
 * Why a verdict was offered to the person who voted on it. `queue`: from the list of verdicts that need votes.
 * `card`: they saw its card. `own`: they asked for it themselves. `gold`: its answer was known. `import`: from a file. `volunteer`: they
 * chose it, by a command or a program.
 */
export const Offered = z.strictObject({
  why: z.enum(['queue', 'card', 'own', 'gold', 'import', 'volunteer']),
});
export type Offered = z.infer<typeof Offered>;

const about = { verdictId: z.string(), /** Keyed pseudonym. */ voter: z.string() };
const cast = {
  blind: BlindVote.optional(),
  surface: z.string(),
  /** Absent in votes from before this was kept; see `offeredOf`. */
  offered: Offered.optional(),
  /**
   * When the person voted, ms since the epoch with fractions. The newest counts, regardless of the order of arrival.
   */
  at: z.number(),
};

/** A vote on a panel's decision. */
export const PanelVote = z.strictObject({
  ...about,
  value: VoteValue,
  correction: Correction.optional(),
  ...cast,
});
type PanelVote = z.infer<typeof PanelVote>;

/**
 * A vote on a verdict without a decision: there is nothing to agree or disagree with, so it only says what is right.
 */
export const CaseVote = z.strictObject({
  ...about,
  right: CaseAnswer,
  correction: Remarks.optional(),
  ...cast,
});
type CaseVote = z.infer<typeof CaseVote>;

/** A person's current vote on a verdict. */
export const Vote = z.union([PanelVote, CaseVote]);
export type Vote = z.infer<typeof Vote>;

/** Why the voter was offered the verdict. Where that was not kept, the vote counts as a volunteer's. */
export const offeredOf = ({ offered }: Pick<Vote, 'offered'>): Offered => offered ?? { why: 'volunteer' };

/** A vote being cast, or taken back (`value: null`). */
export type Ballot = (Omit<PanelVote, 'value'> & { value: VoteValue | null }) | CaseVote;

/** What a vote says, without its voter. */
export type Said = Pick<PanelVote, 'value' | 'correction'> | Pick<CaseVote, 'right' | 'correction'>;

/** Taking a vote back. */
export type TakenBack = { value: null; correction?: Correction | undefined };

/** What a vote says about the panel; null if it is about the case, or there is no vote. */
export const valueIn = (vote: Said | TakenBack | null): VoteValue | null =>
  vote !== null && 'value' in vote ? vote.value : null;

/** Whether a vote says that the voter does not know. */
export const isUnsure = (vote: Said): boolean =>
  'right' in vote ? vote.right.kind === 'unsure' : vote.value === 'unsure';

/** An answer about a case with the voter's remarks, if any. */
export const answerWith = (right: CaseAnswer, remarks: Remarks): Said =>
  Object.values(remarks).some((one) => one !== undefined && one.length > 0)
    ? { right, correction: remarks }
    : { right };

/** What a vote on an undecided verdict says about the case; null if nothing. */
function answerIn({ value, correction, blind }: PanelVote): CaseAnswer | null {
  if (blind !== undefined) return blind.answer;
  if (correction?.score !== undefined) return { kind: 'score', score: correction.score };
  if (correction?.decision !== undefined) return decisionIs(correction.decision);
  return value === 'unsure' ? { kind: 'unsure' } : null;
}

/**
 * A ballot as it counts; null if it counts nowhere. Agreeing or disagreeing with an undecided panel says nothing.
 * Version 0.1 stored answers about a case as such votes with a correction: for these, the answer counts.
 *
 * @param decided the verdict's decision
 */
export function asCounted(ballot: Ballot, decided: Verdict['decision']): Vote | null {
  if ('right' in ballot) return ballot;
  const { value, ...rest } = ballot;
  if (value === null) return null;
  const vote = { ...rest, value };
  if (decided !== 'undecided') return vote;
  const right = answerIn(vote);
  if (right === null) return null;
  const { correction: { decision: _d, score: _s, ...remarks } = noRemarks, ...kept } = rest;
  return { ...kept, ...answerWith(right, remarks) };
}

/** Number of votes of each kind on a subject. */
export const VoteTally = z.strictObject({ agree: z.int(), disagree: z.int(), unsure: z.int() });
export type VoteTally = z.infer<typeof VoteTally>;

export const noVotes: VoteTally = { agree: 0, disagree: 0, unsure: 0 };

/** How people voted on a verdict. */
export const VerdictTally = VoteTally.extend({
  /** For a verdict without a decision: number of votes by what they say is right (`rightText`). */
  right: z.record(z.string(), z.int()).optional(),
});
export type VerdictTally = z.infer<typeof VerdictTally>;

export function tallyOf(votes: readonly Said[]): VerdictTally {
  const tally = { ...noVotes };
  const right = new Map<string, number>();
  for (const vote of votes) {
    if (!('right' in vote)) tally[vote.value] += 1;
    else if (vote.right.kind === 'unsure') tally.unsure += 1;
    else right.set(rightText(vote.right), (right.get(rightText(vote.right)) ?? 0) + 1);
  }
  return right.size === 0 ? tally : { ...tally, right: Object.fromEntries([...right].sort()) };
}

/**
 * The decision that a vote implies is right, or which of two answers the panel should have preferred; null if it
 * implies none.
 *
 * @param decided the verdict's outcome, as in `Subject.decision`
 */
export function rightDecision(vote: Said, decided: string): string | null {
  if ('right' in vote) return vote.right.kind === 'decision' ? vote.right.decision : null;
  const score = vote.correction?.score;
  if (score !== undefined && Better.safeParse(decided).success) return betterOf(score);
  if (vote.correction?.decision !== undefined) return vote.correction.decision;
  if (vote.value === 'agree') return decided;
  if (vote.value === 'unsure') return null;
  return decided === 'pass' ? 'fail' : decided === 'fail' ? 'pass' : null;
}

/**
 * What a vote implies is right: a vote on a decision implies it together with that decision, while a blind answer or a
 * vote on an undecided verdict states it. Null if the voter is unsure, or disagrees with a score without correcting it.
 */
export function rightOf(
  vote: Said & Pick<Vote, 'blind'>,
  { decision, score }: Pick<Verdict, 'decision' | 'score'>,
): Right | null {
  if (vote.blind !== undefined) return vote.blind.answer.kind === 'unsure' ? null : vote.blind.answer;
  if ('right' in vote) return vote.right.kind === 'unsure' ? null : vote.right;
  if (vote.value === 'unsure') return null;
  const rightScore =
    vote.correction?.score ?? (decision === 'scored' && vote.value === 'agree' ? score : null);
  if (decision === 'scored' || rightScore !== null)
    return rightScore === null ? null : { kind: 'score', score: rightScore };
  const right = rightDecision(vote, decision);
  return right === 'pass' || right === 'fail' ? decisionIs(right) : null;
}

/** How many people prefer each of two answers. */
export type PreferenceVotes = Readonly<Record<Better, number>>;

/** Counts which of two answers the votes on a verdict prefer. */
export function preferencesOf(
  votes: readonly (Said & Pick<Vote, 'blind'>)[],
  verdict: Pick<Verdict, 'decision' | 'score'>,
): PreferenceVotes {
  const counts = { A: 0, B: 0, same: 0 };
  for (const vote of votes) {
    const right = rightOf(vote, verdict);
    if (right?.kind === 'score') counts[betterOf(right.score)] += 1;
  }
  return counts;
}
