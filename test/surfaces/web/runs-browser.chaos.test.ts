import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { shippedFolder } from '../../../src/env.ts';
import { compareRuns } from '../../../src/reports/comparison/compare-runs.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { comparisonFile } from '../../../src/surfaces/web/report/report-file.tsx';
import { barriers } from '../../support/browser.ts';
import { browserOfFile } from '../../support/browser-of-file.ts';
import { plainTexts } from '../../support/builders.ts';
import { keepMadeRun, type MadeRun, manyHabits } from '../../support/made-run.ts';
import { reportFile } from '../../support/report-html.ts';
import { closeAfterEach, newFolder } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';

closeAfterEach();

const browser = browserOfFile();

const hostile = `</script><script>globalThis.executed = 1</script><img src=x onerror="globalThis.executed = 1">`;
const monday: MadeRun = {
  ...{ name: 'monday', cases: 130, repeats: 1, habits: manyHabits.slice(0, 4) },
  rationale: `It is closed ${hostile}`,
  shape: (index) => ({
    conversation: [{ role: 'user', text: `Request ${index} ${hostile}` }],
    // So hard that no configuration gets it right.
    ...(index === 117 ? { label: { decision: 'fail', errorType: 'cost' } } : {}),
  }),
};
const tuesday = {
  ...monday,
  name: 'tuesday',
  habits: monday.habits.map((habit) => ({ ...habit, skill: 0.97 })),
};

/** Two runs in a store of their own. */
async function twoRuns() {
  const folder = newFolder();
  const store = createFolderTrialStore(join(folder, 'runs'));
  for (const run of [monday, tuesday]) await keepMadeRun(store, run);
  return { folder, store };
}

/** A page that remembers what the browser complained about, and what it asked others for. */
async function openPage(width = 1400, baseURL?: string) {
  const context = await browser.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    viewport: { width, height: 900 },
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, complaints };
}

async function openConsole(width?: number) {
  const { folder } = await twoRuns();
  const jury = await runService({ JURY_DATA_DIR: folder });
  const opened = await openPage(width, `http://127.0.0.1:${jury.service.port}`);
  await opened.page.goto(jury.service.link ?? '');
  return opened;
}

/** A file on disk, opened as people do. */
async function openFile(html: string) {
  const path = join(newFolder(), 'page.html');
  writeFileSync(path, html);
  const opened = await openPage();
  await opened.page.goto(pathToFileURL(path).href);
  return opened;
}

const rows = (page: Page) => page.locator('.cases tbody tr');
const executed = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'executed') ?? 0);

const PAGES = [
  '/runs',
  '/runs?series=monday',
  '/runs/monday',
  '/runs/tuesday?against=monday',
  '/runs/monday?case=3.1',
];

