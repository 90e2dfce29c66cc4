import { type EvalCase, Label } from '../case/index.ts';
import { groupedBy, JuryError } from '../common/index.ts';
import { type Estimate, jackknifeEstimate, type Measure, quantileOfSorted } from '../statistics/index.ts';
import {
  type Distance,
  dawidSkene,
  krippendorffAlpha,
  pairable,
  tallyHistogram,
} from '../statistics/raters/index.ts';
import type { CountRow, VoteTally } from './record/index.ts';

/** One person's answer to one question: a class such as `pass`, a score, or `UNSURE`. */
export type Said = string | number;

/** An answer that takes no side. It never becomes a label, but agreement counts it like any other answer. */
export const UNSURE = 'unsure';

/** One person's answer about one item. */
export interface Answer {
  item: string;
  /** A pseudonym; null if unknown. */
  voter: string | null;
  said: Said;
}

/** What settles a label that has no ruling. */
export type LabelBy = 'majority' | 'dawid-skene';

/** When answers settle a label. */
export interface LabelRule {
  /** Minimum number of answers for a label; unsure ones do not count. */
  minVotes: number;
  /** Probability at which the voter model settles a label, above 0.5. */
  posterior: number;
}

/**
 * With three votes, a single mistaken one can neither decide nor block. At a probability of 0.8, the voter model is four times as sure
 * of the label as of its opposite.
 */
export const usualRule: LabelRule = { minVotes: 3, posterior: 0.8 };

/** The answer that more than half give; null if there is none. */
export function moreThanHalf<T>(answers: readonly T[]): T | null {
  const largest = [...groupedBy(answers, (one) => one)].find(([, same]) => same.length * 2 > answers.length);
  return largest?.[0] ?? null;
}

/**
 * What the votes on a verdict, a judge's answer or a finding settle. `split`: enough votes, of which neither side has more than half;
 * `open`: too few. Unsure votes take no side.
 */
export type SettledSide = 'agree' | 'disagree' | 'split' | 'open';

/** Whether votes settle that people agree or disagree, by the rule that also settles labels. */
export function settledSide(
  { agree, disagree }: VoteTally,
  { minVotes }: Pick<LabelRule, 'minVotes'> = usualRule,
): SettledSide {
  if (agree + disagree < Math.max(1, minVotes)) return 'open';
  if (agree === disagree) return 'split';
  return agree > disagree ? 'agree' : 'disagree';
}

/** How many subjects are settled, and how. */
export function settledSides(
  rows: readonly CountRow[],
  rule: Pick<LabelRule, 'minVotes'> = usualRule,
): Record<SettledSide, number> {
  const sides = { agree: 0, disagree: 0, split: 0, open: 0 };
  for (const { tally, items } of rows) sides[settledSide(tally, rule)] += items;
  return sides;
}

/** The most common name; null if two are equally common. */
export function commonest(names: readonly string[]): string | null {
  const [first, second] = [...groupedBy(names, (name) => name)].sort(([, a], [, b]) => b.length - a.length);
  return first === undefined || first[1].length === second?.[1].length ? null : first[0];
}

/**
 * The median, because no single score can pull it far.
 *
 * @param scores at least one
 */
export const medianOf = (scores: readonly number[]): number =>
  quantileOfSorted(
    [...scores].sort((a, b) => a - b),
    0.5,
  );

const isScore = (answer: Said): answer is number => typeof answer === 'number';

/** The class that more than half give, or the median if more than half give a score; otherwise null. */
function settledByCount(answers: readonly Said[], { minVotes }: LabelRule): Said | null {
  if (answers.length < minVotes) return null;
  const most = moreThanHalf(answers.map((one) => (isScore(one) ? 'score' : `class ${one}`)));
  if (most === null) return null;
  return most === 'score' ? medianOf(answers.filter(isScore)) : most.slice('class '.length);
}

/**
 * Settles labels with the model of Dawid and Skene, which jointly estimates what is right and how reliable each voter
 * is.
 */
function settledByModel(answers: readonly Answer[], { minVotes, posterior }: LabelRule): Map<string, Said> {
  const votes = answers.map(({ item, voter, said }) => {
    if (voter !== null) return { item, voter, label: String(said) };
    throw new JuryError(
      'usage',
      'Dawid–Skene weighs annotators, and the data does not say who gave which answer: settle by majority.',
    );
  });
  const { items } = dawidSkene(votes, [...new Set(votes.map(({ label }) => label))].sort());
  return new Map(
    items.flatMap(({ item, votes: n, posterior: shares, label }) =>
      label !== null && n >= minVotes && Math.max(...shares) >= posterior ? [[item, label]] : [],
    ),
  );
}

