import { comparisonLeadText } from '../../src/reports/comparison/lead.ts';
import { pairReport, withHolm } from '../../src/reports/comparison/pair-report.ts';
import type { TrialFacts } from '../../src/reports/facts/trial-facts.ts';
import { judgedCases } from '../../src/reports/metrics/paired-lead.ts';
import { paretoOf } from '../../src/reports/metrics/pareto.ts';
import { setupReport } from '../../src/reports/metrics/setup-report.ts';
import { createRandom, type Random } from '../../src/statistics/random.ts';
import { plainFacts } from '../../test/support/coverage.ts';
import type { ConclusionRow } from './row.ts';

/** A case, and how often a judge is right about it: cases differ in how hard they are. */
interface Case {
  truth: 'pass' | 'fail';
  right: number;
}

const casesOf = (n: number, random: Random): Case[] =>
  Array.from({ length: n }, () => ({
    truth: random.fraction() < 0.6 ? 'pass' : 'fail',
    right: random.fraction() < 0.6 ? 0.97 : 0.2 + 0.7 * random.fraction(),
  }));

/** @param rights whether each case is decided rightly; null: not decided @param groupOf the cases that each belongs with */
const factsOf = (
  cases: readonly Case[],
  rights: readonly (boolean | null)[],
  groupOf: (place: number) => number = (place) => place,
): TrialFacts[] =>
  cases.map(({ truth }, place) => {
    const wrong = truth === 'pass' ? 'fail' : 'pass';
    const right = rights[place] ?? null;
    return {
      ...plainFacts,
      place,
      unit: groupOf(place),
      repeat: 1,
      truth,
      outcome: right === null ? 'undecided' : right ? truth : wrong,
    };
  });

/** What a judge comes to by chance, on one case in 30 to nothing. */
const judged = (cases: readonly Case[], random: Random): (boolean | null)[] =>
  cases.map(({ right }) => (random.below(30) === 0 ? null : random.fraction() < right));

/** The lead of a comparison of these pairs of configurations. */
function leadOf(pairs: readonly (readonly [TrialFacts[], TrialFacts[]])[]): string {
  const reports = pairs.map(([first, second], at) =>
    pairReport({ id: `c${at}`, facts: first }, { id: `c${at}`, facts: second }),
  );
  return (
    comparisonLeadText({ pairs: withHolm(reports).map((pair) => ({ pair, flips: [], moves: [] })) }) ?? ''
  );
}

/** Whether a lead claims a difference. */
const claims = (lead: string): boolean =>
  /is (higher|lower) by/.test(lead) && !lead.includes('which can be chance');

/** Two runs of the same configurations, of 1 to 24. */
function equalRuns(repetitions: number, groups: 'cases' | 'groups'): number {
  let claimed = 0;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const random = createRandom('leads: equal runs', groups, repetition);
    const cases = casesOf([24, 60, 120, 240][random.below(4)] ?? 24, random);
    const shared = Math.max(1, Math.floor(cases.length / 12));
    const groupOf = groups === 'groups' ? (place: number) => place % shared : undefined;
    const pairs = Array.from({ length: 1 + random.below(24) }, () => {
      const side = () => factsOf(cases, judged(cases, random), groupOf);
      return [side(), side()] as const;
    });
    if (claims(leadOf(pairs))) claimed += 1;
  }
  return claimed / repetitions;
}

/** One configuration on 240 cases, of which it turns each with a chance of a fifth, so that 10 points more are right. */
function betterRun(repetitions: number): number {
  let claimed = 0;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const random = createRandom('leads: a better run', repetition);
    const cases = casesOf(240, random);
    const sides = cases.map(({ right }) => {
      const drawn = random.fraction();
      if (drawn < 0.15) return [false, true] as const;
      if (drawn < 0.2) return [true, false] as const;
      const same = random.fraction() < right;
      return [same, same] as const;
    });
    const [before, after] = [sides.map(([one]) => one), sides.map(([, other]) => other)];
    const lead = leadOf([[factsOf(cases, before), factsOf(cases, after)]]);
    if (claims(lead) && lead.includes('higher')) claimed += 1;
  }
  return claimed / repetitions;
}

/** Six configurations that are equally good, cost the same and take equally long: how often one is alone on the front. */
function equalConfigurations(repetitions: number) {
  let [alone, beaten] = [0, 0];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const random = createRandom('leads: six equal configurations', repetition);
    const cases = casesOf([24, 60, 120, 240][random.below(4)] ?? 24, random);
    const facts = new Map(
      Array.from({ length: 6 }, (_, at) => [
        `c${at}`,
        factsOf(cases, judged(cases, random)).map((fact) => ({
          ...fact,
          costUsd: 0.001 * (1 + random.fraction()),
          latencyMs: 500 + 1000 * random.fraction(),
        })),
      ]),
    );
    const setups = [...facts].map(([id, own]) =>
      setupReport(
        {
          id,
          method: 'io',
          models: ['x'],
          temperature: 0,
          equalCallsOf: null,
          pooledFrom: [],
          configurations: [],
        },
        own,
        cases.length,
      ),
    );
    const { all } = paretoOf(setups, (id) => judgedCases(facts.get(id) ?? []));
    if (all.front.length === 1) alone += 1;
    if (all.dominated.length > 0) beaten += 1;
  }
  return { alone: alone / repetitions, beaten: beaten / repetitions };
}

/** What the first sentence of a comparison claims, and what the mark of the Pareto front does. */
export function leads(repetitions: number): ConclusionRow[] {
  const { alone, beaten } = equalConfigurations(repetitions);
  return [
    {
      what: 'leads claim a difference between two runs of 1 to 24 equal configurations',
      value: equalRuns(repetitions, 'cases'),
      from: 0,
      to: 0.05,
    },
    {
      what: 'the same, of cases in groups of about 12',
      value: equalRuns(repetitions, 'groups'),
      from: 0,
      to: 0.05,
    },
    {
      what: 'leads say so of one configuration, 240 cases, 10 points better, a fifth turned, by chance',
      value: betterRun(repetitions),
      from: 0.8,
      to: 1,
    },
    { what: 'of six equal configurations, one is on the front alone', value: alone, from: 0, to: 0.05 },
    { what: 'of six equal configurations, one is off the front', value: beaten, from: 0, to: 0.05 },
  ];
}
