import { JuryError } from '../common/index.ts';

const UINT32 = 2 ** 32;

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

type State = [number, number, number, number];

/** xoshiro128** 1.1 by Blackman and Vigna (prng.di.unimi.it). The state must not be all zero. */
export function xoshiro128(state: State): () => number {
  let [a, b, c, d] = state;
  return () => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
    return result;
  };
}

/** 32-bit FNV-1a over the UTF-16 code units of a text. */
function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The finalizer of MurmurHash3. */
function mixed(counter: number): number {
  let word = counter;
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

/** Four mixed words of a counter that steps by the golden ratio. Never all zero, because the mixing is one to one. */
const stateOf = (hash: number): State => {
  const word = (index: number) => mixed((hash + Math.imul(index, 0x9e3779b9)) | 0);
  return [word(1), word(2), word(3), word(4)];
};

/**
 * A random stream for a key, such as a seed and a purpose. The same key always gives the same numbers, on every machine and in every
 * version, and streams of different keys are independent. Not for secrets. The key's parts are joined by line breaks, hashed (FNV-1a,
 * 32 bits) and expanded into the state of xoshiro128**.
 */
export function createRandom(...key: readonly (string | number)[]) {
  const uint32 = xoshiro128(stateOf(hashed(key.join('\n'))));
  /** A whole number from 0 to `count` − 1, each equally likely. `count` is at least 1 and at most 2³². */
  function below(count: number): number {
    // Draws beyond the last whole multiple would make small numbers more likely, so they are rejected.
    const usable = UINT32 - (UINT32 % count);
    for (;;) {
      const drawn = uint32();
      if (drawn < usable) return drawn % count;
    }
  }
  return {
    /** A whole number from 0 to 2³² − 1, each equally likely. */
    uint32,
    /** A number in [0, 1) with 53 bits, from two draws. */
    fraction: () => ((uint32() >>> 5) * 2 ** 26 + (uint32() >>> 6)) / 2 ** 53,
    below,
    /** A random item, each equally likely. @throws JuryError `internal` for an empty list */
    pick: <T extends NonNullable<unknown>>(items: readonly T[]): T => {
      const item = items.length === 0 ? undefined : items[below(items.length)];
      if (item === undefined) throw new JuryError('internal', 'Nothing to pick from: the list is empty.');
      return item;
    },
    /** The items in random order, every order equally likely. */
    shuffled: <T>(items: readonly T[]): T[] => {
      const left = [...items];
      return items.flatMap(() => left.splice(below(left.length), 1));
    },
  };
}

/** A stream of numbers determined by its key. */
export type Random = ReturnType<typeof createRandom>;
