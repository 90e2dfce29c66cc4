import { createHash } from 'node:crypto';
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
import { endsWithin, lazily, onAbort } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';
import type { Env } from '../../env.ts';
import { isWithdrawn } from '../../labels/access/index.ts';
import type { CountRow } from '../../labels/record/index.ts';
import { Comparison, type Side } from '../../reports/comparison/index.ts';
import { requireRun } from '../../reports/facts/index.ts';
import { RunNumbers, runsBefore } from '../../reports/history/index.ts';
import { reviewedFor } from '../../reviews/index.ts';
import { openTrialStore, type Store } from '../../stores/index.ts';
import { againstRuns, publicVotes, type RunSummary } from '../index.ts';
import type { MadeOf, Task, TaskOf } from './report/tasks.ts';
import { createReportThread } from './report-thread.ts';

/** How long a list of runs may wait for results, ms. The remaining ones are filled in by later requests. */
const PATIENCE_MS = 1_500;
/** How long votes and reviews are kept in memory, ms: they are part of what a report is kept by, so that it may be this old. */
const VOTES_KEPT_MS = 30_000;
/** How many reports and comparisons are kept in memory. One of 600 cases and 24 configurations has about 2 MB. */
const KEPT = 16;
/** How long the final numbers of a run are kept, ms. */
const NUMBERS_MS = 400 * 86_400_000;

/** A run and its progress. */
export interface ListedRun {
  manifest: RunManifest;
  totals: RunTotals;
  revision: string;
}

/** A run with what it came to. */
export interface CountedRun extends ListedRun {
  /** The run before in its series, of those that may be seen. */
  before: ListedRun | null;
  /** Null while it is unknown. */
  numbers: RunNumbers | null;
}

/** How long it is kept which verdicts are gone, ms. Short, so that what is withdrawn soon disappears. */
const GONE_KEPT_MS = 30_000;
/** How long the list of a run's copied cases is cached, ms. Long, because only erasure changes it. */
const COPIES_KEPT_MS = 3_600_000;

