import type { EvalCase } from '../../case/case.ts';
import { groupedBy } from '../../common/collections.ts';
import {
  type Alpha,
  type Answer,
  alphaOf,
  labelsFrom,
  type PartAnswer,
  settleParts,
} from '../../labels/answers.ts';
import { readCell } from './read-cell.ts';
import { ANNOTATOR, answersIn, type Cells, caseOf, type Mapped, type Reader } from './read-row.ts';

/** How far people agree, label by label, and what is settled. */
export interface AnswersReport {
  annotators: number;
  labels: {
    path: string;
    answers: number;
    cases: number;
    counts: Record<string, number>;
    alpha: Alpha;
    settled: number;
  }[];
  /** Cases that got no label. */
  open: number;
}

const textIn = (cells: Cells, { mapping }: Reader, path: string): string => {
  const column = mapping.find((one) => one.path === path)?.column;
  return String((column === undefined ? null : cells.get(column)) ?? '').trim();
};

/** Cases by what rows call them, and what people say of them. */
export interface Gathered {
  cases: Map<string, { case: EvalCase } | { reason: string }>;
  /** By path, case and person: who answers again has changed their mind. */
  answers: Map<string, PartAnswer>;
  errors: Answer[];
}

/** What identifies the case of a row: its id, or its own words. */
function keyOf(cells: Cells, reader: Reader): string {
  const id = textIn(cells, reader, 'id');
  if (id !== '') return id;
  const isOwn = ({ path }: Mapped) => path !== ANNOTATOR && !path.startsWith('label.');
  return JSON.stringify(reader.mapping.filter(isOwn).map(({ column }) => cells.get(column)));
}

/** Takes a row's case and answers. @returns what is wrong with it, or null */
export function gather(
  cells: Cells,
  reader: Reader,
  into: Gathered,
  place: number,
  note: (note: string) => void,
): string | null {
  const { options } = reader;
  const item = keyOf(cells, reader);
  const said = answersIn(cells, reader);
  if (typeof said === 'string') return said;
  const known = options.cases?.get(item);
  const found =
    into.cases.get(item) ??
    (options.cases === undefined
      ? caseOf(
          cells,
          { ...reader, mapping: reader.mapping.filter(({ path }) => path !== 'label.errorType') },
          new Map(),
          note,
        )
      : known === undefined
        ? { reason: 'names no case of --cases' }
        : { case: known });
  into.cases.set(item, found);
  if ('reason' in found) return found.reason;
  const voter = textIn(cells, reader, ANNOTATOR) || null;
  for (const [path, one] of said)
    into.answers.set(JSON.stringify([path, item, voter ?? place]), {
      part: path.slice('label.'.length),
      item,
      voter,
      said: one,
    });
  const error = readCell('label.errorType', textIn(cells, reader, 'label.errorType'), {
    format: options.format,
    speakers: new Map(),
    note,
  });
  if (
    'value' in error &&
    typeof error.value === 'string' &&
    error.value !== '' &&
    said.get('label.decision') !== 'pass'
  )
    into.errors.push({ item, voter, said: error.value });
  return null;
}

/** Cases with what is settled about them. */
export function labeledCases({ cases, answers, errors }: Gathered, { options }: Reader) {
  const { by = 'majority', rule = { minVotes: 1, posterior: 0.8 }, all = false } = options;
  const settled = settleParts(answers.values(), by, rule);
  const labels = labelsFrom(settled, errors);
  const made = [...cases].flatMap(([item, one]): EvalCase[] => {
    if ('reason' in one) return [];
    const { label: _label, ...evalCase } = one.case;
    const label = labels.get(item);
    if (label !== undefined) return [{ ...evalCase, label }];
    return all ? [evalCase] : [];
  });
  const reports = [...groupedBy(answers.values(), ({ part }) => part)].map(([part, same]) => {
    const units = [...groupedBy(same, ({ item }) => item).values()].map((own) => own.map(({ said }) => said));
    const counts = [...groupedBy(same, ({ said }) => String(said))];
    return {
      path: `label.${part}`,
      answers: same.length,
      cases: units.length,
      counts: Object.fromEntries(counts.map(([said, { length }]) => [said, length])),
      alpha: alphaOf(units),
      settled: settled.get(part)?.size ?? 0,
    };
  });
  const voters = new Set([...answers.values()].flatMap(({ voter }) => voter ?? []));
  const open = [...cases].filter(([item, one]) => 'case' in one && !labels.has(item)).length;
  return { made, report: { annotators: voters.size, labels: reports, open } };
}
