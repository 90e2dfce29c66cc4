import { describe, expect, test } from 'vitest';
import { composeDigest } from '../../src/digests/compose-digest.ts';
import { type DigestBlock, type DigestData, LABELS_OF } from '../../src/digests/digest.ts';
import { saturday } from '../support/store-builders.ts';
import { aHistory, aRegression, counted, someData } from './world.ts';

const blockOf = <K extends DigestBlock['kind']>(blocks: readonly DigestBlock[], kind: K) =>
  blocks.find((block): block is Extract<DigestBlock, { kind: K }> => block.kind === kind);

describe('a digest of votes', () => {
  test('counts verdicts as settled by three votes, ties apart', () => {
    const { snapshot } = composeDigest(
      someData({
        counts: [
          counted(4, [2, 1]),
          counted(3, [0, 3], { decision: 'pass' }),
          counted(2, [2, 2]),
          counted(5, [0, 0]),
          counted(7, [2, 0]),
          counted(1, [0, 0, 2]),
          counted(6, [3, 0], { kind: 'judge', subject: 'auditor@rules' }),
          // Of a judge's score votes can say that they agree and nothing else, which would be 100 % always.
          counted(8, [3, 0], { kind: 'judge', subject: 'critic@rules', decision: 'scored' }),
          counted(9, [3, 0], { kind: 'criterion', subject: 'time' }),
        ],
      }),
    );
    expect(snapshot.labels).toEqual({
      verdicts: { fail: 19, pass: 3 },
      votes: { agree: 4 * 2 + 2 * 2 + 7 * 2, disagree: 4 + 3 * 3 + 2 * 2, unsure: 2 },
      settled: { right: 4, wrong: 3, tied: 2 },
      judges: { 'auditor@rules': { right: 6, wrong: 0, tied: 0 } },
    });
  });

  test('tells exactly what came since the last one, also on verdicts of other days', () => {
    const first = composeDigest(someData({ counts: [counted(400, [3, 0]), counted(100, [0, 3])] })).snapshot;
    const { digest } = composeDigest(
      someData({
        last: first,
        // Twenty of the unvoted came to votes late, and thirty are new.
        counts: [counted(420, [3, 0]), counted(130, [0, 3])],
      }),
    );
    expect(blockOf(digest.blocks, 'facts')?.facts.slice(0, 2)).toEqual([
      { label: 'Spot checks', value: '50 (50 fail)' },
      { label: 'Votes', value: '150' },
    ]);
    // 20 of 50 against 400 of 500: 40 % − 80 % = −40 points.
    expect(digest.headline).toContain('People agree with 40 % of 50 verdicts');
    expect(digest.headline).toContain('−40.0 points');
  });

  test.each([
    { right: 30, wrong: 70 },
    { right: 80, wrong: 20 },
    { right: 800, wrong: 200, old: 10 },
    { right: 99, wrong: 1 },
  ])(
    'calls nothing better or worse where $right more are agreed with and $wrong are not, since people choose what they vote on',
    ({ right, wrong, old = 1 }) => {
      const counts = (more: number, less: number) => [
        counted(80 * old + more, [3, 0]),
        counted(20 * old + less, [0, 3]),
      ];
      const before = composeDigest(someData({ counts: counts(0, 0) })).snapshot;
      const { digest } = composeDigest(someData({ last: before, counts: counts(right, wrong) }));
      expect(digest.trend).toBe('unknown');
      expect(digest.headline).toMatch(/^People agree with .+95 % interval .+ to .+ this shows no trend\.$/);
    },
  );

  test('says no share in the headline below 20 verdicts, neither of all nor of those since the last digest', () => {
    const headlineOf = (counts: DigestData['counts'], last: DigestData['last'] = null) =>
      composeDigest(someData({ counts, last })).digest.headline;
    expect(headlineOf([counted(19, [3, 0])])).toBe(
      '19 spot checks in this conversation; 19 verdicts settled by votes so far (from 20 on, this says how often people agree with the panel).',
    );
    expect(headlineOf([counted(20, [3, 0])])).toBe(
      'People agree with 100 % of 20 verdicts settled by votes in this conversation (84–100 %).',
    );
    const before = composeDigest(someData({ counts: [counted(20, [3, 0])] })).snapshot;
    expect(headlineOf([counted(20, [3, 0]), counted(19, [0, 3])], before)).toMatch(
      /^People agree with 51 % of 39 verdicts/,
    );
    expect(headlineOf([counted(20, [3, 0]), counted(20, [0, 3])], before)).toMatch(
      /^People agree with 0 % of 20 verdicts settled by votes in this conversation since/,
    );
  });

  test('compares nothing where votes were taken back, and says what stands', () => {
    const before = composeDigest(someData({ counts: [counted(10, [3, 0])] })).snapshot;
    const { digest } = composeDigest(
      someData({ last: before, counts: [counted(8, [3, 0]), counted(2, [0, 0])] }),
    );
    expect(digest.trend).toBe('unknown');
    expect(blockOf(digest.blocks, 'facts')?.facts[1]).toEqual({ label: 'Votes', value: '6 taken back' });
  });

  test('says in the first one that it tells of all time, later since when', () => {
    const title = (data: DigestData) => blockOf(composeDigest(data).digest.blocks, 'facts')?.title;
    const first = someData({ counts: [counted(3, [3, 0])] });
    expect(title(first)).toBe('Spot checks and votes in this conversation so far');
    const { snapshot } = composeDigest(first);
    expect(title(someData({ last: snapshot, counts: [counted(4, [3, 0])] }))).toBe(
      'Spot checks and votes in this conversation since',
    );
  });

  test('of a quiet week is one line', () => {
    const data = someData({
      counts: [counted(10, [3, 0]), counted(3, [0, 3])],
      benchmarks: [aHistory('trip', [80])],
    });
    const before = composeDigest(data).snapshot;
    const later = {
      ...data,
      now: saturday + 7 * 86_400_000,
      counts: [...data.counts].reverse(),
      last: before,
    };
    const { digest, snapshot } = composeDigest(later);
    expect(digest).toMatchObject({ quiet: true, blocks: [], details: [] });
    expect(digest.headline).toBe(
      'All quiet since 21 Nov 2026: nothing was judged or voted on in this conversation, or measured.',
    );
    expect(snapshot.labels).toEqual(before.labels);
  });

  test('draws agreement week by week where no benchmark is there', () => {
    const { digest } = composeDigest(
      someData({
        counts: [
          counted(12, [3, 0], { day: '2026-11-08' }),
          counted(4, [0, 3], { day: '2026-11-02' }),
          counted(4, [3, 0], { day: '2026-11-09' }),
        ],
      }),
    );
    // 2026-11-02 is a Monday, the 8th the Sunday of the same week.
    expect(blockOf(digest.blocks, 'trend')).toMatchObject({
      categories: ['2026-11-02', '2026-11-09'],
      series: [{ values: [75, 100] }],
    });
  });
});

