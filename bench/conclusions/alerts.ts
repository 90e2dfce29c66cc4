import {
  type AlertFigures,
  type AlertNews,
  type AlertRule,
  isBeyond,
  readRule,
} from '../../src/digests/alert.ts';
import { countRun, watchOf } from '../../src/digests/alert-watch.ts';
import type { Unit } from '../../src/statistics/betting.ts';
import { logFactorial } from '../../src/statistics/distributions.ts';
import type { Bin } from '../../src/statistics/measure.ts';
import { createRandom, type Random } from '../../src/statistics/random.ts';
import type { ConclusionRow } from './row.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const START = Date.UTC(2026, 0, 1);

type Sample = AlertFigures['sample'];
/** What a look finds: the value of the rule's measure, and what the test counts. */
type Look = { value: number } & Partial<Sample>;
type Draw = (look: number) => Look;

const nothing: Sample = {
  yardstick: {},
  dataset: '',
  cases: 1,
  fresh: 1,
  isFixed: false,
  passes: [],
  decided: [],
  scores: null,
  drifts: null,
  latencies: [],
};
const NONE = { 'pass-rate': null, mean: null, change: null, coverage: null, latency: null, blocker: null };

/** What an alert says over some looks at equal distances, by the number of the look. */
function postsOf(
  rule: AlertRule,
  draw: Draw,
  {
    looks,
    apartMs = YEAR_MS / looks,
    isWrong: startsWrong = false,
  }: { looks: number; apartMs?: number; isWrong?: boolean },
): (AlertNews & { look: number })[] {
  const posts: (AlertNews & { look: number })[] = [];
  let watch = watchOf({ since: START }, null, null);
  let isWrong = startsWrong;
  for (let look = 1; look <= looks; look += 1) {
    const { value, ...found } = draw(look);
    const counted = countRun(rule, watch, isWrong, {
      run: `run-${look}`,
      at: START + look * apartMs,
      figures: { ...NONE, [rule.measure]: { value, low: value, high: value } },
      sample: { ...nothing, ...found },
    });
    watch = counted.watch;
    if (counted.news === null) continue;
    isWrong = counted.news.isWrong;
    posts.push({ ...counted.news, look });
  }
  return posts;
}

/** How many of `n` answers pass, drawn with one random number from the binomial distribution. */
function passesOf(n: number, chance: number): (random: Random) => number {
  if (chance >= 1) return () => n;
  const upTo: number[] = [];
  let sum = 0;
  for (let passes = 0; passes <= n; passes += 1) {
    const ways = logFactorial(n) - logFactorial(passes) - logFactorial(n - passes);
    sum += Math.exp(ways + passes * Math.log(chance) + (n - passes) * Math.log1p(-chance));
    upTo.push(sum);
  }
  return (random) => {
    const drawn = random.fraction() * sum;
    let [low, high] = [0, n];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 1) > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

const answers = (passes: number, n: number): Bin<Unit>[] => [
  { value: { total: 1, n: 1 }, items: passes },
  { value: { total: 0, n: 1 }, items: n - passes },
];

/** Requests drawn anew for each look. */
function fresh(n: number, chance: number) {
  const passes = passesOf(n, chance);
  return (random: Random): Look => {
    const passing = passes(random);
    return { value: passing / n, passes: answers(passing, n) };
  };
}

/** The same requests at each look, answered anew: half of them are always right, others seldom. The mean of their chances is 0.9. */
function fixed(n: number) {
  const groups = [
    { share: 0.5, chance: 1 },
    { share: 0.2, chance: 0.95 },
    { share: 0.2, chance: 0.8 },
    { share: 0.1, chance: 0.5 },
  ].map(({ share, chance }) => passesOf(Math.round(share * n), chance));
  return (random: Random): Look => {
    const passing = groups.reduce((sum, passes) => sum + passes(random), 0);
    return { value: passing / n, passes: answers(passing, n) };
  };
}

/**
 * Forty conversations of 1 to 11 answers, 242 in all. In a third of them all answers are alike; in the others each passes or fails by itself.
 */
const conversations =
  (chance: number) =>
  (random: Random): Look => {
    const units = Array.from({ length: 40 }, (_, at): Unit => {
      const n = 1 + ((at * 7) % 11);
      const isAlike = at % 3 === 0;
      if (isAlike) return { total: random.fraction() < chance ? n : 0, n };
      let total = 0;
      for (let answer = 0; answer < n; answer += 1) if (random.fraction() < chance) total += 1;
      return { total, n };
    });
    const [total, n] = units.reduce(([passing, all], one) => [passing + one.total, all + one.n], [0, 0]);
    return { value: total / n, passes: units.map((value) => ({ value, items: 1 })) };
  };

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());

