import { describe, expect, test } from 'vitest';
import { type Answers, checkAnswers as check, questionsOf } from '../../src/studies/questions.ts';
import { aStudy, says } from '../support/study-builders.ts';

const checkAnswers = (study: ReturnType<typeof aStudy>, answers: Answers) =>
  check(questionsOf(study, 0), answers);

const itemsOf = (answers: Answers, study = aStudy()) => {
  const checked = checkAnswers(study, answers);
  return checked.ok ? [] : checked.problems.map(({ item }) => item);
};

describe('answers', () => {
  test('need every rating, a yes or no, and an error where the answer is no', () => {
    expect(itemsOf({})).toEqual(['user', 'system', 'correct']);
    expect(itemsOf({ user: 0, system: 6, correct: true })).toEqual(['user', 'system']);
    expect(itemsOf({ user: 1, system: 5, correct: false })).toEqual(['errors']);
    expect(itemsOf(says(1, 5))).toEqual([]);
  });

  test('that contradict themselves or name an unknown error are refused', () => {
    expect(itemsOf({ ...says(3, 3), errors: ['time'] })).toEqual(['errors']);
    expect(itemsOf(says(3, 3, 'time', 'weather'))).toEqual(['errors']);
    expect(itemsOf({ ...says(3, 3), comment: 'x'.repeat(3001) })).toEqual(['comment']);
  });

  test('are the same whatever the order of errors and the space around words', () => {
    const one = checkAnswers(aStudy(), { ...says(3, 3, 'cost', 'time'), comment: ' late\n' });
    expect(one).toEqual(checkAnswers(aStudy(), { ...says(3, 3, 'time', 'cost', 'time'), comment: 'late' }));
    expect(one).toMatchObject({ ok: true, answers: { errors: ['time', 'cost'], comment: 'late' } });
  });

  test('hold nothing that was not asked', () => {
    const study = aStudy({ items: ['correct'] });
    expect(checkAnswers(study, { ...says(3, 3, 'time'), comment: 'late' })).toEqual({
      ok: true,
      answers: { correct: false },
    });
  });
});
