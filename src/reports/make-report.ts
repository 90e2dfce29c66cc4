import {
  placesOf,
  type RunManifest,
  RunName,
  type SpokenTrial,
  spokenTrial,
  subjectOf,
  type Trial,
  type TrialStore,
  trialOf,
} from '../benchmark/index.ts';
import { caseHash, type EvalCase } from '../case/index.ts';
import { groupedBy } from '../common/index.ts';
import { noSuch } from '../common/text/index.ts';
import { caseIdOf } from '../judging/index.ts';
import { createAnswers } from './assistant/answers.ts';
import { type Against, assistantReport } from './assistant/make-assistant-report.ts';
import { clustersOf } from './case-statistics.ts';
import type { CaseMark } from './comparison.ts';
import { createGroups, type Dimension, tagsOf } from './groups.ts';
import { type Words, wordsOf } from './mistake.ts';
import type { Pricing } from './published/published-tables.ts';
import { recallOf } from './recall.ts';
import type { Report } from './report.ts';
import { type EachTrial, reportOf, type TrialTable, tabulate } from './report-of.ts';
import type { Reading, TrialFacts } from './trial-facts.ts';

/** @throws JuryError `usage` that lists the existing runs if there is none with this name */
export async function requireRun(store: TrialStore, name: string): Promise<RunManifest> {
  const manifest = RunName.safeParse(name).success ? await store.readRun(name) : null;
  if (manifest !== null) return manifest;
  throw noSuch('run', name, await store.names(), 'Make one with "jury bench run".');
}

/** The parts of a case that a report counts. */
type CaseFacts = Pick<EvalCase, 'tags' | 'label' | 'recommendations' | 'groundTruth'>;

/**
 * The cases of a run without their texts.
 * @param each called with every complete case
 */
export async function readCaseFacts(
  store: TrialStore,
  run: string,
  each: (evalCase: EvalCase) => void = () => {},
): Promise<CaseFacts[]> {
  const cases: CaseFacts[] = [];
  for await (const evalCase of store.readCases(run)) {
    const { tags, label, recommendations, groundTruth } = evalCase;
    cases.push({ tags, label, recommendations, groundTruth });
    each(evalCase);
  }
  return cases;
}

/**
 * The trials of a run, or those with the given keys, with what their judges wrote. A verdict holds everything in its trial except the label,
 * so trials themselves are read only if their verdict is missing, as after a power cut.
 */
export async function* readSpoken(
  store: Pick<TrialStore, 'readTrials' | 'readVerdicts' | 'trialKeys'>,
  { name, configurations }: RunManifest,
  caseAt: (place: number) => Pick<EvalCase, 'label' | 'tags'> | undefined,
  { keys, pricing }: { keys?: ReadonlySet<string>; pricing?: Pricing | undefined } = {},
): AsyncGenerator<SpokenTrial> {
  const left = keys === undefined ? await store.trialKeys(name) : new Set(keys);
  for await (const { key, verdict } of store.readVerdicts(name, keys)) {
    const { configuration = -1, index = -1 } = placesOf(key) ?? {};
    const id = configurations[configuration]?.id;
    if (id === undefined || !left.delete(key)) continue;
    const { label = null, tags } = caseAt(index) ?? {};
    const trial = spokenTrial(trialOf(key, id, label, verdict), verdict, tags);
    if (pricing !== undefined) trial.usage = { ...trial.usage, costUsd: pricing(verdict) };
    yield trial;
  }
  if (left.size > 0)
    for await (const { usage, ...trial } of store.readTrials(name, left)) {
      const costUsd = pricing === undefined ? usage.costUsd : null;
      const tags = caseAt(placesOf(trial.key)?.index ?? -1)?.tags;
      yield spokenTrial({ ...trial, usage: { ...usage, costUsd } }, null, tags);
    }
}

export const tagNames = (cases: readonly CaseFacts[]): string[] => {
  const names = new Set<string>();
  for (const { tags = {} } of cases) for (const name of Object.keys(tags)) names.add(name);
  return [...names].sort();
};

/** The trials of the mistakes to show, with what their judges wrote. */
async function readMistaken(
  store: TrialStore,
  manifest: RunManifest,
  caseAt: (place: number) => CaseFacts | undefined,
  { mistaken }: TrialTable,
): Promise<SpokenTrial[]> {
  const found: SpokenTrial[] = [];
  if (mistaken.length === 0) return found;
  const keys = new Set(mistaken.map(({ key }) => key));
  for await (const trial of readSpoken(store, manifest, caseAt, { keys })) found.push(trial);
  return found;
}

