import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { runDefinedBenchmark } from '../../src/benchmark/run-defined-benchmark.ts';
import { Trial } from '../../src/benchmark/trial.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { aDefinition, aRunner } from '../support/benchmark-runner.ts';
import { startModelDouble } from '../support/model-double.ts';
import { closeAfterEach, closing, until } from '../support/resources.ts';
import { casesOf } from '../support/run-builders.ts';
import { jury, scratch, spawnJury } from '../support/run-jury.ts';

closeAfterEach();
const { rounds } = inject('counts');

test('a run that is killed in the middle continues, repeats no trial that was kept and loses none', {
  repeats: rounds - 1,
}, async () => {
  let letGo = () => {};
  const killed = new Promise<void>((done) => {
    letGo = done;
  });
  // 40 are answered; the next four wait until the process is gone.
  const double = await startModelDouble({
    answer: async ({ n }) => {
      if (n > 40) await killed;
      return { fields: { decision: 'pass' } };
    },
  });
  closing(() => double.close());
  const cwd = scratch();
  const env = { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' };
  const cases = casesOf(120, { rubric: 'navigation', label: { decision: 'pass' } });
  writeFileSync(join(cwd, 'cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
  const args = ['bench', 'run', 'cases.jsonl', '--methods', 'io', '--models', 'openai/gpt-4o-mini'];
  const command = [...args, '--no-cache', '--concurrency', '4', '--name', 'killed', '--json'];
  const trials = async () =>
    (await jury(['bench', 'show', 'killed', '--trials'], { cwd, env })).out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Trial.parse(JSON.parse(line)));

  const child = spawnJury(command, { cwd, env });
  await until(() => double.counts.received === 44);
  child.kill('SIGKILL');
  await once(child, 'exit');
  letGo();
  expect(await trials()).toHaveLength(40);
  const ran = await jury(command, { cwd, env });
  expect(ran.code).toBe(0);
  expect(ran.err).toContain('40 trials already there');
  expect(double.counts.received).toBe(44 + 80);
  const ids = (await trials()).map(({ caseId }) => caseId);
  expect(ids).toHaveLength(120);
  expect(new Set(ids).size).toBe(120);
  expect(JSON.parse(ran.out)).toMatchObject({ trials: 120, calls: 120 });
});

test('a run that is killed again and again ends with every trial once', async () => {
  const { cases: planned, kills } = inject('counts').runs;
  const concurrency = 8;
  const double = await startModelDouble({ delayMs: 20, record: false });
  closing(() => double.close());
  const cwd = scratch();
  const env = { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' };
  const cases = casesOf(planned, { rubric: 'navigation', label: { decision: 'pass' } });
  writeFileSync(join(cwd, 'cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
  const judged = 'cases.jsonl --methods io --models openai/gpt-4o-mini --no-cache --json';
  const command = [
    'bench',
    'run',
    ...judged.split(' '),
    '--concurrency',
    `${concurrency}`,
    '--name',
    'often',
  ];
  for (let kill = 1; kill <= kills; kill += 1) {
    const child = spawnJury(command, { cwd, env });
    const least = double.counts.received + planned / (kills + 2);
    await until(() => double.counts.received >= least);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const ran = await jury(command, { cwd, env });
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject({ planned, trials: planned, failed: 0, calls: planned });
  const shown = await jury(['bench', 'show', 'often', '--trials'], { cwd, env });
  const keys = shown.out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).key]));
  expect(keys).toHaveLength(planned);
  expect(new Set(keys).size).toBe(planned);
  // Each kill can cost what was under way, and is all that it costs.
  expect(double.counts.received).toBeGreaterThanOrEqual(planned);
  expect(double.counts.received).toBeLessThanOrEqual(planned + kills * concurrency);
});

test('a benchmark of a schedule whose process is killed is gone on with by another, and no trial is judged twice', {
  repeats: rounds - 1,
}, async () => {
  const slot = Date.UTC(2026, 10, 23, 8);
  const run = 'trip-20261123T080000Z';
  const never = new AbortController().signal;
  const folder = scratch();
  const path = join(scratch(), 'jury.db');
  const store = await openSqliteStore(path);
  closing(() => store.close());
  const worker = fileURLToPath(new URL('../support/benchmark-worker.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', worker, path, folder, String(slot), '40'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const trials = async () => (await aRunner(store, folder).runs.totals(run)).trials;
  await until(async () => (await trials()) >= 5);
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  const before = await trials();
  const asked: string[] = [];
  const later = () => Date.now() + 61_000;
  const runner = aRunner(store, folder, { cases: 40, now: later, asked: () => asked.push('') });
  expect(await runDefinedBenchmark(runner, aDefinition(), slot, never)).toMatchObject({
    kind: 'complete',
    trials: 40,
  });
  expect(asked).toHaveLength(40 - before);
});
