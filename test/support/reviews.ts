import type { Trial } from '../../src/benchmark/trial.ts';
import type { ReviewParts, ReviewWish } from '../../src/reviews/manage-reviews.ts';
import type { Store } from '../../src/stores/store.ts';
import { judgementOf } from './builders.ts';
import { builtInLibrary } from './built-in.ts';
import { aConfiguration, aManifest, aTrial, aVerdict, casesOf } from './run-builders.ts';

/** What a run's judges decided, answer by answer; `split` ones with two judges against one. */
export type Habit = 'pass' | 'fail' | 'split pass' | 'split fail' | 'undecided';

export function trialWith(habit: Habit, index: number): Trial {
  const [side, other] = habit.endsWith('pass') ? (['pass', 'fail'] as const) : (['fail', 'pass'] as const);
  const said = (seat: number) => (seat === 0 && habit.startsWith('split') ? other : side);
  const decision = habit === 'undecided' ? habit : side;
  const judgements = ['ann', 'bob', 'cem'].map((persona, seat) =>
    judgementOf({ judge: { persona, model: 'test/model', sample: 0 }, round: 0 }, { decision: said(seat) }),
  );
  const verdict = { ...aVerdict(), caseId: `c${index}`, decision, judgements };
  return { ...aTrial(`0-${index}`, verdict), rubric: 'navigation' };
}

/** Runs by name, each with the judges' decisions; a run takes the word of its first configuration. */
function runsOf(habits: Readonly<Record<string, readonly Habit[]>>): ReviewParts['runs'] {
  const own = (name: string) => habits[name] ?? [];
  return {
    readRun: async (name) =>
      habits[name] === undefined
        ? null
        : aManifest({
            name,
            configurations: [aConfiguration()],
            rubrics: ['navigation'],
            wordings: { 'navigation, io': 'sha256:1' },
            dataset: { source: 'cases.jsonl', cases: own(name).length, labeled: 0, hash: 'abc' },
          }),
    totals: async (name) => ({
      ...{ trials: own(name).length, failed: 0, calls: 0, spentUsd: 0, unknownCosts: 0 },
    }),
    readTrials: async function* (name) {
      for (const [index, habit] of own(name).entries()) yield trialWith(habit, index);
    },
    caseAt: async (name, index) => {
      const cases = casesOf(own(name).length, {
        tags: { build: 'SECRET BUILD' },
        label: { decision: 'fail' },
      });
      const evalCase = cases[index];
      if (evalCase === undefined) throw new RangeError(`no case ${index}`);
      return evalCase;
    },
  };
}

/** 240 answers: 192 pass, 48 fail; a third of the verdicts are split. */
export const usualRun: readonly Habit[] = Array.from({ length: 240 }, (_, index): Habit => {
  const decision = index % 5 === 0 ? 'fail' : 'pass';
  return index % 3 === 0 ? `split ${decision}` : decision;
});

export const aWish = (parts: Partial<ReviewWish> = {}): ReviewWish => ({
  ...{ size: 40, votes: 1, perWeek: 10, days: 7, retentionDays: 400 },
  people: ['ada', 'bea', 'cem', 'dan', 'eva'],
  ...parts,
});

export const reviewParts = (
  store: Store,
  now: () => number,
  habits: Readonly<Record<string, readonly Habit[]>> = { 'weekly-1': usualRun },
): ReviewParts => ({ store, runs: runsOf(habits), library: builtInLibrary(), now });
