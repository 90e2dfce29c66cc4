import { methodNotes, placesOf, plannedTrials, type RunManifest, type Trial } from '../benchmark/index.ts';
import { groupedBy } from '../common/index.ts';
import {
  type Bin,
  distributionOf,
  holm,
  type Objective,
  paretoFront,
  signFlipTest,
  singly,
  sum,
  unmeasured,
} from '../statistics/index.ts';
import { type Confusion, classify, type GapRule } from '../statistics/raters/index.ts';
import {
  type Both,
  type BothOfCase,
  bothCases,
  bothDecided,
  commonest,
  confusionKey,
  countCases,
  countPasses,
  countsIn,
  differenceOf,
  sideOf,
  sumOfBins,
  unitBins,
  unlessDecided,
} from './case-statistics.ts';
import { createCorrelations } from './correlations.ts';
import type { Groups } from './groups.ts';
import {
  type Difference,
  eachScore,
  type Gaps,
  type PairReport,
  type ReportMeasure,
  type ScoreName,
  scores,
} from './measures.ts';
import { createMistakeList } from './mistake.ts';
import type { Report, SetupReport } from './report.ts';
import { compareScores, rankable } from './scores.ts';
import { setupReport } from './setup-report.ts';
import {
  createFactList,
  factsOf,
  type Reading,
  repeatsOf,
  type Setup,
  setupsOf,
  type TrialFacts,
} from './trial-facts.ts';

/** The facts of one setup; places of cases match the other's. */
export interface Side {
  id: string;
  facts: readonly TrialFacts[];
}

function gapsOf(bins: readonly Bin<Confusion>[]): Gaps {
  const { n, undecided, 'no-quorum': noQuorum, unanswered } = classify(sumOfBins(bins));
  return { n, undecided, 'no-quorum': noQuorum, unanswered };
}

/** Whether the most common outcome of a case is right. A case has one label, so one of the rows is empty. */
export const isRight = ({ pass, fail }: Confusion): boolean =>
  commonest(pass) === 'pass' || commonest(fail) === 'fail';

function differenceIn(name: ScoreName, bins: readonly Bin<Both<Confusion>>[], gaps: GapRule): Difference {
  const { of, range = 'share' } = scores[name];
  const statistic = (some: readonly Bin<Confusion>[]) => of(countsIn(some, gaps));
  const [first, second] = [sideOf(bins, 'first'), sideOf(bins, 'second')];
  const [noFirst, noSecond] = [unlessDecided(first), unlessDecided(second)];
  const none = noFirst ?? noSecond;
  if (none !== null)
    return {
      first: noFirst ?? statistic(first),
      second: noSecond ?? statistic(second),
      difference: none,
      interval: none,
    };
  return differenceOf(bins, statistic, statistic, range === 'share' ? 'correlation' : 'any');
}

const join = (cases: readonly Confusion[]): Confusion => sumOfBins([...singly(cases)]);

/**
 * Compares two setups on the cases that both judged, with each case's repeats counted together (McNemar's test by case, or by cases that
 * belong together).
 */
export function pairReport(first: Side, second: Side): PairReport {
  const both = (count: typeof countPasses) =>
    bothCases(count(first.facts, 'place'), count(second.facts, 'place'), first.facts);
  const binned = (cases: readonly BothOfCase<Confusion>[]) => unitBins(cases, join, confusionKey);
  const [labeled, all] = [both(countCases), both(countPasses)];
  const [decided, decidedPasses] = [bothDecided(labeled), bothDecided(all)];
  const [bins, passes] = [binned(labeled), binned(all)];
  const [decidedBins, decidedPassBins] = [binned(decided), binned(decidedPasses)];
  const rights = labeled.map((one) => ({
    unit: one.unit,
    gain: Number(isRight(one.second)) - Number(isRight(one.first)),
  }));
  const gains = [...groupedBy(rights, ({ unit }) => unit).values()].map((own) =>
    sum(own.map(({ gain }) => gain)),
  );
  const callsOf = (facts: readonly TrialFacts[]) => distributionOf(facts.map(({ calls }) => calls)).mean;
  return {
    first: first.id,
    second: second.id,
    cases: labeled.length,
    scores: eachScore((name) => differenceIn(name, bins, 'wrong')),
    decided: {
      cases: decided.length,
      scores: eachScore((name) => differenceIn(name, decidedBins, 'exclude')),
    },
    decisions: {
      cases: all.length,
      passRate: differenceIn('accuracy', passes, 'wrong'),
      decided: {
        cases: decidedPasses.length,
        passRate: differenceIn('accuracy', decidedPassBins, 'exclude'),
      },
    },
    gaps: { first: gapsOf(sideOf(bins, 'first')), second: gapsOf(sideOf(bins, 'second')) },
    onlyFirst: rights.filter(({ gain }) => gain < 0).length,
    onlySecond: rights.filter(({ gain }) => gain > 0).length,
    pValue:
      gains.length < 2
        ? unmeasured('a test needs at least two independent cases', gains.length)
        : signFlipTest(gains),
    holm: null,
    calls: { first: callsOf(first.facts), second: callsOf(second.facts) },
    points: compareScores(first.facts, second.facts),
  };
}

