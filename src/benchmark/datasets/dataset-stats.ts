import { type EvalCase, missingFields } from '../../case/case.ts';
import { frequencies, groupedBy } from '../../common/collections.ts';
import { quantileOfSorted, sum } from '../../statistics/measure.ts';

export interface Spread {
  min: number;
  median: number;
  mean: number;
  max: number;
}

export interface DatasetStats {
  cases: number;
  /** Cases by label: pass, fail, score, none. */
  labels: Record<string, number>;
  errorTypes: Record<string, number>;
  rubrics: Record<string, number>;
  languages: Record<string, number>;
  /** Turns of the conversation and the history. */
  turns: Spread | null;
  /** Words of all user turns, and of the response. */
  userWords: Spread | null;
  responseWords: Spread | null;
  /** Number of distinct requests. */
  distinctRequests: number;
  /** Fields that only some cases have; those missing most often come first. */
  missing: { path: string; cases: number }[];
  duplicates: {
    /** Ids of more than one case. */
    ids: string[];
    /** Groups of cases with the same content but for id, tags and label, as ids (or `#5` for the fifth). */
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

const requestOf = ({ conversation }: EvalCase): string =>
  conversation
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join('\n');

/** Indexes of cases with the same key, in groups of at least two. */
const groups = (cases: readonly EvalCase[], keyOf: (one: EvalCase) => string | undefined): number[][] =>
  [...groupedBy(cases.entries(), ([, one]) => keyOf(one))].flatMap(([key, equal]) =>
    key === undefined || equal.length < 2 ? [] : [equal.map(([index]) => index)],
  );

const contentOf = ({ id: _id, label: _label, tags: _tags, ...content }: EvalCase): string =>
  JSON.stringify(content);

/** Fields within a missing field are not listed; labels are counted separately. */
function missingIn(cases: readonly EvalCase[], paths: readonly string[]): DatasetStats['missing'] {
  const lacking = (path: string) => cases.filter((one) => missingFields(one, [path]).length > 0).length;
  const counts = paths
    .filter((path) => path !== 'id' && !path.startsWith('label'))
    .map((path) => ({ path, cases: lacking(path) }));
  const countOf = new Map(counts.map(({ path, cases: count }) => [path, count]));
  const parentOf = (path: string) => countOf.get(path.split('.').slice(0, -1).join('.')) ?? 0;
  return counts
    .filter(({ path, cases: count }) => count > parentOf(path) && count < cases.length)
    .sort((a, b) => b.cases - a.cases);
}

/**
 * Describes a dataset, and finds missing fields and duplicates.
 *
 * @param paths every path that a case can have
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
    userWords: spreadOf(cases.map((one) => words(requestOf(one)))),
    responseWords: spreadOf(cases.map(({ response }) => words(response))),
    distinctRequests: new Set(cases.map(requestOf)).size,
    missing: missingIn(cases, paths),
    duplicates: {
      ids: groups(cases, ({ id }) => id).flatMap(([first]) => (first === undefined ? [] : nameOf(first))),
      contents: same.map((group) => group.map(nameOf)),
      contradictions: same.filter((group) => labelsOf(group).size > 1).map((group) => group.map(nameOf)),
    },
  };
}
