import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TrialStore } from '../../../src/benchmark/trial-store.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { trialStoreContract } from '../../contracts/trial-store.ts';
import { fail } from '../../support/builders.ts';
import { aManifest, aTrial, aVerdict, casesOf } from '../../support/run-builders.ts';
import { scratch } from '../../support/run-jury.ts';
import { marksOf } from '../../support/trial-marks.ts';

describe('runs in folders', () => {
  trialStoreContract(test, () => {
    const folder = scratch();
    return {
      open: async () => createFolderTrialStore(folder),
      remove: async () => rmSync(folder, { recursive: true }),
    };
  });
});

describe('a run folder after a crash', () => {
  let folder: string;
  let store: TrialStore;
  const file = (name: string) => join(folder, 'r1', name);
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of store.readTrials('r1')) found.push(key);
    return found;
  };
  beforeEach(async () => {
    folder = scratch();
    store = createFolderTrialStore(folder);
    await store.create(aManifest(), casesOf(3));
    const writer = await store.write('r1');
    await writer.save(aTrial('0-0'), aVerdict());
    await writer.save(aTrial('0-1'), aVerdict());
    await writer.close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is read without its torn last line', async () => {
    appendFileSync(file('trials.jsonl'), '{"key":"0-2","confi');
    expect(await keys()).toEqual(['0-0', '0-1']);
  });

  test('keeps what dropped trials cost where the disk is full', async () => {
    writeFileSync(file('forgotten.json'), '{"spentUsd":1}');
    symlinkSync('/dev/full', file('forgotten.json.tmp'));
    const writer = await store.write('r1');
    await expect(writer.forget(['0-0'])).rejects.toThrow('ENOSPC');
    await writer.close();
    expect(readFileSync(file('forgotten.json'), 'utf8')).toBe('{"spentUsd":1}');
    rmSync(file('forgotten.json.tmp'));
    const again = await store.write('r1');
    await again.forget(['0-0']);
    await again.close();
    expect(await keys()).toEqual(['0-1']);
  });

  test('is written on where the torn line began', async () => {
    appendFileSync(file('trials.jsonl'), '{"key":"0-2","confi');
    appendFileSync(file('verdicts.jsonl'), '{"key":"0-2","verd');
    const writer = await store.write('r1');
    expect(await writer.answersOf('0-2')).toBeNull();
    await writer.save(aTrial('0-2'), aVerdict());
    await writer.close();
    expect(await keys()).toEqual(['0-0', '0-1', '0-2']);
    expect(readFileSync(file('verdicts.jsonl'), 'utf8').trim().split('\n')).toHaveLength(3);
  });

  test('loses zeros that a power cut left at its end', async () => {
    appendFileSync(file('trials.jsonl'), `${'\0'.repeat(512)}`);
    const writer = await store.write('r1');
    await writer.close();
    expect(readFileSync(file('trials.jsonl'), 'utf8').endsWith('}\n')).toBe(true);
  });

  test('drops words whose trial was not kept, which is judged again', async () => {
    appendFileSync(file('verdicts.jsonl'), `${JSON.stringify({ key: '0-2', verdict: aVerdict() })}\n`);
    const writer = await store.write('r1');
    await writer.save(aTrial('0-2'), aVerdict());
    await writer.close();
    const said: string[] = [];
    for await (const { key } of store.readVerdicts('r1')) said.push(key);
    expect(said).toEqual(['0-0', '0-1', '0-2']);
  });

  test('is not written on where a line within it is damaged, and the line is named', async () => {
    const lines = readFileSync(file('trials.jsonl'), 'utf8').split('\n');
    writeFileSync(file('trials.jsonl'), ['{"key":', lines[1], ''].join('\n'));
    await expect(store.write('r1')).rejects.toThrow('trials.jsonl: line 1 cannot be read');
    await expect(keys()).rejects.toThrow('line 1');
  });

  test('is not locked by a process that was killed', async () => {
    const gone = { pid: 2 ** 22 + 7, host: hostname(), began: '1', token: 'x' };
    writeFileSync(file('run.lock'), JSON.stringify(gone));
    const writer = await store.write('r1');
    await expect(store.write('r1')).rejects.toThrow(`being written by process ${process.pid}`);
    await writer.close();
    await (await store.write('r1')).close();
  });

  test('is not locked by another process that was given the same number since', async () => {
    const before = { pid: process.pid, host: hostname(), began: '1', token: 'x' };
    writeFileSync(file('run.lock'), JSON.stringify(before));
    await (await store.write('r1')).close();
  });

  test('stays locked by a process of another machine', async () => {
    const far = { pid: 1, host: 'elsewhere', began: null, token: 'x' };
    writeFileSync(file('run.lock'), JSON.stringify(far));
    await expect(store.write('r1')).rejects.toThrow('process 1 on elsewhere');
  });
});

