import { beforeEach, describe, expect, test } from 'vitest';
import type { RunManifest } from '../../src/benchmark/run-manifest.ts';
import { trialOf } from '../../src/benchmark/trial.ts';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';
import type { EvalCase } from '../../src/case/case.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { readRunSample } from '../../src/reports/history/run-sample.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { aCase, fail, pass } from '../support/builders.ts';
import { aManifest, aVerdict } from '../support/run-builders.ts';
import { scratch } from '../support/run-jury.ts';

let runs: TrialStore;
beforeEach(() => {
  runs = createFolderTrialStore(scratch());
});

const answer = (id: string, response: string, parts: Partial<EvalCase> = {}): EvalCase =>
  aCase({ id, response, conversation: [{ role: 'user', text: `request of ${id}` }], ...parts });

/** A run of these cases, of which those pass whose response does not begin with "no". */
async function aRun(
  name: string,
  cases: readonly EvalCase[],
  {
    dataset,
    ...parts
  }: Partial<Omit<RunManifest, 'dataset'>> & { dataset?: Partial<RunManifest['dataset']> } = {},
  change: Partial<Verdict> = {},
): Promise<RunManifest> {
  const source = { source: 'answers.jsonl', cases: cases.length, labeled: 0, hash: JSON.stringify(cases) };
  const manifest = aManifest({ name, dataset: { ...source, ...dataset }, subject: 'assistant', ...parts });
  await runs.create(manifest, cases);
  const writer = await runs.write(name);
  for (const [index, { id = '', response, label = null }] of cases.entries()) {
    const verdict = { ...aVerdict(response.startsWith('no') ? fail : pass), caseId: id, ...change };
    await writer.save(trialOf(`0-${index}`, 'io rules t0 #1', label, verdict), verdict);
  }
  await writer.close();
  return manifest;
}

const sampleOf = (
  manifest: RunManifest,
  earlier: readonly RunManifest[] = [],
  baseline: RunManifest | null = null,
) => readRunSample(runs, manifest, earlier, baseline);

