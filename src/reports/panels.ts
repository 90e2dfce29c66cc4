import * as z from 'zod';
import type { RunManifest, Trial } from '../benchmark/index.ts';
import type { EvalCase } from '../case/index.ts';
import { groupedBy } from '../common/index.ts';
import { betterOf } from '../judging/verdict/index.ts';
import { alphaOf } from '../labels/index.ts';
import { clusteredShareInterval, ratio, signFlipTest, unmeasured } from '../statistics/index.ts';
import { altTest, bestOfOtherHalf, errorCounts } from '../statistics/raters/index.ts';
import { binsOf, changeBetween, Estimate, ReportMeasure } from './estimates/index.ts';
import type { TrialFacts } from './facts/index.ts';
import { type BenchCase, createBenches, type Bench as JudgeBench } from './panel-benches.ts';
import {
  AheadOfPanel,
  adjusted,
  adjustedBenefits,
  Benefit,
  besideBest,
  SharedErrors,
  sharedErrorsOf,
} from './panel-benefit.ts';

/** What a judge costs less than a person, in the alt-test: for crowd workers, skilled annotators and experts. */
export const EPSILONS = [0.1, 0.15, 0.2] as const;

const AltTested = z.strictObject({ advantage: ReportMeasure, winning: z.array(ReportMeasure) });

/** Several judges of the same labeled cases, and what they are worth together. */
export const PanelReport = z.strictObject({
  /** Of a panel within a setup its id; otherwise what the setups have in common, which are then the judges. */
  id: z.string(),
  judges: z.array(
    z.strictObject({
      name: z.string(),
      accuracy: Estimate,
      /** How much better than the panel it is alone, adjusted for the judges of the panel (Holm). */
      ahead: AheadOfPanel,
      /** The panel without this judge. */
      without: z.strictObject({
        accuracy: Estimate,
        /** Share of the cases with the same decision. */
        same: Estimate,
        undecided: z.int(),
      }),
      /** Null if nobody can be compared with: see `altTest`. */
      altTest: AltTested.nullable(),
    }),
  ),
  /** Cases with a label that all judges were asked about. No answer, and no decision, is not right. */
  cases: z.int(),
  /** Groups of cases that belong together: as many as cases if none do. Null in older reports. */
  groups: z.int().nullable().default(null),
  /** Whether the labels are what several people said. */
  byPeople: z.boolean(),
  /** The answer that most judges give. */
  panel: z.strictObject({ accuracy: Estimate, undecided: z.int(), altTest: AltTested.nullable() }),
  /** The best judge, chosen on one half of the cases and measured on the other, both ways. */
  best: z.strictObject({
    /** The judge chosen for each half. */
    names: z.array(z.string()),
    accuracy: Estimate,
    /** Of the difference: panel minus best judge. */
    ...Benefit.shape,
  }),
  shared: SharedErrors.extend({
    /** Cases that at least one judge, and all judges, got wrong. */
    anyWrong: z.int(),
    allWrong: z.int(),
  }),
  /** Krippendorff's alpha of the judges, and of people where their answers are kept. */
  alpha: z.strictObject({ judges: Estimate, people: Estimate.nullable() }),
  /** How many people the alt-test compares with; null if there is none. */
  annotators: z.int().nullable(),
});
export type PanelReport = z.infer<typeof PanelReport>;

/** An answer as a class: `pass`, `fail`, or which of two answers is better. Null: no answer. */
type Class = string | null;

/** What the judges of a panel said about a case. */
export type PanelCase = BenchCase<string>;

const classOf = ({ decision, score }: { decision: string; score: number | null }, isPair: boolean): Class => {
  if (decision === 'pass' || decision === 'fail') return decision;
  return isPair && score !== null ? betterOf(score) : null;
};

/** Judges who judged the same labeled cases. */
export type Bench = JudgeBench<string>;

/** The answer that most judges give; null on a tie. */
export function majority(said: readonly Class[]): Class {
  const counts = [
    ...groupedBy(
      said.filter((one) => one !== null),
      (one) => one,
    ),
  ].sort(([, a], [, b]) => b.length - a.length);
  const [first, second] = counts;
  return first === undefined || first[1].length === second?.[1].length ? null : first[0];
}

