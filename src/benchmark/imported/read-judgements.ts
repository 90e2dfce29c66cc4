import type { EvalCase } from '../../case/index.ts';
import { plainLine, shortened } from '../../common/text/index.ts';
import { readValueMap, type Table } from '../../datasets/index.ts';
import type { Rubric } from '../../judging/standards/index.ts';
import { answerOfRow, type ImportedAnswer, scaleOf } from './answers.ts';
import {
  type ImportedRow,
  numberIn,
  type RowProblem,
  readRows,
  requireMapped,
  requireNone,
} from './imported-table.ts';

const JUDGEMENT_KEYS = [
  ...([
    'case',
    'judge',
    'decision',
    'score',
    'criterion',
    'confidence',
    'reason',
    'repeat',
    'model',
  ] as const),
  ...(['promptTokens', 'completionTokens', 'costUsd', 'latencyMs'] as const),
] as const;
type JudgementKey = (typeof JUDGEMENT_KEYS)[number];

const LABEL_KEYS = ['case', 'annotator', 'decision', 'score', 'criterion'] as const;

/** A case that rows can name, with the rubric that it is judged by. */
export interface NamedCase {
  place: number;
  evalCase: EvalCase;
  rubric: Rubric;
}

/** One judge's answer about a case, or about one of its criteria. */
export interface JudgementRow {
  place: number;
  judge: string;
  repeat: number;
  /** Null: about the whole case. */
  criterion: string | null;
  answer: ImportedAnswer;
  confidence: number | null;
  reason: string | null;
  model: string | null;
  promptTokens: number | null;
  completionTokens: number | null;
  costUsd: number | null;
  latencyMs: number | null;
}

/** One person's answer about a case, or about one of its criteria. */
export interface LabelRow {
  place: number;
  /** Null: the file does not say. */
  annotator: string | null;
  criterion: string | null;
  answer: ImportedAnswer;
}

export interface ReadOptions {
  file: string;
  cases: ReadonlyMap<string, NamedCase>;
  /** Keys by column. */
  map: ReadonlyMap<string, string>;
  /** What values mean, as `readValueMap` reads them. */
  values: readonly string[];
}

/** What a row is about; or what is wrong. */
function subjectOf(
  row: ImportedRow<'case' | 'criterion'>,
  cases: ReadOptions['cases'],
): { one: NamedCase; criterion: Rubric['criteria'][number] | null } | string {
  const id = row.textOf('case');
  if (id === '') return `column "${row.columnOf('case')}" is empty: name the case`;
  const one = cases.get(id);
  if (one === undefined)
    return `column "${row.columnOf('case')}": no case has the id "${shortened(plainLine(id), 60)}"`;
  const wanted = row.textOf('criterion');
  if (wanted === '') return { one, criterion: null };
  const criterion = one.rubric.criteria.find((each) => each.id === wanted);
  return criterion === undefined
    ? `column "${row.columnOf('criterion')}": rubric ${one.rubric.id} has no criterion "${shortened(plainLine(wanted), 40)}"; it has ${one.rubric.criteria.map((each) => each.id).join(', ')}`
    : { one, criterion };
}

/** Rows that say the same thing twice. */
function createDoubles(what: string) {
  const firsts = new Map<string, string>();
  return (where: string, key: readonly unknown[]): string | null => {
    const text = JSON.stringify(key);
    const first = firsts.get(text);
    if (first !== undefined) return `the same ${what} as ${first}: leave one of them out`;
    firsts.set(text, where);
    return null;
  };
}

/** Adds a problem if there is nothing to read. */
function requireRows(rows: readonly unknown[], problems: RowProblem[]): void {
  if (rows.length === 0 && problems.length === 0)
    problems.push({ where: 'Row 1', reason: 'the file has no rows' });
}

/** The readable numbers of a row, and what is wrong with the others. */
function numbersOf(row: ImportedRow<JudgementKey>) {
  const problems: string[] = [];
  const read = (key: JudgementKey, what: string, fits: (value: number) => boolean): number | null => {
    const text = row.textOf(key);
    const value = numberIn(text);
    if (text === '') return null;
    if (value !== null && fits(value)) return value;
    problems.push(`column "${row.columnOf(key)}": "${shortened(text, 40)}" must be ${what}`);
    return null;
  };
  const whole = (value: number) => Number.isInteger(value) && value >= 0;
  const numbers = {
    repeat: read(
      'repeat',
      'a whole number from 1 to 1000',
      (value) => whole(value) && value >= 1 && value <= 1000,
    ),
    confidence: read('confidence', 'a number from 0 to 1', (value) => value >= 0 && value <= 1),
    promptTokens: read('promptTokens', 'a whole number', whole),
    completionTokens: read('completionTokens', 'a whole number', whole),
    costUsd: read('costUsd', 'a number of US dollars', (value) => value >= 0),
    latencyMs: read('latencyMs', 'a number of milliseconds', (value) => value >= 0),
  };
  return { numbers, problems };
}

