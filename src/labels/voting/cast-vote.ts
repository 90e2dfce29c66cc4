import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { changeText, DAY_MS, JuryError, type KeyValue } from '../../common/index.ts';
import type { Verdict } from '../../judging/verdict/index.ts';
import {
  type Ballot,
  type BlindVote,
  ballotOf,
  CaseAnswer,
  type Correction,
  isNearest,
  noRemarks,
  type Remarks,
  type Said,
  type TakenBack,
  type VerdictRecord,
  type VerdictTally,
  type Vote,
  type VoteValue,
  valueIn,
} from '../record/index.ts';
import type { Voted } from './adjudication.ts';

/** Every call is atomic; if the store is down it rejects with a `JuryError` `store-unavailable`. */
export interface VoteStore {
  /**
   * Casts, changes or takes back a vote and updates all counts in one atomic step. Idempotent: the newest `at` wins,
   * and the same `at` again changes nothing. Show a vote as counted only after this has resolved.
   */
  castVote(ballot: Ballot): Promise<CastOutcome>;
  tally(verdictId: string): Promise<VerdictTally>;
  votes(verdictId: string): Promise<Vote[]>;
  /** The votes on several verdicts, in the order of the ids. */
  votesOn(verdictIds: readonly string[]): Promise<Vote[][]>;
  /** Every verdict with a vote or a ruling, oldest first, read in pages. */
  allVoted(): AsyncIterable<Voted>;
}

/**
 * The result of casting a ballot. `outdated`: the voter has cast a newer one. `unchanged`: it was already counted.
 * `unknown-verdict`: the verdict does not exist or was deleted, and nothing was counted.
 */
export type CastOutcome =
  | { status: 'counted' | 'unchanged' | 'outdated'; tally: VerdictTally; standing: Vote | null }
  | { status: 'unknown-verdict' };

/** A voter's current vote on a verdict. */
export async function standingVote(store: VoteStore, verdictId: string, voter: string): Promise<Vote | null> {
  const votes = await store.votes(verdictId);
  return votes.find((vote) => vote.voter === voter) ?? null;
}

/** The voter, the verdict, why it was offered, the surface and the time of a ballot. */
export type Voter = Pick<Ballot, 'verdictId' | 'voter' | 'offered' | 'surface' | 'at'>;

/** Why a voter was offered a verdict: what brought them to it first, even if they change their vote elsewhere. */
export const firstOffered = (standing: Vote | null, offered: Voter['offered']): Voter['offered'] =>
  standing === null ? offered : standing.offered;

/**
 * Outlives the time in which a verdict can be voted on: a reaction counts again when the one that replaced it is
 * removed.
 */
const KEPT_MS = 400 * DAY_MS;

/**
 * Casts or takes back a thumb or an answer about the case. Repeating a vote keeps the remarks made with it, and a changed vote keeps why
 * the verdict was offered.
 */
export async function castThumbVote(
  store: VoteStore,
  who: Voter,
  said: Said | TakenBack,
): Promise<CastOutcome> {
  const standing =
    valueIn(said) === null && !('right' in said) ? null : await standingVote(store, who.verdictId, who.voter);
  const again = standing === null ? null : sayingAgain(standing, said);
  return store.castVote({ ...who, offered: firstOffered(standing, who.offered), ...(again ?? said) });
}

/** The standing vote with its remarks if the new one repeats it; otherwise null. */
function sayingAgain(standing: Said, vote: Said | TakenBack): Said | null {
  if ('right' in standing) {
    const { right, correction } = standing;
    return 'right' in vote && sameAnswer(vote.right, right) ? { right, correction } : null;
  }
  const { value, correction } = standing;
  if ('right' in vote || vote.value !== value) return null;
  const isSame = vote.correction === undefined || vote.correction.score === correction?.score;
  return isSame && correction !== undefined ? { value, correction } : null;
}

/**
 * Key for what is stored about a voter besides the vote: when a reaction was added or removed, their first answer, that
 * they saw the verdict.
 */
const keyOf = (what: 'on' | 'gone' | 'first' | 'seen', ...about: readonly string[]): string =>
  `${what}:${createHash('sha256').update(about.join('\n')).digest('hex').slice(0, 32)}`;

/** Keeps the latest time a reaction was added or removed, since events arrive in any order. */
const recordMoment = (
  store: KeyValue,
  moment: 'on' | 'gone',
  { verdictId, voter, at }: Voter,
  reaction: VoteValue,
  now: number,
): Promise<unknown> =>
  changeText(
    store,
    keyOf(moment, verdictId, voter, reaction),
    (storedAt) => (storedAt !== null && Number(storedAt) >= at ? storedAt : String(at)),
    now,
    KEPT_MS,
  );

