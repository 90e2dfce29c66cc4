import * as z from 'zod';
import { rangeOfVerdict, type Verdict } from '../../judging/verdict/index.ts';
import type { VisibleVerdict } from '../../labels/access/index.ts';
import { answerWith, CaseAnswer, Remarks, type Vote, VoteValue, valueIn } from '../../labels/record/index.ts';
import { firstOffered, standingVote } from '../../labels/voting/index.ts';
import { wordsIn } from '../../words/index.ts';
import { castAnswer, castThumb, isUndecided, offeredAt, type Voting, voted } from '../desks/index.ts';
import { ApiError } from './api-contract.ts';
import type { PageContext } from './context.ts';

/** The body of a vote. */
export const VoteBody = z.strictObject({
  value: VoteValue.nullable().optional().describe('Whether the verdict is right; null takes the vote back.'),
  right: z
    .union(
      [z.enum(['pass', 'fail']), z.number()],
      'must be "pass", "fail" or a number by the rubric\'s scale',
    )
    .optional()
    .describe(
      "Of a verdict that is undecided or still hidden, what is right: pass or fail, or a score on the rubric's scale. Alone.",
    ),
  answer: CaseAnswer.optional().describe('Your own answer to a verdict that is hidden until you give one.'),
  criterion: z.string().optional().describe('Id of the criterion that the comment is about.'),
  comment: Remarks.shape.comment,
});

const UNDECIDED = 'The panel did not decide this case, so there is nothing to agree or disagree with.';
const NOT_OPEN = 'The panel decided this case: send {"value":"agree"} or {"value":"disagree"}.';

/** Says what to send for a case that the panel did not decide. */
function sendRight(verdict: Verdict): string {
  const range = rangeOfVerdict(verdict);
  if (range === null)
    return 'Say what is right: send {"right":"pass"} or {"right":"fail"}, or {"value":"unsure"}.';
  const meaning =
    verdict.preference === undefined
      ? ''
      : ` (-1: ${verdict.preference.names[0]} is better, 1: ${verdict.preference.names[1]}, 0: neither)`;
  return `Say what is right: send {"right":N}, a number from ${range.min} to ${range.max}${meaning}, or {"value":"unsure"}.`;
}

/**
 * Reads the answer of a vote. Checks it against the rubric only, so that a refusal reveals nothing about a hidden verdict.
 * @throws ApiError if the rubric takes another kind of answer, or the score is off its scale
 */
function rightIn(right: 'pass' | 'fail' | number, verdict: Verdict): CaseAnswer {
  const range = rangeOfVerdict(verdict);
  if (typeof right === 'string' && range === null) return { kind: 'decision', decision: right };
  if (typeof right === 'number' && range !== null && right >= range.min && right <= range.max)
    return { kind: 'score', score: right };
  throw new ApiError('refused', sendRight(verdict));
}

/** The answer about the case itself, if the body has one. @throws ApiError if `right` is not alone or does not fit the rubric */
function answerOf({ right, ...others }: z.infer<typeof VoteBody>, verdict: Verdict): CaseAnswer | undefined {
  if (right === undefined) return others.answer;
  if (Object.values(others).some((other) => other !== undefined))
    throw new ApiError('refused', 'Send "right" alone: it is the whole vote.');
  return rightIn(right, verdict);
}

/** The remarks that come with a vote; null if there are none. @throws ApiError for a criterion that the verdict does not have */
function remarksOf({ criterion, comment }: z.infer<typeof VoteBody>, verdict: Verdict): Remarks | null {
  if (criterion !== undefined && !verdict.criteria.some((one) => one.id === criterion))
    throw new ApiError('refused', `This verdict has no criterion "${criterion}".`);
  if (criterion === undefined && comment === undefined) return null;
  const criteria = criterion === undefined ? [] : [criterion];
  return { criteria, judges: [], ...(comment === undefined ? {} : { comment }) };
}

/** A vote as the API returns it: `agree`, `disagree` or `unsure`, or the outcome that it says is right; null without a vote. */
export function votedAs(vote: Vote | null): string | number | null {
  if (vote === null || 'value' in vote) return valueIn(vote);
  const { right } = vote;
  if (right.kind === 'unsure') return 'unsure';
  return right.kind === 'decision' ? right.decision : right.score;
}

/** Casts the vote in a request body. @throws ApiError that says why it does not count */
export async function castBody(
  context: PageContext,
  voting: Voting,
  { kind, record }: VisibleVerdict,
  body: z.infer<typeof VoteBody>,
): Promise<void> {
  const { id, verdict } = record;
  const answer = answerOf(body, verdict);
  if (answer !== undefined) {
    const why = await castAnswer(context, voting, id, answer);
    if (why !== null) throw new ApiError('refused', why === wordsIn('en').votes.open ? NOT_OPEN : why);
    return;
  }
  const { value } = body;
  if (value === undefined)
    throw new ApiError(
      'bad-request',
      'Give "value", or "right" for an undecided verdict, or "answer" for a hidden one.',
    );
  if (kind === 'open' && isUndecided(record) && (value === 'agree' || value === 'disagree'))
    throw new ApiError('refused', `${UNDECIDED} ${sendRight(verdict)}`);
  const correction = remarksOf(body, verdict);
  if (value === null && correction !== null)
    throw new ApiError('bad-request', 'Send "value": null alone: a vote that is taken back says nothing.');
  if (kind === 'open' && value !== null && correction !== null) {
    const { voter, surface, at } = voting;
    const ballot = isUndecided(record) ? answerWith({ kind: 'unsure' }, correction) : { value, correction };
    const standing = await standingVote(context.store, id, voter);
    const offered = firstOffered(standing, await offeredAt(context, record, voting));
    const { status } = await context.store.castVote({
      verdictId: id,
      voter,
      surface,
      offered,
      at,
      ...ballot,
    });
    return voted(context, record, status);
  }
  if ((await castThumb(context, voting, id, value)).kind === 'hidden')
    throw new ApiError(
      'vote-first',
      'This verdict is shown after your own answer: send {"answer":{"kind":"decision","decision":"pass"}}.',
    );
}
