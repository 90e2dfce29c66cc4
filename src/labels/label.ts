import type { EvalCase } from '../case/case.ts';
import { counted } from '../common/text.ts';
import type { Verdict } from '../judging/verdict.ts';
import { quantileOfSorted } from '../statistics/descriptive.ts';
import type { Adjudication } from './adjudication.ts';
import type { VerdictRecord } from './verdict-record.ts';
import { type Right, rightOf, rightText, tallyOf, type Vote, type VoteTally } from './vote.ts';

/** When votes settle what is right. */
export interface LabelRule {
  /** Votes that say what is right, at least. */
  least: number;
  /** From which probability on the model of voters settles a label, above 0.5. */
  posterior: number;
}

/** Three is the least number in which one mistaken vote does not decide or block. */
export const usualRule: LabelRule = { least: 3, posterior: 0.8 };

/** What settles a label that nobody has ruled on. */
export type LabelBy = 'majority' | 'dawid-skene';

/** What settled a label. */
type Basis = 'adjudication' | LabelBy;

/** What votes come to. */
export type Settled =
  | { settled: true; right: Right; basis: Basis }
  | { settled: false; why: 'too few votes' | 'votes are split' };

/**
 * All that is known of what is right about one verdict. What the judges decided, what each person's vote says, and what is
 * right are three things and stand apart.
 */
export interface VerdictLabel {
  verdictId: string;
  judged: { decision: Verdict['decision']; score: number | null };
  /** What people think of the judges. */
  tally: VoteTally;
  /** What they say is right, by voter; those who say nothing of it are left out. */
  said: { voter: string; right: Right }[];
  /** By counting alone. */
  majority: Settled;
  /** Probability that the case is to pass, as the model of voters has it; null where it was not asked or knows nothing. */
  passProbability: number | null;
  /** By that model; null where there is no probability. */
  modelled: Settled | null;
  adjudication: Adjudication | null;
  /** What stands: the adjudication, else what `labelOf` was told to go by. */
  label: Settled;
  /** Criterion or error type that most of those name who say that it fails. */
  errorType: string | null;
}

/** The one that occurs most, nothing where two do. */
function commonest(names: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const leaders = [...counts].filter(([, count]) => count === most);
  return leaders.length === 1 ? (leaders[0]?.[0] ?? null) : null;
}

/** @param scores at least one */
export const medianOf = (scores: readonly number[]): number =>
  quantileOfSorted(
    [...scores].sort((a, b) => a - b),
    0.5,
  );

/** Majority of pass and fail, more than half; of scores the median, which no single vote can pull far. */
export function majorityOf(said: readonly Right[], { least }: Pick<LabelRule, 'least'>): Settled {
  if (said.length < least || said.length === 0) return { settled: false, why: 'too few votes' };
  const scores = said.flatMap((right) => (right.kind === 'score' ? [right.score] : []));
  if (scores.length > 0)
    return { settled: true, right: { kind: 'score', score: medianOf(scores) }, basis: 'majority' };
  const passes = said.filter((right) => right.kind === 'decision' && right.decision === 'pass').length;
  if (passes * 2 === said.length) return { settled: false, why: 'votes are split' };
  const decision = passes * 2 > said.length ? 'pass' : 'fail';
  return { settled: true, right: { kind: 'decision', decision }, basis: 'majority' };
}

function byModel(passProbability: number, votes: number, { least, posterior }: LabelRule): Settled {
  if (votes < least) return { settled: false, why: 'too few votes' };
  const decision = passProbability >= 0.5 ? 'pass' : 'fail';
  return Math.max(passProbability, 1 - passProbability) >= posterior
    ? { settled: true, right: { kind: 'decision', decision }, basis: 'dawid-skene' }
    : { settled: false, why: 'votes are split' };
}

/** What each vote names as the error: its own correction, or, where it agrees, the one criterion that the judges found failed. */
function errorsNamed(record: VerdictRecord, votes: readonly Vote[]): string[] {
  const failed = record.verdict.criteria.filter(({ decision }) => decision === 'fail').map(({ id }) => id);
  return votes.flatMap((vote) => {
    const right = rightOf(vote, record.verdict);
    if (right?.kind !== 'decision' || right.decision !== 'fail') return [];
    if (vote.correction?.errorType !== undefined) return [vote.correction.errorType];
    return vote.value === 'agree' && failed.length === 1 ? failed : [];
  });
}

/**
 * The label of a verdict.
 *
 * @param passProbability from `modelVoters`; null where it was not asked or knows nothing: labels then follow the majority
 */
export function labelOf(
  { record, votes, adjudication }: Voted,
  passProbability: number | null,
  rule: LabelRule,
  by: LabelBy = 'dawid-skene',
): VerdictLabel {
  const said = votes.flatMap((vote) => {
    const right = rightOf(vote, record.verdict);
    return right === null ? [] : [{ voter: vote.voter, right }];
  });
  const majority = majorityOf(
    said.map(({ right }) => right),
    rule,
  );
  const modelled = passProbability === null ? null : byModel(passProbability, said.length, rule);
  const byVotes = by === 'dawid-skene' ? (modelled ?? majority) : majority;
  const label: Settled =
    adjudication === null ? byVotes : { settled: true, right: adjudication.right, basis: 'adjudication' };
  const fails = label.settled && label.right.kind === 'decision' && label.right.decision === 'fail';
  return {
    verdictId: record.id,
    judged: { decision: record.verdict.decision, score: record.verdict.score },
    tally: tallyOf(votes),
    said,
    majority,
    passProbability,
    modelled,
    adjudication,
    label,
    errorType: fails ? (adjudication?.errorType ?? commonest(errorsNamed(record, votes))) : null,
  };
}

/** A verdict with all that people said of it. */
export interface Voted {
  record: VerdictRecord;
  votes: readonly Vote[];
  adjudication: Adjudication | null;
}

/** `pass`, `fail`, `3`, or why there is no label. */
export const settledText = (settled: Settled): string =>
  settled.settled ? rightText(settled.right) : `open: ${settled.why}`;

/** What stands, and by what: `fail, ruled by safety lead`; `pass by majority of 4 votes`; `open: too few votes (2)`. */
export function labelText({ label, adjudication, said, errorType }: VerdictLabel): string {
  const votes = counted(said.length, 'vote');
  if (!label.settled) return `open: ${label.why} (${votes})`;
  const what = `${rightText(label.right)}${errorType === null ? '' : ` (${errorType})`}`;
  switch (label.basis) {
    case 'adjudication':
      return `${what}, ruled by ${adjudication?.role ?? 'somebody'}`;
    case 'majority':
      return `${what} by majority of ${votes}`;
    case 'dawid-skene':
      return `${what} by the model of voters from ${votes}`;
  }
}

/** The category of cases that hold no error. */
export const NO_ERROR = 'no error';

/** The category of incorrect cases whose label does not say what is wrong. */
const ANY_ERROR = 'error of no stated type';

/** What a case's label says is wrong, in one word or so; null where it does not say whether anything is. */
export function categoryOfLabel(label: EvalCase['label'] | null): string | null {
  if (label?.decision === undefined) return null;
  return label.decision === 'pass' ? NO_ERROR : (label.errorType ?? ANY_ERROR);
}
