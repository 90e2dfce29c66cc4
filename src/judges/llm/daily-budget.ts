import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { changeText, DAY_MS, JuryError, type KeyValue, messageOf, sleep } from '../../common/index.ts';
import { dayOf, readJson, usd } from '../../common/text/index.ts';
import type { Payers } from '../../judging/index.ts';

/** A spending limit on model calls. */
export interface Budget {
  /** The environment variable that sets the limit for these payers; null if there is no limit. */
  limitOf(payers: Payers): string | null;
  /**
   * Reserves the maximum cost of a call, in US dollars. Waits while other calls hold what is left.
   * @returns a message if the budget allows no call; null if the signal ended the wait
   */
  reserve(mostUsd: number, signal: AbortSignal, payers: Payers): Promise<Reservation | string | null>;
  /** Waits for pending writes. */
  flush(): Promise<void>;
}

/** A daily (UTC) spending limit, either shared by everything that uses the store or per account. */
export type DailyBudget = ReturnType<typeof createDailyBudget>;

interface DailyBudgetOptions {
  limitUsd: number;
  /** The environment variable that sets the limit. */
  variable?: string;
  /** The account that a call counts toward; null for none. Default: one account shared by all. */
  accountOf?: (payers: Payers) => string | null;
  /** Called once a day per account when its limit first refuses a call. */
  reached?: (day: string) => Promise<void>;
  /** Explains why a call is refused. @param spent in US dollars */
  refusal?: (spent: number, limitUsd: number, now: number) => string;
  store: () => Promise<KeyValue>;
  /** How long a call can take, ms. */
  callMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  warn?: (message: string) => void;
}

/** Why a model without a known price cannot be asked under a budget. */
export const unpriced = (modelId: string, variable = 'JURY_DAILY_BUDGET_USD'): string =>
  `the price of ${modelId} is not known, so ${variable} cannot count it: write its price, or one for "*", into the file that JURY_PRICES names`;

/** The maximum cost of a call, reserved until it ends. */
export interface Reservation {
  /** Books the actual cost in US dollars. Null if unknown: then the whole reservation is booked. */
  charge: (costUsd: number | null) => void;
}

/** Amounts are in billionths of a dollar, so that sums are exact. */
export const Day = z.object({
  spent: z.int(),
  /** Reservations by process and minute. From `until` on, a reservation counts as spent. */
  held: z.record(z.string(), z.object({ amount: z.int(), until: z.number() })),
  /** Set once the limit has refused a call. */
  isReached: z.literal(true).optional(),
});
type Day = z.infer<typeof Day>;

const nano = (dollars: number): number => Math.round(dollars * 1e9);

const MINUTE_MS = 60_000;
/** How often to check whether other calls have ended, in ms. */
const LOOK_MS = 100;

/** @param account empty for the shared account */
const keyOf = (day: string, account: string): string =>
  account === '' ? `spending:${day}` : `spending:${day}:${account}`;

/** The stored day. Reservations that were never charged, because their process was killed, count as spent. */
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
 * What model calls have cost today and what is reserved for those in progress, in US dollars.
 * @throws JuryError `store-unavailable`
 */
export async function readSpending(
  store: KeyValue,
  now: number,
  account = '',
): Promise<{ spent: number; held: number }> {
  const day = readDay(await store.get(keyOf(dayOf(now), account), now), now);
  return { spent: day.spent / 1e9, held: sumHeld(day) / 1e9 };
}

/** Explains why no call can be made. @param spent in US dollars */
export function spentMessage(spent: number, limitUsd: number, now: number): string {
  return `the day's budget is spent: ${usd(spent)} of ${usd(limitUsd)} (JURY_DAILY_BUDGET_USD); ${resetText(now)}`;
}

/** When daily budgets reset next, in ms since the epoch. */
export const resetAt = (now: number): number => Date.parse(dayOf(now)) + DAY_MS;

/** `it resets at 2026-03-05T00:00:00.000Z, in 3 h 25 min` */
export const resetText = (now: number): string =>
  `it resets at ${new Date(resetAt(now)).toISOString()}, in ${duration(resetAt(now) - now)}`;

/** Changes a day in place. */
type Change<T> = (day: Day) => T;

interface Job {
  apply: Change<() => void>;
  reject: (thrown: unknown) => void;
}

