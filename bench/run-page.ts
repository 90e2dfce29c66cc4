// What a page of a run costs: npm run bench:run-page [-- --cases 600]
// A run of 24 configurations: the size of its file, how soon Chromium opens it from disk, sorts, searches and opens a case; and how soon
// the console answers. Judges say something else each time, as models do, so that the texts compress no better than theirs.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const { values } = parseArgs({ options: { cases: { type: 'string', default: '600' } } });
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

const parts = await assemble(readEnv({ JURY_DATA_DIR: folder, PORT: '0' }, ''), {
  cache: false,
  warn: () => {},
});
const service = await startService(parts, pino({ level: 'silent' }));
const headers = await openLink(service.link ?? '');
for (const address of ['/runs', '/runs/made', '/ui/runs/made/cases/77', '/api/v1/runs']) {
  const times: number[] = [];
  for (let n = 0; n < 21; n += 1) {
    const asked = performance.now();
    await (await fetch(`http://127.0.0.1:${service.port}${address}`, { headers })).text();
    times.push(performance.now() - asked);
  }
  const [first = 0, ...warm] = times;
  warm.sort((a, b) => a - b);
  print(`${address}, first, then median and p95`, `${ms(first)} ${ms(warm[10] ?? 0)} ${ms(warm[18] ?? 0)}`);
}
await service.close(0);
await parts.close();
rmSync(folder, { recursive: true });
