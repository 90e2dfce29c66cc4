import wrapAnsi from 'wrap-ansi';
import {
  duration,
  fixed,
  hasDecisions,
  NONE,
  percent,
  pText,
  rangeText,
  shown,
  signed,
  signedRange,
} from '../../benchmark/reports/format.ts';
import { publishedResultOf } from '../../benchmark/reports/published-results.ts';
import type { Estimate, Report, SetupReport } from '../../benchmark/reports/report.ts';
import { agreementOn } from '../../benchmark/reports/setup-report.ts';
import { counted, grouped, plainText, usd } from '../../common/text.ts';
import { left, right, textTable, titledTable } from './table.ts';
import type { Screen } from './terminal.ts';

/** Scores, and how near they come to labels; nothing where no trial has one. */
function scoresTable(screen: Screen, { setups }: Report): string[] {
  const rows = setups.flatMap(({ id, scores, trials }) => {
    if (scores === null) return [];
    const { mean, against, n } = scores;
    const own = [
      plainText(id),
      fixed(mean.measure, 2),
      rangeText(mean.interval, 2),
      `${grouped(n)} of ${grouped(trials)}`,
    ];
    if (against === null) return [[...own, NONE, NONE, NONE, NONE, NONE]];
    const { meanAbsoluteError, spearman, kendall, alpha, alphaScale } = against;
    return [
      [
        ...own,
        fixed(meanAbsoluteError.measure, 2),
        fixed(spearman.measure),
        rangeText(spearman.interval),
        fixed(kendall),
        `${fixed(alpha.measure)} (${alphaScale})`,
      ],
    ];
  });
  const columns = ['mean', '95 %', 'scored', 'mean error', 'Spearman', '95 %', 'Kendall', 'alpha'];
  return titledTable(
    screen,
    'Scores, and against those that labels state',
    ['configuration', ...columns],
    rows,
  );
}

const byId = ({ criteria }: SetupReport, id: string) => criteria.find((one) => one.id === id);

/** How well each criterion is judged, with the front over all of them; nothing where fewer than two have labels. */
function criteriaTable(screen: Screen, { setups, pareto }: Report): string[] {
  if (pareto.criteria === null) return [];
  const { criteria, front } = pareto.criteria;
  const cellOf = (setup: SetupReport, id: string): string => {
    const found = byId(setup, id);
    const measure = found === undefined ? null : agreementOn(found);
    return measure === null ? NONE : `${fixed(measure)} of ${grouped(measure.n)}`;
  };
  const rows = setups.map((setup) => [
    `${front.includes(setup.id) ? '◆ ' : ''}${plainText(setup.id)}`,
    ...criteria.map((id) => cellOf(setup, id)),
  ]);
  const title = 'Accuracy by criterion, of scores Spearman (◆ not beaten in all of them together)';
  return titledTable(screen, title, ['configuration', ...criteria.map(plainText)], rows);
}

/** Mean scores of criteria with a scale; nothing where none has one. */
function criterionScoresTable(screen: Screen, { setups }: Report): string[] {
  const scored = setups.flatMap(({ criteria }) => criteria.filter(({ scores }) => scores !== null));
  const ids = [...new Set(scored.map(({ id }) => id))];
  const meanOf = (setup: SetupReport, id: string): string => {
    const mean = byId(setup, id)?.scores?.mean;
    return mean === undefined ? NONE : `${fixed(mean.measure, 2)} (${rangeText(mean.interval, 2)})`;
  };
  // One line a criterion: there may be a dozen.
  const rows = ids.map((id) => [plainText(id), ...setups.map((setup) => meanOf(setup, id))]);
  const columns = ['criterion', ...setups.map(({ id }) => plainText(id))];
  return titledTable(screen, 'Mean scores by criterion, 95 %', columns, rows);
}

/** Cost and time alone, where there is no decision to be right or wrong. */
function effortTable(screen: Screen, { setups }: Report): string[] {
  const rows = setups.map(({ id, trials, efficiency: { costUsd, latencyMs } }) => [
    plainText(id),
    grouped(trials),
    shown(costUsd.mean, usd),
    `${shown(latencyMs.median, duration)} / ${shown(latencyMs.p95, duration)}`,
  ]);
  const columns = [left('configuration'), ...['trials', 'cost', 'median / p95'].map(right)];
  return textTable(screen, columns, rows, 1);
}

function scoreTable(screen: Screen, { setups, pareto }: Report, published: boolean): string[] {
  const twins = setups.map((setup) => (published ? publishedResultOf(setup) : null));
  const withTwins = twins.some((twin) => twin !== null);
  const rows = setups.map(({ id, effectiveness: e, efficiency: f }, index) => [
    plainText(id),
    `${pareto.all.front.includes(id) ? '◆ ' : ''}${fixed(e.f1.measure)}`,
    rangeText(e.f1.interval),
    ...(withTwins ? [twins[index]?.f1?.toFixed(3) ?? NONE] : []),
    fixed(e.precision.measure),
    fixed(e.recall.measure),
    fixed(e.accuracy.measure),
    `${grouped(e.undecided)} / ${grouped(e.unscored)} of ${grouped(e.n)}`,
    shown(f.costUsd.mean, usd),
    `${shown(f.latencyMs.median, duration)} / ${shown(f.latencyMs.p95, duration)}`,
  ]);
  const columns = [
    left('configuration'),
    ...['F1', '95 %', ...(withTwins ? ['published'] : []), 'precision', 'recall', 'accuracy'].map(right),
    ...['no decision', 'cost', 'median / p95'].map(right),
  ];
  return textTable(screen, columns, rows, 1);
}

