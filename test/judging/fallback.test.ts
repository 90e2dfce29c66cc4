import { describe, expect, test } from 'vitest';
import { JuryError } from '../../src/common/errors.ts';
import type { Ask } from '../../src/judging/ask.ts';
import { judgeOrCheck } from '../../src/judging/fallback.ts';
import { planCase } from '../../src/judging/judge-case.ts';
import type { UnscoredReason } from '../../src/judging/verdict/judgement.ts';
import { ask as askRules, aCase as aVenue } from '../judges/rules/world.ts';
import { judgementOf, pass, type Said } from '../support/builders.ts';
import { builtInLibrary } from '../support/built-in.ts';

const library = builtInLibrary();
const italian = aVenue('Find me an Italian restaurant.');
const planOf = (models: string[], rubric = 'navigation') =>
  planCase(library, italian, { models, rubric, method: 'mab' });

const refusal = new JuryError('endpoint-refused', 'The endpoint refused the key.');
const refuses: Ask = () => Promise.reject(refusal);

/** The judges in the order of their seats say this; exact checks find out what they can. */
function judged(ask: Ask | readonly Said[], checks: ReturnType<typeof planOf> | null = planOf(['rules'])) {
  const plan = planOf(['test/model']);
  const asked: Ask = async (question) => {
    if (question.judge.model === 'rules') return askRules(question);
    if (typeof ask === 'function') return ask(question);
    const seat = plan.panel.seats.findIndex(({ judge }) => judge.persona === question.judge.persona);
    return judgementOf(question, ask[seat % ask.length] ?? pass);
  };
  const context = { ask: asked, now: () => 0, timeoutMs: 10_000, signal: new AbortController().signal };
  return judgeOrCheck(plan, () => Promise.resolve(checks), context);
}

describe('exact checks', () => {
  test.each<UnscoredReason>(['error', 'timeout', 'rate-limited'])(
    'judge in place of models that all gave no answer: %s',
    async (reason) => {
      const verdict = await judged([{ unscored: reason }]);
      expect(verdict).toMatchObject({ fallback: 'unreachable' });
      expect(verdict.remarks).toContain(`no model judged this: was ${reason}`);
    },
  );

  test('judge in place of models that the budget left without a quorum, and the cost of the models is kept', async () => {
    const verdict = await judged([{ unscored: 'budget' }]);
    const calls = planOf(['test/model']).panel.seats.length;
    expect(verdict).toMatchObject({ fallback: 'budget' });
    expect(verdict.remarks.join()).not.toContain('no model judged this');
    // Each question that a model was asked cost $0.001.
    expect(verdict.usage.costUsd).toBeCloseTo(calls * 0.001, 10);
  });

  test('judge in place of models whose endpoint refuses every question', async () => {
    const verdict = await judged(refuses);
    expect(verdict).toMatchObject({ fallback: 'refused', usage: { costUsd: 0 } });
    expect(verdict.remarks).toContain('no model judged this: The endpoint refused the key.');
  });

  test.each<[string, readonly Said[]]>([
    ['passed it', [pass]],
    ['gave unusable answers', [{ unscored: 'malformed' }]],
    ['partly answered', [pass, { unscored: 'malformed' }]],
    ['could not judge it', [{ unscored: 'unsupported' }]],
  ])('leave a case alone on which the models %s', async (_, said) => {
    expect((await judged(said)).fallback).toBeUndefined();
  });

  test('that may not stand in leave the verdict without an answer, or the refusal', async () => {
    const verdict = await judged([{ unscored: 'error' }], null);
    expect(verdict).toMatchObject({ decision: 'undecided', tally: { scored: 0, pass: 0, fail: 0 } });
    expect(verdict.fallback).toBeUndefined();
    await expect(judged(refuses, null)).rejects.toBe(refusal);
  });

  test('that find nothing out leave the verdict without an answer, or the refusal', async () => {
    const idle = planOf(['rules'], 'question-answering');
    expect((await judged([{ unscored: 'error' }], idle)).fallback).toBeUndefined();
    await expect(judged(refuses, idle)).rejects.toBe(refusal);
  });
});
