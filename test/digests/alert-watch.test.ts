import { describe, expect, test } from 'vitest';
import { type AlertFigures, type AlertNews, type AlertRule, readRule } from '../../src/digests/alert.ts';
import { AlertWatch, countRun, isOpen, isWrongAfter, watchOf } from '../../src/digests/alert-watch.ts';
import type { Unit } from '../../src/statistics/betting.ts';
import type { Bin } from '../../src/statistics/measure.ts';

const WEEK = 7 * 86_400_000;
const START = Date.UTC(2026, 0, 5);
type Sample = AlertFigures['sample'];

const values = (good: number, all: number): Bin<Unit>[] => [
  { value: { total: 1, n: 1 }, items: good },
  { value: { total: 0, n: 1 }, items: all - good },
];

interface Parts {
  sample?: Partial<Sample>;
  figures?: Partial<AlertFigures['figures']>;
}

/** A weekly run of 240 answers, of which so many pass. */
function aRun(week: number, passing: number, { sample, figures }: Parts = {}) {
  const value = passing / 240;
  return {
    run: `nightly-${week}`,
    at: START + week * WEEK,
    figures: {
      'pass-rate': { value, low: value - 0.05, high: value + 0.05 },
      mean: null,
      change: null,
      coverage: null,
      latency: null,
      blocker: null,
      ...figures,
    },
    sample: {
      yardstick: { plain: 'judges of July' },
      dataset: `answers ${week}`,
      cases: 240,
      fresh: 240,
      isFixed: false,
      passes: values(passing, 240),
      decided: values(240, 240),
      scores: null,
      drifts: null,
      latencies: [],
      ...sample,
    },
  };
}
type Run = ReturnType<typeof aRun>;

/** What is said of runs, with the run. Counting goes through stored text, as it does between processes. */
function said(rule: AlertRule, runs: readonly Run[], startsWrong = false) {
  let watch: AlertWatch = watchOf({ since: START }, null, null);
  let isWrong = startsWrong;
  const posts: (AlertNews & { run: string })[] = [];
  for (const run of runs) {
    const counted = countRun(rule, watch, isWrong, run);
    watch = AlertWatch.parse(JSON.parse(JSON.stringify(counted.watch)));
    if (counted.news === null) continue;
    isWrong = isWrongAfter(isWrong, counted.news);
    posts.push({ ...counted.news, run: run.run });
  }
  return { watch, posts };
}
const below90 = readRule('below 90 %');

