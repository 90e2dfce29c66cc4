import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import {
  informationOf,
  needsVote,
  reasonsText,
  type VotedVerdict,
  voteQueue,
} from '../../src/labels/queue/vote-queue.ts';
import type { VoteValue } from '../../src/labels/record/vote.ts';
import { judgementOf, type Said } from '../support/builders.ts';
import { aRecord, saturday } from '../support/store-builders.ts';

const rule = { minVotes: 3 };

/** What a panel said in its one round, and what came of it. */
const panel = (answers: readonly Said[], parts: Partial<Verdict> = {}): Partial<Verdict> => ({
  judgements: answers.map((said, sample) =>
    judgementOf({ judge: { persona: null, model: 'm', sample }, round: 0 }, said),
  ),
  ...parts,
});
const fail: Said = { decision: 'fail' };
const pass: Said = { decision: 'pass' };
const mute: Said = { unscored: 'malformed' };
const scale = { min: 0, max: 4 };

/** A verdict (of a failing panel, where none is given) with votes on it. */
const voted = (
  values: readonly VoteValue[],
  verdict: Partial<Verdict> = panel([fail, fail, fail]),
  { blind, ...parts }: { id?: string; at?: number; blind?: true } = {},
): VotedVerdict => ({
  record: { ...aRecord({ verdict, ...parts }), ...(blind ? { blind } : {}) },
  votes: values.map((value, index) => ({
    verdictId: parts.id ?? 'v1',
    voter: `voter ${index}`,
    value,
    surface: 'slack',
    at: saturday,
  })),
});

describe('what a further vote tells', () => {
  // One open answer (half at 0, half at 1) and the panel as one vote make N = 2 answers without any vote; a vote adds one.
  // q is their mean; the figure is q(1 − q)/(N + 1)².
  test.each<[string, VotedVerdict, number]>([
    ['3 judges of one mind: q = 1/4', voted([]), 3 / 16 / 9],
    ['2 against 1: q = (1/2 + 1/3)/2 = 5/12', voted([], panel([fail, fail, pass])), 35 / 144 / 9],
    ['no one answered: q = 1/2', voted([], panel([mute, mute], { decision: 'undecided' })), 1 / 36],
    [
      'one judge, 80 % sure: q = (1/2 + 0.1)/2',
      voted([], panel([{ decision: 'fail', confidence: 0.8 }])),
      (0.3 * 0.7) / 9,
    ],
    ['1 vote with the panel: q = 1/6', voted(['agree']), 5 / 36 / 16],
    ['1 vote against it: q = 1/2', voted(['disagree']), 1 / 4 / 16],
    ['2 votes, split: q = 3/8', voted(['agree', 'disagree']), 15 / 64 / 25],
    ['votes that are not sure say nothing', voted(['unsure', 'unsure']), 3 / 16 / 9],
    ['no panel at all: N = 1', voted([], panel([], { decidedInRound: null, decision: 'undecided' })), 1 / 16],
  ])('%s', (_name, one, expected) => {
    expect(informationOf(one)).toBeCloseTo(expected, 12);
  });

  test('of scores follows from how far they lie apart, in shares of the scale', () => {
    const judges = (...answers: number[]) =>
      voted(
        [],
        panel(
          answers.map((score) => ({ score })),
          { decision: 'scored', score: 2, scale },
        ),
      );
    // 0 and 1 weigh 1/2 each, the judges at 1/4 and 3/4 too: mean 1/2, variance (2 · 1/8 + 2 · 1/32)/2 = 5/32.
    expect(informationOf(judges(1, 3))).toBeCloseTo(5 / 32 / 9, 12);
    // Both judges at 1/2: variance (2 · 1/8 + 0)/2 = 1/8.
    expect(informationOf(judges(2, 2))).toBeCloseTo(1 / 8 / 9, 12);
    // A vote for 2 weighs as much as the panel: variance 5/16 over 3 answers instead of 2.
    const agreed = { ...judges(1, 3), votes: voted(['agree']).votes };
    expect(informationOf(agreed)).toBeCloseTo(5 / 48 / 16, 12);
    // Where no scale was kept it is taken as 0 to 1: judge and vote at 1/2, variance (2 · 1/8 + 0)/3.
    const unscaled = voted(['agree'], panel([{ score: 0.5 }], { decision: 'scored', score: 0.5 }));
    expect(informationOf(unscaled)).toBeCloseTo(1 / 12 / 16, 12);
    // On a scale from 1 to 5, 2 and 4 are as far apart as 1 and 3 on one from 0 to 4.
    const fromOne = voted(
      [],
      panel([{ score: 2 }, { score: 4 }], { decision: 'scored', score: 3, scale: { min: 1, max: 5 } }),
    );
    expect(informationOf(fromOne)).toBeCloseTo(5 / 32 / 9, 12);
  });
});

