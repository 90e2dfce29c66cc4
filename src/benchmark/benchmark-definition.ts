import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { Id } from '../common/id.ts';
import {
  filesOf,
  type Problems,
  parseWith,
  throwProblems,
  withId,
  yamlOf,
} from '../prompting/prompt-files.ts';

const line = z.string().trim().min(1);

const BUDGET = 'must be US dollars above 0, or none';

/** Cases in files, or cases that are generated, the same ones every time. */
const DatasetSource = z.union(
  [
    z.strictObject({
      /** Paths; in a file of prompts they are read from that file's folder on. */
      files: z.array(line).min(1),
    }),
    z.strictObject({
      /** The domain to generate from, `prompts/datasets/<id>.yaml`. */
      generate: Id,
      users: z.int().min(1).max(10_000),
      seed: z.int().min(0),
    }),
  ],
  'must be {files: [cases.jsonl]} or {generate: navigation, users: 10, seed: 1}',
);

/** A benchmark that an operator has defined, so that schedules can run it by its name. */
export const BenchmarkDefinition = z.strictObject({
  /** Runs are named by it, with the time that they were due, in at most 80 characters. */
  id: Id.max(60, 'must have at most 60 characters'),
  title: line,
  dataset: DatasetSource,
  /** Null: found from each case. */
  rubric: Id.nullable().default(null),
  /** None: the rubric's. */
  methods: z.array(Id).default([]),
  /** None: the model that is configured as the default. */
  models: z.array(line).default([]),
  repeats: z.int().min(1).max(100).default(1),
  /** Personas in place of the rubric's. */
  panel: z.array(Id).min(1).nullable().default(null),
  /** The most that one run may spend, US dollars; `none` where it may spend whatever it takes. */
  budget: z.union([z.number().positive(BUDGET), z.literal('none')], BUDGET),
  /** The longest that one run may take. */
  minutes: z.int().min(1).max(1440).default(120),
  /** Trials judged at once. */
  concurrency: z.int().min(1).max(1000).default(8),
});
export type BenchmarkDefinition = z.infer<typeof BenchmarkDefinition>;

/** `20261123T080000Z`: when a run was due, as its name tells it. @param slot ms since the epoch */
const stampOf = (slot: number): string =>
  new Date(slot)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '');

/** The run of a benchmark for a slot: whoever goes on with it, and whichever schedules are due then, mean the same one. */
export const runNameFor = (benchmark: string, slot: number): string => `${benchmark}-${stampOf(slot)}`;

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
    const found = parseWith(BenchmarkDefinition, withId(id, yamlOf(file, problems)), file.path, problems);
    if (found === undefined) continue;
    const { dataset } = found;
    const files = 'files' in dataset ? dataset.files.map((path) => resolve(dirname(file.path), path)) : null;
    definitions.set(id, files === null ? found : { ...found, dataset: { files } });
  }
  throwProblems(problems);
  return definitions;
}
