import { fixed, grouped, NONE, rangeText } from '../../benchmark/reports/format.ts';
import type { Report, SetupReport } from '../../benchmark/reports/report.ts';
import { agreementOn } from '../../benchmark/reports/setup-report.ts';
import { plainText } from './plain-text.ts';
import type { Screen } from './render-card.ts';
import { type TextColumn, textTable } from './text-table.ts';

const left = (title: string): TextColumn => ({ title, align: 'left' });
const right = (title: string): TextColumn => ({ title, align: 'right' });

/** Scores, and how near they come to labels; nothing where no trial has one. */
export function scoresTable(screen: Screen, { setups }: Report): string[] {
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
  if (rows.length === 0) return [];
  const columns = ['mean', '95 %', 'scored', 'mean error', 'Spearman', '95 %', 'Kendall', 'alpha'].map(right);
  return [
    '',
    screen.colors.bold('Scores, and against those that labels state'),
    ...textTable(screen, [left('configuration'), ...columns], rows, 1),
  ];
}

const byId = ({ criteria }: SetupReport, id: string) => criteria.find((one) => one.id === id);

/** How well each criterion is judged, with the front over all of them; nothing where fewer than two have labels. */
export function criteriaTable(screen: Screen, { setups, pareto }: Report): string[] {
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
  return [
    '',
    screen.colors.bold(
      'Accuracy by criterion, of scores Spearman (◆ beaten by nobody in all of them together)',
    ),
    ...textTable(screen, [left('configuration'), ...criteria.map((id) => right(plainText(id)))], rows, 1),
  ];
}

/** Mean scores of criteria with a scale; nothing where none has one. */
export function criterionScoresTable(screen: Screen, { setups }: Report): string[] {
  const scored = setups.flatMap(({ criteria }) => criteria.filter(({ scores }) => scores !== null));
  const ids = [...new Set(scored.map(({ id }) => id))];
  if (ids.length === 0) return [];
  const meanOf = (setup: SetupReport, id: string): string => {
    const mean = byId(setup, id)?.scores?.mean;
    return mean === undefined ? NONE : `${fixed(mean.measure, 2)} (${rangeText(mean.interval, 2)})`;
  };
  // One line a criterion: there may be a dozen.
  const rows = ids.map((id) => [plainText(id), ...setups.map((setup) => meanOf(setup, id))]);
  return [
    '',
    screen.colors.bold('Mean scores by criterion, 95 %'),
    ...textTable(screen, [left('criterion'), ...setups.map(({ id }) => right(plainText(id)))], rows, 1),
  ];
}
