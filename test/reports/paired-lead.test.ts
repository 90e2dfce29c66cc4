import { describe, expect, test } from 'vitest';
import { factsOf } from '../../src/reports/facts/trial-facts.ts';
import { inPlacesOf, isSurelyBetter, judgedCases } from '../../src/reports/metrics/paired-lead.ts';
import { aTrial } from '../support/run-builders.ts';

/** A configuration that comes to the same on 12 cases, which are to pass. @param groupOf the group of each case, named by its first one */
const judged = (isRight: boolean, groupOf: (place: number) => number) =>
  judgedCases(
    Array.from({ length: 12 }, (_, place) =>
      factsOf(
        { ...aTrial(`0-${place}`), decision: isRight ? 'pass' : 'fail', label: { decision: 'pass' } },
        1,
        { unitOf: groupOf },
      ),
    ),
  );

const alone = (place: number) => place;
const halves = (place: number) => (place < 6 ? 0 : 6);

describe('cases that belong together, in a joined report', () => {
  test('still do where the first run lacks the first of them', () => {
    // The first run has them in the order 5, 4, …, and neither 0 nor 6.
    const places = new Map([5, 4, 3, 2, 1, 11, 10, 9, 8, 7].map((place, there) => [place, there]));
    expect(inPlacesOf(judged(true, halves), places).units).toEqual(
      new Map([
        ...[4, 3, 2, 1].map((place) => [place, 0] as const),
        ...[9, 8, 7, 6].map((place) => [place, 5] as const),
      ]),
    );
  });

  test('count as one whichever of two runs says so', () => {
    expect(isSurelyBetter(judged(true, alone), judged(false, alone), 'f1', 1)).toBe(true);
    // Each run knows of one half: two groups that differ can do so by chance.
    const firstHalf = (place: number) => (place < 6 ? 0 : place);
    const secondHalf = (place: number) => (place < 6 ? place : 6);
    expect(isSurelyBetter(judged(true, firstHalf), judged(false, secondHalf), 'f1', 1)).toBe(false);
    // Six groups of two all differ, 2 × (1/2)⁶ = 0.031; three groups of four can do so by chance, 0.25.
    const inGroupsOf = (size: number) => (place: number) => place - (place % size);
    expect(isSurelyBetter(judged(true, inGroupsOf(2)), judged(false, inGroupsOf(2)), 'f1', 1)).toBe(true);
    expect(isSurelyBetter(judged(true, inGroupsOf(4)), judged(false, inGroupsOf(4)), 'f1', 1)).toBe(false);
    // Or of one half only: seven groups.
    expect(isSurelyBetter(judged(true, secondHalf), judged(false, alone), 'f1', 1)).toBe(true);
  });
});