/** Updates account days atomically across processes; concurrent changes in one process are batched into one write. @returns the update function */
function createLedger(store: DailyBudgetOptions['store'], now: () => number) {
  const queues = new Map<string, Job[]>();

  async function write(key: string, jobs: readonly Job[]): Promise<(() => void)[]> {
    let resolvers: (() => void)[] = [];
    const change = (text: string | null) => {
      const state = readDay(text, now());
      resolvers = jobs.map(({ apply }) => apply(state));
      return JSON.stringify(state);
    };
    await changeText(await store(), key, change, now(), 2 * DAY_MS);
    return resolvers;
  }

  async function drain(key: string, queue: Job[]): Promise<void> {
    while (queue.length > 0) {
      const jobs = queue.splice(0);
      try {
        for (const resolve of await write(key, jobs)) resolve();
      } catch (thrown) {
        for (const { reject } of jobs) reject(thrown);
      }
    }
    queues.delete(key);
  }

  /** @throws JuryError `store-unavailable`; the change may have taken effect */
  return <T>(key: string, change: Change<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const apply: Job['apply'] = (state) => {
        const result = change(state);
        return () => resolve(result);
      };
      const queue = queues.get(key);
      queue?.push({ apply, reject });
      if (queue !== undefined) return;
      const begun: Job[] = [{ apply, reject }];
      queues.set(key, begun);
      void drain(key, begun);
    });
}

/**
 * Before a call, its maximum cost is reserved in the store; afterwards, its actual cost is booked. A call that does not fit next to
 * others waits for them to end. If no other call is in progress, a call is allowed while anything is left, so the limit is exceeded by
 * one call at most.
 */
export function createDailyBudget({
  limitUsd,
  variable = 'JURY_DAILY_BUDGET_USD',
  accountOf = () => '',
  reached = async () => {},
  refusal = spentMessage,
  store,
  callMs,
  now,
  warn = () => {},
}: DailyBudgetOptions) {
  const limit = nano(limitUsd);
  const owner = randomBytes(6).toString('hex');
  const change = createLedger(store, now);
  const booking = new Set<Promise<void>>();
  let warned = false;

  function book(key: string, holder: string, amount: number, cost: number): void {
    const booked = change(key, (state) => {
      const held = state.held[holder];
      // If the reservation has expired, it has already been added to what is spent.
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
    booking.add(booked);
    void booked.finally(() => booking.delete(booked));
  }

  /** Reserves an amount if it fits. @throws JuryError `store-unavailable` */
  async function hold(account: string, amount: number) {
    const day = dayOf(now());
    const key = keyOf(day, account);
    const minute = Math.floor(now() / MINUTE_MS);
    const holder = `${owner}.${minute}`;
    const until = (minute + 2) * MINUTE_MS + callMs;
    const { isFirst, ...state } = await change(key, (one) => {
      const others = sumHeld(one);
      const fits = one.spent + others + amount <= limit || others === 0;
      const isHeld = one.spent < limit && fits;
      if (isHeld) one.held[holder] = { amount: (one.held[holder]?.amount ?? 0) + amount, until };
      const isFirst = one.spent >= limit && one.isReached !== true;
      if (isFirst) one.isReached = true;
      return { spent: one.spent, isHeld, isFirst };
    });
    // Only feeds a number on the status page, so a failure is ignored.
    if (isFirst) await reached(day).catch(() => {});
    const charge = (costUsd: number | null) =>
      book(key, holder, amount, costUsd === null ? amount : nano(costUsd));
    return { ...state, charge };
  }

  const uncounted = (thrown: unknown): string => {
    if (!(thrown instanceof JuryError)) throw thrown;
    return `the daily budget (${variable}) cannot be counted: ${thrown.message}`;
  };

  return {
    limitOf: (payers: Payers): string | null => (accountOf(payers) === null ? null : variable),
    async reserve(
      mostUsd: number,
      signal: AbortSignal,
      payers: Payers = {},
    ): Promise<Reservation | string | null> {
      const amount = nano(mostUsd);
      const account = accountOf(payers);
      if (amount === 0 || account === null) return { charge: () => {} };
      for (;;) {
        const state = await hold(account, amount).catch(uncounted);
        if (typeof state === 'string') return state;
        const { isHeld, spent, charge } = state;
        if (isHeld) return { charge };
        if (spent >= limit) return refusal(spent / 1e9, limitUsd, now());
        // At random, so that waiting processes do not all look at once.
        await sleep(LOOK_MS * (0.5 + Math.random()), signal);
        if (signal.aborted) return null;
      }
    },
    flush: async (): Promise<void> => {
      await Promise.all(booking);
    },
  };
}

const duration = (ms: number) => {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
