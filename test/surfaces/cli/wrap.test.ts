import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAt, widthOf, wrap } from '../../../src/surfaces/cli/layout.ts';

const words = fc.stringMatching(/^[a-zäß“”…–·✓✗日本éｗ]{1,20}( [a-zäß“”…–·✓✗日本éｗ]{1,20}){0,10}$/);
const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), words);
const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '');

test('wide, combined, invisible and colored characters count as the columns that they take', () => {
  const known = {
    abc: 3,
    Café: 4,
    日本: 4,
    '👍🏽': 2,
    '🇩🇪': 2,
    '❤️': 2,
    '1️⃣': 2,
    'e\u0301': 1,
    'a\u200bb': 2,
    '✓ – “x”…': 8,
  };
  for (const [text, width] of Object.entries(known)) expect(widthOf(text), text).toBe(width);
  expect(widthOf('\u001b[1mbold\u001b[22m')).toBe(4);
  expect(widthOf('\u001b[33m日本\u001b[39m')).toBe(4);
});

test('lines break between words, and inside those that are too wide only where that is wanted', () => {
  expect(wrap('one two three', 8)).toBe('one two\nthree');
  expect(wrap('one\n\n  two', 8)).toBe('one\n\ntwo');
  expect(wrap('see https://example.com/a', 10)).toBe('see\nhttps://example.com/a');
  expect(wrap('see https://example.com/a', 10, { hard: true })).toBe('see https:\n//example.\ncom/a');
  expect(wrap('日本語日本語', 5, { hard: true })).toBe('日本\n語日\n本語');
  expect(wrap('  - item  one', 8, { hard: true, keepSpaces: true })).toBe('  - item\n  one');
});

test('nothing but spaces is lost, and no line is too wide', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 40 }), (text, width) => {
      const lines = wrap(text, width, { hard: true });
      expect(withoutSpaces(lines)).toBe(withoutSpaces(text));
      for (const line of lines.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test('a beginning is cut between characters, never inside one', () => {
  expect(splitAt('👍🏽👍🏽', 3)).toEqual(['👍🏽', '👍🏽']);
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 40 }), (text, width) => {
      const [start, rest] = splitAt(text, width);
      expect(start + rest).toBe(text);
      expect(widthOf(start)).toBeLessThanOrEqual(width);
    }),
  );
});
