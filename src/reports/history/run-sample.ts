import { createHash } from 'node:crypto';
import {
  isCaseErased,
  placesOf,
  type RunManifest,
  subjectOf,
  type TrialStore,
  yardstickHash,
} from '../../benchmark/index.ts';
import { type EvalCase, requestHash } from '../../case/index.ts';
import { groupedBy } from '../../common/index.ts';
import { type Range, rangeOfVerdict } from '../../judging/verdict/index.ts';
import { type Bin, mergedBins, singly, sum, type Unit } from '../../statistics/index.ts';
import { type Answer, type Answers, answerDrifts, readAnswers } from '../assistant/index.ts';
import { countOutcomes } from '../estimates/index.ts';
import { clustersOf, setupsOf } from '../facts/index.ts';
import { rightness } from './benchmark-history.ts';

type Units = readonly Bin<Unit>[];

/**
 * What a run adds to what earlier runs of its benchmark have shown, as values of independent units: answers with their repeats, or
 * answers that belong together. Answers that an earlier run has judged already are left out.
 */
export interface RunSample {
  /** What the judgements by each rubric depend on, as hashes: judgements by other judges, prompts or rubrics measure something else. */
  yardstick: Readonly<Record<string, string>>;
  /** Content hash of the dataset. */
  dataset: string;
  cases: number;
  /** How many of them have answers that no earlier run has judged. For judges all of them, since their decisions are always new. */
  fresh: number;
  /** Whether the run before asked the same requests. */
  isFixed: boolean;
  /** Passes among decided answers; for judges, right decisions among trials of labeled cases. */
  passes: Units;
  /** Answers with a decision or a score. */
  decided: Units;
  /** Scores, and the bounds of their scale; null without either. */
  scores: { units: Units; range: Range } | null;
  /**
   * Changes of the share of passes since the baseline, from −1 to 1, and the baseline: of each request that both have, and of each other
   * one since the baseline's mean of its kind.
   */
  drifts: { units: Units; baseline: string } | null;
  /** Known latencies in ms, by unit. */
  latencies: readonly (readonly number[])[];
}

type Runs = Pick<TrialStore, 'readRun' | 'readCases' | 'readTrials' | 'readVerdicts'>;

/** A case's own id; cases without one are identified by their request. */
const idOf = (evalCase: EvalCase): string => evalCase.id ?? requestHash(evalCase);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Everything that is known of a case's answer. A label may be added later. */
const answerHash = ({ label: _, ...evalCase }: EvalCase): string => hashOf(JSON.stringify(evalCase));

async function casesOf(runs: Runs, run: string) {
  const cases: { id: string; request: string; answer: string; isErased: boolean; group: EvalCase['tags'] }[] =
    [];
  for await (const evalCase of runs.readCases(run))
    cases.push({
      id: idOf(evalCase),
      request: requestHash(evalCase),
      answer: answerHash(evalCase),
      isErased: isCaseErased(evalCase),
      group: evalCase.tags,
    });
  return cases;
}
type Cases = Awaited<ReturnType<typeof casesOf>>;

/**
 * Which answers were collected since the earlier runs, by their places.
 *
 * - A system that answers before each run answers anew, even if it says the same.
 * - A dataset that an earlier run had is judged again.
 * - Otherwise the file is another one than in the run before. If it repeats that run's answers in every detail (with their latency, date
 *   and build), it is a log that has grown, and only the cases of its own count. If any answer to the same request differs, all were
 *   collected anew: leaving out those that are alike would count only what changed.
 */
function freshPlaces(
  { dataset }: RunManifest,
  cases: Cases,
  earlier: readonly RunManifest[],
  before: Cases,
): boolean[] {
  if (dataset.collected === true) return cases.map(() => true);
  if (earlier.some((one) => one.dataset.hash === dataset.hash)) return cases.map(() => false);
  const answers = groupedBy(before, ({ id }) => id);
  const isRepeated = ({ id, answer, isErased }: Cases[number]) =>
    isErased || answers.get(id)?.some((one) => one.isErased || one.answer === answer);
  const shared = cases.filter(({ id }) => answers.has(id));
  if (!shared.every(isRepeated)) return cases.map(() => true);
  return cases.map(({ id }) => !answers.has(id));
}

const isSameRequests = (one: Cases, other: Cases): boolean => {
  const requests = (cases: Cases) =>
    cases
      .map(({ request }) => request)
      .sort()
      .join();
  return one.length === other.length && requests(one) === requests(other);
};

/** Values by unit, in bins of equal units. */
function unitsOf(values: readonly { unit: number; total: number; n: number }[]): Bin<Unit>[] {
  const units = [...groupedBy(values, ({ unit }) => unit).values()].map(
    (own): Unit => ({ total: sum(own.map(({ total }) => total)), n: sum(own.map(({ n }) => n)) }),
  );
  return mergedBins(singly(units.filter(({ n }) => n > 0)), ({ total, n }) => `${total}/${n}`);
}

const scoresOf = ({ facts }: Answer): number[] => facts.flatMap(({ score }) => score ?? []);

