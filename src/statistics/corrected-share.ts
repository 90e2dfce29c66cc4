import { tQuantile } from './distributions.ts';
import { type Bin, type Interval, type Measure, measured, sum, unmeasured } from './measure.ts';
import {
  clusteredShareInterval,
  effectiveItems,
  type Share,
  sumLimits,
  trueShare,
  wilsonInterval,
  worstCaseWeight,
} from './proportions.ts';

type Decision = 'pass' | 'fail';

/** An answer as judges see it. */
export interface JudgedAnswer {
  decision: Decision;
  /** Whether the judges did not all agree. */
  isSplit: boolean;
  /** Equal for answers that belong together. */
  unit: number | string;
}

/** What is right about an answer, and 1 over the probability with which it was chosen to find that out. */
export interface Known {
  right: Decision;
  weight: number;
}

/** An answer; `known` is null where only the judges have said something. */
export type PartlyKnown = JudgedAnswer & { known: Known | null };

/** An answer that is known, of a sample of answers by the same judges. */
export type SampledAnswer = JudgedAnswer &
  Known & {
    /** Equal for answers that were drawn as one, each with the same probability. */
    draw: string;
  };

/** The share of answers that are right. */
export interface CorrectedShare {
  measure: Measure;
  interval: Interval;
  /**
   * How far each answer moves the measure, in the order of the answers: the sum of their squares (of the sums by unit) is its
   * variance, before pseudo-observations.
   */
  influence: readonly number[];
}

/** A stratum of which fewer answers are known is merged with others, because their spread would not be known. */
const MIN_KNOWN = 2;

/** Pseudo-observations in each stratum, half of them right, as in Jeffreys' interval: without, two equal answers would be certain. */
const PADDING = 1;

const isRight = ({ right }: Known): boolean => right === 'pass';

interface Stratum {
  /** Share of all answers. */
  share: number;
  /** Total weight of the known answers, and how many of equal weight they are worth: Kish, Survey Sampling, 1965, 11.7. */
  weight: number;
  n: number;
  /** Share that is right, and the same with pseudo-observations. */
  right: number;
  padded: number;
}

function stratumOf(known: readonly Known[], share: number): Stratum {
  const weight = sum(known.map((one) => one.weight));
  const n = weight ** 2 / sum(known.map((one) => one.weight ** 2));
  const right = sum(known.map((one) => (isRight(one) ? one.weight : 0))) / weight;
  return { share, weight, n, right, padded: (right * n + PADDING / 2) / (n + PADDING) };
}

/** Names a stratum by decision and agreement of the judges. */
const cellOf = ({ decision, isSplit }: JudgedAnswer): string => `${decision} ${isSplit}`;

/** By decision × agreement; by decision alone, or not at all, where too few answers are known. */
function strataOf(answers: readonly PartlyKnown[]): (answer: JudgedAnswer) => string {
  const knownIn = (of: (answer: JudgedAnswer) => string) => {
    const counts = new Map<string, number>();
    for (const one of answers) counts.set(of(one), (counts.get(of(one)) ?? 0) + (one.known === null ? 0 : 1));
    return counts;
  };
  const cells = knownIn(cellOf);
  const isFew = (n: number | undefined): boolean => n !== undefined && n < MIN_KNOWN;
  const whole = (['pass', 'fail'] as const).filter((decision) =>
    [true, false].some((isSplit) => isFew(cells.get(cellOf({ decision, isSplit, unit: 0 })))),
  );
  const byDecision = (one: JudgedAnswer): string =>
    whole.includes(one.decision) ? one.decision : cellOf(one);
  return [...knownIn(byDecision).values()].some(isFew) ? () => 'all' : byDecision;
}

function totalsBy<T>(items: readonly T[], keyOf: (item: T) => unknown, amountOf: (item: T) => number) {
  const totals = new Map<unknown, number>();
  for (const item of items) totals.set(keyOf(item), (totals.get(keyOf(item)) ?? 0) + amountOf(item));
  return totals;
}

const squares = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value ** 2;
  return total;
};

/** The successes of each unit. */
function clustersOf<T extends JudgedAnswer>(
  answers: readonly T[],
  isSuccess: (answer: T) => boolean,
): Bin<Share>[] {
  const clusters = new Map<unknown, Share>();
  for (const one of answers) {
    const cluster = clusters.get(one.unit) ?? { successes: 0, n: 0 };
    clusters.set(one.unit, cluster);
    cluster.n += 1;
    if (isSuccess(one)) cluster.successes += 1;
  }
  return [...clusters.values()].map((value) => ({ value, items: 1 }));
}

/**
 * How much less an effective number of known answers is worth because some belong together: the ratio of the variance by unit to that
 * by answer, with the worst case and Student's t as in `effectiveItems`.
 */
