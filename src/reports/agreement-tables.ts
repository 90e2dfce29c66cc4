import { grouped } from '../common/text/index.ts';
import { gapsIn } from '../statistics/raters/index.ts';
import {
  type Estimate,
  fixed,
  LEAST_COVERAGE,
  type PairReport,
  percent,
  pTexts,
  rangeText,
  shown,
} from './measures.ts';
import type { CriterionReport, Report, SetupReport } from './report.ts';
import { rankable } from './scores.ts';
import {
  type Cell,
  type Column,
  criterionOf,
  decidedText,
  differenceCell,
  estimateCell,
  FEW_CRITERIA,
  notApplicable,
  placeIn,
  plain,
  type ReportTable,
  type SetupColumn,
  setupTable,
  shaded,
  unique,
} from './tables.ts';

/** The share of right decisions on a criterion, or the correlation of its scores with labels. */
function agreementCell({ accuracy, decided, kappa, scores }: CriterionReport, few: boolean): Cell {
  if (accuracy !== null && decided !== null && kappa !== null) {
    const { measure, interval } = accuracy;
    const text = `${fixed(measure)} of ${grouped(measure.n)}`;
    const beyond = `kappa ${fixed(kappa.measure, 2)}`;
    const notes = [rangeText(interval, 2), ...(few ? [] : [beyond]), ...decidedText(decided, measure.n)];
    return shaded({ text: few ? `${text}, ${beyond}` : text, note: notes.join(', ') }, measure);
  }
  const against = scores?.against ?? null;
  if (against === null) return notApplicable;
  const { spearman, coverage, n } = against;
  const open = coverage.n - n;
  const note = `${rangeText(spearman.interval, 2)}${open > 0 ? `, ${grouped(open)} without a score` : ''}`;
  return shaded({ text: `${fixed(spearman.measure)} of ${grouped(n)}`, note }, rankable(against).measure);
}

/** How well each criterion is judged, with the front over all of them. */
export function criteriaTable({ setups, pareto }: Report): ReportTable | null {
  const { criteria: front } = pareto;
  if (front === null) return null;
  const columns = front.criteria.map(
    (id): SetupColumn => ({
      title: id,
      of: (setup) => {
        const found = criterionOf(setup, id);
        return found === undefined
          ? notApplicable
          : agreementCell(found, front.criteria.length <= FEW_CRITERIA);
      },
    }),
  );
  return setupTable(
    'Agreement with labels by criterion',
    setups,
    [...columns, { title: 'All together', of: (setup) => placeIn(front, setup) }],
    `Share of right decisions on labeled criteria and the number of trials, with Cohen’s kappa on the page, no decision counted as wrong; for criteria with scores, Spearman’s correlation with the labels, ranked where at least ${LEAST_COVERAGE * 100} % of the labeled trials have a score. ◆ no other configuration is at least as good on every criterion, and better on one.`,
  );
}

/** How often criteria that may not apply were found relevant, and how well that matches the labels. */
export function relevanceTable({ setups }: Report): ReportTable | null {
  const ids = setups.flatMap(({ criteria }) =>
    criteria.flatMap(({ id, relevance }) => (relevance === null ? [] : [id])),
  );
  const columns = [...new Set(ids)].map(
    (id): SetupColumn => ({
      title: id,
      notes: 'kappa',
      of: (setup) => {
        const found = criterionOf(setup, id)?.relevance;
        if (found === undefined || found === null) return notApplicable;
        const { relevant, notRelevant, kappa, anyway } = found;
        const notes = [
          ...(kappa === null ? [] : [fixed(kappa.measure, 2)]),
          ...(anyway === null ? [] : [`${fixed(anyway.kappa.measure, 2)} of decisions`]),
        ];
        const text = `${grouped(relevant)} of ${grouped(relevant + notRelevant)}`;
        return plain(text, notes.length === 0 ? undefined : notes.join(', '));
      },
    }),
  );
  return setupTable(
    'Relevance',
    columns.length === 0 ? [] : setups,
    columns,
    'Trials in which the criterion was found relevant. Cohen’s kappa of that with the labels, and of the decisions with the labels whether it was found relevant or not.',
  );
}

/** Mean scores of criteria with a scale. */
export function criterionScoresTable({ setups }: Report): ReportTable | null {
  const scored = setups.flatMap(({ criteria }) => criteria.filter((one) => one.scores !== null));
  const ids = unique(scored.map(({ id }) => id));
  return setupTable(
    'Mean scores by criterion',
    ids.length === 0 ? [] : setups,
    ids.map((id) => ({
      title: id,
      ...(ids.length > FEW_CRITERIA ? {} : { notes: '95 %' }),
      of: (setup) => estimateCell(criterionOf(setup, id)?.scores?.mean, 2),
    })),
  );
}

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
