import { type CaseFormat, pathOfField } from '../case/format/index.ts';
import { weekdays } from '../case/index.ts';
import { answerKeys, keyMeaning, type Meaning, meaningOf, wordOf } from '../case/paste/index.ts';
import { JuryError } from '../common/index.ts';
import { nearestTo, noSuch } from '../common/text/index.ts';
import columnNames from './column-names.json' with { type: 'json' };
import { isAnnotatorColumn } from './read-table.ts';

/** Where a column is mapped to, or why it isn't. */
export interface ColumnMapping {
  column: string;
  path: string | null;
  why: string;
}

/** Where a single value goes if it is mapped to a whole object; undefined if the path takes a value. */
export const partOf = ({ column, path }: Mapped, { paths }: CaseFormat): string | undefined =>
  path === 'tags' ? `tags.${column}` : paths.find((one) => one.startsWith(`${path}.`));

const isCriterion = (path: string): boolean => path.startsWith('label.criteria.');

/** Whether a path is a label that holds one answer. */
export const isAnswer = (path: string | null): path is string =>
  path !== null && (path === 'label.decision' || path === 'label.score' || isCriterion(path));

/** A column that is mapped to a path. */
export interface Mapped {
  column: string;
  path: string;
}

export const isScored = ({ path }: Mapped): boolean => path === 'label.score' || isCriterion(path);

/** Path for the column with the annotator's name. */
export const ANNOTATOR = 'annotator';

/** All paths that a column may be mapped to. */
const targetsOf = (paths: readonly string[]): string[] => [
  ...paths,
  'alternative.response',
  ANNOTATOR,
  ...weekdays.map((day) => `recommendation.openingHours.${day}`),
];

/** Paths by column name in labeled data; other names are read like labels in pasted text. */
const NAMES = new Map(
  Object.entries(columnNames.paths).flatMap(([path, names]) => names.map((name) => [name, path] as const)),
);

/** Columns that hold labels or, if their values are not label words, the expected answer. */
const EXPECTED: readonly string[] = columnNames.expected;

const VENUE = new Map(Object.entries(columnNames.venue));
const CONTEXT = new Map(Object.entries(columnNames.context));

function pathOfMeaning(meaning: Meaning): string | null {
  switch (meaning.kind) {
    case 'role':
      return meaning.role === 'user' ? 'conversation' : 'response';
    case 'context':
      return typeof meaning.field === 'string'
        ? (CONTEXT.get(meaning.field) ?? null)
        : pathOfField(meaning.field);
    case 'venue':
      return typeof meaning.field === 'string'
        ? (VENUE.get(meaning.field) ?? null)
        : pathOfField(meaning.field);
    case 'venue-or-name':
      return 'recommendation.name';
    case 'document':
      return 'documents';
    case 'field':
      return meaning.field;
    case 'place':
    case 'section':
    case 'metadata':
      return null;
  }
}

const lower = (cell: unknown): string =>
  String(cell ?? '')
    .trim()
    .toLowerCase();

const { pass, fail, unsure, notRelevant, yes, no } = columnNames.values;

/** The values that are given a meaning, in any column, normalized for comparison: `ok` and `nok` for `OK=pass,Verdict:NOK=fail`. */
export const wordsMeant = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',')).map((text) => lower(/([^:]*)=[^=]*$/.exec(text)?.[1]));

/** Whether a cell may be a label: a number, a common label word, or a word that was given a meaning. */
export function mayBeLabel(cell: unknown, meant: readonly string[]): boolean {
  const word = lower(cell);
  const isWord = [pass, fail, unsure, notRelevant, yes, no, meant].some((words) => words.includes(word));
  return isWord || (word !== '' && Number.isFinite(Number(word)));
}

/** Tags, and labels of single criteria: any name is allowed, because criteria depend on the rubric. */
const OPEN_PATH = /^(?:tags|label\.criteria)\.[^.]+$/;

