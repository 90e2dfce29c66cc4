import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { addressOf, bench, measured, seen, startDouble } from './measure.ts';
import { oneCase } from './one-case.ts';

/**
 * What a benchmark run costs by itself: 600 trials by `jury bench run`, every one kept as it ends, against a model that
 * answers after exactly 200 ms, beside a bare loop over the `openai` client in the same run with the same requests; and
 * 600 trials by exact checks, without any model. Whole commands, start-up and end included.
 */
const count = 600;
const delayMs = 200;
const concurrency = 20;
const ideal = (count * delayMs) / concurrency;

const Summary = z.object({ trials: z.int(), failed: z.int() });

const folder = mkdtempSync(join(tmpdir(), 'jury-run-'));
const casesFile = join(folder, 'cases.jsonl');
const requestFile = join(folder, 'request.json');
const double = startDouble(delayMs);

async function run(settings: string, env: NodeJS.ProcessEnv) {
  const took = await measured(
    ['dist/main.js', 'bench', 'run', casesFile, ...settings.split(' '), '--json', '--no-cache'],
    env,
  );
  const { trials, failed } = Summary.parse(JSON.parse(took.out));
  if (trials !== count || failed > 0) throw new Error(`${trials} trials, ${failed} failed\n${took.errors}`);
  return took;
}

const columns = ['program', 'wall s', 'wall ÷ ideal', 'CPU ms / trial', 'peak MiB'];
const print = (cells: string[]) =>
  console.log(
    cells.map((cell, at) => cell.padEnd(columns[at]?.length ?? 0).padEnd(at === 0 ? 22 : 0)).join('  '),
  );

try {
  const baseUrl = await addressOf(double);
  writeFileSync(
    casesFile,
    Array.from({ length: count }, (_, index) => JSON.stringify(oneCase(index))).join('\n'),
  );
  const { REDIS_URL: _redis, ...inherited } = process.env;
  const env = {
    ...inherited,
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: 'none',
    JURY_DATA_DIR: join(folder, 'data'),
  };
  const jury = await run(
    `--methods io --models openai/double --concurrency ${concurrency} --name model`,
    env,
  );
  writeFileSync(requestFile, JSON.stringify((await seen(double)).body));
  const bare = await measured(
    [bench('bare-loop.mjs'), baseUrl, requestFile, String(count), String(concurrency)],
    env,
  );
  const rules = await run('--methods io --models rules --name rules', env);
  print(columns);
  for (const [name, { wallMs, cpuMs, peakMiB }] of Object.entries({
    'bench run, model': jury,
    'openai loop': bare,
    'bench run, rules': rules,
  }))
    print([
      name,
      (wallMs / 1000).toFixed(2),
      name === 'bench run, rules' ? '' : (wallMs / ideal).toFixed(3),
      (cpuMs / count).toFixed(2),
      peakMiB.toFixed(0),
    ]);
  print([
    'run ÷ loop',
    '',
    `× ${(jury.wallMs / bare.wallMs).toFixed(2)}`,
    `× ${(jury.cpuMs / bare.cpuMs).toFixed(2)}`,
    `× ${(jury.peakMiB / bare.peakMiB).toFixed(2)}`,
  ]);
} catch (thrown) {
  console.error(`${thrown instanceof Error ? thrown.message : thrown}\nIs it built? npm run build`);
  process.exitCode = 1;
} finally {
  double.disconnect();
  rmSync(folder, { recursive: true, force: true });
}
