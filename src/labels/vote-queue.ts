import { isScored, type Judgement } from '../judging/judgement.ts';
import { type Range, rangeOfVerdict } from '../judging/verdict.ts';
import { type LabelRule, majorityOf } from './label.ts';
import type { Right } from './right.ts';
import type { VerdictRecord } from './verdict-record.ts';
import { rightOf, type Vote } from './vote.ts';

/** A verdict with the votes that stand on it. */
export interface VotedVerdict {
  record: VerdictRecord;
  votes: readonly Vote[];
}

/** An answer between 0 (fail, the lowest score) and 1 (pass, the highest), and how much it counts. */
interface Answer {
  at: number;
  weight: number;
}

/** Says nothing: as much on one side as on the other. */
const open = (weight: number): Answer[] =>
  weight === 0
    ? []
    : [
        { at: 0, weight: weight / 2 },
        { at: 1, weight: weight / 2 },
      ];

const within = (score: number, { min, max }: Range): number =>
  max === min ? 0.5 : Math.min(1, Math.max(0, (score - min) / (max - min)));

/** The judges whose answers decided; those that found the rubric not relevant said nothing of the case. */
export const decidingJudges = ({ verdict }: Pick<VerdictRecord, 'verdict'>): Judgement[] =>
  verdict.judgements.filter(
    (judgement) =>
      judgement.round === verdict.decidedInRound &&
      (isScored(judgement) || judgement.reason !== 'not-relevant'),
  );

/** What a judge says, as far as it is sure of it; the rest, and a judge without an answer, says nothing. */
function answersOf(judgement: Judgement, range: Range | null, weight: number): Answer[] {
  if (!isScored(judgement)) return open(weight);
  const { decision, score, confidence } = judgement;
  const sure = weight * (confidence ?? 1);
  const at =
    decision === 'scored' ? within(score ?? 0, range ?? { min: 0, max: 1 }) : decision === 'pass' ? 1 : 0;
  return [{ at, weight: sure }, ...open(weight - sure)];
}

/** What people say is right about a verdict; who is not sure says nothing. */
export const saidOf = ({ record, votes }: VotedVerdict): Right[] =>
  votes.flatMap((vote) => rightOf(vote, record.verdict) ?? []);

/**
 * How much one more vote can be expected to tell about what is right: by how much it makes the variance of the label smaller.
 *
 * What is known is one open answer to begin with, the panel as one vote that its judges share, and each vote. Of N answers in all
 * with mean q and variance s² (for pass and fail q(1 − q)), the mean is known with variance s²/(N + 1), and with one more with
 * N/(N + 1) of that in expectation; the difference is s²/(N + 1)². For pass and fail these are a beta distribution's (Gelman et al.,
 * Bayesian Data Analysis, 2.4). So it is most where judges disagree, are not sure or gave no answer, where votes are split, and where
 * there are few; at most 1/36 or 1/16, without a vote and with or without a panel.
 */
export function informationOf(one: VotedVerdict): number {
  const range = rangeOfVerdict(one.record.verdict);
  const judges = decidingJudges(one.record);
  const answers = [
    ...open(1),
    ...judges.flatMap((judge) => answersOf(judge, range, 1 / judges.length)),
    ...saidOf(one).map((right): Answer => {
      if (right.kind === 'decision') return { at: right.decision === 'pass' ? 1 : 0, weight: 1 };
      return { at: within(right.score, range ?? { min: 0, max: 1 }), weight: 1 };
    }),
  ];
  const total = answers.reduce((sum, { weight }) => sum + weight, 0);
  const mean = answers.reduce((sum, { at, weight }) => sum + at * weight, 0) / total;
  const variance = answers.reduce((sum, { at, weight }) => sum + weight * (at - mean) ** 2, 0) / total;
  return variance / (total + 1) ** 2;
}

/** Whether another vote could change the label: there are too few, they are split, or one more could split them. */
export function needsVote(one: VotedVerdict, rule: Pick<LabelRule, 'least'>): boolean {
  const said = saidOf(one);
  if (!majorityOf(said, rule).settled) return true;
  const decisions = said.flatMap((right) => (right.kind === 'decision' ? [right.decision] : []));
  const passes = decisions.filter((decision) => decision === 'pass').length;
  return decisions.length > 0 && Math.abs(2 * passes - decisions.length) <= 1;
}

/**
 * The verdicts that need a vote, the ones that it tells most about first; of equal ones those that have waited longest, so that
 * none waits for ever.
 */
export function voteQueue<One extends VotedVerdict>(
  verdicts: readonly One[],
  rule: Pick<LabelRule, 'least'>,
): One[] {
  return verdicts
    .filter((one) => needsVote(one, rule))
    .map((one) => ({ one, information: informationOf(one) }))
    .sort(
      (a, b) =>
        b.information - a.information ||
        a.one.record.at - b.one.record.at ||
        (a.one.record.id < b.one.record.id ? -1 : 1),
    )
    .map(({ one }) => one);
}