/** A person's reactions on a card. */
async function reactionsOf(store: KeyValue, { verdictId, voter }: Voter, now: number) {
  const timeOf = async (moment: 'on' | 'gone', reaction: VoteValue) =>
    Number((await store.get(keyOf(moment, verdictId, voter, reaction), now)) ?? 0);
  const reactionTimes = await Promise.all(
    (['agree', 'disagree'] as const).map(async (reaction) => ({
      reaction,
      on: await timeOf('on', reaction),
      gone: await timeOf('gone', reaction),
    })),
  );
  const standing = reactionTimes.filter(({ on, gone }) => on > gone).sort((a, b) => b.on - a.on);
  return {
    /** The reaction that counts as their vote: the last one added of those still on the card. */
    standing: standing[0]?.reaction ?? null,
    /** When any of them last changed. */
    last: Math.max(...reactionTimes.flatMap(({ on, gone }) => [on, gone])),
  };
}

/** The result of voting by reaction, and the vote that now stands. */
interface Reacted {
  status: CastOutcome['status'];
  value: VoteValue | null;
}

/** Smaller than the time between any two events, ms. */
const INSTANT_MS = 0.0005;

/**
 * Takes back a vote by reaction. Only that reaction's own vote goes, not a different one cast since. If another of the
 * person's reactions is still on the card, it becomes their vote again.
 *
 * @param now ms by this machine's clock; the ballot's `at` is the surface's clock
 */
export async function takeBackReaction(
  store: VoteStore & KeyValue,
  who: Voter,
  reaction: VoteValue,
  now: number,
): Promise<Reacted> {
  await recordMoment(store, 'gone', who, reaction, now);
  const vote = await standingVote(store, who.verdictId, who.voter);
  const { standing: value, last } = await reactionsOf(store, who, now);
  // They have since voted differently, or added the reaction again before this removal arrived.
  if (vote === null || valueIn(vote) !== reaction || value === reaction)
    return { status: 'unchanged', value: null };
  // They have since voted the same in another way than by a reaction.
  if (vote.at > last + INSTANT_MS) return { status: 'unchanged', value: null };
  // The removal of another reaction, which came later and arrived earlier, may have made this one their vote again.
  const at = vote.at > who.at ? vote.at + INSTANT_MS : who.at;
  return { status: (await store.castVote({ ...who, at, value })).status, value };
}

/** Casts a vote by reaction. Events arrive in any order: what counts is the reaction left in the end. */
export async function castByReaction(
  store: VoteStore & KeyValue,
  who: Voter,
  reaction: VoteValue,
  now: number,
): Promise<Reacted> {
  await recordMoment(store, 'on', who, reaction, now);
  const { status } = await castThumbVote(store, who, { value: reaction });
  const { standing, last } = await reactionsOf(store, who, now);
  if (status === 'unknown-verdict' || last === who.at) return { status, value: reaction };
  const vote = await standingVote(store, who.verdictId, who.voter);
  // Either it is still there after another reaction came and went, or it has been removed since.
  const stays = standing === reaction && vote === null;
  const isRemoved = standing !== reaction && valueIn(vote) === reaction && vote?.at === who.at;
  if (!stays && !isRemoved) return { status, value: reaction };
  const at = stays ? last + INSTANT_MS : last;
  return { status: (await store.castVote({ ...who, at, value: standing })).status, value: standing };
}

/**
 * The vote that an answer about a case amounts to. An undecided verdict leaves nothing to agree or disagree with, so
 * there the answer itself is the vote. A score agrees with the panel's if no other level is closer to it.
 *
 * @throws JuryError `bad-input` if the answer is a score and the ballot asks for a decision, or vice versa
 */
export function voteOf(
  answer: CaseAnswer,
  verdict: Pick<Verdict, 'decision' | 'score' | 'scale' | 'criteria'>,
): Said {
  const ballot = ballotOf(verdict);
  if (answer.kind !== 'unsure' && answer.kind !== ballot.kind)
    throw new JuryError('bad-input', `This case is answered with a ${ballot.kind}.`);
  if (verdict.decision === 'undecided') return { right: answer };
  if (answer.kind === 'unsure') return { value: 'unsure' };
  if (answer.kind === 'decision')
    return { value: answer.decision === verdict.decision ? 'agree' : 'disagree' };
  const { score } = verdict;
  const levels = ballot.kind === 'score' ? ballot.levels : [];
  return score !== null && isNearest(answer.score, levels, score)
    ? { value: 'agree' }
    : { value: 'disagree', correction: { score: answer.score, ...noRemarks } };
}

export const sameAnswer = (a: CaseAnswer, b: CaseAnswer): boolean => isDeepStrictEqual(a, b);

/** The voter, the surface and the time of a blind answer (ms since the epoch). */
export type BlindVoter = Omit<Voter, 'verdictId'>;

