import * as z from 'zod';
import { memoized } from '../common/collections.ts';
import type { KeyValue } from '../common/key-value.ts';
import { plannedTrials, type RunManifest } from './run.ts';
import { compareOutcomes, countRight, type RunOutcomes } from './run-outcomes.ts';
import type { TrialStore } from './trial-store.ts';

/** The results of one run of a benchmark. */
export interface BenchmarkRun {
  name: string;
  /** When it ended, ms since the epoch. */
  at: number;
  /** Right decisions, out of all on labeled cases. Undecided counts as wrong; trials without answers do not count. */
  correct: number;
  n: number;
  /** Number of cases; fewer than trials if the run repeats them. */
  cases: number;
  /** Null if prices are unknown. */
  costUsd: number | null;
}

/** A case that was right in the earlier run and is wrong now. */
interface Regression {
  caseId: string;
  /** Error type of its label. */
  category: string;
  why: string;
}

/** The newest run compared with an earlier one, on the cases that both judged. */
interface RunComparison {
  /** Name of the earlier run. */
  against: string;
  gained: number;
  lost: number;
  n: number;
  /** Number of cases. */
  cases: number;
  /** All lost cases, or the first of them. */
  regressions: readonly Regression[];
}

export interface BenchmarkHistory {
  name: string;
  /** Oldest first, at least one. */
  runs: readonly BenchmarkRun[];
  /** Compared with the run in the last digest, if that is another one. */
  compared: RunComparison | null;
}

/** Histories of benchmarks, newest runs last. @param lastRuns the run in the last digest, by benchmark */
export type BenchmarkSource = (
  names: readonly string[],
  lastRuns: Readonly<Record<string, string>>,
) => Promise<BenchmarkHistory[]>;

const MAX_REGRESSIONS = 100;
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
/** A result, and whether it can still change. */
interface Counted<T> {
  value: T;
  isFinal: boolean;
}

/** The key under which the results of a run are cached. */
export const numbersMark = ({ name, createdAt }: RunManifest): string =>
  `digest-numbers:${name}:${createdAt}`;

/** Caches a result once it is final. */
async function cachedOnceFinal<T>(
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
    // Cached by another version in another form: count again.
    await store.delete(key);
  }
  const made = await count();
  if (made === null) return null;
  if (made.isFinal) await store.setIfAbsent(key, JSON.stringify(made.value), now(), KEPT_MS);
  return made.value;
}

/** Null if the run is not finished. In a finished run, only failed trials can be judged again. */
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
  const byCase = new Map<string, Regression>();
  for await (const { key, caseId, label, why } of runs.readTrials(name, new Set(keys))) {
    const category =
      label?.errorType ?? (label?.decision === 'pass' ? 'no error' : 'error of no stated type');
    byCase.set(key, { caseId, category, why: why.slice(0, MAX_REASON).toWellFormed() });
  }
  // Trials are read in any order.
  return keys.flatMap((key) => byCase.get(key) ?? []);
}

async function compare(
  runs: Runs,
  outcomesOf: OutcomesOf,
  before: RunManifest,
  after: RunManifest,
): Promise<RunComparison> {
  const [was, is] = await Promise.all([outcomesOf(before), outcomesOf(after)]);
  const { lost, ...counts } = compareOutcomes(was, is);
  const regressions = await regressionsOf(runs, after.name, lost.slice(0, MAX_REGRESSIONS));
  return { against: before.name, ...counts, lost: lost.length, regressions };
}

/** Whether two runs judged the same cases with the same configurations, so that their trials can be compared one by one. */
function isAlike(one: RunManifest, other: RunManifest): boolean {
  const ways = ({ configurations }: RunManifest) => configurations.map(({ id }) => id).join('\n');
  return one.dataset.hash === other.dataset.hash && ways(one) === ways(other);
}

const isNamedBy = (benchmark: string, run: string): boolean =>
  run === benchmark || run.startsWith(`${benchmark}-`);

/** Whether a run belongs to a benchmark: it has its name, or its name and a suffix, unless a longer benchmark name matches too. */
const belongs = (benchmark: string, run: string, all: readonly string[]): boolean =>
  isNamedBy(benchmark, run) && !all.some((other) => other.length > benchmark.length && isNamedBy(other, run));

/**
 * What runs say about benchmarks. Runs belong to a benchmark by name: `nightly` has the runs `nightly` and `nightly-2026-11-21`.
 * Unfinished runs are left out.
 *
 * @param defined names of all defined benchmarks: `nightly-big-2026-11-21` is not a run of `nightly` if there is a `nightly-big`
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
    lastRun: string | undefined,
    outcomesOf: OutcomesOf,
  ) {
    const ended: { manifest: RunManifest; numbers: BenchmarkRun }[] = [];
    for (const name of all.filter((run) => belongs(benchmark, run, defined))) {
      const manifest = await runs.readRun(name);
      if (manifest === null) continue;
      const numbers = await cachedOnceFinal(store, now, numbersMark(manifest), Numbers, () =>
        numbersOf(runs, outcomesOf, manifest),
      );
      if (numbers !== null) ended.push({ manifest, numbers });
    }
    ended.sort((a, b) => a.numbers.at - b.numbers.at);
    const newest = ended.at(-1)?.manifest;
    if (newest === undefined) return [];
    const before = ended.find(({ manifest }) => manifest.name === lastRun)?.manifest;
    const comparable = before !== undefined && before !== newest && isAlike(before, newest);
    const compared = comparable ? await compare(runs, outcomesOf, before, newest) : null;
    return [{ name: benchmark, runs: ended.map(({ numbers }) => numbers), compared }];
  }
  return async (names, lastRuns) => {
    if (names.length === 0) return [];
    const all = await runs.names();
    const outcomesOf = memoized(
      (manifest: RunManifest) => runs.outcomes(manifest),
      ({ name }) => name,
    );
    const histories = [];
    for (const name of names) histories.push(...(await historyOf(name, all, lastRuns[name], outcomesOf)));
    return histories;
  };
}
