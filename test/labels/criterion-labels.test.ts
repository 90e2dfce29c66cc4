import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { criterionLabelProblems } from '../../src/labels/exchange/export-labels.ts';
import { builtInLibrary } from '../support/built-in.ts';

const library = builtInLibrary();

const problems = (rubric: string, label: EvalCase['label']) => {
  const found = library.rubrics.get(rubric);
  if (found === undefined) throw new Error(`no rubric ${rubric}`);
  return criterionLabelProblems({ label }, found);
};

describe('labels by criterion', () => {
  test('of the criteria of the rubric, on their scales, are right', () => {
    expect(problems('factual-correctness', { criteria: { consistency: 'pass', relevance: 'fail' } })).toEqual(
      [],
    );
    expect(problems('core', { score: 70, criteria: { coherence: 3.5, grammar: 0 } })).toEqual([]);
    expect(problems('navigation', { decision: 'pass' })).toEqual([]);
  });

  test.each([
    [
      'factual-correctness',
      { criteria: { consistancy: 'pass' } },
      'names "consistancy", but the rubric "factual-correctness" has no such criterion',
    ],
    ['factual-correctness', { criteria: { consistency: 1 } }, 'it is pass or fail: write "pass" or "fail"'],
    ['core', { criteria: { coherence: 5 } }, 'gives "coherence" 5, but its scale is 0 to 4'],
    ['core', { criteria: { coherence: 'pass' } }, 'but its scale is 0 to 4'],
    [
      'factual-correctness',
      { decision: 'pass', criteria: { relevance: 'fail' } },
      'the label contradicts itself: "pass", but "relevance" fails',
    ],
  ] as const)('in %s that say %j are reported', (rubric, label, problem) => {
    expect(problems(rubric, label)).toEqual([expect.stringContaining(problem)]);
  });
});
