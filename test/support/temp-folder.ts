import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One folder for all that the tests of a run put aside, gone with it. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'jury-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
