import {
  addWords,
  placesOf,
  type RunManifest,
  RunName,
  type SpokenTrial,
  type TrialStore,
  trialOf,
} from '../../benchmark/index.ts';
import { type EvalCase, isPair } from '../../case/index.ts';
import { groupedBy, memoized } from '../../common/index.ts';
import { noSuch } from '../../common/text/index.ts';
import type { Judgement, Verdict } from '../../judging/verdict/index.ts';
import { clustersOf } from './clusters.ts';
import { type Words, wordsOf } from './mistakes.ts';
import type { Reading } from './trial-facts.ts';
import type { TrialTable } from './trial-table.ts';

/** Recomputes a verdict's cost; null if a model has no price or the tokens are unknown. */
export type Pricing = (verdict: Verdict) => number | null;

/** @throws JuryError `usage` that lists the existing runs if there is none with this name */
export async function requireRun(
  store: Pick<TrialStore, 'names' | 'readRun'>,
  name: string,
): Promise<RunManifest> {
  const manifest = RunName.safeParse(name).success ? await store.readRun(name) : null;
  if (manifest !== null) return manifest;
  throw noSuch('run', name, await store.names(), 'Make one with "jury bench run".');
}

/** The parts of a case that a report counts. */
type CaseFacts = Pick<EvalCase, 'tags' | 'label' | 'recommendations' | 'groundTruth'> & { isPair: boolean };

/**
 * The cases of a run without their texts.
 * @param each called with every complete case
 */
export async function readCaseFacts(
  store: Pick<TrialStore, 'readCases'>,
  run: string,
  each: (evalCase: EvalCase) => void = () => {},
): Promise<CaseFacts[]> {
  const cases: CaseFacts[] = [];
  const once = memoized((text: string) => text);
  for await (const evalCase of store.readCases(run)) {
    const { tags, label, recommendations, groundTruth } = evalCase;
    // Many cases have the same values: each is kept once.
    for (const name of Object.keys(tags ?? {})) if (tags?.[name] !== undefined) tags[name] = once(tags[name]);
    cases.push({ tags, label, recommendations, groundTruth, isPair: isPair(evalCase) });
    each(evalCase);
  }
  return cases;
}

/** A verdict without the judgements that other configurations asked for. */
function askedAlone(verdict: Verdict): Verdict {
  const own = (judgements: readonly Judgement[]) =>
    judgements.filter(({ pooledFrom }) => pooledFrom === undefined);
  const { ratings } = verdict;
  return {
    ...verdict,
    judgements: own(verdict.judgements),
    ...(ratings === undefined ? {} : { ratings: own(ratings) }),
  };
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
    const trial = addWords(trialOf(key, id, label, verdict), verdict, tags);
    if (pricing !== undefined) {
      trial.usage = { ...trial.usage, costUsd: pricing(verdict) };
      if (trial.pooled !== undefined)
        trial.pooled = { ...trial.pooled, ownCostUsd: pricing(askedAlone(verdict)) };
    }
    yield trial;
  }
  if (left.size > 0)
    for await (const { usage, ...trial } of store.readTrials(name, left)) {
      const costUsd = pricing === undefined ? usage.costUsd : null;
      const tags = caseAt(placesOf(trial.key)?.index ?? -1)?.tags;
      yield addWords({ ...trial, usage: { ...usage, costUsd } }, null, tags);
    }
}

export const tagNames = (cases: readonly CaseFacts[]): string[] => {
  const names = new Set<string>();
  for (const { tags = {} } of cases) for (const name of Object.keys(tags)) names.add(name);
  return [...names].sort();
};

/** The trials of the mistakes to show, with what their judges wrote. */
export async function readMistaken(
  store: TrialStore,
  manifest: RunManifest,
  caseAt: (place: number) => CaseFacts | undefined,
  { mistaken }: TrialTable,
): Promise<SpokenTrial[]> {
  const spoken: SpokenTrial[] = [];
  if (mistaken.length === 0) return spoken;
  const keys = new Set(mistaken.map(({ key }) => key));
  for await (const trial of readSpoken(store, manifest, caseAt, { keys })) spoken.push(trial);
  return spoken;
}

/** Texts of trials, by key. */
export async function wordsFor(
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

/** How trials are read. */
export interface ReadingWishes {
  /** Tag that groups related cases; default: `group`. */
  clusterBy?: string | undefined;
  /** An overall label on the scale of the judges' scores; default: as it is. */
  labelOf?: Reading['labelOf'] | undefined;
}

/** How to read a run's trials, and the notes about that for the report. */
export function readingOf(
  cases: readonly CaseFacts[],
  { clusterBy, labelOf = (score) => score }: ReadingWishes,
): { reading: Reading; notes: string[] } {
  const { unitOf, note } = clustersOf(cases, clusterBy);
  return { reading: { unitOf, labelOf }, notes: note === null ? [] : [note] };
}
