import * as z from 'zod';
import { groupedBy } from '../../common/index.ts';
import { grouped } from '../../common/text/index.ts';
import { jackknifeEstimate, ratio, standardDeviation, sum, unmeasured } from '../../statistics/index.ts';
import { kendallTau, pearson, scoreTable, timesOf } from '../../statistics/raters/index.ts';
import {
  type BothOfCase,
  binsOf,
  bothCases,
  casesIn,
  Difference,
  differenceOf,
  Estimate,
  fixed,
  LEAST_COVERAGE,
  NONE,
  pairedTest,
  ReportMeasure,
  type Statistic,
  unitBins,
} from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import { type CsvColumns, column, estimateColumns, measureColumn } from './csv-columns.ts';
import { isOtherScale } from './label-scale.ts';
import type { Metric } from './metric.ts';
import type { With } from './setup-head.ts';
import {
  type Cell,
  estimateCell,
  notApplicable,
  plain,
  type ReportTable,
  type SetupColumn,
  setupTable,
} from './table.ts';

/** Scores, and their distance from labels. */
export const Scores = z.strictObject({
  /** Number of trials with a score, and of their cases. */
  n: z.int(),
  cases: z.int(),
  mean: Estimate,
  /** Standard deviation of single scores, with n − 1. */
  deviation: ReportMeasure,
  /** Compared with labels; null if there are none. */
  against: z
    .strictObject({
      /** Trials with a score and a label. */
      n: z.int(),
      /** Their share of the labeled trials. */
      coverage: ReportMeasure,
      spearman: Estimate,
      kendall: ReportMeasure,
      pearson: ReportMeasure,
      /** Krippendorff's alpha of scores and labels as two raters; `ordinal` if both are a few whole numbers. */
      alpha: Estimate,
      alphaScale: z.enum(['ordinal', 'interval']),
      meanAbsoluteError: Estimate,
    })
    .nullable(),
});
export type Scores = z.infer<typeof Scores>;

/** The scores of two setups on the cases that both scored. */
export const PointsDifference = z.strictObject({
  cases: z.int(),
  mean: Difference,
  /** Of the difference of means, by exchanging the sides (`swapTest`). */
  pValue: ReportMeasure,
  /** On cases with a score as label; null if there are none. */
  against: z.strictObject({ spearman: Difference, meanAbsoluteError: Difference }).nullable(),
  /** Number of cases with a higher, a lower and the same score in the second. */
  up: z.int(),
  down: z.int(),
  same: z.int(),
});
export type PointsDifference = z.infer<typeof PointsDifference>;

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

/** Makes scores equal that differ only by how their sums were rounded, such as means of means, so that they are ties. */
export function createTies(): (score: number) => number {
  const kept = new Map<string, number>();
  return (score) => {
    const key = score.toPrecision(12);
    const same = kept.get(key) ?? score;
    kept.set(key, same);
    return same;
  };
}

