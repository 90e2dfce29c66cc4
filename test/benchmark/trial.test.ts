import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outcomeOf, summarizeRun, Trial } from '../../src/benchmark/trial.ts';
import { askBudget } from '../../src/benchmark/trial-store.ts';
import { hasFailed } from '../../src/judging/verdict/verdict.ts';
import { fail, mute, pass, type Said } from '../support/builders.ts';
import { aConfiguration, aTrial, aVerdict } from '../support/run-builders.ts';

const cannotTell: Said = { unscored: 'unsupported' };
const late: Said = { unscored: 'timeout' };

describe('a trial', () => {
  test('holds all that is counted and none of the words', () => {
    const trial = aTrial('0-0', aVerdict(fail));
    expect(Trial.parse(JSON.parse(JSON.stringify(trial)))).toEqual(trial);
    expect(trial).toMatchObject({
      decision: 'fail',
      attempts: 1,
      cached: 0,
      promptHashes: ['sha256:test'],
      startedAt: '2026-11-21T09:00:00.000Z',
      endedAt: '2026-11-21T09:00:00.020Z',
    });
    expect(JSON.stringify(trial)).not.toContain('in round 0');
  });

  test.each([
    ['malformed', true],
    ['timeout', true],
    ['rate-limited', true],
    ['error', true],
    ['unsupported', false],
    ['not-relevant', false],
  ] as const)('without a decision because a judge was %s: failed is %s', (unscored, failed) => {
    expect(hasFailed(aTrial('0-0', aVerdict({ unscored })))).toBe(failed);
  });

  test.each([
    ['a tie', [pass, fail], 'undecided'],
    ['a tie of those that answered', [pass, fail, mute], 'undecided'],
    ['judges that could not tell', [pass, cannotTell, cannotTell], 'undecided'],
    ['one judge that could not tell', [cannotTell], 'undecided'],
    ['half of the panel', [pass, pass, mute, mute], 'no-quorum'],
    ['one answer of three', [cannotTell, mute, late], 'no-quorum'],
    ['no answer', [mute, late], 'unanswered'],
    ['one judge without an answer', [late], 'unanswered'],
    ['no one asked', [], 'undecided'],
  ] as const)('says what is missing for a decision: %s', (_, said, outcome) => {
    const judgements = said.flatMap((one) => aTrial('0-0', aVerdict(one)).judgements);
    const trial = { ...aTrial('0-0'), decision: 'undecided' as const, judgements };
    expect(outcomeOf(trial)).toBe(outcome);
    // Of a debate, the round that counts.
    const debate = [...judgements.map((one) => ({ ...one, round: 1 })), ...aTrial('0-0').judgements];
    expect(outcomeOf({ ...trial, decidedInRound: 1, judgements: debate })).toBe(outcome);
  });

  test('with a decision has not failed, whichever judge gave no answer', () => {
    const trial = aTrial('0-0', aVerdict(mute));
    expect(hasFailed({ ...trial, decision: 'pass' })).toBe(false);
  });
});

describe('the budget', () => {
  test.each([
    ['no limit', null, { spentUsd: 99, trials: 1 }, 50, 'go'],
    ['the first goes alone', 1, { spentUsd: 0, trials: 0 }, 0, 'go'],
    ['others wait for what it costs', 1, { spentUsd: 0, trials: 0 }, 1, 'wait'],
    ['0.5 + 4 × 0.1 leave something of 1', 1, { spentUsd: 0.5, trials: 5 }, 4, 'go'],
    ['0.5 + 5 × 0.1 do not', 1, { spentUsd: 0.5, trials: 5 }, 5, 'wait'],
    ['free trials never use it up', 1, { spentUsd: 0, trials: 5 }, 1000, 'go'],
    ['spent is spent', 1, { spentUsd: 1, trials: 5 }, 0, 'stop'],
  ] as const)('%s', (_, budget, totals, underWay, answer) => {
    expect(askBudget(budget, totals, underWay)).toBe(answer);
  });
});

describe('what a run spends', () => {
  /** Trials that begin as the budget allows and end in the order in which they began. */
  function spend(budget: number, costs: readonly number[], concurrency: number): number {
    const underWay: number[] = [];
    let [spentUsd, trials] = [0, 0];
    const left = [...costs];
    for (;;) {
      const asked = { spentUsd, trials };
      const mayBegin = left.length > 0 && underWay.length < concurrency;
      if (mayBegin && askBudget(budget, asked, underWay.length) === 'go') underWay.push(left.shift() ?? 0);
      else {
        const ended = underWay.shift();
        if (ended === undefined) return spentUsd;
        spentUsd += ended;
        trials += 1;
      }
    }
  }
  const cents = (most: number) => fc.integer({ min: 1, max: most }).map((cost) => cost / 100);

  test('passes its budget by less than one trial if all cost the same', () => {
    fc.assert(
      fc.property(cents(50), cents(500), fc.integer({ min: 1, max: 40 }), (cost, budget, concurrency) => {
        const spent = spend(budget, Array<number>(1000).fill(cost), concurrency);
        expect(spent).toBeLessThan(budget + cost + 1e-9);
      }),
    );
  });

  test('passes it by no more than the dearest trials that run at once, whatever they cost', () => {
    const costs = fc.array(cents(100), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(costs, cents(500), fc.integer({ min: 1, max: 40 }), (given, budget, concurrency) => {
        const dearest = [...given].sort((a, b) => b - a).slice(0, concurrency);
        const most = dearest.reduce((sum, cost) => sum + cost, 0);
        expect(spend(budget, given, concurrency)).toBeLessThan(budget + most + 1e-9);
      }),
    );
  });
});

describe('the summary of a run', () => {
  test('counts each configuration by itself, with labels against outcomes', async () => {
    async function* trials() {
      yield aTrial('0-0');
      yield aTrial('0-1', aVerdict(fail, null));
      yield aTrial('0-2', aVerdict(mute));
      yield { ...aTrial('1-0'), configuration: 'other', label: null };
    }
    const [own, other] = await summarizeRun(
      { configurations: [aConfiguration(), aConfiguration({ id: 'other' })] },
      trials(),
    );
    expect(own).toMatchObject({
      trials: 3,
      decisions: { pass: 1, fail: 1, scored: 0, undecided: 0, 'no-quorum': 0, unanswered: 1 },
      failed: 1,
      costUsd: 0.002,
      unknownCosts: 1,
      latencyMs: 60,
    });
    // The one judge gave no answer: that is unanswered, not a panel that could not agree.
    expect(own?.confusion.pass).toMatchObject({
      pass: 1,
      fail: 1,
      undecided: 0,
      'no-quorum': 0,
      unanswered: 1,
    });
    expect(other?.confusion.pass).toMatchObject({
      pass: 0,
      fail: 0,
      undecided: 0,
      'no-quorum': 0,
      unanswered: 0,
    });
    expect(other?.decisions.pass).toBe(1);
  });
});
