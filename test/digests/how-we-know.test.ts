import { describe, expect, test } from 'vitest';
import { composeDigest } from '../../src/digests/compose-digest.ts';
import { type DigestBlock, type DigestData, LABELS_OF, labelTotals } from '../../src/digests/digest.ts';
import type { AssistantChange, AssistantReport } from '../../src/reports/assistant/assistant-report.ts';
import { wordsIn } from '../../src/words/words.ts';
import { saturday } from '../support/store-builders.ts';
import { aGroup, aHistory, anAssistant, aRegression, counted, someData } from './world.ts';

/** The section of a digest that says how each number is known, as label and value. */
const known = (parts: Partial<DigestData>): [string, string][] =>
  composeDigest(someData(parts)).known.flatMap((block) =>
    block.kind === 'facts' ? block.facts.map(({ label, value }): [string, string] => [label, value]) : [],
  );

const interval = (low: number, high: number, by: 'wilson' | 'paired' | 'newcombe' | 'ranks') =>
  ({ defined: true, n: 100, low, high, level: 0.95, by }) as const;

const inBoth = (text: string) => ({ en: text, de: text });

test('each number of a digest about judges is told with its n, source and assumption', () => {
  const compared = { against: 'trip-1', gained: 2, lost: 12, n: 100, cases: 100, regressions: [] };
  const trip = {
    ...aHistory('trip', [90, 80], compared),
    lead: { text: inBoth('No change beyond chance among 24 configurations.'), trend: 'unknown' as const },
  };
  expect(known({ benchmarks: [trip] })).toMatchInlineSnapshot(`
    [
      [
        "trip: the judges agree with the labels on 80 % (71–87 %)",
        "100 trials. From run trip-2. Right only if the labels are right. Keep in mind: a trial without a decision counts as wrong. (range after Wilson)",
      ],
      [
        "trip: $0.50",
        "All calls of the run. From run trip-2; tokens times prices. Right only if the prices that are set are those that are paid. Keep in mind: answers from the cache cost nothing.",
      ],
      [
        "trip: −10.0 points since the last digest (95 % interval −17.0 to −2.6)",
        "100 trials, in both runs. From runs trip-1 and trip-2. Right only if cases do not depend on each other, or only within their groups. Keep in mind: the same cases and configurations in both (checked). (range after Agresti and Min)",
      ],
      [
        "The judges of trip: No change beyond chance among 24 configurations",
        "100 trials, in both runs. From runs trip-1 and trip-2. Right only if cases do not depend on each other, or only within their groups. Keep in mind: it allows for all configurations that are looked at. (adjusted after Holm)",
      ],
      [
        "trip: best so far 90 %",
        "100 trials. From run trip-1. Keep in mind: the best of several runs looks better than it is.",
      ],
      [
        "Right decisions by run, %: trip 90 → 80",
        "That of each point. From each point for itself, as it was counted then. Keep in mind: judges, prompts and requests may have changed between points.",
      ],
      [
        "Spot checks and votes in this conversation so far",
        "Spot checks none; Votes 0; Cost of the spot checks $0; Cost of the benchmark runs $0.50. From what was judged and voted on in this conversation; costs are tokens times prices. Right only if the prices that are set are those that are paid.",
      ],
    ]
  `);
});

