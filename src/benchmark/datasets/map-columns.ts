import { weekdays } from '../../case/case.ts';
import type { CaseFormat } from '../../case/case-format.ts';
import { pathOfField } from '../../case/field.ts';
import { type Meaning, meaningOf, wordOf } from '../../case/paste/labels.ts';
import { closestKey } from '../../case/paste/problems.ts';
import { JuryError } from '../../common/errors.ts';

/** The target of a column, or why it has none. */
export interface ColumnMapping {
  column: string;
  path: string | null;
  why: string;
}

/** Every path that a column may be mapped to. */
const targetsOf = (paths: readonly string[]): string[] => [
  ...paths,
  ...weekdays.map((day) => `recommendation.openingHours.${day}`),
];

/** Names of columns in labeled data; other names are matched like labels in pastes. */
const NAMES = new Map(
  Object.entries({
    label: 'label.decision',
    decision: 'label.decision',
    verdict: 'label.decision',
    expected: 'label.decision',
    gold: 'label.decision',
    'gold label': 'label.decision',
    'ground truth label': 'label.decision',
    correct: 'label.decision',
    'is correct': 'label.decision',
    'expected decision': 'label.decision',
    error: 'label.errorType',
    'error type': 'label.errorType',
    errortype: 'label.errorType',
    'error category': 'label.errorType',
    'failure type': 'label.errorType',
    erwartet: 'label.decision',
    urteil: 'label.decision',
    fehler: 'label.errorType',
    fehlerart: 'label.errorType',
    'human score': 'label.score',
    'expected score': 'label.score',
    'case id': 'id',
    context: 'documents',
    contexts: 'documents',
    passage: 'documents',
    'ground truth': 'groundTruth',
    reference: 'groundTruth',
    'reference answer': 'groundTruth',
    'user latitude': 'context.location.latitude',
    'user longitude': 'context.location.longitude',
    'user lat': 'context.location.latitude',
    'user lon': 'context.location.longitude',
    'user lng': 'context.location.longitude',
    'venue latitude': 'recommendation.location.latitude',
    'venue longitude': 'recommendation.location.longitude',
    'venue lat': 'recommendation.location.latitude',
    'venue lon': 'recommendation.location.longitude',
    'venue lng': 'recommendation.location.longitude',
  }),
);

const VENUE: Readonly<Record<string, string>> = {
  name: 'recommendation.name',
  cuisine: 'recommendation.cuisine',
  menu: 'recommendation.menu',
  cost: 'recommendation.cost',
  rating: 'recommendation.rating',
  hours: 'recommendation.openingHours',
  distance: 'recommendation.distanceKm',
  duration: 'recommendation.durationMin',
  address: 'recommendation.location',
};

const CONTEXT: Readonly<Record<string, string>> = {
  date: 'context.date',
  time: 'context.time',
  location: 'context.location',
  language: 'language',
  latency: 'latencyMs',
};

function pathOfMeaning(meaning: Meaning): string | null {
  switch (meaning.kind) {
    case 'role':
      return meaning.role === 'user' ? 'conversation' : 'response';
    case 'context':
      return typeof meaning.field === 'string'
        ? (CONTEXT[meaning.field] ?? null)
        : pathOfField(meaning.field);
    case 'venue':
      return typeof meaning.field === 'string' ? (VENUE[meaning.field] ?? null) : pathOfField(meaning.field);
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

/** What is right by one criterion; which criteria there are depends on the rubric. */
const CRITERION_LABEL = /^label\.criteria\.[^.]+$/;

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
  const day = weekdays.find((one) => one === word);
  if (day !== undefined) return { path: `recommendation.openingHours.${day}`, why: 'by its name' };
  if (CRITERION_LABEL.test(column)) return { path: column, why: 'its name is the path' };
  const last = targets.filter(
    (path) => path !== 'label.criteria' && squeezed(path.split('.').at(-1) ?? '') === squeezed(column),
  );
  const found = meaningOf(column, format);
  const path = found === null ? null : pathOfMeaning(found.meaning);
  if (path !== null) return { path, why: 'by its name' };
  const [only, ...others] = last;
  if (only !== undefined && others.length === 0) return { path: only, why: 'by its name' };
  return {
    path: null,
    why: last.length > 1 ? `it may be ${last.join(' or ')}` : 'no case field has this name',
  };
}

/** @throws JuryError `usage` for an unknown path or column */
function checkWanted(
  wanted: ReadonlyMap<string, string>,
  columns: readonly string[],
  targets: readonly string[],
): void {
  for (const [column, path] of wanted) {
    if (!columns.includes(column))
      throw new JuryError('usage', `There is no column "${column}". There is: ${columns.join(', ')}.`);
    if (path === '-' || targets.includes(path) || CRITERION_LABEL.test(path)) continue;
    const meant = closestKey(path, targets);
    throw new JuryError(
      'usage',
      `A case has no "${path}"${meant === null ? '.' : `; did you mean ${meant}?`} There is: ${targets.join(', ')}; "-" leaves a column out.`,
    );
  }
}

/**
 * Maps columns to paths: as requested, otherwise by their names. Of two columns with the same target the first is used.
 *
 * @param wanted paths by column, `-` for none
 * @param format what a case may look like
 * @throws JuryError `usage` for an unknown path or column
 */
export function mapColumns(
  columns: readonly string[],
  wanted: ReadonlyMap<string, string>,
  format: CaseFormat,
): ColumnMapping[] {
  const targets = targetsOf(format.paths);
  checkWanted(wanted, columns, targets);
  const taken = new Map<string, string>([...wanted].map(([column, path]) => [path, column]));
  return columns.map((column): ColumnMapping => {
    const requested = wanted.get(column);
    if (requested !== undefined)
      return requested === '-'
        ? { column, path: null, why: 'as requested' }
        : { column, path: requested, why: 'as requested' };
    const { path, why } = guess(column, targets, format);
    if (path === null) return { column, path, why };
    const other = taken.get(path);
    if (other !== undefined) return { column, path: null, why: `column "${other}" is ${path} already` };
    taken.set(path, column);
    return { column, path, why };
  });
}