function worthInClusters(
  known: readonly PartlyKnown[],
  answers: readonly PartlyKnown[],
  influence: readonly number[],
  level: number,
): number {
  const units = totalsBy(
    [...answers.keys()],
    (at) => answers[at]?.unit,
    (at) => influence[at] ?? 0,
  );
  if (units.size === answers.length) return 1;
  const together = clustersOf(known, (one) => one.known?.right === 'pass');
  const [n, groups] = [known.length, together.length];
  const size = sum(together.map(({ value }) => value.n ** 2)) / n;
  const right = sum(together.map(({ value }) => value.successes));
  const [byAnswer, byUnit] = [squares(influence), squares(units.values())];
  const seen = byAnswer === 0 ? 1 : Math.max(1, ((units.size / (units.size - 1)) * byUnit) / byAnswer);
  const errors = Math.min(right, n - right);
  const design = seen + Math.max(0, size - seen) * (errors === 0 ? 1 : worstCaseWeight(errors, size));
  const [wide = 1, narrow = 1] = [groups, n].map((of) => tQuantile((1 + level) / 2, Math.max(1, of - 1)));
  return (narrow / wide) ** 2 / design;
}

/**
 * The share of answers that are right, where all are known, or some that were chosen with known probabilities: the weighted share of each
 * stratum, by decision and by whether the judges agreed, times the stratum's share of all answers. Judges' decisions say what share a
 * stratum has, never what is right. Holt and Smith, Journal of the Royal Statistical Society A 142, 1979.
 *
 * The answers are themselves a sample (of what people ask), so the variance has two phases: strata between all answers, and known ones
 * within a stratum; by unit, from each answer's influence. Cochran, Sampling Techniques, 3rd edition, 1977, 12.2; Särndal, Swensson and
 * Wretman, Model Assisted Survey Sampling, 1992, 9.4. The interval is Wilson's with the number of independent answers that have that
 * variance. Where all are known it is that of the labels alone. `npm run bench:conclusions -- rates` shows its coverage.
 */
export function postStratifiedShare(answers: readonly PartlyKnown[], level = 0.95): CorrectedShare {
  const known = answers.filter((one) => one.known !== null);
  const n = known.length;
  const all = answers.length;
  const none = (why: string) => ({
    measure: unmeasured(why, n),
    interval: unmeasured(why, n),
    influence: [],
  });
  if (n === 0) return none('no answer is known to be right or wrong');
  if (n === all) {
    const clusters = clustersOf(known, (one) => one.known?.right === 'pass');
    const value = sum(clusters.map((one) => one.value.successes)) / n;
    return {
      measure: measured(value, n),
      interval: clusteredShareInterval(clusters, level),
      influence: known.map((one) => ((one.known?.right === 'pass' ? 1 : 0) - value) / n),
    };
  }
  if (new Set(known.map(({ unit }) => unit)).size < 2)
    return none('an interval needs at least two independent answers');
  const nameOf = strataOf(answers);
  const sizes = totalsBy(answers, nameOf, () => 1);
  const strata = new Map(
    [...sizes].map(([name, size]) => {
      const own = known.flatMap((one) => (nameOf(one) === name && one.known !== null ? [one.known] : []));
      return [name, stratumOf(own, size / all)] as const;
    }),
  );
  const parts = [...strata.values()];
  const value = sum(parts.map(({ share, right }) => share * right));
  const padded = sum(parts.map((part) => part.share * part.padded));
  const variance = sum(
    parts.map(
      (part) =>
        (part.share ** 2 * part.padded * (1 - part.padded)) / part.n +
        (part.share * (part.padded - padded) ** 2) / all,
    ),
  );
  const influence = answers.map((one) => {
    const stratum = strata.get(nameOf(one));
    if (stratum === undefined) return 0;
    const { share, weight, right } = stratum;
    const between = (right - value) / all;
    if (one.known === null) return between;
    return between + ((share * one.known.weight) / weight) * ((isRight(one.known) ? 1 : 0) - right);
  });
  const independent = Math.min(all, (padded * (1 - padded)) / variance);
  const effective = independent * worthInClusters(known, answers, influence, level);
  const interval = wilsonInterval(Math.min(1, value) * effective, effective, level);
  return {
    measure: measured(value, n),
    interval: interval.defined ? { ...interval, n } : interval,
    influence,
  };
}

/** The share of right decisions among answers that are right, or wrong, scaled to the number of independent ones they are worth. */
function rightlyDecided(sampled: readonly SampledAnswer[], truth: Decision): Share {
  const own = sampled.filter(({ right }) => right === truth);
  if (own.length === 0) return { successes: 0, n: 0 };
  const weight = sum(own.map((one) => one.weight));
  const share = sum(own.map((one) => (one.decision === truth ? one.weight : 0))) / weight;
  const kish = weight ** 2 / sum(own.map((one) => one.weight ** 2));
  const clustered = effectiveItems(clustersOf(own, ({ decision }) => decision === truth)) / own.length;
  return { successes: share * kish * clustered, n: kish * clustered };
}

/**
 * What a sample's strata leave of the variance of the corrected share that is due to sensitivity and specificity, at most 1: errors in how
 * many answers of each kind were drawn cancel out where that was fixed. From the linearized share: its spread within cells (decision ×
 * agreement), between the cells of one draw, and between draws, against its spread as if all had been drawn as one. Särndal, Swensson
 * and Wretman, Model Assisted Survey Sampling, 1992, 5.5.
 */