const squeezed = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Infers the path of a column from its name. */
function guess(
  column: string,
  targets: readonly string[],
  format: CaseFormat,
): { path: string | null; why: string } {
  const word = wordOf(column, format.words);
  const named = NAMES.get(word);
  if (named !== undefined) return { path: named, why: 'by its name' };
  const exact = targets.find((path) => squeezed(path) === squeezed(column));
  if (exact !== undefined) return { path: exact, why: 'its name is the path' };
  if (isAnnotatorColumn(column)) return { path: ANNOTATOR, why: 'it says who answered' };
  if (OPEN_PATH.test(column)) return { path: column, why: 'its name is the path' };
  const day = weekdays.find((one) => one === word);
  const labelMeaning = meaningOf(column, format);
  const meant =
    day === undefined
      ? labelMeaning && pathOfMeaning(labelMeaning.meaning)
      : `recommendation.openingHours.${day}`;
  const endings = targets.filter(
    (path) => path !== 'label.criteria' && squeezed(path.split('.').at(-1) ?? '') === squeezed(column),
  );
  // Names such as "Score" and "Title" are too vague in a table, just as in an object.
  const isVague =
    day === undefined && meant?.startsWith('recommendation.') && keyMeaning(column, format) === null;
  if (meant !== null && isVague)
    return { path: null, why: `it may be ${[...new Set([...endings, meant])].join(' or ')}` };
  if (meant !== null) return { path: meant, why: 'by its name' };
  const [only, ...others] = endings;
  if (only === undefined) return { path: null, why: 'no case field has this name' };
  return others.length === 0
    ? { path: only, why: 'by its name' }
    : { path: null, why: `it may be ${endings.join(' or ')}` };
}

/** @throws JuryError `usage` for an unknown path or column */
function checkWanted(
  wanted: ReadonlyMap<string, string>,
  columns: readonly string[],
  targets: readonly string[],
  format: CaseFormat,
): void {
  const whole = targets.filter((path) => !path.includes('.'));
  for (const [column, path] of wanted) {
    if (!columns.includes(column)) throw noSuch('column', column, columns);
    if (path === '-' || targets.includes(path) || OPEN_PATH.test(path)) continue;
    const meant = guess(path, targets, format).path ?? nearestTo(path, targets);
    throw new JuryError(
      'usage',
      `--map ${column}=${path}: A case has no field "${path}".${meant === null ? ` There are: ${whole.join(', ')}, and parts of some of these, such as context.date or recommendation.rating.` : ` Did you mean ${meant}?`} "-" leaves a column out.`,
    );
  }
}

/**
 * Maps columns to paths, as requested or by name. If two columns have the same target, the first is used; a column with an ambiguous name
 * ("Name", "Expected") is used only if no other has the target.
 * @param wanted paths by column, `-` to skip a column
 * @param format the fields of a case
 * @param holdsLabels whether a column's cells may be labels
 * @throws JuryError `usage` for an unknown path or column
 */
export function mapColumns(
  columns: readonly string[],
  wanted: ReadonlyMap<string, string>,
  format: CaseFormat,
  holdsLabels: (column: string) => boolean = () => true,
): ColumnMapping[] {
  const targets = targetsOf(format.paths);
  checkWanted(wanted, columns, targets, format);
  const answers = answerKeys(
    columns.filter((column) => !wanted.has(column)),
    format,
  );
  // Crowd-Kit calls a case a task.
  const task = columns.some(isAnnotatorColumn) ? 'task' : null;
  const taken = new Map<string, string>([...wanted].map(([column, path]) => [path, column]));
  const isName = (column: string) => wordOf(column, format.words) === 'name';
  const expected = columns.filter((column) => EXPECTED.includes(wordOf(column, format.words)));
  const truths = new Set(expected.filter((column) => !holdsLabels(column)));
  const guessed = (column: string) =>
    truths.has(column) ? { path: 'groundTruth', why: 'by its name' } : guess(column, targets, format);
  const mapped = (column: string): ColumnMapping => {
    const requested = wanted.get(column);
    if (requested !== undefined)
      return { column, path: requested === '-' ? null : requested, why: 'as requested' };
    const { path, why } = answers?.includes(column)
      ? { path: column === answers[0] ? 'response' : 'alternative.response', why: 'one of two answers' }
      : column.toLowerCase() === task
        ? { path: 'id', why: 'it says which case' }
        : guessed(column);
    if (path === null) return { column, path, why };
    const other = taken.get(path);
    if (other !== undefined) return { column, path: null, why: `column "${other}" is ${path} already` };
    taken.set(path, column);
    return { column, path, why };
  };
  const isSure = (column: string) => !isName(column) && !truths.has(column);
  const inTurn = [...columns.filter(isSure), ...columns.filter((column) => !isSure(column))];
  const mappings = new Map(inTurn.map((column) => [column, mapped(column)]));
  const mapping = columns.flatMap((column) => mappings.get(column) ?? []);
  const ofVenue = mapping.filter(({ path }) => path?.startsWith('recommendation.'));
  const isTest = ({ column, path }: ColumnMapping) =>
    path === 'recommendation.name' && ofVenue.length === 1 && !wanted.has(column) && isName(column);
  return mapping.map((one) =>
    isTest(one)
      ? { ...one, path: null, why: 'no other column is about a venue, so it may name the test' }
      : one,
  );
}
