import { expect, test } from 'vitest';
import { isQuestion } from '../../src/requests/read-message.ts';

test.each([
  'why did it fail',
  'Was meint der Auditor dazu',
  'was genau passt daran nicht',
  'was kann man da machen',
  'was it closed then',
  'is that right?',
])('“%s” asks something', (text) => expect(isQuestion(text)).toBe(true));

test.each(['the answer was wrong', 'it was 23 before', 'was wrong lol', 'thanks, that was quick'])(
  '“%s” asks nothing',
  (text) => expect(isQuestion(text)).toBe(false),
);
