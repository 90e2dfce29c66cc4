import { changeText, type KeyValue } from '../../common/key-value.ts';
import { DAY_MS, dayOf } from '../../common/text.ts';
import type { Payers } from '../../judging/ask.ts';
import { type Budget, createDailyBudget, readSpending, resetAt, resetText } from './daily-budget.ts';

/** What has a limit of its own. */
const LIMITED = ['person', 'conversation', 'token'] as const;
export type Limited = (typeof LIMITED)[number];

/** Limits per day in US dollars, as far as they are set. `all` is shared by everything that uses the store. */
export type Limits = Readonly<Partial<Record<Limited | 'all', number | undefined>>>;

/** A limit that is spent for today. */
export interface SpentLimit {
  of: Limited;
  limitUsd: number;
  /** ms since the epoch */
  resetsAt: number;
}

export type SpendingLimits = ReturnType<typeof createSpendingLimits>;

const accountOf = (of: Limited, payers: Payers): string | null =>
  payers[of] === undefined ? null : `${of}:${payers[of]}`;
const reachedKey = (of: Limited, day: string): string => `spending-reached:${day}:${of}`;

/**
 * The shared daily budget together with the limits of people, conversations and programs. A call needs room in each that it counts for.
 * The shared budget comes last, so that calls that wait for it hold only their own accounts.
 */
export function createSpendingLimits(
  limits: Limits,
  shared: Pick<Parameters<typeof createDailyBudget>[0], 'callMs' | 'now' | 'warn'> & {
    store: () => Promise<KeyValue>;
  },
) {
  const { store, now } = shared;
  const own = LIMITED.flatMap((of) => {
    const limitUsd = limits[of];
    if (limitUsd === undefined) return [];
    const budget = createDailyBudget({
      ...shared,
      limitUsd,
      variable: `JURY_${of.toUpperCase()}_DAILY_USD`,
      accountOf: (payers) => accountOf(of, payers),
      // Everyone can read this beside the verdict. Only the person who asked learns whose limit it is.
      refusal: (_spent, _limit, at) => `a daily budget is spent; ${resetText(at)}`,
      reached: async (day) => {
        const more = (before: string | null) => String(Number(before ?? 0) + 1);
        await changeText(await store(), reachedKey(of, day), more, now(), 2 * DAY_MS);
      },
    });
    return [{ of, limitUsd, budget }];
  });
  const all = limits.all === undefined ? [] : [createDailyBudget({ ...shared, limitUsd: limits.all })];
  const budgets = [...own.map(({ budget }) => budget), ...all];

  const budget: Budget = {
    limitOf: (payers) =>
      budgets.map(({ limitOf }) => limitOf(payers)).findLast((one) => one !== null) ?? null,
    reserve: async (mostUsd, signal, payers) => {
      const held: { settle: (costUsd: number | null) => void }[] = [];
      for (const one of budgets) {
        const reserved = await one.reserve(mostUsd, signal, payers);
        if (reserved === null || typeof reserved === 'string') {
          for (const { settle } of held) settle(0);
          return reserved;
        }
        held.push(reserved);
      }
      return {
        settle: (costUsd) => {
          for (const { settle } of held) settle(costUsd);
        },
      };
    },
    flush: async () => {
      await Promise.all(budgets.map(({ flush }) => flush()));
    },
  };
  return {
    budget,
    /** Which limits of these payers are spent for today. @throws JuryError `store-unavailable` */
    spentBy: async (payers: Payers): Promise<SpentLimit[]> => {
      const spent: SpentLimit[] = [];
      for (const { of, limitUsd } of own) {
        const account = accountOf(of, payers);
        if (account === null) continue;
        if ((await readSpending(await store(), now(), account)).spent >= limitUsd)
          spent.push({ of, limitUsd, resetsAt: resetAt(now()) });
      }
      return spent;
    },
    /** How many people, conversations and programs have reached their limit today. @throws JuryError `store-unavailable` */
    reached: (): Promise<{ of: Limited; limitUsd: number; count: number }[]> =>
      Promise.all(
        own.map(async ({ of, limitUsd }) => {
          const count = Number((await (await store()).get(reachedKey(of, dayOf(now())), now())) ?? 0);
          return { of, limitUsd, count };
        }),
      ),
  };
}