describe('a digest about several configurations', () => {
  /** Pooled over all of them, 12 of 100 trials turned wrong and 2 right: 10 points less, beyond chance. */
  const compared = { against: 'trip-1', gained: 2, lost: 12, n: 100, cases: 100, regressions: [] };
  const trip = (text: string, trend: 'better' | 'worse' | 'unknown') => ({
    ...aHistory('trip', [90, 80], compared),
    lead: { text: { en: text, de: text }, trend },
  });
  const none = 'No change beyond chance among 24 configurations.';
  const lower =
    'F1 is lower by 0.188 (−0.271 to −0.099): 0.913 before, 0.725 after, on 88 cases. This is the largest of 2 changes beyond chance among 24 configurations: io.';
  const digestOf = (...benchmarks: DigestData['benchmarks']) =>
    composeDigest(someData({ benchmarks })).digest;

  test('begins with what is beyond chance among all of them, not with all of them pooled, and says it once', () => {
    expect(digestOf(aHistory('trip', [90, 80], compared)).headline).toMatch(
      /^Worse: the judges agree with the labels on 80 % of 100 trials of trip, −10\.0 points/,
    );
    const steady = digestOf(trip(none, 'unknown'));
    expect([steady.headline, steady.trend]).toEqual([`The judges of trip: ${none}`, 'unknown']);
    const worse = digestOf(trip(lower, 'worse'));
    expect([worse.headline, worse.trend]).toEqual([`The judges of trip got worse: ${lower}`, 'worse']);
    expect(JSON.stringify([worse.blocks, steady.blocks])).not.toContain('configurations');
  });

  test('says below the table what the configurations of another benchmark came to', () => {
    const other = {
      ...aHistory('way', [64, 60], { ...compared, against: 'way-1' }),
      lead: trip(none, 'unknown').lead,
    };
    const { headline, blocks } = digestOf(other, trip(lower, 'worse'));
    expect(headline).toBe(`The judges of trip got worse: ${lower}`);
    expect(blocks).toContainEqual({ kind: 'text', text: `The judges of way: ${none}` });
  });
});