/** Adjusts the p-values of comparisons that are read together; one by itself needs no adjustment. */
export function withHolm(pairs: readonly PairReport[]): PairReport[] {
  const adjusted = holm(pairs.map(({ pValue }) => pValue));
  return pairs.map((pair, at) => ({ ...pair, holm: pairs.length > 1 ? (adjusted[at] ?? null) : null }));
}

/** A run's trials without their texts. */
export interface TrialTable<T extends Trial = Trial> {
  setups: readonly Setup[];
  /** The facts of a setup's trials in the order in which they were read, created anew at every call. */
  factsOf: (setup: string) => TrialFacts[];
  mistakes: Report['mistakes'];
  /** The trials of the mistakes to show, as they were read. */
  mistaken: readonly T[];
  trials: number;
  /** If no trial has an answer, why the first one has none; otherwise null. */
  silence: string | null;
}

/** Called with each trial; null if there is nothing to wait for. */
export type EachTrial<T extends Trial> = (trial: T, setup: string, facts: TrialFacts) => Promise<void> | null;

/**
 * Reads trials once, in any order. Keeps about 150 bytes of each, no text.
 *
 * @param each called with every trial, such as to write it to a file
 * @param only places of the cases that count; null: all
 */
export async function tabulate<T extends Trial>(
  manifest: RunManifest,
  trials: AsyncIterable<T>,
  each: EachTrial<T> = () => null,
  only: ReadonlySet<number> | null = null,
  reading?: Partial<Reading>,
): Promise<TrialTable<T>> {
  const setups = setupsOf(manifest);
  const places = repeatsOf(manifest);
  const facts = new Map(setups.map(({ id }) => [id, createFactList()]));
  const mistakes = createMistakeList<T>(setups.map(({ id }) => id));
  let count = 0;
  let answered = 0;
  let silence = '';
  for await (const trial of trials) {
    const found = places.get(trial.configuration);
    if (found === undefined || only?.has(placesOf(trial.key)?.index ?? 0) === false) continue;
    const fact = factsOf(trial, found.repeat, reading);
    facts.get(found.setup)?.add(fact);
    mistakes.add(found.setup, trial, fact);
    count += 1;
    if (fact.outcome !== 'unanswered') answered += 1;
    else silence ||= trial.why;
    // Usually null, and awaiting null would take longer than counting.
    const waiting = each(trial, found.setup, fact);
    if (waiting !== null) await waiting;
  }
  return {
    setups,
    factsOf: (setup) => facts.get(setup)?.read() ?? [],
    ...mistakes.result(),
    trials: count,
    silence: answered === 0 && count > 0 ? silence : null,
  };
}

/** What to compare setups by. */
type Goal = Objective<SetupReport>;

/** Costs and times closer than this share of the larger one are equal in any case, and times closer than these milliseconds. */
const [NEAR, NEAR_MS] = [0.05, 10];

