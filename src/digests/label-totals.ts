import * as z from 'zod';
import { periodOf } from '../labels/period.ts';
import { settledSide } from '../labels/vote.ts';
import { type CountRow, isTwoSided } from '../labels/vote-counts.ts';

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
