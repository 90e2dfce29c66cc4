import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import { wordsOf } from './reports/format.ts';
import type { Report, Words } from './reports/report.ts';
import { type EachTrial, reportOf, tabulate } from './reports/report-of.ts';
import { placesOf, type RunManifest, RunName } from './run.ts';
import type { TrialStore } from './runs/trial-store.ts';

/** A run's manifest. @throws JuryError `usage` where there is no run of that name; names those that there are */
export async function requireRun(store: TrialStore, name: string): Promise<RunManifest> {
  const manifest = RunName.safeParse(name).success ? await store.readRun(name) : null;
  if (manifest !== null) return manifest;
  const names = await store.names();
  throw new JuryError(
    'usage',
    names.length === 0
      ? `There is no run "${name}", nor any other: make one with jury bench run.`
      : `There is no run "${name}". There are: ${names.join(', ')}.`,
  );
}

async function wordsFor(
  store: TrialStore,
  name: string,
  keys: ReadonlySet<string>,
): Promise<Map<string, Words>> {
  const words = new Map<string, Words>();
  if (keys.size === 0) return words;
  const places = new Set([...keys].map((key) => placesOf(key)?.index ?? -1));
  const cases = new Map<number, EvalCase>();
  let place = 0;
  for await (const evalCase of store.readCases(name)) {
    if (places.has(place)) cases.set(place, evalCase);
    place += 1;
  }
  for await (const { key, verdict } of store.readVerdicts(name, keys)) {
    const evalCase = cases.get(placesOf(key)?.index ?? -1);
    if (evalCase !== undefined) words.set(key, wordsOf(evalCase, verdict));
  }
  return words;
}

/**
 * The report of a run that is kept, ended or not, with what the judges said where they were wrong. Reads every trial
 * once.
 *
 * @param each told of every trial on the way
 * @throws JuryError `usage` where there is no such run
 */
export async function makeReport(store: TrialStore, name: string, each?: EachTrial): Promise<Report> {
  const manifest = await requireRun(store, name);
  const report = reportOf(manifest, await tabulate(manifest, store.readTrials(name), each));
  const { shown, counts } = report.mistakes;
  const words = await wordsFor(store, name, new Set(shown.map(({ key }) => key)));
  return {
    ...report,
    mistakes: { counts, shown: shown.map((one) => ({ ...one, words: words.get(one.key) ?? null })) },
  };
}
