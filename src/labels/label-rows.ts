import { type CsvValue, csvText } from '../common/csv.ts';
import { plainText } from '../common/text.ts';
import type { Settled, VerdictLabel } from './label.ts';
import type { LabeledVerdict } from './labels.ts';
import { type Right, rightOf, rightText } from './vote.ts';

const settledJson = (settled: Settled) =>
  settled.settled
    ? { label: settled.right.kind === 'decision' ? settled.right.decision : settled.right.score, open: null }
    : { label: null, open: settled.why };

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

const written = (right: Right | null): CsvValue => {
  if (right === null) return null;
  return right.kind === 'decision' ? right.decision : right.score;
};

const columns: readonly (readonly [string, (one: LabeledVerdict) => CsvValue])[] = [
  ['verdict_id', ({ voted }) => voted.record.id],
  ['case_id', ({ voted }) => plainText(voted.record.verdict.caseId)],
  ['judged_at', ({ voted }) => new Date(voted.record.at).toISOString()],
  ['rubric', ({ voted }) => voted.record.verdict.rubric],
  ['method', ({ voted }) => voted.record.verdict.method],
  [
    'models',
    ({ voted }) =>
      [...new Set(voted.record.verdict.settings.panel.map(({ model }) => model))].sort().join(' '),
  ],
  ['judged_decision', ({ label }) => label.judged.decision],
  ['judged_score', ({ label }) => label.judged.score],
  ['agree', ({ label }) => label.tally.agree],
  ['disagree', ({ label }) => label.tally.disagree],
  ['unsure', ({ label }) => label.tally.unsure],
  ['votes_on_right', ({ label }) => label.said.length],
  ['majority', ({ label: { majority } }) => written(majority.settled ? majority.right : null)],
  ['pass_probability', ({ label }) => label.passProbability],
  ['dawid_skene', ({ label: { modelled } }) => written(modelled?.settled ? modelled.right : null)],
  ['ruling', ({ label: { adjudication } }) => written(adjudication?.right ?? null)],
  ['ruled_by', ({ label: { adjudication } }) => plainText(adjudication?.role ?? '')],
  ['label', ({ label: { label } }) => written(label.settled ? label.right : null)],
  ['basis', ({ label }) => basisOf(label)],
  ['error_type', ({ label }) => label.errorType],
  [
    'user',
    ({ voted }) =>
      plainText(voted.record.evalCase.conversation.findLast(({ role }) => role === 'user')?.text ?? ''),
  ],
  ['response', ({ voted }) => plainText(voted.record.evalCase.response)],
];

export const labelHead: string = line(columns.map(([name]) => name));

/** A verdict with its label as one CSV row, without control and invisible characters. */
export const labelRow = (one: LabeledVerdict): string => line(columns.map(([, cellOf]) => cellOf(one)));

/** Ids and pseudonyms are written as they are: escaping one that begins with "-" would change it. */
const exactLine = (cells: readonly string[]): string =>
  cells.every((cell) => /^[\w-]+$/.test(cell)) ? cells.join(',') : line(cells);

export const crowdHead = 'task,worker,label';
export const goldHead = 'task,label';

/** Votes in the format of Crowd-Kit; none for verdicts with a score, because its labels are classes. */
export const crowdRows = ({ voted: { record, votes } }: LabeledVerdict): string[] =>
  votes.flatMap((vote) => {
    const right = rightOf(vote, record.verdict);
    return right?.kind === 'decision' ? [exactLine([record.id, vote.voter, right.decision])] : [];
  });

/** Rulings in Crowd-Kit's format of ground truth. */
export const goldRows = ({ voted: { record, adjudication } }: LabeledVerdict): string[] =>
  adjudication?.right.kind === 'decision' ? [exactLine([record.id, rightText(adjudication.right)])] : [];
