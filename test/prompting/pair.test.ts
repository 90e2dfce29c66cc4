import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import type { Question } from '../../src/judging/ask.ts';
import { comparing } from '../../src/judging/standards/rubric.ts';
import type { Judgement } from '../../src/judging/verdict/judgement.ts';
import { renderVerdictQuestion } from '../../src/prompting/answer-about-verdict.ts';
import { createRenderer } from '../../src/prompting/render.ts';
import { aMethod } from '../support/builders.ts';
import { builtInLibrary } from '../support/built-in.ts';
import { favors, NEW, pair, prefers, verdictBy } from '../support/pairs.ts';

const library = builtInLibrary();
const render = createRenderer(library);
const rubric = (id: string) => {
  const found = library.rubrics.get(id);
  if (found === undefined) throw new Error(`no rubric ${id}`);
  return found;
};

function questionOn(evalCase: EvalCase, id = 'navigation', parts: Partial<Question> = {}): Question {
  const used = comparing(rubric(id));
  return {
    judge: { persona: null, model: 'test/model', sample: 0 },
    persona: null,
    cast: [],
    rubric: used,
    criteria: used.criteria,
    method: aMethod(),
    evalCase,
    round: 0,
    seen: [],
    temperature: 0,
    seed: null,
    deadlineAt: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    ...parts,
  };
}

const marked: EvalCase = {
  ...pair,
  answerNames: ['Zebra', 'Yak'],
  tags: { build: 'Xerus' },
  recommendation: { name: 'Umi' },
  alternative: { response: 'I set the temperature to 22 degrees.', recommendation: { name: 'Sakura' } },
};

describe('a question about a verdict on two answers', () => {
  test('says what people call the answers', async () => {
    const { verdict } = await verdictBy({ ann: favors(NEW) });
    const { user } = renderVerdictQuestion(library, {
      evalCase: pair,
      verdict,
      judge: null,
      model: 'test/model',
      asked: 'Why is New better?',
      signal: new AbortController().signal,
      deadlineAt: Number.POSITIVE_INFINITY,
    });
    expect(user).toContain('The first answer is called Old, the second New.');
    expect(user).toContain('New is better (1 of 1 judge, in both orders)');
  });
});

describe('the question about two answers', () => {
  test('shows both with their data, and neither their names nor their tags', () => {
    const { system, user } = render(questionOn(marked));
    expect(user).toMatch(/ first answer\]\]\nYes\./);
    expect(user).toMatch(/ first answer, recommendation\]\]\n\{\s+"name": "Umi"/);
    expect(user).toMatch(/ second answer\]\]\nI set the temperature/);
    expect(user).toMatch(/ second answer, recommendation\]\]\n\{\s+"name": "Sakura"/);
    expect(user).not.toContain('response to judge');
    expect(system + user).not.toMatch(/Zebra|Yak|Xerus/);
  });

  test('takes one reason for each answer before first, second or same', () => {
    const { reply } = render(questionOn(marked, 'question-answering'));
    const finding = { first: 'only says yes', second: 'names it', better: 'second' };
    expect(reply.read({ criteria: { 'question-answering': finding }, ...finding })).toEqual({
      ok: true,
      value: expect.objectContaining({
        decision: 'scored',
        score: 1,
        sides: { first: 'only says yes', second: 'names it' },
        criteria: [expect.objectContaining({ id: 'question-answering', score: 1 })],
      }),
    });
    expect(reply.read({ criteria: { 'question-answering': finding }, ...finding, better: 'B' }).ok).toBe(
      false,
    );
    expect(reply.read({ criteria: {}, ...finding }).ok).toBe(false);
  });

  test('has another hash than the question about one answer', () => {
    const { evalCase, ...question } = questionOn(marked);
    const { alternative: _, answerNames: __, ...one } = evalCase;
    const used = rubric('navigation');
    const single = { ...question, evalCase: one, rubric: used, criteria: used.criteria };
    expect(render(single).promptHash).not.toBe(render({ ...question, evalCase }).promptHash);
  });

  test('shows what others said of the first and the second answer, and no worked examples', () => {
    const question = questionOn(marked, 'navigation', {
      round: 1,
      method: aMethod({ rounds: 2, sees: 'last-round', examples: 3 }),
    });
    const said: Judgement = prefers({ ...question, round: 0 }, 'first');
    const { user, system } = render({ ...question, seen: [[said]] });
    expect(user).toContain('better: first. First: says “Yes.” Second: says “I set');
    expect(system).not.toContain('Worked examples');
  });
});
