import * as z from 'zod';
import {
  finishedRuns,
  placesOf,
  type RunManifest,
  readBaseline,
  type SeriesRun,
  type Subject,
  subjectOf,
  type Trial,
  type TrialStore,
} from '../../benchmark/index.ts';
import type { EvalCase } from '../../case/index.ts';
import { groupedBy, type KeyValue, memoized } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';
import { reviewedFor } from '../../reviews/index.ts';
import type { Trend } from '../../statistics/index.ts';
import type { Language } from '../../words/index.ts';
import { type Against, type AssistantReport, assistantReport, readAnswers } from '../assistant/index.ts';
import { type Comparison, compareRuns, comparisonLead, leadText } from '../comparison/index.ts';
import { independentCases, independentPairs } from '../estimates/index.ts';
import { clustersOf, setupsOf } from '../facts/index.ts';

/** Results of one run of a benchmark. */
export const BenchmarkRun = z.strictObject({
  name: z.string(),
  /** When it ended, ms since the epoch. */
  at: z.number(),
  /**
   * For judges: correct decisions out of all trials on labeled cases, where a trial without a decision counts as wrong. For an assistant:
   * answers that pass out of those decided.
   */
  correct: z.int(),
  n: z.int(),
  /** Number of independent cases: smaller than the number of trials if the run has repeats, and if some cases belong together. */
  cases: z.number(),
  /** Null if any price is unknown. */
  costUsd: z.number().nullable(),
});
export type BenchmarkRun = z.infer<typeof BenchmarkRun>;

/** A case that was right in the earlier run and is wrong now. */
interface Regression {
  caseId: string;
  /** Error type of its label. */
  category: string;
  why: string;
}

/** The newest run compared with an earlier one, on the cases that both judged. */
interface RunComparison {
  /** Name of the earlier run. */
  against: string;
  gained: number;
  lost: number;
  n: number;
  /** Number of independent cases, see `BenchmarkRun`. */
  cases: number;
  /** The lost cases; may be only the first few. */
  regressions: readonly Regression[];
}

interface History {
  name: string;
  /** Oldest first, at least one. */
  runs: readonly BenchmarkRun[];
}

/** How well judges agree with labels. */
export interface JudgesHistory extends History {
  subject: 'judges';
  /** The newest run compared with the one in the last digest; null if that is the same run. */
  compared: RunComparison | null;
  /** If several configurations were compared: the first sentence on them (`comparisonLead`). */
  lead?: { text: Readonly<Record<Language, string>>; trend: Trend };
}

/** How good the assistant's answers are. */
export interface AssistantHistory extends History {
  subject: 'assistant';
  /** Report on the newest run, compared with the run in the last digest and with the baseline where those are different runs. */
  report: AssistantReport;
}

/** The history of a benchmark; its newest run determines the subject. */
export type BenchmarkHistory = JudgesHistory | AssistantHistory;

/**
 * Reads the histories of benchmarks.
 * @param lastRuns the run in the last digest, by benchmark
 * @param until the run that counts as the newest; default: the newest
 * @param by the tag whose values are looked at one by one; null or absent: none
 */
export type BenchmarkSource = (
  names: readonly string[],
  lastRuns: Readonly<Record<string, string>>,
  until?: string,
  by?: string | null,
) => Promise<BenchmarkHistory[]>;

const MAX_REGRESSIONS = 100;
const MAX_REASON = 300;
const KEPT_MS = 400 * 86_400_000;

type Runs = Pick<TrialStore, 'names' | 'readRun' | 'readCases' | 'readTrials' | 'readVerdicts' | 'totals'>;
/** The trials that count. */
interface Counted {
  /** By key: null if right, otherwise what went wrong. */
  trials: ReadonlyMap<string, Regression | null>;
  /** See `Clusters`. */
  unitOf: (place: number) => number;
}

/** Cache key for a run's results. Its number is that of their format. */
export const numbersMark = ({ name, createdAt }: RunManifest, subject: Subject = 'judges'): string =>
  `digest-${subject === 'judges' ? 'numbers' : 'passes'}-2:${name}:${createdAt}`;

