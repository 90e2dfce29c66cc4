import { JuryError } from '../common/index.ts';
import { plannedTrials, type RunManifest } from './run-manifest.ts';
import { seriesOf } from './series.ts';
import type { RunTotals, TrialStore } from './trial-store.ts';

/** The manifests of all runs. A damaged one does not hide the others. @throws JuryError `store-unavailable` */
async function readManifests(runs: Pick<TrialStore, 'names' | 'readRun'>): Promise<RunManifest[]> {
  const names = await runs.names();
  const read = await Promise.all(
    names.map((name) =>
      runs.readRun(name).catch((thrown: unknown) => {
        if (thrown instanceof JuryError && thrown.code !== 'store-unavailable') return null;
        throw thrown;
      }),
    ),
  );
  return read.filter((manifest) => manifest !== null);
}

/** All series that have runs, sorted. @throws JuryError `store-unavailable` */
export const allSeries = async (runs: Pick<TrialStore, 'names' | 'readRun'>): Promise<string[]> =>
  [...new Set((await readManifests(runs)).map(seriesOf))].sort();

/** A run and how far it is. */
export interface SeriesRun {
  manifest: RunManifest;
  totals: RunTotals;
}

/** The finished runs of a series, oldest first. @throws JuryError `store-unavailable` */
export async function finishedRuns(
  runs: Pick<TrialStore, 'names' | 'readRun' | 'totals'>,
  series: string,
): Promise<SeriesRun[]> {
  const own = (await readManifests(runs)).filter((manifest) => seriesOf(manifest) === series);
  const read = await Promise.all(
    own.map(async (manifest) => ({ manifest, totals: await runs.totals(manifest.name) })),
  );
  return read
    .filter(({ manifest, totals }) => totals.trials >= plannedTrials(manifest))
    .sort((a, b) => Date.parse(a.manifest.createdAt) - Date.parse(b.manifest.createdAt));
}
