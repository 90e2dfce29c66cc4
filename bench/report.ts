import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderTrialStore } from '../src/stores/folder/runs.ts';
import { keepMadeRun, manyHabits } from '../test/support/made-run.ts';
import { measured } from './measure.ts';

/**
 * What a report costs: `jury bench report` with all its files on runs of 1,000, 10,000 and 100,000 trials, whole command; by groups
 * and joined too. Memory that grew with what judges wrote would show: a run of 100,000 keeps several hundred megabytes.
 */
const sizes = [1_000, 10_000, 100_000];
const most = Math.max(...sizes);
/** Ways to group the largest run. */
const groupings = [
  'tags.system',
  'tags.system,tags.city',
  'rubric',
  'persona',
  'model',
  'persona,model,tags.system',
];
/** Cases of one user belong together. */
const tagsOf = (index: number) => ({
  group: `u${Math.floor(index / 6) + 1}`,
  system: `system ${index % 4}`,
  city: `city ${Math.floor(index / 4) % 10}`,
});
const habits = manyHabits.slice(0, 10);
const rationale =
  'The user asks at 20:35 on a Monday; the place is open until 20:00 on that day, so it is closed. '.repeat(
    4,
  );

const folder = mkdtempSync(join(tmpdir(), 'jury-report-'));
const columns = ['trials', 'kept MiB', 'wall s', 'CPU s', 'peak MiB', 'report.html KiB', 'report of'];
const print = (cells: string[]) =>
  console.log(cells.map((cell, at) => cell.padStart(columns[at]?.length ?? 0)).join('  '));

const runs = join(folder, 'runs');
const store = createFolderTrialStore(runs);

const keep = (name: string, trials: number) =>
  keepMadeRun(store, {
    name,
    cases: trials / habits.length,
    repeats: 1,
    habits,
    rationale,
    shape: (index) => ({ tags: tagsOf(index) }),
  });

/** @param names runs @param options of the report */
async function show(names: readonly string[], trials: number, ...options: string[]) {
  const out = join(folder, 'out');
  const { wallMs, cpuMs, peakMiB, code, errors } = await measured(
    ['dist/main.js', 'bench', 'report', ...names, ...options, '--out', out],
    { JURY_DATA_DIR: folder },
  );
  if (code !== 0) throw new Error(errors);
  const kept = names.flatMap((name) =>
    ['trials.jsonl', 'verdicts.jsonl'].map((file) => statSync(join(runs, name, file)).size),
  );
  print([
    String(trials),
    (kept.reduce((sum, size) => sum + size, 0) / 2 ** 20).toFixed(0),
    (wallMs / 1000).toFixed(2),
    (cpuMs / 1000).toFixed(2),
    peakMiB.toFixed(0),
    (statSync(join(out, 'report.html')).size / 1024).toFixed(0),
    [names.length === 1 ? 'one run' : `${names.length} runs`, ...options].join(' '),
  ]);
}

try {
  print(columns);
  for (const trials of sizes) {
    await keep(`made-${trials}`, trials);
    await show([`made-${trials}`], trials);
  }
  for (const by of groupings) await show([`made-${most}`], most, '--by', by);
  const parts = [1, 2, 3, 4].map((part) => `part-${part}`);
  for (const part of parts) await keep(part, most / parts.length);
  await show(parts, most);
  await show(parts, most, '--by', 'tags.system');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
