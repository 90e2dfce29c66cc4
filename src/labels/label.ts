import type { EvalCase } from '../case/case.ts';
import { counted } from '../common/text.ts';
import { betterOf, type Verdict } from '../judging/verdict.ts';
import { betterText } from '../judging/why.ts';
import type { Adjudication } from './adjudication.ts';
import { commonest, type LabelBy, type LabelRule, medianOf, moreThanHalf } from './answers.ts';
import type { VerdictRecord } from './verdict-record.ts';
import { type Right, rightOf, rightText, tallyOf, type Vote } from './vote.ts';

type Basis = 'adjudication' | LabelBy;

type NotSettled = { settled: false; why: 'too few votes' | 'votes are split' };

export type Settled = { settled: true; right: Right; basis: Basis } | NotSettled;

const SPLIT: NotSettled = { settled: false, why: 'votes are split' };
const TOO_FEW: NotSettled = { settled: false, why: 'too few votes' };

/** More than half of the votes for pass or fail, or for one of two answers; otherwise the median of the scores. */
export function majorityOf(
  said: readonly Right[],
  { minVotes }: Pick<LabelRule, 'minVotes'>,
  { preference }: Pick<Verdict, 'preference'> = {},
): Settled {
  if (said.length < minVotes || said.length === 0) return TOO_FEW;
  const scores = said.flatMap((right) => (right.kind === 'score' ? [right.score] : []));
  if (preference === undefined && scores.length > 0)
    return { settled: true, right: { kind: 'score', score: medianOf(scores) }, basis: 'majority' };
  const most = moreThanHalf(said.map(rightText));
  const right = said.find((one) => rightText(one) === most);
  return right === undefined ? SPLIT : { settled: true, right, basis: 'majority' };
}

function byModel(passProbability: number, votes: number, { minVotes, posterior }: LabelRule): Settled {
  if (votes < minVotes) return TOO_FEW;
  const decision = passProbability >= 0.5 ? 'pass' : 'fail';
  return Math.max(passProbability, 1 - passProbability) >= posterior
    ? { settled: true, right: { kind: 'decision', decision }, basis: 'dawid-skene' }
    : SPLIT;
}

/** The errors that votes for fail name. Never the criteria that failed by the panel, which labels are to measure. */
const errorsNamed = ({ verdict }: VerdictRecord, votes: readonly Vote[]): string[] =>
  votes.flatMap((vote) => {
    const right = rightOf(vote, verdict);
    const isFail = right?.kind === 'decision' && right.decision === 'fail';
    return isFail ? (vote.correction?.errorType ?? []) : [];
  });

/** The label of a verdict. What the judges decided, what each vote implies and what is right are kept apart. */
export type VerdictLabel = ReturnType<typeof labelOf>;

/** @param passProbability from `modelVoters`; if null, the label follows the majority */
export function labelOf(
  { record, votes, adjudication }: Voted,
  passProbability: number | null,
  rule: LabelRule,
  by: LabelBy = 'dawid-skene',
) {
  const said = votes.flatMap((vote) => {
    const right = rightOf(vote, record.verdict);
    return right === null ? [] : [{ voter: vote.voter, right }];
  });
  const majority = majorityOf(
    said.map(({ right }) => right),
    rule,
    record.verdict,
  );
  const modelled = passProbability === null ? null : byModel(passProbability, said.length, rule);
  const byVotes = by === 'dawid-skene' ? (modelled ?? majority) : majority;
  const label: Settled =
    adjudication === null ? byVotes : { settled: true, right: adjudication.right, basis: 'adjudication' };
  const fails = label.settled && label.right.kind === 'decision' && label.right.decision === 'fail';
  return {
    verdictId: record.id,
    judged: { decision: record.verdict.decision, score: record.verdict.score },
    /** Of a verdict on two answers. */
    preference: record.verdict.preference,
    tally: tallyOf(votes),
    /** What each vote implies is right; votes that imply nothing are left out. */
    said,
    majority,
    /** The voter model's probability of pass; null if there is none. */
    passProbability,
    /** The label by that model; null without a probability. */
    modelled,
    adjudication,
    /** The label that counts: the ruling's, otherwise the one that `labelOf` was asked to go by. */
    label,
    /** The criterion or error type that votes for fail name most often. */
    errorType: fails ? (adjudication?.errorType ?? commonest(errorsNamed(record, votes))) : null,
  };
}

/** A verdict with its votes and the ruling on it. */
export interface Voted {
  record: VerdictRecord;
  votes: readonly Vote[];
  adjudication: Adjudication | null;
}

/** `pass`, `fail`, `3`, `New is better`. */
export const rightWords = (right: Right, preference: Verdict['preference']): string =>
  preference !== undefined && right.kind === 'score'
    ? betterText({ better: betterOf(right.score), names: preference.names })
    : rightText(right);

/** `pass`, `fail`, `3`, or why there is no label. */
export const settledText = (settled: Settled, preference?: Verdict['preference']): string =>
  settled.settled ? rightWords(settled.right, preference) : `open: ${settled.why}`;

/** What one vote adds to its thumb; without names. */
export function voteText({ record }: Voted, vote: Vote): string {
  const right = rightOf(vote, record.verdict);
  const { criteria = [], errorType, judges = [], comment } = vote.correction ?? {};
  const parts = [
    ...(right === null ? [] : [`right: ${rightWords(right, record.verdict.preference)}`]),
    ...(errorType === undefined ? [] : [`error: ${errorType}`]),
    ...(criteria.length === 0 ? [] : [`wrong about ${criteria.join(', ')}`]),
    ...(judges.length === 0 ? [] : [`wrong judges: ${judges.join(', ')}`]),
  ];
  const said = `${vote.value}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
  return comment === undefined ? said : `${said}: ${comment}`;
}

/** The label and its basis: `fail, ruled by safety lead`; `pass by majority of 4 votes`; `open, too few votes (2)`. */
export function labelText({ label, adjudication, said, errorType, preference }: VerdictLabel): string {
  if (!label.settled) return said.length === 0 ? 'open, no votes yet' : `open, ${label.why} (${said.length})`;
  const votes = counted(said.length, 'vote');
  const what = `${rightWords(label.right, preference)}${errorType === null ? '' : ` (${errorType})`}`;
  switch (label.basis) {
    case 'adjudication':
      return `${what}, ruled by ${adjudication?.role ?? 'an unknown role'}`;
    case 'majority':
      return `${what} by majority of ${votes}`;
    case 'dawid-skene':
      return `${what} by the voter model from ${votes}`;
  }
}

/** The category of cases without an error. */
export const NO_ERROR = 'no error';

/** The category of incorrect cases whose label names no error. */
const ANY_ERROR = 'error of no stated type';

/** The error that a label names; null if the label has no decision. */
export function categoryOfLabel(label: EvalCase['label'] | null): string | null {
  if (label?.decision === undefined) return null;
  return label.decision === 'pass' ? NO_ERROR : (label.errorType ?? ANY_ERROR);
}
