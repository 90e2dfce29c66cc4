import { describe, expect, test } from 'vitest';
import { orderOf, progressOf, progressOfAll } from '../../src/studies/annotation.ts';
import { dealShares, unaskedIn } from '../../src/studies/shares.ts';
import { casesEach, shareOf } from '../../src/studies/study.ts';
import type { StudyCase } from '../../src/studies/study-case.ts';
import { annotators, aStudy, labeled } from '../support/study-builders.ts';

/** Ten dialogues of each of two datasets, each held with four systems: the 80 logs of CoRE, 6.6. */
const logs: StudyCase[] = ['ReDial', 'OpenDialKG'].flatMap((dataset) =>
  Array.from({ length: 10 }, (_, n) => `${dataset} ${n}`).flatMap((record) =>
    ['BARCOR', 'CHATCRS', 'KBRD', 'UniCRS'].map((system) =>
      labeled(`${record} ${system}`, 'pass', { tags: { dataset, record, system } }),
    ),
  ),
);
const tagAt = (place: number, name: string): string => logs[place]?.evalCase.tags?.[name] ?? '';
const counts = (values: readonly string[]): number[] => {
  const found = new Map<string, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return [...found.values()].sort((a, b) => a - b);
};
const times = (shares: readonly (readonly number[])[], total: number): number[] =>
  Array.from({ length: total }, (_, place) => shares.filter((share) => share.includes(place)).length);
const asPublished = { each: 16, blocks: 'record', spread: ['dataset'] };

describe('the design of CoRE: ten people, 16 of 80 logs each', () => {
  test.each([1, 2, 3, 7, 2026])('with seed %d every log goes to two people', (seed) => {
    const shares = dealShares(logs, 10, asPublished, seed);
    expect(shares.map((share) => new Set(share).size)).toEqual(Array(10).fill(16));
    expect(times(shares, 80)).toEqual(Array(80).fill(2));
    for (const share of shares) {
      // Two whole records of each dataset, so four logs of each system
      expect(counts(share.map((place) => tagAt(place, 'record')))).toEqual([4, 4, 4, 4]);
      expect(counts(share.map((place) => tagAt(place, 'dataset')))).toEqual([8, 8]);
      expect(counts(share.map((place) => tagAt(place, 'system')))).toEqual([4, 4, 4, 4]);
    }
  });

  test('as many different pairs of people as can be share a record', () => {
    const shares = dealShares(logs, 10, asPublished, 1);
    const records = (share: readonly number[]) => new Set(share.map((place) => tagAt(place, 'record')));
    const pairs = shares.flatMap((one, a) =>
      shares
        .slice(a + 1)
        .map((other) => [...records(one)].filter((record) => records(other).has(record)).length),
    );
    expect(pairs.reduce((sum, shared) => sum + shared, 0)).toBe(20);
    expect(Math.max(...pairs)).toBeLessThanOrEqual(2);
  });

  test('the seed alone decides who gets what', () => {
    const deal = (seed: number) => dealShares(logs, 10, asPublished, seed);
    expect(deal(1)).toEqual(deal(1));
    expect(deal(1)).not.toEqual(deal(2));
  });

  test('without blocks each person has two logs of each system and dataset', () => {
    const shares = dealShares(logs, 10, { each: 16, spread: ['system', 'dataset'] }, 1);
    expect(times(shares, 80)).toEqual(Array(80).fill(2));
    for (const share of shares)
      expect(counts(share.map((place) => tagAt(place, 'system') + tagAt(place, 'dataset')))).toEqual(
        Array(8).fill(2),
      );
  });
});

describe('several tags', () => {
  const spread = ['system', 'dataset'];
  const range = (numbers: readonly number[]) => Math.max(...numbers) - Math.min(...numbers);
  const timesOf = (share: readonly number[], name: string): number[] =>
    [...new Set(logs.map((_, place) => tagAt(place, name)))].map(
      (value) => share.filter((place) => tagAt(place, name) === value).length,
    );

  test.each([
    [4, 4],
    [3, 2],
    [5, 3],
    [10, 6],
    [7, 13],
    [1, 4],
  ])('%d people with %d logs each see each system, and each dataset, equally often', (people, each) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const shares = dealShares(logs, people, { each, spread }, seed);
      expect(shares.map((share) => new Set(share).size)).toEqual(Array(people).fill(each));
      expect(range(times(shares, 80))).toBeLessThanOrEqual(1);
      for (const share of shares)
        for (const name of spread) expect(range(timesOf(share, name))).toBeLessThanOrEqual(1);
    }
  });
});

