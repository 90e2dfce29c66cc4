import { describe, expect, test } from 'vitest';
import {
  counted,
  didYouMean,
  firstSentence,
  listed,
  nearestTo,
  plainKey,
} from '../../src/common/text/text.ts';

describe('the first sentence', () => {
  test.each([
    ['It is closed. It opens at noon.', 'It is closed'],
    ['Rated 4.5, which is above 4. Fine.', 'Rated 4.5, which is above 4'],
    ['one\nline', 'one line'],
    ['Really? Yes.', 'Really?'],
    ['', ''],
  ])('of %j is %j', (text, expected) => {
    expect(firstSentence(text)).toBe(expected);
  });

  test('of a long text is cut at a word, visibly', () => {
    const cut = firstSentence(`${'word '.repeat(100)}.`);
    expect(cut.length).toBeLessThanOrEqual(202);
    expect(cut).toMatch(/word …$/);
  });
});

test('the nearest known word is found however it is spaced, and by its beginning where it was only begun', () => {
  const known = ['openingHours', 'rating', 'latencyMs'];
  expect(nearestTo('opening_hours', known)).toBe('openingHours');
  expect(nearestTo('ratng', known)).toBe('rating');
  expect(nearestTo('lat', known)).toBeNull();
  expect(didYouMean('lat', known)).toBe(' Did you mean "latencyMs"?');
  expect(didYouMean('rating', known)).toBe('');
});

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

describe('counts and lists', () => {
  test.each([
    [counted(0, 'case'), '0 cases'],
    [counted(1, 'case'), '1 case'],
    [counted(1200, 'case'), '1,200 cases'],
    [counted(2, 'reply', 'replies'), '2 replies'],
    [listed(['a', 'b'], 2), 'a, b'],
    [listed(['a', 'b', 'c', 'd'], 2), 'a, b and 2 more (--json lists all)'],
  ])('read %j', (text, expected) => {
    expect(text).toBe(expected);
  });
});
