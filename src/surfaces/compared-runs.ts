import { type RunManifest, readBaseline, seriesOf, type TrialStore } from '../benchmark/index.ts';
import { publicCounts } from '../labels/agreement/index.ts';
import type { CountRow } from '../labels/record/index.ts';
import { type Against, type AssistantReport, withVotes } from '../reports/assistant/index.ts';
import type { Side } from '../reports/comparison/index.ts';
import { requireRun } from '../reports/facts/index.ts';
import type { Store } from '../stores/index.ts';

/** What a report on an assistant needs besides its run. */
export interface ReportParts {
  runs: TrialStore;
  store: Store;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * The runs that a report compares its assistant with: the named one, if any, and the baseline of its series.
 * @throws JuryError `usage` if there is no run of that name
 */
export async function againstRuns(
  { runs, store, now }: ReportParts,
  manifest: Pick<RunManifest, 'name' | 'series' | 'dataset'>,
  named: string | undefined,
): Promise<Against[]> {
  const { name } = manifest;
  const baseline = await readBaseline(store, seriesOf(manifest), now);
  const base = baseline === null ? null : await runs.readRun(baseline.run);
  return [
    ...(named === undefined ? [] : [{ manifest: await requireRun(runs, named), baseline: null }]),
    ...(base === null || baseline === null || base.name === name
      ? []
      : [{ manifest: base, baseline: baseline.name }]),
  ];
}

/** People's votes for a report, except those of channels that hide their verdicts. */
export async function publicVotes({ store, now }: Pick<ReportParts, 'store' | 'now'>): Promise<CountRow[]> {
  const all = { from: '0000-01-01', to: '9999-12-31' };
  return (await publicCounts(store, all, now)).rows;
}

/** Adds people's votes to a report. */
export const withPeople = async (
  parts: Pick<ReportParts, 'store' | 'now'>,
  report: AssistantReport,
): Promise<AssistantReport> => withVotes(report, await publicVotes(parts));

/** Reads `NAME` or `NAME:CONFIGURATION`. */
export function readSide(text: string): Side {
  const at = text.indexOf(':');
  return at < 0 ? { run: text, setup: null } : { run: text.slice(0, at), setup: text.slice(at + 1) };
}
