// What a page of a run costs: npm run bench:run-page [-- --cases 600 --runs 200 --verdicts 100000]
// A run of 24 configurations: the size of its file, how soon Chromium opens it from disk, sorts, searches and opens a case; and how soon
// the console answers, and how long it answers nothing else meanwhile, also with many runs and verdicts. Judges say something else each time,
// as models do, so that the texts compress no better than theirs.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pino from 'pino';
import type { Page } from 'playwright-core';
import { assemble } from '../src/compose.ts';
import { readEnv } from '../src/env.ts';
import { createRandom } from '../src/statistics/random.ts';
import { createFolderTrialStore } from '../src/stores/folder/runs.ts';
import { startService } from '../src/surfaces/service/start-service.ts';
import { findBrowser, openBrowser } from '../test/support/browser.ts';
import { keepMadeRun, manyHabits } from '../test/support/made-run.ts';
import { openLink } from '../test/support/open-link.ts';
import { reportFile } from '../test/support/report-html.ts';
import { aRecord } from '../test/support/store-builders.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '600' },
    runs: { type: 'string', default: '200' },
    verdicts: { type: 'string', default: '100000' },
  },
});
const CONFIGURATIONS = 24;
/** Words of a judge's reason, and how many there are to choose from: English text has about as much information a word. */
const [WORDS, VOCABULARY] = [60, 3_000];

const fraction = createRandom(11).fraction;
const vocabulary = Array.from({ length: VOCABULARY }, () =>
  Array.from({ length: 3 + Math.floor(fraction() * 6) }, () =>
    String.fromCharCode(97 + Math.floor(fraction() ** 1.5 * 26)),
  ).join(''),
);
/** Some words are said far more often than others. */
const say = (): string =>
  Array.from({ length: WORDS }, () => vocabulary[Math.floor(fraction() ** 3 * VOCABULARY)]).join(' ');

const folder = mkdtempSync(join(tmpdir(), 'jury-run-page-'));
const habits = Array.from({ length: CONFIGURATIONS }, (_, at) => {
  const habit = manyHabits[at % manyHabits.length] ?? manyHabits[0];
  if (habit === undefined) throw new Error('there are no habits');
  return { ...habit, models: at < manyHabits.length ? habit.models : habit.models.map((one) => `${one}-2`) };
});
const store = createFolderTrialStore(join(folder, 'runs'));
const cases = Number(values.cases);
await keepMadeRun(store, { name: 'made', cases, repeats: 1, habits, rationale: say });

const print = (what: string, value: string) => console.log(`${what.padEnd(60)}${value.padStart(12)}`);
const ms = (took: number): string => `${took.toFixed(0)} ms`;

/** Runs in the page: from an action to the frame that shows it. */
const frames = (act: string) => `(async () => {
  const begun = performance.now();
  ${act}
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - begun;
})()`;

async function measured(page: Page, what: string, act: string): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < 10; n += 1) times.push(Number(await page.evaluate(frames(act))));
  times.sort((a, b) => a - b);
  print(`${what}, median and slowest of 10`, `${ms(times[5] ?? 0)} ${ms(times[9] ?? 0)}`);
}

const begun = performance.now();
const html = await reportFile(store, 'made');
const path = join(folder, 'made.html');
writeFileSync(path, html);
print(`${cases * CONFIGURATIONS} trials, made in`, ms(performance.now() - begun));
print('file', `${(statSync(path).size / 2 ** 20).toFixed(1)} MiB`);
print('reasons that found no room', /said in ([\d,]+) trials/.exec(html)?.[1] ?? '0');

