import { describe, expect, test } from 'vitest';
import {
  alphaOf,
  commonest,
  labelsFrom,
  type PartAnswer,
  type Said,
  settleParts,
  UNSURE,
  usualRule,
} from '../../src/labels/label-rule.ts';

/** What several people say about a part of one item's label. */
const said = (item: string, part: string, ...all: Said[]): PartAnswer[] =>
  all.map((one, index) => ({ item, part, voter: `voter ${index}`, said: one }));

const labels = (answers: readonly PartAnswer[], errors: readonly PartAnswer[] = []) =>
  Object.fromEntries(labelsFrom(settleParts(answers, 'majority', usualRule), errors));

describe('the most common name', () => {
  test.each([
    [['time', 'time', 'cost']],
    [['cost', 'time', 'time']],
    [['time', 'cost', 'time']],
    [['cost', 'time', 'rating', 'time']],
  ])('of %j is time', (names) => {
    expect(commonest(names)).toBe('time');
  });

  test('is none where two are equally common, or where there is no name', () => {
    expect(commonest(['time', 'cost', 'rating', 'cost', 'time'])).toBeNull();
    expect(commonest([])).toBeNull();
  });
});

describe('the label of a case that people answered in parts', () => {
  test('has the parts that are settled, and no others', () => {
    const answers = [
      ...said('decided', 'decision', 'pass', 'pass', 'fail'),
      ...said('one criterion', 'criteria.time', 'fail', 'fail', 'fail'),
      ...said('all', 'decision', 'fail', 'fail', 'fail'),
      ...said('all', 'score', 1, 2, 4),
      ...said('all', 'criteria.time', 'fail', 'fail', 'pass'),
      ...said('all', 'criteria.cost', 3, 3, 1),
      ...said('too few', 'decision', 'pass', 'pass', UNSURE),
      ...said('split', 'decision', 'pass', 'pass', 'fail', 'fail'),
    ];
    expect(labels(answers)).toStrictEqual({
      decided: { decision: 'pass' },
      'one criterion': { criteria: { time: 'fail' } },
      all: { decision: 'fail', score: 2, criteria: { time: 'fail', cost: 3 } },
    });
  });

  test('is none where what people settle on cannot be a label', () => {
    expect(labels(said('odd', 'decision', 'maybe', 'maybe', 'maybe'))).toStrictEqual({});
  });

  test('names the error that most people name, if the case fails', () => {
    const answers = ['fails', 'passes'].flatMap((item) => {
      const decision = item === 'fails' ? 'fail' : 'pass';
      return said(item, 'decision', decision, decision, decision);
    });
    const errors = ['fails', 'passes'].flatMap((item) => said(item, 'error', 'cost', 'time', 'time'));
    expect(labels(answers, errors)).toStrictEqual({
      fails: { decision: 'fail', errorType: 'time' },
      passes: { decision: 'pass' },
    });
  });
});

describe('alpha of what people answered', () => {
  const scores = [
    [1, 1, UNSURE],
    [2, 4],
  ];

  test('goes by the distance of scores, or by their ranks, and leaves out who is unsure', () => {
    // Of 1, 1, 2 and 4 all ordered pairs are 48 apart, those within a case 8: 1 − (4 − 1) · 8/48.
    expect(alphaOf(scores, { min: 0, max: 100 })).toMatchObject({
      scale: 'interval',
      defined: true,
      n: 2,
      value: 0.5,
    });
    // Their ranks are 1.5, 1.5, 3 and 4: all pairs are 36 apart, those within a case 2: 1 − (4 − 1) · 2/36.
    const ordinal = { scale: 'ordinal', defined: true, n: 2, value: expect.closeTo(5 / 6, 12) };
    expect(alphaOf(scores, { min: 0, max: 4 })).toMatchObject(ordinal);
    // Where the scale is not known: a few whole numbers.
    expect(alphaOf(scores)).toMatchObject(ordinal);
    expect(alphaOf([...scores, [1.5, 2]])).toMatchObject({ scale: 'interval' });
    expect(alphaOf([...scores, Array.from({ length: 12 }, (_, n) => n)])).toMatchObject({
      scale: 'interval',
    });
  });

  test('of classes counts who is unsure like any other answer', () => {
    // Of pass, unsure, fail and fail 10 ordered pairs differ, those within a case 2: 1 − (4 − 1) · 2/10.
    const classes = [
      ['pass', UNSURE],
      ['fail', 'fail'],
    ];
    expect(alphaOf(classes)).toMatchObject({
      scale: 'nominal',
      defined: true,
      n: 2,
      value: expect.closeTo(0.4, 12),
    });
  });
});