describe('an alert that counts runs', () => {
  test('fires on what several runs show together, and says over how many', () => {
    const calm = [1, 2, 3].map((week) => aRun(week, 228));
    const low = [4, 5, 6, 7, 8, 9, 10, 11].map((week) => aRun(week, 206));
    const { posts } = said(below90, [...calm, ...low]);
    expect(posts).toMatchObject([
      { run: 'nightly-8', isWrong: true, by: 'test', looks: 5, mean: 206 / 240, isPlain: false },
    ]);
  });

  test('fires at once where one run is proof enough', () => {
    const { posts } = said(below90, [aRun(1, 228), aRun(2, 180)]);
    expect(posts).toMatchObject([{ run: 'nightly-2', by: 'test', looks: 1, isPlain: true }]);
  });

  test('takes a single low run among good ones for chance', () => {
    expect(
      said(
        below90,
        [1, 2, 3, 4, 5, 6].map((week) => aRun(week, week === 3 ? 208 : 226)),
      ).posts,
    ).toEqual([]);
  });

  test('is back once runs show that, which one good run among bad ones does not', () => {
    const counts = [205, 226, 205, 205, 230, 231, 230];
    const { posts } = said(
      below90,
      counts.map((count, week) => aRun(week + 1, count)),
      true,
    );
    expect(posts).toMatchObject([{ run: 'nightly-6', isWrong: false, by: 'test', looks: 2, isPlain: true }]);
  });

  test.each([
    { what: 'the judges changed', sample: { yardstick: { plain: 'judges of August' } }, fires: 'nightly-9' },
    {
      what: 'another rubric joined in',
      sample: { yardstick: { plain: 'judges of July', other: 'x' } },
      fires: 'nightly-5',
    },
    { what: 'only another rubric was asked', sample: { yardstick: { other: 'x' } }, fires: 'nightly-5' },
  ])('begins anew only where the judgements are others: $what', ({ sample, fires }) => {
    const low = (week: number, parts: Parts = {}) => aRun(week, 206, parts);
    const runs = [1, 2, 3, 4]
      .map((week) => low(week))
      .concat([5, 6, 7, 8, 9].map((week) => low(week, { sample })));
    expect(said(below90, runs).posts[0]).toMatchObject({ run: fires });
  });

  test('about a change begins anew with another baseline', () => {
    const lower = (week: number, baseline: string) =>
      aRun(week, 0, {
        figures: { change: { value: -0.06, low: -0.1, high: -0.02 } },
        sample: {
          drifts: {
            baseline,
            units: [
              { value: { total: -1, n: 1 }, items: 17 },
              { value: { total: 0, n: 1 }, items: 223 },
            ],
          },
        },
      });
    const rule = readRule('worse than baseline by 3 points');
    const same = said(
      rule,
      [1, 2].map((week) => lower(week, 'july')),
    );
    expect(same.posts).toMatchObject([{ run: 'nightly-2', looks: 2, mean: expect.closeTo(-17 / 240) }]);
    const other = said(
      rule,
      [1, 2].map((week) => lower(week, week < 2 ? 'july' : 'august')),
    );
    expect(other.posts).toEqual([]);
  });

  test('about latency counts the answers that took longer than the limit', () => {
    const slow = (week: number) =>
      aRun(week, 0, {
        figures: { latency: { value: 2200, low: 1900, high: 2500 } },
        sample: { latencies: Array.from({ length: 240 }, (_, at) => [at < 144 ? 2600 : 1200]) },
      });
    expect(said(readRule('latency above 2 s'), [1, 2, 3].map(slow)).posts).toMatchObject([
      { run: 'nightly-2', isWrong: true, looks: 2, mean: expect.closeTo(0.6), isPlain: false },
    ]);
  });

  test('about scores counts them on their scale', () => {
    const low = (week: number) =>
      aRun(week, 0, {
        figures: { mean: { value: 3.3, low: 3.1, high: 3.6 } },
        sample: {
          scores: {
            range: { min: 1, max: 5 },
            units: [
              { value: { total: 2, n: 1 }, items: 84 },
              { value: { total: 4, n: 1 }, items: 156 },
            ],
          },
        },
      });
    expect(said(readRule('mean below 3.5'), [1, 2, 3, 4].map(low)).posts).toMatchObject([
      { run: 'nightly-2', looks: 2, mean: expect.closeTo(3.3), isPlain: false },
    ]);
    const unknown = { ...low(1), sample: { ...low(1).sample, scores: null } };
    expect(said(readRule('mean below 3.5'), Array(9).fill(unknown)).posts).toEqual([]);
  });

  test('counts answers that belong together as one', () => {
    const groups = (week: number) =>
      aRun(week, 204, {
        sample: {
          passes: [
            { value: { total: 40, n: 40 }, items: 5 },
            { value: { total: 4, n: 40 }, items: 1 },
          ],
        },
      });
    // Six conversations, of which one failed, are far less than 240 answers.
    expect(said(below90, [1, 2, 3, 4, 5].map(groups)).posts).toEqual([]);
  });

  describe('where nothing was collected anew', () => {
    const again = (week: number, passing: number, dataset = 'answers 1') =>
      aRun(week, passing, { sample: { dataset, fresh: 0, passes: [] } });

    test('says once, as a fact, that these answers are on the wrong side', () => {
      const { posts, watch } = said(
        below90,
        [2, 3, 4, 5].map((week) => again(week, 211)),
      );
      expect(posts).toEqual([{ run: 'nightly-2', isWrong: true, by: 'fact' }]);
      expect(watch.accounts).toEqual([]);
    });

    test('says nothing of answers on the right side, nor that they are back when judges find a few more right', () => {
      expect(said(below90, [again(2, 217), again(3, 218)]).posts).toEqual([]);
      expect(said(below90, [again(2, 215), again(3, 217), again(4, 215)]).posts).toHaveLength(1);
    });

    test('goes on watching new answers, and says when these fall', () => {
      const falls = [3, 4, 5, 6].map((week) => aRun(week, 190));
      expect(said(below90, [again(2, 211), ...falls]).posts).toMatchObject([
        { run: 'nightly-2', by: 'fact' },
        { run: 'nightly-3', by: 'test', isWrong: true },
      ]);
    });

    test('says it again of other answers only', () => {
      const runs = [
        again(2, 211),
        aRun(4, 240),
        aRun(5, 240),
        again(6, 211),
        again(7, 211, 'answers 2'),
        again(8, 211, 'answers 2'),
      ];
      expect(said(below90, runs).posts).toMatchObject([
        { run: 'nightly-2', by: 'fact' },
        { run: 'nightly-7', by: 'fact' },
      ]);
    });
  });

  test('counts each run once, and one that comes to its end late too', () => {
    const { watch } = said(below90, [aRun(1, 230), aRun(3, 230)]);
    expect([1, 2, 3, 4].map((week) => isOpen(watch, `nightly-${week}`, START + week * WEEK))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(isOpen(watch, 'nightly-0', START)).toBe(false);
    // A run that was made anew under its old name is another one.
    expect(isOpen(watch, 'nightly-1', START + 1.5 * WEEK)).toBe(true);
  });

  test('remembers few names, and counts none that it has forgotten', () => {
    const { watch } = said(
      below90,
      Array.from({ length: 30 }, (_, week) => aRun(week + 1, 230)),
    );
    expect(watch.counted).toHaveLength(20);
    expect(isOpen(watch, 'nightly-2', START + 2 * WEEK)).toBe(false);
    expect(isOpen(watch, 'nightly-10', START + 10 * WEEK)).toBe(false);
    expect(isOpen(watch, 'nightly-31', START + 31 * WEEK)).toBe(true);
  });

  test('waits as long for its next bet if the same answers are judged again in between', () => {
    const bet = (between: readonly Run[]) =>
      said(below90, [aRun(1, 206), ...between, aRun(3, 206)]).watch.accounts;
    const again = { ...aRun(2, 206, { sample: { fresh: 0, dataset: 'answers 1', passes: [] } }) };
    const calm = { ...again, figures: { ...again.figures, 'pass-rate': { value: 0.95, low: 0.9, high: 1 } } };
    expect(bet([calm])).toEqual(bet([]));
  });

  test('says of a log that has grown what its new answers show', () => {
    const grown = aRun(1, 230, { sample: { cases: 1000, fresh: 240, passes: values(180, 240) } });
    expect(said(below90, [grown]).posts).toMatchObject([{ looks: 1, mean: 0.75, isPlain: false }]);
  });

  test('begins anew once it was resumed, and after what an earlier version had handled', () => {
    const { watch } = said(below90, [aRun(1, 206), aRun(2, 206)]);
    expect(watchOf({ since: START }, watch, null)).toBe(watch);
    const resumed = watchOf({ since: START + 5 * WEEK }, watch, START + 2 * WEEK);
    expect(resumed).toMatchObject({ accounts: [], counted: [], floor: START + 5 * WEEK });
    expect(watchOf({ since: START }, null, START + 3 * WEEK).floor).toBe(START + 3 * WEEK);
  });

  test('needs more proof from runs each day than from one a week', () => {
    const runs = (apart: number) =>
      Array.from({ length: 12 }, (_, n) => ({ ...aRun(n + 1, 206), at: START + (n + 1) * apart }));
    const firstOf = (apart: number) => said(below90, runs(apart)).posts[0]?.run;
    expect(firstOf(WEEK)).toBe('nightly-5');
    expect(firstOf(WEEK / 7)).toBe('nightly-6');
    // More often than once a day counts as once a day.
    expect(firstOf(WEEK / 700)).toBe('nightly-6');
  });
});
