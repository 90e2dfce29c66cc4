import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { sleep } from '../../common/async.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { changeText, type KeyValue } from '../../common/key-value.ts';
import { DAY_MS, dayOf, readJson, usd } from '../../common/text.ts';

/** A spending limit per day (UTC), shared by all that use one store. */
export type DailyBudget = ReturnType<typeof createDailyBudget>;

interface DailyBudgetOptions {
  limitUsd: number;
  store: () => Promise<KeyValue>;
  /** How long a call can take, ms. */
  callMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  warn?: (message: string) => void;
}

/** Why a model without a known price is not asked under a budget. */
export const unpriced = (modelId: string): string =>
  `the price of ${modelId} is not known, so JURY_DAILY_BUDGET_USD cannot count it: write its price, or one for "*", into the file that JURY_PRICES names`;

/** What a call may cost at most, set aside until it ends. */
export interface Reservation {
  /** Counts what the call cost, in US dollars; null if that is not known: then all that was set aside. */
  settle: (costUsd: number | null) => void;
}

/** Amounts are in billionths of a dollar, so that sums are exact. */
const Day = z.object({
  spent: z.int(),
  /** What is set aside, by who did it in which minute, with the moment from which on it counts as spent. */
  held: z.record(z.string(), z.object({ amount: z.int(), until: z.number() })),
});
type Day = z.infer<typeof Day>;

const nano = (dollars: number): number => Math.round(dollars * 1e9);

const MINUTE_MS = 60_000;
/** How soon it is looked again whether other calls have ended, ms. */
const LOOK_MS = 100;

const keyOf = (day: string): string => `spending:${day}`;

/** The day as kept; what a process set aside and never settled, because it was killed, counts as spent. */
function readDay(text: string | null, now: number): Day {
  const day = readJson(Day, text ?? '')?.value ?? { spent: 0, held: {} };
  for (const [holder, { amount, until }] of Object.entries(day.held))
    if (until <= now) {
      day.spent += amount;
      delete day.held[holder];
    }
  return day;
}

const sumHeld = ({ held }: Day): number => Object.values(held).reduce((sum, { amount }) => sum + amount, 0);

/**
 * What model calls have cost today, and what is set aside for those under way, in US dollars.
 * @throws JuryError `store-unavailable`
 */
export async function readSpending(store: KeyValue, now: number): Promise<{ spent: number; held: number }> {
  const day = readDay(await store.get(keyOf(dayOf(now)), now), now);
  return { spent: day.spent / 1e9, held: sumHeld(day) / 1e9 };
}

/** Why no call can be made. @param spent in US dollars */
export function spentMessage(spent: number, limitUsd: number, now: number): string {
  const midnight = Date.parse(dayOf(now)) + DAY_MS;
  return `the day's budget is spent: ${usd(spent)} of ${usd(limitUsd)} (JURY_DAILY_BUDGET_USD); it resets at ${new Date(midnight).toISOString()}, in ${duration(midnight - now)}`;
}

/** Changes a day in place. */
type Change<T> = (day: Day) => T;

interface Job {
  apply: Change<() => void>;
  reject: (thrown: unknown) => void;
}

/** Changes days, each atomically among all processes: what comes at the same time is one write. */
function createLedger(store: DailyBudgetOptions['store'], now: () => number) {
  const queues = new Map<string, Job[]>();

  async function write(day: string, jobs: readonly Job[]): Promise<(() => void)[]> {
    let settle: (() => void)[] = [];
    const change = (text: string | null) => {
      const state = readDay(text, now());
      settle = jobs.map(({ apply }) => apply(state));
      return JSON.stringify(state);
    };
    await changeText(await store(), keyOf(day), change, now(), 2 * DAY_MS);
    return settle;
  }

  async function drain(day: string, queue: Job[]): Promise<void> {
    while (queue.length > 0) {
      const jobs = queue.splice(0);
      try {
        for (const settle of await write(day, jobs)) settle();
      } catch (thrown) {
        for (const { reject } of jobs) reject(thrown);
      }
    }
    queues.delete(day);
  }

  /** @throws JuryError `store-unavailable`; the change may have taken effect */
  return <T>(day: string, change: Change<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const apply: Job['apply'] = (state) => {
        const result = change(state);
        return () => resolve(result);
      };
      const queue = queues.get(day);
      queue?.push({ apply, reject });
      if (queue !== undefined) return;
      const begun: Job[] = [{ apply, reject }];
      queues.set(day, begun);
      void drain(day, begun);
    });
}

/**
 * Before a call, what it may cost at most is set aside in the store; afterwards, what it did cost is counted. A call that does not fit
 * beside others waits for them to end. Alone, a call is let through while anything is left, so that the limit is passed by one call at
 * most.
 */
export function createDailyBudget({ limitUsd, store, callMs, now, warn = () => {} }: DailyBudgetOptions) {
  const limit = nano(limitUsd);
  const owner = randomBytes(6).toString('hex');
  const change = createLedger(store, now);
  const settling = new Set<Promise<void>>();
  let warned = false;

  function settle(day: string, holder: string, amount: number, cost: number): void {
    const booked = change(day, (state) => {
      const held = state.held[holder];
      // It is part of what is spent where the time for it was over.
      if (held === undefined) state.spent = Math.max(0, state.spent + cost - amount);
      else {
        state.spent += cost;
        held.amount -= amount;
        if (held.amount <= 0) delete state.held[holder];
      }
    }).catch((thrown) => {
      if (!warned)
        warn(
          `the daily budget counts a call as the most that it may have cost, because the store took no other figure: ${messageOf(thrown)}`,
        );
      warned = true;
    });
    settling.add(booked);
    void booked.finally(() => settling.delete(booked));
  }

  return {
    /**
     * Sets aside what a call may cost at most, in US dollars; waits while other calls hold what is left.
     *
     * @returns a message where the budget allows no call; null where the signal ended the wait
     */
    async reserve(mostUsd: number, signal: AbortSignal): Promise<Reservation | string | null> {
      const amount = nano(mostUsd);
      if (amount === 0) return { settle: () => {} };
      for (;;) {
        const day = dayOf(now());
        const minute = Math.floor(now() / MINUTE_MS);
        const holder = `${owner}.${minute}`;
        const until = (minute + 2) * MINUTE_MS + callMs;
        let state: { spent: number; isHeld: boolean };
        try {
          state = await change(day, (one) => {
            const others = sumHeld(one);
            const fits = one.spent + others + amount <= limit || others === 0;
            const isHeld = one.spent < limit && fits;
            if (isHeld) one.held[holder] = { amount: (one.held[holder]?.amount ?? 0) + amount, until };
            return { spent: one.spent, isHeld };
          });
        } catch (thrown) {
          if (!(thrown instanceof JuryError)) throw thrown;
          return `the daily budget (JURY_DAILY_BUDGET_USD) cannot be counted: ${thrown.message}`;
        }
        if (state.isHeld) {
          const cost = (costUsd: number | null) => (costUsd === null ? amount : nano(costUsd));
          return { settle: (costUsd) => settle(day, holder, amount, cost(costUsd)) };
        }
        if (state.spent >= limit) return spentMessage(state.spent / 1e9, limitUsd, now());
        await sleep(LOOK_MS * (0.5 + Math.random()), signal);
        if (signal.aborted) return null;
      }
    },
    /** Waits for what is still being written. */
    flush: async (): Promise<void> => {
      await Promise.all(settling);
    },
  };
}

const duration = (ms: number) => {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
