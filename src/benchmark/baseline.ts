import * as z from 'zod';
import { FOREVER_MS, type KeyValue } from '../common/key-value.ts';
import { readJson } from '../common/text.ts';

/** The run that later runs of a benchmark are compared with, under a name that people know, such as a release. */
export const Baseline = z.strictObject({ name: z.string(), run: z.string() });
export type Baseline = z.infer<typeof Baseline>;

const keyOf = (benchmark: string): string => `benchmark-baseline:${benchmark}`;

/** @throws JuryError `store-unavailable` */
export async function readBaseline(
  store: KeyValue,
  benchmark: string,
  now: number,
): Promise<Baseline | null> {
  const text = await store.get(keyOf(benchmark), now);
  return text === null ? null : (readJson(Baseline, text)?.value ?? null);
}

/** The baseline of the benchmark that a run belongs to by its name, `nightly-2026-11-21` to `nightly`. */
export async function baselineOfRun(store: KeyValue, run: string, now: number): Promise<Baseline | null> {
  const parts = run.split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const found = await readBaseline(store, parts.slice(0, length).join('-'), now);
    if (found !== null) return found;
  }
  return null;
}

/** Sets or replaces the baseline of a benchmark; null removes it. @throws JuryError `store-unavailable` */
export async function setBaseline(
  store: KeyValue,
  benchmark: string,
  baseline: Baseline | null,
  now: number,
): Promise<void> {
  const key = keyOf(benchmark);
  if (baseline === null) return store.delete(key);
  const text = JSON.stringify(baseline);
  const kept = await store.setIfAbsent(key, text, now, FOREVER_MS);
  if (!kept.set && kept.value !== text) await store.compareAndSet(key, kept.value, text, now, FOREVER_MS);
}
