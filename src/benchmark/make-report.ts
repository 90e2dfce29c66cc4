import { createHash } from 'node:crypto';
import { groupedBy } from '../common/collections.ts';
import { JuryError } from '../common/errors.ts';
import { noSuch } from '../common/text.ts';
import { caseIdOf } from '../judging/judge-case.ts';
import { type Against, assistantReport } from './assistant/make-assistant-report.ts';
import type { Pricing } from './published/paper-prices.ts';
import {
  type CaseMark,
  type Comparison,
  comparePairs,
  findSetup,
  matchCases,
  matchSetups,
} from './reports/comparison.ts';
import { wordsOf } from './reports/format.ts';
import { createGroups, type Dimension, tagsOf } from './reports/groups.ts';
import { recallOf } from './reports/recall.ts';
import type { Report, SetupReport, Words } from './reports/report.ts';
import { type EachTrial, reportOf, type TrialTable, tabulate } from './reports/report-of.ts';
import { setupReport } from './reports/setup-report.ts';
import { placesOf, type RunManifest, RunName, runDifferences, subjectOf } from './run.ts';
import { type SpokenTrial, spokenTrial, type Trial, trialOf } from './trial.ts';
import type { TrialStore } from './trial-store.ts';

/** @throws JuryError `usage` if there is no such run, listing the existing ones */
export async function requireRun(store: TrialStore, name: string): Promise<RunManifest> {
  const manifest = RunName.safeParse(name).success ? await store.readRun(name) : null;
  if (manifest !== null) return manifest;
  throw noSuch('run', name, await store.names(), 'Make one with "jury bench run".');
}

/**
 * The trials of a run, or those with these keys, with what their judges said. Verdicts hold all of a trial, so only trials without one,
 * as after a power cut, are read themselves.
 */
async function* readSpoken(
  store: TrialStore,
  manifest: RunManifest,
  { keys, pricing }: { keys?: ReadonlySet<string>; pricing?: Pricing | undefined } = {},
): AsyncGenerator<SpokenTrial> {
  const { name, configurations } = manifest;
  const labels: Trial['label'][] = [];
  for await (const { label } of store.readCases(name)) labels.push(label ?? null);
  const left = keys === undefined ? await store.trialKeys(name) : new Set(keys);
  for await (const { key, verdict } of store.readVerdicts(name, keys)) {
    const { configuration = -1, index = -1 } = placesOf(key) ?? {};
    const id = configurations[configuration]?.id;
    if (id === undefined || !left.delete(key)) continue;
    const trial = spokenTrial(trialOf(key, id, labels[index] ?? null, verdict), verdict);
    if (pricing !== undefined) trial.usage = { ...trial.usage, costUsd: pricing(verdict) };
    yield trial;
  }
  if (left.size > 0)
    for await (const { usage, ...trial } of store.readTrials(name, left)) {
      const costUsd = pricing === undefined ? usage.costUsd : null;
      yield spokenTrial({ ...trial, usage: { ...usage, costUsd } }, null);
    }
}

/** The trials of the shown mistakes, with what their judges said. */
async function readMistaken(
  store: TrialStore,
  manifest: RunManifest,
  { mistaken }: TrialTable,
): Promise<SpokenTrial[]> {
  const found: SpokenTrial[] = [];
  if (mistaken.length === 0) return found;
  const keys = new Set(mistaken.map(({ key }) => key));
  for await (const trial of readSpoken(store, manifest, { keys })) found.push(trial);
  return found;
}

/** The texts of trials by their keys. */
async function wordsFor(
  store: TrialStore,
  name: string,
  trials: readonly SpokenTrial[],
): Promise<Map<string, Words>> {
  const words = new Map<string, Words>();
  const byPlace = groupedBy(trials, ({ key }) => placesOf(key)?.index);
  if (byPlace.size === 0) return words;
  let place = 0;
  for await (const evalCase of store.readCases(name)) {
    for (const trial of byPlace.get(place) ?? []) words.set(trial.key, wordsOf(evalCase, trial));
    place += 1;
  }
  return words;
}

interface ReportWishes {
  /** Called with every trial, which makes the report take longer. */
  each?: EachTrial<SpokenTrial> | undefined;
  /** Runs that the assistant is compared with. */
  against?: readonly Against[];
  /** Prices in place of those that the trials were judged at. */
  pricing?: Pricing | undefined;
  /** What trials are grouped by. */
  by?: readonly Dimension[];
}

/**
 * The report of a stored run, finished or not, with the judges' rationales for mistakes.
 * @throws JuryError `usage` if there is no such run
 */
