import * as z from 'zod';
import type { Judge } from '../judging/judgement.ts';
import type { Range, Verdict } from '../judging/verdict.ts';

/** What is right about a case, whoever says so and whatever was judged: pass or fail, or a score on the rubric's scale. */
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

/** What can be right about the case of a verdict: pass or fail, or a score between two bounds, where they are known. */
export type RightKind = { kind: 'decision' } | { kind: 'score'; scale: Range | null };

/** A panel that came to nothing leaves it to its criteria which of the two it is. */
export function rightKindOf({
  decision,
  scale,
  criteria,
}: Pick<Verdict, 'decision' | 'scale' | 'criteria'>): RightKind {
  const isScored =
    decision === 'scored' ||
    (decision === 'undecided' && (scale !== undefined || criteria.some((criterion) => criterion.scale)));
  return isScored ? { kind: 'score', scale: scale ?? null } : { kind: 'decision' };
}

/** Reads what somebody wrote as right about the case of a verdict, or says what can be written. */
export function readRight(
  text: string,
  verdict: Parameters<typeof rightKindOf>[0],
): { right: Right } | { problem: string } {
  const wanted = rightKindOf(verdict);
  const word = text.trim().toLowerCase();
  if (wanted.kind === 'decision')
    return word === 'pass' || word === 'fail'
      ? { right: decisionIs(word) }
      : { problem: `"${text}" is neither pass nor fail, which is what its rubric decides` };
  const score = Number(word);
  const { scale } = wanted;
  if (word === '' || !Number.isFinite(score))
    return {
      problem: `"${text}" is no score${scale === null ? '' : ` from ${scale.min} to ${scale.max}`}, which its rubric gives`,
    };
  if (scale !== null && (score < scale.min || score > scale.max))
    return { problem: `the score ${score} is not from ${scale.min} to ${scale.max}, its rubric's scale` };
  return { right: { kind: 'score', score } };
}

/**
 * What a colleague says of a verdict. `agree` and `disagree` are about the judges, not about the case: what is right
 * follows from the vote and the verdict together.
 */
export const VoteValue = z.enum(['agree', 'disagree', 'unsure']);
export type VoteValue = z.infer<typeof VoteValue>;

/** What a voter who disagrees may add: what is right, and what or who was wrong. */
export const Correction = z.strictObject({
  decision: z.enum(['pass', 'fail']).optional(),
  score: z.number().optional(),
  /** Criteria that the panel got wrong, by id. */
  criteria: z.array(z.string()).default([]),
  /** The kind of error in the answer, by criterion id or the rubric's error type id. */
  errorType: z.string().optional(),
  /** Judges that were wrong, by `judgeKey`. */
  judges: z.array(z.string()).default([]),
  comment: z.string().max(3000).optional(),
});
export type Correction = z.infer<typeof Correction>;

/** What somebody says of a case who has not been shown what the judges decided. */
export const BlindAnswer = z.discriminatedUnion('kind', [
  ...Right.options,
  z.strictObject({ kind: z.literal('unsure') }),
]);
export type BlindAnswer = z.infer<typeof BlindAnswer>;

/**
 * What a vote says that was given before the voter was shown what the judges decided. The first answer is what counts, in the
 * vote's own value too; a change of mind after that is kept beside it, and counts nowhere: it may lean on the judges.
 */
export const BlindVote = z.strictObject({
  answer: BlindAnswer,
  later: z.strictObject({ answer: BlindAnswer, at: z.number() }).optional(),
});
export type BlindVote = z.infer<typeof BlindVote>;

/** One person's standing vote on one verdict. */
export const Vote = z.strictObject({
  verdictId: z.string(),
  /** Keyed pseudonym; who it is cannot be read from it. */
  voter: z.string(),
  value: VoteValue,
  correction: Correction.optional(),
  blind: BlindVote.optional(),
  surface: z.string(),
  /** When the person clicked, ms since the epoch with fractions; the newest counts, whatever the order of arrival. */
  at: z.number(),
});
export type Vote = z.infer<typeof Vote>;

/** A vote being cast, or taken back (`value: null`). */
export type Ballot = Omit<Vote, 'value'> & { value: VoteValue | null };

/** How many people say what. */
export const VoteTally = z.strictObject({ agree: z.int(), disagree: z.int(), unsure: z.int() });
export type VoteTally = z.infer<typeof VoteTally>;

