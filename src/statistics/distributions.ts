/**
 * Complementary error function, to about 1e-15 relative for x ≥ 0: the Maclaurin series of erf below 2, the continued
 * fraction of erfc above. Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.5 and 7.1.14.
 */
function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  if (x < 2) {
    let term = x;
    let total = x;
    for (let k = 1; Math.abs(term) > 1e-18; k += 1) {
      term *= -(x * x) / k;
      total += term / (2 * k + 1);
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * total;
  }
  let fraction = x;
  for (let k = 80; k >= 1; k -= 1) fraction = x + k / 2 / fraction;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}

/** Probability that a standard normal variable is at most x. */
export const normalCdf = (x: number): number => erfc(-x / Math.SQRT2) / 2;

/**
 * The x below which a standard normal variable lies with probability p, 0 < p < 1. Starts from Abramowitz and Stegun
 * 26.2.23 (error below 4.5e-4) and takes three of Halley's steps, each of which about triples the right digits.
 */
export function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p);
  const t = Math.sqrt(-2 * Math.log(p));
  let x =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let step = 0; step < 3; step += 1) {
    const error = (normalCdf(x) - p) * Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2);
    x -= error / (1 + (x * error) / 2);
  }
  return x;
}

const exact = [
  1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600, 6227020800, 87178291200,
];

/** Natural logarithm of n!, to about 1e-15 relative: Stirling's series from 15 on. Abramowitz and Stegun, 6.1.40. */
export function logFactorial(n: number): number {
  const known = exact[n];
  if (known !== undefined) return Math.log(known);
  const x = n + 1;
  const tail = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * x * x)) / (x * x)) / (x * x)) / x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + tail;
}

/** For few expected successes: inverts the distribution function of one draw. */
function byInversion(n: number, p: number, random: () => number): number {
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

/** For many expected successes: Hörmann's transformed rejection, whose cost does not depend on n. For p ≤ 0.5. */
function byRejection(n: number, p: number, random: () => number): number {
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
 * An exact binomial draw, in a time that does not grow with n. Hörmann, The
 * Generation of Binomial Random Variates, Journal of Statistical Computation and Simulation 46, 1993 (BTRS).
 */
export function drawBinomial(n: number, p: number, random: () => number): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - drawBinomial(n, 1 - p, random);
  return n * p < 10 ? byInversion(n, p, random) : byRejection(n, p, random);
}
