import { expect, test } from 'vitest';
import { underRubrics } from '../../../src/benchmark/collect/benchmark-cases.ts';
import type { EvalCase } from '../../../src/case/case.ts';
import { entry } from '../../../src/judging/standards/library.ts';
import { aCase } from '../../support/builders.ts';
import { builtInLibrary } from '../../support/built-in.ts';

const rubrics = ['factual-consistency-paper', 'factual-relevance-paper'].map((id) =>
  entry('rubric', builtInLibrary().rubrics, id),
);
const labelsOf = (label: EvalCase['label']) =>
  underRubrics('q1', aCase({ ...(label === undefined ? {} : { label }) }), rubrics).map((one) => one.label);

test('a case is judged by each rubric, and the copies belong together', () => {
  const copies = underRubrics('q1', aCase({ tags: { system: 'A' } }), rubrics);
  expect(copies.map(({ id, rubric, tags }) => [id, rubric, tags])).toEqual([
    ['q1, factual-consistency-paper', 'factual-consistency-paper', { group: 'q1', system: 'A' }],
    ['q1, factual-relevance-paper', 'factual-relevance-paper', { group: 'q1', system: 'A' }],
  ]);
  const grouped = underRubrics('q1', aCase({ tags: { group: 'manual 3' } }), rubrics);
  expect(grouped.map(({ tags }) => tags?.group)).toEqual(['manual 3', 'manual 3']);
});

test('each has the part of the label that is about it: the one criterion decides', () => {
  expect(
    labelsOf({
      decision: 'fail',
      errorType: 'hallucination',
      criteria: { consistency: 'fail', relevance: 'pass' },
    }),
  ).toEqual([
    { decision: 'fail', errorType: 'hallucination', criteria: { consistency: 'fail' } },
    { decision: 'pass', criteria: { relevance: 'pass' } },
  ]);
});

test('a label that says nothing of criteria is about each rubric; one of another criterion is about none', () => {
  expect(labelsOf({ decision: 'pass' })).toEqual([{ decision: 'pass' }, { decision: 'pass' }]);
  expect(labelsOf({ decision: 'fail', criteria: { consistency: 'fail' } })).toEqual([
    { decision: 'fail', criteria: { consistency: 'fail' } },
    undefined,
  ]);
  expect(labelsOf(undefined)).toEqual([undefined, undefined]);
});
