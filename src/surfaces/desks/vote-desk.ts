import type { CardTexts } from '../../judging/card/index.ts';
import { type Actor, type Viewer, type VisibleVerdict, visibleVerdict } from '../../labels/access/index.ts';
import {
  type CaseAnswer,
  noRemarks,
  type Offered,
  type Said,
  type VerdictRecord,
  type VoteValue,
} from '../../labels/record/index.ts';
import {
  addToBlind,
  type CastOutcome,
  castBlind,
  castThumbVote,
  firstOffered,
  GOLD_ROLE,
  sameAnswer,
  standingVote,
  takeBackBlind,
  voteOf,
} from '../../labels/voting/index.ts';
import { findPeople } from '../../requests/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import type { Cards } from '../chat/index.ts';
import {
  correctionForm,
  type FilledIn,
  type Form,
  type FormErrors,
  readCorrectionForm,
} from '../forms/index.ts';
import type { SurfaceHost } from '../index.ts';
import { standardOf } from '../wording/index.ts';

/** What voting needs, on every surface. */
export type VoteDesk = Pick<SurfaceHost, 'store' | 'library' | 'onVote' | 'now'> & {
  texts: CardTexts;
  cards: Pick<Cards, 'refresh'>;
};

/** Who votes, where, and when (ms since the epoch). */
export type Voting = Viewer & {
  /** The voter's identities, as the platform gives them. */
  people: Actor['people'];
  surface: string;
  at: number;
  /** Where they found the verdict. */
  place: 'card' | 'queue' | 'volunteer';
};

/**
 * Why a verdict is offered to a person: its place, unless they asked for it themselves or it has a known answer.
 * @throws JuryError `store-unavailable`
 */
export async function offeredAt(
  { store, now }: Pick<VoteDesk, 'store' | 'now'>,
  { id, source }: VerdictRecord,
  { people, place }: Pick<Voting, 'people' | 'place'>,
): Promise<Offered> {
  const asked = await findPeople(store, id, now());
  const isOwn = people.some(
    ({ surface, team, user }) =>
      surface === source.surface && (team === '' || team === source.team) && user === asked?.askedBy,
  );
  if (isOwn) return { why: 'own' };
  // A case with a known answer has no message and a ruling from the start, which is not a person's.
  const isGold =
    source.message === null && source.thread === null && (await store.adjudication(id))?.role === GOLD_ROLE;
  return { why: isGold ? 'gold' : place };
}

/** Whether a verdict has no decision to agree with. People then answer the case itself. */
export const isUndecided = ({ verdict }: Pick<VerdictRecord, 'verdict'>): boolean =>
  verdict.decision === 'undecided';

/** Counts a vote that was saved, and refreshes its card. */
export function voted(
  { cards, onVote }: Pick<VoteDesk, 'cards' | 'onVote'>,
  record: VerdictRecord,
  status: CastOutcome['status'],
): void {
  if (status === 'unknown-verdict') return;
  if (status === 'counted') onVote();
  cards.refresh(record);
}

/** The form to add to a vote; null if the voter has no answer to add to. @throws JuryError `store-unavailable` */
export async function correctionFor(
  { store, library, texts }: VoteDesk,
  visible: VisibleVerdict,
  voter: string,
): Promise<Form | null> {
  const { id, verdict } = visible.record;
  if (visible.kind === 'hidden' || visible.kind === 'seen') return null;
  // Without a blind answer, a vote on a hidden verdict has nothing to add to.
  if (visible.kind === 'answered' && visible.vote.blind === undefined) return null;
  const vote = visible.kind === 'answered' ? visible.vote : await standingVote(store, id, voter);
  const answered = visible.kind === 'answered' ? visible.vote.blind : undefined;
  return correctionForm({
    verdict,
    rubric: library.rubrics.get(verdict.rubric) ?? null,
    standard: standardOf(verdict, library.rubrics, texts.language),
    texts,
    said: vote ?? undefined,
    answer: answered?.later?.answer ?? answered?.answer,
  });
}

/**
 * The result of a thumb.
 * - `hidden`: not counted, since the person has not seen the judges' answers; `visible` is what they may see.
 * - `asked`: not counted, since there is no decision to agree with; the form asks what is right.
 * - `taken-back`: a vote on a hidden verdict.
 * - `counted`: after a disagreement, the form asks what is right.
 */
export type ThumbOutcome =
  | { kind: 'gone' | 'not-voted' }
  | { kind: 'hidden'; visible: VisibleVerdict }
  | { kind: 'taken-back'; visible: VisibleVerdict; wasThere: boolean }
  | { kind: 'asked'; form: Form }
  | { kind: 'counted'; visible: VisibleVerdict; changed: boolean; form: Form | null };

/** What the voter is told. @param value the thumb; null if it was taken back */
export function thumbText(outcome: ThumbOutcome, value: VoteValue | null, language: Language): string {
  const { votes } = wordsIn(language);
  switch (outcome.kind) {
    case 'gone':
      return votes.gone;
    case 'not-voted':
      return votes.notVoted;
    case 'hidden':
      return votes.answerFirst;
    case 'asked':
      return votes.undecided;
    case 'taken-back':
      return outcome.wasThere ? votes.answerTakenBack : votes.noAnswer;
    case 'counted':
      if (value === null) return votes.takenBack;
      return { agree: votes.agreed, disagree: votes.disagreed, unsure: votes.unsure }[value];
  }
}