/**
 * Whether a trial is right; null if it does not count. For judges, all trials on labeled cases count, and one without a decision is wrong. For
 * an assistant, the answers that the first configuration decides count.
 */
export function rightness(manifest: RunManifest, subject: Subject): (trial: Trial) => boolean | null {
  const first = new Set(setupsOf(manifest)[0]?.configurations.map(({ id }) => id));
  return (trial) => {
    const { configuration, decision, label } = trial;
    if (subject === 'judges') return label?.decision === undefined ? null : decision === label.decision;
    return first.has(configuration) && (decision === 'pass' || decision === 'fail')
      ? decision === 'pass'
      : null;
  };
}

async function countTrials(runs: Runs, manifest: RunManifest, subject: Subject): Promise<Counted> {
  const counted = new Map<string, Regression | null>();
  const isRight = rightness(manifest, subject);
  for await (const trial of runs.readTrials(manifest.name)) {
    const right = isRight(trial);
    if (right === null) continue;
    const { key, caseId, label, why } = trial;
    const category =
      label?.errorType ?? (label?.decision === 'pass' ? 'no error' : 'error of no stated type');
    counted.set(key, right ? null : { caseId, category, why: why.slice(0, MAX_REASON).toWellFormed() });
  }
  return { trials: counted, unitOf: (await clustersIn(runs, manifest)).unitOf };
}

async function clustersIn(runs: Runs, { name }: RunManifest) {
  const cases: Pick<EvalCase, 'tags'>[] = [];
  for await (const { tags } of runs.readCases(name)) cases.push(tags === undefined ? {} : { tags });
  return clustersOf(cases);
}

const placeOf = (key: string): number => placesOf(key)?.index ?? 0;

/** Trials by case. */
const byPlace = (keys: Iterable<string>): Map<number, string[]> => groupedBy(keys, placeOf);

const inOrder = (a: string, b: string): number => {
  const [one, other] = [placesOf(a), placesOf(b)];
  if (one === null || other === null) return 0;
  return one.index - other.index || one.configuration - other.configuration;
};

/** @param was a run with the same cases and configurations, so that keys match */
function compare({ trials: was }: Counted, { trials: is, unitOf }: Counted): Omit<RunComparison, 'against'> {
  const both = [...is.keys()].filter((key) => was.has(key));
  const isRight = (trials: Counted['trials'], key: string) => trials.get(key) === null;
  const isGained = (key: string) => !isRight(was, key) && isRight(is, key);
  const isLost = (key: string) => isRight(was, key) && !isRight(is, key);
  const lost = both.filter(isLost).sort(inOrder);
  const pairs = [...byPlace(both)].map(([place, keys]) => ({
    unit: unitOf(place),
    gained: keys.filter(isGained).length / keys.length,
    lost: keys.filter(isLost).length / keys.length,
  }));
  return {
    gained: both.filter(isGained).length,
    lost: lost.length,
    n: both.length,
    cases: independentPairs(pairs),
    regressions: lost.slice(0, MAX_REGRESSIONS).flatMap((key) => is.get(key) ?? []),
  };
}

/** The results of a run's trials. */
function countsOf({ trials, unitOf }: Counted): Pick<BenchmarkRun, 'correct' | 'n' | 'cases'> {
  const right = (keys: readonly string[]) => keys.filter((key) => trials.get(key) === null).length;
  const cases = [...byPlace(trials.keys())].map(([place, keys]) => ({
    unit: unitOf(place),
    value: right(keys) / keys.length,
  }));
  return {
    correct: right([...trials.keys()]),
    n: trials.size,
    cases: independentCases(cases),
  };
}

/** Whether two runs judged the same cases with the same configurations, so that their trials can be compared one by one. */
function isAlike(one: RunManifest, other: RunManifest): boolean {
  const ways = ({ configurations }: RunManifest) => configurations.map(({ id }) => id).join('\n');
  return one.dataset.hash === other.dataset.hash && ways(one) === ways(other);
}

/** The first sentence on a comparison, in each language. */
function leadIn(comparison: Comparison): NonNullable<JudgesHistory['lead']> | null {
  const lead = comparisonLead(comparison);
  if (lead === null) return null;
  const textIn = (language: Language): string => {
    const said = comparisonLead(comparison, language);
    return said === null ? '' : leadText(said);
  };
  return { text: { en: textIn('en'), de: textIn('de') }, trend: lead.trend };
}