export const noVotes: VoteTally = { agree: 0, disagree: 0, unsure: 0 };

/** How many of some votes say what. */
export function tallyOf(votes: readonly Pick<Vote, 'value'>[]): VoteTally {
  const tally = { ...noVotes };
  for (const { value } of votes) tally[value] += 1;
  return tally;
}

/**
 * What most of those say who agree or disagree. `tied`: as many say the one as the other; `open`: nobody says either.
 * "Unsure" takes no side.
 */
export type SettledSide = 'agree' | 'disagree' | 'tied' | 'open';

export function settledSide({ agree, disagree }: VoteTally): SettledSide {
  if (agree > disagree) return 'agree';
  if (disagree > agree) return 'disagree';
  return agree > 0 ? 'tied' : 'open';
}

/** The decision that a ballot says is right, or null where it says none. */
function rightDecision(
  ballot: Pick<Ballot, 'value' | 'correction'>,
  decided: Verdict['decision'],
): string | null {
  if (ballot.correction?.decision !== undefined) return ballot.correction.decision;
  if (ballot.value === 'agree') return decided === 'undecided' ? null : decided;
  if (ballot.value === 'disagree') {
    if (decided === 'pass') return 'fail';
    if (decided === 'fail') return 'pass';
  }
  return null;
}

/**
 * What a vote says is right. A vote is about the judges ("I agree"); together with what they decided it is about the case.
 * A blind answer is about the case already. Null where it says nothing of that: it is unsure, or disagrees with a score, or an undecided panel, and names nothing better.
 */
export function rightOf(
  vote: Pick<Vote, 'value' | 'correction' | 'blind'>,
  { decision, score }: Pick<Verdict, 'decision' | 'score'>,
): Right | null {
  if (vote.blind !== undefined) return vote.blind.answer.kind === 'unsure' ? null : vote.blind.answer;
  if (vote.value === 'unsure') return null;
  if (decision === 'scored') {
    const said = vote.correction?.score ?? (vote.value === 'agree' ? score : null);
    return said === null ? null : { kind: 'score', score: said };
  }
  const right = rightDecision(vote, decision);
  return right === 'pass' || right === 'fail' ? decisionIs(right) : null;
}

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

/**
 * What a ballot on a verdict says of one of its subjects; null where it says nothing. A judge is agreed with when it gave
 * the decision that the voter holds right, unless the voter named it as wrong; a criterion when the voter agrees with
 * the verdict, disagreed with when the voter names it.
 */
export function valueOn(
  subject: Subject,
  ballot: Pick<Ballot, 'value' | 'correction'>,
  decided: Verdict['decision'],
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

const letters = { agree: 'a', disagree: 'd', unsure: 'u' } as const satisfies Record<VoteValue, string>;
const values = { a: 'agree', d: 'disagree', u: 'unsure' } as const satisfies Record<string, VoteValue>;
const isLetter = (letter: string): letter is keyof typeof values => letter in values;

/** What a ballot says, one letter a place: first of the vote itself, then of each subject in order. `-` says nothing. */
export function stancesOf(
  subjects: readonly Subject[],
  decided: Verdict['decision'],
  ballot: Pick<Ballot, 'value' | 'correction'>,
): string {
  const said = [ballot.value, ...subjects.map((subject) => valueOn(subject, ballot, decided))];
  return said.map((value) => (value === null ? '-' : letters[value])).join('');
}

/** The stances of somebody who has not voted. */
export const noStances = (subjects: readonly unknown[]): string => '-'.repeat(subjects.length + 1);

/** A tally that changes, by its place in the stances (0: the vote itself, n: the subject n − 1). */
export interface TallyMove {
  place: number;
  from: VoteTally;
  to: VoteTally;
}

/** The tallies that change where one person's stances change, before and after. Tallies and stances have the same length. */
export function tallyMoves(tallies: readonly VoteTally[], before: string, after: string): TallyMove[] {
  return tallies.flatMap((from, place) => {
    const [old = '-', now = '-'] = [before[place], after[place]];
    if (old === now) return [];
    const to = { ...from };
    if (isLetter(old)) to[values[old]] -= 1;
    if (isLetter(now)) to[values[now]] += 1;
    return [{ place, from, to }];
  });
}

/** The tallies of a verdict that nobody has voted on: its own, then one a subject. */
export const emptyTallies = (subjects: readonly unknown[]): VoteTally[] => [
  noVotes,
  ...subjects.map(() => noVotes),
];
