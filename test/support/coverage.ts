import { pairReport } from '../../src/reports/comparison/pair-report.ts';
import { caseBins, countCases, estimate } from '../../src/reports/estimates/case-statistics.ts';
import type { TrialFacts } from '../../src/reports/facts/trial-facts.ts';
import type { ScoreName } from '../../src/reports/metrics/classification.ts';
import { scores as scoreList } from '../../src/reports/metrics/classification.ts';
import { logFactorial, normalQuantile } from '../../src/statistics/distributions.ts';
import type { Bin } from '../../src/statistics/measure.ts';
import { clusteredShareInterval, type Share } from '../../src/statistics/proportions.ts';
import { createRandom, type Random } from '../../src/statistics/random.ts';

/** Users whose cases are easier or harder to judge, by a normal intercept on the scale of log-odds. */
export interface Study {
  users: number;
  casesEach: number;
  /** Log-odds of a right verdict for an average user, and its standard deviation between users. */
  base: number;
  deviation: number;
  repeats: number;
  /** How often all repeats of a case come to the same, beyond chance. */
  alike: number;
}

export const aStudy: Study = { users: 40, casesEach: 6, base: 0, deviation: 2, repeats: 1, alike: 0 };

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** The share of right verdicts of all users: the mean over the quantiles of the intercept. */
export function trueAccuracy({ base, deviation }: Study): number {
  const steps = 20_000;
  const shares = Array.from({ length: steps }, (_, at) =>
    logistic(base + deviation * normalQuantile((at + 0.5) / steps)),
  );
  return shares.reduce((sum, share) => sum + share, 0) / steps;
}

/**
 * How often the interval of accuracy holds its true value, exactly: over all numbers of cases with one, two, … wrong repeats that may be
 * seen. Of cases on their own, whose repeats all come to the same with probability `alike` beyond chance.
 */
export function exactCoverage(cases: number, accuracy: number, repeats: number, alike: number): number {
  const binomial = (n: number, k: number, p: number): number =>
    p ** k * (1 - p) ** (n - k) * Math.exp(logFactorial(n) - logFactorial(k) - logFactorial(n - k));
  const chances = Array.from({ length: repeats + 1 }, (_, wrong) => {
    const same = wrong === 0 ? accuracy : wrong === repeats ? 1 - accuracy : 0;
    return alike * same + (1 - alike) * binomial(repeats, wrong, 1 - accuracy);
  });
  let covered = 0;
  /** @param seen cases by how many of their repeats are wrong, most first @param left cases and chance that are not dealt out yet */
  function deal(
    seen: Bin<Share>[],
    wrong: number,
    left: { cases: number; chance: number },
    probability: number,
  ) {
    if (probability < 1e-9) return;
    const binOf = (items: number): Bin<Share> => ({
      value: { successes: repeats - wrong, n: repeats },
      items,
    });
    if (wrong === 0) {
      const interval = clusteredShareInterval([...seen, binOf(left.cases)]);
      if (interval.defined && interval.low <= accuracy && accuracy <= interval.high) covered += probability;
      return;
    }
    const own = chances[wrong] ?? 0;
    for (let items = 0; items <= left.cases; items += 1) {
      const likely = binomial(left.cases, items, own / left.chance);
      if (likely < 1e-9 && items > (left.cases * own) / left.chance) break;
      const rest = { cases: left.cases - items, chance: left.chance - own };
      deal([...seen, binOf(items)], wrong - 1, rest, probability * likely);
    }
  }
  deal([], repeats, { cases, chance: 1 }, 1);
  return covered;
}

/** A trial without anything but its decision. */
export const plainFacts: Omit<TrialFacts, 'place' | 'unit' | 'repeat' | 'truth' | 'outcome'> = {
  category: null,
  score: null,
  labelScore: null,
  firstRound: { pass: 0, fail: 0 },
  confidence: null,
  calls: 1,
  savedCalls: 0,
  pooledCalls: 0,
  ownCostUsd: null,
  stopped: false,
  tokens: null,
  outputTokens: null,
  costUsd: null,
  latencyMs: null,
  sequentialMs: null,
  fromCache: false,
  takenFrom: null,
  criteria: [],
};