test('so are those about an assistant and about votes', () => {
  expect(
    known({ benchmarks: [anAssistant('nightly')], counts: [counted(26, [3, 0]), counted(4, [0, 3])] }),
  ).toMatchInlineSnapshot(`
    [
      [
        "nightly: 81 % of 100 answers pass (72–87)",
        "100 answers decided of 100. From run nightly-2, judged by mab with rules. Keep in mind: this is what judges say, and they can be wrong. (range after Wilson)",
      ],
      [
        "nightly: 6 points less than nightly-1 (−10 to −2)",
        "100 requests compared: Build 2 against 1 · same 100 requests, same judges. From runs nightly-1 and nightly-2. Keep in mind: judges’ errors make a true change look smaller; judges, prompts and rubric are the same in both (checked). (range after Agresti and Min)",
      ],
      [
        "nightly: How many answers truly pass is not known",
        "100 answers. From nothing yet: nothing is known. Keep in mind: votes and labels of chosen answers say nothing about the others.",
      ],
      [
        "People agree with 87 % (70–95 %)",
        "30 verdicts settled by votes. From votes in this conversation (three votes or more, more than half of them on one side). Keep in mind: people vote on what they choose or are shown, which is no random sample of what is judged. (range after Wilson)",
      ],
      [
        "Answers that pass by run, %: nightly 87 → 81",
        "That of each point. From each point for itself, as it was counted then. Keep in mind: judges, prompts and requests may have changed between points.",
      ],
      [
        "Spot checks and votes in this conversation so far",
        "Spot checks 30 (30 fail); Votes 90; All verdicts settled by votes 30, and people agree with 87 % of them (70–95 %); Cost of the spot checks $0; Cost of the benchmark runs $0.50. From what was judged and voted on in this conversation; costs are tokens times prices. Right only if the prices that are set are those that are paid.",
      ],
    ]
  `);
});

test('a digest in which all is counted has no such section', () => {
  expect(known({ counts: [counted(3, [3, 0])] })).toEqual([]);
});

/** A change since `run`, on other requests than before. */
const others: Partial<AssistantChange> = {
  requests: { shared: 0, onlyNow: 243, onlyThen: 251, sameAnswer: 0 },
  mix: { adjusted: ['language'], unadjusted: [], leftOut: 7 },
  difference: { value: -0.14, n: 236, interval: interval(-0.21, -0.058, 'newcombe'), trend: 'worse' },
};

/** A change on requests of which some are the same, with the change of the true rate. */
const partly: Partial<AssistantChange> = {
  requests: { shared: 117, onlyNow: 126, onlyThen: 134, sameAnswer: 61 },
  difference: { value: -0.08, n: 111, interval: interval(-0.13, -0.033, 'paired'), trend: 'worse' },
  corrected: { value: -0.09, n: 48, interval: interval(-0.19, 0.011, 'newcombe'), trend: 'unknown' },
  unchanged: { n: 61, flipped: 5 },
  failing: [
    { ...aGroup('Time', 12), shared: { tag: 'weekday', value: 'sunday', n: 8 } },
    aGroup('Cost', 3),
    ...['One', 'Two', 'Three', 'Four'].map((title) => aGroup(title, 2)),
  ],
  passing: [aGroup('Cuisine', 4)],
};

const decided = {
  run: 'nightly-now',
  builds: ['blue'],
  answers: 243,
  decided: 228,
  rate: {
    kind: 'pass' as const,
    measure: { defined: true as const, value: 0.66, n: 228 },
    interval: interval(0.598, 0.717, 'wilson'),
  },
};
const labels = { tp: 140, fp: 22, fn: 17, tn: 49 };
const estimate = {
  measure: { defined: true as const, value: 0.632, n: 228 },
  interval: interval(0.549, 0.708, 'wilson'),
};
const latency = {
  n: 219,
  median: 1340,
  interval: interval(1210, 1480, 'ranks'),
  slowest: [9120, 7350].map((ms) => ({ caseId: 'c', request: 'a request', ms })),
};
const slices = {
  tag: 'language',
  values: [
    {
      value: 'German',
      values: 1,
      decided: 83,
      rate: {
        measure: { defined: true as const, value: 0.518, n: 83 },
        interval: interval(0.412, 0.624, 'wilson'),
      },
      difference: { value: -0.173, n: 83, interval: interval(-0.302, -0.043, 'paired') },
      isWorse: true,
    },
  ],
};
const blockers = {
  groups: [{ ...aGroup('Safety', 16), keys: Array.from({ length: 16 }, (_, n) => String(n)) }],
  others: { now: 18, before: 19 },
};
const flips = { defined: true, value: 0.037, n: 228 } as const;
const then = { run: 'nightly-then', builds: ['green'] };

function twoChanges(
  first: Partial<AssistantChange>,
  second: Partial<AssistantChange>,
  parts: Partial<AssistantReport>,
) {
  const [one, other] = [first, second].map((change) => anAssistant('nightly', change, parts));
  const changes = [one, other].flatMap((history) => history?.report.changes ?? []);
  return anAssistant('nightly', {}, { ...parts, changes });
}