/** A share of cases with its interval, by cases that belong together. */
export function shareOf(cases: readonly { unit: number; has: boolean }[]): Estimate {
  const n = cases.length;
  const hits = cases.filter(({ has }) => has).length;
  const clusters = [...groupedBy(cases, ({ unit }) => unit).values()].map((own) => ({
    successes: own.filter(({ has }) => has).length,
    n: own.length,
  }));
  const interval = clusteredShareInterval(binsOf(clusters, (one) => `${one.successes} ${one.n}`));
  return {
    measure: ratio(hits, n, n, 'there is no case'),
    interval: interval.defined ? { ...interval, by: 'wilson' } : interval,
  };
}

const unitsOf = (cases: readonly PanelCase[]): PanelCase[][] => [
  ...groupedBy(cases, ({ unit }) => unit).values(),
];

const rightsOf = ({ said, truth }: PanelCase): boolean[] => said.map((one) => one === truth);

export const sharedErrors = (names: readonly string[], cases: readonly PanelCase[]): SharedErrors =>
  sharedErrorsOf(
    names,
    unitsOf(cases).map((own) => errorCounts(own.map(rightsOf), names.length)),
  );

/** How much more often one side is right than the other, on the same cases. */
function benefitOf(
  cases: readonly PanelCase[],
  isRight: readonly boolean[],
  isOtherRight: readonly boolean[],
): Omit<Benefit, 'holm'> {
  const pairs = cases.map(({ unit }, at) => ({
    unit,
    gained: isRight[at] === true && isOtherRight[at] !== true ? 1 : 0,
    lost: isRight[at] !== true && isOtherRight[at] === true ? 1 : 0,
  }));
  const change = changeBetween({ pairs, later: [], earlier: [] }, 'judges');
  const none = unmeasured('there is no case', 0);
  const sums = [...groupedBy(pairs, ({ unit }) => unit).values()].map((own) =>
    own.reduce((total, { gained, lost }) => total + gained - lost, 0),
  );
  return {
    difference: change === null ? none : { defined: true, n: change.n, value: change.value },
    interval: change === null ? none : change.interval,
    pValue: signFlipTest(sums),
  };
}

/** How many groups of cases that belong together there are. */
export const groupsIn = (cases: readonly Pick<PanelCase, 'unit'>[]): number =>
  new Set(cases.map(({ unit }) => unit)).size;

/** How much more often each judge alone is right than the panel. */
export function aheadOfPanel(
  judges: number,
  cases: readonly PanelCase[],
  isPanelRight: readonly boolean[],
): Benefit[] {
  return adjustedBenefits(
    Array.from({ length: judges }, (_, judge) => ({
      ...benefitOf(
        cases,
        cases.map(({ said, truth }) => said[judge] === truth),
        isPanelRight,
      ),
      holm: null,
    })),
  );
}

/** The panel's answers beside those of the best judge. */
export function againstBest(
  names: readonly string[],
  cases: readonly PanelCase[],
  isPanelRight: readonly boolean[],
): PanelReport['best'] {
  const found = bestOfOtherHalf(
    cases.map((one) => ({ unit: one.unit, rights: rightsOf(one) })),
    names.length,
  );
  const best = besideBest(names, found, cases.length, ({ isRight }) => ({
    alone: shareOf(cases.map(({ unit }, at) => ({ unit, has: isRight[at] === true }))),
    ...benefitOf(cases, isPanelRight, isRight),
  }));
  return { names: best.names, accuracy: best.alone, ...best.benefit };
}

/** What people said about cases: by person, then by place. */
type People = readonly ReadonlyMap<number, string>[];

/** The panel's place in a list of judges for the alt-test. */
function altTested(answers: ReadonlyMap<number, string>, people: People): z.infer<typeof AltTested> {
  const [first, ...others] = EPSILONS.map((epsilon) => altTest(answers, people, { epsilon }));
  const tests = first === undefined ? [] : [first, ...others];
  return {
    advantage: first?.advantage ?? unmeasured('there is no test', 0),
    winning: tests.map(({ winningRate }) => winningRate),
  };
}

const answersOf = (cases: readonly PanelCase[], of: (one: PanelCase) => Class): Map<number, string> =>
  new Map(
    cases.flatMap((one) => {
      const said = of(one);
      return said === null ? [] : [[one.place, said] as const];
    }),
  );

/** Fewer people could be told apart by how they did, unless the data is public. */
const MIN_PEOPLE = 5;

