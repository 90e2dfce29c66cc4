import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRandom, xoshiro128 } from '../../src/statistics/random.ts';
import { orderOf } from '../../src/studies/annotation.ts';
import { aCase } from '../support/builders.ts';
import { jury } from '../support/run-jury.ts';

describe('the generator', () => {
  test('gives the numbers of the reference implementation', () => {
    // Output of the authors' C code for the state {1, 2, 3, 4}, as the Rust crate rand_xoshiro tests it.
    const next = xoshiro128([1, 2, 3, 4]);
    expect(Array.from({ length: 10 }, next)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });
});

const numbers = (...key: (string | number)[]) => {
  const random = createRandom(...key);
  return Array.from({ length: 20 }, () => random.below(1000));
};

describe('a stream', () => {
  test('is fixed by its key', () => {
    expect(numbers('navigation', 7, 1)).toEqual(numbers('navigation', 7, 1));
  });

  test('is another one for another key', () => {
    const streams = [numbers('a', 1), numbers('a', 2), numbers('b', 1), numbers('a', 1, 1), numbers('a', 11)];
    expect(new Set(streams.map((stream) => stream.join())).size).toBe(streams.length);
  });

  test('draws each of a few numbers about equally often', () => {
    const random = createRandom('counts');
    const dice = [0, 0, 0, 0, 0, 0];
    for (let n = 0; n < 60_000; n += 1) {
      const face = random.below(6);
      dice[face] = (dice[face] ?? 0) + 1;
    }
    // 10,000 expected, standard deviation √(60000 · 1/6 · 5/6) ≈ 91: five of them either way.
    for (const count of dice) expect(Math.abs(count - 10_000)).toBeLessThan(457);
  });

  test('shuffles without losing or doubling anything', () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const shuffled = createRandom('shuffle').shuffled(items);
    expect(shuffled).not.toEqual(items);
    expect([...shuffled].sort((a, b) => a - b)).toEqual(items);
  });

  test('puts every item first about equally often when it shuffles', () => {
    const random = createRandom('first');
    const firsts = new Map<string, number>();
    for (let n = 0; n < 3000; n += 1) {
      const [first = ''] = random.shuffled(['a', 'b', 'c']);
      firsts.set(first, (firsts.get(first) ?? 0) + 1);
    }
    // 1,000 expected, standard deviation √(3000 · 1/3 · 2/3) ≈ 26.
    for (const count of firsts.values()) expect(Math.abs(count - 1000)).toBeLessThan(130);
  });

  test('says that it cannot pick from nothing', () => {
    expect(() => createRandom('none').pick([])).toThrow(/list is empty/);
  });
});

describe('numbers that are in use, and so never change,', () => {
  test('order the cases of running studies', () => {
    const cases = Array.from({ length: 6 }, (_, index) => ({
      id: `c${index}`,
      evalCase: aCase({ label: { decision: index < 3 ? 'pass' : 'fail' } }),
    }));
    const order = (place: number) =>
      orderOf(
        { cases, seed: 7 },
        { id: `a${place}`, place, person: { surface: 'slack', team: 'T', user: `U${place}` } },
      );
    expect(order(0)).toEqual([4, 1, 3, 2, 5, 0]);
    expect(order(1)).toEqual([0, 3, 2, 4, 5, 1]);
  });

  test('mix gold cases into queues', () => {
    const drawn = ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'].map((id) =>
      createRandom('gold', 'voter', '2026-11-22', id).below(9),
    );
    expect(drawn).toEqual([1, 3, 7, 3, 7, 6]);
  });

  test('make generated datasets', async () => {
    const { out } = await jury(['dataset', 'generate', 'navigation', '--users', '20', '--seed', '7']);
    const untagged = out.replaceAll(/,"tags":\{"group":"u\d{3}"\}/g, '');
    expect(createHash('sha256').update(untagged).digest('hex')).toBe(
      'e95600b2c6a5dd320fcce5c34a53f1c0bcba310ad41e4338730048e1abf23742',
    );
  });
});