const votes = [counted(45, [3, 0]), counted(16, [0, 3]), counted(2, [2, 2]), counted(9, [0, 0, 1])];
const byJudge = [
  counted(31, [3, 0], { kind: 'judge', subject: 'auditor@rules' }),
  counted(6, [0, 3], { kind: 'judge', subject: 'auditor@rules' }),
];
const earlier = [
  counted(22, [3, 0]),
  counted(3, [0, 3]),
  counted(27, [3, 0], { kind: 'judge', subject: 'auditor@rules' }),
];
const since = (runs: Record<string, string> = {}) => ({
  at: Date.UTC(2026, 10, 16, 9),
  labels: labelTotals(earlier),
  runs,
  basis: LABELS_OF.here,
});
const recent = { ...someData().recent, hidden: 14, costUsd: 1.23, unpriced: 2, read: 33 };

const trip = {
  ...aHistory('trip', [91, 79], {
    against: 'trip-then',
    gained: 2,
    lost: 14,
    n: 97,
    cases: 53,
    regressions: [aRegression('a', 'time'), aRegression('b', 'time'), aRegression('c', 'place')],
  }),
  lead: {
    text: inBoth('F1 is lower by 0.188 (−0.271 to −0.099): 0.913 before, 0.725 after, on 88 cases.'),
    trend: 'worse' as const,
  },
};
const way = aHistory('way', [64], null);

const digests: [string, Partial<DigestData>][] = [
  [
    'an assistant whose answers people checked, with a baseline, some other requests and votes',
    {
      benchmarks: [
        twoChanges(
          { ...then, ...partly },
          { run: 'release', builds: [], baseline: 'spring', ...others },
          {
            ...decided,
            slices,
            blockers,
            truth: { source: 'sample', n: 41, unchecked: 13, unsure: 0, unseen: [], ...estimate },
            flips,
            latency,
          },
        ),
      ],
      counts: [...votes, ...byJudge],
      last: since({ nightly: 'nightly-then' }),
      recent,
    },
  ],
  [
    'an assistant with other requests each week, some labels and groups',
    {
      benchmarks: [
        anAssistant(
          'nightly',
          { ...then, ...others },
          {
            ...decided,
            labels,
            independent: { passed: 81, agreed: 73, right: 60, wrong: 30 },
            truth: {
              source: null,
              why: 'it needs labels of all answers, or of 20 that were drawn by chance',
            },
          },
        ),
      ],
      last: since({ nightly: 'nightly-then' }),
    },
  ],
  [
    'an assistant all of whose answers are labeled',
    {
      benchmarks: [
        anAssistant('nightly', then, {
          ...decided,
          labels,
          truth: { source: 'labels', n: 228, ...estimate },
        }),
      ],
    },
  ],
  [
    'an assistant whose judges are known from other runs, beside one that was not comparable',
    {
      benchmarks: [
        anAssistant(
          'nightly',
          { ...then, obstacles: ['judges decided 71 % of the answers, not 94 %'], difference: null },
          {
            ...decided,
            truth: {
              source: 'other-samples',
              n: 129,
              unchecked: 23,
              unsure: 0,
              unseen: [],
              runs: 6,
              ...estimate,
            },
          },
        ),
        anAssistant('daily', then, { ...decided, run: 'daily-now' }),
        anAssistant('hourly', then, { ...decided, run: 'hourly-now' }),
      ],
      last: since(),
    },
  ],
  [
    'an assistant that is steady, and the mean of its scores',
    {
      benchmarks: [
        anAssistant(
          'nightly',
          {
            ...then,
            difference: {
              value: 0.004,
              n: 237,
              interval: interval(-0.019, 0.031, 'paired'),
              trend: 'steady',
            },
          },
          { ...decided, builds: [] },
        ),
      ],
    },
  ],
  [
    'an assistant with scores',
    {
      benchmarks: [
        anAssistant(
          'nightly',
          {
            ...then,
            difference: { value: -0.34, n: 237, interval: interval(-0.52, -0.17, 'paired'), trend: 'worse' },
          },
          {
            ...decided,
            rate: {
              ...decided.rate,
              kind: 'score',
              measure: { defined: true, value: 3.42, n: 228 },
              interval: interval(3.31, 3.57, 'wilson'),
            },
          },
        ),
      ],
    },
  ],
  [
    'two answers to each request',
    {
      benchmarks: [
        anAssistant(
          'nightly',
          {},
          {
            preference: {
              names: ['Old', 'New'],
              A: 7,
              B: 24,
              same: 9,
              changed: { n: 5, of: 118 },
              share: {
                measure: { defined: true, value: 24 / 31, n: 31 },
                interval: interval(0.602, 0.886, 'wilson'),
              },
              pValue: { defined: true, value: 0.0033, n: 31 },
            },
            changes: [],
          },
        ),
      ],
    },
  ],
  [
    'judges that got worse, with configurations, a second benchmark, and a run that did not finish',
    {
      benchmarks: [trip, way],
      counts: [...votes, ...byJudge],
      last: since({ trip: 'trip-then' }),
      recent,
      outcomes: [
        { name: 'trip', kind: 'complete', run: 'trip-2', unanswered: 11, trials: 306 },
        {
          name: 'far',
          kind: 'incomplete',
          run: 'far-now',
          trials: 37,
          planned: 512,
          why: 'no budget',
          costUsd: 0.77,
        },
      ],
    },
  ],
  ['judges that ran for the first time', { benchmarks: [way], last: since() }],
  ['votes since the last digest', { counts: [...votes, ...byJudge], last: since(), recent }],
  ['votes', { counts: votes, recent }],
];

