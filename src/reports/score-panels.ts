import * as z from 'zod';
import type { RunManifest, Trial } from '../benchmark/index.ts';
import { groupedBy } from '../common/index.ts';
import { type Bin, jackknifeEstimate, ratio, sum, swapTest } from '../statistics/index.ts';
import { closestOfOtherHalf, errorSums, spearman } from '../statistics/raters/index.ts';
import { binsOf, Estimate, ReportMeasure } from './estimates/index.ts';
import type { TrialFacts } from './facts/index.ts';
import { createTies } from './metrics/index.ts';
import { createBenches } from './panel-benches.ts';
import { adjusted, Benefit, besideBest, SharedErrors, sharedErrorsOf } from './panel-benefit.ts';

/** How far scores are from those of the labels, on the scale of the rubric. */
const Distance = z.strictObject({
  /** Mean absolute difference. */
  off: Estimate,
  /** Mean of score minus label: above 0, the judge is more generous. */
  bias: ReportMeasure,
  /** Spearman's rank correlation with the labels. */
  correlation: ReportMeasure,
});

/** Several judges that score the same labeled cases, and what their mean is worth. */
export const ScorePanelReport = z.strictObject({
  /** See `PanelReport`. */
  id: z.string(),
  judges: z.array(
    Distance.extend({
      name: z.string(),
      /** The mean of the others. */
      without: z.strictObject({
        off: Estimate,
        /** How far it is from the mean of all on average. */
        moved: ReportMeasure,
      }),
    }),
  ),
  /** Cases with a score in their label that all judges scored. */
  cases: z.int(),
  /** Cases with such a label that some judge did not score. */
  leftOut: z.int(),
  /** Whether the labels are what several people said. */
  byPeople: z.boolean(),
  /** The mean of the judges' scores. */
  panel: Distance,
  /** The judge that is off least, chosen on one half of the cases and measured on the other, both ways. */
  best: z.strictObject({
    /** The judge chosen for each half. */
    names: z.array(z.string()),
    off: Estimate,
    /** Of the difference: how much closer to the labels the panel is. */
    ...Benefit.shape,
  }),
  shared: SharedErrors,
});
export type ScorePanelReport = z.infer<typeof ScorePanelReport>;

interface ScoredCase {
  unit: number;
  truth: number;
  said: readonly number[];
}

/** The sum of some values of cases that belong together, or of one case. */
interface Part {
  items: number;
  total: number;
}

const keyOf = ({ items, total }: Part): string => `${items} ${total}`;

const partsOf = (cases: readonly ScoredCase[], of: (one: ScoredCase, at: number) => number): Part[] => {
  const values = cases.map((one, at) => ({ unit: one.unit, value: of(one, at) }));
  return [...groupedBy(values, ({ unit }) => unit).values()].map((own) => ({
    items: own.length,
    total: sum(own.map(({ value }) => value)),
  }));
};

const meanOf = (bins: readonly Bin<Part>[]) => {
  const over = (of: (part: Part) => number) => sum(bins.map(({ value, items }) => items * of(value)));
  const n = over(({ items }) => items);
  return ratio(
    over(({ total }) => total),
    n,
    n,
    'there is no case',
  );
};

const meanEstimate = (parts: readonly Part[], range: 'positive' | 'any'): Estimate =>
  jackknifeEstimate(binsOf(parts, keyOf), meanOf, range);

type ScoreOf = (one: ScoredCase) => number;

const distanceOf = (cases: readonly ScoredCase[], scoreOf: ScoreOf): z.infer<typeof Distance> => {
  const tied = createTies();
  return {
    off: meanEstimate(
      partsOf(cases, (one) => Math.abs(scoreOf(one) - one.truth)),
      'positive',
    ),
    bias: meanOf(
      binsOf(
        partsOf(cases, (one) => scoreOf(one) - one.truth),
        keyOf,
      ),
    ),
    correlation: spearman(
      cases.map((one) => tied(scoreOf(one))),
      cases.map(({ truth }) => tied(truth)),
    ),
  };
};

