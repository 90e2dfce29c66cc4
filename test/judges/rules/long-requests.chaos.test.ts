import { expect, it } from 'vitest';
import { findMentions } from '../../../src/judges/rules/mentions.ts';
import { readTokens } from '../../../src/judges/rules/request.ts';
import { tokenize } from '../../../src/judges/rules/tokens.ts';
import { hostile, vocabulary } from './reading.ts';

// Four times as much as a case may have: where reading is not linear this takes minutes and runs into the test's time limit.
it.each(hostile)('%j: reading takes time in proportion to the length', (words, times) => {
  const tokens = tokenize(words.repeat(4 * times));
  readTokens(tokens, findMentions(tokens, vocabulary), vocabulary);
  expect(tokens.length).toBeGreaterThanOrEqual(4 * times);
});
