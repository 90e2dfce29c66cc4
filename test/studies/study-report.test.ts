import { describe, expect, test } from 'vitest';
import type { Answers } from '../../src/studies/questions.ts';
import { studyReport } from '../../src/studies/study-report.ts';
import { anAnnotation, annotators, aStudy, labeled, says } from '../support/study-builders.ts';

const about = (value: number, n: number) => ({ defined: true, value: expect.closeTo(value, 9), n });

/** A row is an annotator, a column a case; null where nothing was said. */
const annotationsOf = (rows: readonly (readonly (Answers | null)[])[]) =>
  rows.flatMap((row, annotator) =>
    row.flatMap((answers, index) =>
      answers === null ? [] : [anAnnotation({ annotator: `p${annotator}`, case: index, answers })],
    ),
  );

describe('a report by hand: 3 annotators, 4 cases, one annotation missing', () => {
  const study = aStudy({
    cases: [labeled('a', 'pass'), labeled('b', 'pass'), labeled('c', 'time'), labeled('d', 'cost')],
    annotators: annotators(3),
  });
  const report = studyReport(
    study,
    annotationsOf([
      [says(5, 4), says(4, 4), says(5, 3, 'time'), says(4, 3)],
      [says(5, 4), says(4, 5), says(4, 3, 'time'), says(4, 2, 'other')],
      [says(5, 4), says(3, 4, 'cost'), says(4, 3, 'cost', 'time'), null],
    ]),
  );

  test('counts what is there and what is missing', () => {
    expect(report).toMatchObject({ given: 11, missing: 1, cases: 4, annotators: 3 });
    expect(report.progress).toEqual([
      { person: 'name:n0', done: 4, total: 4 },
      { person: 'name:n1', done: 4, total: 4 },
      { person: 'name:n2', done: 3, total: 4 },
    ]);
  });

  test('gives mean and deviation of ratings, and the deviation of the means of cases', () => {
    // 5 5 5 4 4 3 5 4 4 4 4: sum 47, mean 47/11; squares 25·4 + 16·6 + 9 = 205; (205 − 47²/11)/10 = 46/110.
    expect(report.user?.counts).toEqual([0, 0, 1, 6, 4]);
    expect(report.user?.mean).toMatchObject(about(47 / 11, 11));
    expect(report.user?.deviation).toMatchObject(about(Math.sqrt(46 / 110), 11));
    // Means 5, 11/3, 13/3, 4: mean 17/4; deviations 3/4, −7/12, 1/12, −1/4 squared sum 81/144 + 49/144 + 1/144 + 9/144.
    expect(report.user?.deviationOfCases).toMatchObject(about(Math.sqrt(140 / 144 / 3), 4));
  });

  test('gives the ordinal alpha of the ratings', () => {
    // Frequencies 3: 1, 4: 6, 5: 4. Squared distances: 3–4 (0.5 + 3)² = 12.25, 4–5 (3 + 2)² = 25, 3–5 (0.5 + 6 + 2)² = 72.25.
    // Expected, ordered pairs: 2 · (1·6·12.25 + 6·4·25 + 1·4·72.25) = 1925. Observed: case b (4 4 3) 2·2·12.25/2 = 24.5,
    // case c (5 4 4) 2·2·25/2 = 50, others 0: 74.5. 1 − 10 · 74.5 / 1925.
    expect(report.user?.alpha).toMatchObject(about(1 - 745 / 1925, 4));
  });

  test('gives nominal alphas of correct or not, and of which error', () => {
    // yes: 3, 2, 0, 1 of 3, 3, 3, 2 = 6; no 5. Observed: b 2·2·1/2 = 2, d 2·1·1/1 = 2; expected 2·6·5 = 60: 1 − 10·4/60.
    expect(report.correct?.alpha).toMatchObject(about(1 - 40 / 60, 4));
    expect(report.correct?.said).toMatchObject(about(6 / 11, 11));
    // no error ×6, cost 1, time 2, time+cost 1, other 1. Observed 2 (b) + 2·2·1/2 = 2 (c) + 2 (d) = 6.
    // Expected 11² − (36 + 1 + 4 + 1 + 1) = 78: 1 − 10·6/78.
    expect(report.labelAlpha).toMatchObject(about(1 - 60 / 78, 4));
  });

  test('compares people with the labels', () => {
    // Right: a 3, b 2, c 3, d 1 of 2.
    expect(report.labels?.right).toMatchObject(about(9 / 11, 11));
    expect(report.labels?.annotators.map(({ right }) => right)).toEqual([
      about(3 / 4, 4),
      about(1, 4),
      about(2 / 3, 3),
    ]);
    expect(report.labels?.majority).toMatchObject({ right: about(1, 3), ties: 1 });
  });

  test('tells error by error what was found', () => {
    expect(report.categories).toEqual([
      {
        category: 'cost',
        cases: 1,
        annotations: 2,
        saidCorrect: about(1 / 2, 2),
        right: about(1 / 2, 2),
        namedIt: about(0, 2),
      },
      {
        category: 'no error',
        cases: 2,
        annotations: 6,
        saidCorrect: about(5 / 6, 6),
        right: about(5 / 6, 6),
        namedIt: { defined: false, n: 0, why: expect.any(String) },
      },
      {
        category: 'time',
        cases: 1,
        annotations: 3,
        saidCorrect: about(0, 3),
        right: about(1, 3),
        namedIt: about(1, 3),
      },
    ]);
  });
});

describe('a report', () => {
  test('agrees with the textbook alphas on the ratings of four coders, seven of them missing', () => {
    // Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C: ordinal 0.815.
    const coders = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
      [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
    ];
    const study = aStudy({
      cases: Array.from({ length: 12 }, (_, index) => labeled(`c${index}`, 'pass')),
      annotators: annotators(4),
    });
    const report = studyReport(
      study,
      annotationsOf(coders.map((row) => row.map((rating) => (rating === null ? null : says(rating, 1))))),
    );
    expect(report.user?.alpha).toMatchObject({ defined: true, value: expect.closeTo(0.815, 3), n: 11 });
    expect(report.missing).toBe(7);
    expect(report.system?.alpha).toMatchObject({ defined: false, n: 11, why: 'every rating is the same' });
  });

  test('of nothing says of everything that it is not defined', () => {
    const report = studyReport(aStudy(), []);
    expect(report).toMatchObject({ given: 0, missing: 4 });
    for (const measure of [
      report.user?.mean,
      report.user?.deviation,
      report.user?.alpha,
      report.correct?.said,
      report.labelAlpha,
      report.labels?.right,
      report.labels?.majority.right,
    ])
      expect(measure).toMatchObject({ defined: false });
  });

  test('leaves out what was not asked, and labels where there are none', () => {
    const study = aStudy({
      items: ['correct'],
      cases: [{ id: 'a', evalCase: { ...labeled('a', 'pass').evalCase, label: undefined } }],
    });
    const report = studyReport(study, [anAnnotation({ answers: { correct: true } })]);
    expect(report).toMatchObject({ user: null, system: null, labelAlpha: null, labels: null });
    expect(report.categories).toMatchObject([{ category: 'unlabeled', right: { defined: false } }]);
  });

  test('does not count those who were forgotten', () => {
    const study = aStudy({ annotators: annotators(1) });
    const report = studyReport(study, [anAnnotation(), anAnnotation({ annotator: 'gone', case: 1 })]);
    expect(report).toMatchObject({ given: 1, missing: 1 });
  });
});
