import * as z from 'zod';
import { groupedBy } from '../../common/index.ts';
import { grouped } from '../../common/text/index.ts';
import { type Bin, jackknifeEstimate, type Measure } from '../../statistics/index.ts';
import {
  type Confusion,
  cohenKappa,
  type GapRule,
  krippendorffAlpha,
  type Tally,
} from '../../statistics/raters/index.ts';
import { binsOf, countsIn, Estimate, type Statistic, unlessDecided } from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import type { Effectiveness } from './classification.ts';
import { estimateColumns } from './csv-columns.ts';
import type { Metric } from './metric.ts';
import type { With } from './setup-head.ts';
import { estimateCell, notApplicable, type ReportTable, type SetupColumn, setupTable } from './table.ts';

/** Beyond chance: Cohen's kappa of decisions with labels, Krippendorff's alpha of a panel's judges in the first round. */
const Agreement = z.strictObject({
  /** No decision counts as the wrong one. */
  labels: Estimate,
  /** Over the trials that got a decision. */
  decided: Estimate,
  /** Null if no trial has answers of two judges, or some judges were not asked. `n`: trials with at least two, labeled or not. */
  judges: Estimate.nullable(),
});
type Agreement = z.infer<typeof Agreement>;

/**
 * Decisions and labels as two raters. A trial without a decision counts as the wrong decision, as for every score: as an answer of its own,
 * which no label has, it would be less likely by chance, and abstaining better than guessing.
 */
export function kappaWithLabels(bins: readonly Bin<Confusion>[], gaps: GapRule): Estimate {
  const none = unlessDecided(bins);
  if (none !== null) return { measure: none, interval: none };
  const kappa: Statistic<Confusion> = (some) => {
    const { tp, fp, fn, tn } = countsIn(some, gaps);
    return cohenKappa([
      [tp, fn],
      [fp, tn],
    ]);
  };
  return jackknifeEstimate(bins, kappa, 'correlation');
}

/** The tallies of one unit's trials, sorted. */
type UnitTallies = readonly Tally[];

function talliesByUnit(facts: readonly TrialFacts[]): UnitTallies[] {
  const judged = facts.filter(({ firstRound: { pass, fail } }) => pass + fail >= 2);
  const order = ([a = 0, b = 0]: Tally, [c = 0, d = 0]: Tally) => a - c || b - d;
  return [...groupedBy(judged, ({ unit }) => unit).values()].map((trials) =>
    trials.map(({ firstRound: { pass, fail } }): Tally => [pass, fail]).sort(order),
  );
}

const alphaOf = (bins: readonly Bin<UnitTallies>[]): Measure =>
  krippendorffAlpha(
    bins.flatMap(({ value, items }) => value.map((tally) => ({ value: tally, items }))),
    { scale: 'nominal' },
  );

function amongJudges(facts: readonly TrialFacts[]): Estimate | null {
  // Whom a panel still asks depends on what it has heard: the answers of the others are no fair sample.
  if (facts.some(({ stopped }) => stopped)) return null;
  const units = talliesByUnit(facts);
  return units.length === 0
    ? null
    : jackknifeEstimate(
        binsOf(units, (tallies) => tallies.join(';')),
        alphaOf,
        'correlation',
      );
}

/**
 * Agreement of decisions with labels, and of judges with each other, beyond chance. For debates only the first round counts: later ones
 * show who gave in.
 *
 * @param bins outcomes of all trials of each unit
 */
const agreementOf = (facts: readonly TrialFacts[], bins: readonly Bin<Confusion>[]): Agreement => ({
  labels: kappaWithLabels(bins, 'wrong'),
  decided: kappaWithLabels(bins, 'exclude'),
  judges: amongJudges(facts),
});

type Whole = With<'agreement', Agreement> & With<'effectiveness', Effectiveness>;

/** Agreement with labels and between judges. */
function agreementTable({ setups }: { setups: readonly Whole[] }): ReportTable | null {
  const column = (title: string, of: (setup: Whole) => Estimate | null): SetupColumn<Whole> => ({
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
    "Agreement beyond chance: 1 is full agreement, 0 is chance. Cohen's kappa, with no decision as the wrong one; Krippendorff's alpha (nominal) over trials in which at least two judges answered in the first round, before they saw each other's answers. Intervals: 95 %, by case, or by group where cases belong together.",
  );
}

/** How far decisions agree with labels, and a panel's judges with each other. */
export const agreement: Metric<'agreement', Agreement, Whole> = {
  key: 'agreement',
  definitions: [
    {
      part: 'decisions',
      name: 'kappa, labels',
      definition:
        'Cohen’s kappa of decisions and labels, with no decision as the wrong one: abstaining gains nothing over guessing',
      needs: 'right labels, and both outcomes among labels and decisions; else why there is none',
      source: 'Cohen, Educational and Psychological Measurement 20, 1960',
    },
    {
      part: 'decisions',
      name: 'alpha, judges',
      definition:
        'Krippendorff’s alpha, nominal, of a panel’s judges in the first round, before they saw each other’s answers',
      needs:
        'two judges or more in a panel, all of them asked: none for panels that stop once the majority is decided; and why where all ratings are the same',
      source: 'Krippendorff, Computing Krippendorff’s Alpha-Reliability, 2011',
    },
  ],
  schema: Agreement,
  of: ({ facts, labeled }) => agreementOf(facts, labeled),
  tables: [{ id: 'agreement', section: 'reliability', of: agreementTable }],
  groupColumns: [
    {
      title: 'Kappa',
      of: ({ effectiveness: { n }, agreement: { labels } }) => (n === 0 ? null : estimateCell(labels, 2)),
    },
  ],
  csv: [
    estimateColumns('kappa with labels', (setup) => setup.agreement.labels),
    estimateColumns('kappa with labels of decided', (setup) => setup.agreement.decided),
    estimateColumns('alpha of judges', (setup) => setup.agreement.judges),
  ],
};