const chromium = findBrowser();
if (chromium !== null) {
  const browser = await openBrowser(chromium);
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  for (const time of ['first', 'again']) {
    const opened = performance.now();
    await page.goto(pathToFileURL(path).href);
    await page.locator('.drawing canvas').first().waitFor();
    print(`opened and drawn, ${time}`, ms(performance.now() - opened));
  }
  const click = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).click();`;
  await measured(page, 'sort by a configuration', click('.cases thead th:nth-child(9) button'));
  await measured(page, 'sort by how many are wrong', click('.cases thead th:nth-child(3) button'));
  await measured(
    page,
    'search words',
    `const box = document.querySelector('.how input'); box.value = box.value === 'cost' ? 'time' : 'cost'; box.dispatchEvent(new Event('input', { bubbles: true }));`,
  );
  const clicked = performance.now();
  await page.locator('[data-at="0.3"]').click();
  await page.locator('dialog.case .pasted').nth(3).waitFor();
  print('open a case', ms(performance.now() - clicked));
  await browser.close();
}

/** Nanoseconds to ms. */
const NS = 1e6;

/** Asks for a page some times; prints how long it took, and the longest that the service did nothing else meanwhile. */
async function asked(base: string, headers: Record<string, string>, path: string, times = 41): Promise<void> {
  const took: number[] = [];
  const held: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const begun = performance.now();
    const answer = await fetch(`${base}${path}`, { headers });
    await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    took.push(performance.now() - begun);
    // A delay is counted when it is over.
    await new Promise((done) => setTimeout(done, 5));
    delays.disable();
    held.push(delays.max / NS);
  }
  const [first = 0, ...warm] = took;
  warm.sort((a, b) => a - b);
  const at = (share: number) => ms(warm[Math.floor(warm.length * share)] ?? 0).padStart(7);
  const holds = `held ${ms(held[0] ?? 0)}, ${ms(Math.max(...held.slice(1)))}`;
  print(path, `${ms(first).padStart(8)} ${at(0.5)} ${at(0.95)}   ${holds}`);
}

async function serving(
  data: string,
  measure: (base: string, headers: Record<string, string>) => Promise<void>,
) {
  const parts = await assemble(readEnv({ JURY_DATA_DIR: data, PORT: '0', JURY_RETENTION_DAYS: '0' }, ''), {
    cache: false,
    warn: () => {},
  });
  const service = await startService(parts, pino({ level: 'silent' }));
  await measure(`http://127.0.0.1:${service.port}`, await openLink(service.link ?? ''));
  await service.close(0);
  await parts.close();
}

console.log(
  '\naddress: first, then median and p95; the longest that the loop was held, by the first and by the others',
);
await serving(folder, async (base, headers) => {
  for (const path of [
    '/healthz',
    '/runs/made',
    '/runs',
    '/ui/runs/made/cases/77',
    '/api/v1/runs',
    '/api/v1/runs/made',
  ])
    await asked(base, headers, path);
});
rmSync(folder, { recursive: true });

// Many runs beside many verdicts: a year of four nightly benchmarks.
const many = mkdtempSync(join(tmpdir(), 'jury-runs-'));
const manyRuns = createFolderTrialStore(join(many, 'runs'));
const count = Number(values.runs);
const DAY_MS = 86_400_000;
const begin = Date.UTC(2026, 0, 1);
for (let n = 0; n < count; n += 1) {
  const createdAt = new Date(begin + Math.floor(n / 4) * DAY_MS).toISOString();
  const name = `nightly${n % 4}-${createdAt.slice(0, 10)}`;
  const skilled = habits.map((habit) => ({ ...habit, skill: Math.min(1, habit.skill + (n % 7) / 200) }));
  await keepMadeRun(manyRuns, { name, cases: 21, repeats: 1, habits: skilled, rationale: say, createdAt });
}
const verdicts = Number(values.verdicts);
const filled = await assemble(readEnv({ JURY_DATA_DIR: many, JURY_RETENTION_DAYS: '0' }, ''), {
  cache: false,
  warn: () => {},
});
const kept = await filled.store();
for (let from = 0; from < verdicts; from += 500)
  await Promise.all(
    Array.from({ length: Math.min(500, verdicts - from) }, (_, n) =>
      kept.saveVerdict(aRecord({ id: `v${from + n}`, at: begin + (from + n) * 1_000 })),
    ),
  );
await filled.close();
console.log(`\n${count} runs of ${CONFIGURATIONS} configurations and 21 cases, ${verdicts} verdicts`);
await serving(many, async (base, headers) => {
  await asked(base, headers, '/healthz');
  const prepared = performance.now();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  for (let series = 0; series < 4; series += 1)
    while (
      (await (await fetch(`${base}/runs?series=nightly${series}`, { headers })).text()).includes(
        'being prepared',
      )
    )
      await new Promise((done) => setTimeout(done, 200));
  delays.disable();
  print('prepared in', `${ms(performance.now() - prepared)}   held ${ms(delays.max / NS)}`);
  for (const path of [
    '/runs',
    '/runs?series=nightly0',
    '/runs/nightly0-2026-01-09',
    '/runs/nightly0-2026-01-09?against=nightly0-2026-01-08',
    '/api/v1/runs',
  ])
    await asked(base, headers, path);
});
rmSync(many, { recursive: true });
