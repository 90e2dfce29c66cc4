import { describe, expect, test } from 'vitest';
import { type EvalCase, fieldOf } from '../../src/case/case.ts';
import { generate, loadDomain } from '../../src/datasets/generate.ts';
import { entry } from '../../src/judging/standards/library.ts';
import { builtIn } from '../support/built-in.ts';
import { library, router } from './world.ts';

const made = async (id: string, seed: number): Promise<EvalCase[]> => {
  const rubric = entry('rubric', library.rubrics, id);
  const sources = { ...loadDomain([builtIn], id), rubric, router, schema: library.caseFormat.schema };
  return (await generate(sources, seed, 60)).flat();
};

const PLACE = ['recommendation.location', 'recommendation.distanceKm', 'recommendation.durationMin'];

/** Paths that belong to each kind of error, by domain. */
const BELONGS: Record<string, Record<string, string[]>> = {
  'fuel-station': {
    location: PLACE,
    time: ['recommendation.openingHours'],
    fuel: ['recommendation.fuels'],
    price: ['recommendation.pricePerLiter'],
    brand: ['recommendation.brand'],
    amenities: ['recommendation.amenities'],
  },
  'charging-station': {
    location: PLACE,
    range: ['context.rangeKm'],
    time: ['recommendation.openingHours'],
    plug: ['recommendation.plugs'],
    power: ['recommendation.powerKw'],
    availability: ['recommendation.freePoints'],
    price: ['recommendation.pricePerKwh'],
    amenities: ['recommendation.amenities'],
  },
};

describe.each(Object.entries(BELONGS))('generated data of %s', (id, belongs) => {
  const errors = Object.keys(belongs);

  test('has an error for each criterion of the rubric', () => {
    expect(errors).toEqual(entry('rubric', library.rubrics, id).criteria.map((criterion) => criterion.id));
  });

  test('differs from the right case in the fields of its error and in no other', async () => {
    const cases = await made(id, 3);
    const paths = [...new Set(Object.values(belongs).flat()), 'recommendation.name', 'conversation'];
    for (let first = 0; first < cases.length; first += errors.length + 1)
      for (const one of cases.slice(first + 1, first + 1 + errors.length)) {
        const right = cases[first];
        const differing = paths.filter(
          (path) => JSON.stringify(fieldOf(one, path)) !== JSON.stringify(right && fieldOf(right, path)),
        );
        const own = belongs[one.label?.errorType ?? ''] ?? [];
        expect([one.id, differing.filter((path) => !own.includes(path))]).toEqual([one.id, []]);
        expect(differing).toContain(own[0]);
      }
  });

  test('has no two users who say the same', async () => {
    const said = (await made(id, 4)).flatMap(({ conversation, label }) =>
      label?.decision === 'pass' ? [conversation[0]?.text] : [],
    );
    expect(new Set(said).size).toBe(60);
  });
});

describe('charging data, worked out anew', () => {
  test('has a free point, enough range and the power that is said, but for the error about it', async () => {
    for (const one of await made('charging-station', 5)) {
      const number = (path: string) => Number(fieldOf(one, path));
      const error = one.label?.errorType;
      const said = one.conversation[0]?.text ?? '';
      const wished = Number(/(\d+) kW\b/.exec(said)?.[1]);
      const isAbove = /(?:more than|over) \d+ kW/.test(said);
      const power = number('recommendation.powerKw');
      expect([one.id, number('recommendation.freePoints') > 0]).toEqual([one.id, error !== 'availability']);
      expect([one.id, number('recommendation.distanceKm') <= 0.9 * number('context.rangeKm')]).toEqual([
        one.id,
        error !== 'range',
      ]);
      expect([one.id, isAbove ? power > wished : power >= wished]).toEqual([one.id, error !== 'power']);
    }
  });
});
