import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/**
 * What Jury itself costs: 600 one-call evaluations against a model that answers after exactly 200 ms, by the product's
 * own command line, beside a bare loop over the `openai` client in the same run with the same requests.
 *
 * Ideal is count × delay ÷ concurrency. "wall" is the whole process, start-up and end included; "span" only from the
 * first request to the last answer. Processor time and memory are the whole process.
 */
const count = 600;
const delayMs = 200;
const levels = [4, 20, 100];
/** Share of requests that the second endpoint refuses with 429, and the concurrency at which it is asked. */
const refusedShare = 0.02;
const limitedLevel = 20;

const Hello = z.object({ baseUrl: z.string() });
const Seen = z.object({ requests: z.number(), spanMs: z.number(), body: z.unknown() });
const Took = z.object({ cpuMs: z.number(), peakMiB: z.number() });

const bench = (file: string) => join(import.meta.dirname, file);
const folder = mkdtempSync(join(tmpdir(), 'jury-overhead-'));
const casesFile = join(folder, 'cases.jsonl');
const requestFile = join(folder, 'request.json');

const oneCase = (index: number) => ({
  id: `case-${index}`,
  rubric: 'navigation',
  conversation: [
    { role: 'user', text: `Find me a high-end French restaurant rated at least 4.5 (${index})` },
  ],
  response: 'I recommend Chez Luc, a high-end French restaurant rated 4.6, 1.2 km away.',
  context: {
    date: '2024-03-04',
    time: '20:35',
    location: { latitude: 52.53, longitude: 13.41, description: 'Prenzlauer Berg, Berlin' },
  },
  recommendation: {
    name: 'Chez Luc',
    location: { latitude: 52.54, longitude: 13.42, description: 'Kollwitzkiez, Berlin' },
    cuisine: 'French',
    cost: 'high',
    rating: 4.6,
    openingHours: { monday: '12:00-23:00', tuesday: '12:00-14:30, 18:00-01:00', sunday: 'closed' },
    distanceKm: 1.2,
    durationMin: 6,
  },
});

const startDouble = (...args: number[]) =>
  fork(bench('double-process.ts'), args.map(String), { execArgv: ['--import', 'tsx'] });
type Double = ReturnType<typeof startDouble>;

const steady = startDouble(delayMs);
const limited = startDouble(delayMs, refusedShare);
const heard = async (double: Double) => (await once(double, 'message'))[0];
const addresses = Promise.all(
  [steady, limited].map(async (double) => Hello.parse(await heard(double)).baseUrl),
);
const seen = async (double: Double) => {
  const answer = heard(double);
  double.send('report');
  return Seen.parse(await answer);
};

/** Runs one program to its end and reads off what it took. */
async function measure(args: string[], env: NodeJS.ProcessEnv, concurrency: number, double = steady) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', bench('report-usage.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env,
  });
  const usage = child.stdio[3];
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null || usage === null || usage === undefined || !('read' in usage))
    throw new Error('the child has no pipes');
  const [out, errors, took] = await Promise.all([
    text(stdout),
    text(stderr),
    text(usage),
    once(child, 'close'),
  ]);
  const wallMs = performance.now() - startedAt;
  const { requests, spanMs, body } = await seen(double);
  const lines = out.trim().split('\n').length;
  if (lines !== count || requests < count || out.includes('"unscored":1'))
    throw new Error(`${args[0]}: ${lines} results of ${requests} requests\n${errors}`);
  const ideal = (count * delayMs) / concurrency;
  return { ...Took.parse(JSON.parse(took)), wall: wallMs / ideal, span: spanMs / ideal, body };
}

const judgeAt = (concurrency: number): string[] =>
  `dist/main.js judge ${casesFile} --method io --model openai/double --concurrency ${concurrency} --json --no-cache`.split(
    ' ',
  );

const columns = ['concurrency', 'program', 'wall ÷ ideal', 'span ÷ ideal', 'CPU ms / evaluation', 'peak MiB'];
const print = (cells: string[]) =>
  console.log(cells.map((cell, at) => cell.padEnd(columns[at]?.length ?? 0)).join('  '));

try {
  const [baseUrl = '', limitedUrl = ''] = await addresses;
  writeFileSync(
    casesFile,
    Array.from({ length: count }, (_, index) => JSON.stringify(oneCase(index))).join('\n'),
  );
  const env = {
    ...process.env,
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: 'none',
    JURY_DATA_DIR: join(folder, 'data'),
  };
  print(columns);
  for (const level of levels) {
    const jury = await measure(judgeAt(level), env, level);
    writeFileSync(requestFile, JSON.stringify(jury.body));
    const bare = await measure(
      [bench('bare-loop.mjs'), baseUrl, requestFile, String(count), String(level)],
      env,
      level,
    );
    for (const [name, run] of Object.entries({ jury, 'openai loop': bare }))
      print([
        String(level),
        name,
        run.wall.toFixed(3),
        run.span.toFixed(3),
        (run.cpuMs / count).toFixed(2),
        run.peakMiB.toFixed(0),
      ]);
    const ratio = (of: (run: typeof jury) => number) => `× ${(of(jury) / of(bare)).toFixed(2)}`;
    print([
      '',
      'jury ÷ loop',
      ratio((run) => run.wall),
      ratio((run) => run.span),
      ratio((run) => run.cpuMs),
      ratio((run) => run.peakMiB),
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
