import * as z from 'zod';
import { TrendName } from '../benchmark/assistant/assistant-report.ts';
import type { BenchmarkHistory } from '../benchmark/benchmark-history.ts';
import type { BenchmarkOutcome } from '../benchmark/run-defined-benchmark.ts';
import { groupedBy, memoized } from '../common/collections.ts';
import { mondayOf } from '../labels/read-agreement.ts';
import { type CountRow, isTwoSided, sidesIn, votesIn } from '../labels/verdict-record.ts';
import { sum } from '../statistics/measure.ts';

/** Text with an optional link. Texts may be pasted: surfaces must not interpret them as markup. */
const Item = z.strictObject({ text: z.string(), link: z.string().nullable() });

/** A part of a digest as neutral data; each surface renders it with one exhaustive switch. */
export const DigestBlock = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({
    kind: z.literal('facts'),
    title: z.string(),
    facts: z.array(z.strictObject({ label: z.string(), value: z.string() })),
  }),
  z.strictObject({
    kind: z.literal('table'),
    title: z.string(),
    columns: z.array(z.strictObject({ title: z.string(), align: z.enum(['left', 'right']) })),
    /** Cells in the order of the columns. */
    rows: z.array(z.array(z.string())),
    /** Rows that were left out. */
    more: z.int(),
  }),
  z.strictObject({
    kind: z.literal('trend'),
    title: z.string(),
    /** Labels of the points, oldest first. */
    categories: z.array(z.string()),
    /** Percent, 0 to 100, one per category; null: no value. */
    series: z.array(z.strictObject({ name: z.string(), values: z.array(z.number().nullable()) })),
  }),
  z.strictObject({
    /** Answers of the assistant, with what was asked and why they fail. */
    kind: z.literal('cases'),
    title: z.string(),
    items: z.array(
      z.strictObject({
        title: z.string(),
        request: z.string(),
        /** Empty if it is not shown. */
        answer: z.string(),
        reason: z.string(),
        link: z.string().nullable(),
        /** Opens a new issue about it, where the channel has an address for issues. */
        issue: z.string().nullable().default(null),
      }),
    ),
    /** Items that were left out. */
    more: z.int(),
  }),
  z.strictObject({
    kind: z.literal('list'),
    title: z.string(),
    items: z.array(Item),
    /** Items that were left out. */
    more: z.int(),
  }),
]);
export type DigestBlock = z.infer<typeof DigestBlock>;

/** The mark before a headline. `alert`: a limit was crossed; `recovery`: it was crossed back. */
export const DigestMark = z.enum([...TrendName.options, 'alert', 'recovery']);
export type DigestMark = z.infer<typeof DigestMark>;

/** A digest or an alert as neutral data. */
export const Digest = z.strictObject({
  /** One sentence. */
  headline: z.string(),
  trend: DigestMark,
  /** Nothing happened: there is only the headline. */
  quiet: z.boolean(),
  /** A remark on its timing, such as that it is late. */
  note: z.string().nullable(),
  /** For the message itself. */
  blocks: z.array(DigestBlock),
  /** For its thread. */
  details: z.array(DigestBlock),
  /** The alert that a button pauses. */
  pause: z.string().optional(),
});
export type Digest = z.infer<typeof Digest>;

/** Verdicts or judgements that most votes agree with (`right`) or disagree with (`wrong`); ties are neither. */
export const Settled = z.strictObject({ right: z.int(), wrong: z.int(), tied: z.int() });
export type Settled = z.infer<typeof Settled>;

/** Totals up to a moment; the difference of two is exactly what happened in between. */
export const LabelTotals = z.strictObject({
  /** Verdicts by decision. */
  verdicts: z.record(z.string(), z.int()),
  votes: z.strictObject({ agree: z.int(), disagree: z.int(), unsure: z.int() }),
  settled: Settled,
  /** By `judgeKey`. */
  judges: z.record(z.string(), Settled),
});
export type LabelTotals = z.infer<typeof LabelTotals>;

function settledIn(rows: readonly CountRow[]): Settled {
  const { agree: right, disagree: wrong, tied } = sidesIn(rows);
  return { right, wrong, tied };
}

/** The cost grows with the rows, that is with groups, not with votes. */
export function labelTotals(rows: readonly CountRow[]): LabelTotals {
  const of = (kind: CountRow['key']['kind']) =>
    rows.filter(({ key }) => key.kind === kind && isTwoSided(key));
  const verdicts = of('verdict');
  const decisions = groupedBy(verdicts, ({ key }) => key.decision);
  const judges = groupedBy(of('judge'), ({ key }) => key.subject);
  return {
    verdicts: Object.fromEntries(
      [...decisions].map(([name, own]) => [name, sum(own.map(({ items }) => items))]),
    ),
    votes: votesIn(verdicts),
    settled: settledIn(verdicts),
    judges: Object.fromEntries([...judges].map(([judge, own]) => [judge, settledIn(own)])),
  };
}

export const noLabels: LabelTotals = labelTotals([]);

/** Settled verdicts by the Monday of their week, oldest first. Weeks without verdicts are left out. */
export function settledByWeek(rows: readonly CountRow[]): { week: string; settled: Settled }[] {
  const verdicts = rows.filter(({ key }) => key.kind === 'verdict');
  const mondayOn = memoized(mondayOf);
  return [...groupedBy(verdicts, ({ key }) => mondayOn(key.day))]
    .map(([week, own]) => ({ week, settled: settledIn(own) }))
    .sort((a, b) => (a.week < b.week ? -1 : 1));
}

/** What the next digest is compared with. */
export const Snapshot = z.strictObject({
  /** When it was made, ms since the epoch. */
  at: z.number(),
  labels: LabelTotals,
  /** The newest run of each benchmark, by the benchmark's name. */
  runs: z.record(z.string(), z.string()),
  /** Of an alert: whether its limit is crossed. */
  sounding: z.boolean().optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** A verdict that voters disagree on. */
interface Disputed {
  title: string;
  agree: number;
  disagree: number;
  link: string | null;
}

/** Verdicts since the last digest, if any, that were read one by one. */
export interface RecentChecks {
  /** Whether the channel votes blind: the digest then shows no single verdict's decision or votes. */
  blind: boolean;
  /** Recent verdicts that are hidden until a vote: they count only toward the cost. */
  hidden: number;
  disputed: readonly Disputed[];
  /** How many were read, hidden ones included, and whether these are all: of many, only the newest are read. */
  read: number;
  isAll: boolean;
  /** Known costs, and how many verdicts have no known price. */
  costUsd: number;
  unpriced: number;
}

export interface DigestData {
  /** When it was due and when it is made, ms since the epoch. */
  slot: number;
  now: number;
  timezone: string;
  late: boolean;
  counts: readonly CountRow[];
  last: Snapshot | null;
  benchmarks: readonly BenchmarkHistory[];
  /** Where cases that are shown were judged, by case id; only those that were judged in a conversation have one. */
  origins: ReadonlyMap<
    string,
    { link: string | null /** Its words are not for this channel. */; hidden: boolean }
  >;
  /** Where the channel's new issues are written; null: nowhere. */
  issueUrl: string | null;
  /** Of the benchmarks that were run for this digest. */
  outcomes: readonly BenchmarkOutcome[];
  recent: RecentChecks;
}
