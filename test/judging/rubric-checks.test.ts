import { expect, test } from 'vitest';
import { Check, pathsOfCheck } from '../../src/judging/standards/rubric-checks.ts';

test.each<[object, string[]]>([
  [
    { type: 'drive-at-most', minutes: 15, speedKmh: 25, detour: 1.3, start: 'context.hotel' },
    ['recommendation.durationMin', 'recommendation.distanceKm', 'context.hotel', 'recommendation.location'],
  ],
  [{ type: 'open-at', hours: 'stay.hours', lexicon: 'moment' }, ['stay.hours']],
  [{ type: 'within-range', field: 'latencyMs', name: 'latency', unit: 'ms', max: 5 }, ['latencyMs']],
  [{ type: 'same-term', lexicon: 'cuisine', field: 'a', evidence: ['b', 'c'] }, ['a', 'b', 'c']],
  [{ type: 'number-wish', field: 'a', lexicon: 'rating', tolerance: 0 }, ['a']],
  // As a rubric of version 0.1 may have it.
  [{ type: 'has-all', lexicon: 'plugs', field: 'a', name: 'plug', refused: 'no-matter' }, ['a']],
  [
    { type: 'has-all', lexicon: 'plugs', field: 'a', name: 'plug', required: ['context.carPlug'] },
    ['a', 'context.carPlug'],
  ],
  [
    { type: 'at-most-field', field: 'a', limit: 'b', names: { field: 'x', limit: 'y' }, unit: 'km' },
    ['a', 'b'],
  ],
  [{ type: 'says-same', lexicon: 'results', field: 'a', name: 'result' }, ['a']],
])('a check %o looks at the fields that its parameters name', (check, paths) => {
  expect(
    pathsOfCheck(Check.parse(check))
      .flatMap(([, named]) => named)
      .sort(),
  ).toEqual([...paths].sort());
});
