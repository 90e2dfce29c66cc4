import * as z from 'zod';
import type { AnswerNames } from '../../case/pair.ts';
import { groupedBy } from '../../common/collections.ts';
import { counted } from '../../common/text.ts';
import { betterOf, type Preference } from '../../judging/verdict.ts';
import { measured, unmeasured } from '../../statistics/measure.ts';
import { clusteredShareInterval, type Trend, trendOf } from '../../statistics/proportions.ts';
import { signFlipTest } from '../../statistics/significance.ts';
import { Estimate, ReportMeasure } from '../reports/measures.ts';

/** Which of two answers judges prefer over the requests of a run. */
export const PreferenceReport = z.strictObject({
  /** What A and B are called; A and B where requests name them differently. */
  names: z.tuple([z.string(), z.string()]),
  /** Requests by the answer that is preferred. */
  A: z.int(),
  B: z.int(),
  same: z.int(),
  /** Judges whose answer changed with the order, of all that answered in both. */
  changed: z.strictObject({ n: z.int(), of: z.int() }),
  /** Share of B among the requests where one is preferred, with Wilson's interval. */
  share: Estimate,
  /** p-value of the two-sided exact sign test, or of that of requests that belong together. */
  pValue: ReportMeasure,
});
export type PreferenceReport = z.infer<typeof PreferenceReport>;

/** Judges' preferences on one request, one per repeat. */
export interface Compared {
  /** See `TrialFacts`. */
  unit: number;
  names: AnswerNames;
  /** Mean over the repeats, −1 for A to 1 for B; null without a decision. */
  score: number | null;
  judges: readonly Preference['judges'][];
}

/** Null if no request has two answers. Repeats of a request count as one. */
export function preferenceReport(compared: readonly Compared[]): PreferenceReport | null {
  const [first, ...others] = compared;
  if (first === undefined) return null;
  const isSame = others.every(({ names }) => names.join('\n') === first.names.join('\n'));
  const [nameA, nameB] = isSame ? first.names : (['A', 'B'] as const);
  const counts = { A: 0, B: 0, same: 0 };
  for (const { score } of compared) if (score !== null) counts[betterOf(score)] += 1;
  const judges = compared.flatMap((one) => one.judges);
  const { A, B } = counts;
  const n = A + B;
  const units = [...groupedBy(compared, ({ unit }) => unit).values()].map((own) => {
    const preferred = own.map(({ score }) => (score === null ? 'same' : betterOf(score)));
    const [a, b] = (['A', 'B'] as const).map((side) => preferred.filter((one) => one === side).length);
    return { a: a ?? 0, b: b ?? 0 };
  });
  const interval = clusteredShareInterval(
    units.map(({ a, b }) => ({ value: { successes: b, n: a + b }, items: 1 })),
  );
  const none = unmeasured('no answer is preferred', 0);
  return {
    names: [nameA, nameB],
    ...counts,
    changed: {
      n: judges.reduce((sum, { changed }) => sum + changed, 0),
      of: judges.reduce((sum, one) => sum + one.A + one.B + one.same, 0),
    },
    share: {
      measure: n === 0 ? none : measured(B / n, n),
      interval: interval.defined ? { ...interval, by: 'wilson' } : none,
    },
    pValue: n === 0 ? none : signFlipTest(units.map(({ a, b }) => b - a)),
  };
}

const pText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

/** `New is better: preferred for 24 of 31 requests, 77 % (60–89), p = 0.003 by sign test; 9 the same`. */
export function preferenceText({ names: [nameA, nameB], A, B, same, share, pValue }: PreferenceReport): {
  text: string;
  trend: Trend;
} {
  const { measure, interval } = share;
  if (!measure.defined || !interval.defined || !pValue.defined)
    return {
      text: `No difference was found between ${nameA} and ${nameB} on ${counted(same, 'request')}`,
      trend: 'unknown',
    };
  const isB = B >= A;
  const [name, n] = isB ? [nameB, B] : [nameA, A];
  const [low, high] = isB ? [interval.low, interval.high] : [1 - interval.high, 1 - interval.low];
  const whole = (value: number): string => String(Math.round(value * 100));
  const trend = trendOf({ ...interval, low: interval.low - 0.5, high: interval.high - 0.5 }, 0);
  const head = trend === 'unknown' ? `Neither ${nameA} nor ${nameB} is clearly better` : `${name} is better`;
  const figures = `${trend === 'unknown' ? `${name} is ` : ''}preferred for ${n} of ${counted(A + B, 'request')}, ${whole(n / (A + B))} % (${whole(low)}–${whole(high)}), ${pText(pValue.value)} by sign test`;
  return { text: `${head}: ${figures}${same === 0 ? '' : `; ${same} the same`}`, trend };
}

/** How many judges the order of the answers changed: they count as ties. */
export const orderText = ({ changed: { n, of } }: PreferenceReport): string =>
  n === 0
    ? `How sure is this: all ${counted(of, 'judgement')} are the same in both orders`
    : `How sure is this: ${n} of ${counted(of, 'judgement')} changed with the order of the answers and count as ties`;
