import { describe, expect, test } from 'vitest';
import type { Ask, Question } from '../../src/judging/ask.ts';
import { conclude } from '../../src/judging/reduce.ts';
import { splitAsk } from '../../src/judging/split-ask.ts';
import type { Finding, Judgement } from '../../src/judging/verdict/judgement.ts';
import { aCase, aMethod, aPanel, aRubric, judgementOf, type Said } from '../support/builders.ts';

const check = {
  type: 'within-range',
  field: 'latencyMs',
  name: 'latency',
  unit: 'millisecond',
  max: 2000,
} as const;
const rubric = aRubric({
  criteria: [
    { id: 'first', title: 'First', rule: 'It fits.' },
    { id: 'quick', title: 'Quick', rule: 'It is quick.', check, judgedBy: 'rules' },
  ],
});
const optional = aRubric({
  criteria: rubric.criteria.map((one) => ({ ...one, mayNotApply: one.id === 'first' })),
});

const found = (id: string, decision: Finding['decision']): Finding => ({
  id,
  decision,
  score: null,
  rationale: `${id} is ${decision}`,
});

/** What a model and the exact check come to together, and which criteria each was asked. */
async function together(
  standard: typeof rubric,
  model: Said | Judgement['criteria'],
  exact: Finding['decision'],
) {
  const asked: Record<string, string[]> = {};
  const note = (who: string, question: Question) => {
    asked[who] = question.criteria.map(({ id }) => id);
  };
  const rules: Ask = async (question) => {
    note('rules', question);
    return { ...judgementOf(question, { unscored: 'unsupported' }), criteria: [found('quick', exact)] };
  };
  const judge: Ask = async (question) => {
    note('model', question);
    if (!Array.isArray(model)) return judgementOf(question, model);
    return { ...judgementOf(question, { unscored: 'not-relevant' }), criteria: model };
  };
  const [seat] = aPanel(1).seats;
  if (seat === undefined) throw new Error('no seat');
  const judgement = await splitAsk(
    () => rules,
    judge,
  )({
    ...seat,
    cast: [],
    rubric: standard,
    criteria: standard.criteria,
    method: aMethod(),
    evalCase: aCase(),
    round: 0,
    seen: [],
    temperature: 0,
    seed: null,
    deadlineAt: 0,
    signal: new AbortController().signal,
  });
  return { judgement, asked };
}

const says = (decision: 'pass' | 'fail'): Said => ({ decision, findings: { first: decision } });

describe('criteria left to exact checks', () => {
  test('are not asked of the model, and stand in the rubric’s order', async () => {
    const { judgement, asked } = await together(rubric, says('pass'), 'pass');
    expect(asked).toEqual({ rules: ['quick'], model: ['first'] });
    expect(judgement).toMatchObject({
      status: 'scored',
      decision: 'pass',
      criteria: [{ id: 'first' }, { id: 'quick' }],
    });
  });

  test('can add a fault to a pass, and say which', async () => {
    const { judgement } = await together(rubric, says('pass'), 'fail');
    expect(judgement).toMatchObject({
      decision: 'fail',
      rationale: expect.stringContaining('quick is fail'),
    });
  });

  test('cannot take a fault away', async () => {
    expect((await together(rubric, says('fail'), 'pass')).judgement).toMatchObject({ decision: 'fail' });
    expect((await together(rubric, says('fail'), 'unscored')).judgement).toMatchObject({ decision: 'fail' });
  });

  test('leave a pass open where they could not be checked', async () => {
    expect((await together(rubric, says('pass'), 'unscored')).judgement).toMatchObject({
      status: 'unscored',
      reason: 'unsupported',
    });
  });

  test('do not make an answer of a judge that gave none', async () => {
    expect((await together(rubric, { unscored: 'timeout' }, 'fail')).judgement).toMatchObject({
      status: 'unscored',
      reason: 'timeout',
    });
  });

  test('decide alone where nothing else is relevant', async () => {
    const { judgement } = await together(optional, [found('first', 'not-relevant')], 'pass');
    expect(judgement).toMatchObject({ status: 'scored', decision: 'pass' });
  });
});

describe('what findings come to', () => {
  test.each([
    [['pass', 'pass'], { kind: 'decision', decision: 'pass' }],
    [['pass', 'fail'], { kind: 'decision', decision: 'fail' }],
    [['unscored', 'fail'], { kind: 'decision', decision: 'fail' }],
    [['pass', 'unscored'], { kind: 'inconclusive' }],
    [['pass', 'not-relevant'], { kind: 'decision', decision: 'pass' }],
    [['not-relevant', 'not-relevant'], { kind: 'not-relevant' }],
    [[], { kind: 'inconclusive' }],
  ] as const)('%j', (decisions, expected) => {
    expect(
      conclude(
        decisions.map((decision, index) => found(`c${index}`, decision)),
        'all',
      ),
    ).toEqual(expected);
  });

  test('scores: their exact mean, and nothing where one is missing', () => {
    const scored = (score: number | null): Finding => ({ ...found('c', 'scored'), score });
    expect(conclude([scored(1), scored(4)], 'mean')).toEqual({ kind: 'score', score: 2.5 });
    expect(conclude([scored(1), scored(null)], 'mean')).toEqual({ kind: 'inconclusive' });
  });
});
