import * as z from 'zod';
import type { KeyValue } from '../common/key-value.ts';
import { plannedTrials, type RunManifest } from './run.ts';
import { compareOutcomes, countRight, type RunOutcomes } from './run-outcomes.ts';
import type { TrialStore } from './trial-store.ts';

/** One run of a benchmark in numbers. */
export interface BenchmarkRun {
  name: string;
  /** When it ended, ms since the epoch. */
  at: number;
  /**
   * Right decisions, of all on cases with a label. What the judges left undecided counts as wrong; where they did not answer it
   * enters neither, for that says nothing about how well they judge.
   */
  correct: number;
  n: number;
  /** The cases that these decisions are on: fewer where a run judges each more than once. */
  cases: number;
  /** Null where prices are not known. */
  costUsd: number | null;
}

/** A case that was right in the run before and is wrong now. */
interface Regression {
  caseId: string;
  /** Kind of error by its label. */
  category: string;
  why: string;
}

/** The newest run beside an earlier one, on the cases that both judged. */
interface RunComparison {
  /** Name of the earlier run. */
  against: string;
  gained: number;
  lost: number;
  n: number;
  /** The cases that these decisions are on. */
  cases: number;
  /** As many as `lost`, or the first of them. */
  regressions: readonly Regression[];
}

/** What is known of a benchmark. */
export interface BenchmarkHistory {
  name: string;
  /** Oldest first, at least one. */
  runs: readonly BenchmarkRun[];
  /** Against the run that the last digest told of, where there is one that is not the newest itself. */
  compared: RunComparison | null;
}

/** What is known of benchmarks, newest runs last. @param told name of a benchmark to the run that the last digest told of */
export type BenchmarkSource = (
  names: readonly string[],
  told: Readonly<Record<string, string>>,
) => Promise<BenchmarkHistory[]>;

/** So many lost cases are told one by one. */
const TOLD = 100;
const MAX_REASON = 300;
const KEPT_MS = 400 * 86_400_000;

const Numbers = z.strictObject({
  name: z.string(),
  at: z.number(),
  correct: z.int(),
  n: z.int(),
  cases: z.int(),
  costUsd: z.number().nullable(),
}) satisfies z.ZodType<BenchmarkRun>;

type Runs = Pick<TrialStore, 'names' | 'readRun' | 'readTrials' | 'outcomes' | 'totals'>;
type OutcomesOf = (manifest: RunManifest) => Promise<RunOutcomes>;
/** What was counted, and whether it can still change. */
interface Counted<T> {
  value: T;
  isFinal: boolean;
}

/** The key under which the numbers of a run are kept. */
export const numbersMark = ({ name, createdAt }: RunManifest): string =>
  `digest-numbers:${name}:${createdAt}`;

/** What is final is counted once and kept. */
async function kept<T>(
  store: KeyValue,
  now: () => number,
  key: string,
  schema: z.ZodType<T>,
  count: () => Promise<Counted<T> | null>,
): Promise<T | null> {
  const found = await store.get(key, now());
  if (found !== null) {
    const parsed = schema.safeParse(JSON.parse(found));
    if (parsed.success) return parsed.data;
    // Another version kept it in another form: counted anew, once.
    await store.delete(key);
  }
  const made = await count();
  if (made === null) return null;
  if (made.isFinal) await store.setIfAbsent(key, JSON.stringify(made.value), now(), KEPT_MS);
  return made.value;
}

/** Null where the run has not come to its end. Afterwards only trials that failed can be judged again. */
async function numbersOf(
  runs: Runs,
  outcomesOf: OutcomesOf,
  manifest: RunManifest,
): Promise<Counted<BenchmarkRun> | null> {
  const { name, createdAt } = manifest;
  const { spentUsd, unknownCosts, trials, failed } = await runs.totals(name);
  if (trials !== plannedTrials(manifest)) return null;
  const value = {
    name,
    at: Date.parse(createdAt),
    ...countRight(await outcomesOf(manifest)),
    costUsd: unknownCosts > 0 ? null : spentUsd,
  };
  return { value, isFinal: failed === 0 };
}

