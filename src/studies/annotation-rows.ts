import type { CsvValue } from '../common/csv.ts';
import { JuryError } from '../common/errors.ts';
import type { Annotation, Answers } from './annotation.ts';
import { categoryOf, type Study } from './study.ts';

/** The columns of exports and imports. */
export const annotationColumns = [
  'study',
  'annotator',
  'case',
  'label',
  'user_validity',
  'system_validity',
  'correct',
  'error_types',
  'comment',
  'at',
] as const;

/** An annotation as one row of an export. */
export function annotationRow(study: Study, { annotator, case: index, answers, at }: Annotation) {
  const shown = study.cases[index];
  return {
    study: study.id,
    annotator,
    case: shown?.id ?? '',
    label: categoryOf(shown?.evalCase ?? {}),
    user_validity: answers.user ?? null,
    system_validity: answers.system ?? null,
    correct: answers.correct ?? null,
    error_types: answers.errors ?? [],
    comment: answers.comment ?? null,
    at: new Date(at).toISOString(),
  };
}

export const annotationCells = (row: ReturnType<typeof annotationRow>): CsvValue[] =>
  annotationColumns.map((column) => {
    const value = row[column];
    if (Array.isArray(value)) return value.join(';');
    return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
  });

type Cells = ReadonlyMap<string, unknown>;

const TRUE = new Set(['yes', 'y', 'true', '1', 'correct', 'pass']);
const FALSE = new Set(['no', 'n', 'false', '0', 'incorrect', 'fail']);

/** The apostrophe that an export puts before text that spreadsheets would take for a formula. */
const NEUTRALIZED = /^'(?=\s*[=+\-@＝＋－＠])/u;

const plain = (cell: unknown): string => String(cell).replace(NEUTRALIZED, '').trim();

function textIn(cells: Cells, column: (typeof annotationColumns)[number]): string {
  const cell = cells.get(column);
  return cell === undefined || cell === null ? '' : plain(cell);
}

function numberIn(cells: Cells, column: 'user_validity' | 'system_validity'): number | undefined {
  const text = textIn(cells, column);
  if (text === '') return undefined;
  if (/^[1-5](\.0+)?$/.test(text)) return Number(text);
  throw new JuryError('bad-input', `${column} is "${text.slice(0, 40)}": must be a number from 1 to 5`);
}

function correctIn(cells: Cells): boolean | undefined {
  const word = textIn(cells, 'correct').toLowerCase();
  if (word === '') return undefined;
  if (TRUE.has(word) || FALSE.has(word)) return TRUE.has(word);
  throw new JuryError('bad-input', `correct is "${word.slice(0, 40)}": must be yes or no`);
}

/** Ids of error types, matched by id or title. Unknown words stay, so that they are reported. */
function errorsIn(cells: Cells, { errorTypes }: Study): string[] {
  const cell = cells.get('error_types');
  const words = Array.isArray(cell) ? cell.map(plain) : textIn(cells, 'error_types').split(/\s*[;,|+]\s*/);
  const bare = (word: string) => word.toLowerCase().replace(/[ _-]+error$/, '');
  return words
    .filter((word) => word !== '')
    .map((word) => {
      const exact = errorTypes.find(({ id }) => id === word);
      const alike = errorTypes.find(({ id, title }) => [id, title].some((one) => bare(one) === bare(word)));
      return (exact ?? alike)?.id ?? word;
    });
}

/** @throws JuryError `bad-input` */
function answersIn(cells: Cells, study: Study): Answers {
  const user = numberIn(cells, 'user_validity');
  const system = numberIn(cells, 'system_validity');
  const correct = correctIn(cells);
  const comment = textIn(cells, 'comment');
  const errors = errorsIn(cells, study);
  return {
    ...(user === undefined ? {} : { user }),
    ...(system === undefined ? {} : { system }),
    ...(correct === undefined ? {} : { correct }),
    ...(errors.length === 0 ? {} : { errors }),
    ...(comment === '' ? {} : { comment }),
  };
}

/** The pseudonym of a person as commands take them. @throws if the text is not a person */
type IdOf = (text: string) => string;

/** Accepts a pseudonym, as exported, or a person. */
function annotatorIn(cells: Cells, study: Study, idOf: IdOf): string {
  const text = textIn(cells, 'annotator');
  const isAsked = (id: string) => study.annotators.some((annotator) => annotator.id === id);
  if (isAsked(text)) return text;
  const ids = [text, `name:${text}`].flatMap((one) => {
    try {
      return [idOf(one)];
    } catch {
      return [];
    }
  });
  const found = ids.find(isAsked);
  if (found !== undefined) return found;
  throw new JuryError(
    'bad-input',
    `annotator "${text.slice(0, 60)}" is not an annotator of study ${study.id}`,
  );
}

function caseIn(cells: Cells, study: Study): number {
  const id = textIn(cells, 'case');
  const index = study.cases.findIndex((one) => one.id === id);
  if (index >= 0) return index;
  throw new JuryError('bad-input', `case "${id.slice(0, 60)}" is not part of study ${study.id}`);
}

function timeIn(cells: Cells, now: number): number {
  const text = textIn(cells, 'at');
  if (text === '') return now;
  const at = Date.parse(text);
  if (Number.isFinite(at)) return at;
  throw new JuryError(
    'bad-input',
    `at is "${text.slice(0, 40)}": must be a time such as 2026-11-21T09:00:00Z`,
  );
}

/**
 * Reads a row of an import.
 *
 * @param now for rows without a time
 * @throws JuryError `bad-input` if a cell cannot be read

 */
export const readAnnotation = (cells: Cells, study: Study, idOf: IdOf, now: number) => ({
  annotator: annotatorIn(cells, study, idOf),
  index: caseIn(cells, study),
  answers: answersIn(cells, study),
  at: timeIn(cells, now),
});