test('a run may be read by its owner only', async () => {
  const folder = join(scratch(), 'data', 'runs');
  const store = createFolderTrialStore(folder);
  const manifest = aManifest();
  await store.create(manifest, casesOf(1));
  const writer = await store.write(manifest.name);
  await writer.save(aTrial('0-0'), aVerdict());
  const during = readdirSync(join(folder, manifest.name));
  await writer.close();
  const files = [...new Set([...during, ...readdirSync(join(folder, manifest.name))])];
  expect(files).toEqual(expect.arrayContaining(['cases.jsonl', 'run.json', 'run.lock', 'trials.jsonl']));
  const modes = files.filter((name) => existsSync(join(folder, manifest.name, name)));
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(new Set(modes.map((name) => modeOf(join(folder, manifest.name, name))))).toEqual(new Set(['600']));
  expect([folder, join(folder, manifest.name), join(folder, '..')].map(modeOf)).toEqual([
    '700',
    '700',
    '700',
  ]);
});

describe('the index of a run folder', () => {
  let folder: string;
  let store: TrialStore;
  const file = (name: string) => join(folder, 'r1', name);
  const marks = () => marksOf(store, aManifest());
  const count = async () => (await store.totals('r1')).trials;
  const withTrials = (trials: number) => (index: Record<string, unknown>) => ({
    ...index,
    totals: { trials, failed: 0, calls: 0, spentUsd: 0, unknownCosts: 0 },
  });
  const decisions = async (...keys: string[]) => {
    const found: string[] = [];
    for await (const { key, decision } of store.readTrials('r1', new Set(keys)))
      found.push(`${key} ${decision}`);
    return found;
  };
  /** Another index, that tells something else, so that it is seen whether it is believed. */
  const changeIndex = (change: (index: Record<string, unknown>) => object) =>
    writeFileSync(
      file('index.json'),
      JSON.stringify(change(JSON.parse(readFileSync(file('index.json'), 'utf8')))),
    );
  beforeEach(async () => {
    folder = scratch();
    store = createFolderTrialStore(folder);
    await store.create(aManifest(), casesOf(3));
    const writer = await store.write('r1');
    await writer.save(aTrial('0-1', aVerdict(fail)), aVerdict(fail));
    await writer.save(aTrial('0-0'), aVerdict());
    await writer.close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is what is read, in place of the trials', async () => {
    changeIndex(withTrials(7));
    expect(await count()).toBe(7);
  });

  test('tells the totals, with the money of what was dropped', async () => {
    const writer = await store.write('r1');
    await writer.forget(['0-0']);
    await writer.close();
    expect(existsSync(file('index.json'))).toBe(true);
    expect(await store.totals('r1')).toMatchObject({ trials: 1, spentUsd: 0.002 });
  });

  test('is not there while a writer is at work or after it was killed', async () => {
    const writer = await store.write('r1');
    expect(existsSync(file('index.json'))).toBe(false);
    await writer.save(aTrial('0-2'), aVerdict());
    expect(await marks()).toBe('+-+');
    expect(await decisions('0-2', '0-1')).toEqual(['0-1 fail', '0-2 pass']);
    await writer.close();
    expect(existsSync(file('index.json'))).toBe(true);
  });

  test('is passed over where the trials have another size: a line was deleted by hand, or the last one is torn', async () => {
    const [first, second] = readFileSync(file('trials.jsonl'), 'utf8').split('\n');
    const later = new Date(Date.now() + 60_000);
    writeFileSync(file('trials.jsonl'), `${second}\n`);
    utimesSync(file('index.json'), later, later);
    expect(await marks()).toBe('+..');
    expect((await store.totals('r1')).trials).toBe(1);
    expect(await decisions('0-0', '0-1')).toEqual(['0-0 pass']);
    writeFileSync(file('trials.jsonl'), `${first}\n${second}\n{"key":"0-2","conf`);
    utimesSync(file('index.json'), later, later);
    changeIndex(withTrials(7));
    expect(await count()).toBe(2);
    expect(await marks()).toBe('+-.');
    expect(await decisions('0-0', '0-2')).toEqual(['0-0 pass']);
  });

  test('is passed over where a word of the trials was changed since, though the size is the same', async () => {
    const before = readFileSync(file('trials.jsonl'), 'utf8');
    writeFileSync(file('trials.jsonl'), before.replace('"decision":"fail"', '"decision":"pass"'));
    // Whatever the machine took between the two: a hand takes longer than a file system's clock ticks.
    const later = new Date(statSync(file('index.json')).mtimeMs + 1000);
    utimesSync(file('trials.jsonl'), later, later);
    expect(readFileSync(file('trials.jsonl'), 'utf8')).not.toBe(before);
    expect(readFileSync(file('trials.jsonl'), 'utf8')).toHaveLength(before.length);
    changeIndex(withTrials(7));
    utimesSync(file('trials.jsonl'), later, new Date(statSync(file('index.json')).mtimeMs + 1000));
    expect(await count()).toBe(2);
    expect(await marks()).toBe(before.includes('"label":{"decision":"pass"}') ? '++.' : '');
  });

  test.each([
    ['cut off', (text: string) => text.slice(0, 40)],
    ['empty', () => ''],
    ['of another version', (text: string) => text.replace('"version":1', '"version":2')],
    ['without totals', (text: string) => text.replace('"totals"', '"total"')],
  ])('is passed over where it is %s', async (_, damage) => {
    writeFileSync(file('index.json'), damage(readFileSync(file('index.json'), 'utf8')));
    expect(await marks()).toBe('+-.');
    expect((await store.totals('r1')).trials).toBe(2);
    expect(await decisions('0-0', '0-1')).toEqual(['0-1 fail', '0-0 pass']);
  });

  test('does not leave out a trial where it names fewer', async () => {
    changeIndex((index) => ({ ...index, keys: '0-0', at: '0' }));
    expect((await decisions('0-0', '0-1')).sort()).toEqual(['0-0 pass', '0-1 fail']);
  });

  test.each(['5 9', '0', '0 1.5', 'x y', '9999999 1', ''])(
    'does not mislead where it says that lines begin at "%s"',
    async (at) => {
      changeIndex((index) => ({ ...index, at }));
      expect((await decisions('0-0', '0-1')).sort()).toEqual(['0-0 pass', '0-1 fail']);
    },
  );

  test('is made by the next writer where an older version made none', async () => {
    copyFileSync(file('index.json'), file('copy'));
    rmSync(file('index.json'));
    expect(await marks()).toBe('+-.');
    await (await store.write('r1')).close();
    expect(readFileSync(file('index.json'), 'utf8')).toBe(readFileSync(file('copy'), 'utf8'));
  });

  test('finds lines that stand far from each other', async () => {
    const writer = await store.write('r1');
    await writer.save({ ...aTrial('0-2'), why: 'because '.repeat(300_000) }, aVerdict());
    await writer.forget(['0-0']);
    await writer.save(aTrial('0-0'), aVerdict());
    await writer.close();
    expect(await decisions('0-0', '0-1')).toEqual(['0-1 fail', '0-0 pass']);
  });
});
