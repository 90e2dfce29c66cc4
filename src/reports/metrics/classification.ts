import * as z from 'zod';
import { counted } from '../../common/text/index.ts';
import { type Bin, unmeasured } from '../../statistics/index.ts';
import {
  balancedAccuracy,
  type Confusion,
  classify,
  f1,
  type GapRule,
  gapsIn,
  mcc,
  precision,
  recall,
} from '../../statistics/raters/index.ts';
import {
  ACCURACY,
  casesIn,
  countsIn,
  Estimate,
  estimate,
  gapCounts,
  percent,
  ReportMeasure,
  rangeText,
  type Score,
  sumOfBins,
} from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import { column, estimateColumns, gapColumns, measureColumn } from './csv-columns.ts';
import type { Metric, ParetoFronts, ThresholdMetric } from './metric.ts';
import type { With } from './setup-head.ts';
import {
  type Cell,
  decidedColumn,
  decidedText,
  estimateCell,
  methodOf,
  notApplicable,
  plain,
  type ReportTable,
  type SetupColumn,
  setupTable,
  shaded,
  unique,
} from './table.ts';

/** A score of decisions against labels, as reports show it. */
interface ListedScore extends Score {
  /** Its title in tables. */
  title: string;
  /** Its row in docs/metrics.md. */
  definition: string;
  needs: string;
  source: string;
  /** Whether terminals leave it out. */
  pageOnly?: boolean;
}

/** Every score, in the order of reports. Tables, CSV files, comparisons and thresholds follow from this list. */
const registry = {
  f1: {
    title: 'F1',
    definition: '2TP / (2TP + FP + FN)',
    needs: 'right labels, and an answer that is right or judged right; else why there is none',
    source: 'Habicht et al., 6.4',
    of: f1,
    // F1 grows with the share of true positives among all but the true negatives (Jaccard's index): F1 = 2J / (1 + J).
    share: ({ tp, fp, fn }) => ({ hits: tp, of: tp + fp + fn }),
    ofShare: (jaccard) => (2 * jaccard) / (1 + jaccard),
  },
  precision: {
    title: 'Precision',
    definition: 'TP / (TP + FP)',
    needs: 'an answer that is judged right',
    source: 'Habicht et al., Benchmarking Contextual Understanding, 6.4',
    of: precision,
    share: ({ tp, fp }) => ({ hits: tp, of: tp + fp }),
  },
  recall: {
    title: 'Recall',
    definition: 'TP / (TP + FN)',
    needs: 'an answer that is right',
    source: 'Habicht et al., 6.4',
    of: recall,
    share: ({ tp, fn }) => ({ hits: tp, of: tp + fn }),
  },
  accuracy: {
    title: 'Accuracy',
    definition: '(TP + TN) / all',
    needs: 'labels; it says little where nearly all answers are right, or wrong',
    source: 'Giebisch et al., Automated Factual Benchmarking, eq. 1',
    ...ACCURACY,
  },
  balancedAccuracy: {
    title: 'Balanced accuracy',
    definition: 'mean of the accuracy on right and on wrong answers',
    needs: 'right and wrong answers',
    source: 'Brodersen et al., ICPR 2010',
    of: balancedAccuracy,
    pageOnly: true,
  },
  mcc: {
    title: 'MCC',
    definition: '(TP·TN − FP·FN) / √((TP+FP)(TP+FN)(TN+FP)(TN+FN))',
    needs: 'right and wrong answers and decisions',
    source: 'Matthews, Biochimica et Biophysica Acta 405, 1975',
    of: mcc,
    range: 'correlation',
    pageOnly: true,
  },
} satisfies Record<string, ListedScore>;

export type ScoreName = keyof typeof registry;

export const scores: Readonly<Record<ScoreName, ListedScore>> = registry;

const isScoreName = (name: string): name is ScoreName => Object.hasOwn(registry, name);

export const scoreNames: readonly ScoreName[] = Object.keys(registry).filter(isScoreName);

const isWhole = <T>(made: Partial<Record<ScoreName, T>>): made is Record<ScoreName, T> =>
  scoreNames.every((name) => Object.hasOwn(made, name));