describe('cases that go to no one', () => {
  const unasked = (people: number, wishes: Parameters<typeof unaskedIn>[1]) =>
    unaskedIn({ cases: logs, shares: dealShares(logs, people, wishes, 1) }, wishes);

  test('are counted, with what it takes to ask about them', () => {
    expect(unasked(4, { each: 16, blocks: 'record' })).toEqual({ cases: 16, people: 5, each: 20 });
    expect(unasked(3, { each: 16, blocks: 'record' })).toEqual({ cases: 32, people: 5, each: 28 });
    expect(unasked(3, { each: 26 })).toEqual({ cases: 2, people: 4, each: 27 });
  });

  test('are none with that many people or cases each, and where everybody is asked about all', () => {
    expect(unasked(5, { each: 16, blocks: 'record' })).toBeNull();
    expect(unasked(3, { each: 28, blocks: 'record' })).toBeNull();
    expect(unasked(3, { each: 27 })).toBeNull();
    expect(unaskedIn({ cases: logs }, { each: 16 })).toBeNull();
  });
});

describe('shares that do not come out even', () => {
  const kinds = ['pass', 'time', 'cost'];
  const cases = Array.from({ length: 7 }, (_, n) => labeled(`c${n}`, kinds[n % 3] ?? 'pass'));

  test.each([
    [2, 3],
    [3, 5],
    [5, 7],
    [4, 6],
    [11, 4],
  ])('%d people with %d of 7 cases each: no case is asked about more than once oftener', (people, each) => {
    const shares = dealShares(cases, people, { each }, 3);
    expect(shares.map((share) => new Set(share).size)).toEqual(Array(people).fill(each));
    const all = times(shares, 7);
    expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(1);
  });

  test.each([
    [{ each: 8 }, 'The study has only 7 cases'],
    [{ each: 3, spread: ['system'] }, 'Case c0 has no tag "system"'],
  ])('%j is refused', (wishes, message) => {
    expect(() => dealShares(cases, 2, wishes, 1)).toThrow(message);
  });

  test('blocks must be of one size and fit', () => {
    expect(() => dealShares(logs.slice(0, 6), 2, { each: 4, blocks: 'record' }, 1)).toThrow(
      'Its blocks have 2 to 4 cases',
    );
    expect(() => dealShares(logs, 2, { each: 6, blocks: 'record' }, 1)).toThrow('Must be a multiple of 4');
  });
});

describe('an annotator with a share', () => {
  const study = aStudy({
    cases: ['pass', 'time', 'cost', 'pass'].map((kind, n) => labeled(`c${n}`, kind)),
    shares: [
      [0, 2],
      [1, 3],
    ],
    annotators: annotators(3),
  });
  const [first, second, third] = study.annotators;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three people');

  test('sees its cases alone', () => {
    expect(orderOf(study, first).toSorted()).toEqual([0, 2]);
    expect(orderOf(study, second).toSorted()).toEqual([1, 3]);
    expect(progressOf(study, first, [])).toEqual({ done: 0, total: 2, next: 0 });
    expect(progressOfAll(study, []).map(({ total }) => total)).toEqual([2, 2, 2]);
    expect(casesEach(study)).toBe(2);
  });

  test('takes over a share in turn, if it joined later', () => {
    expect(shareOf(study, third)).toEqual([0, 2]);
  });

  test('a study without shares asks everybody about everything, in the order it always had', () => {
    const { shares: _, ...whole } = study;
    expect(shareOf(whole, second)).toEqual([0, 1, 2, 3]);
    expect(casesEach(whole)).toBe(4);
  });
});
