import * as z from 'zod';
import type { BenchmarkOutcome } from '../benchmark/index.ts';
import { groupedBy, memoized } from '../common/index.ts';
import { mondayOf } from '../labels/agreement/index.ts';
import { settledSides, usualRule } from '../labels/index.ts';
import { type CountRow, isTwoSided, votesIn } from '../labels/record/index.ts';
import { TrendName } from '../reports/assistant/index.ts';
import type { BenchmarkHistory } from '../reports/history/index.ts';
import { sum } from '../statistics/index.ts';
import type { Language } from '../words/index.ts';

/** Text with an optional link. It may come from users, so surfaces must not interpret it as markup. */
const Item = z.strictObject({ text: z.string(), link: z.string().nullable() });

/** Part of a digest as neutral data; each surface renders it with one exhaustive switch. */
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
    /** Number of rows left out. */
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
    /** Assistant answers, with the request and why they fail. */
    kind: z.literal('cases'),
    title: z.string(),
    items: z.array(
      z.strictObject({
        title: z.string(),
        request: z.string(),
        /** Empty if hidden. */
        answer: z.string(),
        reason: z.string(),
        link: z.string().nullable(),
        /** Link that opens a new issue about it; null if the channel has no issue tracker set. */
        issue: z.string().nullable().default(null),
      }),
    ),
    /** Number of items left out. */
    more: z.int(),
  }),
  z.strictObject({
    kind: z.literal('list'),
    title: z.string(),
    items: z.array(Item),
    /** Number of items left out. */
    more: z.int(),
  }),
]);
export type DigestBlock = z.infer<typeof DigestBlock>;

/** The icon before a headline. `alert`: a limit was crossed, or there is a blocker; `recovery`: the figure is back. */
export const DigestMark = z.enum([...TrendName.options, 'alert', 'recovery']);
export type DigestMark = z.infer<typeof DigestMark>;

/** A digest or an alert as neutral data. */
export const Digest = z.strictObject({
  /** One sentence. */
  headline: z.string(),
  trend: DigestMark,
  /** Nothing happened: show only the headline. */
  quiet: z.boolean(),
  /** A note on timing, such as that it is late. */
  note: z.string().nullable(),
  /** Shown in the message itself. */
  blocks: z.array(DigestBlock),
  /** Shown in its thread. */
  details: z.array(DigestBlock),
  /** ID of the alert that a button pauses. */
  pause: z.string().optional(),
});
export type Digest = z.infer<typeof Digest>;

/** Verdicts or judgements that votes settle as right or wrong, or that enough of them are split on (`tied`): see `settledSide`. */
export const SideCounts = z.strictObject({ right: z.int(), wrong: z.int(), tied: z.int() });
export type SideCounts = z.infer<typeof SideCounts>;

/** Running totals; the difference of two is exactly what happened in between. */
export const LabelTotals = z.strictObject({
  /** Verdicts by decision. */
  verdicts: z.record(z.string(), z.int()),
  votes: z.strictObject({ agree: z.int(), disagree: z.int(), unsure: z.int() }),
  settled: SideCounts,
  /** By `judgeKey`. */
  judges: z.record(z.string(), SideCounts),
});
export type LabelTotals = z.infer<typeof LabelTotals>;

function sideCounts(rows: readonly CountRow[]): SideCounts {
  const { agree: right, disagree: wrong, split: tied } = settledSides(rows);
  return { right, wrong, tied };
}

/** Totals of the count rows. The cost grows with the number of groups, not with votes. */
export function labelTotals(rows: readonly CountRow[]): LabelTotals {
  const of = (kind: CountRow['key']['kind']) =>
    rows.filter(({ key }) => key.kind === kind && isTwoSided(key));
  const verdicts = of('verdict');
  const decisions = groupedBy(verdicts, ({ key }) => key.decision);
  const judges = groupedBy(of('judge'), ({ key }) => key.subject);
  return {
    verdicts: Object.fromEntries(
      [...decisions].map(([name, groups]) => [name, sum(groups.map(({ items }) => items))]),
    ),
    votes: votesIn(verdicts),
    settled: sideCounts(verdicts),
    judges: Object.fromEntries([...judges].map(([judge, groups]) => [judge, sideCounts(groups)])),
  };
}