describe('whose votes a digest tells of', () => {
  const many = [
    counted(30, [3, 0]),
    counted(25, [3, 0], { kind: 'judge', subject: 'auditor@openai/gpt-4o-mini' }),
  ];

  test('is said, and what was counted of others is not compared with it', () => {
    const here = composeDigest(someData({ counts: many }));
    expect(here.digest.headline).toContain('settled by votes in this conversation');
    const later = someData({ counts: [counted(60, [3, 0])], last: here.snapshot });
    expect(blockOf(composeDigest(later).digest.blocks, 'facts')?.title).toBe(
      'Spot checks and votes in this conversation since',
    );
    const { digest } = composeDigest({ ...later, scope: 'everywhere' });
    expect(digest.headline).toBe(
      'People agree with 100 % of 60 verdicts settled by votes in all conversations (94–100 %).',
    );
    expect(blockOf(digest.blocks, 'facts')?.title).toBe('Spot checks and votes in all conversations so far');
    // A snapshot of an earlier version, in which one vote settled a verdict, says nothing of it.
    const { basis, ...old } = here.snapshot;
    expect(basis).toBe(LABELS_OF.here);
    expect(blockOf(composeDigest({ ...later, last: old }).digest.blocks, 'facts')?.title).toBe(
      'Spot checks and votes in this conversation so far',
    );
  });

  test('names judges by their titles, and only those with enough votes', () => {
    const counts = [...many, counted(19, [3, 0], { kind: 'judge', subject: '@openai/gpt-4o' })];
    expect(blockOf(composeDigest(someData({ counts })).digest.details, 'table')).toMatchObject({
      title: 'How often people agree with each judge in this conversation',
      rows: [['Auditor (openai/gpt-4o-mini)', '100 %', '87–100 %', '25']],
    });
  });

  test('says with a benchmark, in the thread, that votes are no random sample', () => {
    const texts = (counts: DigestData['counts']) =>
      composeDigest(someData({ counts, benchmarks: [aHistory('trip', [80])] })).digest.details.flatMap(
        (block) => (block.kind === 'text' ? [block.text] : []),
      );
    expect(texts([counted(26, [3, 0]), counted(4, [0, 3])])).toContain(
      'People agreed with 87 % of the 30 verdicts in this conversation that they voted on; not a random sample',
    );
    expect(texts([counted(19, [3, 0])]).join()).not.toContain('random');
  });

  test('counts what was found better by the names of the answers, or not at all', () => {
    const counts = [
      counted(3, [0, 0], { decision: 'B' }),
      counted(1, [0, 0], { decision: 'A' }),
      counted(1, [0, 0], { decision: 'same' }),
    ];
    const checks = (preferred: Record<string, number>, isAll: boolean) => {
      const { recent } = someData();
      const { digest } = composeDigest(someData({ counts, recent: { ...recent, preferred, isAll } }));
      return blockOf(digest.blocks, 'facts')?.facts[0]?.value;
    };
    expect(checks({ New: 3, Old: 1 }, true)).toBe('5 (3 for New, 1 for Old, 1 tied)');
    expect(checks({ New: 2 }, false)).toBe('5 (5 of two answers)');
  });

  test('says no share of a few verdicts, and nothing of ties that are not there', () => {
    const facts = (...counts: DigestData['counts']) =>
      blockOf(composeDigest(someData({ counts })).digest.blocks, 'facts')?.facts ?? [];
    expect(facts(counted(1, [3, 0]))).toContainEqual({ label: 'All verdicts settled by votes', value: '1' });
    expect(facts(counted(1, [3, 0]), counted(2, [2, 2, 1]))).toContainEqual({
      label: 'All verdicts settled by votes',
      value: '1; 2 ties; 2 “unsure” votes',
    });
    expect(JSON.stringify(facts(counted(1, [0, 0])))).not.toContain('settled');
  });
});

