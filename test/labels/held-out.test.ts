import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import {
  agreementChange,
  agreementOf,
  type HeldOutCase,
  heldOutOf,
  labeledCases,
  leftOutText,
  requireEnough,
} from '../../src/labels/exchange/example-from-correction.ts';
import { decisionIs } from '../../src/labels/record/vote.ts';
import { aCase, aRubric, aScoreRubric } from '../support/builders.ts';

const asking = (user: string, response: string, parts: Partial<EvalCase> = {}): EvalCase =>
  aCase({ conversation: [{ role: 'user', text: user }], response, ...parts });

const held = (name: string, evalCase: EvalCase): HeldOutCase => ({
  name,
  evalCase,
  right: decisionIs('pass'),
});

const names = (cases: readonly HeldOutCase[]) => cases.map(({ name }) => name);

describe('held-out cases', () => {
  test('share neither request nor response with an example, however it is written', async () => {
    const example = asking('Find me sushi.', 'Sakura is near.');
    const found = await heldOutOf(
      [
        held('same request', asking(' find ME  sushi.', 'Hana is near.')),
        held('same response', asking('Any sushi?', 'SAKURA is near.')),
        held('same case', example),
        held('other', asking('Any pizza?', 'Da Mario is near.')),
      ],
      [example],
      10,
    );
    expect(names(found.cases)).toEqual(['other']);
    expect(found).toMatchObject({ shown: 3, repeated: 0, beyond: 0 });
  });

  test('count once, the newest of the same, whatever they are called', async () => {
    const found = await heldOutOf(
      [
        held('first', asking('a', 'x', { id: 'v1' })),
        held('other', asking('b', 'x')),
        held('again', asking('a', 'x', { id: 'v9' })),
      ],
      [],
      10,
    );
    expect(names(found.cases)).toEqual(['other', 'again']);
    expect(found.repeated).toBe(1);
  });

  test('are the newest, where there are more than wanted', async () => {
    const found = await heldOutOf(
      ['a', 'b', 'c'].map((name) => held(name, asking(name, name))),
      [],
      2,
    );
    expect(names(found.cases)).toEqual(['b', 'c']);
    expect(found.beyond).toBe(1);
  });
});

describe('the cases of a dataset', () => {
  test('can be held out if they have the kind of label that the rubric gives, and name no other rubric', () => {
    const cases = [
      held('decided', asking('a', 'x', { label: { decision: 'pass' } })),
      held('of this rubric', asking('b', 'x', { rubric: 'plain', label: { decision: 'fail' } })),
      held('of another', asking('c', 'x', { rubric: 'in-car', label: { decision: 'fail' } })),
      held('scored', asking('d', 'x', { label: { score: 3 } })),
      held('open', asking('e', 'x')),
    ];
    expect(names([...labeledCases(cases, aRubric())])).toEqual(['decided', 'of this rubric']);
    expect(names([...labeledCases(cases, aScoreRubric())])).toEqual(['scored']);
  });
});

describe('what was left out', () => {
  const none = { cases: [], shown: 0, repeated: 0, beyond: 0 };

  test('is named only where something was', () => {
    expect(leftOutText(none)).toBe('');
    expect(leftOutText({ ...none, shown: 2 })).toBe('2 with the request or response of an example');
    expect(leftOutText({ ...none, shown: 1, repeated: 3, beyond: 4 })).toBe(
      '1 with the request or response of an example, 3 duplicates, 4 beyond the limit of --held-out',
    );
  });

  test('is part of the reason where fewer than 20 cases are left, which measure nothing', () => {
    const some = (count: number) => ({
      ...none,
      repeated: 2,
      cases: Array.from({ length: count }, (_, n) => held(`c${n}`, asking(`${n}`, 'x'))),
    });
    expect(() => requireEnough(some(20), 'plain')).not.toThrow();
    expect(() => requireEnough(some(19), 'plain')).toThrow(
      'Measuring needs at least 20 labeled cases of the rubric "plain"; there are 19 (left out: 2 duplicates).',
    );
    expect(() => requireEnough({ ...some(1), repeated: 0 }, 'plain')).toThrow('there is 1. Collect');
  });
});

describe('agreement with a label', () => {
  test('is all or nothing for decisions; a panel that came to nothing does not agree', () => {
    const of = (decision: 'pass' | 'fail' | 'undecided') =>
      agreementOf({ decision, score: null }, decisionIs('pass'), aRubric());
    expect([of('pass'), of('fail'), of('undecided')]).toEqual([1, 0, 0]);
  });

  test('is how near a score is on its scale', () => {
    const of = (score: number | null) =>
      agreementOf({ decision: 'scored', score }, { kind: 'score', score: 80 }, aScoreRubric());
    expect([of(80), of(55), of(null)]).toEqual([1, 0.75, 0]);
  });
});

describe('a change of agreement', () => {
  const pairs = (before: readonly number[], after: readonly number[]) =>
    before.map((value, n) => ({ name: `c${n}`, before: value, after: after[n] ?? 0 }));

  test('holds where as many come right as come wrong', () => {
    expect(agreementChange(pairs([1, 0, 1, 0], [0, 1, 1, 0]))).toMatchObject({
      cases: 4,
      before: 0.5,
      after: 0.5,
      better: ['c1'],
      worse: ['c0'],
      holds: true,
      // Two cases differ, one each way: no side is rarer.
      p: { value: 1 },
    });
  });

  test('does not hold where one more comes wrong', () => {
    expect(agreementChange(pairs([1, 1, 1], [0, 0, 1]))).toMatchObject({
      before: 1,
      after: 1 / 3,
      holds: false,
      // Both of two on one side: 2 · (1/2)².
      p: { value: 0.5 },
    });
  });

  test('is no fall where scores differ by rounding alone', () => {
    expect(agreementChange(pairs([0.3], [0.1 + 0.2 - 1e-16])).holds).toBe(true);
  });
});
