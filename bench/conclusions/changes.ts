import { answerChange } from '../../src/reports/assistant/answer-changes.ts';
import type { Answer, Answers } from '../../src/reports/assistant/answers.ts';
import {
  independentCases,
  independentPairs,
  pairedShareChange,
  shareLimits,
} from '../../src/reports/estimates/changes.ts';
import { setupsOf } from '../../src/reports/facts/setups.ts';
import { normalQuantile } from '../../src/statistics/distributions.ts';
import { type Interval, sum } from '../../src/statistics/measure.ts';
import { createRandom, type Random } from '../../src/statistics/random.ts';
import { trueAccuracy } from '../../test/support/coverage.ts';
import { aManifest } from '../../test/support/run-builders.ts';
import type { ConclusionRow } from './row.ts';

/** How often an interval must hold the truth, and how often a change of 5 points may be called steady. */
const COVERED = 0.935;
const MOST_STEADY = 0.05;
/**
 * Of 40 requests of which all but one or two pass, Agresti and Min's interval holds the truth a little less often. It is printed nevertheless, so
 * that the same runs are always compared by the same numbers.
 */
const COVERED_OF_FEW = 0.92;
const isOfFew = ({ n, share, change, cluster, same }: Study): boolean =>
  n === 40 && share === 0.98 && change < 0 && cluster === 1 && same === 1;

/** Two runs of an assistant. */
export interface Study {
  /** Answers of each run. */
  n: number;
  /** Share of all answers that pass in the earlier run, and by how much that changes. */
  share: number;
  change: number;
  /** Requests of one user, who can be easier or harder to serve than others. */
  cluster: number;
  /** Share of the requests that are the same in both runs. */
  same: number;
  /** How much requests differ: their own probabilities of passing are Beta(share · alike, (1 − share) · alike). */
  alike: number;
}

export const aStudy: Study = { n: 240, share: 0.8, change: 0, cluster: 1, same: 0, alike: 4 };

/** A number from a Beta distribution. Jöhnk, Metrika 8, 1964. */
function beta(a: number, b: number, random: Random): number {
  for (;;) {
    const [x, y] = [random.fraction() ** (1 / a), random.fraction() ** (1 / b)];
    if (x + y <= 1 && x + y > 0) return x / (x + y);
  }
}

export interface Asked {
  id: string;
  language?: string;
  user: string | null;
  /** Probability that an answer to it passes in the earlier run. */
  passes: number;
}

/** Requests, each with its own probability of passing; those of one user are closer to each other. */
export function requestsOf(
  { share, cluster, alike }: Study,
  n: number,
  from: string,
  random: Random,
): Asked[] {
  const draw = (mean: number) => {
    const within = Math.min(1 - 1e-6, Math.max(1e-6, mean));
    return beta(within * alike, (1 - within) * alike, random);
  };
  let own = share;
  return Array.from({ length: n }, (_, at) => {
    if (cluster > 1 && at % cluster === 0) own = draw(share);
    const user = cluster > 1 ? `${from} ${Math.floor(at / cluster)}` : null;
    return { id: `${from} ${at}`, user, passes: draw(own) };
  });
}

const manifest = aManifest({ subject: 'assistant' });
const [setup] = setupsOf(manifest);

export function answersOf(
  asked: readonly Asked[],
  run: string,
  passesOf: (passes: number) => number,
  random: Random,
): Answers {
  if (setup === undefined) throw new Error('The manifest has a configuration.');
  const answers = asked.map(({ id, user, passes, language }, place): Answer => {
    const outcome = random.fraction() < passesOf(passes) ? 'pass' : 'fail';
    const fact = {
      place,
      unit: place,
      repeat: 1,
      isSplit: false,
      truth: null,
      outcome,
      score: null,
      labelScore: null,
    } as const;
    return {
      place,
      unit: place,
      caseId: id,
      id,
      request: id,
      response: `${run} ${place}`,
      rubric: 'plain',
      tags: { ...(user === null ? {} : { group: user }), ...(language === undefined ? {} : { language }) },
      latencyMs: null,
      facts: [fact],
      outcome,
      key: `0-${place}`,
      compared: null,
      failing: [],
      judgedIn: run,
    };
  });
  return { manifest, setup, answers, clusterBy: 'group' };
}

