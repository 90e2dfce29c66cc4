import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

const open: (() => Promise<unknown>)[] = [];

/** To be called once in a file of tests: closes what was started, the latest first. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });
}

/** Closes something after the test. */
export const closing = (close: () => Promise<unknown>): void => void open.push(close);

/** Waits until something holds; the test's own time limit ends it. */
export async function until<T>(
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  // Soon again at first; what takes long is not asked for its time.
  for (let pauseMs = 10; ; pauseMs = Math.min(200, pauseMs * 1.3)) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    await new Promise((done) => setTimeout(done, pauseMs));
  }
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'jury-'));
