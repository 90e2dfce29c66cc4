import { expect, inject, test } from 'vitest';
import { generate, loadDomain } from '../../src/datasets/generate.ts';
import { entry } from '../../src/judging/standards/library.ts';
import { aCase } from '../judges/rules/world.ts';
import { builtIn } from '../support/built-in.ts';
import { checked, dimension, library, router } from './world.ts';

const { users } = inject('counts');

test.each([
  ['navigation', 2],
  ['navigation', 3],
  ['fuel-station', 1],
  ['fuel-station', 2],
  ['charging-station', 1],
  ['charging-station', 2],
])(`exact checks confirm every case of ${users} users: %s, seed %i`, async (id, seed) => {
  const rubric = entry('rubric', library.rubrics, id);
  const sources = { ...loadDomain([builtIn], id), rubric, router, schema: library.caseFormat.schema };
  const cases = (await generate(sources, seed, users)).flat();
  expect(cases).toHaveLength(users * (rubric.criteria.length + 1));
  const results = await Promise.all(cases.map((one) => checked(one, rubric)));
  expect(
    results.flatMap((result, index) => (result.kind === 'confirmed' ? [] : [[cases[index], result]])),
  ).toEqual([]);
});

test('exact checks read every word for a cuisine, and tell its venues from those of each other cuisine', async () => {
  const { terms } = dimension('cuisine', 'term');
  const pairs = terms.flatMap((term) =>
    term.phrases.flatMap(({ kind }) =>
      terms
        .filter(({ value }) => !term.unlike.includes(value))
        .map((venue) => ({ kind, venue, isRight: venue === term })),
    ),
  );
  // Each word against each cuisine: 100 · 20, less the pairs that are too near.
  expect(pairs.length).toBeGreaterThan(1900);
  const results = await Promise.all(
    pairs.map(({ kind, venue, isRight }) => {
      const one = aCase(`Find me a cheap ${kind} restaurant rated at least 4.0`, {
        cuisine: venue.value,
        menu: venue.along['recommendation.menu'],
        cost: 'low',
      });
      return checked({
        ...one,
        label: isRight ? { decision: 'pass' } : { decision: 'fail', errorType: 'cuisine' },
      });
    }),
  );
  expect(pairs.filter((_pair, index) => results[index]?.kind !== 'confirmed')).toEqual([]);
});