/** The bounds of all scales that the run's scores are on; null if a verdict that would tell is no longer kept. */
async function scoreRange(runs: Runs, { manifest, answers }: Answers): Promise<Range | null> {
  const scored = answers.filter((answer) => scoresOf(answer).length > 0);
  const keys = new Set(
    [...groupedBy(scored, ({ rubric }) => rubric).values()].flatMap((own) => own[0]?.key ?? []),
  );
  const ranges: Range[] = [];
  for await (const { verdict } of runs.readVerdicts(manifest.name, keys)) {
    const range = rangeOfVerdict(verdict);
    if (range !== null) ranges.push(range);
  }
  if (keys.size === 0 || ranges.length < keys.size) return null;
  return {
    min: Math.min(...ranges.map(({ min }) => min)),
    max: Math.max(...ranges.map(({ max }) => max)),
  };
}

type Measured = Pick<RunSample, 'passes' | 'decided' | 'scores' | 'drifts' | 'latencies'>;

async function ofAnswers(
  runs: Runs,
  manifest: RunManifest,
  isFresh: (place: number) => boolean,
  baseline: RunManifest | null,
): Promise<Measured> {
  const all = await readAnswers(runs, manifest);
  const answers = all.answers.filter(({ place }) => isFresh(place));
  const passes = answers.map(({ unit, facts }) => {
    const { pass, fail } = countOutcomes(facts);
    return { unit, total: pass, n: pass + fail };
  });
  const scores = answers.map((answer) => {
    const own = scoresOf(answer);
    return { unit: answer.unit, total: sum(own), n: own.length };
  });
  const isScored = passes.every(({ n }) => n === 0);
  const decided = (isScored ? scores : passes).map(({ unit, n }) => ({ unit, total: n > 0 ? 1 : 0, n: 1 }));
  const range = isScored ? await scoreRange(runs, { ...all, answers }) : null;
  const drifts = baseline === null ? [] : answerDrifts(await readAnswers(runs, baseline), all);
  const timed = answers.filter(({ latencyMs }) => latencyMs !== null);
  return {
    passes: unitsOf(passes),
    decided: unitsOf(decided),
    scores: range === null ? null : { units: unitsOf(scores), range },
    drifts:
      baseline === null
        ? null
        : {
            baseline: baseline.name,
            units: unitsOf(
              drifts
                .filter(({ now }) => isFresh(now.place))
                .map(({ now: { unit }, drift }) => ({ unit, total: drift, n: 1 })),
            ),
          },
    latencies: [...groupedBy(timed, ({ unit }) => unit).values()].map((own) =>
      own.flatMap(({ latencyMs }) => latencyMs ?? []),
    ),
  };
}

async function ofJudges(runs: Runs, manifest: RunManifest, cases: Cases): Promise<Measured> {
  const { unitOf } = clustersOf(cases.map(({ group }) => ({ tags: group })));
  const isRight = rightness(manifest, 'judges');
  const values: { unit: number; total: number; n: number }[] = [];
  for await (const trial of runs.readTrials(manifest.name)) {
    const right = isRight(trial);
    const place = placesOf(trial.key)?.index;
    if (right !== null && place !== undefined)
      values.push({ unit: unitOf(place), total: right ? 1 : 0, n: 1 });
  }
  return { passes: unitsOf(values), decided: [], scores: null, drifts: null, latencies: [] };
}

function yardsticksOf(manifest: RunManifest): RunSample['yardstick'] {
  const hashesOf = (rubric: string): string[] =>
    subjectOf(manifest) === 'judges'
      ? setupsOf(manifest).map((setup) => yardstickHash(manifest, rubric, setup))
      : [yardstickHash(manifest, rubric)];
  return Object.fromEntries(manifest.rubrics.map((rubric) => [rubric, hashOf(hashesOf(rubric).join('\n'))]));
}

/**
 * Reads what a run adds to what earlier ones have shown.
 * @param earlier the finished runs of its benchmark before it, oldest first
 * @param baseline the run that it is compared with; null if there is none or it is this one
 */
export async function readRunSample(
  runs: Runs,
  manifest: RunManifest,
  earlier: readonly RunManifest[],
  baseline: RunManifest | null,
): Promise<RunSample> {
  const previous = earlier.at(-1);
  const cases = await casesOf(runs, manifest.name);
  const before = previous === undefined ? [] : await casesOf(runs, previous.name);
  const isAboutJudges = subjectOf(manifest) === 'judges';
  const fresh = isAboutJudges ? cases.map(() => true) : freshPlaces(manifest, cases, earlier, before);
  const measured = isAboutJudges
    ? await ofJudges(runs, manifest, cases)
    : await ofAnswers(runs, manifest, (place) => fresh[place] ?? false, baseline);
  return {
    yardstick: yardsticksOf(manifest),
    dataset: manifest.dataset.hash,
    cases: cases.length,
    fresh: fresh.filter(Boolean).length,
    isFixed: isSameRequests(cases, before),
    ...measured,
  };
}
