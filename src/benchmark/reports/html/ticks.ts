/** Steps of 1, 2 and 5 that part a range into at most so many pieces. */
export function linearTicks(low: number, high: number, pieces: number): number[] {
  const rough = (high - low) / pieces;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999) ?? power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Ticks of a logarithmic axis: powers of ten, and 2 and 5 of each where it spans two powers at most. */
export function logTicks(low: number, high: number): number[] {
  const from = Math.floor(Math.log10(low) + 1e-9);
  const to = Math.ceil(Math.log10(high) - 1e-9);
  const factors = high / low <= 100 ? [1, 2, 5] : [1];
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((power) =>
    factors.map((factor) => factor * 10 ** power),
  );
  return all.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}