describe('a digest of benchmarks', () => {
  const compared = (gained: number, lost: number) => ({
    against: 'trip-1',
    gained,
    lost,
    n: 100,
    cases: 100,
    regressions: Array.from({ length: lost }, (_, n) => aRegression(`c${n}`, n % 3 === 0 ? 'cost' : 'time')),
  });

  test('is worse where clearly more cases were lost than gained', () => {
    const { digest } = composeDigest(someData({ benchmarks: [aHistory('trip', [90, 80], compared(2, 12))] }));
    // (2.5 − 12.5) / 102 = −0.0980 ± 1.96 · √(15 − 100/102) / 102 = 0.0719, by hand.
    expect(digest.headline).toBe(
      'Worse: the judges agree with the labels on 80 % of 100 trials of trip, −10.0 points since the last digest (95 % interval −17.0 to −2.6).',
    );
    expect(blockOf(digest.blocks, 'facts')).toMatchObject({
      title: '12 regressions by error type',
      facts: [
        { label: 'time', value: '8' },
        { label: 'cost', value: '4' },
      ],
    });
    expect(blockOf(digest.details, 'list')).toMatchObject({ more: 2, title: 'Right before, wrong now' });
    expect(JSON.stringify(digest.details)).toContain('jury bench compare trip-1 trip-2');
  });

  test('whose cases are each judged five times knows no more than that many cases tell', () => {
    const { runs } = aHistory('trip', [90, 80]);
    const repeated = {
      name: 'trip',
      subject: 'judges' as const,
      runs: runs.map((run) => ({ ...run, cases: 20 })),
      compared: { ...compared(2, 12), cases: 20 },
    };
    const { digest } = composeDigest(someData({ benchmarks: [repeated] }));
    // 0.4 gained and 2.4 lost of 20: (0.9 − 2.9) / 22 = −0.0909 ± 1.96 · √(3.8 − 4/22) / 22 = 0.1695, by hand.
    expect(digest.headline).toBe(
      'Not clear yet: the judges agree with the labels on 80 % of 100 trials of trip, −10.0 points since the last digest (95 % interval −26.0 to +7.9).',
    );
    // Wilson's interval of 16 of 20, by hand: 0.5840 to 0.9193.
    expect(blockOf(digest.blocks, 'table')?.rows[0]?.slice(1, 4)).toEqual(['80 %', '58–92 %', '100']);
  });

  test('of which judges answered nothing this time is right on no share, not on 0 %', () => {
    const { runs } = aHistory('trip', [90, 0]);
    const silent = runs.map((run, n) => (n === 1 ? { ...run, n: 0, cases: 0 } : run));
    const { digest } = composeDigest(
      someData({ benchmarks: [{ name: 'trip', subject: 'judges', runs: silent, compared: null }] }),
    );
    expect(blockOf(digest.blocks, 'table')?.rows[0]?.slice(1, 4)).toEqual([
      '–',
      'no interval: there is no case',
      '0',
    ]);
  });

  test('puts what got worse first and counts the others', () => {
    const { digest } = composeDigest(
      someData({
        benchmarks: [
          aHistory('calm', [80, 80], compared(1, 1)),
          aHistory('up', [50, 80], compared(30, 0)),
          aHistory('down', [80, 50], compared(0, 30)),
        ],
      }),
    );
    expect(digest.headline).toMatch(
      /^Worse: the judges .* of down, .*; 1 other got better, 1 other held steady\.$/,
    );
  });

  test('stands beside the last digest and the best so far', () => {
    const { digest } = composeDigest(
      someData({ benchmarks: [aHistory('trip', [95, 90, 91], compared(3, 2))] }),
    );
    const table = blockOf(digest.blocks, 'table');
    expect(table?.rows[0]?.slice(0, 2)).toEqual(['trip', '91 %']);
    expect(table?.rows[0]?.slice(5)).toEqual(['95 %', '$0.50']);
    expect(blockOf(digest.blocks, 'trend')?.series).toEqual([{ name: 'trip', values: [95, 90, 91] }]);
  });
});

