import * as z from 'zod';
import { grouped } from '../../common/text/index.ts';
import { calibrationOf } from '../../statistics/raters/index.ts';
import { fixed, ReportMeasure } from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import { measureColumn } from './csv-columns.ts';
import type { Metric } from './metric.ts';
import type { With } from './setup-head.ts';
import { type Cell, notApplicable, plain, type ReportTable, type SetupColumn, setupTable } from './table.ts';

const CalibrationBin = z.strictObject({
  from: z.number(),
  to: z.number(),
  n: z.int(),
  accuracy: ReportMeasure,
  meanConfidence: ReportMeasure,
});

const Calibration = z.strictObject({
  missing: z.int(),
  brier: ReportMeasure,
  ece: ReportMeasure,
  bins: z.array(CalibrationBin),
});
type Calibration = z.infer<typeof Calibration>;
type Whole = With<'calibration', Calibration | null>;

function* statedIn(facts: readonly TrialFacts[]) {
  for (const { truth, outcome, confidence } of facts)
    if (truth !== null && (outcome === 'pass' || outcome === 'fail'))
      yield { confidence, correct: truth === outcome };
}

function calibrationOfFacts(facts: readonly TrialFacts[]): Calibration | null {
  const made = calibrationOf(statedIn(facts));
  return made.brier.defined ? made : null;
}

const binsText = ({ bins }: Calibration): string =>
  bins
    .filter(({ n }) => n > 0)
    .map(
      ({ from, to, n, accuracy }) =>
        `${from.toFixed(1)}–${to.toFixed(1)}: ${fixed(accuracy, 2)} (${grouped(n)})`,
    )
    .join('\n');

function calibrationTable({ setups }: { setups: readonly Whole[] }): ReportTable | null {
  const column = (title: string, of: (own: Calibration) => Cell, pageOnly = false): SetupColumn<Whole> => ({
    title,
    pageOnly,
    of: ({ calibration }) => (calibration === null ? notApplicable : of(calibration)),
  });
  return setupTable(
    'Calibration',
    setups.filter(({ calibration }) => calibration !== null),
    [
      column('Brier', ({ brier }) => plain(fixed(brier))),
      column('ECE, 10 bins', ({ ece, missing }) =>
        plain(fixed(ece), missing > 0 ? `${grouped(missing)} without` : undefined),
      ),
      column('Confidence: share right (n)', (own) => plain(binsText(own)), true),
    ],
    "The verdict's confidence (the share of the weight behind it), or that of the only judge. Brier and ECE (expected calibration error): 0 is best.",
  );
}

/** Whether stated confidence matches the share of right decisions; null if no trial states a confidence. */
export const calibration: Metric<'calibration', Calibration | null> = {
  key: 'calibration',
  definitions: [
    {
      part: 'decisions',
      name: 'Brier',
      definition: 'mean of (confidence − outcome)², where the outcome is 1 if right; 0 is best',
      needs: 'decisions with a confidence and a label; without any no table, some without are counted',
      source: 'Brier, Monthly Weather Review 78, 1950',
    },
    {
      part: 'decisions',
      name: 'ECE',
      definition: '\\|accuracy − mean confidence\\| in ten bins of equal width, weighted by their decisions',
      needs: 'the same; many decisions in each bin, whose numbers stand beside them',
      source: 'Naeini et al., AAAI 2015',
    },
  ],
  schema: Calibration.nullable(),
  of: ({ facts }) => calibrationOfFacts(facts),
  tables: [{ id: 'calibration', section: 'reliability', of: calibrationTable }],
  csv: [measureColumn('ece', (setup) => setup.calibration?.ece)],
};
