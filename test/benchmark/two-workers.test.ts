import { expect, test } from 'vitest';
import { casesAt, runBenchmark } from '../../src/benchmark/run-benchmark.ts';
import type { TrialVerdict } from '../../src/benchmark/trial-store.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { aCase, judgementOf, pass } from '../support/builders.ts';
import { builtInLibrary } from '../support/built-in.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { aConfiguration, aManifest, someSettings } from '../support/run-builders.ts';
import { scratch } from '../support/run-jury.ts';

closeAfterEach();

const cases = [0, 1].map((n) => aCase({ id: `c${n}`, rubric: 'question-answering' }));
const io = aConfiguration({ id: 'io', models: ['test/model'] });
const manifest = aManifest({
  name: 'both',
  settings: someSettings({ models: ['test/model'], cache: false }),
  configurations: [io, { ...io, id: 'again', pooledFrom: ['io'] }],
  dataset: { source: 'x', cases: cases.length, labeled: 0, hash: 'h' },
});

/** A run whose second configuration takes its answers from the first. */
async function aRun() {
  const store = createFolderTrialStore(scratch());
  await store.create(manifest, cases);
  const writer = await store.write(manifest.name);
  closing(() => writer.close());
  const read: string[][] = [];
  let asked = 0;
  const judge = (parts: { writer?: typeof writer; stop?: AbortSignal } = {}) =>
    runBenchmark(
      {
        manifest,
        library: builtInLibrary(),
        askFor: () => async (question) => {
          asked += 1;
          return judgementOf(question, pass);
        },
        wordingOf: () => ({ hash: 'same', chars: 100 }),
        caseAt: casesAt(cases),
        readVerdicts: (keys) => {
          read.push([...keys].sort());
          return store.readVerdicts(manifest.name, keys);
        },
        writer,
        now: Date.now,
        timeoutMs: 10_000,
        stop: new AbortController().signal,
        ...parts,
      },
      1,
    );
  const verdicts = async () => {
    const all: TrialVerdict[] = [];
    for await (const one of store.readVerdicts(manifest.name)) all.push(one);
    return new Map(all.map(({ key, verdict }) => [key, verdict]));
  };
  return { writer, judge, read, verdicts, asked: () => asked };
}

test('a trial that another worker has saved first leaves what was saved to the others', async () => {
  const { writer, judge, verdicts } = await aRun();
  const late: typeof writer = {
    ...writer,
    save: async (trial, verdict) => {
      const others = verdict.judgements.map((one) => ({
        ...one,
        usage: { ...one.usage, latencyMs: 4711 },
      }));
      if (trial.key === '0-0') await writer.save(trial, { ...verdict, judgements: others });
      return writer.save(trial, verdict);
    },
  };
  expect(await judge({ writer: late })).toEqual({ kind: 'complete' });
  const theirs = [...(await verdicts())].map(([key, { judgements }]) => [
    key,
    judgements.map(({ usage }) => usage.latencyMs === 4711),
  ]);
  expect(theirs.sort()).toEqual([
    ['0-0', [true]],
    ['0-1', [false]],
    ['1-0', [true]],
    ['1-1', [false]],
  ]);
});

test('half-judged chains are read in one pass, each time the run is taken up', async () => {
  const { writer, judge, read, asked } = await aRun();
  await judge();
  expect([asked(), read]).toEqual([2, []]);
  await writer.forget(['1-0', '1-1']);
  let isFirst = true;
  const away: typeof writer = {
    ...writer,
    begin: async (key) => {
      if (key === '1-0' && isFirst) {
        isFirst = false;
        return 'stop';
      }
      return writer.begin(key);
    },
  };
  expect(await judge({ writer: away })).toMatchObject({ kind: 'budget' });
  expect(await judge()).toEqual({ kind: 'complete' });
  expect([asked(), read]).toEqual([
    2,
    [
      ['0-0', '0-1'],
      ['0-0', '0-1'],
    ],
  ]);
});
