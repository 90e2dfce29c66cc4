import { grouped } from '../../common/text.ts';
import { fixed, rangeText } from './format.ts';
import { LEAST_COVERAGE, type ReportMeasure } from './measures.ts';
import type { CriterionReport, Report, SetupReport } from './report.ts';
import { rankable } from './scores.ts';
import {
  type Cell,
  criterionOf,
  decidedText,
  estimateCell,
  FEW_CRITERIA,
  isLabeled,
  methodOf,
  notApplicable,
  placeIn,
  plain,
  type ReportTable,
  type SetupColumn,
  setupTable,
  unique,
} from './tables.ts';

const shaded = (cell: Cell, measure: ReportMeasure): Cell =>
  measure.defined ? { ...cell, shade: measure.value } : cell;

/** A table with a cell for each method (rows) and model (columns). */
const gridTable = (
  title: string,
  ways: readonly string[],
  models: readonly string[],
  cellOf: (way: string, model: string) => Cell,
): ReportTable => ({
  title,
  head: 'Method',
  columns: models.map((model) => ({ title: model })),
  rows: ways.map((way) => ({ head: way, cells: models.map((model) => cellOf(way, model)) })),
});

/** F1 by method and model, as in figure 3 of Habicht et al. */
export function f1Table(report: Report): ReportTable | null {
  const { setups } = report;
  if (!isLabeled(report)) return null;
  const wayOf = (setup: SetupReport) => methodOf(setup, setups);
  const modelsOf = (setup: SetupReport) => setup.models.join(' + ');
  const models = unique(setups.map(modelsOf));
  const cellOf = (way: string, model: string): Cell => {
    const setup = setups.find((one) => wayOf(one) === way && modelsOf(one) === model);
    if (setup === undefined) return notApplicable;
    const { f1, decided, n } = setup.effectiveness;
    const note = [rangeText(f1.interval, 2), ...decidedText(decided.f1, n)].join(', ');
    return shaded({ ...estimateCell(f1), note }, f1.measure);
  };
  return gridTable('F1 by method and model', unique(setups.map(wayOf)), models, cellOf);
}

/** Accuracy by error type, as in figures 7 to 9 of Habicht et al. */
export function categoriesTable({ setups }: Report): ReportTable | null {
  const find = ({ categories }: SetupReport, name: string) =>
    categories.find(({ category }) => category === name);
  const names = unique(setups.flatMap(({ categories }) => categories.map(({ category }) => category)));
  if (names.length === 0) return null;
  const columns = names.map((name): SetupColumn => {
    const sizes = setups.map((setup) => {
      const found = find(setup, name);
      return found?.accuracy.measure.n ?? 0;
    });
    return {
      title: name,
      below: `n = ${grouped(Math.max(...sizes))}`,
      of: (setup) => {
        const found = find(setup, name);
        if (found === undefined) return notApplicable;
        const { measure, interval } = found.accuracy;
        const note = [rangeText(interval, 2), ...decidedText(found.decided, measure.n)].join(', ');
        return shaded({ text: fixed(measure), note }, measure);
      },
    };
  });
  return setupTable(
    'Accuracy by error type',
    setups,
    columns,
    'Share of right decisions; n counts all trials of a configuration, and one without a decision is not right. “Of decided” leaves those out.',
  );
}

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

/** How often criteria that need not apply were found relevant, and how far that is what labels say. */
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
