import { describe, expect, test } from 'vitest';
import { callsOf } from '../../src/benchmark/configured-case.ts';
import { voteOfEqualCalls } from '../../src/benchmark/equal-calls-vote.ts';
import { aDebate, aMethod, aPanel } from '../support/builders.ts';

const samplesOf = (calls: number, size = 3) =>
  voteOfEqualCalls(aDebate(), aPanel(size), calls, null).panel.seats.map(
    ({ judge }) => `${judge.persona} ${judge.sample}`,
  );

describe('a vote of equal calls', () => {
  test('deals the seats of the debate in turn, each turn another sample', () => {
    expect(samplesOf(3)).toEqual(['p0 0', 'p1 0', 'p2 0']);
    expect(samplesOf(7)).toEqual(['p0 0', 'p1 0', 'p2 0', 'p0 1', 'p1 1', 'p2 1', 'p0 2']);
  });

  test('never seats the same sample twice, also where the panel seats one judge several times', () => {
    const agents = aPanel(3);
    const seats = agents.seats.map(({ judge }, sample) => ({
      persona: null,
      judge: { ...judge, persona: null, sample },
    }));
    const { panel } = voteOfEqualCalls(aDebate(), { ...agents, seats }, 8, null);
    expect(panel.seats.map(({ judge }) => judge.sample)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('is one round in which no judge sees anything, hot enough for samples to differ', () => {
    const weighted = aDebate({ reduce: 'weighted', confidence: true });
    expect(voteOfEqualCalls(weighted, aPanel(2), 4, null).method).toMatchObject({
      id: 'm/vote',
      rounds: 1,
      sees: 'nothing',
      stop: 'never',
      reduce: 'majority',
      confidence: false,
      temperature: 0.7,
    });
    expect(voteOfEqualCalls(aDebate({ temperature: 0.4 }), aPanel(2), 4, null).method.temperature).toBe(0.4);
    expect(voteOfEqualCalls(aDebate({ reduce: 'mean' }), aPanel(2), 4, null).method.reduce).toBe('mean');
  });

  test('takes the temperature of a run that sets one, 0 too', () => {
    expect(voteOfEqualCalls(aDebate(), aPanel(2), 4, 0).method.temperature).toBe(0);
  });
});

describe('the calls that a verdict can take', () => {
  test.each([
    ['one round of all', aMethod(), 3, { min: 3, max: 3 }],
    ['a debate that may agree at once', aDebate({ rounds: 4 }), 3, { min: 3, max: 12 }],
    ['a debate to the end', aDebate({ stop: 'never', rounds: 4 }), 3, { min: 12, max: 12 }],
    // Three equal answers of five settle it.
    [
      'samples until the majority is decided',
      aMethod({ seats: { samples: 5 }, stop: 'decided', temperature: 0.7 }),
      5,
      { min: 3, max: 5 },
    ],
  ] as const)('%s', (_, method, seats, range) => {
    expect(callsOf(method, seats)).toEqual(range);
  });
});
