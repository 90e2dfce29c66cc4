import * as z from 'zod';
import { groupedBy } from '../common/collections.ts';
import { type Judge, scoredOf } from '../judging/judgement.ts';
import { Better, betterOf, type Range, rangeOfVerdict, type Verdict } from '../judging/verdict.ts';

/** What is right about a case: pass or fail, or a score on the rubric's scale. */
export const Right = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('decision'), decision: z.enum(['pass', 'fail']) }),
  z.strictObject({ kind: z.literal('score'), score: z.number() }),
]);
export type Right = z.infer<typeof Right>;

export const decisionIs = (decision: 'pass' | 'fail'): Right => ({ kind: 'decision', decision });

/** As it is written in files and on the command line. */
export const rightText = (right: Right): string =>
  right.kind === 'decision' ? right.decision : String(right.score);

export const isSameRight = (a: Right, b: Right): boolean =>
  a.kind === b.kind && rightText(a) === rightText(b);

/** Reads what is right about a verdict's case from text: pass or fail, or a score, as its rubric requires. */
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
  // For an undecided verdict the scales tell which of the two it is.
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

/**
 * A vote on a verdict. `agree` and `disagree` are about the judges, not about the case: vote and verdict together imply what is
 * right.
 */
export const VoteValue = z.enum(['agree', 'disagree', 'unsure']);
export type VoteValue = z.infer<typeof VoteValue>;

/** What a voter who disagrees may add. */
export const Correction = z.strictObject({
  decision: z.enum(['pass', 'fail']).optional(),
  score: z.number().optional(),
  /** Ids of criteria that the panel got wrong. */
  criteria: z.array(z.string()).default([]),
  /** The error in the response: id of a criterion or of one of the rubric's error types. */
  errorType: z.string().optional(),
  /** Judges that were wrong, by `judgeKey`. */
  judges: z.array(z.string()).default([]),
  comment: z.string().max(3000).optional(),
});
export type Correction = z.infer<typeof Correction>;

/** An answer about a case, given before the voter was shown the verdict. */
export const BlindAnswer = z.discriminatedUnion('kind', [
  ...Right.options,
  z.strictObject({ kind: z.literal('unsure') }),
]);
export type BlindAnswer = z.infer<typeof BlindAnswer>;

/** What a blind voter is asked for: pass or fail, or one of several score levels. */
type BlindBallot = { kind: 'decision' } | { kind: 'score'; levels: readonly number[] };

/** Wider scales are offered in tenths. */
const MAX_LEVELS = 11;

function levelsOf({ min, max }: Range): number[] {
  const isWhole = Number.isInteger(min) && Number.isInteger(max) && max - min < MAX_LEVELS;
  const count = isWhole ? max - min + 1 : MAX_LEVELS;
  return Array.from(
    { length: count },
    (_, index) => Math.round((min + (index * (max - min)) / (count - 1)) * 100) / 100,
  );
}

/** Depends on the rubric alone, never on the verdict: the kind of question must not give away the answer. */
export function ballotOf(verdict: Pick<Verdict, 'scale' | 'criteria'>): BlindBallot {
  const range = rangeOfVerdict(verdict);
  return range === null ? { kind: 'decision' } : { kind: 'score', levels: levelsOf(range) };
}

/** Floating-point error of equal distances. */
const ROUNDING = 1e-9;

/** Whether no other level is closer to the score. */
export const isNearest = (level: number, levels: readonly number[], score: number): boolean =>
  levels.every((other) => Math.abs(level - score) <= Math.abs(other - score) + ROUNDING);

/**
 * The answers of a blind vote. The first one counts, also in the vote's `value`. A later change of mind is kept but counts nowhere,
 * because the judges may have influenced it.
 */
export const BlindVote = z.strictObject({
  answer: BlindAnswer,
  later: z.strictObject({ answer: BlindAnswer, at: z.number() }).optional(),
});
export type BlindVote = z.infer<typeof BlindVote>;