/** An object with a value for each score. */
export function eachScore<T>(of: (name: ScoreName) => T): Record<ScoreName, T> {
  const made: Partial<Record<ScoreName, T>> = Object.fromEntries(scoreNames.map((name) => [name, of(name)]));
  if (!isWhole(made)) throw new Error('A score is missing.');
  return made;
}

/** Every score with the counts that it comes from. `pass` is the positive class: the response is right. */
const Scored = z.strictObject({
  counts: z.strictObject({ tp: z.int(), fp: z.int(), fn: z.int(), tn: z.int() }),
  ...eachScore(() => Estimate),
});
type Scored = z.infer<typeof Scored>;

/** Results of labeled trials. A trial without a decision counts as the wrong one, so that no score is won by giving none. */
export const Effectiveness = Scored.extend({
  /** Number of labeled trials, decided or not, and of their cases. */
  n: z.int(),
  cases: z.int(),
  ...gapCounts,
  /** Share of `n` that got a decision. */
  coverage: ReportMeasure,
  /** The same over the trials that got a decision. */
  decided: Scored,
});
export type Effectiveness = z.infer<typeof Effectiveness>;

const scoredBy = (bins: readonly Bin<Confusion>[], gaps: GapRule): Scored => ({
  counts: countsIn(bins, gaps),
  ...eachScore((name) => estimate(scores[name], bins, gaps)),
});

function effectivenessOf(facts: readonly TrialFacts[], bins: readonly Bin<Confusion>[]): Effectiveness {
  const { n, coverage, undecided, 'no-quorum': noQuorum, unanswered } = classify(sumOfBins(bins));
  const gaps = { undecided, 'no-quorum': noQuorum, unanswered };
  const strict = scoredBy(bins, 'wrong');
  const decided = gapsIn(gaps) === 0 ? strict : scoredBy(bins, 'exclude');
  const cases = casesIn(facts.filter(({ truth }) => truth !== null));
  return { n, cases, ...gaps, coverage, ...strict, decided };
}

/** Whether decisions can be compared with labels. Scores, and labels of criteria alone, have no F1. */
export const isLabeled = ({ setups }: { setups: readonly Whole[] }): boolean =>
  setups.some(({ effectiveness: own }) => own.n > 0);

type Whole = With<'effectiveness', Effectiveness>;

interface Shown {
  setups: readonly Whole[];
  pareto: ParetoFronts;
}

/** Marks setups on the Pareto front; a single setup gets no mark. */
const frontMark = ({ setups, pareto: { all } }: Shown, { id }: Whole): string =>
  setups.length > 1 && all.front.includes(id) ? '◆ ' : '';

const ofDecided: SetupColumn<Whole> = {
  title: 'F1 of decided',
  notes: '95 %',
  of: ({ effectiveness: { decided } }) => estimateCell(decided.f1),
};

/** Precision, recall and other scores, as in table B.5 of Habicht et al., with intervals. */
function effectivenessTable(report: Shown): ReportTable | null {
  const { setups } = report;
  if (!isLabeled(report)) return null;
  const columns: SetupColumn<Whole>[] = [
    ...scoreNames.map((name): SetupColumn<Whole> => {
      const { title, pageOnly = false } = scores[name];
      const of = (setup: Whole) => estimateCell(setup.effectiveness[name]);
      if (name !== 'f1') return { title, pageOnly, of };
      const marked = (setup: Whole): Cell => {
        const cell = of(setup);
        return { ...cell, text: `${frontMark(report, setup)}${cell.text}` };
      };
      return { title, notes: '95 %', of: marked };
    }),
    decidedColumn(({ effectiveness }) => effectiveness),
    ...(setups.some(hasGaps) ? [ofDecided] : []),
  ];
  return setupTable('Precision, recall and other scores', setups, columns, effectivenessNote(setups));
}

function effectivenessNote(setups: readonly Whole[]): string {
  const unlabeled = Math.max(...setups.map((setup) => setup.unlabeled));
  return [
    'Positive class: pass, the response is right. Intervals: 95 %, by case, or by group where cases belong together. ◆ no other configuration is better in F1 beyond chance at no more mean cost and median time: by the interval of the difference on the same cases, at a level that holds for all pairs of configurations together. Costs and times that may differ by chance, or by less than 5 %, are equal.',
    ...(setups.some(hasGaps)
      ? ['A trial without a decision counts as wrong; “of decided” leaves it out.']
      : []),
    ...(unlabeled > 0
      ? [
          `${counted(unlabeled, 'trial')} of a configuration ${unlabeled === 1 ? 'has no label and counts' : 'have no label and count'} for no score.`,
        ]
      : []),
  ].join(' ');
}