/** Numbers that are figures: not those of dates, of quoted texts, and of how to read intervals. */
const numbersIn = (text: string): string[] =>
  text
    .replaceAll(
      /“[^”]*”|„[^“]*“|\b95 % interval|95-%-Spanne|1 of 20 such tables|eine von 20 solchen|fewer than \d+ answers are counted|weniger als \d+ Antworten|compared from \d+ on|erst ab \d+|\d+\.? Nov\.? 2026(?:, \d\d:\d\d)?/g,
      '',
    )
    .match(/\d+(?:[.,]\d+)*/g) ?? [];

/** What a part says in figures. Single answers and verdicts are no figures. */
function textsOf(block: DigestBlock): string[] {
  switch (block.kind) {
    case 'text':
      return [block.text];
    case 'facts':
      return [block.title, ...block.facts.map(({ label, value }) => `${label}: ${value}`)];
    case 'table':
      return block.rows.flatMap((row) => row.slice(1));
    case 'trend':
      return block.series.flatMap(({ values }) => values.map(String));
    case 'cases':
      return [block.title];
    case 'list':
      return [];
  }
}

describe.each(
  digests.flatMap(([what, parts]) =>
    (['en', 'de'] as const).map((language) => [what, language, parts] as const),
  ),
)('of a digest about %s, in the language %s', (_what, language, parts) => {
  const { digest, known: page } = composeDigest(someData({ now: saturday, language, ...parts }));
  const explained = new Set(page.flatMap(textsOf).flatMap(numbersIn));
  const isHow = (block: DigestBlock) =>
    block.kind === 'facts' && block.title === wordsIn(language).known.title;

  test('each number of headline, message and thread is in a row', () => {
    const printed = [
      digest.headline,
      ...[...digest.blocks, ...digest.details].filter((block) => !isHow(block)).flatMap(textsOf),
    ];
    const missing = printed
      .map((text) => ({ text, numbers: numbersIn(text).filter((number) => !explained.has(number)) }))
      .filter(({ numbers }) => numbers.length > 0);
    expect(missing).toEqual([]);
    expect(printed.flatMap(numbersIn).length).toBeGreaterThan(5);
  });

  test('each row has n, source and assumption, and no text of a case', () => {
    for (const block of page)
      for (const { label, value } of block.kind === 'facts' ? block.facts : []) {
        expect(value).toMatch(
          /^.+\. (?:From|Quelle:) .+\. (?:Right only if|Keep in mind:|Stimmt nur, wenn|Zu beachten:) .+$/,
        );
        expect(`${label} ${value}`).not.toMatch(/why of|reason \d|request \d|a request/);
      }
  });
});
