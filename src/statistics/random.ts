/** A stream of numbers in [0, 1). */
export type Random = () => number;

/**
 * A stream that depends on the seed alone: sfc32, Doty-Humphrey's small fast counting generator of 128 bits of state
 * (PractRand), started as its author does from one number and a counter of 1, the first 15 draws thrown away. Each number
 * has 53 bits, from two draws. For resampling; not for secrets.
 *
 * @param seed a whole number; its lowest 32 bits count
 */
export function createRandom(seed: number): Random {
  let a = 0;
  let b = seed | 0;
  let c = 0;
  let counter = 1;
  const draw = (): number => {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
    return result >>> 0;
  };
  for (let skipped = 0; skipped < 15; skipped += 1) draw();
  return () => {
    const high = draw() >>> 5;
    const low = draw() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  };
}
