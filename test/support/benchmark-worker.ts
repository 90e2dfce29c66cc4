// Runs a benchmark until it is killed. Started, and killed, by a test.
import { runDefinedBenchmark } from '../../src/benchmark/run-defined-benchmark.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { aDefinition, aRunner } from './benchmark-runner.ts';

const [path = '', folder = '', slot = '0', cases = '0'] = process.argv.slice(2);
const runner = aRunner(await openSqliteStore(path), folder, { cases: Number(cases), ms: 100 });
await runDefinedBenchmark(runner, aDefinition(), Number(slot), new AbortController().signal);
