import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { labelOf } from '../../src/labels/label.ts';
import { usualRule } from '../../src/labels/label-rule.ts';
import { asCounted, ballotOf, type CaseAnswer, PanelVote, rightOf } from '../../src/labels/record/vote.ts';
import { valueOn } from '../../src/labels/record/vote-subjects.ts';
import { sameAnswer, voteOf } from '../../src/labels/voting/cast-vote.ts';
import { aBallot, aRecord, saturday } from '../support/store-builders.ts';

const right: CaseAnswer = { kind: 'decision', decision: 'pass' };
const wrong: CaseAnswer = { kind: 'decision', decision: 'fail' };
const unsure: CaseAnswer = { kind: 'unsure' };
const score = (value: number): CaseAnswer => ({ kind: 'score', score: value });

const verdict = (parts: Partial<Verdict> = {}): Verdict => aRecord({ verdict: parts }).verdict;
const scale = { min: 0, max: 4 };
const none = { criteria: [], judges: [] };

describe('a blind answer', () => {
  test.each<[CaseAnswer, Partial<Verdict>, ReturnType<typeof voteOf>]>([
    [right, { decision: 'pass' }, { value: 'agree' }],
    [right, { decision: 'fail' }, { value: 'disagree' }],
    [wrong, { decision: 'fail' }, { value: 'agree' }],
    [wrong, { decision: 'pass' }, { value: 'disagree' }],
    [right, { decision: 'undecided' }, { right }],
    [wrong, { decision: 'undecided' }, { right: wrong }],
    [unsure, { decision: 'undecided' }, { right: unsure }],
    [unsure, { decision: 'pass' }, { value: 'unsure' }],
    [score(3), { decision: 'scored', score: 2.6, scale }, { value: 'agree' }],
    [
      score(2),
      { decision: 'scored', score: 2.6, scale },
      { value: 'disagree', correction: { score: 2, ...none } },
    ],
    // Halfway between two levels both are as close.
    [score(2), { decision: 'scored', score: 2.5, scale }, { value: 'agree' }],
    [score(3), { decision: 'scored', score: 2.5, scale }, { value: 'agree' }],
    [score(3), { decision: 'undecided', scale }, { right: score(3) }],
  ])('%j to a verdict %j', (answer, parts, expected) => {
    expect(voteOf(answer, verdict(parts))).toEqual(expected);
  });

  test('of the wrong kind is refused', () => {
    expect(() => voteOf(score(3), verdict())).toThrow('decision');
    expect(() => voteOf(right, verdict({ decision: 'undecided', scale }))).toThrow('score');
  });

  test('is compared by what it says', () => {
    expect(sameAnswer(right, right)).toBe(true);
    expect(sameAnswer(right, wrong)).toBe(false);
    expect(sameAnswer(score(3), score(2))).toBe(false);
    expect(sameAnswer(unsure, unsure)).toBe(true);
    expect(sameAnswer(unsure, right)).toBe(false);
  });

  test('where the panel did not decide counts for the judges who said so, and neither for nor against the panel', () => {
    const vote = voteOf(right, verdict({ decision: 'undecided' }));
    const said = (decision: string) =>
      valueOn({ kind: 'judge', id: 'auditor@rules', decision }, vote, 'undecided');
    expect([said('pass'), said('fail')]).toEqual(['agree', 'disagree']);
    expect(valueOn({ kind: 'verdict', id: '', decision: 'undecided' }, vote, 'undecided')).toBeNull();
  });
});

describe('what is asked', () => {
  test('is the same whatever came out', () => {
    for (const decision of ['pass', 'fail', 'undecided'] as const)
      expect(ballotOf(verdict({ decision }))).toEqual({ kind: 'decision' });
    for (const decision of ['scored', 'undecided'] as const)
      expect(ballotOf(verdict({ decision, scale }))).toEqual({ kind: 'score', levels: [0, 1, 2, 3, 4] });
  });

  test('of a wide scale is asked in tenths', () => {
    expect(ballotOf(verdict({ scale: { min: 0, max: 100 } }))).toEqual({
      kind: 'score',
      levels: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    });
    expect(ballotOf(verdict({ scale: { min: 0, max: 1.5 } }))).toMatchObject({
      levels: { length: 11, 1: 0.15 },
    });
  });

  test('where criteria are on several scales spans all of them', () => {
    const [first, second, third] = verdict().criteria;
    if (!first || !second || !third) throw new Error('the verdict has three criteria');
    const criteria = [
      { ...first, scale: { min: 1, max: 3 } },
      { ...second, scale: { min: 0, max: 2 } },
      third,
    ];
    expect(ballotOf(verdict({ criteria }))).toEqual({ kind: 'score', levels: [0, 1, 2, 3] });
  });
});

describe('a label', () => {
  test('goes by the first answers, not by what was said after the verdict was seen', () => {
    const record = { ...aRecord({ verdict: { decision: 'fail' } }), blind: true };
    const later = { answer: wrong, at: saturday + 1 };
    const votes = ['ada', 'bea', 'cleo'].map((voter) => ({
      verdictId: 'v1',
      voter,
      value: 'disagree' as const,
      blind: { answer: right, later },
      surface: 'slack',
      at: saturday,
    }));
    const [first] = votes;
    expect(first && rightOf(first, record.verdict)).toEqual(right);
    expect(labelOf({ record, votes, adjudication: null }, null, usualRule).label).toMatchObject({ right });
  });

  test('of an undecided case with a scale is the median of the scores that were answered', () => {
    const record = { ...aRecord({ verdict: { decision: 'undecided', scale } }), blind: true };
    const votes = [1, 3, 4].map((value) => ({
      verdictId: 'v1',
      voter: `voter ${value}`,
      ...voteOf(score(value), record.verdict),
      blind: { answer: score(value) },
      surface: 'slack',
      at: saturday,
    }));
    expect(labelOf({ record, votes, adjudication: null }, null, usualRule).label).toMatchObject({
      right: { kind: 'score', score: 3 },
    });
  });
});

describe('a vote as version 0.1 kept it on a case that the panel did not decide', () => {
  const counts = (parts: object) => asCounted(PanelVote.parse({ ...aBallot(), ...parts }), 'undecided');

  test('counts as what it says is right, with its remarks', () => {
    expect(counts({ value: 'disagree', correction: { decision: 'pass', comment: 'Open.' } })).toMatchObject({
      right,
      correction: { comment: 'Open.' },
    });
    expect(counts({ value: 'agree', correction: { score: 3 } })).toMatchObject({ right: score(3) });
    expect(counts({ value: 'unsure' })).toMatchObject({ right: unsure });
  });

  test('counts nowhere if it only agrees or disagrees', () => {
    expect(counts({ value: 'agree' })).toBeNull();
    expect(counts({ value: 'disagree', correction: { comment: 'No.' } })).toBeNull();
  });
});