/** The change that is reported of two runs, drawn anew. */
function reported(study: Study, random: Random) {
  const { n, share, change, same } = study;
  const both = requestsOf(study, Math.round(n * same), 'both', random);
  const alone = n - both.length;
  const before = [...both, ...requestsOf(study, alone, 'before', random)];
  const after = [...both, ...requestsOf(study, alone, 'after', random)];
  const later = (passes: number) =>
    change < 0 ? passes * (1 + change / share) : passes + (1 - passes) * (change / (1 - share));
  return answerChange(
    answersOf(before, 'before', (passes) => passes, random),
    answersOf(after, 'after', later, random),
  );
}

/** How often the interval of the change holds the true one, and how often the report claims that nothing changed. */
function simulated(study: Study, repetitions: number) {
  const random = createRandom('changes', ...Object.values(study));
  let [covered, steady, width] = [0, 0, 0];
  for (let at = 0; at < repetitions; at += 1) {
    const { difference } = reported(study, random);
    if (difference?.interval.defined !== true) continue;
    const { low, high } = difference.interval;
    if (low <= study.change && study.change <= high) covered += 1;
    width += high - low;
    if (difference.trend === 'steady') steady += 1;
  }
  return { covered: covered / repetitions, steady: steady / repetitions, width: width / repetitions };
}

const nameOf = ({ n, share, change, cluster, same }: Study): string =>
  [
    `${n} answers each`,
    `${100 * share} % pass`,
    `${100 * change} points`,
    same === 1 ? 'the same requests' : same === 0 ? 'other requests' : `${100 * same} % the same requests`,
    cluster === 1 ? 'one a user' : `${cluster} a user`,
  ].join(', ');

function changeStudies(): Study[] {
  return [1, 0, 0.5].flatMap((same) =>
    [1, 4].flatMap((cluster) =>
      [0, -0.05].flatMap((change) =>
        [40, 120, 240].flatMap((n) =>
          [0.5, 0.8, 0.9, 0.98].map((share) => ({ n, share, change, cluster, same, alike: 4 })),
        ),
      ),
    ),
  );
}

/** Runs that hardly change but for the worse: requests nearly always pass, or nearly never, and some cease to. */
const stableStudies: readonly Study[] = [50, 75, 120, 240].flatMap((n) =>
  [0.8, 0.98].map((share) => ({ n, share, change: -0.05, cluster: 1, same: 1, alike: 0.1 })),
);

/** How often the interval holds that nothing changed, where only the mix of languages did: one is harder than the other. */
function mixCovered(n: number, repetitions: number): number {
  const random = createRandom('mix', n);
  const log = (run: string, german: number): Answers => {
    const asked = (language: string, count: number, share: number) =>
      requestsOf({ ...aStudy, share }, count, `${run} ${language}`, random).map((one) => ({
        ...one,
        language,
      }));
    const many = Math.round(n * german);
    return answersOf(
      [...asked('de', many, 0.6), ...asked('en', n - many, 0.9)],
      run,
      (passes) => passes,
      random,
    );
  };
  let covered = 0;
  for (let at = 0; at < repetitions; at += 1) {
    const { difference } = answerChange(log('before', 0.2), log('after', 0.5));
    if (difference !== null && holds(difference.interval, 0)) covered += 1;
  }
  return covered / repetitions;
}

/** A benchmark of judges on labeled cases of users, who are easier or harder to judge. */
interface JudgesStudy {
  users: number;
  casesEach: number;
  /** Log-odds of a right decision for an average user, and its standard deviation between users. */
  base: number;
  deviation: number;
}

