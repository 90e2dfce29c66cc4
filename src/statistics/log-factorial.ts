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