function categoryTable(screen: Screen, { setups }: Report): string[] {
  const names = [...new Set(setups.flatMap(({ categories }) => categories.map(({ category }) => category)))];
  if (names.length === 0) return [];
  const accuracy = ({ categories }: SetupReport, name: string): string => {
    const found = categories.find(({ category }) => category === name);
    if (found === undefined) return NONE;
    const { accuracy, undecided, unscored } = found;
    return undecided + unscored > 0
      ? `${fixed(accuracy.measure)} of ${grouped(accuracy.measure.n)}`
      : fixed(accuracy.measure);
  };
  const rows = setups.map((setup) => [plainText(setup.id), ...names.map((name) => accuracy(setup, name))]);
  return titledTable(screen, 'Accuracy by error type', ['configuration', ...names.map(plainText)], rows);
}

function equalCallsTable(screen: Screen, { equalCalls }: Report): string[] {
  const rows = equalCalls.map(({ first, scores, onlyFirst, onlySecond, pValue }) => [
    plainText(first),
    fixed(scores.f1.first),
    fixed(scores.f1.second),
    signed(scores.f1.difference),
    signedRange(scores.f1.interval),
    `${grouped(onlyFirst)} / ${grouped(onlySecond)}`,
    pText(pValue),
  ]);
  const columns = ['debate', 'F1', 'F1 of vote', 'vote less debate', '95 %', 'only debate / vote right', 'p'];
  return titledTable(screen, 'Debates beside votes of equal calls', columns, rows);
}

function agreementTable(screen: Screen, { setups }: Report): string[] {
  const cells = (estimate: Estimate | null): string[] =>
    estimate === null
      ? [NONE, NONE]
      : [`${fixed(estimate.measure)} of ${grouped(estimate.measure.n)}`, rangeText(estimate.interval)];
  const rated = setups.filter(({ agreement: { labels, judges } }) => judges !== null || labels.measure.n > 0);
  const rows = rated.map(({ id, agreement }) => [
    plainText(id),
    ...cells(agreement.labels),
    ...cells(agreement.judges),
  ]);
  const title = "Agreement beyond chance (Cohen's kappa, Krippendorff's alpha of the first round)";
  const columns = ['configuration', 'kappa, labels', '95 %', 'alpha, judges', '95 %'];
  return titledTable(screen, title, columns, rows);
}

function flipsTable(screen: Screen, { setups }: Report): string[] {
  const rows = setups.flatMap(({ id, repeats, flips }) =>
    flips === null ? [] : [[plainText(id), String(repeats), percent(flips.anyFlip), percent(flips.pairwise)]],
  );
  const columns = ['configuration', 'repeats', 'cases that flip', 'pairs that differ'];
  return titledTable(screen, 'Flips over repeats', columns, rows);
}

const mistakesLine = ({ setups, mistakes }: Report): string => {
  const total = setups.reduce((sum, { id }) => sum + (mistakes.counts[id] ?? 0), 0);
  return total === 0
    ? 'No trial differs from its label.'
    : `${counted(total, 'trial')} ${total === 1 ? 'differs' : 'differ'} from the label: --out writes them with the judges' reasoning.`;
};

const NOTE =
  '◆ not beaten in F1, mean cost and median latency together. Positive class: pass. Scores leave out trials without a decision: undecided (no majority) / unscored (no usable answer), of those with a label. Cost and time: a trial.';

/** A report as a terminal shows it. */
export function reportText(screen: Screen, report: Report, published: boolean): string {
  const { bold, dim } = screen.colors;
  const { run, trials, planned } = report;
  const decides = hasDecisions(report);
  const incomplete =
    trials < planned ? `, not complete: ${grouped(trials)} of ${grouped(planned)} trials` : '';
  return [
    `${bold(run.name)}: ${counted(run.dataset.cases, 'case')} (${grouped(run.dataset.labeled)} labeled) of ${plainText(run.dataset.source)}${incomplete}`,
    '',
    ...(decides ? scoreTable(screen, report, published) : effortTable(screen, report)),
    '',
    dim(wrapAnsi(decides ? NOTE : 'Cost and time: a trial.', screen.width)),
    ...scoresTable(screen, report),
    ...categoryTable(screen, report),
    ...criteriaTable(screen, report),
    ...criterionScoresTable(screen, report),
    ...equalCallsTable(screen, report),
    ...agreementTable(screen, report),
    ...flipsTable(screen, report),
    ...(decides ? ['', mistakesLine(report)] : []),
  ].join('\n');
}
