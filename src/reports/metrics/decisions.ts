import * as z from 'zod';
import { counted, grouped } from '../../common/text/index.ts';
import { ratio, unmeasured } from '../../statistics/index.ts';
import { classify } from '../../statistics/raters/index.ts';
import {
  ACCURACY,
  caseBins,
  casesIn,
  countPasses,
  Estimate,
  estimate,
  gapCounts,
  percent,
  percentRange,
  ReportMeasure,
  sumOfBins,
} from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import { type Effectiveness, isLabeled } from './classification.ts';
import { column, estimateColumns, measureColumn } from './csv-columns.ts';
import type { Metric } from './metric.ts';
import type { Scores } from './scores.ts';
import type { With } from './setup-head.ts';
import { decidedColumn, plain, type ReportTable, rateCell, setupTable, valueCell } from './table.ts';

/** What was decided, regardless of the labels. */
export const Decisions = z.strictObject({
  /** Number of trials, with labels or without, and of their cases. */
  n: z.int(),
  cases: z.int(),
  pass: z.int(),
  fail: z.int(),
  ...gapCounts,
  /** Share of passes among all of them. */
  passRate: Estimate,
  /** Share of passes among those that got a decision. */
  decided: Estimate,
  /** Share of `n` that got a decision. */
  coverage: ReportMeasure,
});
export type Decisions = z.infer<typeof Decisions>;

/** Null if every trial gives a score. */
export function decisionsOf(
  facts: readonly Pick<TrialFacts, 'place' | 'unit' | 'score' | 'outcome'>[],
): Decisions | null {
  const bins = caseBins(countPasses(facts));
  const { n, coverage } = classify(sumOfBins(bins));
  if (n === 0) return null;
  const { pass } = sumOfBins(bins);
  return {
    n,
    cases: casesIn(facts.filter(({ score }) => score === null)),
    ...pass,
    passRate: estimate(ACCURACY, bins),
    decided: estimate(ACCURACY, bins, 'exclude'),
    coverage,
  };
}

type Whole = With<'decisions', Decisions | null> &
  With<'scores', Scores | null> &
  With<'effectiveness', Effectiveness>;

/** What was decided, for cases without labels. */
function decisionsTable({ setups }: { setups: readonly Whole[] }): ReportTable | null {
  // Where answers are scored or compared, those without a score are no passes either: the scores say how many there are.
  const isScored = ({ decisions, scores: own }: Whole) =>
    own !== null && decisions?.pass === 0 && decisions.fail === 0;
  const decided = setups.filter(
    (setup) => setup.decisions !== null && setup.unlabeled > 0 && !isScored(setup),
  );
  return setupTable(
    'Pass rate',
    decided,
    [
      { title: 'Pass rate', notes: '95 %', of: ({ decisions }) => rateCell(decisions?.passRate) },
      { title: 'Pass', of: ({ decisions }) => plain(grouped(decisions?.pass ?? 0)) },
      { title: 'Fail', of: ({ decisions }) => plain(grouped(decisions?.fail ?? 0)) },
      decidedColumn(({ decisions }: Whole) => decisions),
      ...(decided.some(({ decisions }) => decisions !== null && decisions.n > decisions.pass + decisions.fail)
        ? [
            {
              title: 'Of decided',
              notes: '95 %',
              of: ({ decisions }: Whole) => rateCell(decisions?.decided),
            },
          ]
        : []),
    ],
    `Share of passes among all trials${isLabeled({ setups }) ? ', with a label or without' : ': no label says which decisions are right'}. A trial without a decision does not pass.`,
  );
}

/**
 * Share of labeled trials with a decision or, without labels, share of all trials with a decision or a score. Undefined until all planned
 * trials are judged, because the rest could change it.
 */
function coverageOf({ effectiveness, decisions, scores, trials, planned }: Whole): ReportMeasure {
  if (trials < planned)
    return unmeasured(
      `only ${trials} of ${counted(planned, 'planned trial')} are judged; finish the run with the same "jury bench run" command`,
      trials,
    );
  if (effectiveness.n > 0) return effectiveness.coverage;
  const answered = (decisions?.pass ?? 0) + (decisions?.fail ?? 0) + (scores?.n ?? 0);
  return ratio(answered, trials, trials, 'there is no trial');
}

/** What was decided, whatever the labels say; null if every trial gives a score instead. */
export const decisions: Metric<'decisions', Decisions | null, Whole> = {
  key: 'decisions',
  definitions: [
    {
      part: 'decisions',
      name: 'coverage, *decided*',
      definition:
        'share of trials that got a decision: of those with a known truth, or of all if there are no labels',
      needs: 'nothing: it is counted',
      source: 'ours',
      threshold: 'coverage',
    },
    {
      part: 'decisions',
      name: 'pass rate',
      definition:
        'share of passes among all trials, for cases without labels; *of decided*: among those with a decision',
      needs:
        'cases that are like those it is to speak of; it is what judges pass. With no decision at all: none, and why',
      source: 'ours',
      threshold: 'pass-rate',
    },
  ],
  schema: Decisions.nullable(),
  of: ({ facts }) => decisionsOf(facts),
  tables: [{ id: 'decisions', section: 'decisions', of: decisionsTable }],
  groupColumns: [
    {
      title: 'Pass rate',
      notes: '95 %',
      of: ({ decisions: own, scores }) =>
        own === null || (scores !== null && own.pass + own.fail === 0)
          ? null
          : valueCell(
              own.passRate.measure,
              () => percent(own.passRate.measure),
              percentRange(own.passRate.interval),
            ),
    },
  ],
  csv: [
    column('pass', (setup) => setup.decisions?.pass ?? null),
    column('fail', (setup) => setup.decisions?.fail ?? null),
    estimateColumns('pass rate', (setup) => setup.decisions?.passRate),
    estimateColumns('pass rate of decided', (setup) => setup.decisions?.decided),
    measureColumn('decided', (setup) => setup.decisions?.coverage),
  ],
  thresholds: {
    coverage: { of: coverageOf },
    'pass-rate': {
      of: (setup) => setup.decisions?.passRate.measure ?? unmeasured('no case was decided', 0),
      interval: (setup) => setup.decisions?.passRate.interval ?? unmeasured('no case was decided', 0),
    },
  },
};
