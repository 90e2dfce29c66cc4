import { JuryError } from '../common/index.ts';
import { jackknifeEstimate, ratio, standardDeviation, unmeasured } from '../statistics/index.ts';
import { kendallTau, pearson, scoreTable, timesOf } from '../statistics/raters/index.ts';
import { binsOf, bothCases, casesIn, differenceOf, type Statistic, unitBins } from './case-statistics.ts';
import { type Estimate, LEAST_COVERAGE, type PairReport } from './measures.ts';
import type { Scores } from './report.ts';
import type { TrialFacts } from './trial-facts.ts';

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;
const RANGE = `${NUMBER}(?:-|\\.\\.)${NUMBER}`;
const MAPPING = new RegExp(`^${RANGE}=${RANGE}$`);

/**
 * How overall labels are put on the scale of the judges' scores.
 *
 * @param text `0-100=0-4`: labels from 0 to 100 mean scores from 0 to 4; or nothing
 * @throws JuryError `usage` for anything else, later also for a label beyond its scale
 */
export function readLabelScale(text: string | undefined): ((score: number) => number) | undefined {
  if (text === undefined) return undefined;
  const [, ...ends] = MAPPING.exec(text) ?? [];
  const [from = 0, to = 0, low = 0, high = 0] = ends.map(Number);
  if (from >= to || low >= high)
    throw new JuryError(
      'usage',
      `--label-scale ${text}: Must be the scale of the labels and that of the scores, such as 0-100=0-4.`,
    );
  return (score) => {
    if (score < from || score > to)
      throw new JuryError('usage', `--label-scale ${text}: A label is ${score}, outside ${from} to ${to}.`);
    return low + ((score - from) / (to - from)) * (high - low);
  };
}

/** Number of cases from which labels reveal their scale. */
const MIN_CASES = 5;
/** The highest values of usual scales. Smaller scales cannot be distinguished from 0 to 4. */
const TOPS = [4, 5, 10, 100];

const highest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/**
 * Whether labels are on another scale than scores, such as 0 to 100 beside 0 to 4. Trials do not record their scale, so it is inferred:
 * some label is over twice the top of the scores' scale, or, of several cases, none is over a quarter of the highest score.
 */
export function isOtherScale(scores: readonly number[], labels: readonly number[], cases: number): boolean {
  const [score, label] = [highest(scores), highest(labels)];
  const top = TOPS.find((one) => one >= score) ?? score;
  return label > 2 * top || (cases >= MIN_CASES && score > 1 && 4 * label <= score);
}

/** Shown instead of errors and alpha, which compare the numbers themselves. */
const byRankAlone = (n: number) =>
  unmeasured('labels are on another scale than scores, which can be compared by rank alone', n);

/** What is known of a score: its value and its label's. */
type Scored = Pick<TrialFacts, 'place' | 'unit' | 'score' | 'labelScore'>;

interface ScorePair {
  given: number;
  /** The given score if the label has none. */
  known: number;
}

/** Distinct pairs of scores, and for each case or unit the positions of its trials' pairs. */
interface ScoredCases {
  pairs: ScorePair[];
  cases: Map<number, number[]>;
}

/** Items without a score are left out. */
function scoredCases(scored: readonly Scored[], by: 'place' | 'unit'): ScoredCases {
  const pairs: ScorePair[] = [];
  const known = new Map<string, number>();
  const cases = new Map<number, number[]>();
  for (const { [by]: place, score, labelScore } of scored) {
    if (score === null) continue;
    const pair = { given: score, known: labelScore ?? score };
    const key = `${pair.given} ${pair.known}`;
    const position = known.get(key) ?? pairs.push(pair) - 1;
    known.set(key, position);
    const own = cases.get(place);
    if (own === undefined) cases.set(place, [position]);
    else own.push(position);
  }
  // Independent of the order of repeats.
  for (const own of cases.values()) own.sort((a, b) => a - b);
  return { pairs, cases };
}

type CaseStatistic = Statistic<readonly number[]>;

const meanOf =
  ({ pairs }: ScoredCases, read: (pair: ScorePair) => number): CaseStatistic =>
  (bins) => {
    let [total, n] = [0, 0];
    timesOf(bins, pairs.length).forEach((times, position) => {
      const pair = pairs[position];
      if (pair === undefined) return;
      total += times * read(pair);
      n += times;
    });
    return ratio(total, n, n, 'there is no score');
  };

const given = (pair: ScorePair): number => pair.given;
const error = (pair: ScorePair): number => Math.abs(pair.given - pair.known);

const pairsKey = (own: readonly number[]): string => own.join();

/** The trials of cases that belong together, independent of their order. */
const joined = (cases: readonly (readonly number[])[]): readonly number[] =>
  cases.flat().sort((a, b) => a - b);

const isLabeled = ({ labelScore }: Scored): boolean => labelScore !== null;

/** With more distinct integers, a scale counts as interval rather than ordinal. */
const MAX_LEVELS = 11;

/** Trials do not record their scale, so it is inferred from the values. */
function scaleOf(pairs: readonly ScorePair[]): 'ordinal' | 'interval' {
  const values = new Set(pairs.flatMap((pair) => [pair.given, pair.known]));
  return values.size <= MAX_LEVELS && [...values].every(Number.isInteger) ? 'ordinal' : 'interval';
}