/** Counts a thumb. @param value null to take the vote back @throws JuryError `store-unavailable`: nothing was counted */
export async function castThumb(
  desk: VoteDesk,
  voting: Voting,
  verdictId: string,
  value: VoteValue | null,
): Promise<ThumbOutcome> {
  const { store, onVote, now } = desk;
  const { voter, surface, at } = voting;
  const visible = await visibleVerdict(store, verdictId, voting, now());
  if (visible === null) return { kind: 'gone' };
  const { record } = visible;
  if (visible.kind !== 'open') {
    if (value !== null) return { kind: 'hidden', visible };
    const wasThere = await takeBackBlind(store, record, { voter, surface, at: now() });
    if (wasThere) onVote();
    return { kind: 'taken-back', visible, wasThere };
  }
  const hadVoted = value !== null || (await standingVote(store, verdictId, voter)) !== null;
  if (isUndecided(record) && (value === 'agree' || value === 'disagree')) {
    const form = await correctionFor(desk, visible, voter);
    return form === null ? { kind: 'gone' } : { kind: 'asked', form };
  }
  const thumb = value === 'unsure' ? voteOf({ kind: 'unsure' }, record.verdict) : { value };
  const offered = await offeredAt(desk, record, voting);
  const { status } = await castThumbVote(store, { verdictId, voter, surface, offered, at }, thumb);
  if (status === 'unknown-verdict') return { kind: 'gone' };
  if (!hadVoted) return { kind: 'not-voted' };
  voted(desk, record, status);
  const form = value === 'disagree' ? await correctionFor(desk, visible, voter) : null;
  return { kind: 'counted', visible, changed: status === 'counted', form };
}

/**
 * Saves an answer to a case whose verdict is hidden or undecided, or to which of two answers is better.
 *
 * @returns why the answer does not count; null if it does
 * @throws JuryError `store-unavailable`; `bad-input` for an answer of the wrong kind
 */
export async function castAnswer(
  desk: VoteDesk,
  voting: Voting,
  verdictId: string,
  answer: CaseAnswer,
): Promise<string | null> {
  const { store, onVote, now } = desk;
  const { votes } = wordsIn(desk.texts.language);
  const visible = await visibleVerdict(store, verdictId, voting, now());
  if (visible === null) return votes.gone;
  const { voter, surface, at } = voting;
  const { record } = visible;
  const offered = await offeredAt(desk, record, voting);
  if (visible.kind === 'open') {
    if (record.verdict.preference === undefined && !isUndecided(record)) return votes.open;
    const ballot = voteOf(answer, record.verdict);
    const { status } = await castThumbVote(store, { verdictId, voter, surface, offered, at }, ballot);
    voted(desk, record, status);
    return status === 'unknown-verdict' ? votes.gone : null;
  }
  const outcome = await castBlind(store, record, { voter, surface, offered, at }, answer);
  if (!('vote' in outcome)) return votes[outcome.kind];
  const { kind, vote } = outcome;
  if (kind === 'kept') onVote();
  // A repeated answer, such as from a second click, is no problem.
  const isOther = kind === 'stood' && vote.blind !== undefined && !sameAnswer(vote.blind.answer, answer);
  return isOther ? votes.stood : null;
}

/** The answer in the form; the first answer if the form has none. */
function answerNow(first: CaseAnswer, vote: Said): CaseAnswer {
  if ('right' in vote) return vote.right;
  const { decision, score } = vote.correction ?? {};
  if (decision !== undefined) return { kind: 'decision', decision };
  if (score !== undefined) return { kind: 'score', score };
  return vote.value === 'unsure' ? { kind: 'unsure' } : first;
}

/** The result of a correction. `nothing`: the person has no answer to add to. */
export type CorrectionOutcome =
  | { kind: 'gone' | 'kept' }
  | { kind: 'nothing'; visible: VisibleVerdict }
  | { kind: 'wrong'; form: Form; errors: FormErrors };

/** Saves what a voter adds to their vote. @throws JuryError `store-unavailable`: nothing was saved */
export async function castCorrection(
  desk: VoteDesk,
  voting: Voting,
  verdictId: string,
  filledIn: FilledIn,
): Promise<CorrectionOutcome> {
  const { store, now } = desk;
  const { voter, surface } = voting;
  const visible = await visibleVerdict(store, verdictId, voting, now());
  if (visible === null) return { kind: 'gone' };
  const { record } = visible;
  const form = await correctionFor(desk, visible, voter);
  if (form === null) return { kind: 'nothing', visible };
  const read = readCorrectionForm(form, filledIn, record.verdict);
  if ('errors' in read) return { kind: 'wrong', form, errors: read.errors };
  const { said } = read;
  if (visible.kind === 'answered') {
    const first = visible.vote.blind?.answer;
    const who = { voter, surface, at: now() };
    const added = said.correction ?? noRemarks;
    if (first !== undefined) await addToBlind(store, record, who, answerNow(first, said), added);
    return { kind: 'kept' };
  }
  const standing = await standingVote(store, verdictId, voter);
  // Not every platform says when a form was sent, and clocks differ; it must count as later than the click that opened it.
  const at = Math.max(voting.at, (standing?.at ?? 0) + 1);
  const offered = firstOffered(standing, await offeredAt(desk, record, voting));
  const { status } = await store.castVote({ verdictId, voter, surface, offered, at, ...said });
  voted(desk, record, status);
  return { kind: 'kept' };
}
