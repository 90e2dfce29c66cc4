import { percent } from '../../common/text/index.ts';
import { isScored, type Judgement, type Range, rangeOfVerdict } from '../../judging/verdict/index.ts';
import { createRandom } from '../../statistics/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { type LabelRule, majorityOf } from '../index.ts';
import { type Right, rightOf, type VerdictRecord } from '../record/index.ts';
import type { Voted } from '../voting/index.ts';

export type VotedVerdict = Pick<Voted, 'record' | 'votes'>;

/** An answer on a scale from 0 (fail, the lowest score) to 1 (pass, the highest), with its weight. */
interface Answer {
  at: number;
  weight: number;
}

/** An uninformative answer: half its weight at either end. */
const open = (weight: number): Answer[] =>
  weight === 0
    ? []
    : [
        { at: 0, weight: weight / 2 },
        { at: 1, weight: weight / 2 },
      ];

const within = (score: number, { min, max }: Range): number =>
  max === min ? 0.5 : Math.min(1, Math.max(0, (score - min) / (max - min)));

/** The judgements of the deciding round, except those that found the rubric not relevant. */
const decidingJudges = ({ verdict }: Pick<VerdictRecord, 'verdict'>): Judgement[] =>
  verdict.judgements.filter(
    (judgement) =>
      judgement.round === verdict.decidedInRound &&
      (isScored(judgement) || judgement.reason !== 'not-relevant'),
  );

/** A judge's answer weighted by its confidence; the rest of its weight is uninformative. */
function answersOf(judgement: Judgement, range: Range | null, weight: number): Answer[] {
  if (!isScored(judgement)) return open(weight);
  const { decision, score, confidence } = judgement;
  const sure = weight * (confidence ?? 1);
  const at =
    decision === 'scored' ? within(score ?? 0, range ?? { min: 0, max: 1 }) : decision === 'pass' ? 1 : 0;
  return [{ at, weight: sure }, ...open(weight - sure)];
}

/** What the votes imply is right; unsure votes imply nothing. */
const saidOf = ({ record, votes }: VotedVerdict): Right[] =>
  votes.flatMap((vote) => rightOf(vote, record.verdict) ?? []);

/**
 * The expected information in one more vote: how much it would reduce the variance of the label.
 *
 * The evidence is one uninformative answer as a prior, the panel as one vote shared by its judges, and each vote. With
 * N answers of mean q and variance s² (for pass and fail q(1 − q)), the variance of the mean is s²/(N + 1), and after
 * one more answer an expected N/(N + 1) of that; the difference is s²/(N + 1)². For pass and fail this is a beta
 * distribution (Gelman et al., Bayesian Data Analysis, 2.4). The value is highest when judges disagree, are unsure or
 * gave no answer, and when votes are split or few. Without a vote it is at most 1/36 with a panel and 1/16 without.
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

/**
 * Whether another vote could change the label: votes are too few or split, or one more could split them. A verdict
 * without a decision offers nothing to agree with; only people who cannot see it are asked what is right.
 */
export function needsVote(one: VotedVerdict, rule: Pick<LabelRule, 'minVotes'>): boolean {
  if (one.record.verdict.decision === 'undecided' && one.record.blind !== true) return false;
  const answers = saidOf(one);
  if (!majorityOf(answers, rule, one.record.verdict).settled) return true;
  const decisions = answers.flatMap((right) => (right.kind === 'decision' ? [right.decision] : []));
  const passes = decisions.filter((decision) => decision === 'pass').length;
  return decisions.length > 0 && Math.abs(2 * passes - decisions.length) <= 1;
}