describe('benchmarks that a digest had run', () => {
  const trip = aHistory('trip', [80]);
  const last = {
    at: saturday - 1,
    labels: composeDigest(someData()).snapshot.labels,
    runs: { trip: 'trip-1' },
    basis: LABELS_OF.here,
  };

  test('say nothing where all went well, so that a quiet week stays quiet', () => {
    const outcomes = [{ kind: 'complete', name: 'trip', run: 'trip-1', trials: 100, unanswered: 0 } as const];
    expect(composeDigest(someData({ last, benchmarks: [trip], outcomes })).digest.quiet).toBe(true);
  });

  test('are listed with the reason where they came to no end, and what they cost all the same', () => {
    const { digest } = composeDigest(
      someData({
        last,
        benchmarks: [trip],
        outcomes: [
          {
            kind: 'incomplete',
            name: 'trip',
            run: 'trip-2',
            trials: 31,
            planned: 60,
            costUsd: 0.5,
            why: 'the run budget is spent',
          },
          { kind: 'not-run', name: 'night', why: 'Cannot read night.jsonl: there is no such file.' },
          { kind: 'complete', name: 'day', run: 'day-1', trials: 60, unanswered: 3 },
        ],
      }),
    );
    expect(digest.quiet).toBe(false);
    expect(digest.headline).toMatch(/; trip, night did not finish\.$/);
    expect(blockOf(digest.blocks, 'facts')).toEqual({
      kind: 'facts',
      title: 'Benchmarks that need attention',
      facts: [
        {
          label: 'trip',
          value: 'run trip-2 left out, stopped after 31 of 60 trials: the run budget is spent',
        },
        { label: 'night', value: 'could not run: Cannot read night.jsonl: there is no such file.' },
        {
          label: 'day',
          value: 'judges did not answer in 3 of 60 trials',
        },
      ],
    });
    const facts = digest.blocks.flatMap((block) => (block.kind === 'facts' ? block.facts : []));
    expect(facts).toContainEqual({ label: 'Cost of the benchmark runs', value: '$0.50' });
  });
});

test('points of a chart are days, or hours where a benchmark ran twice in a day', () => {
  const at = (run: number, hour: number) => ({
    name: `a-${run}`,
    at: hour * 3_600_000,
    correct: run,
    n: 4,
    cases: 4,
    costUsd: 0,
  });
  const trendOf = (...benchmarks: DigestData['benchmarks']) =>
    blockOf(composeDigest(someData({ timezone: 'UTC', benchmarks })).digest.blocks, 'trend');
  const weekly = { name: 'a', subject: 'judges' as const, compared: null, runs: [at(1, 9), at(2, 33)] };
  const other = { name: 'b', subject: 'judges' as const, compared: null, runs: [at(3, 10), at(4, 34)] };
  expect(trendOf(weekly, other)).toMatchObject({
    categories: ['1 Jan', '2 Jan'],
    series: [
      { name: 'a', values: [25, 50] },
      { name: 'b', values: [75, 100] },
    ],
  });
  const twice = { name: 'c', subject: 'judges' as const, compared: null, runs: [at(1, 9), at(2, 12)] };
  expect(trendOf(weekly, twice)).toMatchObject({
    categories: ['1 Jan, 9h', '1 Jan, 12h', '2 Jan, 9h'],
    series: [
      { name: 'a', values: [25, null, 50] },
      { name: 'c', values: [25, 50, null] },
    ],
  });
  // The year is left out where it is the same everywhere.
  const years = { name: 'd', subject: 'judges' as const, compared: null, runs: [at(1, 9), at(2, 8_800)] };
  expect(trendOf(years)).toMatchObject({ categories: ['1 Jan 1970', '2 Jan 1971'] });
});

test('a chart says how many benchmarks it has no room for', () => {
  const titleOf = (count: number) => {
    const benchmarks = Array.from({ length: count }, (_, n) => aHistory(`b${n}`, [80, 90]));
    return blockOf(composeDigest(someData({ benchmarks })).digest.blocks, 'trend')?.title;
  };
  expect(titleOf(6)).toBe('Right decisions by run, %');
  expect(titleOf(8)).toBe('Right decisions by run, %; the first 6 of 8');
});

test('in a channel that votes blind neither decisions nor votes of single verdicts are shown', () => {
  const { digest } = composeDigest(
    someData({
      counts: [counted(1, [2, 2])],
      recent: {
        hidden: 0,
        blind: true,
        preferred: {},
        disputed: [{ title: '“Find me sushi”', agree: 1, disagree: 1, link: 'https://x.test/1' }],
        read: 1,
        isAll: true,
        costUsd: 0,
        unpriced: 0,
      },
    }),
  );
  expect(blockOf(digest.details, 'list')?.items).toEqual([
    { text: '“Find me sushi”', link: 'https://x.test/1' },
  ]);
  expect(blockOf(digest.blocks, 'facts')?.facts[0]).toEqual({ label: 'Spot checks', value: '1' });
});

test('a late digest says when it was due, in its time zone', () => {
  const { digest } = composeDigest(someData({ late: true }));
  expect(digest.note).toBe('Late: this digest was due on 21 Nov 2026, 10:00 (Europe/Berlin).');
});
