import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Objective, paretoFront } from '../../src/statistics/comparison.ts';

interface Configuration {
  f1: number;
  cost: number | null;
}
const objectives: Objective<Configuration>[] = [
  { of: ({ f1 }) => f1, direction: 'max' },
  { of: ({ cost }) => cost, direction: 'min' },
];

describe('the Pareto front', () => {
  test('holds what nothing beats, with equals side by side, and sets aside what has no price', () => {
    const cheap = { f1: 0.8, cost: 1 };
    const same = { f1: 0.8, cost: 1 };
    const good = { f1: 0.9, cost: 3 };
    const dear = { f1: 0.9, cost: 4 };
    const unknown = { f1: 0.7, cost: null };
    expect(paretoFront([dear, cheap, good, unknown, same], objectives)).toEqual({
      front: [cheap, good, same],
      dominated: [dear],
      incomparable: [unknown],
    });
  });

  test('takes what differs by noise alone as equal, so that the other objectives decide', () => {
    const noisy = objectives.map((one) => (one.direction === 'min' ? { ...one, noise: () => 1 } : one));
    const [better, cheaper, cheapest] = [
      { f1: 0.9, cost: 11 },
      { f1: 0.8, cost: 10 },
      { f1: 0.7, cost: 8.5 },
    ];
    expect(paretoFront([better, cheaper, cheapest], noisy)).toMatchObject({
      front: [better, cheapest],
      dominated: [cheaper],
    });
  });

  test('beats everything outside it, and nothing inside it', () => {
    const configurations = fc.array(fc.record({ f1: fc.integer({ max: 9 }), cost: fc.nat(9) }), {
      maxLength: 40,
    });
    const beats = (a: Configuration, b: Configuration) =>
      a.f1 >= b.f1 && (a.cost ?? 0) <= (b.cost ?? 0) && (a.f1 > b.f1 || (a.cost ?? 0) < (b.cost ?? 0));
    fc.assert(
      fc.property(configurations, (items) => {
        const { front, dominated } = paretoFront<Configuration>(items, objectives);
        expect(front.length + dominated.length).toBe(items.length);
        for (const item of dominated) expect(front.some((other) => beats(other, item))).toBe(true);
        for (const item of front) expect(front.some((other) => beats(other, item))).toBe(false);
      }),
    );
  });
});
