import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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
  return chromium.launch({ executablePath, args: [...args, ...more] });
}
