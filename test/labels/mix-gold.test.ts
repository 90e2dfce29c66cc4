import { describe, expect, test } from 'vitest';
import { mixGold, type VotedVerdict } from '../../src/labels/queue/vote-queue.ts';
import { isGoldRight } from '../../src/labels/voting/gold-case.ts';
import { aBallot, aRecord, aRuling } from '../support/store-builders.ts';

const verdicts = (kind: string, count: number, channel = 'C1', blind = false): VotedVerdict[] =>
  Array.from({ length: count }, (_, index) => ({
    record: { ...aRecord({ id: `${kind}${index}`, channel }), ...(blind ? { blind } : {}) },
    votes: [],
  }));
const ids = (list: readonly VotedVerdict[]) => list.map(({ record }) => record.id);
const goldOf = (list: readonly VotedVerdict[]) => ids(list).filter((id) => id.startsWith('gold'));
const isHidden = ({ blind = false }: VotedVerdict['record']) => blind;
const oneIn = (every: number, ...key: string[]) => ({ every: () => every, isHidden, key });

describe('cases with a known answer', () => {
  test.each([2, 5, 10])('are one in %i of the queue', (every) => {
    const cases = verdicts('case', 1000);
    const mixed = mixGold(
      cases,
      verdicts('gold', Math.ceil(1_200 / (every - 1))),
      oneIn(every, 'ada', 'monday'),
    );
    // Each of 1,000 cases brings one along with a chance of 1/(every − 1), so that they are 1/every of all.
    expect(goldOf(mixed).length / mixed.length).toBeCloseTo(1 / every, 1.7);
    expect(ids(mixed).filter((id) => id.startsWith('case'))).toEqual(ids(cases));
    expect(new Set(ids(mixed)).size).toBe(mixed.length);
  });

  test('are the same all day for the same person, and others for others', () => {
    const mixed = (...key: string[]) =>
      ids(mixGold(verdicts('case', 40), verdicts('gold', 20), oneIn(5, ...key)));
    expect(mixed('ada', 'monday')).toEqual(mixed('ada', 'monday'));
    expect(mixed('ada', 'monday')).not.toEqual(mixed('bea', 'monday'));
    expect(mixed('ada', 'monday')).not.toEqual(mixed('ada', 'tuesday'));
  });

  test('do not depend on the order in which they were found', () => {
    const gold = verdicts('gold', 20);
    const mixed = (list: VotedVerdict[]) => ids(mixGold(verdicts('case', 40), list, oneIn(5, 'ada')));
    expect(mixed(gold.toReversed())).toEqual(mixed(gold));
  });

  test('stand only beside cases of their channel, hidden ones beside hidden ones', () => {
    const queue = [...verdicts('case', 50, 'C1', true), ...verdicts('other', 50, 'C2')];
    const mixed = (gold: VotedVerdict[]) => goldOf(mixGold(queue, gold, oneIn(2, 'ada')));
    expect(mixed(verdicts('gold', 9, 'C3'))).toEqual([]);
    expect(mixed(verdicts('gold', 9, 'C1'))).toEqual([]);
    expect(mixed(verdicts('gold', 9, 'C2', true))).toEqual([]);
    expect(mixed(verdicts('gold', 9, 'C1', true))).toHaveLength(9);
    expect(mixed(verdicts('gold', 9, 'C2'))).toHaveLength(9);
  });

  test('are nowhere in a channel that has not set them', () => {
    const mixed = mixGold(verdicts('case', 50), verdicts('gold', 50), {
      ...oneIn(2, 'ada'),
      every: () => null,
    });
    expect(goldOf(mixed)).toEqual([]);
  });
});

describe('an answer to a known case', () => {
  const failed = aRecord();
  const scored = aRecord({ verdict: { decision: 'scored', score: 1, scale: { min: 0, max: 4 } } });
  const said = (parts: Parameters<typeof aBallot>[0]) => ({
    ...aBallot(parts),
    value: parts?.value ?? 'agree',
  });

  test('is right where it says what was ruled', () => {
    expect(isGoldRight(said({ value: 'disagree' }), failed, aRuling())).toBe(true);
    expect(isGoldRight(said({ value: 'agree' }), failed, aRuling())).toBe(false);
    expect(isGoldRight(said({ value: 'unsure' }), failed, aRuling())).toBeNull();
  });

  test('with a score is right where no level is closer to the ruled one', () => {
    const ruling = aRuling({ right: { kind: 'score', score: 2.6 } });
    const blind = (score: number) => said({ value: 'disagree', blind: { answer: { kind: 'score', score } } });
    expect([2, 3, 4].map((score) => isGoldRight(blind(score), scored, ruling))).toEqual([false, true, false]);
  });

  test('that agrees with a score between two levels is right where the ruled one is next to it', () => {
    const between = aRecord({ verdict: { decision: 'scored', score: 2.7, scale: { min: 0, max: 4 } } });
    const ruled = (score: number) => aRuling({ right: { kind: 'score', score } });
    const agrees = said({ value: 'agree' });
    expect([2, 3, 4].map((score) => isGoldRight(agrees, between, ruled(score)))).toEqual([
      false,
      true,
      false,
    ]);
  });
});
