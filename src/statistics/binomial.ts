import { logFactorial } from './log-factorial.ts';
import type { Random } from './random.ts';

/** Few successes expected: walks up the distribution function until it passes one draw. */
function byInversion(n: number, p: number, random: Random): number {
  let left = random();
  let chance = (1 - p) ** n;
  let successes = 0;
  while (left > chance && successes < n) {
    left -= chance;
    successes += 1;
    chance *= ((n - successes + 1) / successes) * (p / (1 - p));
  }
  return successes;
}

/** Many expected: Hörmann's transformed rejection, whose cost does not depend on n. Takes p ≤ 0.5. */
function byRejection(n: number, p: number, random: Random): number {
  const spread = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const center = n * p + 0.5;
  const scale = (2.83 + 5.1 / b) * spread;
  const mode = Math.floor((n + 1) * p);
  const atMode = logFactorial(mode) + logFactorial(n - mode);
  const logOdds = Math.log(p / (1 - p));
  for (;;) {
    const u = random() - 0.5;
    const v = random();
    const inside = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / inside + b) * u + center);
    if (k < 0 || k > n) continue;
    if (inside >= 0.07 && v <= 0.92 - 4.2 / b) return k;
    const height = Math.log((v * scale) / (a / (inside * inside) + b));
    if (height <= atMode - logFactorial(k) - logFactorial(n - k) + (k - mode) * logOdds) return k;
  }
}

/**
 * Draws how many of n trials succeed, each with probability p; exact, in a time that does not grow with n. Hörmann, The
 * Generation of Binomial Random Variates, Journal of Statistical Computation and Simulation 46, 1993 (BTRS).
 */
export function drawBinomial(n: number, p: number, random: Random): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - drawBinomial(n, 1 - p, random);
  return n * p < 10 ? byInversion(n, p, random) : byRejection(n, p, random);
}
