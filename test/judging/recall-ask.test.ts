import { expect, test } from 'vitest';
import { type AnswerShelf, type Question, recallAsk } from '../../src/judging/ask.ts';
import { aCase, aMethod, aPanel, aRubric, judgementOf, mute, pass, type Said } from '../support/builders.ts';

const rubric = aRubric();

/** A shelf, and what a judge that uses it was asked about. */
function aJudge(says: Said, shelf?: AnswerShelf) {
  const kept = new Map<string, string>();
  const asked: string[] = [];
  const memory: AnswerShelf = {
    read: async (question) => kept.get(question) ?? null,
    write: async (question, judgement) => void kept.set(question, judgement),
  };
  const ask = recallAsk(async (question) => {
    asked.push(question.evalCase.response);
    return judgementOf(question, says);
  }, shelf ?? memory);
  const [seat] = aPanel(1).seats;
  if (seat === undefined) throw new Error('no seat');
  const about = (response: string): Question => ({
    ...seat,
    cast: [],
    rubric,
    criteria: rubric.criteria,
    method: aMethod(),
    evalCase: aCase({ response }),
    round: 0,
    seen: [],
    temperature: 0,
    seed: null,
    deadlineAt: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
  });
  return {
    asked,
    ask: (response: string, over: Partial<Question> = {}) => ask({ ...about(response), ...over }),
  };
}

test('a judge that has answered is not asked again', async () => {
  const { ask, asked } = aJudge(pass);
  const first = await ask('Sakura is open.');
  expect(await ask('Sakura is open.')).toEqual(first);
  expect(asked).toEqual(['Sakura is open.']);
});

test('an answer about what was said before is none about what is said now', async () => {
  const { ask, asked } = aJudge(pass);
  await ask('Sakura is open.');
  await ask('Sakura is closed.');
  expect(asked).toEqual(['Sakura is open.', 'Sakura is closed.']);
});

test('an answer under other settings of the persona is none', async () => {
  const { ask, asked } = aJudge(pass);
  const [persona] = aPanel(1).seats.map((seat) => seat.persona);
  if (!persona) throw new Error('no persona');
  await ask('Sakura is open.', { persona: { ...persona, voice: 'You speak for Aurora.' } });
  await ask('Sakura is open.', { persona: { ...persona, voice: 'You speak for Boreal.' } });
  await ask('Sakura is open.', { persona: { ...persona, voice: 'You speak for Aurora.' } });
  expect(asked).toHaveLength(2);
});

test('a judge that gave no answer is asked again', async () => {
  const { ask, asked } = aJudge(mute);
  await ask('Sakura is open.');
  await ask('Sakura is open.');
  expect(asked).toHaveLength(2);
});

test('a shelf that fails loses no answer', async () => {
  const fails = () => Promise.reject(new Error('away'));
  const { ask } = aJudge(pass, { read: fails, write: fails });
  expect(await ask('Sakura is open.')).toMatchObject({ status: 'scored', decision: 'pass' });
});
