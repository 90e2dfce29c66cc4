import type { BenchmarkSource } from '../flows/gather-digest.ts';
import { gatherDigest } from '../flows/gather-digest.ts';
import type { GatherDigest } from '../flows/send-digest.ts';
import type { Parts } from '../parts.ts';
import type { Store } from '../store/store.ts';

/** What digests are made of in this process; runs are opened when a schedule first asks for a benchmark. */
export interface OpenDigests {
  store: Store;
  gather: GatherDigest;
  close: () => Promise<void>;
}

/** @throws JuryError `store-unavailable` or `config` */
export async function openDigests(parts: Parts, warn: (message: string) => void): Promise<OpenDigests> {
  const { settings } = parts.env;
  const store = await parts.store();
  let opened: Promise<{ source: BenchmarkSource; close: () => Promise<void> }> | undefined;
  const open = async () => {
    const [{ openTrialStore }, { createBenchmarkSource }] = await Promise.all([
      import('../benchmark/runs/open-trial-store.ts'),
      import('../flows/benchmark-source.ts'),
    ]);
    const runs = await openTrialStore({
      redisUrl: settings.REDIS_URL,
      dataFolder: settings.JURY_DATA_DIR,
      warn,
    });
    return { source: createBenchmarkSource(runs, store, parts.now), close: () => runs.close() };
  };
  const benchmarks: BenchmarkSource = async (names, told) => {
    if (names.length === 0) return [];
    opened ??= open().catch((thrown) => {
      opened = undefined;
      throw thrown;
    });
    return (await opened).source(names, told);
  };
  return {
    store,
    gather: (schedule, due, last) => gatherDigest({ store, benchmarks, now: parts.now }, schedule, due, last),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}