/** A person's current vote on a verdict. */
export const Vote = z.strictObject({
  verdictId: z.string(),
  /** Keyed pseudonym. */
  voter: z.string(),
  value: VoteValue,
  correction: Correction.optional(),
  blind: BlindVote.optional(),
  surface: z.string(),
  /** When the person voted, ms since the epoch with fractions. The newest counts, whatever the order of arrival. */
  at: z.number(),
});
export type Vote = z.infer<typeof Vote>;

/** A vote being cast, or taken back (`value: null`). */
export type Ballot = Omit<Vote, 'value'> & { value: VoteValue | null };

export const VoteTally = z.strictObject({ agree: z.int(), disagree: z.int(), unsure: z.int() });
export type VoteTally = z.infer<typeof VoteTally>;

export const noVotes: VoteTally = { agree: 0, disagree: 0, unsure: 0 };

export function tallyOf(votes: readonly Pick<Vote, 'value'>[]): VoteTally {
  const tally = { ...noVotes };
  for (const { value } of votes) tally[value] += 1;
  return tally;
}

/**
 * The majority of the votes that agree or disagree. `tied`: as many of either; `open`: none. "Unsure" takes no side.
 */
export type SettledSide = 'agree' | 'disagree' | 'tied' | 'open';

export function settledSide({ agree, disagree }: VoteTally): SettledSide {
  if (agree > disagree) return 'agree';
  if (disagree > agree) return 'disagree';
  return agree > 0 ? 'tied' : 'open';
}

/** The decision that a ballot implies is right; null if it implies none. @param decided the verdict's, as `Subject.decision` */
function rightDecision(ballot: Pick<Ballot, 'value' | 'correction'>, decided: string): string | null {
  const score = ballot.correction?.score;
  if (score !== undefined && Better.safeParse(decided).success) return betterOf(score);
  if (ballot.correction?.decision !== undefined) return ballot.correction.decision;
  if (ballot.value === 'agree') return decided === 'undecided' ? null : decided;
  if (ballot.value === 'unsure' || ballot.value === null) return null;
  return decided === 'pass' ? 'fail' : decided === 'fail' ? 'pass' : null;
}

/**
 * What a vote implies is right. A vote is about the judges ("I agree") and implies an answer together with their decision; a blind
 * answer is one. Null if it is unsure, or disagrees with a score or an undecided panel without a correction.
 */
export function rightOf(
  vote: Pick<Vote, 'value' | 'correction' | 'blind'>,
  { decision, score }: Pick<Verdict, 'decision' | 'score'>,
): Right | null {
  if (vote.blind !== undefined) return vote.blind.answer.kind === 'unsure' ? null : vote.blind.answer;
  if (vote.value === 'unsure') return null;
  const said = vote.correction?.score ?? (decision === 'scored' && vote.value === 'agree' ? score : null);
  if (decision === 'scored' || said !== null) return said === null ? null : { kind: 'score', score: said };
  const right = rightDecision(vote, decision);
  return right === 'pass' || right === 'fail' ? decisionIs(right) : null;
}

/** How many people prefer which of two answers. */
export type PreferenceVotes = Readonly<Record<Better, number>>;

/** What votes on a verdict on two answers prefer. */
export function preferencesOf(
  votes: readonly Pick<Vote, 'value' | 'correction' | 'blind'>[],
  verdict: Pick<Verdict, 'decision' | 'score'>,
): PreferenceVotes {
  const counts = { A: 0, B: 0, same: 0 };
  for (const vote of votes) {
    const right = rightOf(vote, verdict);
    if (right?.kind === 'score') counts[betterOf(right.score)] += 1;
  }
  return counts;
}

/**
 * What a vote on a verdict is about: the verdict itself, a judge's last answer, or the finding on a criterion. Votes are counted by
 * subject, which gives the agreement with each method, judge and criterion.
 */
