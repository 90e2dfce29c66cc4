import { type Bin, type Measure, unmeasured } from '../../statistics/index.ts';
import type { Confusion } from '../../statistics/raters/index.ts';
import {
  ACCURACY,
  type Both,
  bothCases,
  type CaseCounts,
  confusionKey,
  countCases,
  countsIn,
  type Difference,
  differenceOf,
  pairedTest,
  sumOfBins,
  unitBins,
} from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import { scores as scoreList } from './classification.ts';
import { comparedRanks, type RankedCases, rankedCases } from './scores.ts';

/** How a configuration judged each labeled case, by its place in the dataset: what two of them are compared by. */
export interface JudgedCases {
  decisions: CaseCounts;
  /** By criterion: its decisions, or its scores. */
  criteria: ReadonlyMap<string, { decisions: CaseCounts; scores: RankedCases | null }>;
  /** What each case belongs to, if not to itself. */
  units: ReadonlyMap<number, number>;
}

/** @param facts of all trials of a configuration */
export function judgedCases(facts: readonly TrialFacts[]): JudgedCases {
  const ids = new Set(facts.flatMap(({ criteria }) => criteria.map(({ id }) => id)));
  const findingsOn = (id: string) =>
    facts.flatMap(({ place, unit, criteria }) =>
      criteria.flatMap((one) =>
        one.id === id && (one.truth !== null || one.labelScore !== null) ? [{ place, unit, ...one }] : [],
      ),
    );
  return {
    decisions: countCases(facts, 'place'),
    criteria: new Map(
      [...ids].map((id) => {
        const findings = findingsOn(id);
        return [id, { decisions: countCases(findings, 'place'), scores: rankedCases(findings) }];
      }),
    ),
    units: new Map(facts.flatMap(({ place, unit }) => (place === unit ? [] : [[place, unit]]))),
  };
}

/** The cases of a run in the places of another run. @param places of the other run, by places of this one */
export function inPlacesOf(judged: JudgedCases, places: ReadonlyMap<number, number>): JudgedCases {
  const moved = <T>(cases: ReadonlyMap<number, T>): Map<number, T> =>
    new Map(
      [...cases].flatMap(([place, value]) => {
        const other = places.get(place);
        return other === undefined ? [] : [[other, value] as const];
      }),
    );
  return {
    decisions: moved(judged.decisions),
    criteria: new Map(
      [...judged.criteria].map(([id, { decisions, scores }]) => [
        id,
        {
          decisions: moved(decisions),
          scores: scores === null ? null : { ...scores, cases: moved(scores.cases) },
        },
      ]),
    ),
    units: new Map(
      [...judged.units].flatMap(([place, unit]) => {
        const [here, there] = [places.get(place), places.get(unit)];
        return here === undefined || there === undefined ? [] : [[here, there] as const];
      }),
    ),
  };
}

/** The outcomes of cases that both judged, binned by unit. */
function decisionBins(
  first: CaseCounts,
  second: CaseCounts,
  units: JudgedCases['units'],
): Bin<Both<Confusion>>[] {
  if (units.size > 0) {
    const facts = [...units].map(([place, unit]) => ({ place, unit }));
    const join = (own: readonly Confusion[]) => sumOfBins(own.map((value) => ({ value, items: 1 })));
    return unitBins(bothCases(first, second, facts), join, confusionKey);
  }
  // Equal outcomes of one configuration share one object, so that most cases are counted without looking inside.
  const counts = new Map<Confusion, Map<Confusion, Bin<Both<Confusion>>>>();
  for (const [place, one] of first) {
    const other = second.get(place);
    if (other === undefined) continue;
    const row = counts.get(one) ?? new Map<Confusion, Bin<Both<Confusion>>>();
    counts.set(one, row);
    const bin = row.get(other);
    if (bin === undefined) row.set(other, { value: { first: one, second: other }, items: 1 });
    else bin.items += 1;
  }
  return [...counts.values()].flatMap((row) => [...row.values()]);
}

const SIGNIFICANT = 0.05;

/** Units that have to differ before chance alone is ruled out: if all n lean one way, that has a probability of 2^(1 − n). */
const fewestDiffering = (alpha: number): number => Math.ceil(1 - Math.log2(alpha));

const differing = (bins: readonly Bin<Both<Confusion>>[]): number =>
  bins.reduce(
    (n, { value: { first, second }, items }) =>
      confusionKey(first) === confusionKey(second) ? n : n + items,
    0,
  );

/**
 * Whether one configuration is better than another beyond chance in F1, or in its accuracy or rank correlation on a criterion: the
 * paired interval of the difference leaves out 0, at a level that holds for all tests together.
 * @param tests how many are read together
 */
export function isSurelyBetter(
  better: JudgedCases,
  other: JudgedCases,
  what: 'f1' | { criterion: string },
  tests: number,
): boolean {
  const alpha = SIGNIFICANT / Math.max(1, tests);
  const units = better.units.size > 0 ? better.units : other.units;
  const isAbove = ({ interval }: Difference): boolean => interval.defined && interval.low > 0;
  const byDecisions = (
    first: CaseCounts,
    second: CaseCounts,
    of: (bins: readonly Bin<Confusion>[]) => Measure,
  ) => {
    const bins = decisionBins(first, second, units);
    if (differing(bins) < fewestDiffering(alpha)) return false;
    const difference = differenceOf(bins, of, of, 'correlation', 1 - alpha);
    if (difference.interval.defined) return isAbove(difference);
    // All against none has no interval.
    const p = pairedTest(bins, of, confusionKey);
    return p.defined && p.value <= alpha;
  };
  if (what === 'f1')
    return byDecisions(other.decisions, better.decisions, (bins) =>
      bins.length === 0
        ? unmeasured('no case was judged by both', 0)
        : scoreList.f1.of(countsIn(bins, 'wrong')),
    );
  const [one, two] = [other.criteria.get(what.criterion), better.criteria.get(what.criterion)];
  if (one === undefined || two === undefined) return false;
  if (one.decisions.size > 0 && two.decisions.size > 0)
    return byDecisions(one.decisions, two.decisions, (bins) => ACCURACY.of(countsIn(bins, 'wrong')));
  return one.scores !== null && two.scores !== null
    ? isAbove(comparedRanks(one.scores, two.scores, units, 1 - alpha))
    : false;
}
