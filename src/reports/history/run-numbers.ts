import * as z from 'zod';
import { type RunManifest, seriesOf, subjectOf, type TrialStore } from '../../benchmark/index.ts';
import { caseHash } from '../../case/index.ts';
import { groupedBy } from '../../common/index.ts';
import { judgingObstacles } from '../assistant/index.ts';
import { Estimate, ReportMeasure } from '../estimates/index.ts';
import { type Setup, setupsOf, tabulate } from '../facts/index.ts';
import {
  createMatrix,
  isBad,
  type MatrixCell,
  type MatrixRow,
  makeReport,
  matchingKey,
  type Report,
} from '../index.ts';
import { highestF1, isLabeled, type SetupReport } from '../metrics/index.ts';

/** A result in one number. */
export const RunScore = z.strictObject({
  kind: z
    .enum(['f1', 'pass-rate', 'mean-score'])
    .describe('`pass-rate`, `mean-score`: of the answers. `f1`: how well the judges find the wrong answers.'),
  configuration: z.string().describe('Id of the configuration.'),
  ...Estimate.shape,
  coverage: ReportMeasure.describe(
    "The share of its trials, or of the assistant's answers, that got a decision or a score.",
  ),
});
export type RunScore = z.infer<typeof RunScore>;

/** What a run came to, and what turned since an earlier one: numbers without texts, as lists and series of runs show them. */
export const RunNumbers = z.strictObject({
  /** The result of the whole run: of the assistant or, with labels, of the best judges; otherwise of the first configuration. */
  score: RunScore.nullable(),
  /** The builds that gave the answers, from the tag `build`, sorted. */
  builds: z.array(z.string()),
  setups: z.array(
    z.strictObject({
      id: z.string(),
      score: RunScore.nullable(),
      /** On the cases that are the same in the earlier run; null if there is none, or it lacks the configuration. */
      turned: z
        .strictObject({
          cases: z.int(),
          /** Of judges with labels: now wrong and now right; otherwise newly failing and no longer failing. */
          worse: z.int(),
          better: z.int(),
          labeled: z.boolean(),
        })
        .nullable(),
    }),
  ),
});
export type RunNumbers = z.infer<typeof RunNumbers>;

const share = (part: number, n: number): ReportMeasure =>
  n > 0 ? { defined: true, n, value: part / n } : { defined: false, n, why: 'no trials' };

/** The result of one configuration: with labels, how far it is right; without, what it gives. */
function scoreOfSetup(setup: SetupReport, labeled: boolean): RunScore | null {
  const { id: configuration, effectiveness, scores, decisions, trials } = setup;
  if (labeled) return { kind: 'f1', configuration, ...effectiveness.f1, coverage: effectiveness.coverage };
  if (scores !== null)
    return { kind: 'mean-score', configuration, ...scores.mean, coverage: share(scores.n, trials) };
  return decisions === null
    ? null
    : { kind: 'pass-rate', configuration, ...decisions.passRate, coverage: decisions.coverage };
}

function assistantScore({ setups: [first], assistant }: Report): RunScore | null {
  if (assistant === null || assistant.preference !== null || first === undefined) return null;
  const { rate, decided, answers } = assistant;
  const { kind, measure, interval } = rate;
  return {
    kind: kind === 'pass' ? 'pass-rate' : 'mean-score',
    configuration: first.id,
    ...{ measure, interval },
    coverage: share(decided, answers),
  };
}

type Runs = TrialStore;

/** The rows of a run's matrix by what identifies their case, each with a hash of all that was judged. */
interface Outcomes {
  setups: readonly Setup[];
  rows: ReadonlyMap<string, MatrixRow & { judged: string }>;
}

/** @param isOfAssistant whether cases are the same if their requests are */
async function keysOf(runs: Runs, name: string, isOfAssistant: boolean) {
  const keys: { key: string; judged: string }[] = [];
  const builds = new Set<string>();
  const times = new Map<string, number>();
  for await (const evalCase of runs.readCases(name)) {
    const key = matchingKey(evalCase, isOfAssistant);
    const nth = (times.get(key) ?? 0) + 1;
    times.set(key, nth);
    keys.push({ key: `${key} ${nth}`, judged: caseHash(evalCase) });
    if (evalCase.tags?.build !== undefined) builds.add(evalCase.tags.build);
  }
  return { keys, builds: [...builds].sort() };
}

async function outcomesOf(runs: Runs, manifest: RunManifest, isOfAssistant: boolean): Promise<Outcomes> {
  const { name } = manifest;
  const setups = setupsOf(manifest);
  const matrix = await createMatrix(runs, [name]);
  await tabulate(manifest, runs.readTrials(name), (trial, setup, facts) => {
    matrix.add(trial, setup, facts);
    return null;
  });
  const { keys } = await keysOf(runs, name, isOfAssistant);
  const { rows } = matrix.result(setups.map(({ id }) => id));
  return {
    setups,
    rows: new Map(
      rows.map((row, place) => {
        const { key, judged } = keys[place] ?? { key: '', judged: '' };
        return [key, { ...row, judged }];
      }),
    ),
  };
}

