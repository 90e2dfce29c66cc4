import { grouped } from '../../common/text.ts';
import { gapsIn } from '../../statistics/classification.ts';
import { fixed, percent, pTexts, shown } from './format.ts';
import type { Estimate, PairReport } from './measures.ts';
import type { Report, SetupReport } from './report.ts';
import {
  type Cell,
  type Column,
  differenceCell,
  estimateCell,
  notApplicable,
  plain,
  type ReportTable,
  type SetupColumn,
  setupTable,
} from './tables.ts';

/** Whether debates gain anything over plain votes with as many calls. */
export function equalCallsTable({ setups, equalCalls }: Report): ReportTable | null {
  if (equalCalls.length === 0) return null;
  const both = (of: (side: 'first' | 'second') => string): string => `${of('first')} / ${of('second')}`;
  const columns: (Column & { of: (pair: PairReport) => Cell })[] = [
    { title: 'F1 debate', of: (pair) => plain(fixed(pair.scores.f1.first)) },
    { title: 'F1 vote', of: (pair) => plain(fixed(pair.scores.f1.second)) },
    { title: 'Vote minus debate', notes: '95 %', of: (pair) => differenceCell(pair.scores.f1) },
    {
      title: 'Where both decided',
      notes: 'cases',
      pageOnly: true,
      of: ({ decided: { cases, scores } }) => plain(differenceCell(scores.f1).text, `of ${grouped(cases)}`),
    },
    { title: 'Accuracy', pageOnly: true, of: (pair) => differenceCell(pair.scores.accuracy) },
    {
      title: 'Only debate / vote right',
      notes: 'McNemar',
      of: (pair) => plain(`${grouped(pair.onlyFirst)} / ${grouped(pair.onlySecond)}`, pTexts(pair)),
    },
    {
      title: 'No decision',
      pageOnly: true,
      of: (pair) =>
        plain(
          both((side) => grouped(gapsIn(pair.gaps[side]))),
          `of ${both((side) => grouped(pair.gaps[side].n))}`,
        ),
    },
    {
      title: 'Calls',
      pageOnly: true,
      of: ({ calls }) => plain(both((side) => shown(calls[side], (n) => n.toFixed(1)))),
    },
  ];
  return {
    title: 'Debates and votes with equal calls',
    head: 'Debate',
    columns,
    rows: equalCalls.map((pair) => ({
      head: setups.find(({ id }) => id === pair.first) ?? pair.first,
      cells: columns.map(({ of }) => of(pair)),
    })),
    note: "The vote samples the same panel once, case by case with as many calls as the debate took. A case without a decision counts as wrong. Intervals: 95 %, of the same cases; p: McNemar's exact test, or that of groups of cases that belong together; of several comparisons also adjusted for their number (Holm). An interval that contains 0 means that the debate may gain nothing over the vote.",
  };
}

/** Agreement with labels and between judges. */
export function agreementTable({ setups }: Report): ReportTable | null {
  const column = (title: string, of: (setup: SetupReport) => Estimate | null): SetupColumn => ({
    title,
    notes: '95 %',
    of: (setup) => {
      const estimate = of(setup);
      if (estimate === null || estimate.measure.n === 0) return notApplicable;
      const cell = estimateCell(estimate);
      return { ...cell, text: `${cell.text} of ${grouped(estimate.measure.n)}` };
    },
  });
  const labels = column('Decisions and labels: kappa', ({ agreement }) => agreement.labels);
  const judges = column('Judges of a panel: alpha', ({ agreement }) => agreement.judges);
  const withLabels = setups.filter(({ agreement }) => agreement.labels.measure.n > 0);
  const withJudges = setups.filter(({ agreement }) => agreement.judges !== null);
  return setupTable(
    'Agreement',
    setups.filter((setup) => withLabels.includes(setup) || withJudges.includes(setup)),
    [...(withLabels.length > 0 ? [labels] : []), ...(withJudges.length > 0 ? [judges] : [])],
    "Agreement beyond chance: 1 is full agreement, 0 is chance. Cohen's kappa, with no decision as an answer of its own; Krippendorff's alpha (nominal) over trials in which at least two judges answered in the first round, before they saw each other's answers. Intervals: 95 %, by case, or by group where cases belong together.",
  );
}

export function flipsTable({ setups }: Report): ReportTable | null {
  return setupTable(
    'Flips over repeats',
    setups.filter(({ flips }) => flips !== null),
    [
      { title: 'Repeats', of: ({ repeats }) => plain(String(repeats)) },
      {
        title: 'Cases that flip',
        of: ({ flips }) =>
          flips === null ? notApplicable : plain(percent(flips.anyFlip), `of ${grouped(flips.anyFlip.n)}`),
      },
      {
        title: 'Pairs that differ',
        of: ({ flips }) => (flips === null ? notApplicable : plain(percent(flips.pairwise))),
      },
    ],
  );
}

type Calibrated = NonNullable<SetupReport['calibration']>;

const binsText = ({ bins }: Calibrated): string =>
  bins
    .filter(({ n }) => n > 0)
    .map(
      ({ from, to, n, accuracy }) =>
        `${from.toFixed(1)}–${to.toFixed(1)}: ${fixed(accuracy, 2)} (${grouped(n)})`,
    )
    .join('\n');

export function calibrationTable({ setups }: Report): ReportTable | null {
  const column = (title: string, of: (own: Calibrated) => Cell, pageOnly = false): SetupColumn => ({
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
