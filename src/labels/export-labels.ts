import type { CaseFormat } from '../case/case-format.ts';
import { type CsvValue, csvText } from '../common/csv.ts';
import { jsonLine, plainText } from '../common/text.ts';
import type { Settled, VerdictLabel } from './label.ts';
import { labeledCase, OPEN, standingCases } from './label-cases.ts';
import type { LabeledVerdict } from './labels.ts';
import { panelModels } from './verdict-record.ts';
import { type Right, rightOf, rightText } from './vote.ts';

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

const columns: readonly (readonly [string, (one: LabeledVerdict) => CsvValue])[] = [
  ['verdict_id', ({ voted }) => voted.record.id],
  ['case_id', ({ voted }) => plainText(voted.record.verdict.caseId)],
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
  ['ruled_by', ({ label: { adjudication } }) => plainText(adjudication?.role ?? '')],
  ['label', ({ label: { label } }) => settledValue(label)],
  ['basis', ({ label }) => basisOf(label)],
  ['error_type', ({ label }) => label.errorType],
  [
    'user',
    ({ voted }) =>
      plainText(voted.record.evalCase.conversation.findLast(({ role }) => role === 'user')?.text ?? ''),
  ],
  ['response', ({ voted }) => plainText(voted.record.evalCase.response)],
];

/** A part of an export: a line of it, a line of the file of rulings, or why a verdict is left out (“they …”). */
export type ExportItem = { kind: 'head' | 'line' | 'gold'; text: string } | { kind: 'left-out'; why: string };

/** Reads all labels, one at a time; each call begins anew. */
type Labels = () => AsyncIterable<LabeledVerdict>;

const leftOut = (why: string): ExportItem => ({ kind: 'left-out', why });

/** Labels as a dataset, one case a line. @param all with cases that have no label yet */
export async function* exportedCases(
  labels: Labels,
  { format, all }: { format: CaseFormat; all: boolean },
): AsyncGenerator<ExportItem> {
  const standing = await standingCases(labels());
  for await (const one of labels()) {
    const made = labeledCase(one, standing, { format, all });
    yield 'leftOut' in made ? leftOut(made.leftOut) : { kind: 'line', text: jsonLine(made.evalCase) };
  }
}

/** Labels as a table, one verdict a row. @param all with verdicts that have no label yet */
export async function* exportedTable(labels: Labels, all: boolean): AsyncGenerator<ExportItem> {
  yield { kind: 'head', text: line(columns.map(([name]) => name)) };
  for await (const one of labels())
    yield all || one.label.label.settled
      ? { kind: 'line', text: line(columns.map(([, cellOf]) => cellOf(one))) }
      : leftOut(OPEN);
}

/** Ids and pseudonyms are written as they are: escaping one that begins with "-" would change it. */
const exactLine = (...cells: string[]): string =>
  cells.every((cell) => /^[\w-]+$/.test(cell)) ? cells.join(',') : line(cells);

/** Votes as Crowd-Kit reads them, one a row, and rulings beside them. Its labels are classes, so scores are left out. */
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
