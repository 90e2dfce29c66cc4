import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The distribution's browser; null where there is none, which is said. */
export function findBrowser(): string | null {
  const found = PLACES.find((path) => existsSync(path)) ?? null;
  if (found === null)
    console.warn(
      '\nNo Chromium on this machine: tests in a browser are SKIPPED (apt-get install chromium).\n',
    );
  return found;
}

/** A browser without a window. */
export function openBrowser(executablePath: string): Promise<Browser> {
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
  const more = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({ executablePath, args: [...args, ...more], timeout: 0 });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What keeps people with disabilities out of a page. */
export async function barriers(page: Page): Promise<string[]> {
  // As a content script, not as one of the page, whose rules allow its own alone.
  const found = await page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`);
  const { violations } = found as { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'landmark-unique')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