const hasOtherScale = ({ pairs, cases }: ScoredCases): boolean =>
  isOtherScale(
    pairs.map(given),
    pairs.map((pair) => pair.known),
    cases.size,
  );

/** @param whole the table of all scores @param count how many there are */
function againstLabels(scored: readonly Scored[], whole: ScoredCases, count: number): Scores['against'] {
  const all = scored.filter(isLabeled);
  const labeled = all.filter(({ score }) => score !== null);
  if (labeled.length === 0) return null;
  const table = labeled.length === count ? whole : scoredCases(labeled, 'unit');
  const { pairs, cases } = table;
  const { spearman, alpha } = scoreTable(pairs);
  const alphaScale = scaleOf(pairs);
  const bins = binsOf(cases.values(), pairsKey);
  const scores = labeled.map(({ score }) => score);
  const labels = labeled.map(({ labelScore }) => labelScore);
  const isOther = hasOtherScale(table);
  const none = byRankAlone(labeled.length);
  const ofNumbers = (estimate: () => Estimate): Estimate =>
    isOther ? { measure: none, interval: none } : estimate();
  return {
    n: labeled.length,
    coverage: ratio(labeled.length, all.length, all.length, 'no trial has a label'),
    spearman: jackknifeEstimate(bins, (some) => spearman(timesOf(some, pairs.length)), 'correlation'),
    kendall: kendallTau(scores, labels),
    pearson: isOther ? none : pearson(scores, labels),
    alpha: ofNumbers(() =>
      jackknifeEstimate(bins, (some) => alpha(timesOf(some, pairs.length), alphaScale), 'correlation'),
    ),
    alphaScale,
    meanAbsoluteError: ofNumbers(() => jackknifeEstimate(bins, meanOf(table, error), 'positive')),
  };
}

/** The rank correlation with labels. It says nothing of trials without a score, so that too few scores give no rank. */
export function rankable({ spearman, coverage, n }: NonNullable<Scores['against']>): Estimate {
  if (coverage.defined && coverage.value >= LEAST_COVERAGE) return spearman;
  const none = unmeasured(`fewer than ${LEAST_COVERAGE * 100} % of the labeled trials have a score`, n);
  return { measure: none, interval: none };
}

/** Intervals are by case; null without scores. */
export function scoresOf(facts: readonly Scored[]): Scores | null {
  const table = scoredCases(facts, 'unit');
  if (table.cases.size === 0) return null;
  const mean = jackknifeEstimate(binsOf(table.cases.values(), pairsKey), meanOf(table, given), 'any');
  const deviation = standardDeviation(facts.map(({ score }) => score).filter((score) => score !== null));
  return {
    n: mean.measure.n,
    cases: casesIn(facts.filter(({ score }) => score !== null)),
    mean,
    deviation,
    against: againstLabels(facts, table, mean.measure.n),
  };
}

/** Mean score of each case over its trials. */
export function caseMeans(facts: readonly Scored[]): Map<number, number> {
  const { pairs, cases } = scoredCases(facts, 'place');
  const scoreAt = (position: number): number => pairs[position]?.given ?? 0;
  return new Map(
    [...cases].map(([place, own]) => [
      place,
      own.reduce((sum, position) => sum + scoreAt(position), 0) / own.length,
    ]),
  );
}

/** Compares the scores of two setups on the cases that both scored; null if there are none. */
export function compareScores(
  first: readonly TrialFacts[],
  second: readonly TrialFacts[],
): PairReport['points'] {
  const [one, other] = [scoredCases(first, 'place'), scoredCases(second, 'place')];
  const both = bothCases(one.cases, other.cases, first);
  const cases = both.length;
  if (cases === 0) return null;
  const bins = unitBins(both, joined, pairsKey);
  const means = caseMeans(first);
  const changes = [...caseMeans(second)].flatMap(([place, after]) => {
    const before = means.get(place);
    return before === undefined ? [] : [after - before];
  });
  const [up, down] = [changes.filter((by) => by > 0).length, changes.filter((by) => by < 0).length];
  const labeledOf = (facts: readonly TrialFacts[]) => scoredCases(facts.filter(isLabeled), 'place');
  const [own, others] = [labeledOf(first), labeledOf(second)];
  const labeled = unitBins(bothCases(own.cases, others.cases, first), joined, pairsKey);
  const isOther = hasOtherScale(own) || hasOtherScale(others);
  const errorOf = (table: ScoredCases): CaseStatistic =>
    isOther ? () => byRankAlone(labeled.length) : meanOf(table, error);
  const spearmanOf = ({ pairs }: ScoredCases): CaseStatistic => {
    const { spearman } = scoreTable(pairs);
    return (drawn) => spearman(timesOf(drawn, pairs.length));
  };
  return {
    cases,
    mean: differenceOf(bins, meanOf(one, given), meanOf(other, given)),
    against:
      labeled.length === 0
        ? null
        : {
            spearman: differenceOf(labeled, spearmanOf(own), spearmanOf(others)),
            meanAbsoluteError: differenceOf(labeled, errorOf(own), errorOf(others)),
          },
    up,
    down,
    same: cases - up - down,
  };
}
