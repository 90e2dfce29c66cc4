import {
  benchmarkIds,
  isCaseErased,
  plannedTrials,
  type RunManifest,
  type RunTotals,
  redactedRuns,
  runsWithout,
  seriesOf,
  subjectOf,
  type TrialStore,
} from '../../benchmark/index.ts';
import { isFromChat } from '../../case/index.ts';
import { lazily, onAbort } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';
import type { Env } from '../../env.ts';
import { isWithdrawn } from '../../labels/access/index.ts';
import { type Comparison, compareRuns, type Side } from '../../reports/comparison/index.ts';
import type { ReportMeasure } from '../../reports/estimates/index.ts';
import {
  type ComparedCases,
  createMatrix,
  makeReport,
  type Report,
  type RunMatrix,
  readComparedCases,
} from '../../reports/index.ts';
import { highestF1, isLabeled } from '../../reports/metrics/index.ts';
import { reviewedFor } from '../../reviews/index.ts';
import { openTrialStore, type Store } from '../../stores/index.ts';
import { againstRuns, RunScore, type RunSummary, withPeople } from '../index.ts';

/** A report with the matrix of its cases. */
interface ReadRun {
  report: Report;
  matrix: RunMatrix;
}

const share = (part: number, n: number): ReportMeasure =>
  n > 0 ? { defined: true, n, value: part / n } : { defined: false, n, why: 'no trials' };

function scoreOf({ setups, assistant, ...report }: Report): RunScore | null {
  const [first] = setups;
  if (assistant !== null && assistant.preference === null && first !== undefined) {
    const { rate, decided, answers } = assistant;
    const { kind, measure, interval } = rate;
    const what = { kind: kind === 'pass' ? 'pass-rate' : 'mean-score' } as const;
    return { ...what, configuration: first.id, measure, interval, coverage: share(decided, answers) };
  }
  if (isLabeled({ setups, ...report })) {
    const best = highestF1(setups) ?? first;
    if (best === undefined) return null;
    const { f1, coverage } = best.effectiveness;
    return { kind: 'f1', configuration: best.id, ...f1, coverage };
  }
  if (first === undefined) return null;
  const { id, scores, decisions, trials } = first;
  if (scores !== null)
    return { kind: 'mean-score', configuration: id, ...scores.mean, coverage: share(scores.n, trials) };
  return decisions === null
    ? null
    : { kind: 'pass-rate', configuration: id, ...decisions.passRate, coverage: decisions.coverage };
}

/** How long a list of runs may spend on working out scores, ms. */
const PATIENCE_MS = 1_500;
/** How long a report is cached, ms. Short, so that erased data soon disappears. */
const KEPT_MS = 30_000;
const KEPT = 8;
/** How long the final score of a run is kept, ms. */
const SCORE_MS = 400 * 86_400_000;

/** A run and its progress. */
export interface ListedRun {
  manifest: RunManifest;
  totals: RunTotals;
}

/** Two runs, or two configurations, compared. */
interface ComparedRuns {
  comparison: Comparison;
  cases: ComparedCases;
}

/** How long the list of a run's copied cases is cached, ms. Long, because only erasure changes it. */
const COPIES_KEPT_MS = 3_600_000;

/** A small cache for what takes long to make. Failures are not cached. */
function keptShortly<T>(now: () => number, most = KEPT, keptMs = KEPT_MS) {
  const made = new Map<string, { at: number; value: Promise<T> }>();
  return (key: string, make: () => Promise<T>): Promise<T> => {
    const cached = made.get(key);
    if (cached !== undefined && now() - cached.at < keptMs) return cached.value;
    const value = make();
    made.delete(key);
    made.set(key, { at: now(), value });
    for (const [old] of made) if (made.size > most) made.delete(old);
    value.catch(() => made.delete(key));
    return value;
  };
}

interface Parts {
  env: Env;
  store: Store;
  now: () => number;
  /** Closes the store of runs when it aborts. */
  leaving: AbortSignal;
}

export type RunShelf = ReturnType<typeof createRunShelf>;