async function regressionsOf(runs: Runs, name: string, keys: readonly string[]): Promise<Regression[]> {
  if (keys.length === 0) return [];
  const told = new Map<string, Regression>();
  for await (const { key, caseId, label, why } of runs.readTrials(name, new Set(keys))) {
    const category =
      label?.errorType ?? (label?.decision === 'pass' ? 'no error' : 'error of no stated type');
    told.set(key, { caseId, category, why: why.slice(0, MAX_REASON).toWellFormed() });
  }
  // They are read in any order.
  return keys.flatMap((key) => told.get(key) ?? []);
}

async function compare(
  runs: Runs,
  outcomesOf: OutcomesOf,
  before: RunManifest,
  after: RunManifest,
): Promise<RunComparison> {
  const [was, is] = await Promise.all([outcomesOf(before), outcomesOf(after)]);
  const { lost, ...counts } = compareOutcomes(was, is);
  const regressions = await regressionsOf(runs, after.name, lost.slice(0, TOLD));
  return { against: before.name, ...counts, lost: lost.length, regressions };
}

/** Asks once for each run. */
function rememberOutcomes(runs: Runs): OutcomesOf {
  const asked = new Map<string, Promise<RunOutcomes>>();
  return (manifest) => {
    const outcomes = asked.get(manifest.name) ?? runs.outcomes(manifest);
    asked.set(manifest.name, outcomes);
    return outcomes;
  };
}

/** Whether two runs judged the same cases in the same ways: only then can their trials be compared one by one. */
function isAlike(one: RunManifest, other: RunManifest): boolean {
  const ways = ({ configurations }: RunManifest) => configurations.map(({ id }) => id).join('\n');
  return one.dataset.hash === other.dataset.hash && ways(one) === ways(other);
}

const isNamedBy = (benchmark: string, run: string): boolean =>
  run === benchmark || run.startsWith(`${benchmark}-`);

/** Whether a run is of a benchmark: named so, or so with a dash and more, unless a longer name of a benchmark fits as well. */
const belongs = (benchmark: string, run: string, all: readonly string[]): boolean =>
  isNamedBy(benchmark, run) && !all.some((other) => other.length > benchmark.length && isNamedBy(other, run));

/**
 * What runs say about benchmarks. A benchmark is its name: `nightly` is the runs `nightly` and `nightly-2026-11-21`. Runs that have not
 * come to their end are left out.
 *
 * @param defined names of all benchmarks that are defined: `nightly-big-2026-11-21` is no run of `nightly` where there is `nightly-big`
 */
export function createBenchmarkSource(
  runs: Runs,
  store: KeyValue,
  now: () => number,
  defined: readonly string[],
): BenchmarkSource {
  async function historyOf(
    benchmark: string,
    all: readonly string[],
    told: string | undefined,
    outcomesOf: OutcomesOf,
  ) {
    const ended: { manifest: RunManifest; numbers: BenchmarkRun }[] = [];
    for (const name of all.filter((run) => belongs(benchmark, run, defined))) {
      const manifest = await runs.readRun(name);
      if (manifest === null) continue;
      const numbers = await kept(store, now, numbersMark(manifest), Numbers, () =>
        numbersOf(runs, outcomesOf, manifest),
      );
      if (numbers !== null) ended.push({ manifest, numbers });
    }
    ended.sort((a, b) => a.numbers.at - b.numbers.at);
    const newest = ended.at(-1)?.manifest;
    if (newest === undefined) return [];
    const before = ended.find(({ manifest }) => manifest.name === told)?.manifest;
    const comparable = before !== undefined && before !== newest && isAlike(before, newest);
    const compared = comparable ? await compare(runs, outcomesOf, before, newest) : null;
    return [{ name: benchmark, runs: ended.map(({ numbers }) => numbers), compared }];
  }
  return async (names, told) => {
    if (names.length === 0) return [];
    const all = await runs.names();
    const outcomesOf = rememberOutcomes(runs);
    const histories = [];
    for (const name of names) histories.push(...(await historyOf(name, all, told[name], outcomesOf)));
    return histories;
  };
}