const hasGaps = ({ effectiveness }: Whole): boolean => gapsIn(effectiveness) > 0;

/** F1 by method and model, as in figure 3 of Habicht et al. */
function f1Table(report: Shown): ReportTable | null {
  const { setups } = report;
  if (!isLabeled(report)) return null;
  const wayOf = (setup: Whole) => methodOf(setup, setups);
  const modelsOf = (setup: Whole) => setup.models.join(' + ');
  const models = unique(setups.map(modelsOf));
  const cellOf = (way: string, model: string): Cell => {
    const setup = setups.find((one) => wayOf(one) === way && modelsOf(one) === model);
    if (setup === undefined) return notApplicable;
    const { f1, decided, n } = setup.effectiveness;
    const note = [rangeText(f1.interval, 2), ...decidedText(decided.f1, n)].join(', ');
    return shaded({ ...estimateCell(f1), note }, f1.measure);
  };
  return {
    title: 'F1 by method and model',
    head: 'Method',
    columns: models.map((title) => ({ title })),
    rows: unique(setups.map(wayOf)).map((way) => ({
      head: way,
      cells: models.map((model) => cellOf(way, model)),
    })),
  };
}

/** A score's name on the command line: `balanced-accuracy`. */
const thresholdOf = (name: ScoreName): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Thresholds on scores. */
const thresholds: Record<string, ThresholdMetric<Whole>> = Object.fromEntries(
  scoreNames.map((name) => [
    thresholdOf(name),
    {
      from: scores[name].range === 'correlation' ? -1 : 0,
      of: ({ effectiveness }: Whole) =>
        effectiveness.n === 0 ? unmeasured('no case has a label', 0) : effectiveness[name].measure,
      interval: ({ effectiveness }: Whole) => effectiveness[name].interval,
    },
  ]),
);

/** Decisions of labeled trials against their labels. */
export const effectiveness: Metric<'effectiveness', Effectiveness> = {
  key: 'effectiveness',
  definitions: [
    ...scoreNames.map((name) => ({
      part: 'decisions' as const,
      name: scores[name].title,
      definition: scores[name].definition,
      needs: scores[name].needs,
      source: scores[name].source,
      threshold: thresholdOf(name),
    })),
    {
      part: 'decisions',
      name: 'F1 *of decided*, and the others',
      definition: 'the same over the trials that got a decision',
      needs: 'undecided trials that are like the others: abstaining from hard cases raises it',
      source: 'ours',
    },
  ],
  schema: Effectiveness,
  of: ({ facts, labeled }) => effectivenessOf(facts, labeled),
  tables: [
    { id: 'f1', section: 'f1', of: f1Table },
    { id: 'effectiveness', section: 'scores', of: effectivenessTable },
  ],
  groupColumns: [
    {
      title: 'Accuracy',
      of: ({ effectiveness: { n, accuracy } }) => (n === 0 ? null : estimateCell(accuracy)),
    },
    { title: 'F1', of: ({ effectiveness: own }) => (own.n === 0 ? null : estimateCell(own.f1)) },
    {
      title: 'Decided',
      of: ({ effectiveness: { n, coverage } }) =>
        n === 0 || (coverage.defined && coverage.value === 1) ? null : plain(percent(coverage)),
    },
  ],
  csv: [
    column('labeled', ({ effectiveness: { n } }) => n),
    ...gapColumns<Whole>((setup) => setup.effectiveness),
    measureColumn('coverage', ({ effectiveness: { coverage } }) => coverage),
    ...(['tp', 'fp', 'fn', 'tn'] as const).map((name) =>
      column<Whole>(name, ({ effectiveness: { counts } }) => counts[name]),
    ),
    ...scoreNames.map((name) => estimateColumns<Whole>(name, (setup) => setup.effectiveness[name])),
    ...scoreNames.map((name) =>
      estimateColumns<Whole>(`${name} of decided`, (setup) => setup.effectiveness.decided[name]),
    ),
  ],
  thresholds,
};
