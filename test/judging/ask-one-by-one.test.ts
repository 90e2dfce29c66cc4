import { describe, expect, test } from 'vitest';
import type { Question } from '../../src/judging/ask.ts';
import { askOneByOne, usageOfAll } from '../../src/judging/split-ask.ts';
import type { Rubric } from '../../src/judging/standards/rubric.ts';
import { freeUsage, isScored, type Judgement, withoutAnswer } from '../../src/judging/verdict/judgement.ts';
import {
  aCase,
  aMethod,
  aPanel,
  aRubric,
  aScoreRubric,
  judgementOf,
  type Said,
} from '../support/builders.ts';

const scale = { min: 0, max: 4 };
const factors = aRubric({
  decide: 'mean',
  criteria: ['first', 'second', 'third'].map((id) => ({
    id,
    title: id.toUpperCase(),
    rule: 'How good.',
    scale,
  })),
});

/** What a judge says of one criterion: a score, a decision, or why it gives no answer. */
const reply = (question: Question, said: Said): Judgement => {
  const id = question.criteria[0]?.id ?? 'none';
  const judgement = judgementOf(question, said);
  const rationale = `About ${id}. And more.`;
  const hash = { ...judgement, promptHash: `hash-${id}` };
  if (!isScored(judgement)) return hash;
  const { decision, score } = judgement;
  return { ...hash, criteria: [{ id, decision, score, rationale }] };
};

