import { dirname, resolve } from 'node:path';
import { BenchmarkDefinition } from '../benchmark/benchmark-definition.ts';
import { checked, filesOf, type Problems, refuse, withId, yamlOf } from './prompt-files.ts';

/** Ids of the benchmarks that are defined, whether their files are right or not. */
export const benchmarkIds = (folders: readonly string[]): string[] => [
  ...filesOf(folders, 'benchmarks', '.yaml', []).keys(),
];

/**
 * The benchmarks that are defined in `benchmarks/` of the prompts folders, by id; paths of datasets are absolute then. Read when
 * they are asked for.
 *
 * @param only ids; absent: all
 * @throws JuryError `bad-file` that lists what is wrong
 */
export function loadBenchmarks(
  folders: readonly string[],
  only?: readonly string[],
): ReadonlyMap<string, BenchmarkDefinition> {
  const problems: Problems = [];
  const definitions = new Map<string, BenchmarkDefinition>();
  for (const [id, file] of filesOf(folders, 'benchmarks', '.yaml', problems)) {
    if (only?.includes(id) === false) continue;
    const found = checked(BenchmarkDefinition, withId(id, yamlOf(file, problems)), file.path, problems);
    if (found === undefined) continue;
    const { dataset } = found;
    const files = 'files' in dataset ? dataset.files.map((path) => resolve(dirname(file.path), path)) : null;
    definitions.set(id, files === null ? found : { ...found, dataset: { files } });
  }
  refuse(problems);
  return definitions;
}
