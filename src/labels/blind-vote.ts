import { createHash } from 'node:crypto';
import { JuryError } from '../common/errors.ts';
import type { KeyValue } from '../common/key-value.ts';
import { type Range, rangeOfVerdict, type Verdict } from '../judging/verdict.ts';
import { castVote, standingVote, type VoteStore } from './cast-vote.ts';
import type { VerdictRecord } from './verdict-record.ts';
import { BlindAnswer, type BlindVote, type Correction, type Vote, type VoteValue } from './vote.ts';

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

/** Who answers, by which surface, and when (ms). */
export interface BlindVoter {
  voter: string;
  surface: string;
  at: number;
}

/**
 * What became of a blind answer. `kept`: it is the person's first one. `stood`: they had answered before, and that counts.
 * `seen`: they took back an answer after they had seen the verdict. `gone`: the verdict is not kept any more.
 */
export type BlindOutcome = { kind: 'kept' | 'stood'; vote: Vote } | { kind: 'seen' | 'gone' };

/** As long as a verdict can be voted on, and longer. */
const SEEN_MS = 400 * 86_400_000;
/** Longer than two answers of one person can be under way; from then on the vote itself tells. */
const UNDER_WAY_MS = 600_000;

const keyOf = (what: 'seen' | 'first', verdictId: string, voter: string): string =>
  `${what}:${createHash('sha256').update(`${verdictId}\n${voter}`).digest('hex').slice(0, 32)}`;

/** Whether somebody has seen a hidden verdict and taken their answer back since. @throws JuryError `store-unavailable` */
export const hasSeen = async (
  store: KeyValue,
  verdictId: string,
  voter: string,
  now: number,
): Promise<boolean> => (await store.get(keyOf('seen', verdictId, voter), now)) !== null;

/** What was added to a vote, saying of the case what its first answer says. */
function withRight(
  { decision: _decision, score: _score, ...rest }: Correction,
  first: Correction | undefined,
): Correction {
  return {
    ...rest,
    ...(first?.decision === undefined ? {} : { decision: first.decision }),
    ...(first?.score === undefined ? {} : { score: first.score }),
  };
}

function voteFor(
  record: VerdictRecord,
  { voter, surface, at }: BlindVoter,
  blind: BlindVote,
  added?: Correction,
): Vote {
  const { value, correction: first } = voteOf(blind.answer, record.verdict);
  const correction = added === undefined ? first : withRight(added, first);
  return {
    verdictId: record.id,
    voter,
    value,
    ...(correction === undefined ? {} : { correction }),
    blind,
    surface,
    at,
  };
}

/**
 * Keeps somebody's first answer to a verdict that they have not seen. Only after it has resolved to `kept` or `stood` may they be
 * shown what was decided.
 *
 * @throws JuryError `store-unavailable`: nothing was kept; `bad-input` for an answer of the wrong kind
 */
export async function castBlind(
  store: VoteStore & KeyValue,
  record: VerdictRecord,
  who: BlindVoter,
  answer: BlindAnswer,
): Promise<BlindOutcome> {
  const standing = await standingVote(store, record.id, who.voter);
  if (standing !== null) return { kind: 'stood', vote: standing };
  if (await hasSeen(store, record.id, who.voter, who.at)) return { kind: 'seen' };
  const own = voteFor(record, who, { answer });
  // Of two that are under way at the same time the mark tells the first; whoever comes second casts that one too, which changes
  // nothing, and makes up for a process that died in between.
  const claim = await store.setIfAbsent(
    keyOf('first', record.id, who.voter),
    JSON.stringify(answer),
    who.at,
    UNDER_WAY_MS,
  );
  const first = claim.set ? answer : BlindAnswer.parse(JSON.parse(claim.value));
  const vote = claim.set ? own : voteFor(record, who, { answer: first });
  const outcome = await castVote(store, vote);
  if (outcome.kind === 'gone') return outcome;
  return { kind: claim.set || sameAnswer(first, answer) ? 'kept' : 'stood', vote };
}

/**
 * Keeps what somebody adds to their answer who has seen the verdict by now: who was wrong, and whether they changed their
 * mind. The first answer goes on to count.
 *
 * @returns `false` where they have no answer to add to
 * @throws JuryError `store-unavailable`
 */
export async function addToBlind(
  store: VoteStore & KeyValue,
  record: VerdictRecord,
  who: BlindVoter,
  now: BlindAnswer,
  correction: Correction,
): Promise<boolean> {
  const standing = await standingVote(store, record.id, who.voter);
  if (standing?.blind === undefined) return false;
  const { answer } = standing.blind;
  const blind = sameAnswer(answer, now) ? { answer } : { answer, later: { answer: now, at: who.at } };
  const at = Math.max(who.at, standing.at + 1);
  await castVote(store, voteFor(record, { ...who, at }, blind, correction));
  // Taken back while this was under way: it stays taken back.
  if (!(await hasSeen(store, record.id, who.voter, who.at))) return true;
  const { voter, surface } = who;
  await castVote(store, { verdictId: record.id, voter, surface, value: null, at: at + 1 });
  return false;
}

/**
 * Takes a blind answer back, for good: whoever has seen the verdict cannot answer blind any more.
 *
 * @throws JuryError `store-unavailable`
 */
export async function takeBackBlind(
  store: VoteStore & KeyValue,
  record: VerdictRecord,
  who: BlindVoter,
): Promise<boolean> {
  const standing = await standingVote(store, record.id, who.voter);
  if (standing === null) return false;
  await store.setIfAbsent(keyOf('seen', record.id, who.voter), 'seen', who.at, SEEN_MS);
  const { voter, surface } = who;
  const at = Math.max(who.at, standing.at + 1);
  await castVote(store, { verdictId: record.id, voter, surface, value: null, at });
  return true;
}
