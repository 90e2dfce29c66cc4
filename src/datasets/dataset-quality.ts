import { type EvalCase, missingFields } from '../case/index.ts';
import { frequencies, groupedBy, JuryError, messageOf } from '../common/index.ts';
import { RULES } from '../judges/rules/index.ts';
import type { Ask } from '../judging/index.ts';
import { fittedTo, Method, type Rubric } from '../judging/standards/index.ts';
import type { Finding } from '../judging/verdict/index.ts';
import { quantileOfSorted, sum } from '../statistics/index.ts';

export interface Spread {
  min: number;
  median: number;
  mean: number;
  max: number;
}

export interface DatasetStats {
  cases: number;
  /** Number of cases by label: pass, fail, score, none. */
  labels: Record<string, number>;
  errorTypes: Record<string, number>;
  rubrics: Record<string, number>;
  languages: Record<string, number>;
  /** Turns of the conversation plus the history. */
  turns: Spread | null;
  /** Words in all user turns. */
  userWords: Spread | null;
  responseWords: Spread | null;
  /** Number of cases whose users say something different. */
  distinctRequests: number;
  /** Fields that only some cases have, most often missing first. */
  missing: { path: string; cases: number }[];
  duplicates: {
    /** IDs used by more than one case. */
    ids: string[];
    /** Groups of cases that differ only in ID, tags and label, as IDs (or `#5` for the fifth case). */
    contents: string[][];
    /** Groups with the same content and different labels. */
    contradictions: string[][];
  };
}

const NONE = '(none)';

const counted = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries(frequencies(values));

function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => quantileOfSorted(sorted, share);
  return { min: at(0), median: at(0.5), mean: sum(sorted) / sorted.length, max: at(1) };
}

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

const labelOf = ({ label }: EvalCase): string =>
  label?.decision ?? (label?.score === undefined ? NONE : 'score');

const userTextOf = ({ conversation }: EvalCase): string =>
  conversation
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join('\n');

/** Indexes of cases with equal keys, in groups of two or more. */
const groups = (cases: readonly EvalCase[], keyOf: (one: EvalCase) => string | undefined): number[][] =>
  [...groupedBy(cases.entries(), ([, one]) => keyOf(one))].flatMap(([key, equal]) =>
    key === undefined || equal.length < 2 ? [] : [equal.map(([index]) => index)],
  );

const contentOf = ({ id: _id, label: _label, tags: _tags, ...content }: EvalCase): string =>
  JSON.stringify(content);

/** Switches of the case contract: without one, its default holds, so a case without it lacks nothing. */
const SWITCHES: ReadonlySet<string> = new Set(['expectedCalls.ordered']);

/** Counts missing fields. Fields inside a missing field are not listed; labels are counted separately. */
function missingIn(cases: readonly EvalCase[], paths: readonly string[]): DatasetStats['missing'] {
  const lacking = (path: string) => cases.filter((one) => missingFields(one, [path]).length > 0).length;
  const counts = paths
    .filter((path) => path !== 'id' && !path.startsWith('label') && !SWITCHES.has(path))
    .map((path) => ({ path, cases: lacking(path) }));
  const countOf = new Map(counts.map(({ path, cases: count }) => [path, count]));
  const parentOf = (path: string) => countOf.get(path.split('.').slice(0, -1).join('.')) ?? 0;
  return counts
    .filter(({ path, cases: count }) => count > parentOf(path) && count < cases.length)
    .sort((a, b) => b.cases - a.cases);
}

/**
 * Describes a dataset, including its missing fields and duplicates.
 * @param paths all possible paths of a case
 */
export function datasetStats(cases: readonly EvalCase[], paths: readonly string[]): DatasetStats {
  const nameOf = (index: number): string => cases[index]?.id ?? `#${index + 1}`;
  const same = groups(cases, contentOf);
  const labelsOf = (group: readonly number[]) =>
    new Set(group.map((index) => JSON.stringify(cases[index]?.label ?? null)));
  return {
    cases: cases.length,
    labels: counted(cases.map(labelOf)),
    errorTypes: counted(cases.flatMap(({ label }) => label?.errorType ?? [])),
    rubrics: counted(cases.map(({ rubric }) => rubric ?? NONE)),
    languages: counted(cases.map(({ language }) => language ?? NONE)),
    turns: spreadOf(cases.map(({ conversation, history }) => conversation.length + (history?.length ?? 0))),
    userWords: spreadOf(cases.map((one) => words(userTextOf(one)))),
    responseWords: spreadOf(cases.map(({ response }) => words(response))),
    distinctRequests: new Set(cases.map(userTextOf)).size,
    missing: missingIn(cases, paths),
    duplicates: {
      ids: groups(cases, ({ id }) => id).flatMap(([first]) => (first === undefined ? [] : nameOf(first))),
      contents: same.map((group) => group.map(nameOf)),
      contradictions: same.filter((group) => labelsOf(group).size > 1).map((group) => group.map(nameOf)),
    },
  };
}

