import { expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { defaultMethod } from '../../src/judging/standards/choose-rubric.ts';
import { builtInLibrary } from '../support/built-in.ts';

const library = builtInLibrary();
const spoken = (more: Partial<EvalCase>): EvalCase => ({
  conversation: [{ role: 'user', text: 'Find me a sushi place' }],
  response: 'Sakura is near.',
  ...more,
});
const venue = spoken({ recommendation: { name: 'Sakura', cuisine: 'Japanese' } });
const manual = spoken({ documents: [{ text: 'The tire pressure is 2.4 bar.' }] });

test('cases without a named method are judged by the one of their rubric', () => {
  expect(defaultMethod(library, [venue, venue], null)).toBe('mab');
  expect(defaultMethod(library, [manual], null)).toBe('io');
});

test('a named rubric counts more than what a case carries', () => {
  expect(defaultMethod(library, [manual, venue], 'factual-relevance')).toBe('io');
  expect(() => defaultMethod(library, [venue], 'navgation')).toThrow(/navigation/);
});

test('rubrics with several methods need a named one', () => {
  expect(() => defaultMethod(library, [venue, manual], null)).toThrow(/mab, io.*--methods/);
  expect(() => defaultMethod(library, [], null)).toThrow('nothing to judge');
});
