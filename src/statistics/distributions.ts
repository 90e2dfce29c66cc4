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
 * The quantile of the standard normal distribution at p, 0 < p < 1. Starts from Abramowitz and Stegun 26.2.23 (error below 4.5e-4) and
 * takes three Halley steps, each of which roughly triples the number of correct digits.
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
  const factorial = exact[n];
  if (factorial !== undefined) return Math.log(factorial);
  const x = n + 1;
  const tail = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * x * x)) / (x * x)) / (x * x)) / x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + tail;
}

/** Probability that Student's t with `freedom` degrees of freedom is at most t. Abramowitz and Stegun, 26.7.3 and 26.7.4. */
export function tCdf(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const cosine = Math.cos(angle);
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let total = freedom === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k <= freedom - 2; k += 2) {
    term *= ((k - 1) / k) * cosine * cosine;
    total += term;
  }
  const within = Math.sin(angle) * total;
  return (1 + (isOdd ? (2 / Math.PI) * (angle + within) : within)) / 2;
}

/** From this many degrees of freedom, four terms of the expansion are accurate to 1e-10. */
const MANY_DEGREES = 200;

/**
 * The quantile of Student's t at p, 0 < p < 1. Uses Newton's method from the normal quantile, which never overshoots; for many degrees of
 * freedom, the expansion in Abramowitz and Stegun, 26.7.5.
 * @param freedom degrees of freedom, a whole number from 1
 */
export function tQuantile(p: number, freedom: number): number {
  if (p < 0.5) return -tQuantile(1 - p, freedom);
  const z = normalQuantile(p);
  if (freedom >= MANY_DEGREES) {
    const terms = [
      (z ** 3 + z) / 4,
      (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
      (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
      (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
    ];
    return terms.reduce((x, term, index) => x + term / freedom ** (index + 1), z);
  }
  // Gamma((f + 1) / 2) / Gamma(f / 2), by recurrence in steps of 2.
  let gammas = freedom % 2 === 1 ? 1 / Math.sqrt(Math.PI) : Math.sqrt(Math.PI) / 2;
  for (let k = freedom % 2 === 1 ? 1 : 2; k < freedom; k += 2) gammas *= (k + 1) / k;
  const scale = gammas / Math.sqrt(freedom * Math.PI);
  let x = z;
  for (let step = 0; step < 60; step += 1) {
    const density = scale * (1 + (x * x) / freedom) ** (-(freedom + 1) / 2);
    const by = (p - tCdf(x, freedom)) / density;
    x += by;
    if (Math.abs(by) <= 1e-13 * Math.max(1, x)) break;
  }
  return x;
}
