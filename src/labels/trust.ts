import * as z from 'zod';
import type { Verdict } from '../judging/verdict.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import { settledSide } from './settled-side.ts';
import { type CountRow, panelModels } from './vote-counts.ts';

/** What colleagues had said of such verdicts when one was given: of the same rubric, method, models and decision. */
export const Trust = z.strictObject({
  /** Verdicts that more votes agree with than disagree, of `n` where one side has more. */
  agreed: z.int(),
  n: z.int(),
  /** Of how many days before, its own included. */
  days: z.int(),
});
export type Trust = z.infer<typeof Trust>;

/**
 * Settled verdicts without which no share is told. With 20 the interval is at most 22 points to either side; with fewer it says
 * more about who happened to vote than about the judges.
 */
export const LEAST_SETTLED = 20;

/** Days that are looked back on: judges change with their models and wording, and old votes say little of new ones. */
export const TRUST_DAYS = 180;

/** Verdicts that more votes agree with than disagree, of `n` where one side has more. */
export type SettledShare = Pick<Trust, 'agreed' | 'n'>;

/** Settled verdicts by what makes them alike. */
export type TrustTotals = ReadonlyMap<string, SettledShare>;

const nameOf = (rubric: string, method: string, models: string, decision: string): string =>
  JSON.stringify([rubric, method, models, decision]);

const nothing: SettledShare = { agreed: 0, n: 0 };

/** With so many more verdicts; those that no side has won add nothing. */
function withRow(share: SettledShare, { key, tally, items }: CountRow): SettledShare {
  const side = settledSide(tally);
  if (key.kind !== 'verdict' || side === 'tied' || side === 'open') return share;
  return { agreed: share.agreed + (side === 'agree' ? items : 0), n: share.n + items };
}

/** Of all verdicts together, whatever was decided. */
export const settledShareOf = (rows: readonly CountRow[]): SettledShare => rows.reduce(withRow, nothing);

/** Adds up counts of verdicts; costs by the rows. */
export function trustTotals(rows: readonly CountRow[]): TrustTotals {
  const totals = new Map<string, SettledShare>();
  for (const row of rows) {
    if (row.key.kind !== 'verdict') continue;
    const { rubric, method, models, decision } = row.key;
    const name = nameOf(rubric, method, models, decision);
    totals.set(name, withRow(totals.get(name) ?? nothing, row));
  }
  return totals;
}

/** What is known of verdicts like this one; null where too little is, and where nothing was decided that could be trusted. */
export function trustIn(totals: TrustTotals, verdict: Verdict): Trust | null {
  const { rubric, method, decision } = verdict;
  if (decision === 'undecided') return null;
  const found = totals.get(nameOf(rubric, method, panelModels(verdict), decision));
  return found === undefined || found.n < LEAST_SETTLED ? null : { ...found, days: TRUST_DAYS };
}

/** `87 % (80–92, n = 124)`: a share with its 95 % interval, both as whole percents. */
export function shareText({ agreed, n }: SettledShare): string {
  const interval = wilsonInterval(agreed, n);
  const whole = (share: number): number => Math.round(share * 100);
  if (!interval.defined) return `– (n = ${n})`;
  return `${whole(agreed / n)} % (${whole(interval.low)}–${whole(interval.high)}, n = ${n})`;
}