export const noLabels: LabelTotals = labelTotals([]);

/** Settled verdicts by week (its Monday), oldest first. Weeks without verdicts are left out. */
export function settledByWeek(rows: readonly CountRow[]): { week: string; settled: SideCounts }[] {
  const verdicts = rows.filter(({ key }) => key.kind === 'verdict');
  const mondayOn = memoized(mondayOf);
  return [...groupedBy(verdicts, ({ key }) => mondayOn(key.day))]
    .map(([week, groups]) => ({ week, settled: sideCounts(groups) }))
    .sort((a, b) => (a.week < b.week ? -1 : 1));
}

/** Whose votes and spot checks a digest counts: those of its conversation, or of all conversations. */
export const VoteScope = z.enum(['here', 'everywhere']);
export type VoteScope = z.infer<typeof VoteScope>;

/** What a snapshot's labels count. It changes with whose votes these are, and with the rule that settles a verdict. */
export const LABELS_OF: Readonly<Record<VoteScope, string>> = {
  here: `here, settled from ${usualRule.minVotes} votes`,
  everywhere: `everywhere, settled from ${usualRule.minVotes} votes`,
};

/** The labels of the last digest; null if there is none, or it counted something else. */
export const labelsBefore = ({ last, scope }: Pick<DigestData, 'last' | 'scope'>): LabelTotals | null =>
  last?.basis === LABELS_OF[scope] ? last.labels : null;

/** What the next digest is compared with. */
export const Snapshot = z.strictObject({
  /** When it was made, ms since the epoch. */
  at: z.number(),
  labels: LabelTotals,
  /** Name of each benchmark's newest run, by benchmark name. */
  runs: z.record(z.string(), z.string()),
  /** For alerts: whether the limit is crossed. */
  sounding: z.boolean().optional(),
  /** For alerts: how many new blockers were posted; absent if there are none. */
  blockers: z.int().optional(),
  /** What the labels count: see {@link LABELS_OF}. Labels of another basis cannot be compared. */
  basis: z.string().optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** A verdict that voters disagree on. */
interface Disputed {
  title: string;
  agree: number;
  disagree: number;
  link: string | null;
}

/** Verdicts since the last digest that were read one by one. */
export interface RecentChecks {
  /** Whether the channel votes blind: if so, the digest reveals no verdict's decision or votes. */
  blind: boolean;
  /** Recent verdicts that are hidden until voted on. They count only toward the cost. */
  hidden: number;
  disputed: readonly Disputed[];
  /** How often each answer was found better where two were compared, by the names of the pastes. */
  preferred: Readonly<Record<string, number>>;
  /** How many were read, hidden ones included, and whether that is all of them: if there are many, only the newest are read. */
  read: number;
  isAll: boolean;
  /** Total of the known costs, in US dollars; `unpriced` is the number of verdicts without a known price. */
  costUsd: number;
  unpriced: number;
}

export interface DigestData {
  language: Language;
  /** When it was due (`slot`) and when it is made (`now`), ms since the epoch. */
  slot: number;
  now: number;
  timezone: string;
  late: boolean;
  /** Whose votes and spot checks the counts are. */
  scope: VoteScope;
  counts: readonly CountRow[];
  /** Titles of personas by id. */
  personas: ReadonlyMap<string, string>;
  last: Snapshot | null;
  benchmarks: readonly BenchmarkHistory[];
  /** Where the cases shown were judged, by case ID. Only cases judged in a conversation have an entry. */
  origins: ReadonlyMap<
    string,
    { link: string | null /** Its text must not be shown in this channel. */; hidden: boolean }
  >;
  /** The address of its page in the console, which says how each number is known; null if it has none. */
  pageUrl: string | null;
  /** The channel's address for new issues; null if none is set. */
  issueUrl: string | null;
  /** Results of the benchmarks run for this digest. */
  outcomes: readonly BenchmarkOutcome[];
  recent: RecentChecks;
}