describe('what a run adds to earlier ones', () => {
  const first = [answer('a', 'yes'), answer('b', 'yes'), answer('c', 'no')];

  test('is all of its answers, if it is the first', async () => {
    expect(await sampleOf(await aRun('r1', first))).toMatchObject({
      cases: 3,
      fresh: 3,
      isFixed: false,
      passes: [
        { value: { total: 1, n: 1 }, items: 2 },
        { value: { total: 0, n: 1 }, items: 1 },
      ],
      decided: [{ value: { total: 1, n: 1 }, items: 3 }],
      scores: null,
      drifts: null,
    });
  });

  test('is nothing where the same answers are judged again, also if others were judged in between', async () => {
    const [one, other, again] = [
      await aRun('r1', first),
      await aRun('r2', [answer('z', 'yes')]),
      await aRun('r3', first),
    ];
    expect(await sampleOf(again, [one, other])).toMatchObject({ fresh: 0, passes: [], isFixed: false });
    expect(await sampleOf(again, [one])).toMatchObject({ fresh: 0, isFixed: true });
  });

  test('is all answers that a system gave for it, even if they are the same', async () => {
    const collected = { dataset: { collected: true as const } };
    const [one, again] = [await aRun('r1', first, collected), await aRun('r2', first, collected)];
    expect(await sampleOf(again, [one])).toMatchObject({ fresh: 3, isFixed: true });
  });

  test('is all of a file of answers to the same requests, where any of them differs', async () => {
    const second = [answer('a', 'yes'), answer('b', 'no'), answer('c', 'no')];
    const slower = first.map((one) => ({ ...one, latencyMs: 1300 }));
    const [one, two, three] = [await aRun('r1', first), await aRun('r2', second), await aRun('r3', slower)];
    expect(await sampleOf(two, [one])).toMatchObject({ fresh: 3, isFixed: true });
    // The same words, but it took another time to say them.
    expect(await sampleOf(three, [one])).toMatchObject({ fresh: 3, isFixed: true });
  });

  test('is only what a log has grown by', async () => {
    const grown = [...first, answer('d', 'no'), answer('e', 'no')];
    const [one, two] = [await aRun('r1', first), await aRun('r2', grown)];
    expect(await sampleOf(two, [one])).toMatchObject({
      cases: 5,
      fresh: 2,
      isFixed: false,
      passes: [{ value: { total: 0, n: 1 }, items: 2 }],
    });
  });

  test('is nothing where only labels were added', async () => {
    const labeled = first.map((one) => ({ ...one, label: { decision: 'pass' as const } }));
    const [one, two] = [await aRun('r1', first), await aRun('r2', labeled)];
    expect(await sampleOf(two, [one])).toMatchObject({ fresh: 0 });
  });

  test('is what the judges decide, about judges', async () => {
    const label = { decision: 'pass' as const };
    const cases = [
      answer('a', 'yes', { label, tags: { group: 'one' } }),
      answer('b', 'no', { label, tags: { group: 'one' } }),
      answer('c', 'yes', { label }),
      answer('d', 'yes'),
    ];
    const judges = { subject: 'judges' as const };
    const [one, again] = [await aRun('r1', cases, judges), await aRun('r2', cases, judges)];
    expect(await sampleOf(again, [one])).toMatchObject({
      fresh: 4,
      isFixed: true,
      passes: [
        { value: { total: 1, n: 2 }, items: 1 },
        { value: { total: 1, n: 1 }, items: 1 },
      ],
    });
  });

  test('counts answers that belong together as one unit, with their latencies', async () => {
    const cases = [
      answer('a', 'yes', { tags: { group: 'one' }, latencyMs: 900 }),
      answer('b', 'no', { tags: { group: 'one' }, latencyMs: 2100 }),
      answer('c', 'yes', { latencyMs: 1000 }),
      answer('d', 'yes'),
    ];
    expect(await sampleOf(await aRun('r1', cases))).toMatchObject({
      passes: [
        { value: { total: 1, n: 2 }, items: 1 },
        { value: { total: 1, n: 1 }, items: 2 },
      ],
      latencies: [[900, 2100], [1000]],
    });
  });

  test('has scores with the bounds of their scale', async () => {
    const scored = { decision: 'scored' as const, score: 4, scale: { min: 1, max: 5 } };
    expect(await sampleOf(await aRun('r1', first, {}, scored))).toMatchObject({
      passes: [],
      decided: [{ value: { total: 1, n: 1 }, items: 3 }],
      scores: { units: [{ value: { total: 4, n: 1 }, items: 3 }], range: { min: 1, max: 5 } },
    });
    const unbounded = { decision: 'scored' as const, score: 4 };
    expect(await sampleOf(await aRun('r2', first, {}, unbounded))).toMatchObject({ scores: null });
  });

  test('has the changes since the baseline, for each request that both decided', async () => {
    const later = [answer('a', 'no longer'), answer('b', 'yes'), answer('c', 'yes now'), answer('x', 'no')];
    const [one, two] = [await aRun('r1', first), await aRun('r2', later)];
    expect(await sampleOf(two, [one], one)).toMatchObject({
      drifts: {
        baseline: 'r1',
        units: [
          { value: { total: -1, n: 1 }, items: 1 },
          { value: { total: 0, n: 1 }, items: 1 },
          { value: { total: 1, n: 1 }, items: 1 },
        ],
      },
    });
  });

  describe('has, with other requests than the baseline’s, their changes since its mean', () => {
    const some = (run: string, market: string, n: number, passing: number): EvalCase[] =>
      Array.from({ length: n }, (_, at) =>
        answer(`${run} ${market} ${at}`, at < passing ? 'yes' : 'no', { tags: { market } }),
      );
    const driftsOf = async (then: readonly EvalCase[], now: readonly EvalCase[]) => {
      const [one, two] = [await aRun('r1', then), await aRun('r2', now)];
      const { drifts } = await sampleOf(two, [one], one);
      return (drifts?.units ?? []).flatMap(({ value, items }) => Array<number>(items).fill(value.total));
    };
    const meanOf = (drifts: readonly number[]) => drifts.reduce((sum, one) => sum + one, 0) / drifts.length;

    test('of the same kind, so that another mix of markets alone is no change', async () => {
      // Where the baseline has no request from the sea, there is nothing to compare with.
      const drifts = await driftsOf(
        [...some('r1', 'city', 160, 144), ...some('r1', 'country', 40, 20)],
        [...some('r2', 'city', 40, 36), ...some('r2', 'country', 160, 80), ...some('r2', 'sea', 2, 0)],
      );
      expect(drifts).toHaveLength(200);
      expect(meanOf(drifts)).toBeCloseTo(0, 9);
    });

    test('but pair by pair for those that both have', async () => {
      const shared = [...some('both', 'city', 20, 10)];
      const worse = shared.map((one, at) => (at < 4 ? { ...one, response: 'no longer' } : one));
      const drifts = await driftsOf(
        [...shared, ...some('r1', 'city', 40, 40)],
        [...worse, ...some('r2', 'city', 40, 30)],
      );
      // Those in both drift by −1 or 0, although they pass much more seldom than the others did; the others since 100 %.
      expect(drifts.filter((one) => one === -1)).toHaveLength(4 + 10);
      expect(drifts.filter((one) => Math.abs(one) === 0)).toHaveLength(16 + 30);
      expect(drifts).toHaveLength(60);
    });
  });

  test.each([
    ['the prompts', { wordings: { 'plain, io': 'sha256:2' } }],
    ['the rubric', { sources: { rubrics: { plain: 'b' }, methods: { io: 'm' } } }],
    ['the method', { sources: { rubrics: { plain: 'a' }, methods: { io: 'n' } } }],
  ])('is judged by another yardstick where %s changed', async (_, parts) => {
    const sources = { rubrics: { plain: 'a' }, methods: { io: 'm' } };
    const [one, same, other] = [
      await aRun('r1', first, { sources }),
      await aRun('r2', first, { sources, wordings: { 'plain, io': 'sha256:1', 'other, io': 'sha256:9' } }),
      await aRun('r3', first, { sources, ...parts }),
    ];
    const { yardstick } = await sampleOf(one);
    expect((await sampleOf(same)).yardstick).toEqual(yardstick);
    expect((await sampleOf(other)).yardstick).not.toEqual(yardstick);
  });
});