/** Response times of 240 answers, spread as they are by a factor of two around their median. */
const latencies =
  (medianMs: number) =>
  (random: Random): Look => {
    const times = Array.from({ length: 240 }, () => medianMs * Math.exp(0.7 * normal(random))).sort(
      (a, b) => a - b,
    );
    return { value: ((times[119] ?? 0) + (times[120] ?? 0)) / 2, latencies: times.map((ms) => [ms]) };
  };

/** Scores of 240 answers from 1 to 5, in halves as of two judges. */
const scores =
  (mean: number) =>
  (random: Random): Look => {
    const values = Array.from({ length: 240 }, () => {
      let above = 0;
      for (let half = 0; half < 8; half += 1) if (random.fraction() < (mean - 1) / 4) above += 0.5;
      return 1 + above;
    });
    return {
      value: values.reduce((sum, score) => sum + score, 0) / 240,
      scores: {
        units: values.map((total) => ({ value: { total, n: 1 }, items: 1 })),
        range: { min: 1, max: 5 },
      },
    };
  };

/** The same 240 requests as the baseline's, of which 216 passed there and now pass more seldom, and 24 failed and now sometimes pass. */
function changes(difference: number) {
  const [kept, gained] = [passesOf(216, 1 + (difference - 0.04) / 0.9), passesOf(24, 0.4)];
  return (random: Random): Look => {
    const [lost, won] = [216 - kept(random), gained(random)];
    return {
      value: (won - lost) / 240,
      drifts: {
        baseline: 'release',
        units: [
          { value: { total: -1, n: 1 }, items: lost },
          { value: { total: 1, n: 1 }, items: won },
          { value: { total: 0, n: 1 }, items: 240 - lost - won },
        ],
      },
    };
  };
}

const below90 = readRule('below 90 %');

/** The share of years in which an alert is posted. */
function alerted(
  what: string,
  years: number,
  rule: AlertRule,
  draw: (random: Random) => Look,
  looks: number,
) {
  let found = 0;
  for (let year = 0; year < years; year += 1) {
    const random = createRandom('alerts', what, year);
    if (postsOf(rule, () => draw(random), { looks }).length > 0) found += 1;
  }
  return found / years;
}

/** How soon something is said after a change: its share within some weeks, and the weeks until half of them and nine tenths are said. */
function soon(
  what: string,
  years: number,
  {
    rule = below90,
    before,
    after,
    within,
    isWrong = false,
  }: {
    rule?: AlertRule;
    before: ((random: Random) => Look) | null;
    after: (random: Random) => Look;
    within: number;
    isWrong?: boolean;
  },
): ConclusionRow {
  const calm = before === null ? 0 : 12;
  const weeks: number[] = [];
  for (let year = 0; year < years; year += 1) {
    const random = createRandom('alerts', what, year);
    const draw: Draw = (look) => (look <= calm && before !== null ? before(random) : after(random));
    const [first] = postsOf(rule, draw, { looks: calm + 40, apartMs: 7 * DAY_MS, isWrong }).filter(
      ({ look }) => look > calm,
    );
    weeks.push(first === undefined ? Number.POSITIVE_INFINITY : first.look - calm);
  }
  weeks.sort((a, b) => a - b);
  const at = (share: number) => weeks[Math.ceil(share * years) - 1];
  return {
    what: `${what}: within ${within} weeks (half of them within ${at(0.5)}, nine tenths within ${at(0.9)})`,
    value: weeks.filter((week) => week <= within).length / years,
    from: 0.9,
    to: 1,
  };
}

