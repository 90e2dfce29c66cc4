import type { Bin } from './measure.ts';

/** The values of one independent unit, from 0 to 1 each: an answer with its repeats, or answers that belong together. */
export interface Unit {
  /** Sum of its values. */
  total: number;
  /** Number of its values. */
  n: number;
}

/** The account of one way to bet. Plain numbers, so that it can be kept between looks. */
export interface Account {
  capital: number;
  /** The looks since it last had less than a look's deposit, with the values seen in them: where its capital comes from. */
  looks: number;
  total: number;
  n: number;
}

/**
 * How much of its capital a bet may lose on one value. From bold to careful: which of them grows fastest depends on how far the mean is
 * from the limit and on the number of units, neither of which is known.
 */
const STAKES = [0.95, 0.5, 0.25, 0.1, 0.05, 0.02];

/** The least distance of a limit from 1 that stakes are sized for: at 1 itself they would have no bound. */
const LEAST_ROOM = 0.001;

/** The result at which a test is sure: deposits of 1 in all grow to this with a probability of at most 1 in 20, see {@link afterLook}. */
export const SURE = 20;

/** How much a bet multiplies its capital in one look: the product of 1 + λ w (limit − mean) over its units. */
function gainOf(units: readonly Bin<Unit>[], limit: number, stake: number): number {
  const rate = stake / Math.max(1 - limit, LEAST_ROOM);
  const largest = units.reduce((most, { value }) => Math.max(most, value.n), 0);
  const log = units.reduce(
    (sum, { value: { total, n }, items }) => sum + items * Math.log1p((rate * (limit * n - total)) / largest),
    0,
  );
  // Capital that is too large or too small for a number says nothing more than the largest or 0.
  return Math.min(Math.exp(log), Number.MAX_VALUE / 1e9);
}

/**
 * An always-valid test of whether a mean is below a limit, by betting: one more look at it.
 *
 * Each account bets on every unit that its mean is below the limit. A unit multiplies the capital by 1 + λ w (limit − mean), where λ is the
 * account's and w the unit's share of the largest unit's values. If the true mean is at the limit or above, no bet grows on average:
 * Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86, 2024. Before each look, each account gets a deposit, so that a
 * change which begins with that look is met with fresh capital: a Shiryaev–Roberts e-detector, Shin, Ramdas and Rinaldo, New England Journal
 * of Statistics in Data Science, 2023. All deposits so far are what the capital is on average, at most. By Ville's inequality, capital thus
 * reaches {@link SURE} times the deposits of a whole year in at most 1 of 20 years, however often one looks. With the share of the year
 * that has passed since the last look as deposit, these add up to 1, be it with 52 looks or with 365. The mean over the accounts has the
 * same bound, as each is at most its deposits on average.
 *
 * *Fixed requests.* It does not matter whether units are a sample. If they are the same at each look, each with a mean of its own, let μᵢ be
 * the expected mean of unit i. The expected product over independent units is ∏ (1 + λ wᵢ (limit − μᵢ)), and with the same λ for all units
 * of a look, it is at most (1 + λ/n ∑ wᵢ (limit − μᵢ))ⁿ, as the logarithm is concave. That is at most 1 if the mean over the values of *these*
 * units is at the limit or above, whatever each of them is. So λ must not change within a look.
 *
 * @param accounts none: the first look
 * @param units what was seen at this look, at least one
 * @param limit from 0 to 1
 * @param deposit capital added before the look; all deposits of a year should add up to 1
 */
export function afterLook(
  accounts: readonly Account[],
  units: readonly Bin<Unit>[],
  limit: number,
  deposit: number,
): Account[] {
  const seen = units.reduce(
    (sum, { value: { total, n }, items }) => ({ total: sum.total + items * total, n: sum.n + items * n }),
    { total: 0, n: 0 },
  );
  return STAKES.map((stake, index): Account => {
    const kept = accounts[index];
    const before = kept === undefined || kept.capital < deposit ? { looks: 0, total: 0, n: 0 } : kept;
    return {
      capital: Math.min(
        ((kept?.capital ?? 0) + deposit) * gainOf(units, limit, stake),
        Number.MAX_VALUE / 1e9,
      ),
      looks: before.looks + 1,
      total: before.total + seen.total,
      n: before.n + seen.n,
    };
  });
}

/** The capital of all accounts, each with an equal part of the deposits: to be compared with {@link SURE}. */
export const capitalOf = (accounts: readonly Account[]): number =>
  accounts.reduce((sum, { capital }) => sum + capital / STAKES.length, 0);

/** The richest account, which says over how many looks the mean is where. Null without one. */
export const richestOf = (accounts: readonly Account[]): Account | null =>
  accounts.reduce<Account | null>(
    (most, one) => (most === null || one.capital > most.capital ? one : most),
    null,
  );
