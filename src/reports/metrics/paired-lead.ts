import { groupedBy } from '../../common/index.ts';
import { type Bin, type Measure, unmeasured } from '../../statistics/index.ts';
import type { Confusion } from '../../statistics/raters/index.ts';
import {
  ACCURACY,
  type Both,
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
import { criteriaIn, type Finding, findingsOn } from './criteria.ts';
import { comparedRanks, type RankedCases, rankCorrelations, rankedAt, rankedCases } from './scores.ts';

/** The outcomes of labeled cases at their places in the dataset. A plain array, because all configurations of a run are kept. */
type Outcomes = readonly (Confusion | undefined)[];

/** The first case of its group, by the place of each other case of it. */
type Units = ReadonlyMap<number, number>;

/** Outcomes of cases, and summed up by what belongs together, at the place of its first case. */
interface Decided {
  decisions: Outcomes;
  ofUnits: Outcomes;
}

/** How a configuration judged each labeled case: what two of them are compared by. */
export interface JudgedCases extends Decided {
  /** By criterion: its decisions, or its scores. */
  criteria: ReadonlyMap<string, Decided & { scores: RankedCases | null }>;
  /** What each case belongs to, if not to itself. */
  units: Units;
}

function outcomesOf(counts: CaseCounts): Outcomes {
  const outcomes: (Confusion | undefined)[] = [];
  for (const [place, outcome] of counts) outcomes[place] = outcome;
  return outcomes;
}

const joined = (own: readonly Confusion[]): Confusion => sumOfBins(own.map((value) => ({ value, items: 1 })));

/** Sums up outcomes once for each configuration, rather than for each pair. Equal sums share one object. */
function decided(decisions: Outcomes, units: Units): Decided {
  if (units.size === 0) return { decisions, ofUnits: decisions };
  const groups = new Map<number, Confusion[]>();
  for (const [place, one] of decisions.entries()) {
    if (one === undefined) continue;
    const unit = units.get(place) ?? place;
    const own = groups.get(unit);
    if (own === undefined) groups.set(unit, [one]);
    else own.push(one);
  }
  const known = new Map<string, Confusion>();
  const ofUnits: (Confusion | undefined)[] = [];
  for (const [unit, own] of groups) {
    const sum = joined(own);
    const key = confusionKey(sum);
    const same = known.get(key) ?? sum;
    known.set(key, same);
    ofUnits[unit] = same;
  }
  return { decisions, ofUnits };
}

/** @param facts of all trials of a configuration */
export function judgedCases(facts: readonly TrialFacts[]): JudgedCases {
  const units = new Map<number, number>();
  for (const { place, unit } of facts) if (place !== unit) units.set(place, unit);
  const criteria = new Map<string, Decided & { scores: RankedCases | null }>();
  for (const id of criteriaIn(facts)) {
    const scored: Finding[] = [];
    for (const finding of findingsOn(facts, id)) if (finding.labelScore !== null) scored.push(finding);
    const decisions = outcomesOf(countCases(findingsOn(facts, id), 'place'));
    criteria.set(id, { ...decided(decisions, units), scores: rankedCases(scored) });
  }
  return { ...decided(outcomesOf(countCases(facts, 'place')), units), criteria, units };
}

/** The cases of a run in the places of another run. @param places of the other run, by places of this one */
export function inPlacesOf(judged: JudgedCases, places: ReadonlyMap<number, number>): JudgedCases {
  const moved = <T>(cases: Iterable<readonly [number, T]>): (readonly [number, T])[] =>
    Array.from(cases).flatMap(([place, value]) => {
      const other = places.get(place);
      return other === undefined ? [] : [[other, value] as const];
    });
  const movedOutcomes = (outcomes: Outcomes): Outcomes => {
    const there: (Confusion | undefined)[] = [];
    for (const [place, outcome] of moved(outcomes.entries())) there[place] = outcome;
    return there;
  };
  const units = unitsInPlaces(judged.units, places);
  return {
    ...decided(movedOutcomes(judged.decisions), units),
    criteria: new Map(
      [...judged.criteria].map(([id, { decisions, scores }]) => [
        id,
        {
          ...decided(movedOutcomes(decisions), units),
          scores: scores === null ? null : { ...scores, cases: new Map(moved(scores.cases)) },
        },
      ]),
    ),
    units,
  };
}

/** A unit is the place of its first case; where the other run lacks that one, of the first that it has. */
function unitsInPlaces(units: Units, places: ReadonlyMap<number, number>): Units {
  const groups = groupedBy(units, ([, unit]) => unit);
  return new Map(
    [...groups].flatMap(([unit, own]) => {
      const there = [unit, ...own.map(([place]) => place)].flatMap((place) => places.get(place) ?? []);
      const first = there.reduce((least, place) => Math.min(least, place), Number.POSITIVE_INFINITY);
      return there.filter((place) => place !== first).map((place) => [place, first] as const);
    }),
  );
}

/** Cases that belong together in either run, which may each have others of a group. */
function mergedUnits(one: Units, other: Units): Units {
  const parents = new Map<number, number>();
  const firstOf = (place: number): number => {
    let first = place;
    for (let next = parents.get(first); next !== undefined; next = parents.get(first)) first = next;
    return first;
  };
  for (const [place, unit] of [...one, ...other]) {
    const [a, b] = [firstOf(place), firstOf(unit)];
    if (a !== b) parents.set(Math.max(a, b), Math.min(a, b));
  }
  return new Map(Array.from(parents.keys(), (place) => [place, firstOf(place)]));
}

const isSameUnits = (one: Units, other: Units): boolean => {
  if (one.size !== other.size) return false;
  for (const [place, unit] of one) if (other.get(place) !== unit) return false;
  return true;
};

/** Whether both judged the same cases. */
function isSamePlaces(one: Outcomes, other: Outcomes): boolean {
  if (one.length !== other.length) return false;
  for (let place = 0; place < one.length; place += 1)
    if ((one[place] === undefined) !== (other[place] === undefined)) return false;
  return true;
}

/** The outcomes at places that both have, binned. */
function pairBins(first: Outcomes, second: Outcomes): Bin<Both<Confusion>>[] {
  // Equal outcomes of one configuration share one object, so that most cases are counted without looking inside.
  const counts = new Map<Confusion, Map<Confusion, Bin<Both<Confusion>>>>();
  for (const [place, one] of first.entries()) {
    const other = second[place];
    if (one === undefined || other === undefined) continue;
    const row = counts.get(one) ?? new Map<Confusion, Bin<Both<Confusion>>>();
    counts.set(one, row);
    const bin = row.get(other);
    if (bin === undefined) row.set(other, { value: { first: one, second: other }, items: 1 });
    else bin.items += 1;
  }
  return [...counts.values()].flatMap((row) => [...row.values()]);
}

/** The outcomes of cases that both judged, binned by unit. @param unitsOf what belongs together, of either */
function decisionBins(
  first: Decided,
  second: Decided,
  unitsOf: readonly [Units, Units],
): Bin<Both<Confusion>>[] {
  const [one, other] = unitsOf;
  if (one.size + other.size === 0) return pairBins(first.decisions, second.decisions);
  // The configurations of a run, as a rule.
  if (isSameUnits(one, other) && isSamePlaces(first.decisions, second.decisions))
    return pairBins(first.ofUnits, second.ofUnits);
  const units = mergedUnits(one, other);
  const both = [...first.decisions.entries()].flatMap(([place, outcome]) => {
    const its = second.decisions[place];
    const unit = units.get(place) ?? place;
    return outcome === undefined || its === undefined ? [] : [{ unit, first: outcome, second: its }];
  });
  return unitBins(both, joined, confusionKey);
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
  const unitsOf = [other.units, better.units] as const;
  const isAbove = ({ interval }: Difference): boolean => interval.defined && interval.low > 0;
  const byDecisions = (first: Decided, second: Decided, of: (bins: readonly Bin<Confusion>[]) => Measure) => {
    const bins = decisionBins(first, second, unitsOf);
    if (differing(bins) < fewestDiffering(alpha)) return false;
    const difference = differenceOf(bins, of, of, 'correlation', 1 - alpha);
    if (difference.interval.defined) return isAbove(difference);
    // All against none has no interval.
    const p = pairedTest(bins, of, confusionKey);
    return p.defined && p.value <= alpha;
  };
  if (what === 'f1')
    return byDecisions(other, better, (bins) =>
      bins.length === 0
        ? unmeasured('no case was judged by both', 0)
        : scoreList.f1.of(countsIn(bins, 'wrong')),
    );
  const [one, two] = [other.criteria.get(what.criterion), better.criteria.get(what.criterion)];
  if (one === undefined || two === undefined) return false;
  if (one.decisions.length > 0 && two.decisions.length > 0)
    return byDecisions(one, two, (bins) => ACCURACY.of(countsIn(bins, 'wrong')));
  return one.scores !== null && two.scores !== null
    ? isAbove(comparedRanks(one.scores, two.scores, mergedUnits(...unitsOf), 1 - alpha))
    : false;
}

/** Configurations on a criterion with scores: how each agrees with the labels, on the labeled cases that all of them scored. */
export function rankedTogether(
  judged: readonly JudgedCases[],
  criterion: string,
): {
  /** Number of these cases. */
  cases: number;
  /** In the order of the configurations. */
  correlations: ReturnType<typeof rankCorrelations>[];
  /** By how much one correlates better than another, by their places in the list. */
  lead: (better: number, other: number) => Difference;
} {
  const scored = judged.flatMap(({ criteria }) => criteria.get(criterion)?.scores ?? []);
  const [first, ...others] = scored;
  const shared =
    scored.length < judged.length
      ? []
      : [...(first?.cases.keys() ?? [])].filter((place) => others.every(({ cases }) => cases.has(place)));
  const places = new Set(shared);
  const ranked = scored.map((one) => rankedAt(one, places));
  const units = judged.map((one) => one.units).reduce(mergedUnits, new Map<number, number>());
  const none: RankedCases = { pairs: [], cases: new Map() };
  return {
    cases: places.size,
    correlations: ranked.map((one) => rankCorrelations(one, units)),
    lead: (better, other) =>
      comparedRanks(ranked[other] ?? none, ranked[better] ?? none, units, 1 - SIGNIFICANT),
  };
}