/** Items without a score are left out. */
function scoredCases(scored: readonly Scored[], by: 'place' | 'unit'): ScoredCases {
  const pairs: ScorePair[] = [];
  const positions = new Map<string, number>();
  const cases = new Map<number, number[]>();
  const tied = createTies();
  for (const { [by]: place, score, labelScore } of scored) {
    if (score === null) continue;
    const pair = { given: tied(score), known: tied(labelScore ?? score) };
    const key = `${pair.given} ${pair.known}`;
    const position = positions.get(key) ?? pairs.push(pair) - 1;
    positions.set(key, position);
    const trials = cases.get(place);
    if (trials === undefined) cases.set(place, [position]);
    else trials.push(position);
  }
  // Independent of the order of repeats.
  for (const trials of cases.values()) trials.sort((a, b) => a - b);
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
  const tied = createTies();
  const scores = labeled.map(({ score }) => (score === null ? null : tied(score)));
  const labels = labeled.map(({ labelScore }) => (labelScore === null ? null : tied(labelScore)));
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

/** The scores of labeled cases, by their places. */
export type RankedCases = ScoredCases;

/** Null if no labeled case has a score. */
export function rankedCases(scored: readonly Scored[]): RankedCases | null {
  const cases = scoredCases(scored.filter(isLabeled), 'place');
  return cases.cases.size === 0 ? null : cases;
}

const spearmanOf = ({ pairs }: ScoredCases): CaseStatistic => {
  const { spearman } = scoreTable(pairs);
  return (drawn) => spearman(timesOf(drawn, pairs.length));
};

/** The rank correlations of two setups with the labels, on the cases that both scored. @param units what cases belong to, if not to themselves */
export function comparedRanks(
  first: RankedCases,
  second: RankedCases,
  units: ReadonlyMap<number, number>,
  level: number,
): Difference {
  const facts = [...units].map(([place, unit]) => ({ place, unit }));
  const bins = unitBins(bothCases(first.cases, second.cases, facts), joined, pairsKey);
  return differenceOf(bins, spearmanOf(first), spearmanOf(second), 'any', level);
}

/** The scores of some cases only. @param places of these cases */
export const rankedAt = ({ pairs, cases }: RankedCases, places: ReadonlySet<number>): RankedCases => ({
  pairs,
  cases: new Map([...cases].filter(([place]) => places.has(place))),
});

/** The rank correlations with the labels. @param units what cases belong to, if not to themselves */
export function rankCorrelations(
  ranked: RankedCases,
  units: ReadonlyMap<number, number>,
): { spearman: Estimate; kendall: ReportMeasure } {
  const byUnit = groupedBy(ranked.cases, ([place]) => units.get(place) ?? place);
  const ofUnits = [...byUnit.values()].map((own) => joined(own.map(([, positions]) => positions)));
  const pairs = ofUnits.flat().flatMap((position) => ranked.pairs[position] ?? []);
  return {
    spearman: jackknifeEstimate(binsOf(ofUnits, pairsKey), spearmanOf(ranked), 'correlation'),
    kendall: kendallTau(
      pairs.map(given),
      pairs.map((pair) => pair.known),
    ),
  };
}

interface Sum {
  total: number;
  n: number;
}

/** The p-value of the difference of two means, see `swapTest`. */
function meanTest(
  cases: readonly BothOfCase<readonly number[]>[],
  first: ScoredCases,
  second: ScoredCases,
): ReportMeasure {
  const sumOf = (own: readonly number[], { pairs }: ScoredCases): Sum => ({
    total: sum(own.map((position) => pairs[position]?.given ?? 0)),
    n: own.length,
  });
  const joinSums = (sums: readonly Sum[]): Sum => ({
    total: sum(sums.map(({ total }) => total)),
    n: sum(sums.map(({ n }) => n)),
  });
  const keyOf = ({ total, n }: Sum): string => `${total} ${n}`;
  const sums = cases.map((one) => ({
    unit: one.unit,
    first: sumOf(one.first, first),
    second: sumOf(one.second, second),
  }));
  const mean: Statistic<Sum> = (bins) => {
    let [total, n] = [0, 0];
    for (const { value, items } of bins) {
      total += items * value.total;
      n += items * value.n;
    }
    return ratio(total, n, n, 'there is no score');
  };
  return pairedTest(unitBins(sums, joinSums, keyOf), mean, keyOf);
}

/** Compares the scores of two setups on the cases that both scored; null if there are none. */
export function compareScores(
  first: readonly TrialFacts[],
  second: readonly TrialFacts[],
): PointsDifference | null {
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
  const [earlier, later] = [labeledOf(first), labeledOf(second)];
  const labeled = unitBins(bothCases(earlier.cases, later.cases, first), joined, pairsKey);
  const isOther = hasOtherScale(earlier) || hasOtherScale(later);
  const errorOf = (table: ScoredCases): CaseStatistic =>
    isOther ? () => byRankAlone(labeled.length) : meanOf(table, error);
  return {
    cases,
    mean: differenceOf(bins, meanOf(one, given), meanOf(other, given)),
    pValue: meanTest(both, one, other),
    against:
      labeled.length === 0
        ? null
        : {
            spearman: differenceOf(labeled, spearmanOf(earlier), spearmanOf(later)),
            meanAbsoluteError: differenceOf(labeled, errorOf(earlier), errorOf(later)),
          },
    up,
    down,
    same: cases - up - down,
  };
}

type Whole = With<'scores', Scores | null>;

/** Scores and their distance from labels, as in tables 8 and 9 of Chen et al. */
function scoresTable({ setups }: { setups: readonly Whole[] }): ReportTable | null {
  const against = ({ scores: own }: Whole) => own?.against ?? null;
  const ofAgainst =
    (cell: (own: NonNullable<ReturnType<typeof against>>) => Cell) =>
    (setup: Whole): Cell => {
      const own = against(setup);
      return own === null ? notApplicable : cell(own);
    };
  const columns: SetupColumn<Whole>[] = [
    { title: 'Mean score', notes: '95 %', of: (setup) => estimateCell(setup.scores?.mean, 2) },
    {
      title: 'SD',
      pageOnly: true,
      of: (setup) => plain(setup.scores === null ? NONE : fixed(setup.scores.deviation, 2)),
    },
    {
      title: 'Scored',
      notes: 'trials',
      of: (setup) => plain(grouped(setup.scores?.n ?? 0), `of ${grouped(setup.trials)}`),
    },
    { title: 'Mean error', of: ofAgainst((own) => estimateCell(own.meanAbsoluteError, 2)) },
    { title: 'Spearman', notes: '95 %', of: ofAgainst((own) => estimateCell(own.spearman)) },
    { title: 'Kendall', of: ofAgainst((own) => plain(fixed(own.kendall))) },
    { title: 'Pearson', pageOnly: true, of: ofAgainst((own) => plain(fixed(own.pearson))) },
    { title: 'Alpha', of: ofAgainst((own) => estimateCell(own.alpha, 3, `, ${own.alphaScale}`)) },
  ];
  const scored = setups.filter((setup) => setup.scores !== null);
  return setupTable(
    'Scores',
    scored,
    columns,
    `Intervals: 95 %, by case, or by group where cases belong together. Mean error, rank correlations (Spearman, Kendall’s tau-b), Pearson’s and Krippendorff’s alpha compare with the scores of labels; alpha is ordinal if scores and labels are a few whole numbers, else interval.${
      scored.some((setup) => against(setup) === null) ? ' · no label states a score.' : ''
    }${scored.some((setup) => against(setup)?.meanAbsoluteError.measure.defined === false) ? ' Labels are on another scale than scores, so that these are compared by rank alone; --label-scale says how labels map to scores.' : ''}`,
  );
}

/** A mean with the standard deviation, as papers print it. */
export const meanCell = (scores: Scores | null | undefined): Cell =>
  scores === null || scores === undefined
    ? plain(NONE)
    : plain(`${fixed(scores.mean.measure, 2)} (${fixed(scores.deviation, 2)})`);

export const scoreColumns = <Row>(of: (row: Row) => Scores | null): CsvColumns<Row>[] => {
  const against = (row: Row) => of(row)?.against;
  return [
    column('scored', (row) => of(row)?.n ?? null),
    measureColumn('scored of labeled', (row) => against(row)?.coverage),
    estimateColumns('score mean', (row) => of(row)?.mean),
    measureColumn('score sd', (row) => of(row)?.deviation),
    estimateColumns('score error mean', (row) => against(row)?.meanAbsoluteError),
    estimateColumns('spearman', (row) => against(row)?.spearman),
    estimateColumns('alpha', (row) => against(row)?.alpha),
    column('alpha scale', (row) => against(row)?.alphaScale ?? null),
    measureColumn('kendall', (row) => against(row)?.kendall),
    measureColumn('pearson', (row) => against(row)?.pearson),
  ];
};

/** Scores of trials, and their distance from the labels' scores; null if the rubric gives none. */
export const scores: Metric<'scores', Scores | null> = {
  key: 'scores',
  definitions: [
    {
      part: 'scores',
      name: 'mean score',
      definition: 'mean over the trials with a score',
      needs: 'a scale on which a mean means something; scores are what judges give',
      source: 'Chen et al., CoRE, 7.1',
    },
    {
      part: 'scores',
      name: 'SD',
      definition: 'standard deviation of single scores, with n − 1',
      needs: 'two scores',
      source: 'Chen et al., tables 21 to 23',
    },
    {
      part: 'scores',
      name: 'mean error',
      definition: 'mean of \\|score − label\\|',
      needs: 'labels on the same scale; otherwise why not',
      source: 'ours',
    },
    {
      part: 'scores',
      name: 'Spearman',
      definition: 'correlation of ranks, ties get their mean rank',
      needs:
        'two labeled cases that are not all alike, and scores of 90 % of the labeled trials to rank by it; otherwise why not',
      source: 'Spearman, American Journal of Psychology 15, 1904; Chen et al., 7.1',
    },
    {
      part: 'scores',
      name: 'Kendall',
      definition: 'tau-b',
      needs: 'the same',
      source: 'Kendall, Biometrika 33, 1945; Chen et al., 7.1',
    },
    {
      part: 'scores',
      name: 'Pearson',
      definition: 'linear correlation',
      needs: 'labels on the same scale, and a linear relation',
      source: 'Chen et al., 7.1',
    },
    {
      part: 'scores',
      name: 'alpha',
      definition:
        'Krippendorff’s alpha of score and label as two raters; ordinal if both are at most eleven whole numbers, else interval',
      needs: 'labels on the same scale; otherwise why not',
      source: 'Krippendorff, 2011',
    },
  ],
  schema: Scores.nullable(),
  of: ({ facts }) => scoresOf(facts),
  tables: [{ id: 'scores', section: 'points', of: scoresTable }],
  groupColumns: [
    { title: 'Mean (SD)', of: ({ scores: own }) => (own === null ? null : meanCell(own)) },
    {
      title: 'Spearman',
      of: ({ scores: own }) => (own?.against ? estimateCell(own.against.spearman, 2) : null),
    },
  ],
  csv: scoreColumns((setup) => setup.scores),
};