describe.skipIf(!browser.isThere)('the page of a run in a browser', () => {
  test('finds, sorts and opens cases by keyboard alone, keeps it all in the address, and runs nothing that was pasted', async () => {
    const { page, complaints } = await openConsole();
    await page.goto('/');
    await page.getByRole('link', { name: 'Runs' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'monday', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('130 cases').waitFor();
    await page.getByLabel('Words').focus();
    await page.keyboard.type('request 11');
    await page
      .getByRole('status')
      .getByText(/^\d+ of 130 cases$/)
      .waitFor();
    expect(await rows(page).allTextContents()).toContainEqual(expect.stringContaining('Request 11 '));
    await page.getByRole('button', { name: 'Wrong' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=request\+11&sort=bad/);
    const wrong = await page.locator('.cases tbody tr > td:nth-child(3)').allTextContents();
    expect(wrong).toEqual([...wrong].sort((a, b) => Number(a) - Number(b)));
    // From the head of the last column, the next stop is the one cell that Tab reaches.
    await page.getByRole('button', { name: /mab/ }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Response that is judged').waitFor();
    expect(await dialog.locator('.side').count()).toBe(4);
    expect(await dialog.locator('.pasted').filter({ hasText: 'It is closed' }).count()).toBeGreaterThan(3);
    const first = await dialog.getByRole('heading', { level: 2 }).textContent();
    await dialog.getByRole('button', { name: 'Next' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog.getByRole('heading', { level: 2 }).textContent()).not.toBe(first);
    await page.waitForURL(/case=\d+\.0/);
    const address = page.url();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-at'))).toBe('2.0');
    // The address alone brings all of it back.
    await page.goto(address);
    await page.getByRole('dialog').getByText('Response that is judged').waitFor();
    expect(await page.getByLabel('Words').inputValue()).toBe('request 11');
    expect(await executed(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('shows what changed since another run, and the cases that turned', async () => {
    const { page, complaints } = await openConsole();
    await page.goto('/runs/tuesday');
    await page.getByLabel('Compare with').selectOption('monday');
    await page.getByRole('button', { name: 'Show what changed' }).click();
    await page.getByRole('heading', { name: 'tuesday against monday' }).waitFor();
    const button = page.getByRole('button', { name: /cases? now right/ });
    const n = Number.parseInt((await button.textContent()) ?? '', 10);
    await button.click();
    await page.getByRole('status').getByText(`${n} of 130 cases`).waitFor();
    expect(await rows(page).count()).toBe(n);
    await page.waitForURL(/against=monday&show=better/);
    await page.locator('[data-at="0.1"]').click();
    await page.getByRole('dialog').locator('.side').first().getByText('before').waitFor();
    expect(complaints).toEqual([]);
  });

  test('in a file opens from disk, draws its charts and reads its cases without a network', async () => {
    const { store } = await twoRuns();
    const { page, complaints } = await openFile(await reportFile(store, 'monday'));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.locator('.drawing canvas').first().waitFor();
    expect(await page.locator('.drawing canvas').count()).toBe(2);
    expect(await rows(page).count()).toBe(50);
    for (const n of [100, 130]) {
      await page.locator('.cases-box').evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await expect.poll(() => rows(page).count()).toBe(n);
    }
    await page.getByLabel('Show').selectOption('bad');
    await page.locator('[data-at="0.2"]').click();
    await page.getByRole('dialog').getByText('It is closed').first().waitFor();
    await page.waitForURL(/show=bad&case=\d+\.2/);
    await page.reload();
    await page.getByRole('dialog').getByText('It is closed').first().waitFor();
    expect(await executed(page)).toBe(0);
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('of a comparison in a file has what both runs say', async () => {
    const { store } = await twoRuns();
    const side = (run: string) => ({ run, setup: null });
    const { comparison } = await compareRuns(store, side('monday'), side('tuesday'));
    const file = [
      ...(await comparisonFile(store, comparison, shippedFolder('dist/browser'), plainTexts)),
    ].join('');
    const { page, complaints } = await openFile(file);
    await page.locator('[data-at="0.1"]').click();
    const sides = page.getByRole('dialog').locator('.side');
    await sides.nth(1).getByText('It is closed').first().waitFor();
    expect(await sides.nth(0).getByRole('heading').textContent()).toContain('before');
    expect(await sides.nth(1).getByRole('heading').textContent()).toContain('after');
    expect(complaints).toEqual([]);
  });

  test('prints all cases and configurations that it shows, nothing beside the page, and is as before afterwards', async () => {
    const habits = Array.from({ length: 6 }, (_, group) =>
      monday.habits.map((habit, at) => ({ ...habit, models: [`test/model-${group * 4 + at}`] })),
    ).flat();
    const store = createFolderTrialStore(newFolder());
    await keepMadeRun(store, { ...monday, cases: 200, habits });
    const { page, complaints } = await openFile(await reportFile(store, 'monday'));
    await page.locator('.drawing canvas').first().waitFor();
    // A landscape page of A4 without its margins.
    await page.setViewportSize({ width: 1032, height: 700 });
    const looks = () =>
      page.evaluate(() => ({
        tables: document.querySelectorAll('table').length,
        visible: [...document.querySelectorAll('table')].filter((one) => one.checkVisibility()).length,
        open: document.querySelectorAll('details[open]').length,
      }));
    const before = await looks();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    await page.getByText('All 200 cases.').waitFor();
    const blocks = page.locator('.printed table');
    expect(await blocks.count()).toBe(3);
    const heads = (await blocks.locator('thead').allTextContents()).join(' ');
    for (let at = 0; at < 24; at += 1) expect(heads).toContain(`model-${at}`);
    for (let at = 0; at < 3; at += 1) expect(await blocks.nth(at).locator('tbody tr').count()).toBe(200);
    const beside = await page.evaluate(() =>
      [...document.querySelectorAll('table, canvas, blockquote')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
        .map(({ outerHTML }) => outerHTML.slice(0, 200)),
    );
    expect(beside).toEqual([]);
    expect(await page.locator('details:not([open])').count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.locator('.printed').waitFor({ state: 'detached' });
    await page.emulateMedia({ media: null });
    expect(await looks()).toEqual(before);
    // What is chosen on the screen is what is printed, and the paper says so.
    await page.getByLabel('Words').fill('request 11');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.getByText(/^\d+ of 200 cases \(with the words “request 11”\)\.$/).waitFor();
    expect(complaints).toEqual([]);
  });

  test.each([1440, 800, 390])('has no barriers and fits at %i px, light and dark', async (width) => {
    const { page } = await openConsole(width);
    for (const path of PAGES) {
      await page.goto(path);
      if (path.includes('case=')) await page.getByRole('dialog').locator('.pasted').first().waitFor();
      for (const colorScheme of path.includes('monday')
        ? (['light', 'dark'] as const)
        : (['light'] as const)) {
        await page.emulateMedia({ colorScheme });
        expect(await barriers(page)).toEqual([]);
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
  });
});
