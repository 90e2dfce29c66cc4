import * as z from 'zod';
import type { RunManifest } from '../../../benchmark/index.ts';
import type { CountRow } from '../../../labels/record/index.ts';
import type { Against, ReviewedRun } from '../../../reports/assistant/index.ts';
import type { Side } from '../../../reports/comparison/index.ts';
import { RunNumbers } from '../../../reports/history/index.ts';

/** Case ids whose texts are hidden, by run. */
type Hidden = Readonly<Record<string, readonly string[]>>;

/** What the thread is asked to make of runs. What it needs of other stores than that of the runs comes with the task. */
export type Task =
  | {
      /** A run's report, as a page and as JSON. */
      kind: 'report';
      run: string;
      /** The address of its cases, with `{row}` for a row number. */
      url: string;
      hidden: Hidden;
      against: readonly Against[];
      reviewed: readonly ReviewedRun[];
      /** Votes, for a run of an assistant; null for one of judges. */
      votes: readonly CountRow[] | null;
    }
  | {
      /** Two runs, or two configurations, compared on a page. */
      kind: 'comparison';
      first: Side;
      second: Side;
      url: string;
      hidden: Hidden;
      reviewed: readonly ReviewedRun[];
    }
  | { kind: 'numbers'; run: RunManifest; earlier: RunManifest | null };

export type TaskOf<Kind extends Task['kind']> = Extract<Task, { kind: Kind }>;

/** What the thread makes. */
export const Made = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('report'),
    /** The page up to the place for what depends on the visitor, and the rest. */
    begin: z.string(),
    rest: z.string(),
    /** The report's data. */
    json: z.string(),
  }),
  z.object({
    kind: z.literal('comparison'),
    html: z.string(),
    /** The comparison's data. */
    json: z.string(),
    /** The place in the first run of each case of the second that is in both. */
    before: z.map(z.number(), z.number()),
  }),
  z.object({ kind: z.literal('numbers'), numbers: RunNumbers }),
]);
export type Made = z.infer<typeof Made>;
export type MadeOf<Kind extends Made['kind']> = Extract<Made, { kind: Kind }>;
