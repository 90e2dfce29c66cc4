import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createReportThread } from '../../../src/surfaces/web/report-thread.ts';
import { closeAfterEach, closing, newFolder } from '../../support/resources.ts';
import { aManifest } from '../../support/run-builders.ts';

closeAfterEach();

/** Answers with the name of the run, and dies of the run `dies`. */
const SCRIPT = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ id, task }) => {
  if (task.run === 'dies') process.exit(1);
  const made = { report: { kind: 'report', begin: task.run, rest: '', json: '{}' },
    numbers: { kind: 'numbers', numbers: { score: null, builds: [], setups: [] } } }[task.kind];
  parentPort.postMessage(task.run === 'none' ? { id, problem: { code: 'usage', retryable: false, message: 'no run' } } : { id, made });
});`;

function aThread() {
  const script = join(newFolder(), 'worker.mjs');
  writeFileSync(script, SCRIPT);
  const leaving = new AbortController();
  closing(async () => leaving.abort());
  const thread = createReportThread(
    { variable: () => undefined, reportWorker: pathToFileURL(script) },
    leaving.signal,
  );
  const report = (run: string) =>
    thread.report({ kind: 'report', run, url: '', hidden: {}, against: [], reviewed: [], votes: null });
  const numbers = () => thread.numbers({ kind: 'numbers', run: aManifest(), earlier: null });
  return { report, numbers, leaving };
}

test('what somebody waits for comes before numbers for a list', async () => {
  const { report, numbers } = aThread();
  const ended: string[] = [];
  await Promise.all([
    numbers().then(() => ended.push('first numbers')),
    numbers().then(() => ended.push('second numbers')),
    report('monday').then(({ begin }) => ended.push(begin)),
  ]);
  expect(ended).toEqual(['first numbers', 'monday', 'second numbers']);
});

test('a task that kills the thread fails alone: the next one has another thread', async () => {
  const { report } = aThread();
  const [died, next] = await Promise.allSettled([report('dies'), report('monday')]);
  expect(died).toMatchObject({ status: 'rejected', reason: { code: 'internal' } });
  expect(next).toMatchObject({ status: 'fulfilled', value: { begin: 'monday' } });
});

test('failures come back as they are, and a service that stops waits for nothing', async () => {
  const { report, leaving } = aThread();
  await expect(report('none')).rejects.toMatchObject({ code: 'usage', message: 'no run' });
  const waiting = Promise.allSettled([report('monday'), report('tuesday')]);
  leaving.abort();
  expect((await waiting).at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'store-unavailable' } });
});
