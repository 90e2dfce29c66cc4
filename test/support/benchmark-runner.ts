import { setTimeout as sleep } from 'node:timers/promises';
import { BenchmarkDefinition } from '../../src/benchmark/benchmark-definition.ts';
import type { BenchmarkRunner } from '../../src/benchmark/run-defined-benchmark.ts';
import type { EvalCase } from '../../src/case/case.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import type { Store } from '../../src/stores/store.ts';
import { aCase, judgementOf, pass } from './builders.ts';
import { builtInLibrary } from './built-in.ts';

export const aDefinition = (parts: object = {}): BenchmarkDefinition =>
  BenchmarkDefinition.parse({
    id: 'trip',
    title: 'Trips',
    dataset: { files: ['cases.jsonl'] },
    rubric: 'question-answering',
    methods: ['io'],
    models: ['test/model'],
    budget: 'none',
    concurrency: 2,
    ...parts,
  });

const labeledCases = (count: number): EvalCase[] =>
  Array.from({ length: count }, (_, n) => aCase({ id: `c${n}`, label: { decision: 'pass' } }));

/** What a process runs benchmarks with; its one model says pass after some time, at a price in US dollars. */
export function aRunner(
  store: Store,
  folder: string,
  parts: Partial<BenchmarkRunner> & { cases?: number; ms?: number; usd?: number; asked?: () => unknown } = {},
): BenchmarkRunner {
  const { cases = 6, ms = 0, usd = 0.1, asked = () => {}, ...rest } = parts;
  return {
    runs: createFolderTrialStore(folder),
    store,
    library: builtInLibrary(),
    askFor: () => async (question) => {
      asked();
      await sleep(ms);
      const said = judgementOf(question, pass);
      return { ...said, usage: { ...said.usage, costUsd: usd } };
    },
    wordingOf: () => ({ hash: 'same', chars: 100 }),
    client: { priceOf: () => ({ input: 1, cachedInput: null, output: 1 }) },
    requireModel: () => {},
    defaultModel: 'test/model',
    settings: {},
    casesOf: async () => labeledCases(cases),
    now: Date.now,
    timeoutMs: 10_000,
    ...rest,
  };
}
