import { expect, inject, it, vi } from 'vitest';
import { findMentions } from '../../../src/judges/rules/match-phrases.ts';
import { readTokens } from '../../../src/judges/rules/read-request.ts';
import { tokenize } from '../../../src/judges/rules/tokens.ts';
import { hostile, vocabulary } from './reading.ts';

// Where reading is not linear this takes many minutes and runs into the time limit.
vi.setConfig({ testTimeout: 300_000 });
/** Twice as much as a case may have, and eight times as much in the long suite. */
const share = 8 * inject('counts').baits;

it.each(hostile)('%j: reading takes time in proportion to the length', (words, times) => {
  const tokens = tokenize(words.repeat(share * times));
  readTokens(tokens, findMentions(tokens, vocabulary), vocabulary);
  expect(tokens.length).toBeGreaterThanOrEqual(share * times);
});
