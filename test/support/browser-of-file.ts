import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { findBrowser, openBrowser } from './browser.ts';

/** A browser for the tests of a file. `isThere`: whether this machine has one. */
export function browserOfFile(): { isThere: boolean; get: () => Browser } {
  const path = findBrowser();
  let browser: Browser | null = null;
  beforeAll(async () => {
    if (path !== null) browser = await openBrowser(path);
  });
  afterAll(async () => browser?.close());
  return {
    isThere: path !== null,
    get: () => {
      if (browser === null) throw new Error('There is no browser.');
      return browser;
    },
  };
}
