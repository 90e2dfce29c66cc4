import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { placeOfWanted, recallOf } from '../../src/reports/recall.ts';
import { aCase } from '../support/builders.ts';

const wanted = (groundTruth: string, ...recommendations: string[][]) =>
  placeOfWanted(recommendations, groundTruth);

describe('the place of what the user wanted', () => {
  test.each([
    ['the first of the first list', wanted('Alien', ['Alien', 'Solaris']), 1],
    ['in lists of several turns joined in order', wanted('Solaris', ['Alien'], ['Heat', 'Solaris']), 3],
    ['with what comes again counted once', wanted('Solaris', ['Alien'], ['Alien', 'Solaris']), 2],
    ['without regard to case, accents and spaces', wanted('Amélie', ['AMELIE ']), 1],
    ['of several wanted items the first found', wanted('Heat; Alien', ['Solaris', 'Alien', 'Heat']), 2],
    ['of a title with a semicolon too', wanted('Steins;Gate', ['Heat', 'Steins;Gate']), 2],
    ['not a part of another title', wanted('Alien', ['Aliens']), null],
    ['nowhere', wanted('Alien', []), null],
  ])('%s', (_, found, place) => expect(found).toBe(place));
});

describe('the recall of recommendations', () => {
  const listed = (place: number, score?: number, tags?: Record<string, string>): EvalCase =>
    aCase({
      groundTruth: 'wanted',
      recommendations: [Array.from({ length: 12 }, (_, at) => (at + 1 === place ? 'wanted' : `item ${at}`))],
      ...(score === undefined ? {} : { label: { score } }),
      ...(tags === undefined ? {} : { tags }),
    });

  test('is the share of cases among the first 1, 5 and 10, with rank correlations with labels', () => {
    const cases = [listed(1, 90), listed(4, 60), listed(9, 70), listed(12, 20), aCase({ id: 'other' })];
    const [all, ...more] = recallOf(cases, () => []);
    expect(more).toEqual([]);
    expect(all?.cases).toBe(4);
    expect(all?.at.map(({ cutoff, recall }) => [cutoff, recall.measure])).toEqual([
      [1, { defined: true, value: 0.25, n: 4 }],
      [5, { defined: true, value: 0.5, n: 4 }],
      [10, { defined: true, value: 0.75, n: 4 }],
    ]);
    // Hits 1, 0, 0, 0 have ranks 4, 2, 2, 2, the scores 4, 2, 3, 1: 3 / √(3 · 5)
    expect(all?.at[0]?.spearman).toMatchObject({ value: expect.closeTo(3 / Math.sqrt(15), 12), n: 4 });
    // Three of six pairs are not tied in hits, all of them concordant: 3 / √(3 · 6)
    expect(all?.at[0]?.kendall).toMatchObject({ value: expect.closeTo(3 / Math.sqrt(18), 12) });
    expect(all?.at[0]?.recall.interval).toMatchObject({ by: 'wilson', defined: true });
  });

  test('is that of all cases and of each group where groups are asked for', () => {
    const cases = [listed(1), listed(12), listed(1)];
    const found = recallOf(cases, (place) => [['B', 'A', 'A'][place] ?? null]);
    expect(found.map(({ values, cases: n, at }) => [values, n, at[0]?.recall.measure])).toEqual([
      [[], 3, { defined: true, value: 2 / 3, n: 3 }],
      [['A'], 2, { defined: true, value: 0.5, n: 2 }],
      [['B'], 1, { defined: true, value: 1, n: 1 }],
    ]);
  });

  test('says how many items came again', () => {
    const again = (...lists: string[][]) => aCase({ groundTruth: 'Heat', recommendations: lists });
    const cases = [
      again(['Alien', 'Heat'], ['alien', 'Heat', 'Solaris']),
      again(['Heat']),
      again(['Up', 'Up']),
    ];
    const found = recallOf(cases, (place) => [place < 2 ? 'A' : 'B']);
    expect(found.map(({ values, repeats }) => [values, repeats])).toEqual([
      [[], { items: 3, cases: 2 }],
      [['A'], { items: 2, cases: 1 }],
      [['B'], { items: 1, cases: 1 }],
    ]);
    // Alien, Heat, Solaris: the wanted item is second.
    expect(found[1]?.at.map(({ recall }) => recall.measure)).toMatchObject([
      { value: 0.5 },
      { value: 1 },
      { value: 1 },
    ]);
  });

  test('is not there where no case says what was wanted', () => {
    expect(recallOf([aCase({})], () => [])).toEqual([]);
  });
});
