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
type Column = (typeof annotationColumns)[number];

const TRUE = ['yes', 'y', 'true', '1', 'correct', 'pass'];
const FALSE = ['no', 'n', 'false', '0', 'incorrect', 'fail'];

/** The apostrophe that an export puts before text that spreadsheets would take for a formula. */
const NEUTRALIZED = /^'(?=\s*[=+\-@＝＋－＠])/u;

const plain = (cell: unknown): string => String(cell).replace(NEUTRALIZED, '').trim();

function textIn(cells: Cells, column: Column): string {
  const cell = cells.get(column);
  return cell === undefined || cell === null ? '' : plain(cell);
}

/** What a cell says; undefined if it is empty. @throws JuryError `bad-input` if it cannot be read */
function valueIn<T>(
  cells: Cells,
  column: Column,
  read: (text: string) => T | undefined,
  what: string,
): T | undefined {
  const text = textIn(cells, column);
  const value = text === '' ? undefined : read(text);
  if (text === '' || value !== undefined) return value;
  throw new JuryError('bad-input', `${column} is "${text.slice(0, 40)}": must be ${what}`);
}

const ratingOf = (text: string): number | undefined =>
  /^[1-5](\.0+)?$/.test(text) ? Number(text) : undefined;

function yesOrNo(text: string): boolean | undefined {
  const word = text.toLowerCase();
  return TRUE.includes(word) ? true : FALSE.includes(word) ? false : undefined;
}

const timeOf = (text: string): number | undefined => {
  const at = Date.parse(text);
  return Number.isFinite(at) ? at : undefined;
};

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

/**
 * Reads a row of an import.
 *
 * @param now for rows without a time
 * @throws JuryError `bad-input` if a cell cannot be read
 */
export const readAnnotation = (cells: Cells, study: Study, idOf: IdOf, now: number) => ({
  annotator: annotatorIn(cells, study, idOf),
  index: caseIn(cells, study),
  answers: {
    user: valueIn(cells, 'user_validity', ratingOf, 'a number from 1 to 5'),
    system: valueIn(cells, 'system_validity', ratingOf, 'a number from 1 to 5'),
    correct: valueIn(cells, 'correct', yesOrNo, 'yes or no'),
    errors: errorsIn(cells, study),
    comment: textIn(cells, 'comment'),
  } satisfies Answers,
  at: valueIn(cells, 'at', timeOf, 'a time such as 2026-11-21T09:00:00Z') ?? now,
});
