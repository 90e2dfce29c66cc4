import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { addressOf, bench, measured, median, oneCase, rounds, seen, spread, startDouble } from './measure.ts';

/**
 * What a benchmark run costs by itself: 600 trials by `jury bench run`, every one kept as it ends, against a model that
 * answers after exactly 200 ms, beside a bare loop over the `openai` client in the same run with the same requests; and
 * 600 trials by exact checks, without any model. Whole commands, start-up and end included. They run in turn, as often as the
 * argument says, by itself three times: printed are medians, with the least and the most.
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

async function run(settings: string, env: Readonly<Record<string, string>>) {
  const took = await measured(
    ['dist/main.js', 'bench', 'run', casesFile, ...settings.split(' '), '--json', '--no-cache'],
    env,
  );
  const { trials, failed } = Summary.parse(JSON.parse(took.out));
  if (trials !== count || failed > 0) throw new Error(`${trials} trials, ${failed} failed\n${took.errors}`);
  return took;
}

type Took = Awaited<ReturnType<typeof measured>>;

const widths = [16, 17, 19, 17, 8];
const print = (cells: string[]) =>
  console.log(
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );

function row(name: string, runs: readonly Took[], waits: boolean): void {
  const of = (figure: (run: Took) => number, digits: number) => spread(runs.map(figure), digits);
  print([
    name,
    of(({ wallMs }) => wallMs / 1000, 2),
    waits ? of(({ wallMs }) => wallMs / ideal, 3) : '',
    of(({ cpuMs }) => cpuMs / count, 2),
    median(runs.map(({ peakMiB }) => peakMiB)).toFixed(0),
  ]);
}

try {
  const baseUrl = await addressOf(double);
  writeFileSync(
    casesFile,
    Array.from({ length: count }, (_, index) => JSON.stringify(oneCase(index))).join('\n'),
  );
  const env = {
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: 'none',
    JURY_DATA_DIR: join(folder, 'data'),
  };
  const [byModel, loops, byRules]: [Took[], Took[], Took[]] = [[], [], []];
  for (let round = 1; round <= rounds; round += 1) {
    byModel.push(
      await run(
        `--methods io --models openai/double --concurrency ${concurrency} --name model-${round}`,
        env,
      ),
    );
    writeFileSync(requestFile, JSON.stringify((await seen(double)).body));
    const loop = [bench('bare-loop.mjs'), baseUrl, requestFile, String(count), String(concurrency)];
    loops.push(await measured(loop, env));
    byRules.push(await run(`--methods io --models rules --name rules-${round}`, env));
  }
  print(['program', 'wall s', 'wall ÷ ideal', 'CPU ms / trial', 'peak MiB']);
  row('bench run, model', byModel, true);
  row('openai loop', loops, true);
  row('bench run, rules', byRules, false);
  const ratio = (of: (run: Took) => number) =>
    `× ${(median(byModel.map(of)) / median(loops.map(of))).toFixed(2)}`;
  print([
    'run ÷ loop',
    '',
    ratio(({ wallMs }) => wallMs),
    ratio(({ cpuMs }) => cpuMs),
    ratio(({ peakMiB }) => peakMiB),
  ]);
} catch (thrown) {
  console.error(`${thrown instanceof Error ? thrown.message : thrown}\nIs it built? npm run build`);
  process.exitCode = 1;
} finally {
  double.disconnect();
  rmSync(folder, { recursive: true, force: true });
}