/** A criterion whose exact check disagrees with the label. */
export interface Deviation {
  criterion: string;
  expected: 'pass' | 'fail';
  found: Finding['decision'];
  /** The finding in words. */
  why: string;
}

/** Whether exact checks confirm a case's label. */
export type CaseCheck =
  | { kind: 'confirmed' }
  /** A criterion's check contradicts the label. */
  | { kind: 'contradicted'; deviations: readonly Deviation[] }
  /** No check contradicts the label, but some criteria have no exact check. */
  | { kind: 'unscored'; deviations: readonly Deviation[] }
  /** The case can't be judged, or has no label that exact checks could confirm. */
  | { kind: 'unusable'; problem: string };

/** Judging requires a method, although exact checks ignore it. */
const ONCE = Method.parse({
  id: 'check',
  title: 'Exact checks',
  source: 'datasets',
  seats: 'one',
  examples: 0,
  reasoning: 'brief',
  rounds: 1,
  sees: 'nothing',
  stop: 'never',
  reduce: 'majority',
  confidence: false,
  temperature: 0,
});

/** The criterion that fails according to the label (null for pass), or why the label names none. */
function labeled({ label }: EvalCase, rubric: Rubric): { fails: string | null } | { problem: string } {
  if (label?.decision === undefined) return { problem: 'has no label.decision' };
  if (label.decision === 'pass')
    return label.errorType === undefined
      ? { fails: null }
      : { problem: `is labeled pass but has the error type "${label.errorType}"` };
  if (label.errorType === undefined) return { problem: 'is labeled fail without label.errorType' };
  const ids = rubric.criteria.map(({ id }) => id);
  return ids.includes(label.errorType)
    ? { fails: label.errorType }
    : {
        problem: `has the error type "${label.errorType}", but the rubric "${rubric.id}" has no such criterion (it has ${ids.join(', ')})`,
      };
}

async function findingsOn(
  evalCase: EvalCase,
  rubric: Rubric,
  ask: Ask,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { criteria } = await ask({
    judge: { persona: null, model: RULES, sample: 0 },
    persona: null,
    cast: [],
    rubric,
    criteria: rubric.criteria,
    method: ONCE,
    evalCase,
    round: 0,
    seen: [],
    temperature: 0,
    seed: null,
    deadlineAt: Number.POSITIVE_INFINITY,
    signal,
  });
  return criteria;
}

/**
 * Checks that a case has exactly the error of its label: that criterion fails its exact check, as do those that `label.criteria` says fail,
 * and all others pass. For a case labeled pass, none may fail.
 * @param rubricOf the rubric for a case; if it throws `bad-input` or `usage`, the case is unusable
 * @param ask runs the exact checks (`rules`)
 */
export async function checkCase(
  evalCase: EvalCase,
  rubricOf: (evalCase: EvalCase) => Rubric,
  ask: Ask,
  signal: AbortSignal,
): Promise<CaseCheck> {
  let rubric: Rubric;
  try {
    rubric = fittedTo(rubricOf(evalCase), evalCase);
  } catch (thrown) {
    if (thrown instanceof JuryError && (thrown.code === 'bad-input' || thrown.code === 'usage'))
      return { kind: 'unusable', problem: `cannot be judged: ${messageOf(thrown)}` };
    throw thrown;
  }
  const label = labeled(evalCase, rubric);
  if ('problem' in label) return { kind: 'unusable', problem: label.problem };
  const lacking = missingFields(evalCase, rubric.needs);
  if (lacking.length > 0) return { kind: 'unusable', problem: `lacks ${lacking.join(', ')}` };
  const stated = evalCase.label?.criteria ?? {};
  const deviations = (await findingsOn(evalCase, rubric, ask, signal)).flatMap((finding): Deviation[] => {
    const expected =
      stated[finding.id] === 'fail' || (finding.id === label.fails && stated[finding.id] === undefined)
        ? 'fail'
        : 'pass';
    return finding.decision === expected
      ? []
      : [{ criterion: finding.id, expected, found: finding.decision, why: finding.rationale ?? '' }];
  });
  if (deviations.length === 0) return { kind: 'confirmed' };
  const isOpen = deviations.every(({ found }) => found === 'unscored');
  return { kind: isOpen ? 'unscored' : 'contradicted', deviations };
}