/** The mean of some judges' scores. */
const meanScore =
  (without?: number): ScoreOf =>
  ({ said }) => {
    const others = said.filter((_, judge) => judge !== without);
    return sum(others) / others.length;
  };

export const sharedErrors = (names: readonly string[], cases: readonly ScoredCase[]): SharedErrors =>
  sharedErrorsOf(
    names,
    [...groupedBy(cases, ({ unit }) => unit).values()].map((own) =>
      errorSums(
        own.map(({ said, truth }) => said.map((score) => score - truth)),
        names.length,
      ),
    ),
  );

/** The panel's mean beside the judge that is off least. */
function againstBest(names: readonly string[], cases: readonly ScoredCase[]): ScorePanelReport['best'] {
  const found = closestOfOtherHalf(
    cases.map(({ unit, truth, said }) => ({ unit, losses: said.map((score) => Math.abs(score - truth)) })),
    names.length,
  );
  const best = besideBest(names, found, cases.length, ({ losses }) => {
    const panel = meanScore();
    const panelOff = (one: ScoredCase) => Math.abs(panel(one) - one.truth);
    const alone = partsOf(cases, (_, at) => losses[at] ?? 0);
    const together = partsOf(cases, panelOff);
    const closer = meanEstimate(
      partsOf(cases, (one, at) => (losses[at] ?? 0) - panelOff(one)),
      'any',
    );
    const sides = alone.map((first, at) => ({ first, second: together[at] ?? first }));
    return {
      alone: meanEstimate(alone, 'positive'),
      difference: closer.measure,
      interval: closer.interval,
      pValue: swapTest(
        binsOf(sides, ({ first, second }) => `${keyOf(first)} | ${keyOf(second)}`),
        meanOf,
        keyOf,
      ),
    };
  });
  return { names: best.names, off: best.alone, ...best.benefit };
}

function panelReport(
  id: string,
  names: readonly string[],
  cases: readonly ScoredCase[],
  about: Pick<ScorePanelReport, 'leftOut' | 'byPeople'>,
): ScorePanelReport {
  const panel = meanScore();
  return {
    id,
    judges: names.map((name, judge) => {
      const others = meanScore(judge);
      return {
        name,
        ...distanceOf(cases, ({ said }) => said[judge] ?? 0),
        without: {
          off: distanceOf(cases, others).off,
          moved: meanOf(
            binsOf(
              partsOf(cases, (one) => Math.abs(others(one) - panel(one))),
              keyOf,
            ),
          ),
        },
      };
    }),
    cases: cases.length,
    ...about,
    panel: distanceOf(cases, panel),
    best: againstBest(names, cases),
    shared: sharedErrors(names, cases),
  };
}

/** Collects the scores that judges give labeled cases, see `createBenches`. Preferences between two answers are no scores. */
export function createScorePanels(
  manifest: Pick<RunManifest, 'configurations'>,
  cases: readonly { label?: { answers?: readonly unknown[] | undefined } | undefined }[],
) {
  const { add: seat, benches } = createBenches<number>(manifest);
  return {
    add(trial: Trial, setup: string, facts: TrialFacts): void {
      const truth = facts.labelScore;
      if (trial.preference !== undefined || truth === null) return;
      seat(trial, setup, facts, { truth, decided: trial.score, saidBy: ({ score }) => score });
    },
    result(): ScorePanelReport[] {
      const reports = benches().flatMap(({ id, names, rows }) => {
        const scored = rows.flatMap(({ unit, truth, said }): ScoredCase[] => {
          const scores = said.filter((score) => score !== null);
          return scores.length < said.length ? [] : [{ unit, truth, said: scores }];
        });
        const byPeople = rows.some(({ place }) => (cases[place]?.label?.answers ?? []).length > 0);
        const about = { leftOut: rows.length - scored.length, byPeople };
        return scored.length < 2 ? [] : [panelReport(id, names, scored, about)];
      });
      return adjusted(reports);
    },
  };
}
