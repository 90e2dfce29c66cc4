import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addressOf,
  bareStart,
  bench,
  measured,
  median,
  oneCase,
  rounds,
  seen,
  spread,
  startDouble,
} from './measure.ts';

/**
 * What Jury itself costs: 600 one-call evaluations against a model that answers after exactly 200 ms, by the product's
 * own command line, beside a bare loop over the `openai` client in the same run with the same requests.
 *
 * Ideal is count × delay ÷ concurrency. "wall" is the whole process, start-up and end included; "span" only from the
 * first request to the last answer. Processor time and memory are the whole process. "first" is when the first request arrives after
 * the command was started: in milliseconds, and as a multiple of what `node -e 0` takes in the same run.
 *
 * The two run in turn, each time with a `node -e 0`, as often as the argument says, by itself three times: printed are medians, of times with the least and the
 * most. The run with refusals is one.
 */
const count = 600;
const delayMs = 200;
const levels = [4, 20, 100];
/** Share of requests that the second endpoint refuses with 429, and the concurrency at which it is asked. */
const refusedShare = 0.02;
const limitedLevel = 20;

const folder = mkdtempSync(join(tmpdir(), 'jury-overhead-'));
const casesFile = join(folder, 'cases.jsonl');
const requestFile = join(folder, 'request.json');

const steady = startDouble(delayMs);
const limited = startDouble(delayMs, refusedShare);
const addresses = Promise.all([steady, limited].map(addressOf));
/** Runs one program to its end and sets what it took against the ideal. */
async function measure(
  args: string[],
  env: Readonly<Record<string, string>>,
  concurrency: number,
  double = steady,
) {
  const { out, errors, wallMs, startedAt, ...took } = await measured(args, env);
  const { requests, firstAt, spanMs, body } = await seen(double);
  const lines = out.trim().split('\n').length;
  if (lines !== count || requests < count || out.includes('"unscored":1'))
    throw new Error(`${args[0]}: ${lines} results of ${requests} requests\n${errors}`);
  const ideal = (count * delayMs) / concurrency;
  return { ...took, wall: wallMs / ideal, span: spanMs / ideal, firstMs: firstAt - startedAt, body };
}

const judgeAt = (concurrency: number): string[] =>
  `dist/main.js judge ${casesFile} --method io --model openai/double --concurrency ${concurrency} --json --no-cache`.split(
    ' ',
  );

type Run = Awaited<ReturnType<typeof measure>>;

const columns = [
  'concurrency',
  'program',
  'wall ÷ ideal',
  'span ÷ ideal',
  'CPU ms / evaluation',
  'peak MiB',
  'first ms',
  '× node -e 0',
];
const widths = [11, 11, 19, 19, 19, 8, 17, 11];
const print = (cells: string[]) =>
  console.log(
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );

/** @param bareMs what `node -e 0` took */
const ofRuns = (runs: readonly Run[], bareMs: number): string[] => [
  spread(
    runs.map(({ wall }) => wall),
    3,
  ),
  spread(
    runs.map(({ span }) => span),
    3,
  ),
  spread(
    runs.map(({ cpuMs }) => cpuMs / count),
    2,
  ),
  median(runs.map(({ peakMiB }) => peakMiB)).toFixed(0),
  spread(
    runs.map(({ firstMs }) => firstMs),
    0,
  ),
  (median(runs.map(({ firstMs }) => firstMs)) / bareMs).toFixed(1),
];

try {
  const [baseUrl = '', limitedUrl = ''] = await addresses;
  writeFileSync(
    casesFile,
    Array.from({ length: count }, (_, index) => JSON.stringify(oneCase(index))).join('\n'),
  );
  const env = {
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: 'none',
    JURY_DATA_DIR: join(folder, 'data'),
  };
  print(columns);
  for (const level of levels) {
    const [juries, loops]: [Run[], Run[]] = [[], []];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const jury = await measure(judgeAt(level), env, level);
      writeFileSync(requestFile, JSON.stringify(jury.body));
      const loop = [bench('bare-loop.mjs'), baseUrl, requestFile, String(count), String(level)];
      juries.push(jury);
      bare.push(await bareStart());
      loops.push(await measure(loop, env, level));
    }
    print([String(level), 'jury', ...ofRuns(juries, median(bare))]);
    print(['', 'openai loop', ...ofRuns(loops, median(bare))]);
    const ratio = (of: (run: Run) => number) =>
      `× ${(median(juries.map(of)) / median(loops.map(of))).toFixed(2)}`;
    print([
      '',
      'jury ÷ loop',
      ratio((run) => run.wall),
      ratio((run) => run.span),
      ratio((run) => run.cpuMs),
      ratio((run) => run.peakMiB),
      ratio((run) => run.firstMs),
    ]);
  }
  const jury = await measure(
    judgeAt(limitedLevel),
    { ...env, OPENAI_BASE_URL: limitedUrl },
    limitedLevel,
    limited,
  );
  console.log(
    `\nWith ${refusedShare * 100} % of requests refused (429, no Retry-After) at concurrency ${limitedLevel}: all ${count} judged, wall ÷ ideal ${jury.wall.toFixed(3)}`,
  );
} catch (thrown) {
  console.error(`${thrown instanceof Error ? thrown.message : thrown}\nIs it built? npm run build`);
  process.exitCode = 1;
} finally {
  steady.disconnect();
  limited.disconnect();
  rmSync(folder, { recursive: true, force: true });
}