export const Subject = z.strictObject({
  kind: z.enum(['verdict', 'judge', 'criterion']),
  /** Empty for the verdict, `judgeKey` for a judge, otherwise the criterion's id. */
  id: z.string(),
  /** Its outcome: pass, fail, scored, undecided; of two answers, which is better: A, B, same. */
  decision: z.string(),
});
export type Subject = z.infer<typeof Subject>;

/** A judge in votes and counts: `auditor@openai/gpt-4o-mini`, or `@rules` without a persona. Samples count as one judge. */
export const judgeKey = ({ persona, model }: Pick<Judge, 'persona' | 'model'>): string =>
  `${persona ?? ''}@${model}`;

/** The subjects of a vote on this verdict, in a fixed order, without judges that gave no answer. */
export function subjectsOf(verdict: Verdict): Subject[] {
  const outcomeOf = ({ decision, score }: { decision: string; score: number | null }): string =>
    verdict.preference !== undefined && decision === 'scored' ? betterOf(score ?? 0) : decision;
  const deciding = scoredOf(verdict.judgements.filter(({ round }) => round === verdict.decidedInRound));
  const judges = groupedBy(deciding, ({ judge }) => judgeKey(judge));
  return [
    { kind: 'verdict', id: '', decision: outcomeOf(verdict) },
    ...[...judges].flatMap(([id, [first]]): Subject[] =>
      first === undefined ? [] : [{ kind: 'judge', id, decision: outcomeOf(first) }],
    ),
    ...verdict.criteria
      .filter(({ decision }) => decision !== 'not-judged' && decision !== 'not-relevant')
      .map((one): Subject => ({ kind: 'criterion', id: one.id, decision: outcomeOf(one) })),
  ];
}

/**
 * What a ballot says about a subject; null if nothing. It agrees with a judge that gave the decision it implies, unless it names
 * the judge as wrong. It agrees with all criteria if it agrees with the verdict, and disagrees with those that it names.
 */
export function valueOn(
  subject: Subject,
  ballot: Pick<Ballot, 'value' | 'correction'>,
  decided: string,
): VoteValue | null {
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

const letters: Readonly<Record<VoteValue, string>> = { agree: 'a', disagree: 'd', unsure: 'u' };
const valueOfLetter = (letter: string): VoteValue | undefined =>
  VoteValue.options.find((value) => letters[value] === letter);

/** A ballot as one letter for the vote itself and one for each subject, in order. `-`: says nothing about it. */
export function stancesOf(
  subjects: readonly Subject[],
  decided: Verdict['decision'],
  ballot: Pick<Ballot, 'value' | 'correction'>,
): string {
  // The verdict's own subject says which of two answers is better.
  const outcome = subjects.find(({ kind }) => kind === 'verdict')?.decision ?? decided;
  const said = [ballot.value, ...subjects.map((subject) => valueOn(subject, ballot, outcome))];
  return said.map((value) => (value === null ? '-' : letters[value])).join('');
}

/** The stances of a voter before their first vote. */
export const noStances = (subjects: readonly unknown[]): string => '-'.repeat(subjects.length + 1);

/**
 * The tallies that change when a voter's stances change, by their place in the stances (0: the vote itself, n: subject n − 1). Tallies
 * and stances have the same length.
 */
export function tallyMoves(tallies: readonly VoteTally[], before: string, after: string) {
  return tallies.flatMap((from, place) => {
    const [old = '-', now = '-'] = [before[place], after[place]];
    if (old === now) return [];
    const to = { ...from };
    const [without, added] = [valueOfLetter(old), valueOfLetter(now)];
    if (without !== undefined) to[without] -= 1;
    if (added !== undefined) to[added] += 1;
    return [{ place, from, to }];
  });
}

/** The tallies of a verdict without votes: its own, then one per subject. */
export const emptyTallies = (subjects: readonly unknown[]): VoteTally[] => [
  noVotes,
  ...subjects.map(() => noVotes),
];
