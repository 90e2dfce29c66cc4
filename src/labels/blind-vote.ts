import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { JuryError } from '../common/errors.ts';
import type { KeyValue } from '../common/key-value.ts';
import { type Range, rangeOfVerdict, type Verdict } from '../judging/verdict.ts';
import { standingVote, type VoteStore } from './cast-vote.ts';
import type { VerdictRecord } from './verdict-record.ts';
import { BlindAnswer, type BlindVote, type Correction, type Vote, type VoteValue } from './vote.ts';

/** What a blind voter is asked for: pass or fail, or one of several score levels. */
export type BlindBallot = { kind: 'decision' } | { kind: 'score'; levels: readonly number[] };

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

/** The decision or score of a correction. */
const rightIn = ({ decision, score }: Partial<Correction> = {}) => ({
  ...(decision === undefined ? {} : { decision }),
  ...(score === undefined ? {} : { score }),
});

const correct = (right: Pick<Correction, 'decision' | 'score'>): Correction => ({
  ...right,
  criteria: [],
  judges: [],
});

/**
 * The vote that a blind answer amounts to. Pass or fail on an undecided case disagrees with the panel. A score agrees with the
 * panel's score if no other level is closer to it.
 *
 * @throws JuryError `bad-input` if the answer is a score but the ballot asks for a decision, or vice versa
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

export const sameAnswer = (a: BlindAnswer, b: BlindAnswer): boolean => isDeepStrictEqual(a, b);

/** Who answers, on which surface, and when (ms since the epoch). */
export type BlindVoter = Pick<Vote, 'voter' | 'surface' | 'at'>;

/**
 * What became of a blind answer. `kept`: it is the voter's first. `stood`: an earlier answer counts. `seen`: the voter took back
 * an answer after seeing the verdict. `gone`: the verdict has been deleted.
 */
export type BlindOutcome = { kind: 'kept' | 'stood'; vote: Vote } | { kind: 'seen' | 'gone' };

/** Longer than a verdict can be voted on. */
const SEEN_MS = 400 * 86_400_000;
/** Longer than two concurrent answers of one person can take; afterwards the vote itself shows which came first. */
const CLAIM_MS = 600_000;

const keyOf = (what: 'seen' | 'first', verdictId: string, voter: string): string =>
  `${what}:${createHash('sha256').update(`${verdictId}\n${voter}`).digest('hex').slice(0, 32)}`;

/** Whether a voter has seen the hidden verdict and then taken back their answer. @throws JuryError `store-unavailable` */
export const hasSeen = async (
  store: KeyValue,
  verdictId: string,
  voter: string,
  now: number,
): Promise<boolean> => (await store.get(keyOf('seen', verdictId, voter), now)) !== null;

function voteFor(record: VerdictRecord, who: BlindVoter, blind: BlindVote, added?: Correction): Vote {
  const { value, correction: first } = voteOf(blind.answer, record.verdict);
  const { decision: _d, score: _s, ...rest } = added ?? correct({});
  // What is added later does not change what the first answer says is right.
  const correction = added === undefined ? first : { ...rest, ...rightIn(first) };
  return { ...who, verdictId: record.id, value, ...(correction === undefined ? {} : { correction }), blind };
}

/**
 * Saves a voter's first answer to a verdict that is hidden from them. Show them the verdict only after this has resolved to
 * `kept` or `stood`.
 *
 * @throws JuryError `store-unavailable`: nothing was saved; `bad-input` for an answer of the wrong kind
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
  // The claim decides which of two concurrent answers is the first. The second casts the first one again, in case the process
  // that claimed it has died before casting it.
  const claim = await store.setIfAbsent(
    keyOf('first', record.id, who.voter),
    JSON.stringify(answer),
    who.at,
    CLAIM_MS,
  );
  const first = claim.set ? answer : BlindAnswer.parse(JSON.parse(claim.value));
  const vote = claim.set ? own : voteFor(record, who, { answer: first });
  const { status } = await store.castVote(vote);
  if (status === 'unknown-verdict') return { kind: 'gone' };
  return { kind: claim.set || sameAnswer(first, answer) ? 'kept' : 'stood', vote };
}

/**
 * Saves what a voter adds after seeing the verdict: what was wrong, and a change of mind. The first answer still counts.
 *
 * @returns `false` if there is no answer to add to
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
  await store.castVote(voteFor(record, { ...who, at }, blind, correction));
  // Taken back in the meantime: it stays so.
  if (!(await hasSeen(store, record.id, who.voter, who.at))) return true;
  await store.castVote({ ...who, verdictId: record.id, value: null, at: at + 1 });
  return false;
}

/**
 * Takes back a blind answer for good: a voter who has seen the verdict can no longer answer blind.
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
  const at = Math.max(who.at, standing.at + 1);
  await store.castVote({ ...who, verdictId: record.id, value: null, at });
  return true;
}