/** Alerts as they are decided, over many years. @param years of each row */
export function alerts(years: number): ConclusionRow[] {
  const quiet = (
    what: string,
    rule: AlertRule,
    draw: (random: Random) => Look,
    looks: number,
  ): ConclusionRow => ({
    what: `a false alert in a year: ${what}, ${looks} looks`,
    value: alerted(what, years, rule, draw, looks),
    from: 0,
    to: 0.05,
  });
  const onTheLimit = [52, 365].flatMap((looks) =>
    [100, 240, 1000].flatMap((n) => [
      quiet(`${n} fresh requests on the limit`, below90, fresh(n, 0.9), looks),
      quiet(`${n} fixed requests with their mean on the limit`, below90, fixed(n), looks),
    ]),
  );
  const others = [
    quiet('conversations on the limit', below90, conversations(0.9), 52),
    quiet('latency with its median on the limit', readRule('latency above 2 s'), latencies(2000), 52),
    quiet('scores on the limit', readRule('mean below 3.5'), scores(3.5), 52),
    quiet(
      '3 points worse than the baseline, the limit',
      readRule('worse than baseline by 3 points'),
      changes(-0.03),
      52,
    ),
  ];
  const found = [
    soon('a fall from 95 to 80 % of 240 fresh answers', years, {
      before: fresh(240, 0.95),
      after: fresh(240, 0.8),
      within: 4,
    }),
    soon('80 % from the first week on', years, { before: null, after: fresh(240, 0.8), within: 4 }),
    soon('a fall from 95 to 85 % of 240 fresh answers', years, {
      before: fresh(240, 0.95),
      after: fresh(240, 0.85),
      within: 8,
    }),
    {
      ...soon('240 fixed requests that answer alike each week, 85 % right', 1, {
        before: null,
        after: () => ({ value: 0.85, passes: answers(204, 240) }),
        within: 8,
      }),
      from: 1,
    },
    soon('conversations that fall from 95 to 80 %', years, {
      before: conversations(0.95),
      after: conversations(0.8),
      within: 8,
    }),
    soon('a median latency that rises from 1.8 to 2.4 s', years, {
      rule: readRule('latency above 2 s'),
      before: latencies(1800),
      after: latencies(2400),
      within: 8,
    }),
    soon('a mean score that falls from 3.8 to 3.2', years, {
      rule: readRule('mean below 3.5'),
      before: scores(3.8),
      after: scores(3.2),
      within: 8,
    }),
    soon('10 points worse than the baseline, with a limit of 3', years, {
      rule: readRule('worse than baseline by 3 points'),
      before: changes(0),
      after: changes(-0.1),
      within: 8,
    }),
    soon('back from 85 to 95 %', years, {
      before: fresh(240, 0.85),
      after: fresh(240, 0.95),
      within: 4,
      isWrong: true,
    }),
  ];
  return [...onTheLimit, ...others, ...found, ...backAndForth(years)];
}

/** What is said of a rate that stays a little below the limit, once an alert was posted: each post beyond the first is one too many. */
function backAndForth(years: number): ConclusionRow[] {
  return [52, 365].flatMap((looks) =>
    [0.88, 0.89].flatMap((chance): ConclusionRow[] => {
      const draw = fresh(240, chance);
      let [wrongly, restless, contradicted] = [0, 0, 0];
      for (let year = 0; year < years; year += 1) {
        const random = createRandom('back', looks, chance, year);
        const posts = postsOf(below90, () => draw(random), { looks, isWrong: true });
        if (posts.length > 0) wrongly += 1;
        if (posts.length > 2) restless += 1;
        if (posts.some((post) => post.by === 'test' && isBeyond(below90, post.mean) !== post.isWrong))
          contradicted += 1;
      }
      const what = `${Math.round(100 * chance)} % of 240, ${looks} looks, after an alert:`;
      return [
        { what: `${what} "is back" in a year`, value: wrongly / years, from: 0, to: 0.05 },
        { what: `${what} more than two further posts in a year`, value: restless / years, from: 0, to: 0.01 },
        {
          what: `${what} a mean on the other side than the sentence`,
          value: contradicted / years,
          from: 0,
          to: 0,
        },
      ];
    }),
  );
}