/** Reads the service's runs for the console and the API. */
export function createRunShelf({ env, store, now, leaving }: Parts) {
  const { settings } = env;
  const stored = lazily(async () => {
    const runs = await openTrialStore(settings, () => {});
    onAbort(leaving, () => void runs.close());
    return runs;
  });
  const opened = lazily(async () => redactedRuns(await stored(), settings.JURY_REDACT));
  const copied = keptShortly<string[]>(now, 1_000, COPIES_KEPT_MS);
  const expired = keptShortly<ReadonlySet<string>>(now, 1_000);

  /**
   * `ids`: the verdicts in chats whose cases the run has copies of, except erased copies. `gone`: those of them that were withdrawn or have
   * expired, so that it is no longer known who may see them.
   */
  const copies = async ({ name, createdAt }: Pick<RunManifest, 'name' | 'createdAt'>) => {
    const key = `${name} ${createdAt}`;
    const ids = await copied(key, async () => {
      const chatCaseIds: string[] = [];
      for await (const one of (await stored()).readCases(name))
        if (one.id !== undefined && isFromChat(one) && !isCaseErased(one)) chatCaseIds.push(one.id);
      return chatCaseIds;
    });
    const gone = await expired(key, async () => {
      const goneIds = new Set<string>();
      for (const id of ids)
        if ((await store.verdict(id)) === null || (await isWithdrawn(store, id, now()))) goneIds.add(id);
      return goneIds;
    });
    return { ids, gone };
  };
  const goneOf = async (name: string): Promise<ReadonlySet<string>> => {
    const manifest = await (await stored()).readRun(name);
    return manifest === null ? new Set() : (await copies(manifest)).gone;
  };

  /** Makes and caches reports from a store. @param version when it changes for a run, cached reports of that run are not used again */
  function reader(open: () => Promise<TrialStore>, version: (name: string) => Promise<number>) {
    const reports = keptShortly<ReadRun>(now);
    const comparisons = keptShortly<ComparedRuns>(now);

    async function make(name: string): Promise<ReadRun> {
      const runs = await open();
      const matrix = await createMatrix(runs, [name]);
      const manifest = await runs.readRun(name);
      const parts = { runs, store, now: now() };
      const isOfJudges = manifest === null || subjectOf(manifest) === 'judges';
      const against = isOfJudges ? [] : await againstRuns(parts, manifest, undefined);
      const reviewed = isOfJudges ? [] : await reviewedFor(store, manifest, parts.now);
      const read = await makeReport(runs, name, { count: matrix.add, against, reviewed });
      const assistant = read.assistant === null ? null : await withPeople(parts, read.assistant);
      const report = { ...read, assistant };
      return { report, matrix: matrix.result(report.setups.map(({ id }) => id)) };
    }

    return {
      store: open,
      /** The report of a run with its matrix; may be up to 30 s old. @throws JuryError `usage` if there is no such run */
      read: async (name: string) => reports(`${await version(name)} ${name}`, () => make(name)),
      /** What changed from `first` to `second`. @throws JuryError `usage` if there is nothing to compare */
      compare: async (first: Side, second: Side) => {
        const versions = [await version(first.run), await version(second.run)];
        return comparisons(JSON.stringify([first, second, versions]), async () => {
          const runs = await open();
          const { comparison } = await compareRuns(runs, first, second, {
            reviewed: (manifest) => reviewedFor(store, manifest, now()),
          });
          return { comparison, cases: await readComparedCases(runs, comparison) };
        });
      },
    };
  }
  const whole = reader(opened, async () => 0);
  const withoutGone = reader(
    lazily(async () => runsWithout(await opened(), goneOf)),
    async (name) => (await goneOf(name)).size,
  );

  async function scored(key: string, name: string, isFinal: boolean): Promise<RunScore | null> {
    const score = scoreOf((await whole.read(name)).report);
    if (isFinal && score !== null) await store.setIfAbsent(key, JSON.stringify(score), now(), SCORE_MS);
    return score;
  }

  /** A run's result; null without one, or if it is not known and the deadline has passed. @param deadline ms since the epoch */
  async function score(
    { manifest, totals: { trials, failed } }: ListedRun,
    deadline: number,
  ): Promise<RunScore | null> {
    const { name, createdAt } = manifest;
    const key = `run-score:${name}:${createdAt}:${trials}`;
    const text = await store.get(key, now());
    const kept = text === null ? null : readJson(RunScore, text);
    if (kept !== null) return kept.value;
    if (trials === 0 || now() > deadline) return null;
    // The score is final once all trials are done and none failed: only failed trials can be judged again.
    return scored(key, name, failed === 0 && trials === plannedTrials(manifest)).catch(() => null);
  }

  return {
    whole,
    /** The same runs, without the words of the copies that are `gone`. */
    withoutGone,
    copies,
    /** All runs, newest first. Runs that cannot be read are left out. */
    list: async (): Promise<ListedRun[]> => {
      const runs = await opened();
      const listed = await Promise.all(
        (await runs.names()).map(async (name) => {
          const manifest = await runs.readRun(name).catch(() => null);
          return manifest === null ? [] : [{ manifest, totals: await runs.totals(name) }];
        }),
      );
      return listed.flat().sort((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1));
    },
    /** Summaries of some runs, in the same order. Scores that would take too long are null: later calls fill them in. */
    summaries: async (listed: readonly ListedRun[]): Promise<RunSummary[]> => {
      const deadline = now() + PATIENCE_MS;
      const defined = benchmarkIds(env.promptFolders);
      const summaries: RunSummary[] = [];
      for (const run of listed) {
        const { manifest, totals } = run;
        const { name, createdAt, dataset, configurations } = manifest;
        const series = seriesOf(manifest);
        summaries.push({
          id: name,
          series,
          benchmark: defined.includes(series) ? series : null,
          createdAt,
          subject: subjectOf(manifest),
          source: dataset.source,
          cases: dataset.cases,
          configurations: configurations.filter(({ repeat }) => repeat === 1).length,
          trials: totals.trials,
          planned: plannedTrials(manifest),
          score: await score(run, deadline),
        });
      }
      return summaries;
    },
  };
}
