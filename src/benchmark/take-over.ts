import { isDeepStrictEqual } from 'node:util';
import type { EvalCase } from '../case/index.ts';
import { memoized } from '../common/index.ts';
import { caseIdOf } from '../judging/index.ts';
import { hasFailed } from '../judging/verdict/index.ts';
import type { Library } from '../prompting/index.ts';
import { planConfigured } from './configured-case.ts';
import { type Configuration, placesOf, type RunManifest, trialKey } from './run-manifest.ts';
import { trialOf } from './trial.ts';
import type { TrialStore, TrialWriter } from './trial-store.ts';
import { yardstickOf } from './yardstick.ts';

/** What judges may see of a case. Only cases where all of it is equal are judged alike. */
const seenOf = ({ id: _, tags: __, label: ___, ...seen }: EvalCase): string => JSON.stringify(seen);

/** A configuration of a run. */
interface Judging {
  manifest: RunManifest;
  setup: Configuration;
}

/** From where its answers are pooled says nothing about how they are judged. */
const judgedBy = ({ pooledFrom: _, ...setup }: Configuration) => setup;

/** Whether judgements by a rubric come from the same judges, prompts and rubric. What an older run did not record is not known to be the same. */
function isJudgedAlike(now: Judging, then: Judging, rubric: string): boolean {
  const [one, other] = [now.manifest.settings, then.manifest.settings];
  const yardstick = yardstickOf(now, rubric);
  return (
    isDeepStrictEqual(judgedBy(now.setup), judgedBy(then.setup)) &&
    one.seed === other.seed &&
    one.earlyStop === other.earlyStop &&
    one.stop === other.stop &&
    yardstick.rubric[1] !== null &&
    yardstick.method[1] !== null &&
    isDeepStrictEqual(yardstick, yardstickOf(then, rubric))
  );
}

/** Trials of a run that another run has judged already. */
export interface TakeOver {
  from: RunManifest;
  /** Keys of the run's own trials, by the key of the earlier trial. */
  keys: ReadonlyMap<string, readonly string[]>;
}

/** The cases of an earlier run: where one was judged that a judge could not tell from another. */
async function readSeen(store: Pick<TrialStore, 'readCases'>, run: string) {
  const ids: string[] = [];
  const bySeen = new Map<string, number[]>();
  for await (const evalCase of store.readCases(run)) {
    const seen = seenOf(evalCase);
    bySeen.set(seen, [...(bySeen.get(seen) ?? []), ids.length]);
    ids.push(caseIdOf(evalCase));
  }
  return (evalCase: EvalCase): number | undefined => {
    const same = bySeen.get(seenOf(evalCase)) ?? [];
    return same.find((index) => ids[index] === caseIdOf(evalCase)) ?? same[0];
  };
}

/**
 * Finds the trials that need not be judged: an earlier run has a verdict on the same request and answer, by the same rubric, prompts and
 * judges. One that judges failed to answer is judged again.
 * @throws JuryError `store-unavailable`, or `bad-file` if data is damaged
 */
export async function findTakeOver(
  store: Pick<TrialStore, 'readCases' | 'readTrials'>,
  library: Library,
  manifest: RunManifest,
  cases: readonly EvalCase[],
  from: RunManifest,
): Promise<TakeOver> {
  const indexThen = await readSeen(store, from.name);
  /** The rubric of each trial that has a verdict. */
  const judged = new Map<string, string>();
  for await (const trial of store.readTrials(from.name))
    if (!hasFailed(trial)) judged.set(trial.key, trial.rubric);
  const keys = new Map<string, string[]>();
  for (const [place, setup] of manifest.configurations.entries()) {
    const placeThen = from.configurations.findIndex(({ id }) => id === setup.id);
    const setupThen = from.configurations[placeThen];
    if (setupThen === undefined) continue;
    const isAlike = memoized(
      (rubric: string) => isJudgedAlike({ manifest, setup }, { manifest: from, setup: setupThen }, rubric),
      (rubric) => rubric,
    );
    for (const [index, evalCase] of cases.entries()) {
      const then = indexThen(evalCase);
      if (then === undefined) continue;
      const key = trialKey(placeThen, then);
      const rubric = planConfigured(library, evalCase, setup, manifest.settings, 1).rubric.id;
      if (judged.get(key) !== rubric || !isAlike(rubric)) continue;
      keys.set(key, [...(keys.get(key) ?? []), trialKey(place, index)]);
    }
  }
  return { from, keys: withDebates(manifest, keys) };
}

/** Leaves out votes at equal calls whose debate is judged again: it may then ask another number of questions. */
function withDebates(
  { configurations }: RunManifest,
  keys: ReadonlyMap<string, readonly string[]>,
): Map<string, readonly string[]> {
  const taken = new Set([...keys.values()].flat());
  const isWhole = (key: string): boolean => {
    const { configuration = -1, index = -1 } = placesOf(key) ?? {};
    const debate = configurations[configuration]?.equalCallsOf ?? null;
    const place = configurations.findIndex(({ id }) => id === debate);
    return debate === null || taken.has(trialKey(place, index));
  };
  return new Map(
    [...keys].flatMap(([then, own]) => {
      const whole = own.filter(isWhole);
      return whole.length === 0 ? [] : [[then, whole] as const];
    }),
  );
}

/** The indexes of the cases that some configuration still has to judge. */
export function casesLeft({ configurations, dataset }: RunManifest, { keys }: TakeOver): number[] {
  const taken = new Set([...keys.values()].flat());
  return Array.from({ length: dataset.cases }, (_, index) => index).filter((index) =>
    configurations.some((_, place) => !taken.has(trialKey(place, index))),
  );
}

/** Copies the trials into the run, each with the run that judged it, except those that are already kept. */
export async function takeOver(
  store: Pick<TrialStore, 'readVerdicts'>,
  writer: Pick<TrialWriter, 'kept' | 'save'>,
  { configurations }: RunManifest,
  cases: readonly EvalCase[],
  { from, keys }: TakeOver,
): Promise<void> {
  const { all: kept } = await writer.kept();
  for await (const { key, verdict } of store.readVerdicts(from.name, new Set(keys.keys())))
    for (const own of keys.get(key) ?? []) {
      const places = placesOf(own);
      const configuration = configurations[places?.configuration ?? -1];
      const evalCase = cases[places?.index ?? -1];
      if (kept.has(own) || configuration === undefined || evalCase === undefined) continue;
      const copy = {
        ...verdict,
        caseId: caseIdOf(evalCase),
        // Where it was judged, not where it was last copied from.
        takenFrom: verdict.takenFrom ?? { run: from.name },
      };
      await writer.save(trialOf(own, configuration.id, evalCase.label ?? null, copy), copy);
    }
}
