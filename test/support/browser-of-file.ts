import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { findBrowser, openBrowser } from './browser.ts';
import { closing } from './resources.ts';

interface BrowserOfFile {
  /** Whether this machine has one. */
  isThere: boolean;
  /** A window of its own, closed after the test. The test's own time limit ends what is waited for in it. */
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
}

/** A browser for the tests of a file. */
export function browserOfFile(): BrowserOfFile {
  const path = findBrowser();
  let browser: Browser | null = null;
  beforeAll(async () => {
    if (path !== null) browser = await openBrowser(path);
  });
  afterAll(async () => browser?.close());
  return {
    isThere: path !== null,
    newContext: async (options) => {
      if (browser === null) throw new Error('There is no browser.');
      const context = await browser.newContext(options);
      context.setDefaultTimeout(0);
      closing(() => context.close());
      return context;
    },
  };
}