/** Cases of users, decided rightly or not by two judges, each of whom finds other users hard. */
function decided({ users, casesEach, base, deviation }: JudgesStudy, random: Random) {
  const chance = () => {
    const effect = deviation * normalQuantile(Math.max(1e-9, random.fraction()));
    return 1 / (1 + Math.exp(-base - effect));
  };
  return Array.from({ length: users }, (_, unit) => {
    const [first, second] = [chance(), chance()];
    return Array.from({ length: casesEach }, () => ({
      unit,
      first: random.fraction() < first ? 1 : 0,
      second: random.fraction() < second ? 1 : 0,
    }));
  }).flat();
}

const holds = (interval: Interval, truth: number): boolean =>
  interval.defined && interval.low <= truth && truth <= interval.high;

/** How often a digest's intervals about judges hold the truth: that of a run, and that of the change between two. */
function judgesCovered(study: JudgesStudy, repetitions: number) {
  const random = createRandom('judges', ...Object.values(study));
  const truth = trueAccuracy({ ...study, repeats: 1, alike: 0 });
  let [run, change] = [0, 0];
  for (let at = 0; at < repetitions; at += 1) {
    const cases = decided(study, random);
    const n = cases.length;
    const successes = sum(cases.map(({ second }) => second));
    const own = cases.map(({ unit, second }) => ({ unit, value: second }));
    if (holds(shareLimits({ successes, n }, independentCases(own)), truth)) run += 1;
    const pairs = cases.map(({ unit, first, second }) => ({
      unit,
      gained: Math.max(0, second - first),
      lost: Math.max(0, first - second),
    }));
    const [gained, lost] = [sum(pairs.map((one) => one.gained)), sum(pairs.map((one) => one.lost))];
    const found = pairedShareChange({ gained, lost, n, cases: independentPairs(pairs) });
    if (holds(found.interval, 0)) change += 1;
  }
  return { run: run / repetitions, change: change / repetitions };
}

const judgesStudies: readonly JudgesStudy[] = [
  { users: 40, casesEach: 6, base: 0, deviation: 2 },
  { users: 40, casesEach: 6, base: 2, deviation: 2 },
  { users: 20, casesEach: 6, base: 2, deviation: 2 },
  { users: 100, casesEach: 4, base: 3, deviation: 1 },
];

/** Intervals of changes cover the truth; a change of 5 points is not called steady. */
export function changes(repetitions: number): ConclusionRow[] {
  const assistants = changeStudies().flatMap((study): ConclusionRow[] => {
    const { covered, steady } = simulated(study, repetitions);
    const name = nameOf(study);
    return [
      { what: `covered: ${name}`, value: covered, from: isOfFew(study) ? COVERED_OF_FEW : COVERED, to: 1 },
      ...(study.change === 0
        ? []
        : [{ what: `called steady: ${name}`, value: steady, from: 0, to: MOST_STEADY }]),
    ];
  });
  const judges = judgesStudies.flatMap((study): ConclusionRow[] => {
    const { run, change } = judgesCovered(study, repetitions);
    const { users, casesEach, base, deviation } = study;
    const name = `judges on ${users} users of ${casesEach} cases, log-odds ${base}, SD ${deviation}`;
    return [
      { what: `covered: share of a run, ${name}`, value: run, from: COVERED, to: 1 },
      { what: `covered: change, ${name}`, value: change, from: COVERED, to: 1 },
    ];
  });
  const stable = stableStudies.map(
    (study): ConclusionRow => ({
      what: `called steady: ${nameOf(study)}, nearly always alike`,
      value: simulated(study, repetitions).steady,
      from: 0,
      to: MOST_STEADY,
    }),
  );
  const mixes = [120, 240].map(
    (n): ConclusionRow => ({
      what: `covered: ${n} answers each to other requests, German ones from 20 to 50 %`,
      value: mixCovered(n, repetitions),
      from: COVERED,
      to: 1,
    }),
  );
  return [...assistants, ...stable, ...mixes, ...judges];
}
