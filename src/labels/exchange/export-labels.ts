import { createHash } from 'node:crypto';
import type { CaseFormat } from '../../case/format/index.ts';
import { contentOf, type EvalCase, lastRequest } from '../../case/index.ts';
import { frequencies } from '../../common/index.ts';
import { type CsvValue, csvText, jsonLine } from '../../common/text/index.ts';
import { type Rubric, rangeOf } from '../../judging/standards/index.ts';
import type { LabeledVerdict, Settled, VerdictLabel } from '../index.ts';
import {
  offeredOf,
  panelModels,
  type Right,
  rightOf,
  rightText,
  type VerdictRecord,
} from '../record/index.ts';

/** A labeled verdict as a case of a dataset, or why it is left out, as the predicate of a sentence ("they …"). */
type LabeledCase = { evalCase: EvalCase } | { leftOut: string };

const OPEN = 'have no label yet (--all writes them too)';
const AGAIN = 'judge a case that another verdict represents';
const CONTRADICTORY = 'judge a case whose labels contradict each other ("jury labels adjudicate" settles it)';

/** The verdict that represents each case, by `contentKey`. */
type StandingCases = ReadonlyMap<string, Standing>;

interface Standing {
  verdictId: string;
  label: string;
  isRuled: boolean;
  isContradictory: boolean;
}

