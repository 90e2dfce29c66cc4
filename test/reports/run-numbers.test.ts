import { describe, expect, test } from 'vitest';
import type { RunManifest } from '../../src/benchmark/run-manifest.ts';
import { trialOf } from '../../src/benchmark/trial.ts';
import type { EvalCase } from '../../src/case/case.ts';
import {
  followedSetup,
  judgingChanges,
  readRunNumbers,
  runsBefore,
} from '../../src/reports/history/run-numbers.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { fail, pass } from '../support/builders.ts';
import { newFolder } from '../support/resources.ts';
import { aConfiguration, aManifest, aVerdict, casesOf } from '../support/run-builders.ts';

const store = () => createFolderTrialStore(newFolder());
const configurations = [aConfiguration(), aConfiguration({ id: 'io other t0 #1', models: ['other'] })];

/** Keeps a run; `decisions` has a letter for each case, by configuration: `p`, `f`, or `-` for no trial. */
async function keep(
  runs: ReturnType<typeof store>,
  parts: Partial<RunManifest>,
  cases: readonly EvalCase[],
  decisions: readonly string[],
): Promise<RunManifest> {
  const manifest = aManifest({
    configurations: configurations.slice(0, decisions.length),
    ...parts,
    dataset: { source: 'x.jsonl', cases: cases.length, labeled: cases.length, hash: 'abc' },
  });
  await runs.create(manifest, [...cases]);
  const writer = await runs.write(manifest.name);
  for (const [place, letters] of decisions.entries())
    for (const [index, letter] of [...letters].entries()) {
      if (letter === '-') continue;
      const verdict = { ...aVerdict(letter === 'p' ? pass : fail), caseId: `c${index}` };
      const id = manifest.configurations[place]?.id ?? '';
      await writer.save(trialOf(`${place}-${index}`, id, cases[index]?.label ?? null, verdict), verdict);
    }
  await writer.close();
  return manifest;
}

describe('the numbers of a run', () => {
  test('of an assistant are what passes, the builds, and what turned since an earlier run on the same requests', async () => {
    const runs = store();
    const before = await keep(runs, { name: 'a', subject: 'assistant' }, casesOf(5), ['ppffp']);
    const built = casesOf(5, { response: 'Another answer.', tags: { build: '1.1' } });
    const after = await keep(runs, { name: 'b', subject: 'assistant' }, built, ['pfpf-']);
    const { score, builds, setups } = await readRunNumbers(runs, after, before);
    expect(score).toMatchObject({
      kind: 'pass-rate',
      configuration: 'io rules t0',
      measure: { value: 0.5, n: 4 },
    });
    expect(builds).toEqual(['1.1']);
    // c1 newly fails, c2 does no longer; c4 has no trial, so that four are compared.
    expect(setups.map(({ turned }) => turned)).toEqual([{ cases: 4, worse: 1, better: 1, labeled: false }]);
  });

  test('of an assistant say what passes also where answers are labeled', async () => {
    const runs = store();
    const before = await keep(runs, { name: 'a', subject: 'assistant' }, casesOf(2), ['pp']);
    // The new answers are wrong, and the judge finds it.
    const wrong = casesOf(2, { response: 'Another answer.', label: { decision: 'fail' } });
    const after = await keep(runs, { name: 'b', subject: 'assistant' }, wrong, ['ff']);
    const { score, setups } = await readRunNumbers(runs, after, before);
    expect(score).toMatchObject({ kind: 'pass-rate', measure: { value: 0 } });
    expect(setups.map(({ turned }) => turned)).toEqual([{ cases: 2, worse: 2, better: 0, labeled: false }]);
  });

  test('of an assistant leave out answers that are the same, which judges may decide otherwise', async () => {
    const runs = store();
    const before = await keep(runs, { name: 'a', subject: 'assistant' }, casesOf(2), ['pp']);
    const [same, other] = casesOf(2);
    const cases = [same, { ...other, response: 'Another answer.' }] as EvalCase[];
    const after = await keep(runs, { name: 'b', subject: 'assistant' }, cases, ['ff']);
    const { setups } = await readRunNumbers(runs, after, before);
    expect(setups.map(({ turned }) => turned)).toEqual([{ cases: 2, worse: 1, better: 0, labeled: false }]);
  });

  test('of judges are by their labels, for every configuration, on the cases that are the same', async () => {
    const runs = store();
    const labeled = casesOf(4, { label: { decision: 'fail' } });
    const before = await keep(runs, { name: 'a', subject: 'judges' }, labeled, ['ffff']);
    const changed = [...labeled.slice(0, 3), ...casesOf(5, { label: { decision: 'pass' } }).slice(3)];
    const after = await keep(runs, { name: 'b', subject: 'judges' }, changed, ['fpfpp', 'ffffp']);
    const { score, setups } = await readRunNumbers(runs, after, before);
    expect(score?.kind).toBe('f1');
    // c3 has another label now, and c4 is new; of the three others, c1 is wrong now.
    expect(setups.map(({ id, turned }) => [id, turned])).toEqual([
      ['io rules t0', { cases: 3, worse: 1, better: 0, labeled: true }],
      ['io other t0', null],
    ]);
    const alone = await readRunNumbers(runs, after, null);
    expect(alone.setups.map(({ turned }) => turned)).toEqual([null, null]);
  });
});

describe('a series', () => {
  const at = (name: string, day: string, parts: Partial<RunManifest> = {}) =>
    aManifest({ name, createdAt: `2026-11-${day}T08:00:00.000Z`, ...parts });

  test('is in the order of time, and of no other series', () => {
    const runs = [
      at('n-2026-11-03', '03'),
      at('n-2026-11-01', '01'),
      at('n-fr', '02'),
      at('other', '02', { series: 'n' }),
    ];
    const before = runsBefore(runs);
    expect([...before].map(([name, { name: earlier }]) => [name, earlier])).toEqual([
      ['other', 'n-2026-11-01'],
      ['n-2026-11-03', 'other'],
    ]);
  });

  test('follows the configuration of an assistant’s answers, otherwise the first that most runs have', () => {
    const both = at('b', '02', { configurations });
    const second = at('a', '01', { configurations: configurations.slice(1) });
    expect(followedSetup([both, second].map((run) => ({ ...run, subject: 'judges' as const })))).toBe(
      'io other t0',
    );
    expect(followedSetup([both, second].map((run) => ({ ...run, subject: 'assistant' as const })))).toBe(
      'io rules t0',
    );
    expect(followedSetup([])).toBeNull();
  });

  test('is broken where judges, prompts or rubric changed, and nowhere else', () => {
    const before = at('a', '01');
    const changesTo = (parts: Partial<RunManifest>) =>
      judgingChanges(before, at('b', '02', parts), 'io rules t0');
    expect(changesTo({})).toEqual([]);
    expect(changesTo({ wordings: { 'plain, io': 'sha256:2' } })).toEqual(['the judges’ prompts changed']);
    expect(changesTo({ rubrics: ['other'] })).toEqual(['the rubric is other, not plain']);
    expect(changesTo({ settings: { ...before.settings, panel: ['auditor'] } })).toEqual([
      'the judges changed: other personas, settings or temperature',
    ]);
    expect(judgingChanges(before, at('b', '02'), 'in neither')).toEqual([]);
  });
});
