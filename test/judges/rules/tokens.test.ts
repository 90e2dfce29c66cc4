import { describe, expect, it } from 'vitest';
import { numberWords, tokenize } from '../../../src/judges/rules/tokens.ts';
import { lexicons } from './world.ts';

const words = numberWords(lexicons.get('numbers'));
const numbersIn = (text: string) =>
  tokenize(text, words).flatMap(({ value, scale }) =>
    value === null ? [] : [scale === null ? value : `${value}/${scale}`],
  );

describe('the numbers of a request', () => {
  it.each<[string, (number | string)[]]>([
    ['½', [0.5]],
    ['1/2 mile', [0.5]],
    ['3/4 of an hour', [0.75]],
    ['4 1/2 stars', [4.5]],
    ['4½ stars', [4.5]],
    ['4 ½ Sterne', [4.5]],
    ['four and a half', [4.5]],
    ['one and a half hours', [1.5]],
    ['anderthalb Stunden', [1.5]],
    ['viereinhalb', [4.5]],
    ['4.5', [4.5]],
    ['4,5', [4.5]],
    ['4/5 stars', ['4/5']],
    ['8 out of 10', ['8/10']],
    ['twenty-two', [22]],
    ['24/7', [24, 7]],
    ['12/2', [12, 2]],
    ['1/2/2024', [1, 2, 2024]],
  ])('%s: %j', (text, numbers) => {
    expect(numbersIn(text)).toEqual(numbers);
  });
});