/** How far two typical values may be apart by chance. */
const noiseOf =
  (of: (setup: SetupReport) => { typical: ReportMeasure; noise: number }, least = 0): Goal['noise'] =>
  (a, b) => {
    const [one, other] = [of(a), of(b)];
    const most = Math.max(...[one, other].map(({ typical }) => (typical.defined ? typical.value : 0)));
    return Math.max(least, NEAR * most, Math.hypot(one.noise, other.noise));
  };

const goal = (
  direction: Goal['direction'],
  of: (setup: SetupReport) => ReportMeasure | undefined,
  noise?: Goal['noise'],
): Goal => ({
  direction,
  ...(noise === undefined ? {} : { noise }),
  of: (setup) => {
    const measure = of(setup);
    return measure?.defined === true ? measure.value : null;
  },
});

/** Accuracy on a criterion, or the rank correlation of its scores with labels; undefined without labels. */
function agreementOn({ criteria }: SetupReport, id: string): ReportMeasure | undefined {
  const found = criteria.find((criterion) => criterion.id === id);
  const against = found?.scores?.against ?? null;
  return found?.accuracy?.measure ?? (against === null ? undefined : rankable(against).measure);
}

export function paretoOf(setups: readonly SetupReport[]): Report['pareto'] {
  const ids = (parted: readonly SetupReport[]) => parted.map(({ id }) => id);
  const frontOf = (...goals: Goal[]) => {
    const { front, dominated, incomparable } = paretoFront(setups, goals);
    return { front: ids(front), dominated: ids(dominated), incomparable: ids(incomparable) };
  };
  // One that decides nothing is neither better nor worse, however little it costs.
  const f1 = goal('max', ({ effectiveness: { f1: all, decided } }) =>
    decided.f1.measure.n === 0 ? undefined : all.measure,
  );
  const costOf = ({ efficiency: { costUsd } }: SetupReport) => ({
    typical: costUsd.mean,
    noise: costUsd.noise,
  });
  const timeOf = ({ efficiency: { latencyMs } }: SetupReport) => ({
    typical: latencyMs.median,
    noise: latencyMs.noise,
  });
  const cost = goal('min', (setup) => costOf(setup).typical, noiseOf(costOf));
  const latency = goal('min', (setup) => timeOf(setup).typical, noiseOf(timeOf, NEAR_MS));
  const labeled = setups.flatMap((setup) =>
    setup.criteria.flatMap(({ id }) => (agreementOn(setup, id) === undefined ? [] : [id])),
  );
  const criteria = [...new Set(labeled)];
  const goals = criteria.map((id) => goal('max', (setup) => agreementOn(setup, id)));
  return {
    all: frontOf(f1, cost, latency),
    cost: frontOf(f1, cost),
    latency: frontOf(f1, latency),
    criteria: criteria.length < 2 ? null : { criteria, ...frontOf(...goals) },
  };
}

/** The report of a table of trials; its mistakes have no texts yet. One setup after another, because facts take much memory. */
export function reportOf(
  manifest: RunManifest,
  { setups, factsOf, mistakes, trials, silence }: TrialTable,
  groups: Groups | null = null,
): Report {
  const correlations = createCorrelations();
  const grouped: NonNullable<Report['groups']>['reports'] = [];
  const reports = setups.map((setup) => {
    const facts = factsOf(setup.id);
    correlations.add(setup.id, facts);
    grouped.push(...(groups?.reportsOf(setup, facts) ?? []));
    return setupReport(setup, facts, manifest.dataset.cases);
  });
  return {
    version: 1,
    run: manifest,
    trials,
    planned: plannedTrials(manifest),
    notes: [
      ...(silence === null ? [] : [`Nothing was judged, since no trial got an answer: ${silence}`]),
      ...methodNotes(manifest),
    ],
    joined: null,
    assistant: null,
    setups: reports,
    pareto: paretoOf(reports),
    correlations: correlations.result(),
    recall: [],
    groups: groups === null ? null : { by: [...groups.by], reports: grouped },
    equalCalls: withHolm(
      setups.flatMap(({ id, equalCallsOf }) =>
        equalCallsOf === null
          ? []
          : [pairReport({ id: equalCallsOf, facts: factsOf(equalCallsOf) }, { id, facts: factsOf(id) })],
      ),
    ),
    mistakes,
  };
}