function panelReport(
  id: string,
  names: readonly string[],
  cases: readonly PanelCase[],
  people: People,
  isPublic: boolean,
): PanelReport {
  const decided = cases.map(({ said }) => majority(said));
  const isRight = cases.map(({ truth }, at) => decided[at] === truth);
  const share = (has: (one: PanelCase, at: number) => boolean): Estimate =>
    shareOf(cases.map((one, at) => ({ unit: one.unit, has: has(one, at) })));
  const ahead = aheadOfPanel(names.length, cases, isRight);
  const places = new Set(cases.map(({ place }) => place));
  const here = people.map((own) => new Map([...own].filter(([place]) => places.has(place))));
  const panelAnswers = answersOf(cases, ({ said }) => majority(said));
  const tested = altTested(panelAnswers, here);
  const annotators = tested.advantage.defined ? tested.advantage.n : 0;
  const isTested = annotators >= (isPublic ? 3 : MIN_PEOPLE);
  const said = [...places].map((place) => here.flatMap((own) => own.get(place) ?? []));
  const alphaIn = (units: readonly (readonly string[])[]): Estimate => {
    const { interval, scale: _, ...measure } = alphaOf(units);
    return { measure, interval };
  };
  return {
    id,
    judges: names.map((name, judge) => {
      const without = cases.map((one) => majority(one.said.filter((_, index) => index !== judge)));
      return {
        name,
        accuracy: share((one) => one.said[judge] === one.truth),
        ahead: ahead[judge] ?? null,
        without: {
          accuracy: share((one, at) => without[at] === one.truth),
          same: share((_, at) => without[at] === decided[at]),
          undecided: without.filter((one) => one === null).length,
        },
        altTest: isTested
          ? altTested(
              answersOf(cases, (one) => one.said[judge] ?? null),
              here,
            )
          : null,
      };
    }),
    cases: cases.length,
    groups: groupsIn(cases),
    byPeople: here.some((own) => own.size > 0),
    panel: {
      accuracy: share((_, at) => isRight[at] === true),
      undecided: decided.filter((one) => one === null).length,
      altTest: isTested ? tested : null,
    },
    best: againstBest(names, cases, isRight),
    shared: {
      ...sharedErrors(names, cases),
      anyWrong: cases.filter((one) => rightsOf(one).includes(false)).length,
      allWrong: cases.filter((one) => !rightsOf(one).includes(true)).length,
    },
    alpha: {
      judges: alphaIn(cases.map((one) => one.said.filter((own) => own !== null))),
      people: said.some((own) => own.length > 1) ? alphaIn(said) : null,
    },
    annotators: isTested ? annotators : null,
  };
}

/** The answers of people about whole cases, by person. */
function peopleOf(cases: readonly (Pick<EvalCase, 'label'> & { isPair: boolean })[]): People {
  const people = new Map<number, Map<number, string>>();
  for (const [place, { label, isPair }] of cases.entries())
    for (const { by, said, criterion } of label?.answers ?? []) {
      if (by === null || criterion !== undefined) continue;
      const own = people.get(by) ?? new Map<number, string>();
      people.set(by, own);
      if (typeof said === 'string') own.set(place, said);
      else if (isPair) own.set(place, betterOf(said));
    }
  return [...people].sort(([a], [b]) => a - b).map(([, own]) => own);
}

/**
 * Collects what judges decide about labeled cases, see `createBenches`. Scores have no right or wrong, and do not count here: see
 * `createScorePanels`.
 */
export function createPanels(
  manifest: Pick<RunManifest, 'configurations' | 'imported'>,
  cases: readonly (Pick<EvalCase, 'label'> & { isPair: boolean })[],
) {
  const { add: seat, benches, isUnasked } = createBenches<string>(manifest);

  function add(trial: Trial, setup: string, facts: TrialFacts): void {
    const isPair = trial.preference !== undefined;
    const { label } = trial;
    const score = label?.score;
    const truth = isPair ? (score === undefined ? null : betterOf(score)) : (label?.decision ?? null);
    if (truth === null) return;
    seat(trial, setup, facts, {
      truth,
      decided: classOf(trial, isPair),
      saidBy: (one) => classOf(one, isPair),
    });
  }

  return {
    add,
    benches,
    isUnasked,
    result(): PanelReport[] {
      const people = peopleOf(cases);
      return adjusted(
        benches().map(({ id, names, rows }) =>
          panelReport(id, names, rows, people, manifest.imported !== undefined),
        ),
      );
    },
  };
}