/** The verdicts that need a vote, most informative first; ties go to the oldest, so that none waits forever. */
export function voteQueue<One extends VotedVerdict>(
  verdicts: readonly One[],
  rule: Pick<LabelRule, 'minVotes'>,
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

/** A lower mean confidence is given as a reason to vote: judges then say themselves that they may well be wrong. */
const SURE = 0.7;
/** Scores that lie a quarter of the scale apart, such as 2 and 3 of 0 to 4, are given as a reason to vote. */
const APART = 0.25;

/** `2–1`, larger number first; null unless both occur. */
function splitText(decisions: readonly string[]): string | null {
  const passes = decisions.filter((decision) => decision === 'pass').length;
  const fails = decisions.filter((decision) => decision === 'fail').length;
  return passes > 0 && fails > 0 ? `${Math.max(passes, fails)}–${Math.min(passes, fails)}` : null;
}

function ofJudges({ record }: VotedVerdict, language: Language): string[] {
  const { needs } = wordsIn(language).votes;
  const { number } = wordsIn(language).verdict;
  const judges = decidingJudges(record);
  const scored = judges.filter(isScored);
  const split = splitText(scored.map(({ decision }) => decision));
  const scores = scored.flatMap(({ score }) => score ?? []);
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const range = rangeOfVerdict(record.verdict);
  const isApart = range !== null && scores.length > 1 && highest - lowest >= APART * (range.max - range.min);
  const stated = scored.flatMap(({ confidence }) => confidence ?? []);
  const confidence = stated.reduce((sum, one) => sum + one, 0) / stated.length;
  const unscored = judges.length - scored.length;
  const reasons: string[] = [];
  if (split !== null) reasons.push(needs.judgesSplit(split));
  else if (record.verdict.decision === 'undecided') reasons.push(needs.undecided);
  if (isApart) reasons.push(needs.apart({ low: number(lowest), high: number(highest) }));
  if (stated.length > 0 && confidence < SURE) reasons.push(needs.sure(percent(confidence)));
  if (scored.length > 0 && unscored > 0) reasons.push(needs.silent({ count: unscored, of: judges.length }));
  return reasons;
}

function ofVotes(one: VotedVerdict, { minVotes }: Pick<LabelRule, 'minVotes'>, language: Language): string[] {
  const { needs } = wordsIn(language).votes;
  const answers = saidOf(one);
  const split = splitText(answers.flatMap((right) => (right.kind === 'decision' ? [right.decision] : [])));
  if (split !== null) return [needs.votesSplit(split)];
  if (answers.length >= minVotes) return [];
  return [needs.votes({ count: answers.length, needed: minVotes })];
}

/**
 * Why a verdict needs a vote, first from the judges and then from the votes: `judges split 2–1, 1 vote, 3 needed`. Empty
 * if it needs none.
 */
export const reasonsText = (
  one: VotedVerdict,
  rule: Pick<LabelRule, 'minVotes'>,
  language: Language,
): string => [...ofJudges(one, language), ...ofVotes(one, rule, language)].join(', ');

interface GoldMix {
  /** One in this many cases of a channel's queue is gold, in expectation; null: none. */
  every: (channel: string) => number | null;
  /** Whether the viewer must vote before seeing the outcome. */
  isHidden: (record: VerdictRecord) => boolean;
  /** Seed of the mix: viewer and day. */
  key: readonly string[];
}

/**
 * Mixes gold cases into a queue. With a chance of 1 in `every` − 1, each queued case is joined by a gold case of its
 * channel that is hidden or visible like itself, placed before or after it, while any are left.
 */
export function mixGold<One extends VotedVerdict>(
  queue: readonly One[],
  gold: readonly One[],
  { every, isHidden, key }: GoldMix,
): One[] {
  const left = [...gold].sort((a, b) => (a.record.id < b.record.id ? -1 : 1));
  return queue.flatMap((one) => {
    const { id, source } = one.record;
    const rate = every(source.channel);
    if (rate === null) return [one];
    const random = createRandom('gold', ...key, id);
    if (random.below(rate - 1) > 0) return [one];
    const alike = left.filter(
      ({ record }) => record.source.channel === source.channel && isHidden(record) === isHidden(one.record),
    );
    if (alike.length === 0) return [one];
    // Each case has its own rank, so that removing one changes no other choice.
    const ranks = new Map(
      alike.map((one) => [one, createRandom('gold', ...key, id, one.record.id).uint32()]),
    );
    const chosen = alike.reduce((best, next) =>
      (ranks.get(next) ?? 0) < (ranks.get(best) ?? 0) ? next : best,
    );
    left.splice(left.indexOf(chosen), 1);
    return random.below(2) === 0 ? [chosen, one] : [one, chosen];
  });
}
