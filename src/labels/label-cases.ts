import { createHash } from 'node:crypto';
import { contentOf, type EvalCase } from '../case/case.ts';
import type { CaseFormat } from '../case/case-format.ts';
import { type Rubric, rangeOf } from '../judging/rubric.ts';
import type { VerdictLabel } from './label.ts';
import type { LabeledVerdict } from './labels.ts';
import type { VerdictRecord } from './verdict-record.ts';
import { rightText } from './vote.ts';

/** A labeled verdict as a case of a dataset, or why it is not one, as what verdicts do (“they …”). */
type LabeledCase = { evalCase: EvalCase } | { leftOut: string };

export const OPEN = 'have no label yet (--all writes them too)';
const AGAIN = 'judge a case that another verdict stands for';
const CONTRADICTORY = 'judge a case whose labels contradict each other ("jury labels adjudicate" settles it)';

/** The verdict that represents each case, by `caseHash`. */
export type StandingCases = ReadonlyMap<string, Standing>;

interface Standing {
  verdictId: string;
  label: string;
  isRuled: boolean;
  isContradictory: boolean;
}

/** Identifies a case under one rubric, whatever its names and label. */
function caseHash({ evalCase, verdict }: VerdictRecord): string {
  return createHash('sha256')
    .update(JSON.stringify([verdict.rubric, contentOf(evalCase)]))
    .digest('base64');
}

function outrank(old: Standing | undefined, now: Standing): Standing {
  if (old === undefined || (now.isRuled && !old.isRuled)) return now;
  if (old.isRuled && !now.isRuled) return old;
  return old.label === now.label
    ? { ...now, isContradictory: old.isContradictory }
    : { ...old, isContradictory: true };
}

/**
 * Picks the verdict that represents each case: rulings before votes, then the newest. A case that was judged several times counts
 * once, or not at all if its labels contradict each other.
 */
export async function standingCases(labels: AsyncIterable<LabeledVerdict>): Promise<StandingCases> {
  const standing = new Map<string, Standing>();
  for await (const { voted, label } of labels) {
    if (!label.label.settled) continue;
    const key = caseHash(voted.record);
    const now = {
      verdictId: voted.record.id,
      label: rightText(label.label.right),
      isRuled: label.adjudication !== null,
      isContradictory: false,
    };
    standing.set(key, outrank(standing.get(key), now));
  }
  return standing;
}

/** A settled label in the form of a dataset. */
function labelOfCase({ label, errorType }: VerdictLabel): Pick<EvalCase, 'label'> {
  if (!label.settled) return {};
  if (label.right.kind === 'score') return { label: { score: label.right.score } };
  const { decision } = label.right;
  return { label: { decision, ...(errorType === null ? {} : { errorType }) } };
}

/**
 * The verdict's case with its label, as `jury bench run` reads it. Its id is the verdict's, so that everything else (tally, basis,
 * ruling) can be looked up. It names its rubric.
 *
 * @param all include cases without a label
 */
export function labeledCase(
  { voted: { record }, label }: LabeledVerdict,
  standing: StandingCases,
  { format, all }: { format: CaseFormat; all: boolean },
): LabeledCase {
  const stands = standing.get(caseHash(record));
  if (stands?.isContradictory) return { leftOut: CONTRADICTORY };
  if (!label.label.settled && (!all || stands !== undefined))
    return { leftOut: stands === undefined ? OPEN : AGAIN };
  if (stands !== undefined && stands.verdictId !== record.id) return { leftOut: AGAIN };
  const { data, error } = format.schema.safeParse({
    id: record.id,
    rubric: record.verdict.rubric,
    ...contentOf(record.evalCase),
    tags: record.evalCase.tags,
    ...labelOfCase(label),
  });
  if (data !== undefined) return { evalCase: data };
  const why = error?.issues[0]?.message ?? 'not a case';
  return { leftOut: `hold a case in a form that is no longer known (${why})` };
}

type Own = NonNullable<NonNullable<EvalCase['label']>['criteria']>[string];

/** The problem with one criterion's label, as the predicate of a sentence; null if there is none. */
function problemOf(id: string, own: Own, { id: rubric, criteria }: Rubric): string | null {
  const criterion = criteria.find((one) => one.id === id);
  if (criterion === undefined)
    return `names "${id}", but the rubric "${rubric}" has no such criterion (it has ${criteria.map((one) => one.id).join(', ')})`;
  const range = rangeOf(criterion.scale);
  if (range === null)
    return typeof own === 'number'
      ? `gives "${id}" the score ${own}, but it is pass or fail: write "pass" or "fail"`
      : null;
  const { min, max } = range;
  return typeof own === 'number' && own >= min && own <= max
    ? null
    : `gives "${id}" ${own}, but its scale is ${min} to ${max}`;
}

/** The problems with the labels of single criteria, each as the end of a sentence that begins with the case. */

export function criterionLabelProblems({ label }: Pick<EvalCase, 'label'>, rubric: Rubric): string[] {
  const labels = Object.entries(label?.criteria ?? {});
  const failed = labels.find(([, own]) => own === 'fail')?.[0];
  return [
    ...labels.flatMap(([id, own]) => {
      const problem = problemOf(id, own, rubric);
      return problem === null ? [] : [`label.criteria ${problem}`];
    }),
    ...(label?.decision === 'pass' && failed !== undefined
      ? [`the label contradicts itself: "pass", but "${failed}" fails`]
      : []),
  ];
}
