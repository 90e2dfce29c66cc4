import { plannedTrials, type RunManifest, RunName } from '../../benchmark/run.ts';
import { summarizeRun } from '../../benchmark/run-outcomes.ts';
import type { TrialStore } from '../../benchmark/runs/trial-store.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import type { Terminal } from './console.ts';
import { list } from './list.ts';
import { counted, jsonLine } from './plain-text.ts';
import { summaryJson, summaryText } from './run-summary-text.ts';

const about = ({ configurations, createdAt, dataset }: RunManifest, trials: number): string[] => [
  `${trials} of ${configurations.length * dataset.cases} trials: ${counted(dataset.cases, 'case')} of ${dataset.source} × ${counted(configurations.length, 'configuration')}`,
  `begun ${createdAt.slice(0, 16).replace('T', ' ')} UTC`,
];

/** `jury bench list`: the runs that are kept, newest first. */
export async function benchListCommand(store: TrialStore, terminal: Terminal, json: boolean): Promise<void> {
  const names = await store.names();
  const found = await Promise.all(
    names.map(async (name) => {
      try {
        const manifest = await store.readRun(name);
        return manifest === null ? [] : [{ manifest, totals: await store.totals(name) }];
      } catch (thrown) {
        // One that cannot be read does not hide the others.
        terminal.err(messageOf(thrown));
        return [];
      }
    }),
  );
  const runs = found.flat().sort((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1));
  if (json)
    for (const { manifest, totals } of runs)
      terminal.out(jsonLine({ ...manifest, planned: plannedTrials(manifest), totals }));
  else if (names.length === 0) terminal.err('There is no run yet. "jury bench run DATASET" makes one.');
  else if (runs.length > 0)
    list(
      terminal,
      runs.map(({ manifest, totals }) => ({
        id: manifest.name,
        lines: about(manifest, totals.trials),
        source: '',
      })),
    );
}

/**
 * `jury bench show NAME`: what a run came to, or each of its trials as JSON.
 * @throws JuryError `usage` where there is no such run
 */
export async function benchShowCommand(
  store: TrialStore,
  terminal: Terminal,
  name: string,
  show: { json: boolean; trials: boolean },
): Promise<void> {
  const manifest = RunName.safeParse(name).success ? await store.readRun(name) : null;
  if (manifest === null) {
    const names = await store.names();
    throw new JuryError(
      'usage',
      `There is no run "${name}". There is: ${names.length === 0 ? 'none yet' : names.join(', ')}.`,
    );
  }
  if (show.trials) {
    for await (const trial of store.readTrials(name)) terminal.out(jsonLine(trial));
    return;
  }
  const summaries = await summarizeRun(manifest, store.readTrials(name));
  const shown = [name, plannedTrials(manifest), await store.totals(name), summaries] as const;
  terminal.out(show.json ? jsonLine(summaryJson(...shown)) : summaryText(terminal.screen, ...shown));
}
