import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { JuryError } from '../../src/common/errors.ts';
import { checkCase } from '../../src/datasets/dataset-quality.ts';
import { aCase } from '../judges/rules/world.ts';
import { aRubric } from '../support/builders.ts';
import { checked } from './world.ts';

/** Asks for Italian, medium, at least 4.0; the case of the rules' tests meets all of it. */
const right: EvalCase = aCase('Find me a mid-range Italian restaurant rated at least 4.0');
const low: EvalCase = aCase('Find me a mid-range Italian restaurant rated at least 4.0', { rating: 3.2 });

describe('a label', () => {
  test('is confirmed where exactly what it says is wrong', async () => {
    expect(await checked({ ...right, label: { decision: 'pass' } })).toEqual({ kind: 'confirmed' });
    expect(await checked({ ...low, label: { decision: 'fail', errorType: 'rating' } })).toEqual({
      kind: 'confirmed',
    });
  });

  test('is contradicted where the error is not there', async () => {
    const result = await checked({ ...right, label: { decision: 'fail', errorType: 'rating' } });
    expect(result).toMatchObject({
      kind: 'contradicted',
      deviations: [
        { criterion: 'rating', expected: 'fail', found: 'pass', why: expect.stringContaining('4.5') },
      ],
    });
  });

  test('is contradicted where something else is wrong, and both are named', async () => {
    const result = await checked({ ...low, label: { decision: 'fail', errorType: 'cost' } });
    expect(result.kind === 'contradicted' && result.deviations.map(({ criterion }) => criterion)).toEqual([
      'cost',
      'rating',
    ]);
  });

  test('is contradicted where a case labeled right has an error', async () => {
    const result = await checked({ ...low, label: { decision: 'pass' } });
    expect(result).toMatchObject({
      kind: 'contradicted',
      deviations: [{ criterion: 'rating', found: 'fail' }],
    });
  });

  test('is left open where a criterion cannot be read, and says so apart', async () => {
    const vague = aCase('Find me a good value Italian restaurant rated at least 4.0');
    const result = await checked({ ...vague, label: { decision: 'pass' } });
    expect(result).toMatchObject({
      kind: 'unscored',
      deviations: [{ criterion: 'cost', expected: 'pass', found: 'unscored' }],
    });
  });

  test('is left open where the case lacks what a criterion needs', async () => {
    const { context: _context, ...timeless } = right;
    const result = await checked({ ...timeless, label: { decision: 'pass' } });
    expect(result).toMatchObject({
      kind: 'unscored',
      deviations: [{ criterion: 'time', found: 'unscored' }],
    });
  });
});

describe('a case is not usable', () => {
  const withLabel = (label: EvalCase['label']) => checked({ ...right, label });

  test.each([
    ['without a label', undefined, /has no label\.decision/],
    ['labeled fail without the error', { decision: 'fail' as const }, /without label\.errorType/],
    ['labeled pass with an error', { decision: 'pass' as const, errorType: 'cost' }, /labeled pass but/],
    [
      'with an error that the rubric does not know',
      { decision: 'fail' as const, errorType: 'ambience' },
      /the rubric "navigation" has no such criterion \(it has location, time, cost, rating, cuisine\)/,
    ],
  ])('%s', async (_name, label, problem) => {
    expect(await withLabel(label)).toEqual({ kind: 'unusable', problem: expect.stringMatching(problem) });
  });

  test('without what its rubric needs', async () => {
    const { recommendation: _recommendation, ...bare } = right;
    expect(await checked({ ...bare, label: { decision: 'pass' } })).toEqual({
      kind: 'unusable',
      problem: 'lacks recommendation',
    });
  });

  test('without a rubric that fits it', async () => {
    const none = () => {
      throw new JuryError('bad-input', 'No rubric fits.');
    };
    const result = await checkCase(right, none, async () => Promise.reject(), new AbortController().signal);
    expect(result).toEqual({ kind: 'unusable', problem: 'cannot be judged: No rubric fits.' });
  });
});

test('criteria without an exact check leave the label open', async () => {
  const result = await checked({ ...right, label: { decision: 'pass' } }, aRubric());
  expect(result).toMatchObject({
    kind: 'unscored',
    deviations: [{ criterion: 'first' }, { criterion: 'second' }],
  });
});