export async function makeReport(
  store: TrialStore,
  name: string,
  { each, against = [], pricing, by = [] }: ReportWishes = {},
): Promise<Report> {
  const manifest = await requireRun(store, name);
  const tags = by.filter((one) => one.startsWith('tags.'));
  const tagsAt = tags.length === 0 ? () => [] : await tagsOf(store.readCases(name), tags);
  const groups = by.length === 0 ? null : createGroups(by, tagsAt);
  const grouping =
    <T extends Trial>(next?: EachTrial<T>): EachTrial<T> =>
    (trial, setup, facts) => {
      groups?.add(trial, setup, facts);
      return next?.(trial, setup, facts) ?? null;
    };
  const spoken =
    each === undefined && pricing === undefined
      ? null
      : await tabulate(manifest, readSpoken(store, manifest, { pricing }), grouping(each));
  const table = spoken ?? (await tabulate(manifest, store.readTrials(name), grouping()));
  const report = reportOf(manifest, table, groups?.result(table.setups));
  const { shown, counts } = report.mistakes;
  const mistaken = spoken?.mistaken ?? (await readMistaken(store, manifest, table));
  const words = await wordsFor(store, name, mistaken);
  return {
    ...report,
    recall: await recallOf(store.readCases(name), tagsAt),
    assistant: subjectOf(manifest) === 'judges' ? null : await assistantReport(store, manifest, against),
    mistakes: { counts, shown: shown.map((one) => ({ ...one, words: words.get(one.key) ?? null })) },
  };
}

/** A run, or one setup of it. */
export interface Side {
  run: string;
  /** Id of a setup, or its beginning; null: all setups. */
  setup: string | null;
}

async function marksOf(store: TrialStore, run: string): Promise<CaseMark[]> {
  const marks: CaseMark[] = [];
  for await (const evalCase of store.readCases(run))
    marks.push({
      id: caseIdOf(evalCase),
      hash: createHash('sha256').update(JSON.stringify(evalCase)).digest('base64'),
    });
  return marks;
}

async function sideOf(store: TrialStore, { run, setup }: Side) {
  const manifest = await requireRun(store, run);
  const table = await tabulate(manifest, store.readTrials(run));
  const setups = setup === null ? table.setups : [findSetup(table.setups, setup)];
  return { manifest, table, setups, marks: await marksOf(store, run) };
}

/**
 * Compares two runs: the assistant on the requests that are the same in both, judges on the cases that are.
 *
 * @returns the comparison, and the reports of the second side's compared setups
 * @throws JuryError `usage` if there is no such run or setup, or nothing to compare
 */
export async function compareRuns(
  store: TrialStore,
  first: Side,
  second: Side,
): Promise<{ comparison: Comparison; setups: SetupReport[]; createdAt: string }> {
  const one = await sideOf(store, first);
  const other = await sideOf(store, second);
  const { places, cases } = matchCases(one.marks, other.marks);
  const whole = first.setup === null && second.setup === null && first.run !== second.run;
  const assistant =
    whole && subjectOf(other.manifest) === 'assistant'
      ? await assistantReport(store, other.manifest, [{ manifest: one.manifest, baseline: null }])
      : null;
  const asked = assistant?.changes.some(({ requests }) => requests.shared > 0) === true;
  const { pairs, unmatched } = matchSetups(one.setups, other.setups);
  if (pairs.length === 0 && !asked)
    throw new JuryError(
      'usage',
      `The runs share no configuration. Name one of each, such as "${first.run}:${one.setups[0]?.id ?? ''}" and "${second.run}:${other.setups[0]?.id ?? ''}".`,
    );
  if (places.size === 0 && !asked)
    throw new JuryError(
      'usage',
      `The runs have no case in common, so there is nothing to compare${cases.changed.length === 0 ? '' : `: ${cases.changed.length} with the same id ${cases.changed.length === 1 ? 'differs' : 'differ'} in content or label`}.`,
    );
  const { dataset } = other.manifest;
  return {
    comparison: {
      first: first.run,
      second: second.run,
      changes: first.run === second.run ? [] : runDifferences(one.manifest, other.manifest),
      cases,
      assistant,
      pairs: places.size === 0 ? [] : comparePairs(pairs, one.table, other.table, places, one.marks),
      unmatched,
    },
    setups: pairs.map(([, setup]) =>
      setupReport(setup, other.table.facts.get(setup.id) ?? [], dataset.cases),
    ),
    createdAt: other.manifest.createdAt,
  };
}
