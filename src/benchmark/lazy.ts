/** The heavy parts of this room: modules that a command loads when it needs them. Importing this file loads none of them. */
export const loadRunDefinedBenchmark = () => import('./run-defined-benchmark.ts');
export const loadTrialStore = () => import('./trial-store.ts');
