import { groupedBy } from '../common/collections.ts';
import { JuryError } from '../common/errors.ts';
import { type Distance, krippendorffAlpha } from '../statistics/agreement.ts';
import { dawidSkene } from '../statistics/dawid-skene.ts';
import { type Estimate, jackknifeEstimate } from '../statistics/jackknife.ts';
import { type Measure, quantileOfSorted } from '../statistics/measure.ts';
import { pairable, tallyHistogram } from '../statistics/tallies.ts';

/** What one person says about one question: a class such as `pass`, a score, or `UNSURE`. */
export type Said = string | number;

/** An answer that takes no side. A label never comes of it; agreement counts it as an answer like any other. */
export const UNSURE = 'unsure';

/** One person's answer about one item. */
export interface Answer {
  item: string;
  /** A pseudonym; null if it is not known who said it. */
  voter: string | null;
  said: Said;
}

/** What settles a label without a ruling. */
export type LabelBy = 'majority' | 'dawid-skene';

/** When answers settle a label. */
export interface LabelRule {
  /** Answers that a label takes at least; those that are unsure do not count. */
  minVotes: number;
  /** Probability at which the model of voters settles a label, above 0.5. */
  posterior: number;
}

/** With three votes, a single mistaken one can neither decide nor block. */
export const usualRule: LabelRule = { minVotes: 3, posterior: 0.8 };

export type NotSettled = { settled: false; why: 'too few votes' | 'votes are split' };

export const SPLIT: NotSettled = { settled: false, why: 'votes are split' };
export const TOO_FEW: NotSettled = { settled: false, why: 'too few votes' };

/** What more than half say; null if nothing is. */
export function moreThanHalf<T>(said: readonly T[]): T | null {
  const largest = [...groupedBy(said, (one) => one)].find(([, same]) => same.length * 2 > said.length);
  return largest?.[0] ?? null;
}

/** What is said most often; null if two are equally common. */
export function commonest(names: readonly string[]): string | null {
  const [first, second] = [...groupedBy(names, (name) => name)].sort(([, a], [, b]) => b.length - a.length);
  return first === undefined || first[1].length === second?.[1].length ? null : first[0];
}

/** No single score can pull it far. @param scores at least one */
export const medianOf = (scores: readonly number[]): number =>
  quantileOfSorted(
    [...scores].sort((a, b) => a - b),
    0.5,
  );

const isScore = (said: Said): said is number => typeof said === 'number';

type SettledAnswer = { settled: true; said: Said; by: LabelBy } | NotSettled;

/** The class of more than half, or the median if more than half give a score. */
function settledByCount(said: readonly Said[], { minVotes }: LabelRule): SettledAnswer {
  if (said.length < minVotes || said.length === 0) return TOO_FEW;
  const most = moreThanHalf(said.map((one) => (isScore(one) ? 'score' : `class ${one}`)));
  if (most === null) return SPLIT;
  const winner = most === 'score' ? medianOf(said.filter(isScore)) : most.slice('class '.length);
  return { settled: true, said: winner, by: 'majority' };
}

/** By the model of Dawid and Skene: how reliable each voter is, and what is right, estimated jointly. */
function settledByModel(answers: readonly Answer[], { minVotes, posterior }: LabelRule) {
  if (answers.some(({ voter }) => voter === null))
    throw new JuryError(
      'usage',
      'Dawid–Skene weighs annotators, and the data does not say who gave which answer: settle by majority.',
    );
  const votes = answers.flatMap(({ item, voter, said }) =>
    isScore(said) ? [] : [{ item, voter: voter ?? '', label: said }],
  );
  const classes = [...new Set(votes.map(({ label }) => label))].sort();
  const { items } = dawidSkene(votes, classes);
  return new Map(
    items.map(({ item, votes: n, posterior: shares, label }): [string, SettledAnswer] => {
      if (n < minVotes) return [item, TOO_FEW];
      const isSure = label !== null && Math.max(...shares) >= posterior;
      return [item, isSure ? { settled: true, said: label, by: 'dawid-skene' } : SPLIT];
    }),
  );
}

/**
 * What is right about each item, from what several people say. Scores are settled by their median, whatever is asked for.
 *
 * @throws JuryError `usage` if the model of voters is asked for and the voters are not known
 */
export function settleAnswers(
  answers: readonly Answer[],
  by: LabelBy,
  rule: LabelRule,
): Map<string, SettledAnswer> {
  const sided = answers.filter(({ said }) => said !== UNSURE);
  if (by === 'dawid-skene' && !sided.some(({ said }) => isScore(said))) return settledByModel(sided, rule);
  const byItem = groupedBy(sided, ({ item }) => item);
  return new Map(
    [...byItem].map(([item, same]) => [
      item,
      settledByCount(
        same.map(({ said }) => said),
        rule,
      ),
    ]),
  );
}

/** Krippendorff's alpha with its interval, by case. */
export type Alpha = Measure & { scale: Distance['scale']; interval: Estimate['interval'] };

/**
 * How far people agree: classes, `UNSURE` among them, are nominal; of scores, the answers that are none are missing.
 *
 * @param units what was said about each item
 * @param scale of scores; the levels of an ordinal scale are those that were chosen
 */
export function alphaOf(
  units: readonly (readonly Said[])[],
  scale: 'ordinal' | 'interval' = 'interval',
): Alpha {
  const scores = units.map((unit) => unit.filter(isScore));
  const isScored = scores.some((unit) => unit.length > 0);
  const levels = [...new Set(scores.flat())].sort((a, b) => a - b);
  const distance: Distance = !isScored
    ? { scale: 'nominal' }
    : scale === 'ordinal'
      ? { scale }
      : { scale, levels };
  const bins = isScored
    ? tallyHistogram(scores, levels)
    : tallyHistogram(units, [...new Set(units.flat())].sort());
  const { measure, interval } = jackknifeEstimate(
    pairable(bins),
    (some) => krippendorffAlpha(some, distance),
    'correlation',
  );
  return { ...measure, scale: distance.scale, interval };
}
