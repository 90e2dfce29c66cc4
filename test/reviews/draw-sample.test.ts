import { describe, expect, test } from 'vitest';
import { allocate, type DecidedAnswer, decidedAnswer, drawSample } from '../../src/reviews/draw-sample.ts';
import { type Habit, trialWith, usualRun } from '../support/reviews.ts';

const answersOf = (habits: readonly Habit[]): DecidedAnswer[] =>
  habits.flatMap((habit, index) => decidedAnswer(trialWith(habit, index), index) ?? []);

const usual = answersOf(usualRun);
const times = (count: number, habit: Habit): Habit[] => Array.from({ length: count }, () => habit);
const drawnOf = (habits: readonly Habit[], size = 40) =>
  Object.fromEntries(
    drawSample('run', answersOf(habits), size).strata.map(({ name, drawn }) => [name, drawn]),
  );

describe('a sample', () => {
  test('takes half of its answers from split verdicts, and within each half as the decisions stand', () => {
    const { strata, drawn } = drawSample('run', usual, 40);
    expect(strata).toEqual([
      { name: 'fail, split', decision: 'fail', split: true, size: 16, drawn: 4 },
      { name: 'fail, unanimous', decision: 'fail', split: false, size: 32, drawn: 4 },
      { name: 'pass, split', decision: 'pass', split: true, size: 64, drawn: 16 },
      { name: 'pass, unanimous', decision: 'pass', split: false, size: 128, drawn: 16 },
    ]);
    expect(drawn).toHaveLength(40);
    expect(new Set(drawn.map(({ place }) => place)).size).toBe(40);
    for (const { name, size, drawn: count } of strata) {
      const own = drawn.filter(({ stratum }) => stratum === name);
      expect(own.map(({ probability }) => probability)).toEqual(times(count, 'pass').map(() => count / size));
    }
    expect(drawn.map(({ place, decision, split }) => ({ place, decision, split }))).toEqual(
      drawn.map(({ place }) => {
        const [one] = usual.filter((answer) => answer.place === place);
        return { place, decision: one?.decision, split: one?.split };
      }),
    );
  });

  test.each<[says: string, habits: Habit[], size: number, drawn: Record<string, number>]>([
    [
      'by decision alone where nothing is split',
      [...times(180, 'pass'), ...times(60, 'fail')],
      40,
      { pass: 30, fail: 10 },
    ],
    ['at least two of each stratum', [...times(238, 'pass'), ...times(2, 'fail')], 40, { pass: 38, fail: 2 }],
    [
      'at least two of each, where one half would leave fewer',
      [...times(100, 'split pass'), ...times(5, 'split fail'), ...times(3, 'pass'), ...times(100, 'fail')],
      8,
      { 'fail, split': 2, 'fail, unanimous': 2, 'pass, split': 2, 'pass, unanimous': 2 },
    ],
    ['all of a stratum that has fewer', [...times(100, 'pass'), 'fail'], 8, { pass: 7, fail: 1 }],
    [
      'more unanimous ones where few are split',
      [...times(6, 'split pass'), ...times(200, 'pass'), ...times(34, 'fail')],
      40,
      { 'pass, split': 6, 'pass, unanimous': 29, 'fail, unanimous': 5 },
    ],
    [
      'all answers of a small run',
      [...times(5, 'pass'), 'split fail', 'undecided'],
      40,
      { 'pass, unanimous': 5, 'fail, split': 1 },
    ],
  ])('has %s', (_says, habits, size, drawn) => {
    expect(drawnOf(habits, size)).toEqual(drawn);
  });

  test('is the same for the same run, in whatever order its trials were kept, and another for another run', () => {
    const first = drawSample('run', usual, 40);
    expect(drawSample('run', usual.toReversed(), 40)).toEqual(first);
    const places = ({ drawn }: typeof first) => drawn.map(({ place }) => place);
    expect(places(drawSample('other', usual, 40))).not.toEqual(places(first));
  });

  test('draws each answer as often as its probability says, and each as often early as late', () => {
    const runs = 4_000;
    const times = new Map<number, number>();
    const early = new Map<number, number>();
    const probability = new Map<number, number>();
    for (let run = 0; run < runs; run += 1)
      for (const [order, one] of drawSample(`run-${run}`, usual, 40).drawn.entries()) {
        times.set(one.place, (times.get(one.place) ?? 0) + 1);
        if (order < 20) early.set(one.place, (early.get(one.place) ?? 0) + 1);
        probability.set(one.place, one.probability);
      }
    expect(times.size).toBe(usual.length);
    // 240 frequencies, each within 4.5 standard errors: exceeded by chance in fewer than 1 of 500 seeds, and the seeds are fixed.
    for (const [place, count] of times) {
      const p = probability.get(place) ?? 0;
      expect(Math.abs(count / runs - p)).toBeLessThan(4.5 * Math.sqrt((p * (1 - p)) / runs));
      const half = count / 2;
      expect(Math.abs((early.get(place) ?? 0) - half)).toBeLessThan(4.5 * Math.sqrt(count / 4));
    }
    const all = [...times.keys()].reduce((sum, place) => sum + (probability.get(place) ?? 0), 0);
    expect(all).toBeCloseTo(40, 9);
  });
});

describe('an answer', () => {
  test.each<[Habit, ReturnType<typeof decidedAnswer> extends infer T ? Partial<T> | null : never]>([
    ['pass', { decision: 'pass', split: false }],
    ['split fail', { decision: 'fail', split: true }],
    ['undecided', null],
  ])('whose verdict is %s', (habit, expected) => {
    const answer = decidedAnswer(trialWith(habit, 3), 3);
    if (expected === null) expect(answer).toBeNull();
    else expect(answer).toEqual({ place: 3, caseId: 'c3', rubric: 'navigation', ...expected });
  });
});

test('places are handed out in proportion, at least two each and at most all', () => {
  expect(allocate([100, 50, 1], 30)).toEqual([19, 10, 1]);
  expect(allocate([3, 3], 40)).toEqual([3, 3]);
  expect(allocate([], 5)).toEqual([]);
});