/** Identifies a case under one rubric, regardless of its id, names and label. */
function contentKey({ evalCase, verdict }: VerdictRecord): string {
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
 * Picks the verdict that represents each case: a ruling beats votes, then the newest wins. A case judged several times
 * counts once, or not at all if its labels contradict each other.
 */
async function standingCases(labels: AsyncIterable<LabeledVerdict>): Promise<StandingCases> {
  const standing = new Map<string, Standing>();
  for await (const { voted, label } of labels) {
    if (!label.label.settled) continue;
    const key = contentKey(voted.record);
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

/** A settled label in dataset form. */
function labelOfCase({ label, errorType }: VerdictLabel): Pick<EvalCase, 'label'> {
  if (!label.settled) return {};
  if (label.right.kind === 'score') return { label: { score: label.right.score } };
  const { decision } = label.right;
  return { label: { decision, ...(errorType === null ? {} : { errorType }) } };
}

/**
 * The verdict's case with its label, in the form `jury bench run` reads. It names its rubric, and has the verdict's id
 * so that its tally, basis and ruling can be looked up.
 *
 * @param all include cases without a label
 */
export function labeledCase(
  { voted: { record }, label }: LabeledVerdict,
  standing: StandingCases,
  { format, all }: { format: CaseFormat; all: boolean },
): LabeledCase {
  const stands = standing.get(contentKey(record));
  if (stands?.isContradictory) return { leftOut: CONTRADICTORY };
  if (!label.label.settled && (!all || stands !== undefined))
    return { leftOut: stands === undefined ? OPEN : AGAIN };
  if (stands !== undefined && stands.verdictId !== record.id) return { leftOut: AGAIN };
  const { data, error } = format.schema.safeParse({
    id: record.id,
    rubric: record.verdict.rubric,
    ...contentOf(record.evalCase),
    tags: record.evalCase.tags,
    answerNames: record.evalCase.answerNames,
    ...labelOfCase(label),
  });
  if (data !== undefined) return { evalCase: data };
  const why = error?.issues[0]?.message ?? 'not a case';
  return { leftOut: `hold a case in a form that is no longer known (${why})` };
}

type Own = NonNullable<NonNullable<EvalCase['label']>['criteria']>[string];

/** What is wrong with one criterion's label, as the predicate of a sentence; null if it is fine. */
function problemOf(id: string, ownLabel: Own, { id: rubric, criteria }: Rubric): string | null {
  const criterion = criteria.find((one) => one.id === id);
  if (criterion === undefined)
    return `names "${id}", but the rubric "${rubric}" has no such criterion (it has ${criteria.map((one) => one.id).join(', ')})`;
  if (ownLabel === 'not-relevant')
    return criterion.mayNotApply ? null : `gives "${id}" "not-relevant", but it applies to every case`;
  const range = rangeOf(criterion.scale);
  if (range === null)
    return typeof ownLabel === 'number'
      ? `gives "${id}" the score ${ownLabel}, but it is pass or fail: write "pass" or "fail"`
      : null;
  const { min, max } = range;
  return typeof ownLabel === 'number' && ownLabel >= min && ownLabel <= max
    ? null
    : `gives "${id}" ${ownLabel}, but its scale is ${min} to ${max}`;
}

/** What is wrong with the labels of single criteria, each as the end of a sentence that begins with the case. */
export function criterionLabelProblems({ label }: Pick<EvalCase, 'label'>, rubric: Rubric): string[] {
  const labels = Object.entries(label?.criteria ?? {});
  const failed = labels.find(([, ownLabel]) => ownLabel === 'fail')?.[0];
  return [
    ...labels.flatMap(([id, ownLabel]) => {
      const problem = problemOf(id, ownLabel, rubric);
      return problem === null ? [] : [`label.criteria ${problem}`];
    }),
    ...(label?.decision === 'pass' && failed !== undefined
      ? [`the label contradicts itself: "pass", but "${failed}" fails`]
      : []),
  ];
}

const rightValue = (right: Right | null) => {
  if (right === null) return null;
  return right.kind === 'decision' ? right.decision : right.score;
};
const settledValue = (settled: Settled | null) => rightValue(settled?.settled ? settled.right : null);
const settledJson = (settled: Settled) => ({
  label: settledValue(settled),
  open: settled.settled ? null : settled.why,
});

/** A label as JSON, without voters. */
export function labelJson({ voted: { record }, label }: LabeledVerdict) {
  const { verdict } = record;
  const { majority, modelled, passProbability, adjudication, tally, said, errorType } = label;
  return {
    verdict: record.id,
    case: verdict.caseId,
    rubric: verdict.rubric,
    method: verdict.method,
    judged: label.judged,
    tally,
    votes: said.length,
    majority: settledJson(majority),
    dawidSkene: modelled === null ? null : { ...settledJson(modelled), passProbability },
    ruling:
      adjudication === null
        ? null
        : {
            label: rightText(adjudication.right),
            role: adjudication.role,
            comment: adjudication.comment ?? null,
          },
    ...settledJson(label.label),
    basis: basisOf(label),
    errorType,
  };
}

const basisOf = ({ label }: Pick<VerdictLabel, 'label'>) => (label.settled ? label.basis : null);

const line = (values: readonly CsvValue[]): string => csvText([values]).replace(/\r\n$/, '');

/** Why the voters were offered a verdict, most frequent first: `card 2, own 1`. */
const offeredText = ({ votes }: LabeledVerdict['voted']): string =>
  [...frequencies(votes.map((vote) => offeredOf(vote).why))].map(([why, n]) => `${why} ${n}`).join(', ');

const columns: readonly (readonly [string, (one: LabeledVerdict) => CsvValue])[] = [
  ['verdict_id', ({ voted }) => voted.record.id],
  ['case_id', ({ voted }) => voted.record.verdict.caseId],
  ['judged_at', ({ voted }) => new Date(voted.record.at).toISOString()],
  ['rubric', ({ voted }) => voted.record.verdict.rubric],
  ['method', ({ voted }) => voted.record.verdict.method],
  ['models', ({ voted }) => panelModels(voted.record.verdict).replaceAll(',', ' ')],
  ['judged_decision', ({ label }) => label.judged.decision],
  ['judged_score', ({ label }) => label.judged.score],
  ['agree', ({ label }) => label.tally.agree],
  ['disagree', ({ label }) => label.tally.disagree],
  ['unsure', ({ label }) => label.tally.unsure],
  ['votes_on_right', ({ label }) => label.said.length],
  ['majority', ({ label: { majority } }) => settledValue(majority)],
  ['pass_probability', ({ label }) => label.passProbability],
  ['dawid_skene', ({ label: { modelled } }) => settledValue(modelled)],
  ['ruling', ({ label: { adjudication } }) => rightValue(adjudication?.right ?? null)],
  ['ruled_by', ({ label: { adjudication } }) => adjudication?.role ?? ''],
  ['label', ({ label: { label } }) => settledValue(label)],
  ['basis', ({ label }) => basisOf(label)],
  ['error_type', ({ label }) => label.errorType],
  ['user', ({ voted }) => lastRequest(voted.record.evalCase)],
  ['response', ({ voted }) => voted.record.evalCase.response],
  ['offered', ({ voted }) => offeredText(voted)],
];

/** One item of an export: a line, a line of the rulings file, or why a verdict is left out ("they …"). */
export type ExportItem = { kind: 'head' | 'line' | 'gold'; text: string } | { kind: 'left-out'; why: string };

/** Reads all labels, one at a time; each call starts over. */
type Labels = () => AsyncIterable<LabeledVerdict>;

const leftOut = (why: string): ExportItem => ({ kind: 'left-out', why });

/**
 * Labels as a dataset, one case per line.
 *
 * @param all include cases that have no label yet
 */
export async function* exportedCases(
  labels: Labels,
  { format, all }: { format: CaseFormat; all: boolean },
): AsyncGenerator<ExportItem> {
  const standing = await standingCases(labels());
  for await (const labeled of labels()) {
    const made = labeledCase(labeled, standing, { format, all });
    yield 'leftOut' in made ? leftOut(made.leftOut) : { kind: 'line', text: jsonLine(made.evalCase) };
  }
}

/** The conversation up to the answer: a single request as is, otherwise one line per turn. */
function promptOf({ conversation }: EvalCase): string {
  const [only, ...more] = conversation;
  if (only !== undefined && more.length === 0) return only.text;
  return conversation.map(({ role, text }) => `${role === 'user' ? 'User' : 'System'}: ${text}`).join('\n');
}

/** Settled preferences between two answers, one pair per line; repeated cases count once. */
export async function* exportedPreferences(labels: Labels, format: CaseFormat): AsyncGenerator<ExportItem> {
  const standing = await standingCases(labels());
  for await (const labeled of labels()) {
    const made = labeledCase(labeled, standing, { format, all: false });
    if ('leftOut' in made) yield leftOut(made.leftOut.replace(' (--all writes them too)', ''));
    else if (made.evalCase.alternative === undefined) yield leftOut('are about one answer');
    else if ((made.evalCase.label?.score ?? 0) === 0) yield leftOut('prefer neither answer');
    else {
      const { response, alternative, label } = made.evalCase;
      const [rejected, chosen] =
        (label?.score ?? 0) > 0 ? [response, alternative.response] : [alternative.response, response];
      yield { kind: 'line', text: jsonLine({ prompt: promptOf(made.evalCase), chosen, rejected }) };
    }
  }
}

/**
 * Labels as a table, one verdict per row.
 *
 * @param all include verdicts that have no label yet
 */
export async function* exportedTable(labels: Labels, all: boolean): AsyncGenerator<ExportItem> {
  yield { kind: 'head', text: line(columns.map(([name]) => name)) };
  for await (const labeled of labels())
    yield all || labeled.label.label.settled
      ? { kind: 'line', text: line(columns.map(([, cellOf]) => cellOf(labeled))) }
      : leftOut(OPEN);
}

/** Writes ids and pseudonyms verbatim: `csvText` would escape a leading "-", and the id would no longer match. */
const exactLine = (...cells: string[]): string =>
  cells.every((cell) => /^[\w-]+$/.test(cell)) ? cells.join(',') : line(cells);

/**
 * Votes in Crowd-Kit's format, one per row, with rulings as a separate table. Crowd-Kit's labels are classes, so scores
 * are left out.
 */
export async function* exportedVotes(labels: Labels): AsyncGenerator<ExportItem> {
  yield { kind: 'head', text: 'task,worker,label' };
  yield { kind: 'gold', text: 'task,label' };
  for await (const { voted, label } of labels()) {
    const { record, votes, adjudication } = voted;
    const rows = votes.flatMap((vote) => {
      const right = rightOf(vote, record.verdict);
      return right?.kind === 'decision' ? [exactLine(record.id, vote.voter, right.decision)] : [];
    });
    for (const text of rows) yield { kind: 'line', text };
    if (adjudication?.right.kind === 'decision')
      yield { kind: 'gold', text: exactLine(record.id, rightText(adjudication.right)) };
    if (rows.length === 0)
      yield leftOut(
        label.judged.decision === 'scored'
          ? 'give a score, which is not a class'
          : 'have no vote that says what is right',
      );
  }
}
