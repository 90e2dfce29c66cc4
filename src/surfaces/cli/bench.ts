import { requireRun } from '../../benchmark/make-report.ts';
import { plannedTrials, type RunManifest } from '../../benchmark/run.ts';
import { summarizeRun } from '../../benchmark/run-totals.ts';
import { messageOf } from '../../common/errors.ts';
import { counted, grouped, jsonLine, minuteText } from '../../common/text.ts';
import type { CommandContext } from './command-context.ts';
import { summaryJson, summaryText } from './run-text.ts';
import { list } from './table.ts';

const about = ({ configurations, createdAt, dataset }: RunManifest, trials: number): string[] => [
  `${grouped(trials)} of ${counted(configurations.length * dataset.cases, 'trial')}: ${counted(dataset.cases, 'case')} of ${dataset.source} × ${counted(configurations.length, 'configuration')}`,
  `started ${minuteText(createdAt)}`,
];

/** `jury bench list`: the runs that are kept, newest first. */
export async function listRuns(context: CommandContext, { json }: { json: boolean }): Promise<void> {
  const { err, out } = context;
  const store = await context.runs();
  const names = await store.names();
  const found = await Promise.all(
    names.map(async (name) => {
      try {
        const manifest = await store.readRun(name);
        return manifest === null ? [] : [{ manifest, totals: await store.totals(name) }];
      } catch (thrown) {
        // One that cannot be read does not hide the others.
        err(messageOf(thrown));
        return [];
      }
    }),
  );
  const runs = found.flat().sort((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1));
  if (json)
    for (const { manifest, totals } of runs)
      out(jsonLine({ ...manifest, planned: plannedTrials(manifest), totals }));
  else if (names.length === 0) err('There are no runs yet. "jury bench run DATASET" makes one.');
  else if (runs.length > 0)
    list(
      context,
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
export async function showRun(
  context: CommandContext,
  name: string,
  show: { json: boolean; trials: boolean },
): Promise<void> {
  const { out, screen } = context;
  const store = await context.runs();
  const manifest = await requireRun(store, name);
  if (show.trials) {
    for await (const trial of store.readTrials(name)) out(jsonLine(trial));
    return;
  }
  const summaries = await summarizeRun(manifest, store.readTrials(name));
  const shown = [name, plannedTrials(manifest), await store.totals(name), summaries] as const;
  out(show.json ? jsonLine(summaryJson(...shown)) : summaryText(screen, ...shown));
}