/**
 * Reads what judges said.
 * @throws JuryError `usage` for wrong options; `bad-input` that names every row and column that is wrong
 */
export function readJudgements(
  table: Table,
  { file, cases, map, values }: ReadOptions,
): { judgements: JudgementRow[]; unread: string[] } {
  const { rows, problems, unread, columns } = readRows(file, table, {
    keys: JUDGEMENT_KEYS,
    required: ['case', 'judge'],
    map,
  });
  const answers = columns.filter(
    (one) => rows[0]?.columnOf('decision') === one || rows[0]?.columnOf('score') === one,
  );
  const meanings = readValueMap(values, columns, { columns: answers, path: 'decision' });
  const isDouble = createDoubles('case, judge, repeat and criterion');
  const judgements = rows.flatMap((row): JudgementRow[] => {
    const { numbers, problems: wrong } = numbersOf(row);
    const reject = (reason: string): [] => {
      problems.push({ where: row.where, reason });
      return [];
    };
    for (const reason of wrong) reject(reason);
    const judge = row.textOf('judge');
    if (judge === '') return reject(`column "${row.columnOf('judge')}" is empty: name the judge`);
    const subject = subjectOf(row, cases);
    if (typeof subject === 'string') return reject(subject);
    const { one, criterion } = subject;
    const answer = answerOfRow(row, meanings, scaleOf(one.rubric, one.evalCase, criterion), one.rubric.id);
    if (typeof answer === 'string') return reject(answer);
    const { repeat, ...rest } = numbers;
    const key = [one.place, judge, repeat ?? 1, criterion?.id ?? null];
    const double = isDouble(row.where, key);
    if (double !== null) return reject(double);
    return [
      {
        ...rest,
        place: one.place,
        judge,
        repeat: repeat ?? 1,
        criterion: criterion?.id ?? null,
        answer,
        reason: row.textOf('reason') || null,
        model: row.textOf('model') || null,
      },
    ];
  });
  requireRows(rows, problems);
  requireNone(file, problems);
  return { judgements, unread };
}

/** Reads what people said, as {@link readJudgements}. */
export function readLabels(
  table: Table,
  { file, cases, map, values }: ReadOptions,
): { labels: LabelRow[]; unread: string[] } {
  const { rows, problems, unread, columns } = readRows(file, table, {
    keys: LABEL_KEYS,
    required: ['case'],
    map,
  });
  const answers = columns.filter(
    (one) => rows[0]?.columnOf('decision') === one || rows[0]?.columnOf('score') === one,
  );
  const meanings = readValueMap(values, columns, { columns: answers, path: 'decision' });
  const isDouble = createDoubles('case, annotator and criterion');
  const labels = rows.flatMap((row): LabelRow[] => {
    const reject = (reason: string): [] => {
      problems.push({ where: row.where, reason });
      return [];
    };
    const subject = subjectOf(row, cases);
    if (typeof subject === 'string') return reject(subject);
    const { one, criterion } = subject;
    const answer = answerOfRow(row, meanings, scaleOf(one.rubric, one.evalCase, criterion), one.rubric.id);
    if (typeof answer === 'string') return reject(answer);
    const annotator = row.textOf('annotator') || null;
    const double =
      annotator === null ? null : isDouble(row.where, [one.place, annotator, criterion?.id ?? null]);
    if (double !== null) return reject(double);
    return [{ place: one.place, annotator, criterion: criterion?.id ?? null, answer }];
  });
  requireRows(rows, problems);
  requireNone(file, problems);
  return { labels, unread };
}

/** @throws JuryError `usage` if --map names a column or key that neither table has */
export function requireMap(map: ReadonlyMap<string, string>, tables: readonly Table[]): void {
  requireMapped(
    map,
    [...new Set<string>([...JUDGEMENT_KEYS, ...LABEL_KEYS])],
    tables.flatMap((table) => [...table.columns]),
  );
}