describe('the queue', () => {
  test('has first what has no votes, of it what judges disagree on, then what votes are split on', () => {
    const all = [
      voted(['agree'], undefined, { id: 'one vote with the panel' }),
      voted([], panel([fail, fail, pass]), { id: 'judges split' }),
      voted(['disagree', 'agree'], undefined, { id: 'votes split' }),
      voted([], panel([mute], { decision: 'undecided' }), { id: 'undecided, not shown before', blind: true }),
      voted([], undefined, { id: 'judges agree' }),
      voted(['disagree'], undefined, { id: 'one vote against the panel' }),
    ];
    const order = [
      'undecided, not shown before',
      'judges split',
      'judges agree',
      'one vote against the panel',
      'votes split',
      'one vote with the panel',
    ];
    expect(voteQueue(all, rule).map(({ record }) => record.id)).toEqual(order);
    expect(voteQueue(all.toReversed(), rule).map(({ record }) => record.id)).toEqual(order);
  });

  test('has no verdict without a decision: there is nothing to agree with', () => {
    const undecided = voted([], panel([fail, pass], { decision: 'undecided' }), { id: 'undecided' });
    expect(voteQueue([undecided], rule)).toEqual([]);
  });

  test('has those first that have waited longest where all else is equal', () => {
    const all = [
      voted([], undefined, { id: 'new', at: saturday + 1 }),
      voted([], undefined, { id: 'old', at: saturday }),
    ];
    expect(voteQueue(all, rule).map(({ record }) => record.id)).toEqual(['old', 'new']);
  });

  test.each<[VoteValue[], boolean]>([
    [['agree', 'agree'], true],
    [['agree', 'agree', 'unsure'], true],
    [['agree', 'agree', 'agree'], false],
    [['agree', 'agree', 'disagree'], true],
    [['agree', 'agree', 'disagree', 'disagree'], true],
    [['agree', 'agree', 'agree', 'disagree'], false],
  ])('has a verdict with the votes %j: %s', (values, isThere) => {
    expect(needsVote(voted(values), rule)).toBe(isThere);
  });
});

describe('why a verdict is there', () => {
  const why = (one: VotedVerdict) => reasonsText(one, rule, 'en');

  test('has the judges and the votes', () => {
    expect(why(voted([]))).toBe('no vote yet, 3 needed');
    expect(why(voted(['agree']))).toBe('1 vote, 3 needed');
    expect(why(voted(['agree', 'disagree'], panel([fail, pass, fail])))).toBe(
      'judges split 2–1, votes split 1–1',
    );
    expect(why(voted([], panel([mute], { decision: 'undecided' })))).toBe(
      'the panel could not decide, no vote yet, 3 needed',
    );
    expect(why(voted([], panel([fail, mute])))).toBe('1 of 2 judges gave no answer, no vote yet, 3 needed');
    const unsure = panel([
      { decision: 'fail', confidence: 0.5 },
      { decision: 'fail', confidence: 0.7 },
    ]);
    expect(why(voted(['agree', 'agree', 'agree'], unsure))).toBe('judges are 60 % sure');
    const apart = panel([{ score: 1 }, { score: 3 }], { decision: 'scored', score: 2, scale });
    expect(why(voted([], apart))).toBe('judges score from 1 to 3, no vote yet, 3 needed');
  });

  test('is how far apart scores lie from a quarter of the scale on, wherever it begins', () => {
    const scores = (...all: number[]) =>
      why(
        voted(
          ['agree', 'agree', 'agree'],
          panel(
            all.map((score) => ({ score })),
            { decision: 'scored', score: 2, scale: { min: 1, max: 5 } },
          ),
        ),
      );
    expect(scores(2, 3)).toBe('judges score from 2 to 3');
    expect(scores(2, 2.9)).toBe('');
  });

  test('is how unsure judges are, if that is less than 70 %', () => {
    const sure = (confidence: number) =>
      why(voted(['agree', 'agree', 'agree'], panel([{ decision: 'fail', confidence }])));
    expect(sure(0.69)).toBe('judges are 69 % sure');
    expect(sure(0.7)).toBe('');
  });

  test('is nothing where enough people and all judges are of one mind', () => {
    expect(why(voted(['agree', 'agree', 'agree']))).toBe('');
  });
});