function leftByStrata(
  sampled: readonly SampledAnswer[],
  sensitivity: number,
  specificity: number,
  value: number,
): number {
  const all = sum(sampled.map(({ weight }) => weight));
  const right = sum(sampled.map((one) => (isRight(one) ? one.weight : 0))) / all;
  /** How an answer of known truth moves the corrected share, up to a constant factor. */
  const moves = (decision: Decision, truth: Decision): number =>
    truth === 'pass'
      ? (-value * ((decision === 'pass' ? 1 : 0) - sensitivity)) / right
      : ((1 - value) * ((decision === 'fail' ? 1 : 0) - specificity)) / (1 - right);
  const cells = new Map(
    [...new Set(sampled.map(cellOf))].map((cell) => {
      const own = sampled.filter((one) => cellOf(one) === cell);
      const { padded } = stratumOf(own, 0);
      const { decision } = own[0] ?? { decision: 'pass' };
      const [up, down] = [moves(decision, 'pass'), moves(decision, 'fail')];
      const spread = (up - down) ** 2 * padded * (1 - padded);
      return [cell, { spread, mean: padded * up + (1 - padded) * down }] as const;
    }),
  );
  const cell = (one: SampledAnswer) => cells.get(cellOf(one)) ?? { spread: 0, mean: 0 };
  const drawOf = ({ draw }: SampledAnswer): string => draw;
  const weights = totalsBy(sampled, drawOf, ({ weight }) => weight);
  const moved = totalsBy(sampled, drawOf, (one) => one.weight * cell(one).mean);
  const meanOf = (draw: unknown): number => (moved.get(draw) ?? 0) / (weights.get(draw) ?? 1);
  const whole = sum(sampled.map((one) => one.weight ** 2 * (cell(one).spread + cell(one).mean ** 2)));
  const within = sum(
    sampled.map((one) => one.weight ** 2 * (cell(one).spread + (cell(one).mean - meanOf(drawOf(one))) ** 2)),
  );
  const between = sum([...weights].map(([draw, weight]) => weight * meanOf(draw) ** 2));
  return whole === 0 ? 1 : Math.min(1, (within + between) / whole);
}

/**
 * The share of answers that are right, from judges' decisions on them and from samples of other answers by the same judges: see
 * `trueShare`, with sensitivity and specificity weighted by 1 over the probability of being drawn, and numbers of independent answers
 * instead of answers. Sensitivity and specificity carry over to answers of which more or fewer are right; the share of right answers
 * among those that judges pass does not.
 * @returns undefined if no sampled answer is right, or none is wrong, or if the judges are no better than chance
 */
export function carriedShare(
  answers: readonly JudgedAnswer[],
  sampled: readonly SampledAnswer[],
  level = 0.95,
): Omit<CorrectedShare, 'influence'> {
  const clusters = clustersOf(answers, ({ decision }) => decision === 'pass');
  const n = effectiveItems(clusters, level);
  const passed = sum(clusters.map(({ value }) => value.successes)) / Math.max(1, answers.length);
  const [sensitivity, specificity] = [rightlyDecided(sampled, 'pass'), rightlyDecided(sampled, 'fail')];
  const shares = [{ successes: passed * n, n }, sensitivity, specificity] as const;
  const plain = trueShare(...shares, 1, level);
  if (!plain.measure.defined) return plain;
  const left = leftByStrata(
    sampled,
    sensitivity.successes / sensitivity.n,
    specificity.successes / specificity.n,
    plain.measure.value,
  );
  const { measure, interval } = trueShare(...shares, left, level);
  const counted = answers.length;
  return { measure: { ...measure, n: counted }, interval: { ...interval, n: counted } };
}

/**
 * The difference between two shares, now minus then, with the interval that follows from their own: see `sumLimits`.
 * @param correlation of both measures, −1 to 1: above 0 where some answers are to the same requests
 */
export function correctedDifference(
  now: Pick<CorrectedShare, 'measure' | 'interval'>,
  then: Pick<CorrectedShare, 'measure' | 'interval'>,
  correlation = 0,
): { measure: Measure; interval: Interval } {
  const n = Math.min(now.measure.n, then.measure.n);
  const none = (why: string) => ({ measure: unmeasured(why, n), interval: unmeasured(why, n) });
  if (!now.measure.defined) return none(now.measure.why);
  if (!then.measure.defined) return none(then.measure.why);
  if (!now.interval.defined) return none(now.interval.why);
  if (!then.interval.defined) return none(then.interval.why);
  const [a, b] = [now.measure.value, then.measure.value];
  const limits = sumLimits(
    [
      { weight: 1, value: a, low: now.interval.low, high: now.interval.high },
      { weight: -1, value: b, low: then.interval.low, high: then.interval.high },
    ],
    correlation,
  );
  return {
    measure: measured(a - b, n),
    interval: {
      defined: true,
      n,
      ...limits,
      level: now.interval.level,
    },
  };
}
