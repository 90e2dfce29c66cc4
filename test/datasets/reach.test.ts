import { describe, expect, test } from 'vitest';
import type { Drawn, Scene } from '../../src/datasets/generator-scene.ts';
import { drawReach, Reach } from '../../src/datasets/generator-wishes.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { aRubric } from '../support/builders.ts';
import { areas, router } from './world.ts';

const side = (km: number) => ({ fields: { 'recommendation.distanceKm': km }, said: {} });
const way: Drawn = { id: 'location', wish: {}, chosen: null, right: side(4), wrong: side(27) };

const range = Reach.parse({
  id: 'range',
  kind: 'reach',
  field: 'context.rangeKm',
  by: 'location',
  of: 'recommendation.distanceKm',
  share: 0.9,
  enough: [20, 40],
  short: [0.5, 0.9],
});

const drawn = (
  seed: number,
  before: ReadonlyMap<string, Drawn> = new Map([['location', way]]),
  spec = range,
) => {
  const [criterion] = aRubric().criteria;
  if (criterion === undefined) throw new Error('a rubric has criteria');
  const scene: Scene = {
    place: { description: 'Here', city: 'Town', latitude: 50, longitude: 10 },
    date: '2024-03-04',
    weekday: 'monday',
    minute: 600,
    areas,
    router,
    criterion,
    before,
    random: createRandom('reach', seed),
  };
  return drawReach(spec, scene);
};

describe('what the user has', () => {
  test('is enough for the right place and for the one that is too far, and in the error for neither', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const { right, wrong } = drawn(seed);
      // 27 km with a tenth left: at least 30. A half to nine tenths of 4 km: 2 to 3.6.
      expect(Number(right.fields['context.rangeKm'])).toBeGreaterThanOrEqual(30);
      expect(Number(right.fields['context.rangeKm'])).toBeLessThanOrEqual(40);
      expect(Number(wrong.fields['context.rangeKm'])).toBeGreaterThanOrEqual(2);
      expect(Number(wrong.fields['context.rangeKm'])).toBeLessThanOrEqual(3.6);
    }
  });

  test('must be drawn behind what it is to suffice for', () => {
    expect(() => drawn(1, new Map())).toThrow(/depends on recommendation\.distanceKm of "location"/);
  });

  test('is named where it can never be enough', () => {
    expect(() => drawn(1, new Map([['location', way]]), { ...range, enough: [5, 20] })).toThrow(
      /20 is not enough where recommendation\.distanceKm is 27/,
    );
  });
});
