import { expect, test } from 'vitest';
import { unsureChoices, unsureQuestion } from '../../src/surfaces/chat/notices.ts';
import { aCase } from '../support/builders.ts';

const text = 'and no raw fish';
const remark = aCase();

test.each([
  ['the answer', { ...remark, response: `${remark.response}\n${text}` }, 'It belongs to the answer'],
  [
    'what was said',
    { ...remark, conversation: [{ role: 'user' as const, text: `Find sushi\n${text}` }] },
    'It was said',
  ],
])('a line that may belong to %s is asked about as such', (whole, answer, choice) => {
  const readings = { remark, answer };
  expect(unsureQuestion({ text, readings }, 'en')).toBe(`Does “${text}” belong to ${whole}?`);
  expect(unsureChoices(readings, 'en')).toEqual({ remark: 'Judge without it', answer: choice });
});
