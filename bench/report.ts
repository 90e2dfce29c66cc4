import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { createFolderTrialStore } from '../src/stores/folder/runs.ts';
import { keepMadeRun, manyHabits } from '../test/support/made-run.ts';

/**
 * What a report costs: `jury bench report` with all its files on runs of 1,000, 10,000 and 100,000 trials, whole command.
 * Memory that grew with what judges wrote would show: a run of 100,000 keeps several hundred megabytes.
 */
const sizes = [1_000, 10_000, 100_000];
const habits = manyHabits.slice(0, 10);
const rationale =
  'The user asks at 20:35 on a Monday; the place is open until 20:00 on that day, so it is closed. '.repeat(
    4,
  );

const Took = z.object({ cpuMs: z.number(), peakMiB: z.number() });
const folder = mkdtempSync(join(tmpdir(), 'jury-report-'));
const columns = ['trials', 'kept MiB', 'wall s', 'CPU s', 'peak MiB', 'report.html KiB'];
const print = (cells: string[]) =>
  console.log(cells.map((cell, at) => cell.padStart(columns[at]?.length ?? 0)).join('  '));

async function measure(name: string, out: string) {
  const startedAt = performance.now();
  const args = ['--require', join(import.meta.dirname, 'report-usage.cjs'), 'dist/main.js'];
  const child = spawn(process.execPath, [...args, 'bench', 'report', name, '--out', out], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, JURY_DATA_DIR: folder },
  });
  const usage = child.stdio[3];
  const { stderr } = child;
  if (stderr === null || usage === null || usage === undefined || !('read' in usage))
    throw new Error('the child has no pipes');
  const [errors, took] = await Promise.all([text(stderr), text(usage), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(errors);
  return { wallMs: performance.now() - startedAt, ...Took.parse(JSON.parse(took)) };
}

try {
  const runs = join(folder, 'runs');
  const store = createFolderTrialStore(runs);
  print(columns);
  for (const trials of sizes) {
    const name = `made-${trials}`;
    await keepMadeRun(store, { name, cases: trials / habits.length, repeats: 1, habits, rationale });
    const out = join(folder, `out-${trials}`);
    const { wallMs, cpuMs, peakMiB } = await measure(name, out);
    const kept = ['trials.jsonl', 'verdicts.jsonl'].reduce(
      (sum, file) => sum + statSync(join(runs, name, file)).size,
      0,
    );
    print([
      String(trials),
      (kept / 2 ** 20).toFixed(0),
      (wallMs / 1000).toFixed(2),
      (cpuMs / 1000).toFixed(2),
      peakMiB.toFixed(0),
      (statSync(join(out, 'report.html')).size / 1024).toFixed(0),
    ]);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
