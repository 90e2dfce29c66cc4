import { expect, test } from 'vitest';
import type { EvalCase } from '../../../src/case/case.ts';
import { withinRange } from '../../../src/judges/rules/number-checks.ts';
import { aCase } from '../../support/builders.ts';
import { contractFormat as format } from '../../support/format.ts';

const latency = {
  type: 'within-range',
  field: 'latencyMs',
  name: 'latency',
  measure: 'value',
  unit: 'millisecond',
  max: 2000,
} as const;
const length = {
  type: 'within-range',
  field: 'response',
  name: 'response',
  measure: 'words',
  unit: 'word',
  min: 2,
  max: 4,
} as const;
const decisionOf = (check: Parameters<typeof withinRange>[0], parts: Partial<EvalCase>) =>
  withinRange(check, { evalCase: aCase(parts), format }).decision;

test.each([
  [1999, 'pass'],
  [2000, 'pass'],
  [2001, 'fail'],
] as const)('a latency of %d ms: %s', (latencyMs, decision) => {
  expect(decisionOf(latency, { latencyMs })).toBe(decision);
});

test('a latency that is not given cannot be checked', () => {
  expect(decisionOf(latency, {})).toBe('unscored');
});

test.each([
  ['Yes.', 'fail'],
  ['Yes, sure!', 'pass'],
  ['It is 4.5 km – away', 'fail'], // It, is, 4.5, km, away: the dash is no word
  ['Das geht leider nicht', 'pass'],
] as const)('%j has a length that: %s', (response, decision) => {
  expect(decisionOf(length, { response })).toBe(decision);
});

test('what is missing is said in words that fit counts and measures', () => {
  const height = { ...latency, field: 'latencyMs', name: 'height', unit: 'meter', min: 1.9, max: 4 } as const;
  const told = (latencyMs: number) => withinRange(height, { evalCase: aCase({ latencyMs }), format });
  expect(told(1.85).reason).toBe('the height is 1.85 meters; it must be at least 1.9 and at most 4');
  expect(told(2)).toMatchObject({ decision: 'pass' });
  expect(told(4.5)).toMatchObject({ decision: 'fail' });
});
