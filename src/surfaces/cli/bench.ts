import { plannedTrials, type RunManifest, RunName } from '../../benchmark/run.ts';
import { summarizeRun } from '../../benchmark/run-outcomes.ts';
import type { TrialStore } from '../../benchmark/trial-store.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { counted, grouped, jsonLine, minuteText } from '../../common/text.ts';
import { addCommands, type Register } from './command-context.ts';
import { summaryJson, summaryText } from './run-text.ts';
import { list } from './table.ts';
import type { Terminal } from './terminal.ts';

const about = ({ configurations, createdAt, dataset }: RunManifest, trials: number): string[] => [
  `${grouped(trials)} of ${counted(configurations.length * dataset.cases, 'trial')}: ${counted(dataset.cases, 'case')} of ${dataset.source} × ${counted(configurations.length, 'configuration')}`,
  `started ${minuteText(createdAt)}`,
];

/** `jury bench list`: the runs that are kept, newest first. */
async function listRuns(store: TrialStore, terminal: Terminal, json: boolean): Promise<void> {
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
  else if (names.length === 0) terminal.err('There are no runs yet. "jury bench run DATASET" makes one.');
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
async function showRun(
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
      `There is no run "${name}". Runs: ${names.length === 0 ? 'none yet' : names.join(', ')}.`,
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

/** `jury bench …`: runs of one's own, and what the papers report. */
export const register: Register = async (bench, context) => {
  const { terminal, withRuns } = context;
  await addCommands(bench, context, {
    published: ['show the results that the papers print', () => import('./bench-published.ts')],
    run: ['judge a dataset by several methods and models', () => import('./bench-run.ts')],
  });
  bench
    .command('list')
    .description('list the runs that are kept, newest first')
    .option('--json', 'one run a line as JSON', false)
    .action(({ json }: { json: boolean }) => withRuns((store) => listRuns(store, terminal, json)));
  bench
    .command('show')
    .description('show the results of a run')
    .argument('<name>', 'name of a run')
    .option('--json', 'the summary as JSON', false)
    .option('--trials', 'each trial, one a line as JSON', false)
    .action((name: string, show: { json: boolean; trials: boolean }) =>
      withRuns((store) => showRun(store, terminal, name, show)),
    );
  await addCommands(bench, context, {
    report: [
      'report on a run: scores with intervals, cost, time, mistakes',
      () => import('./bench-report.ts'),
    ],
    compare: ['compare two runs: what changed, and in which cases', () => import('./bench-compare.ts')],
  });
};
