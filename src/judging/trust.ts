import * as z from 'zod';
import { wilsonInterval } from '../statistics/proportions.ts';

/** What colleagues had said of such verdicts when one was given: of the same rubric, method, models and decision. */
export const Trust = z.strictObject({
  /** Verdicts that more votes agree with than disagree, of `n` where one side has more. */
  agreed: z.int(),
  n: z.int(),
  /** Of how many days before, its own included. */
  days: z.int(),
});
export type Trust = z.infer<typeof Trust>;

/** Verdicts that more votes agree with than disagree, of `n` where one side has more. */
export type SettledShare = Pick<Trust, 'agreed' | 'n'>;

/** `87 % (80–92, n = 124)`: a share with its 95 % interval, both as whole percents. */
export function shareText({ agreed, n }: SettledShare): string {
  const interval = wilsonInterval(agreed, n);
  const whole = (share: number): number => Math.round(share * 100);
  if (!interval.defined) return `– (n = ${n})`;
  return `${whole(agreed / n)} % (${whole(interval.low)}–${whole(interval.high)}, n = ${n})`;
}
