import * as z from 'zod';
import type { TrialStore } from '../benchmark/runs/trial-store.ts';
import { plannedTrials, type RunManifest } from '../core/run.ts';
import { hasFailed, type Trial } from '../core/trial.ts';
import type { BenchmarkRun, RunComparison } from '../digest/digest-data.ts';
import type { Store } from '../store/store.ts';
import type { BenchmarkSource } from './gather-digest.ts';

/** So many lost cases are told one by one. */
const TOLD = 100;
const WHY = 300;
const KEPT_MS = 400 * 86_400_000;

const Numbers = z.strictObject({
  name: z.string(),
  at: z.number(),
  correct: z.int(),
  n: z.int(),
  cases: z.int(),
  costUsd: z.number().nullable(),
}) satisfies z.ZodType<BenchmarkRun>;
const Pair = z.strictObject({
  against: z.string(),
  gained: z.int(),
  lost: z.int(),
  n: z.int(),
  cases: z.int(),
  regressions: z.array(
    z.strictObject({
      caseId: z.string(),
      category: z.string(),
      why: z.string(),
    }),
  ),
}) satisfies z.ZodType<RunComparison>;

type Runs = Pick<TrialStore, 'names' | 'readRun' | 'readTrials' | 'totals'>;
type Marks = Pick<Store, 'mark' | 'setMark' | 'clearMark'>;

/** Whether a decision is the label's; null where the label says none, or judges did not answer. */
const isRight = (trial: Trial): boolean | null => {
  const { label, decision } = trial;
  return label?.decision === undefined || hasFailed(trial) ? null : label.decision === decision;
};

/** A run that has come to its end never changes: its numbers are counted once and kept. Null is not kept. */
async function kept<T>(
  marks: Marks,
  now: () => number,
  key: string,
  schema: z.ZodType<T>,
  count: () => Promise<T | null>,
): Promise<T | null> {
  const found = await marks.mark(key, now());
  if (found !== null) {
    const parsed = schema.safeParse(JSON.parse(found));
    if (parsed.success) return parsed.data;
    // Another version kept it in another form: counted anew, once.
    await marks.clearMark(key);
  }
  const made = await count();
  if (made !== null) await marks.setMark(key, JSON.stringify(made), now(), KEPT_MS);
  return made;
}

/** Null where the run has not come to its end. */
async function numbersOf(runs: Runs, manifest: RunManifest): Promise<BenchmarkRun | null> {
  const { name, createdAt } = manifest;
  const { spentUsd, unknownCosts, trials } = await runs.totals(name);
  if (trials !== plannedTrials(manifest)) return null;
  const numbers = { correct: 0, n: 0 };
  const cases = new Set<string>();
  for await (const trial of runs.readTrials(name)) {
    const right = isRight(trial);
    if (right === null) continue;
    numbers.n += 1;
    cases.add(trial.caseId);
    if (right) numbers.correct += 1;
  }
  return {
    name,
    at: Date.parse(createdAt),
    ...numbers,
    cases: cases.size,
    costUsd: unknownCosts > 0 ? null : spentUsd,
  };
}

async function compare(runs: Runs, before: string, after: string): Promise<RunComparison> {
  const earlier = new Map<string, boolean>();
  for await (const trial of runs.readTrials(before)) {
    const right = isRight(trial);
    if (right !== null) earlier.set(trial.key, right);
  }
  const comparison: Omit<z.infer<typeof Pair>, 'cases'> = {
    against: before,
    gained: 0,
    lost: 0,
    n: 0,
    regressions: [],
  };
  const cases = new Set<string>();
  for await (const trial of runs.readTrials(after)) {
    const [was, is] = [earlier.get(trial.key), isRight(trial)];
    if (was === undefined || is === null) continue;
    comparison.n += 1;
    cases.add(trial.caseId);
    if (is && !was) comparison.gained += 1;
    if (is || !was) continue;
    comparison.lost += 1;
    const { caseId, label, why } = trial;
    const category =
      label?.errorType ?? (label?.decision === 'pass' ? 'no error' : 'error of no stated type');
    if (comparison.regressions.length < TOLD)
      comparison.regressions.push({ caseId, category, why: why.slice(0, WHY).toWellFormed() });
  }
  return { ...comparison, cases: cases.size };
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
 * What runs say of benchmarks. A benchmark is its name: `nightly` is the runs `nightly` and `nightly-2026-11-21`. Runs that have not
 * come to their end are left out.
 *
 * @param defined names of all benchmarks that are defined: `nightly-big-2026-11-21` is no run of `nightly` where there is `nightly-big`
 */
export function createBenchmarkSource(
  runs: Runs,
  marks: Marks,
  now: () => number,
  defined: readonly string[],
): BenchmarkSource {
  async function historyOf(benchmark: string, all: readonly string[], told: string | undefined) {
    const ended: { manifest: RunManifest; numbers: BenchmarkRun }[] = [];
    for (const name of all.filter((run) => belongs(benchmark, run, defined))) {
      const manifest = await runs.readRun(name);
      if (manifest === null) continue;
      const key = `digest-run:${name}:${manifest.createdAt}`;
      const numbers = await kept(marks, now, key, Numbers, () => numbersOf(runs, manifest));
      if (numbers !== null) ended.push({ manifest, numbers });
    }
    ended.sort((a, b) => a.numbers.at - b.numbers.at);
    const newest = ended.at(-1)?.manifest;
    if (newest === undefined) return [];
    const before = ended.find(({ manifest }) => manifest.name === told)?.manifest;
    const comparable = before !== undefined && before !== newest && isAlike(before, newest);
    const compared = comparable
      ? await kept(marks, now, `digest-pair:${before.name}:${newest.name}:${newest.createdAt}`, Pair, () =>
          compare(runs, before.name, newest.name),
        )
      : null;
    return [{ name: benchmark, runs: ended.map(({ numbers }) => numbers), compared }];
  }
  return async (names, told) => {
    if (names.length === 0) return [];
    const all = await runs.names();
    const histories = [];
    for (const name of names) histories.push(...(await historyOf(name, all, told[name])));
    return histories;
  };
}
