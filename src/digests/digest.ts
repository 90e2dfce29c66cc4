import * as z from 'zod';
import type { BenchmarkHistory } from '../benchmark/benchmark-history.ts';
import type { BenchmarkOutcome } from '../benchmark/run-defined-benchmark.ts';
import { periodOf } from '../labels/count-groups.ts';
import { type CountRow, isTwoSided } from '../labels/verdict-record.ts';
import { settledSide } from '../labels/vote.ts';

/** Text with perhaps an address to go on to. Texts may come from outside: surfaces show them as text. */
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
    /** What the points stand at, oldest first. */
    categories: z.array(z.string()),
    /** Percent, 0 to 100, one a category; null where there is none. */
    series: z.array(z.strictObject({ name: z.string(), values: z.array(z.number().nullable()) })),
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

/** Where things went since the last digest. `unknown`: there is nothing to compare yet. */
export const DigestTrend = z.enum(['better', 'worse', 'steady', 'unknown']);
export type DigestTrend = z.infer<typeof DigestTrend>;

/** A digest as neutral data. */
export const Digest = z.strictObject({
  /** One sentence. */
  headline: z.string(),
  trend: DigestTrend,
  /** Nothing happened: the headline is all there is. */
  quiet: z.boolean(),
  /** What has to be said of when it comes, such as that it is late; null: nothing. */
  note: z.string().nullable(),
  /** For the message itself. */
  blocks: z.array(DigestBlock),
  /** For its thread. */
  details: z.array(DigestBlock),
});
export type Digest = z.infer<typeof Digest>;

/** Verdicts on which most voters agree with whoever decided (`right`), or disagree (`wrong`); ties are neither. */
export const Settled = z.strictObject({ right: z.int(), wrong: z.int(), tied: z.int() });
export type Settled = z.infer<typeof Settled>;

/** All that people and judges have said up to a moment. Two of them tell exactly what came between. */
export const LabelTotals = z.strictObject({
  /** Verdicts by decision. */
  verdicts: z.record(z.string(), z.int()),
  votes: z.strictObject({ agree: z.int(), disagree: z.int(), unsure: z.int() }),
  settled: Settled,
  /** By `judgeKey`. */
  judges: z.record(z.string(), Settled),
});
export type LabelTotals = z.infer<typeof LabelTotals>;

export const noLabels: LabelTotals = {
  verdicts: {},
  votes: { agree: 0, disagree: 0, unsure: 0 },
  settled: { right: 0, wrong: 0, tied: 0 },
  judges: {},
};

/** What so many verdicts with one tally add. */
function addSettled(to: Settled, { tally, items }: CountRow): void {
  const side = settledSide(tally);
  if (side === 'agree') to.right += items;
  else if (side === 'disagree') to.wrong += items;
  else if (side === 'tied') to.tied += items;
}

const nothingSettled = (): Settled => ({ right: 0, wrong: 0, tied: 0 });

/** Adds up counts; costs by the rows, which grow with groups and not with votes. */
export function labelTotals(rows: readonly CountRow[]): LabelTotals {
  const verdicts = new Map<string, number>();
  const judges = new Map<string, Settled>();
  const votes = { agree: 0, disagree: 0, unsure: 0 };
  const settled = nothingSettled();
  for (const row of rows) {
    const { key, tally, items } = row;
    if (!isTwoSided(key)) continue;
    if (key.kind === 'judge') {
      const judge = judges.get(key.subject) ?? nothingSettled();
      judges.set(key.subject, judge);
      addSettled(judge, row);
    } else if (key.kind === 'verdict') {
      verdicts.set(key.decision, (verdicts.get(key.decision) ?? 0) + items);
      votes.agree += items * tally.agree;
      votes.disagree += items * tally.disagree;
      votes.unsure += items * tally.unsure;
      addSettled(settled, row);
    }
  }
  return { verdicts: Object.fromEntries(verdicts), votes, settled, judges: Object.fromEntries(judges) };
}

/** What was settled of the verdicts of each week, by its Monday, oldest first. Weeks without a verdict are left out. */
export function settledByWeek(rows: readonly CountRow[]): { week: string; settled: Settled }[] {
  const mondays = new Map<string, string>();
  const weeks = new Map<string, Settled>();
  for (const row of rows) {
    if (row.key.kind !== 'verdict') continue;
    const monday = mondays.get(row.key.day) ?? periodOf(row.key.day, 'week');
    mondays.set(row.key.day, monday);
    const week = weeks.get(monday) ?? nothingSettled();
    weeks.set(monday, week);
    addSettled(week, row);
  }
  return [...weeks].map(([week, settled]) => ({ week, settled })).sort((a, b) => (a.week < b.week ? -1 : 1));
}

/** What is kept with a digest, so that the next one knows exactly what came since. */
export const Snapshot = z.strictObject({
  /** When it was put together, ms since the epoch. */
  at: z.number(),
  labels: LabelTotals,
  /** Name of a benchmark to the run that was told of. */
  runs: z.record(z.string(), z.string()),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** A verdict on which voters are of different minds. */
interface Disputed {
  title: string;
  agree: number;
  disagree: number;
  link: string | null;
}

/** Verdicts since the last digest, or of all time where there was none, that were looked at one by one. */
export interface RecentChecks {
  /** Whether people of the channel vote before they see verdicts and votes: then the digest tells neither of single verdicts. */
  blind: boolean;
  /** Fresh verdicts that are hidden from whoever has not voted: they are in no number yet but the cost. */
  hidden: number;
  disputed: readonly Disputed[];
  /** How many were looked at, hidden ones too, and whether there are no others: of many only the newest are. */
  read: number;
  isAll: boolean;
  /** What they cost; verdicts without a known price are left out, and counted. */
  costUsd: number;
  unpriced: number;
}

/** All that a digest is made of. */
export interface DigestData {
  /** When it was due, and when it is put together, ms since the epoch. */
  slot: number;
  now: number;
  timezone: string;
  late: boolean;
  counts: readonly CountRow[];
  last: Snapshot | null;
  benchmarks: readonly BenchmarkHistory[];
  /** Where lost cases can be read, by case id: those that were judged in a conversation. Others have no address. */
  links: ReadonlyMap<string, string>;
  /** Of those that this digest had run. */
  outcomes: readonly BenchmarkOutcome[];
  recent: RecentChecks;
}