/**
 * Reads benchmark histories from stored runs. A benchmark's runs are those of the series of its name. Unfinished runs are left out.
 */
export function createBenchmarkSource(runs: Runs, store: KeyValue, now: () => number): BenchmarkSource {
  /** Results of a run, cached once they are final: only failed trials of a finished run can be judged again. */
  async function numbersOf(
    { manifest, totals }: SeriesRun,
    subject: Subject,
    countedOf: () => Promise<Counted>,
  ): Promise<BenchmarkRun> {
    const key = numbersMark(manifest, subject);
    const text = await store.get(key, now());
    const cached = text === null ? null : readJson(BenchmarkRun, text);
    if (cached !== null) return cached.value;
    const counted = await countedOf();
    const numbers = {
      name: manifest.name,
      at: Date.parse(manifest.createdAt),
      ...countsOf(counted),
      costUsd: totals.unknownCosts > 0 ? null : totals.spentUsd,
    };
    // Another version of the app cached it in a different format.
    if (text !== null) await store.delete(key);
    if (totals.failed === 0) await store.setIfAbsent(key, JSON.stringify(numbers), now(), KEPT_MS);
    return numbers;
  }

  /** The runs to compare the assistant with: the one in the last digest, and the baseline. */
  async function againstOf(benchmark: string, newest: RunManifest, before: RunManifest | undefined) {
    const baseline = await readBaseline(store, benchmark, now());
    const base = baseline === null ? null : await runs.readRun(baseline.run);
    const against: Against[] = [
      ...(before === undefined ? [] : [{ manifest: before, baseline: null }]),
      ...(base === null || baseline === null ? [] : [{ manifest: base, baseline: baseline.name }]),
    ];
    return against.filter(({ manifest }) => manifest.name !== newest.name);
  }

  async function historyOf(
    benchmark: string,
    lastRun: string | undefined,
    until: string | undefined,
    by: string | null,
  ): Promise<BenchmarkHistory[]> {
    const whole = await finishedRuns(runs, benchmark);
    const end = whole.findIndex(({ manifest }) => manifest.name === until);
    const ended = end < 0 ? whole : whole.slice(0, end + 1);
    const newest = ended.at(-1)?.manifest;
    if (newest === undefined) return [];
    const subject = subjectOf(newest);
    const last = ended.find(({ manifest }) => manifest.name === lastRun)?.manifest;
    const counted = (manifest: RunManifest) => countTrials(runs, manifest, subject);
    // Only the two runs that may be compared are held in memory.
    const compared = memoized(counted, ({ name }) => name);
    const numbers: BenchmarkRun[] = [];
    for (const run of ended) {
      const { manifest } = run;
      const isKept = manifest === newest || manifest === last;
      numbers.push(await numbersOf(run, subject, () => (isKept ? compared : counted)(manifest)));
    }
    const history = { name: benchmark, runs: numbers };
    if (subject === 'assistant') {
      // The first digest compares with the previous run.
      const against = await againstOf(benchmark, newest, last ?? ended.at(-2)?.manifest);
      return [
        {
          ...history,
          subject,
          report: await assistantReport(
            runs,
            await readAnswers(runs, newest),
            against,
            await reviewedFor(store, newest, now()),
            by,
          ),
        },
      ];
    }
    if (last === undefined || last === newest || !isAlike(last, newest))
      return [{ ...history, subject, compared: null }];
    const [was, is] = await Promise.all([compared(last), compared(newest)]);
    const [before, after] = [last, newest].map(({ name }) => ({ run: name, setup: null }));
    const lead =
      before === undefined || after === undefined || setupsOf(newest).length < 2
        ? null
        : leadIn((await compareRuns(runs, before, after)).comparison);
    return [
      {
        ...history,
        subject,
        compared: { against: last.name, ...compare(was, is) },
        ...(lead === null ? {} : { lead }),
      },
    ];
  }
  return async (names, lastRuns, until, by = null) => {
    const histories = [];
    for (const name of names) histories.push(...(await historyOf(name, lastRuns[name], until, by)));
    return histories;
  };
}
