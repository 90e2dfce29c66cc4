import type { AnswerFacts, Answers } from '../../src/reports/assistant/answers.ts';
import type { ReviewedAnswer, ReviewedRun } from '../../src/reports/assistant/true-rate.ts';
import { setupsOf } from '../../src/reports/facts/setups.ts';
import { drawSample } from '../../src/reviews/draw-sample.ts';
import { normalCdf, normalQuantile } from '../../src/statistics/distributions.ts';
import type { Random } from '../../src/statistics/random.ts';
import { aManifest } from './run-builders.ts';

type Decision = 'pass' | 'fail';

/** Answers of which it is known what is right, and judges that are not always. */
export interface Population {
  /** Share of answers that are right. */
  rate: number;
  /** So many requests belong together, such as those of one user. */
  together: number;
  /** Share of answers on which the judges split, and how often they are right on those and on the others, by what is right. */
  split: number;
  rightOnSplit: Record<Decision, number>;
  rightOnOthers: Record<Decision, number>;
}

/** Three judges that are right on 86 % of answers and split on 36 %. */
export const somePopulation: Population = {
  rate: 0.8,
  together: 1,
  split: 0.36,
  rightOnSplit: { pass: 0.72, fail: 0.64 },
  rightOnOthers: { pass: 0.95, fail: 0.94 },
};

/** How far requests differ in their probability of being answered rightly: the share of the variance that is theirs, on a normal scale. */
const ALIKE = 0.4;

/** How hard each request is; the same for requests that belong together. */
export function someRequests(n: number, { together }: Population, { fraction }: Random): number[] {
  const users = Array.from({ length: Math.ceil(n / together) }, () => normalQuantile(fraction() || 0.5));
  return Array.from({ length: n }, (_, at) => users[Math.floor(at / together)] ?? 0);
}

/** An answer as the judges decide it, and what is right. */
export interface MadeAnswer {
  place: number;
  unit: number;
  decision: Decision;
  isSplit: boolean;
  right: Decision;
}

/** Each request is answered rightly with its own probability, of which the mean is the population's rate. */
export function someAnswers(
  requests: readonly number[],
  { rate, together, split, rightOnSplit, rightOnOthers }: Population,
  { fraction }: Random,
): MadeAnswer[] {
  return requests.map((request, place) => {
    const chance = normalCdf((normalQuantile(rate) + Math.sqrt(ALIKE) * request) / Math.sqrt(1 - ALIKE));
    const right = fraction() < chance ? 'pass' : 'fail';
    const isSplit = fraction() < split;
    const isRight = fraction() < (isSplit ? rightOnSplit : rightOnOthers)[right];
    const decision = isRight ? right : right === 'pass' ? 'fail' : 'pass';
    return { place, unit: place - (place % together), decision, isSplit, right };
  });
}

/** These answers as a run that is read. @param labeled whether all have labels @param asked names the requests */
export function answersOf(
  name: string,
  made: readonly MadeAnswer[],
  { labeled = false, asked = 'request' } = {},
): Answers {
  const manifest = aManifest({ name });
  const [setup] = setupsOf(manifest);
  if (setup === undefined) throw new Error('it has one');
  return {
    manifest,
    setup,
    clusterBy: 'group',
    answers: made.map(({ place, unit, decision, isSplit, right }) => {
      const truth = labeled ? right : null;
      const fact: AnswerFacts = {
        place,
        unit,
        repeat: 1,
        truth,
        outcome: decision,
        score: null,
        labelScore: null,
        isSplit,
      };
      return {
        place,
        unit,
        caseId: `c${place}`,
        id: `c${place}`,
        request: `${asked} ${place}`,
        response: `response ${place} of ${name}`,
        rubric: 'plain',
        tags: {},
        latencyMs: null,
        facts: [fact],
        outcome: decision,
        key: `0-${place}`,
        compared: null,
        failing: [],
        judgedIn: name,
      };
    }),
  };
}

/** When such runs are made, and of which dataset. */
export function aRunMade(): ReviewedRun['made'] {
  const { createdAt, dataset } = aManifest();
  return { createdAt, dataset: dataset.hash };
}

export type Drawing = 'random' | 'stratified';

/**
 * So many of the answers, drawn and checked: at random, or by strata as review samples are.
 * @param units names what belongs together
 */
export function checkedOf(
  run: string,
  made: readonly MadeAnswer[],
  n: number,
  how: Drawing,
  random: Random,
  units = 'unit',
): ReviewedRun {
  const answerOf = (place: number, stratum: string): ReviewedAnswer[] =>
    made.slice(place, place + 1).map(({ unit, decision, isSplit, right }) => ({
      place,
      unit: `${units} ${unit}`,
      rubric: 'plain',
      decision,
      split: isSplit,
      stratum,
      right,
    }));
  if (how === 'random') {
    const places = random.shuffled(made.map(({ place }) => place)).slice(0, n);
    const strata = [{ name: 'all', decision: 'pass' as const, split: null, size: made.length, checked: n }];
    return {
      answers: places.flatMap((place) => answerOf(place, 'all')),
      design: { run, strata },
      unchecked: [],
      made: aRunMade(),
    };
  }
  const decided = made.map(({ place, decision, isSplit }) => ({
    ...{ place, decision, split: isSplit },
    ...{ caseId: `c${place}`, rubric: 'plain' },
  }));
  // The sample of a run is always the same one.
  const { strata, drawn } = drawSample(`${run}-${random.uint32()}`, decided, n);
  return {
    answers: drawn.flatMap(({ place, stratum }) => answerOf(place, stratum)),
    made: aRunMade(),
    design: {
      run,
      strata: strata.map(({ drawn: checked, ...stratum }) => ({ ...stratum, checked })),
    },
    unchecked: [],
  };
}
