import { type Objective, paretoFront } from '../../statistics/index.ts';
import type { ReportMeasure } from '../estimates/index.ts';
import type { ParetoFronts } from './metric.ts';
import { isSurelyBetter, type JudgedCases } from './paired-lead.ts';
import { rankable } from './scores.ts';
import type { SetupReport } from './setup-report.ts';

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
  const criterion = criteria.find((one) => one.id === id);
  const against = criterion?.scores?.against ?? null;
  return criterion?.accuracy?.measure ?? (against === null ? undefined : rankable(against).measure);
}

const pairsOf = (n: number): number => (n * (n - 1)) / 2;

/**
 * The fronts of some setups, which were judged on the same cases. One dominates another only if it is better beyond chance: by the
 * paired interval of their difference, at a level that holds for all pairs together (Bonferroni).
 * @param casesOf what a setup decided, case by case
 */
export function paretoOf(
  setups: readonly SetupReport[],
  casesOf: (id: string) => JudgedCases | undefined,
): ParetoFronts {
  const ids = (parted: readonly SetupReport[]) => parted.map(({ id }) => id);
  const frontOf = (...goals: Goal[]) => {
    const { front, dominated, incomparable } = paretoFront(setups, goals);
    return { front: ids(front), dominated: ids(dominated), incomparable: ids(incomparable) };
  };
  /** @param what F1, or a criterion's id @param tests how many are read together */
  const sure = (what: { criterion: string } | 'f1', tests: number): NonNullable<Goal['isSure']> => {
    const known = new Map<string, boolean>();
    return (a, b) => {
      const key = JSON.stringify([a.id, b.id]);
      const [one, other] = [casesOf(a.id), casesOf(b.id)];
      const is = known.get(key) ?? (one && other ? isSurelyBetter(one, other, what, tests) : false);
      known.set(key, is);
      return is;
    };
  };
  // One that decides nothing is neither better nor worse, however little it costs.
  const f1Of = ({ effectiveness: { f1: all, decided } }: SetupReport) =>
    decided.f1.measure.n === 0 ? undefined : all.measure;
  const ranked = setups.filter((setup) => f1Of(setup)?.defined === true).length;
  const f1: Goal = { ...goal('max', f1Of), isSure: sure('f1', pairsOf(ranked)) };
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
  const tests = pairsOf(setups.length) * criteria.length;
  const goals = criteria.map(
    (id): Goal => ({
      ...goal('max', (setup) => agreementOn(setup, id)),
      isSure: sure({ criterion: id }, tests),
    }),
  );
  return {
    all: frontOf(f1, cost, latency),
    cost: frontOf(f1, cost),
    latency: frontOf(f1, latency),
    criteria: criteria.length < 2 ? null : { criteria, ...frontOf(...goals) },
  };
}