type Turned = RunNumbers['setups'][number]['turned'];

/**
 * How many cases of a configuration turned between two runs.
 * @param isOfAssistant then labels do not say what is bad, and an answer that is the same in both runs has not turned, even if judges now
 * decide otherwise
 */
function turnedOf(id: string, before: Outcomes | null, after: Outcomes, isOfAssistant: boolean): Turned {
  const labeled = !isOfAssistant;
  if (before === null) return null;
  const columnOf = ({ setups }: Outcomes) => setups.findIndex((setup) => setup.id === id);
  const [columnBefore, columnAfter] = [columnOf(before), columnOf(after)];
  if (columnBefore < 0 || columnAfter < 0) return null;
  const turned = { cases: 0, worse: 0, better: 0, labeled: false };
  for (const [key, now] of after.rows) {
    const then = before.rows.get(key);
    const [cellThen = null, cellNow = null] = [then?.cells[columnBefore], now.cells[columnAfter]];
    if (then === undefined || cellThen === null || cellNow === null) continue;
    const isBadIn = ({ truth }: MatrixRow, cell: MatrixCell) =>
      isBad({ truth: labeled ? truth : null }, cell);
    const [wasBad, isBadNow] = [isBadIn(then, cellThen), isBadIn(now, cellNow)];
    turned.cases += 1;
    if (labeled && now.truth !== null) turned.labeled = true;
    if (isOfAssistant && then.judged === now.judged) continue;
    if (!wasBad && isBadNow) turned.worse += 1;
    if (wasBad && !isBadNow) turned.better += 1;
  }
  return turned;
}

/**
 * Reads what a run came to, and what turned since an earlier run.
 * @param earlier null: there is none
 * @throws JuryError `usage` if there is no such run
 */
export async function readRunNumbers(
  runs: Runs,
  manifest: RunManifest,
  earlier: RunManifest | null,
): Promise<RunNumbers> {
  const report = await makeReport(runs, manifest.name);
  const { setups } = report;
  const isOfAssistant = subjectOf(manifest) === 'assistant';
  const whole = assistantScore(report);
  const labeled = whole === null && isLabeled(report);
  const scores = setups.map((setup, at) =>
    whole !== null && at === 0 ? whole : scoreOfSetup(setup, labeled),
  );
  const best = labeled ? highestF1(setups) : null;
  const after = await outcomesOf(runs, manifest, isOfAssistant);
  const before = earlier === null ? null : await outcomesOf(runs, earlier, isOfAssistant);
  return {
    score: scores[best === null ? 0 : setups.indexOf(best)] ?? null,
    builds: (await keysOf(runs, manifest.name, isOfAssistant)).builds,
    setups: setups.map(({ id }, at) => ({
      id,
      score: scores[at] ?? null,
      turned: turnedOf(id, before, after, whole !== null),
    })),
  };
}

/** The configuration to follow over a series if none is chosen: of those in the newest run, the first that most runs have. */
export function followedSetup(runs: readonly RunManifest[]): string | null {
  const [newest] = runs;
  if (newest === undefined) return null;
  const counts = new Map<string, number>();
  for (const run of runs) for (const { id } of setupsOf(run)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const own = setupsOf(newest).map(({ id }) => id);
  // An assistant's answers are by the first configuration of its run.
  if (subjectOf(newest) === 'assistant') return own[0] ?? null;
  const most = Math.max(...own.map((id) => counts.get(id) ?? 0));
  return own.find((id) => counts.get(id) === most) ?? null;
}

/** Why the results of one configuration in two runs cannot be compared: the judges, their prompts or the rubric changed. Empty if they can. */
export function judgingChanges(before: RunManifest, after: RunManifest, id: string): string[] {
  const setupIn = (manifest: RunManifest) => setupsOf(manifest).find((setup) => setup.id === id);
  const [setupBefore, setupAfter] = [setupIn(before), setupIn(after)];
  if (setupBefore === undefined || setupAfter === undefined) return [];
  const rubrics = after.rubrics.filter((rubric) => before.rubrics.includes(rubric));
  if (rubrics.length === 0)
    return [`the rubric is ${after.rubrics.join(', ')}, not ${before.rubrics.join(', ')}`];
  return judgingObstacles(
    { manifest: before, setup: setupBefore },
    { manifest: after, setup: setupAfter },
    rubrics,
  );
}

/** The run before each one in its series, by name. @param runs in any order */
export function runsBefore(runs: readonly RunManifest[]): Map<string, RunManifest> {
  const inOrder = [...runs].sort((a, b) =>
    a.createdAt === b.createdAt ? (a.name < b.name ? -1 : 1) : a.createdAt < b.createdAt ? -1 : 1,
  );
  const before = new Map<string, RunManifest>();
  for (const series of groupedBy(inOrder, seriesOf).values())
    for (const [at, run] of series.entries()) {
      const earlier = series[at - 1];
      if (earlier !== undefined) before.set(run.name, earlier);
    }
  return before;
}