/** A small cache for what takes long to make. Failures are not cached. @param keptMs default: until there is no more room */
function keptShortly<T>(now: () => number, most: number, keptMs = Number.POSITIVE_INFINITY) {
  const made = new Map<string, { at: number; value: Promise<T> }>();
  return (key: string, make: () => Promise<T>): Promise<T> => {
    const cached = made.get(key);
    if (cached !== undefined && now() - cached.at < keptMs) {
      // The least recently used is the first to go.
      made.delete(key);
      made.set(key, cached);
      return cached.value;
    }
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
  const copied = keptShortly<readonly string[]>(now, 1_000, COPIES_KEPT_MS);
  const expired = keptShortly<ReadonlySet<string>>(now, 1_000, GONE_KEPT_MS);

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

  const thread = createReportThread(env, leaving);
  const votes = keptShortly<CountRow[]>(now, 1, VOTES_KEPT_MS);
  const reports = keptShortly<MadeOf<'report'>>(now, KEPT);
  const comparisons = keptShortly<MadeOf<'comparison'>>(now, KEPT);
  /** What pages are kept by: a digest of all that they are made of. */
  const keyOf = async (task: Task, runs: readonly string[]): Promise<string> => {
    const store = await stored();
    const revisions = await Promise.all(runs.map((name) => store.revision(name)));
    return createHash('sha256')
      .update(JSON.stringify([task, revisions]))
      .digest('base64url');
  };

  /** Reports as the visitors of one kind may see them. @param hiddenOf the cases of a run whose texts are hidden */
  function reader(open: () => Promise<TrialStore>, hiddenOf: (name: string) => Promise<ReadonlySet<string>>) {
    const hiddenIn = async (names: readonly string[]) =>
      Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, [...(await hiddenOf(name))]] as const)),
      );
    const compare = async (first: Side, second: Side, url: string): Promise<MadeOf<'comparison'>> => {
      const names = [first.run, second.run];
      const manifest = await requireRun(await open(), second.run);
      const task: TaskOf<'comparison'> = {
        kind: 'comparison',
        ...{ first, second, url },
        hidden: await hiddenIn(names),
        reviewed: await reviewedFor(store, manifest, now()),
      };
      return comparisons(await keyOf(task, names), () => thread.comparison(task));
    };
    return {
      store: open,
      /** The report of a run. @param url the address of its cases */
      report: async (manifest: RunManifest, url: string): Promise<MadeOf<'report'>> => {
        const { name } = manifest;
        const parts = { runs: await open(), store, now: now() };
        const isOfJudges = subjectOf(manifest) === 'judges';
        const against = isOfJudges ? [] : await againstRuns(parts, manifest, undefined);
        const names = [name, ...against.map((one) => one.manifest.name)];
        const task: TaskOf<'report'> = {
          kind: 'report',
          ...{ run: name, url, against },
          hidden: await hiddenIn(names),
          reviewed: isOfJudges ? [] : await reviewedFor(store, manifest, parts.now),
          votes: isOfJudges ? null : await votes('', () => publicVotes(parts)),
        };
        return reports(await keyOf(task, names), () => thread.report(task));
      },
      /** What changed from `first` to `second`. @param url the address of the cases @throws JuryError `usage` if there is nothing to compare */
      compare,
      /** The same as data. */
      comparison: async (first: Side, second: Side): Promise<Comparison> =>
        Comparison.parse(JSON.parse((await compare(first, second, '')).json)),
    };
  }
  const whole = reader(opened, async () => new Set());
  const withoutGone = reader(
    lazily(async () => runsWithout(await opened(), goneOf)),
    goneOf,
  );

  /** Manifests and totals by name, as of their revision. */
  const listed = new Map<string, ListedRun>();
  async function listedRun(name: string): Promise<ListedRun | null> {
    const runs = await opened();
    const revision = await runs.revision(name);
    const known = listed.get(name);
    if (known?.revision === revision) return known;
    const manifest = await runs.readRun(name).catch(() => null);
    if (manifest === null) return null;
    const run = { manifest, totals: await runs.totals(name), revision };
    listed.set(name, run);
    return run;
  }

  const numbers = keptShortly<RunNumbers>(now, 5_000);
  /** Whether all trials are done and none failed: only failed trials can be judged again. */
  const isFinal = ({ manifest, totals: { trials, failed } }: ListedRun) =>
    failed === 0 && trials === plannedTrials(manifest);

  async function readNumbers(run: ListedRun, before: ListedRun | null): Promise<RunNumbers> {
    const nameOf = ({ manifest: { name, createdAt } }: ListedRun) => `${name}:${createdAt}`;
    const key = `run-numbers-2:${[run, ...(before === null ? [] : [before])].map(nameOf).join(':')}`;
    const keepable = isFinal(run) && (before === null || isFinal(before));
    const text = keepable ? await store.get(key, now()) : null;
    const kept = text === null ? null : readJson(RunNumbers, text);
    if (kept !== null) return kept.value;
    const read = await thread.numbers({
      kind: 'numbers',
      run: run.manifest,
      earlier: before?.manifest ?? null,
    });
    if (keepable) await store.setIfAbsent(key, JSON.stringify(read), now(), NUMBERS_MS);
    return read;
  }

  /** What a run came to, and what turned since the one before; null without trials, or if it takes longer: then it is prepared all the same. */
  async function numbersIn(run: ListedRun, before: ListedRun | null, ms: number): Promise<RunNumbers | null> {
    if (run.totals.trials === 0) return null;
    const key = [run, before].map((one) => `${one?.manifest.name} ${one?.revision}`).join(' ');
    const ready = numbers(key, () => readNumbers(run, before)).catch(() => null);
    return (await endsWithin(Math.max(0, ms), ready)) ? ready : null;
  }

  /** Adds what runs came to. What takes too long is null, and there for a later call. @param all the runs that may be seen */
  async function counted(chosen: readonly ListedRun[], all: readonly ListedRun[]): Promise<CountedRun[]> {
    const deadline = now() + PATIENCE_MS;
    const before = runsBefore(all.map(({ manifest }) => manifest));
    const byName = new Map(all.map((run) => [run.manifest.name, run]));
    return Promise.all(
      chosen.map(async (run) => {
        const earlier = byName.get(before.get(run.manifest.name)?.name ?? '') ?? null;
        return { ...run, before: earlier, numbers: await numbersIn(run, earlier, deadline - now()) };
      }),
    );
  }

  return {
    whole,
    /** The same runs, without the words of the copies that are `gone`. */
    withoutGone,
    copies,
    /** All runs, newest first. Runs that cannot be read are left out. */
    list: async (): Promise<ListedRun[]> => {
      const names = await (await opened()).names();
      for (const name of listed.keys()) if (!names.includes(name)) listed.delete(name);
      const found = await Promise.all(names.map(listedRun));
      return found
        .flatMap((run) => run ?? [])
        .sort((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1));
    },
    counted,
    /** Summaries of runs, in the same order. Scores that would take too long are null: later calls fill them in. */
    summaries: async (all: readonly ListedRun[]): Promise<RunSummary[]> => {
      const defined = benchmarkIds(env.promptFolders);
      return (await counted(all, all)).map(({ manifest, totals, numbers: own }) => {
        const { name, createdAt, dataset, configurations } = manifest;
        const series = seriesOf(manifest);
        return {
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
          score: own?.score ?? null,
        };
      });
    },
  };
}
