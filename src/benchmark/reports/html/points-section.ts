import { fixed, grouped, rangeText } from '../format.ts';
import type { Estimate, Report, Scores, SetupReport } from '../report.ts';
import { type Html, html } from './html.ts';
import type { Labels } from './labels.ts';
import { cell, dataTable, noneCell } from './table.ts';

const estimated = (estimate: Estimate | undefined, digits = 3): Html => {
  if (estimate === undefined) return noneCell();
  const { measure, interval } = estimate;
  return measure.defined ? cell(fixed(measure, digits), rangeText(interval, digits)) : noneCell(measure.why);
};

function againstCells(against: Scores['against']): Html {
  if (against === null) return html`${Array.from({ length: 5 }, () => noneCell())}`;
  const { spearman, kendall, pearson, alpha, alphaScale, meanAbsoluteError } = against;
  const alphaCell = alpha.measure.defined
    ? cell(fixed(alpha.measure), `${rangeText(alpha.interval)}, ${alphaScale}`)
    : noneCell(alpha.measure.why);
  return html`${estimated(meanAbsoluteError, 2)}${estimated(spearman)}${cell(fixed(kendall))}${cell(fixed(pearson))}${alphaCell}`;
}

const heads = [
  'Configuration',
  'Mean score',
  'Scored',
  'Mean error',
  'Spearman',
  'Kendall',
  'Pearson',
  'Alpha',
];

const hasScores = (setup: SetupReport): setup is SetupReport & { scores: Scores } => setup.scores !== null;

/** Scores and how near they come to labels, as tables 8 and 9 of Chen et al. */
export function pointsSection({ setups }: Report, labels: Labels): Html | null {
  const scored = setups.filter(hasScores);
  if (scored.length === 0) return null;
  const rows = scored.map(({ scores, ...setup }) => {
    const count = cell(grouped(scores.n), `of ${grouped(setup.trials)}`);
    return html`${labels.head({ ...setup, scores })}${estimated(scores.mean, 2)}${count}${againstCells(scores.against)}`;
  });
  return html`${dataTable('Scores', heads, rows)}<p class="note">Small numbers: 95 % intervals, bootstrap by case. Mean error, rank correlations (Spearman, Kendall’s tau-b), Pearson’s and Krippendorff’s alpha compare with the scores that labels state; alpha is ordinal where scores and labels are few whole numbers, else interval.${
    scored.some(({ scores }) => scores.against === null) ? ' · stands where no label states a score.' : ''
  }</p>`;
}