/**
 * What is right about each item, from what several people say; unsettled items are missing. Scores are always settled
 * by their median.
 *
 * @throws JuryError `usage` if the voter model is requested and the voters are unknown
 */
function settleAnswers(answers: readonly Answer[], by: LabelBy, rule: LabelRule): Map<string, Said> {
  const sided = answers.filter(({ said }) => said !== UNSURE);
  if (by === 'dawid-skene' && !sided.some(({ said }) => isScore(said))) return settledByModel(sided, rule);
  return new Map(
    [...groupedBy(sided, ({ item }) => item)].flatMap(([item, same]) => {
      const settled = settledByCount(
        same.map(({ said }) => said),
        rule,
      );
      return settled === null ? [] : [[item, settled]];
    }),
  );
}

/** An answer about a part of a label: `decision`, `score`, or `criteria.` and a criterion's id. */
export type PartAnswer = Answer & { part: string };

/** What a criterion's label can be. Which of two answers meets it better cannot be one. */
const CriterionLabel = Label.shape.criteria.unwrap().valueType;

type Parts = ReadonlyMap<string, ReadonlyMap<string, Said>>;

/**
 * The labels of items, from what is settled about each of their parts.
 *
 * @param parts what is settled, by part and item
 * @param errors the errors people name; a failed item gets the most common one
 */
export function labelsFrom(
  parts: Parts,
  errors: readonly Answer[],
): Map<string, NonNullable<EvalCase['label']>> {
  const named = groupedBy(errors, ({ item }) => item);
  const items = [...new Set([...parts.values()].flatMap((settled) => [...settled.keys()]))];
  return new Map(
    items.flatMap((item) => {
      const decision = Label.shape.decision.safeParse(parts.get('decision')?.get(item)).data;
      const score = Label.shape.score.safeParse(parts.get('score')?.get(item)).data;
      const error = commonest((named.get(item) ?? []).map(({ said }) => String(said)));
      const criteria = [...parts].flatMap(([part, settled]) => {
        const [, id] = /^criteria\.(.+)$/.exec(part) ?? [];
        const { data } = CriterionLabel.safeParse(settled.get(item));
        return id === undefined || data === undefined ? [] : [[id, data] as const];
      });
      const label = {
        ...(decision === undefined ? {} : { decision }),
        ...(score === undefined ? {} : { score }),
        ...(decision === 'fail' && error !== null ? { errorType: error } : {}),
        ...(criteria.length === 0 ? {} : { criteria: Object.fromEntries(criteria) }),
      };
      return Object.keys(label).length === 0 ? [] : [[item, label]];
    }),
  );
}

/**
 * What is settled, by part and item.
 *
 * @throws JuryError `usage` if the voter model is requested and the voters are unknown
 */
export const settleParts = (answers: Iterable<PartAnswer>, by: LabelBy, rule: LabelRule): Parts =>
  new Map(
    [...groupedBy(answers, ({ part }) => part)].map(([part, same]) => [part, settleAnswers(same, by, rule)]),
  );

/** A scale of up to so many whole numbers has an order, but no distances; a longer one, or one with fractions, has distances. */
const MAX_LEVELS = 11;

/**
 * The kind of a scale of scores, for alpha.
 * @param range the scale's bounds; null: not known, so that it follows from the scores that were given
 */
function kindOfScale(
  range: { min: number; max: number } | null,
  scores: readonly number[],
): 'ordinal' | 'interval' {
  if (range === null)
    return new Set(scores).size <= MAX_LEVELS && scores.every(Number.isInteger) ? 'ordinal' : 'interval';
  const { min, max } = range;
  return Number.isInteger(min) && Number.isInteger(max) && max - min < MAX_LEVELS ? 'ordinal' : 'interval';
}

/** Krippendorff's alpha with its interval by case. */
export type Alpha = Measure & { scale: Distance['scale']; interval: Estimate['interval'] };

/**
 * How far people agree. Classes, including `UNSURE`, are nominal; among scores, any other answer counts as missing.
 *
 * @param units what was said about each item
 * @param range the bounds of the scale of scores; null: not known, or there are no scores
 */
export function alphaOf(
  units: readonly (readonly Said[])[],
  range: { min: number; max: number } | null = null,
): Alpha {
  const scores = units.map((unit) => unit.filter(isScore));
  const scale = kindOfScale(range, scores.flat());
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
