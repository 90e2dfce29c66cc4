import { groupedBy } from '../common/collections.ts';
import { JuryError } from '../common/errors.ts';
import { type Measure, sum } from '../statistics/measure.ts';
import { designEffectOf } from '../statistics/power.ts';
import { type Side, sideOf } from './compare-runs.ts';
import type { Wishes } from './make-report.ts';
import { countCases } from './reports/case-bins.ts';
import { isRight } from './reports/pair-report.ts';
import type { TrialFacts } from './reports/trial-facts.ts';
import type { TrialStore } from './trial-store.ts';

/** What a run says of how many cases a comparison takes. */
export interface RunPower {
  run: string;
  configurations: number;
  cases: number;
  /** Of cases that belong together; as many as cases if each is on its own. */
  groups: number;
  /** Mean share of cases that a configuration gets right; no decision is not right. */
  accuracy: number;
  /** Mean share of cases on which two configurations differ; null for a single one. */
  discordance: number | null;
  designEffect: number;
}

const mean = (values: readonly number[]): number => sum(values) / values.length;

const isKnown = (measure: Measure): measure is Measure & { defined: true } => measure.defined;

/** Values of cases by the groups that these belong to. */
const inGroups = (values: ReadonlyMap<number, number>, units: ReadonlyMap<number, number>): number[][] =>
  [...groupedBy(values, ([place]) => units.get(place) ?? place).values()].map((own) =>
    own.map(([, value]) => value),
  );

/** 1 for each case whose most common outcome is right, else 0. */
const rightsOf = (facts: readonly TrialFacts[]): Map<number, number> =>
  new Map([...countCases(facts, 'place')].map(([place, own]) => [place, Number(isRight(own))]));

/**
 * Estimates from a run what a later comparison depends on.
 * @throws JuryError `usage` if there is no such run, or no case with a label
 */
export async function estimatePower(store: TrialStore, side: Side, wishes: Wishes): Promise<RunPower> {
  const { table, setups } = await sideOf(store, side, wishes);
  const facts = setups.map(({ id }) => table.factsOf(id));
  const units = new Map(facts.flat().map(({ place, unit }) => [place, unit]));
  const judged = facts.map(rightsOf).filter((rights) => rights.size > 0);
  if (judged.length === 0)
    throw new JuryError('usage', `${side.run} has no trials with labels, so it says nothing about accuracy.`);
  const differences = judged.flatMap((one, at) =>
    judged.slice(at + 1).flatMap((other) => {
      const both = [...one].flatMap(([place, right]): [number, number][] => {
        const second = other.get(place);
        return second === undefined ? [] : [[place, second - right]];
      });
      return both.length === 0 ? [] : [new Map(both)];
    }),
  );
  const effects = (differences.length > 0 ? differences : judged)
    .map((values) => designEffectOf(inGroups(values, units)))
    .filter(isKnown);
  const places = new Set(judged.flatMap((rights) => [...rights.keys()]));
  return {
    run: side.run,
    configurations: judged.length,
    cases: places.size,
    groups: new Set([...places].map((place) => units.get(place) ?? place)).size,
    accuracy: mean(judged.map((rights) => mean([...rights.values()]))),
    discordance:
      differences.length === 0
        ? null
        : mean(differences.map((values) => mean([...values.values()].map(Math.abs)))),
    designEffect: effects.length === 0 ? 1 : mean(effects.map(({ value }) => value)),
  };
}