/** Asks one judge about all criteria of a rubric under a method; `script` answers by criterion, `down` is a model out of reach. */
async function ask(
  rubric: Rubric,
  script: Record<string, Said | Error | 'down'>,
  criteria: 'one-by-one' | 'together' = 'one-by-one',
) {
  const asked: string[][] = [];
  const [seat] = aPanel(1).seats;
  if (seat === undefined) throw new Error('no seat');
  const judge = askOneByOne(
    async (question) => {
      asked.push(question.criteria.map(({ id }) => id));
      const said = script[question.criteria[0]?.id ?? ''] ?? { unscored: 'error' };
      if (said instanceof Error) throw said;
      if (said === 'down')
        return { ...withoutAnswer(question, 'error', 'connection refused', freeUsage), unavailable: true };
      return reply(question, said);
    },
    (...hashes) => `joined ${hashes.join('+')}`,
  );
  const judgement = await judge({
    ...seat,
    cast: [],
    rubric,
    criteria: rubric.criteria,
    method: aMethod({ criteria }),
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

describe('criteria that are asked about one by one', () => {
  test('take a question each, and come back as one judgement with their exact mean', async () => {
    const { judgement, asked } = await ask(factors, {
      first: { score: 4 },
      second: { score: 1 },
      third: { score: 3 },
    });
    expect(asked).toEqual([['first'], ['second'], ['third']]);
    // (4 + 1 + 3) / 3 = 8 / 3
    expect(judgement).toMatchObject({ status: 'scored', decision: 'scored', score: 8 / 3, calls: 3 });
    expect(judgement.criteria.map(({ id, score }) => [id, score])).toEqual([
      ['first', 4],
      ['second', 1],
      ['third', 3],
    ]);
  });

  test('cost what their questions cost together', async () => {
    const { judgement } = await ask(factors, {
      first: { score: 4 },
      second: { score: 1 },
      third: { score: 3 },
    });
    // Each answer of the builders: 100 and 10 tokens, 0.001 dollars, one attempt.
    expect(judgement.usage).toMatchObject({ promptTokens: 300, completionTokens: 30, attempts: 3 });
    expect(judgement.usage.costUsd).toBeCloseTo(0.003, 12);
  });

  test('took as long as the slowest, and came from the cache only if all did', () => {
    const one = { ...freeUsage, latencyMs: 300, fromCache: true };
    expect(usageOfAll([one, { ...one, latencyMs: 900 }])).toMatchObject({ latencyMs: 900, fromCache: true });
    expect(usageOfAll([one, { ...one, fromCache: false }]).fromCache).toBe(false);
    expect(usageOfAll([freeUsage, freeUsage]).latencyMs).toBe(0);
    expect(usageOfAll([one, { ...one, promptTokens: null }])).toMatchObject({
      promptTokens: null,
      costUsd: 0,
    });
  });

  test('are as sure together as where the judge is least sure', async () => {
    const { judgement } = await ask(factors, {
      first: { score: 4, confidence: 0.9 },
      second: { score: 1, confidence: 0.4 },
      third: { score: 3, confidence: 0.8 },
    });
    expect(judgement).toMatchObject({ confidence: 0.4 });
  });

  test('have a hash of all wordings in the rubric’s order', async () => {
    const { judgement } = await ask(factors, {
      first: { score: 4 },
      second: { score: 1 },
      third: { score: 3 },
    });
    expect(judgement.promptHash).toBe('joined hash-first+hash-second+hash-third');
  });

  test('are summed up in a few sentences, the weakest with its reason', async () => {
    const { judgement } = await ask(factors, {
      first: { score: 4 },
      second: { score: 1 },
      third: { score: 3 },
    });
    expect(judgement).toMatchObject({
      rationale: 'SECOND is weakest with 1 of 4. SECOND: About second. Then THIRD 3. Full marks: FIRST.',
    });
  });

  test('are distinguished by why they have no answer, and together where they are equally weak', async () => {
    const open = await ask(factors, {
      first: { score: 4 },
      second: { unscored: 'timeout' },
      third: { unscored: 'refused' },
    });
    expect(open.judgement).toMatchObject({
      message: 'No answer on SECOND: was timeout. No answer on THIRD: was refused. Full marks: FIRST.',
    });
    const equal = await ask(factors, { first: { score: 2 }, second: { score: 2 }, third: { score: 3 } });
    expect(equal.judgement).toMatchObject({
      rationale: 'FIRST and SECOND are weakest with 2 of 4. FIRST: About first. Then THIRD 3.',
    });
  });

  test('have no mean where one of them has no answer; it is an unscored finding and the others stand', async () => {
    const { judgement } = await ask(factors, {
      first: { score: 4 },
      second: { unscored: 'timeout' },
      third: { score: 3 },
    });
    expect(judgement).toMatchObject({
      status: 'unscored',
      reason: 'timeout',
      message: expect.stringContaining('No answer on SECOND: was timeout'),
      criteria: [
        { id: 'first', score: 4 },
        { id: 'second', decision: 'unscored', score: null, rationale: 'was timeout' },
        { id: 'third', score: 3 },
      ],
    });
  });

  test('survive a question that throws', async () => {
    const { judgement } = await ask(factors, {
      first: { score: 4 },
      second: new Error('boom'),
      third: { score: 3 },
    });
    expect(judgement).toMatchObject({ status: 'unscored', reason: 'error' });
    expect(judgement.criteria[1]).toMatchObject({ decision: 'unscored', rationale: 'boom' });
    expect(judgement.usage.costUsd).toBeNull();
  });

  describe('that pass or fail', () => {
    const binary = aRubric();
    const pass: Said = { decision: 'pass' };
    const fail: Said = { decision: 'fail' };

    test('pass together when each does', async () => {
      const { judgement } = await ask(binary, { first: pass, second: pass });
      expect(judgement).toMatchObject({ decision: 'pass', rationale: 'Passed: First and Second.' });
    });

    test('fail together when one does, with its reason', async () => {
      const { judgement } = await ask(binary, { first: pass, second: fail });
      expect(judgement).toMatchObject({
        decision: 'fail',
        rationale: 'Second: About second. Passed: First.',
      });
    });

    test('fail together when one does, whatever is not known of the other', async () => {
      const { judgement } = await ask(binary, { first: fail, second: { unscored: 'malformed' } });
      expect(judgement).toMatchObject({ status: 'scored', decision: 'fail' });
    });

    test('are no answer where one passes and the other was not answered', async () => {
      const { judgement } = await ask(binary, { first: pass, second: { unscored: 'malformed' } });
      expect(judgement).toMatchObject({ status: 'unscored', reason: 'malformed' });
    });

    test('are out of reach together only where each of them was', async () => {
      const unusable = { unscored: 'malformed' } as const;
      const isDown = async (first: Said | 'down', second: Said | 'down') => {
        const { judgement } = await ask(binary, { first, second });
        return 'unavailable' in judgement && judgement.unavailable === true;
      };
      expect(await isDown('down', 'down')).toBe(true);
      expect(await isDown('down', unusable)).toBe(false);
      expect(await isDown(unusable, 'down')).toBe(false);
      expect(await isDown(unusable, unusable)).toBe(false);
    });

    test('are not relevant together where none of them is', async () => {
      const optional = aRubric({ criteria: binary.criteria.map((one) => ({ ...one, mayNotApply: true })) });
      const { judgement } = await ask(optional, {
        first: { unscored: 'not-relevant' },
        second: { unscored: 'not-relevant' },
      });
      expect(judgement).toMatchObject({
        status: 'unscored',
        reason: 'not-relevant',
        message: 'Not relevant: First and Second.',
      });
    });
  });

  test('are not split where the method asks about them together, nor where there is only one', async () => {
    const together = await ask(factors, { first: { score: 2 } }, 'together');
    expect(together.asked).toEqual([['first', 'second', 'third']]);
    const single = await ask(aScoreRubric(), { overall: { score: 70 } });
    expect(single.asked).toEqual([['overall']]);
    expect(single.judgement.calls).toBeUndefined();
  });
});
