import { describe, expect, test } from 'vitest';
import { estimateRun } from '../../src/benchmark/estimate-run.ts';
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
