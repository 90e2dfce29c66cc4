import * as z from 'zod';
import { Id } from '../judging/rubric.ts';

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
