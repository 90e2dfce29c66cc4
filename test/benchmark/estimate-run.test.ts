import { describe, expect, test } from 'vitest';
import { type EstimateParts, estimateRun } from '../../src/benchmark/estimate-run.ts';
import { planRun } from '../../src/benchmark/plan-run.ts';
import { configurationsOf } from '../../src/benchmark/run-manifest.ts';
import { entry } from '../../src/judging/standards/library.ts';
import { builtInLibrary } from '../support/built-in.ts';
import { aManifest, casesOf, someSettings } from '../support/run-builders.ts';

const library = builtInLibrary();

/** A dollar for each token that is read, a hundred for each that is written. */
const client = { priceOf: () => ({ input: 1e6, cachedInput: null, output: 1e8 }) };

function estimate(methods: string[], cases: number, settings = {}) {
  const all = someSettings({ methods, models: ['a/x'], ...settings });
  const configurations = configurationsOf(
    all,
    methods.map((id) => entry('method', library.methods, id)),
  );
  return estimateRun(
    aManifest({ settings: all, configurations }),
    casesOf(cases, { rubric: 'navigation' }),
    // 400 characters are 100 tokens.
    { library, wordingOf: () => ({ hash: '', chars: 400 }), client },
  );
}

/** Of three cases, with what the configurations ask alike; every judge is sent a text of its own. */
function pooledEstimate(
  methods: string[],
  models: string[],
  settings = {},
  priceOf: EstimateParts['client']['priceOf'] = client.priceOf,
) {
  const rubric = methods.some((id) => id.startsWith('core')) ? 'core' : 'navigation';
  const wordingOf: EstimateParts['wordingOf'] = ({ judge, criteria }) => ({
    hash: JSON.stringify([judge.persona, criteria.map(({ id }) => id)]),
    chars: 400,
  });
  const cases = casesOf(3, { rubric, recommendations: [['Solaris']], groundTruth: 'Stalker' });
  const manifest = planRun(
    { library, wordingOf },
    {
      name: null,
      settings: someSettings({ methods, models, rubric, ...settings }),
      cases,
      source: 'cases.jsonl',
      now: 0,
    },
  );
  return estimateRun(manifest, cases, { library, wordingOf, client: { priceOf } });
}

describe('what a run is expected to take', () => {
  test('of one short answer: the prompt, and 40 tokens with 35 for each criterion', () => {
    const { calls, costUsd, trials } = estimate(['io'], 200);
    expect({ calls, trials }).toEqual({ calls: { min: 200, max: 200 }, trials: 200 });
    // Five criteria: 40 + 5 × 35 = 215 tokens written, 100 read.
    expect(costUsd).toEqual({ min: 200 * 21_600, max: 200 * 21_600 });
  });

  test('of a debate: from agreement at once to the last round, in which everybody reads what all have written', () => {
    const { calls, costUsd } = estimate(['mad'], 10);
    expect(calls).toEqual({ min: 30, max: 120 });
    const [io] = [estimate(['mab'], 10).costUsd.min ?? 0];
    expect(costUsd.min).toBeCloseTo(io, 6);
    // Each later round costs a little more than the first: three judges read three answers more.
    const written = (io / 30 - 100) / 100;
    const later = io + 30 * 3 * written;
    expect(costUsd.max).toBeCloseTo(io + 3 * later, 6);
  });

  test('of a vote with equal calls: as much as its debate', () => {
    const { configurations, calls } = estimate(['mad'], 10, { equalCalls: true });
    expect(configurations.map((one) => one.calls)).toEqual([
      { min: 30, max: 120 },
      { min: 30, max: 120 },
    ]);
    expect(calls).toEqual({ min: 60, max: 240 });
  });

  test('of a vote with equal calls: what its debate has asked is paid once, what is asked again is paid again', () => {
    const [debate, vote] = pooledEstimate(['core-debate'], ['a/x'], { equalCalls: true }).configurations;
    const [alone] = pooledEstimate(['core-debate'], ['a/x']).configurations;
    expect(debate).toEqual(alone);
    const factors = pooledEstimate(['core-factors'], ['a/x']);
    // Only the ratings are shared: the answers of the vote are samples at another temperature.
    expect(vote?.pooledCalls).toBe(factors.calls.max);
    expect(vote?.calls.min).toBe((debate?.calls.min ?? 0) - factors.calls.max);
    expect(vote?.calls.max).toBe((debate?.calls.max ?? 0) - factors.calls.max);
    expect(vote?.costUsd.min).toBeCloseTo((debate?.costUsd.min ?? 0) - (factors.costUsd.min ?? 0), 0);
    // Nobody reads the answers of the others.
    const rounds = (vote?.calls.max ?? 0) / (vote?.calls.min ?? 1);
    expect(vote?.costUsd.max).toBeCloseTo(rounds * (vote?.costUsd.min ?? 0), 0);
  });

  test('of a vote whose debate uses known ratings: as much as without them', () => {
    const votes = [['core-debate'], ['core-factors', 'core-debate']].map((methods) =>
      pooledEstimate(methods, ['a/x'], { equalCalls: true }).configurations.at(-1),
    );
    expect(votes[1]).toEqual(votes[0]);
  });

  test('what is known is free, even at an unknown price', () => {
    const { configurations, unpriced } = pooledEstimate(['io', 'max-vote'], ['a/x', 'b/y'], {}, () => null);
    expect(configurations.map(({ costUsd }) => costUsd)).toEqual([
      { min: null, max: null },
      { min: null, max: null },
      { min: 0, max: 0 },
    ]);
    expect(configurations[2]).toMatchObject({ calls: { min: 0, max: 0 }, pooledCalls: 6 });
    expect(unpriced).toEqual(['a/x', 'b/y']);
  });

  test('is free where nothing is sent, and not known where a price is not', () => {
    const all = someSettings({ methods: ['io'], models: ['a/x'] });
    const manifest = aManifest({
      settings: all,
      configurations: configurationsOf(all, [entry('method', library.methods, 'io')]),
    });
    const cases = casesOf(3, { rubric: 'navigation' });
    const free = estimateRun(manifest, cases, {
      library,
      wordingOf: () => ({ hash: '', chars: 0 }),
      client,
    });
    expect(free.costUsd).toEqual({ min: 0, max: 0 });
    const unknown = estimateRun(manifest, cases, {
      library,
      wordingOf: () => ({ hash: '', chars: 400 }),
      client: { priceOf: () => null },
    });
    expect(unknown).toMatchObject({ costUsd: { min: null, max: null }, unpriced: ['a/x'] });
  });
});
