import { changeText, DAY_MS, type KeyValue } from '../../common/index.ts';
import { dayOf } from '../../common/text/index.ts';
import type { Payers } from '../../judging/index.ts';
import { type Budget, createDailyBudget, readSpending, resetAt, resetText } from './daily-budget.ts';

/** The kinds of payer that can have their own limit. */
const LIMITED = ['person', 'conversation', 'token'] as const;
export type Limited = (typeof LIMITED)[number];

/** Daily limits in US dollars, if set. `all` is shared by everything that uses the store. */
export type Limits = Readonly<Partial<Record<Limited | 'all', number | undefined>>>;

/** A limit that is used up for today. */
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
 * The shared daily budget combined with the limits per person, conversation and API token. A call must fit into every budget that it
 * counts toward. The shared budget is reserved last, so that calls waiting for it hold only their own accounts.
 */
export function createSpendingLimits(
  limits: Limits,
  shared: Pick<Parameters<typeof createDailyBudget>[0], 'callMs' | 'now' | 'warn'> & {
    store: () => Promise<KeyValue>;
  },
) {
  const { store, now } = shared;
  const ownBudgets = LIMITED.flatMap((of) => {
    const limitUsd = limits[of];
    if (limitUsd === undefined) return [];
    const budget = createDailyBudget({
      ...shared,
      limitUsd,
      variable: `JURY_${of.toUpperCase()}_DAILY_USD`,
      accountOf: (payers) => accountOf(of, payers),
      // Shown next to the verdict, where everyone can read it. Only the requester learns whose limit was reached.
      refusal: (_spent, _limit, at) => `a daily budget is spent; ${resetText(at)}`,
      reached: async (day) => {
        const more = (before: string | null) => String(Number(before ?? 0) + 1);
        await changeText(await store(), reachedKey(of, day), more, now(), 2 * DAY_MS);
      },
    });
    return [{ of, limitUsd, budget }];
  });
  const all = limits.all === undefined ? [] : [createDailyBudget({ ...shared, limitUsd: limits.all })];
  const budgets = [...ownBudgets.map(({ budget }) => budget), ...all];

  const budget: Budget = {
    limitOf: (payers) =>
      budgets.map(({ limitOf }) => limitOf(payers)).findLast((one) => one !== null) ?? null,
    reserve: async (mostUsd, signal, payers) => {
      const held: { charge: (costUsd: number | null) => void }[] = [];
      for (const one of budgets) {
        const reserved = await one.reserve(mostUsd, signal, payers);
        if (reserved === null || typeof reserved === 'string') {
          for (const { charge } of held) charge(0);
          return reserved;
        }
        held.push(reserved);
      }
      return {
        charge: (costUsd) => {
          for (const { charge } of held) charge(costUsd);
        },
      };
    },
    flush: async () => {
      await Promise.all(budgets.map(({ flush }) => flush()));
    },
  };
  return {
    budget,
    /** The limits of these payers that are used up for today. @throws JuryError `store-unavailable` */
    spentBy: async (payers: Payers): Promise<SpentLimit[]> => {
      const spent: SpentLimit[] = [];
      for (const { of, limitUsd } of ownBudgets) {
        const account = accountOf(of, payers);
        if (account === null) continue;
        if ((await readSpending(await store(), now(), account)).spent >= limitUsd)
          spent.push({ of, limitUsd, resetsAt: resetAt(now()) });
      }
      return spent;
    },
    /** How many people, conversations and tokens reached their limit today. @throws JuryError `store-unavailable` */
    reached: (): Promise<{ of: Limited; limitUsd: number; count: number }[]> =>
      Promise.all(
        ownBudgets.map(async ({ of, limitUsd }) => {
          const count = Number((await (await store()).get(reachedKey(of, dayOf(now())), now())) ?? 0);
          return { of, limitUsd, count };
        }),
      ),
  };
}
