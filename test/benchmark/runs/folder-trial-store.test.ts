import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFolderTrialStore } from '../../../src/benchmark/runs/folder/folder-trial-store.ts';
import type { TrialStore } from '../../../src/benchmark/runs/trial-store.ts';
import { trialStoreContract } from '../../contracts/trial-store.ts';
import { aManifest, aTrial, aVerdict, casesOf } from '../../support/run-builders.ts';
import { scratch } from '../../support/run-jury.ts';

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
