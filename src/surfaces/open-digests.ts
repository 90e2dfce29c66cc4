import { type BenchmarkDefinition, benchmarkIds, loadBenchmarks } from '../benchmark/benchmark-definition.ts';
import type { BenchmarkOutcome } from '../benchmark/run-defined-benchmark.ts';
import type { TrialStore } from '../benchmark/trial-store.ts';
import { messageOf } from '../common/errors.ts';
import { gatherDigest } from '../digests/gather-digest.ts';
import type { RunBenchmarks } from '../digests/send-digest.ts';
import type { Store } from '../stores/store.ts';
import type { Parts } from './parts.ts';
import type { DigestSources } from './surface.ts';

/** What digests are made of in this process; runs are opened when a schedule first asks for a benchmark. */
export interface OpenDigests extends DigestSources {
  store: Store;
  runBenchmarks: RunBenchmarks;
  close: () => Promise<void>;
}

async function runDefined(
  parts: Parts,
  store: Store,
  runs: TrialStore,
  definition: BenchmarkDefinition,
  slot: number,
  stop: AbortSignal,
): Promise<BenchmarkOutcome> {
  const [{ runDefinedBenchmark }, { benchmarkCases }, { costOf, findModel }] = await Promise.all([
    import('../benchmark/run-defined-benchmark.ts'),
    import('../benchmark/benchmark-cases.ts'),
    import('../judges/llm/models.ts'),
  ]);
  const { settings } = parts.env;
  const runner = {
    ...parts,
    runs,
    store,
    priceOf: (model: string, { prompt, completion }: { prompt: number; completion: number }) =>
      costOf(findModel(model), { prompt, cached: 0, completion }),
    defaultModel: settings.JURY_MODEL,
    settings: settings.JURY_SETTINGS,
    casesOf: (one: BenchmarkDefinition, until: AbortSignal) =>
      benchmarkCases(
        {
          library: parts.library,
          promptFolders: parts.env.promptFolders,
          maxCaseChars: settings.JURY_MAX_CASE_CHARS,
        },
        one,
        until,
      ),
    timeoutMs: settings.JURY_VERDICT_TIMEOUT_S * 1000,
  };
  return runDefinedBenchmark(runner, definition, slot, stop);
}

/** One that is defined; null where there is none of that name. A file that is wrong is no reason for a digest not to come: it says so. */
function definitionOf(
  folders: readonly string[],
  name: string,
): BenchmarkDefinition | BenchmarkOutcome | null {
  try {
    return loadBenchmarks(folders, [name]).get(name) ?? null;
  } catch (thrown) {
    return { kind: 'not-run', name, why: messageOf(thrown) };
  }
}

/** @throws JuryError `store-unavailable` or `config` */
export async function openDigests(parts: Parts, warn: (message: string) => void): Promise<OpenDigests> {
  const { settings } = parts.env;
  const store = await parts.store();
  let opened: Promise<TrialStore> | undefined;
  const open = (): Promise<TrialStore> => {
    opened ??= import('../stores/open-store.ts')
      .then(({ openTrialStore }) =>
        openTrialStore({ redisUrl: settings.REDIS_URL, dataFolder: settings.JURY_DATA_DIR, warn }),
      )
      .catch((thrown) => {
        opened = undefined;
        throw thrown;
      });
    return opened;
  };
  // Read each time: whoever adds one need not start the service anew.
  const defined = () => loadBenchmarks(parts.env.promptFolders);
  const benchmarks = async (names: readonly string[], told: Readonly<Record<string, string>>) => {
    if (names.length === 0) return [];
    const { createBenchmarkSource } = await import('../benchmark/benchmark-history.ts');
    const known = [...new Set([...benchmarkIds(parts.env.promptFolders), ...names])];
    return createBenchmarkSource(await open(), store, parts.now, known)(names, told);
  };
  const outcomesOf: RunBenchmarks = async ({ benchmarks: names }, slot, stop) => {
    const outcomes: BenchmarkOutcome[] = [];
    for (const name of names) {
      const found = definitionOf(parts.env.promptFolders, name);
      if (found === null) continue;
      outcomes.push(
        'kind' in found ? found : await runDefined(parts, store, await open(), found, slot, stop),
      );
    }
    return outcomes;
  };
  return {
    store,
    gather: (schedule, due, last, outcomes) =>
      gatherDigest({ store, benchmarks, now: parts.now }, schedule, due, last, outcomes),
    runBenchmarks: outcomesOf,
    known: async () => ({ defined: [...defined().keys()], runs: await (await open()).names() }),
    defined,
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}