/**
 * The result of a blind answer. `kept`: it is the voter's first. `stood`: an earlier answer counts. `seen`: the voter
 * saw the verdict and took back their answer. `gone`: the verdict was deleted.
 */
export type BlindOutcome = { kind: 'kept' | 'stood'; vote: Vote } | { kind: 'seen' | 'gone' };

/** Longer than two concurrent answers by one person can take; after that the vote itself shows which came first. */
const CLAIM_MS = 600_000;

/**
 * Whether a voter has seen the hidden verdict and then taken back their answer.
 *
 * @throws JuryError `store-unavailable`
 */
export const hasSeen = async (
  store: KeyValue,
  verdictId: string,
  voter: string,
  now: number,
): Promise<boolean> => (await store.get(keyOf('seen', verdictId, voter), now)) !== null;

/**
 * Undoes a vote that was cast while its voter was taking their answer back.
 *
 * @returns whether it was undone
 */
async function stayTakenBack(
  store: VoteStore & KeyValue,
  { verdictId, voter, surface, at }: Vote,
): Promise<boolean> {
  if (!(await hasSeen(store, verdictId, voter, at))) return false;
  await store.castVote({ verdictId, voter, surface, at: at + 1, value: null });
  return true;
}

function voteFor(record: VerdictRecord, who: BlindVoter, blind: BlindVote, added?: Remarks): Vote {
  const firstVote = voteOf(blind.answer, record.verdict);
  // Remarks added later do not change what the first answer says is right.
  const more = added === undefined ? {} : { correction: { ...firstVote.correction, ...added } };
  return { ...who, verdictId: record.id, ...firstVote, ...more, blind };
}

/**
 * Saves a voter's first answer on a verdict that is hidden from them. Show the verdict only after this has resolved to
 * `kept` or `stood`.
 *
 * @throws JuryError `store-unavailable`: nothing was saved; `bad-input`: wrong kind of answer
 */
export async function castBlind(
  store: VoteStore & KeyValue,
  record: VerdictRecord,
  who: BlindVoter,
  answer: CaseAnswer,
): Promise<BlindOutcome> {
  const standing = await standingVote(store, record.id, who.voter);
  if (standing !== null) return { kind: 'stood', vote: standing };
  if (await hasSeen(store, record.id, who.voter, who.at)) return { kind: 'seen' };
  const ownVote = voteFor(record, who, { answer });
  // The claim decides which of two concurrent answers is first. The loser casts the winner's answer again, in case the
  // process that claimed it died before casting it.
  const claim = await store.setIfAbsent(
    keyOf('first', record.id, who.voter),
    JSON.stringify(answer),
    who.at,
    CLAIM_MS,
  );
  const first = claim.set ? answer : CaseAnswer.parse(JSON.parse(claim.value));
  const vote = claim.set ? ownVote : voteFor(record, who, { answer: first });
  const { status } = await store.castVote(vote);
  if (status === 'unknown-verdict') return { kind: 'gone' };
  if (await stayTakenBack(store, vote)) return { kind: 'seen' };
  return { kind: claim.set || sameAnswer(first, answer) ? 'kept' : 'stood', vote };
}

/**
 * Saves what a voter adds after seeing the verdict: what was wrong, or a change of mind. The first answer still counts.
 *
 * @returns `false` if there is no answer to add to
 * @throws JuryError `store-unavailable`
 */
export async function addToBlind(
  store: VoteStore & KeyValue,
  record: VerdictRecord,
  who: BlindVoter,
  now: CaseAnswer,
  { decision: _d, score: _s, ...remarks }: Correction,
): Promise<boolean> {
  const standing = await standingVote(store, record.id, who.voter);
  if (standing?.blind === undefined) return false;
  const { answer } = standing.blind;
  const blind = sameAnswer(answer, now) ? { answer } : { answer, later: { answer: now, at: who.at } };
  const at = Math.max(who.at, standing.at + 1);
  const vote = voteFor(record, { ...who, offered: standing.offered, at }, blind, remarks);
  await store.castVote(vote);
  return !(await stayTakenBack(store, vote));
}

/**
 * Takes back a blind answer for good: having seen the verdict, the voter can no longer answer blind.
 *
 * @returns `false` if there is no answer to take back
 * @throws JuryError `store-unavailable`
 */
export async function takeBackBlind(
  store: VoteStore & KeyValue,
  record: VerdictRecord,
  who: BlindVoter,
): Promise<boolean> {
  const standing = await standingVote(store, record.id, who.voter);
  if (standing === null) return false;
  await store.setIfAbsent(keyOf('seen', record.id, who.voter), 'seen', who.at, KEPT_MS);
  const at = Math.max(who.at, standing.at + 1);
  await store.castVote({ ...who, verdictId: record.id, value: null, at });
  return true;
}
