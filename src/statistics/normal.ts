/**
 * Complementary error function, to about 1e-15 relative for x ≥ 0: the Maclaurin series of erf below 2, the continued
 * fraction of erfc above. Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.5 and 7.1.14.
 */
export function erfc(x: number): number {
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