type Judged = Pick<TrialFacts, 'place' | 'unit' | 'repeat' | 'truth' | 'outcome'>;

/** The trials of a case. @param share how often they are right */
function trialsOfCase(
  { repeats, alike }: Study,
  share: number,
  place: number,
  unit: number,
  random: Random,
): Judged[] {
  const truth = random.fraction() < 0.5 ? 'pass' : 'fail';
  const isAlike = random.fraction() < alike;
  const first = random.fraction() < share;
  return Array.from({ length: repeats }, (_, at): Judged => {
    const isRight = at === 0 || isAlike ? first : random.fraction() < share;
    return { place, unit, repeat: at + 1, truth, outcome: isRight === (truth === 'pass') ? 'pass' : 'fail' };
  });
}

/** Trials of a study, half of whose cases are right. @param shiftOf what is added to a user's log-odds */
function trialsOf(study: Study, random: Random, shiftOf: (user: number) => number = () => 0): Judged[] {
  const { users, casesEach, base, deviation } = study;
  return Array.from({ length: users }, (_, user) => {
    const quantile = Math.min(1 - 1e-12, Math.max(1e-12, random.fraction()));
    const share = logistic(
      base + (deviation === 0 ? 0 : deviation * normalQuantile(quantile)) + shiftOf(user),
    );
    return Array.from({ length: casesEach }, (_none, at) =>
      trialsOfCase(study, share, user * casesEach + at, user, random),
    ).flat();
  }).flat();
}

const grouped = (facts: readonly Judged[], groups: 'users' | 'cases'): readonly Judged[] =>
  groups === 'users' ? facts : facts.map((fact) => ({ ...fact, unit: fact.place }));

/** The true value of a score: a judge that errs alike on right and wrong cases has its accuracy as F1. */
function trueScore(name: ScoreName, study: Study): number {
  const accuracy = trueAccuracy(study);
  return name === 'mcc' ? 2 * accuracy - 1 : accuracy;
}

/** How often the 95 % intervals of scores hold their true values, with the users known or not, and their mean widths. */
export function coverageOf(
  study: Study,
  names: readonly ScoreName[],
  repetitions: number,
  groups: 'users' | 'cases' = 'users',
) {
  const found = names.map((name) => ({
    name,
    truth: trueScore(name, study),
    covered: 0,
    width: 0,
    known: 0,
  }));
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const facts = trialsOf(study, createRandom('coverage', JSON.stringify(study), repetition));
    const bins = caseBins(countCases(grouped(facts, groups)));
    for (const one of found) {
      const { interval } = estimate(scoreList[one.name], bins);
      if (!interval.defined) continue;
      one.known += 1;
      one.width += interval.high - interval.low;
      if (interval.low <= one.truth && one.truth <= interval.high) one.covered += 1;
    }
  }
  return found.map(({ name, covered, width, known }) => ({
    name,
    coverage: covered / known,
    width: width / known,
  }));
}

/**
 * Two judges that are equally often right, each better with other users: how often the interval of their difference holds 0, and how
 * often p is at most 0.05.
 */
export function comparisonOf(study: Study, repetitions: number, groups: 'users' | 'cases') {
  let [covered, found] = [0, 0];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const random = createRandom('comparison', JSON.stringify(study), repetition);
    const leanings = Array.from({ length: study.users }, () => (random.fraction() < 0.5 ? 1 : -1));
    const [first = [], second = []] = [1, -1].map((side) => {
      const facts = trialsOf({ ...study, deviation: 0 }, random, (user) => side * (leanings[user] ?? 0));
      return grouped(facts, groups).map((fact) => ({ ...plainFacts, ...fact }));
    });
    const { scores, pValue } = pairReport({ id: 'first', facts: first }, { id: 'second', facts: second });
    const { interval } = scores.accuracy;
    if (interval.defined && interval.low <= 0 && interval.high >= 0) covered += 1;
    if (pValue.defined && pValue.value <= 0.05) found += 1;
  }
  return { coverage: covered / repetitions, found: found / repetitions };
}
