import { describe, expect, test } from 'vitest';
import type { UnscoredReason } from '../../src/judging/verdict/judgement.ts';
import { gapOf, hasFailed, outcomeOfVerdict } from '../../src/judging/verdict/verdict.ts';
import { aPanel, fail, judgementOf, mute, pass, type Said } from '../support/builders.ts';

const answers = (round: number, said: readonly Said[]) =>
  aPanel(said.length).seats.flatMap(({ judge }, seat) => {
    const answer = said[seat];
    return answer === undefined ? [] : [judgementOf({ judge, round }, answer)];
  });

const stumped: Said = { unscored: 'unsupported' };

describe('an undecided verdict', () => {
  test.each<[what: string, said: readonly Said[], gap: string]>([
    ['no answer if its one judge failed', [mute], 'unanswered'],
    ['no answer if all of its judges failed', [mute, mute, mute], 'unanswered'],
    ['no quorum if half of its judges answered', [pass, mute], 'no-quorum'],
    ['no quorum if one of three answered', [pass, mute, mute], 'no-quorum'],
    ['a majority if two of three answered and were split', [pass, fail, mute], 'undecided'],
    ['a majority if all answered and were split', [pass, fail], 'undecided'],
    ['a majority if its one judge could not judge the case', [stumped], 'undecided'],
    ['a majority if no judge was asked', [], 'undecided'],
  ])('lacks %s', (_, said, gap) => {
    const verdict = { decidedInRound: 0, judgements: answers(0, said) };
    expect(gapOf(verdict)).toBe(gap);
    expect(outcomeOfVerdict({ ...verdict, decision: 'undecided' })).toBe(gap);
    expect(outcomeOfVerdict({ ...verdict, decision: 'fail' })).toBe('fail');
  });

  test('lacks what its deciding round lacks, whatever a later round came to', () => {
    const judgements = [...answers(0, [pass, fail]), ...answers(1, [mute, mute])];
    expect(gapOf({ decidedInRound: 0, judgements })).toBe('undecided');
    expect(gapOf({ decidedInRound: 1, judgements })).toBe('unanswered');
  });

  test('lacks what the ratings lack if nothing could be discussed', () => {
    const nothing = { decidedInRound: null, judgements: [] };
    expect(gapOf({ ...nothing, ratings: answers(0, [mute, mute]) })).toBe('unanswered');
    expect(gapOf({ ...nothing, ratings: answers(0, [stumped, stumped]) })).toBe('undecided');
  });

  test.each<[UnscoredReason, boolean]>([
    ['malformed', true],
    ['refused', true],
    ['timeout', true],
    ['rate-limited', true],
    ['budget', true],
    ['cancelled', true],
    ['error', true],
    ['unsupported', false],
    ['not-relevant', false],
  ])('of a judge whose answer was %s: judging it again may help, %s', (reason, mayHelp) => {
    const judgements = answers(0, [pass, { unscored: reason }]);
    expect(hasFailed({ decision: 'undecided', judgements })).toBe(mayHelp);
    expect(hasFailed({ decision: 'pass', judgements })).toBe(false);
    expect(hasFailed({ decision: 'undecided', judgements: [], ratings: judgements })).toBe(mayHelp);
  });
});
