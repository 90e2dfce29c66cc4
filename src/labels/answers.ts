import { type EvalCase, Label } from '../case/case.ts';
import { groupedBy } from '../common/collections.ts';
import { JuryError } from '../common/errors.ts';
import { type Distance, krippendorffAlpha, pairable, tallyHistogram } from '../statistics/agreement.ts';
import { dawidSkene } from '../statistics/dawid-skene.ts';
import { type Estimate, jackknifeEstimate } from '../statistics/jackknife.ts';
import { type Measure, quantileOfSorted } from '../statistics/measure.ts';

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

/** The class of more than half, or the median if more than half give a score; null if nothing is settled. */
function settledByCount(said: readonly Said[], { minVotes }: LabelRule): Said | null {
  if (said.length < minVotes) return null;
  const most = moreThanHalf(said.map((one) => (isScore(one) ? 'score' : `class ${one}`)));
  if (most === null) return null;
  return most === 'score' ? medianOf(said.filter(isScore)) : most.slice('class '.length);
}

/** By the model of Dawid and Skene: how reliable each voter is, and what is right, estimated jointly. */
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
 * What is right about items, from what several people say; items about which nothing is settled are missing. Scores are settled by their
 * median, whatever is asked for.
 *
 * @throws JuryError `usage` if the model of voters is asked for and the voters are not known
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

/** What can be the label of a criterion; which of two answers meets it better cannot. */
const CriterionLabel = Label.shape.criteria.unwrap().valueType;

type Parts = ReadonlyMap<string, ReadonlyMap<string, Said>>;

/**
 * The labels of items, from what is settled about each part of them.
 *
 * @param parts what is settled, by part and item
 * @param errors the errors that people name; the one that most name is that of an item that fails
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

/** What is settled, by part and item. @throws JuryError `usage` as `settleAnswers` */
export const settleParts = (answers: Iterable<PartAnswer>, by: LabelBy, rule: LabelRule): Parts =>
  new Map(
    [...groupedBy(answers, ({ part }) => part)].map(([part, same]) => [part, settleAnswers(same, by, rule)]),
  );

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
