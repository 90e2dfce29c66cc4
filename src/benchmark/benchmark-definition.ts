import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { changeText, FOREVER_MS, Id, type KeyValue, line } from '../common/index.ts';
import { readJson } from '../common/text/index.ts';
import { filesOf, type Problems, parseYaml, throwProblems } from '../prompting/index.ts';
import { Subject } from './run-manifest.ts';

/** A sample of each day's cases from a log. */
export const Sample = z.strictObject({
  perDay: z.int().min(1),
  seed: z.int().min(0),
  /** A tag whose values keep the proportions they have in the log. */
  by: line.optional(),
});
export type Sample = z.infer<typeof Sample>;

const BUDGET = 'must be US dollars above 0, or none';

/** Cases from files, from a set collected by users, or generated; generated cases are always the same. */
const DatasetSource = z.union(
  [
    z.strictObject({
      /** Paths relative to the definition's file. In a file name, `*` and `?` match any characters. */
      files: z.union([line.transform((path) => [path]), z.array(line).min(1)]),
      /** Use only the newest file: the last by name, comparing numbers by value. */
      newest: z.boolean().default(false),
      sample: Sample.optional(),
    }),
    z.strictObject({
      /** The name of a set. */
      set: Id,
    }),
    z.strictObject({
      /** The domain to generate from, `prompts/datasets/<id>.yaml`. */
      generate: Id,
      users: z.int().min(1).max(10_000),
      seed: z.int().min(0),
    }),
  ],
  'must be {files: [cases.jsonl]} or {generate: navigation, users: 10, seed: 1} or {set: regressions}; beside files may stand newest: true and sample: {perDay: 50, seed: 1, by: intent}',
);

/**
 * Whether people are asked about answers of each run, drawn by chance. Only those who have volunteered are asked. The answers say how far
 * the judges are right, which votes on what looked suspicious cannot.
 */
export const ReviewSettings = z.strictObject({
  /** Answers drawn from each run. */
  size: z.int().min(8).max(400).default(40),
  /** People asked about each answer. */
  votes: z.int().min(1).max(9).default(1),
  /** Ids of the people who may be asked, as commands take them. */
  people: z.array(line).default([]),
  /** Answers that one person is asked about in a week, at most. */
  perWeek: z.int().min(1).max(100).default(10),
  /** After this many days without an answer, another person is asked. */
  days: z.int().min(1).max(14).default(7),
});
export type ReviewSettings = z.infer<typeof ReviewSettings>;

/** A benchmark that schedules can run by name. */
export const BenchmarkDefinition = z.strictObject({
  /** Part of its runs' names, which are limited to 80 characters. */
  id: Id.max(60, 'must have at most 60 characters'),
  title: line,
  dataset: DatasetSource,
  /** Whether cases are answers from two builds, to be compared in pairs. */
  compareBuilds: z.boolean().default(false),
  /** Default: `judges` for generated cases, otherwise see `subjectOf`. */
  subject: Subject.optional(),
  /** File of a system that answers the requests before each run, relative to the definition's file. */
  system: line.optional(),
  /** Null: chosen for each case. */
  rubric: Id.nullable().default(null),
  /** Empty: the rubric's methods. */
  methods: z.array(Id).default([]),
  /** Empty: the configured default model. */
  models: z.array(line).default([]),
  /** Panels by name, for methods that seat several models; default: one panel of all models. */
  panels: z.record(Id, z.array(line).min(1)).optional(),
  /** Override the methods' own. */
  temperatures: z.array(z.number().min(0).max(2)).min(1).optional(),
  /** Whether to skip the remaining samples once the majority is decided. */
  earlyStop: z.boolean().default(true),
  /** `decided`: no more judges are asked once their majority cannot change. Absent: as the methods say. */
  stop: z.literal('decided').optional(),
  repeats: z.int().min(1).max(100).default(1),
  /** Personas to use instead of the rubric's. */
  panel: z.array(Id).min(1).nullable().default(null),
  /** Spending limit of one run in US dollars, or `none`. */
  budget: z.union([z.number().positive(BUDGET), z.literal('none')], BUDGET),
  /** Time limit of one run. */
  minutes: z.int().min(1).max(1440).default(120),
  /** Trials judged concurrently. */
  concurrency: z.int().min(1).max(1000).default(8),
  /** Absent: nobody is asked. */
  review: ReviewSettings.optional(),
});
export type BenchmarkDefinition = z.infer<typeof BenchmarkDefinition>;

/**
 * The slot as it appears in a run's name: `20261123T080000Z`.
 * @param slot ms since the epoch
 */
const stampOf = (slot: number): string =>
  new Date(slot)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '');

/** Name of a benchmark's run for a slot, shared by all processes and all schedules due then. */
export const runNameFor = (benchmark: string, slot: number): string => `${benchmark}-${stampOf(slot)}`;

/** IDs of all benchmark definitions, valid or not. */
export const benchmarkIds = (folders: readonly string[]): string[] => [
  ...filesOf(folders, 'benchmarks', '.yaml', []).keys(),
];

/**
 * Reads the benchmarks defined in `benchmarks/` of the prompts folders, by ID, with absolute dataset paths.
 * @param only IDs to read; default: all
 * @throws JuryError `bad-file` that lists all problems
 */
export function loadBenchmarks(
  folders: readonly string[],
  only?: readonly string[],
): ReadonlyMap<string, BenchmarkDefinition> {
  const problems: Problems = [];
  const definitions = new Map<string, BenchmarkDefinition>();
  for (const [id, file] of filesOf(folders, 'benchmarks', '.yaml', problems)) {
    if (only?.includes(id) === false) continue;
    const definition = parseYaml(BenchmarkDefinition, file, problems);
    if (definition === undefined) continue;
    const { dataset, system } = definition;
    const absolute = (path: string) => resolve(dirname(file.path), path);
    definitions.set(id, {
      ...definition,
      ...(system === undefined ? {} : { system: absolute(system) }),
      dataset: 'files' in dataset ? { ...dataset, files: dataset.files.map(absolute) } : dataset,
    });
  }
  throwProblems(problems);
  return definitions;
}

/** The run that later runs of a benchmark, or of another series, are compared with, under a familiar name such as a release. */
export const Baseline = z.strictObject({ name: z.string(), run: z.string() });
export type Baseline = z.infer<typeof Baseline>;

const keyOf = (benchmark: string): string => `benchmark-baseline:${benchmark}`;

/**
 * The benchmark's baseline; null if none is set.
 * @throws JuryError `store-unavailable`
 */
export async function readBaseline(
  store: KeyValue,
  benchmark: string,
  now: number,
): Promise<Baseline | null> {
  const text = await store.get(keyOf(benchmark), now);
  return text === null ? null : (readJson(Baseline, text)?.value ?? null);
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
  await changeText(store, key, () => JSON.stringify(baseline), now, FOREVER_MS);
}