/** Texts of trials, by key. */
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

export interface ReportWishes {
  /** Called before the first trial with the names of the cases' tags. */
  onTags?: ((names: readonly string[]) => void) | undefined;
  /** Called with every trial. Makes the report slower, because judges' texts are read too. */
  each?: EachTrial<SpokenTrial> | undefined;
  /** Called with every trial, without the judges' texts. */
  count?: ((trial: Trial, setup: string, facts: TrialFacts) => void) | undefined;
  /** Runs to compare the assistant with. */
  against?: readonly Against[];
  /** Prices to use instead of those at the time of judging. */
  pricing?: Pricing | undefined;
  /** Dimensions to group trials by. */
  by?: readonly Dimension[];
  /** Places of the cases to include; null or absent: all. */
  only?: ReadonlySet<number> | null;
  /** Tag that groups related cases; default: `group`. */
  clusterBy?: string | undefined;
  labelOf?: Reading['labelOf'] | undefined;
}

/** How trials are read. */
export type Wishes = Pick<ReportWishes, 'clusterBy' | 'labelOf'>;

/** How to read a run's trials, and the notes about that for the report. */
export function readingOf(
  cases: readonly CaseFacts[],
  { clusterBy, labelOf = (score) => score }: Wishes,
): { reading: Reading; notes: string[] } {
  const { unitOf, note } = clustersOf(cases, clusterBy);
  return { reading: { unitOf, labelOf }, notes: note === null ? [] : [note] };
}

/** The report of a run, without the part about the assistant. */
export async function readReport(
  store: TrialStore,
  whole: RunManifest,
  { each, onTags, count, pricing, by = [], only = null, ...wishes }: Omit<ReportWishes, 'against'>,
  answers: ReturnType<typeof createAnswers> | null,
): Promise<Report> {
  const { name } = whole;
  const manifest = only === null ? whole : { ...whole, dataset: { ...whole.dataset, cases: only.size } };
  const cases = await readCaseFacts(store, name, answers?.addCase);
  const caseAt = (place: number) => cases[place];
  onTags?.(tagNames(cases));
  const tagsAt = tagsOf(
    cases,
    by.filter((one) => one.startsWith('tags.')),
  );
  const groups = by.length === 0 ? null : createGroups(by, tagsAt);
  const collecting =
    <T extends Trial>(next?: EachTrial<T>): EachTrial<T> =>
    (trial, setup, facts) => {
      groups?.add(trial, setup, facts);
      answers?.addTrial(trial, setup, facts);
      count?.(trial, setup, facts);
      return next?.(trial, setup, facts) ?? null;
    };
  const { reading, notes } = readingOf(cases, wishes);
  const spoken =
    each === undefined && pricing === undefined
      ? null
      : await tabulate(
          manifest,
          readSpoken(store, manifest, caseAt, { pricing }),
          collecting(each),
          only,
          reading,
        );
  const table = spoken ?? (await tabulate(manifest, store.readTrials(name), collecting(), only, reading));
  const report = reportOf(manifest, table, groups);
  const { shown, counts } = report.mistakes;
  const mistaken = spoken?.mistaken ?? (await readMistaken(store, manifest, caseAt, table));
  const words = await wordsFor(store, name, mistaken);
  return {
    ...report,
    notes: [...report.notes, ...notes],
    recall: recallOf(cases, tagsAt, only, reading.unitOf),
    mistakes: { counts, shown: shown.map((one) => ({ ...one, words: words.get(one.key) ?? null })) },
  };
}

/**
 * The report of a stored run, finished or not, with the judges' rationales for mistakes.
 * @throws JuryError `usage` if there is no such run
 */
export async function makeReport(
  store: TrialStore,
  name: string,
  { against = [], ...wishes }: ReportWishes = {},
): Promise<Report> {
  const manifest = await requireRun(store, name);
  const answers = subjectOf(manifest) === 'judges' ? null : createAnswers(manifest);
  const report = await readReport(store, manifest, wishes, answers);
  return answers === null
    ? report
    : { ...report, assistant: await assistantReport(store, answers.result(), against) };
}

/** Identifies a case across runs. */
export const markOf = (evalCase: EvalCase): CaseMark => ({
  id: caseIdOf(evalCase),
  hash: caseHash(evalCase),
  labeled: evalCase.label !== undefined,
});
