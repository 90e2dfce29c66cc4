import type { Field } from '../field.ts';
import { namesUnit } from './read-amount.ts';
import { wordOf } from './word-of.ts';

/** The words that name declared fields, as `wordOf` gives them. */
export interface DeclaredLabels {
  byWord: ReadonlyMap<string, Field>;
  /** Fields that share a word with others, told by the unit of the value. */
  byUnit: ReadonlyMap<string, readonly Field[]>;
  /** Objects of a case that consist of declared fields alone; in a text their names are headers. */
  groups: ReadonlySet<string>;
}

export const NONE_DECLARED: DeclaredLabels = { byWord: new Map(), byUnit: new Map(), groups: new Set() };

const OPEN = new Set(['recommendation', 'context']);

/** The words for a list of fields. Where two claim one word the first has it. */
export function declaredLabels(fields: readonly Field[]): DeclaredLabels {
  const byWord = new Map<string, Field>();
  const byUnit = new Map<string, Field[]>();
  for (const field of fields) {
    for (const label of [field.name, ...field.labels])
      if (!byWord.has(wordOf(label))) byWord.set(wordOf(label), field);
    for (const label of field.byUnit?.labels ?? [])
      byUnit.set(wordOf(label), [...(byUnit.get(wordOf(label)) ?? []), field]);
  }
  const groups = new Set(fields.flatMap(({ of }) => (of === undefined || OPEN.has(of) ? [] : [wordOf(of)])));
  return { byWord, byUnit, groups };
}

/** The field that a shared word means beside this value, or undefined. */
export const fieldByUnit = (word: string, value: unknown, { byUnit }: DeclaredLabels): Field | undefined =>
  typeof value === 'string' ? byUnit.get(word)?.find((field) => namesUnit(value, field)) : undefined;
