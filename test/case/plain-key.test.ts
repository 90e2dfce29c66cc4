import { expect, test } from 'vitest';
import { plainKey } from '../../src/case/plain-key.ts';

test.each([
  ['  Find me\n\ta place ', 'find me a place'],
  ["'=cmd|x", '=cmd|x'],
  ['Zoo\u200bm \u202eabc', 'zoom abc'],
  ['ＦＵＬＬ', 'full'],
])('%j is the same words as %j', (text, same) => {
  expect(plainKey(text)).toBe(plainKey(same));
});

test('other words are others', () => {
  expect(plainKey('five minutes')).not.toBe(plainKey('fiveminutes'));
});
