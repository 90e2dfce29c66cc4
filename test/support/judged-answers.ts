import type { AnswerFacts, Answers } from '../../src/reports/assistant/answers.ts';
import type { ReviewedAnswer, ReviewedRun } from '../../src/reports/assistant/true-rate.ts';
import { setupsOf } from '../../src/reports/facts/setups.ts';
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
      };
    }),
  };
}

export type Drawing = 'random' | 'stratified';

/**
 * So many of the answers, drawn and checked: at random, or half of them from those on which the judges split (at least two of each
 * decision).
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
  const strata: { name: string; size: number; checked: number; unchecked: number }[] = [];
  const drawn = (name: string, from: readonly MadeAnswer[], some: number): ReviewedAnswer[] => {
    strata.push({ name, size: from.length, checked: some, unchecked: 0 });
    return random
      .shuffled(from)
      .slice(0, some)
      .map(({ place, unit, decision, isSplit, right }) => ({
        place,
        unit: `${units} ${unit}`,
        decision,
        split: isSplit,
        stratum: name,
        right,
      }));
  };
  if (how === 'random') return { answers: drawn('all', made, n), design: { run, strata } };
  const answers = [true, false].flatMap((isSplit) => {
    const own = made.filter((one) => one.isSplit === isSplit);
    const of = (decision: Decision) => own.filter((one) => one.decision === decision);
    const half = own.length === made.length ? n : Math.round(n / 2);
    const share = Math.round((half * of('fail').length) / Math.max(1, own.length));
    const fails = Math.min(of('fail').length, Math.max(2, share));
    const passes = Math.min(of('pass').length, half - fails);
    return [...drawn(`fail ${isSplit}`, of('fail'), fails), ...drawn(`pass ${isSplit}`, of('pass'), passes)];
  });
  return { answers, design: { run, strata } };
}
