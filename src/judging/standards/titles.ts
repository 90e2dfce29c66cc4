import * as z from 'zod';
import type { Language } from '../../words/index.ts';

const line = z.string().trim().min(1);

/** Titles in other languages than English. Judges never read them, so no prompt depends on them. */
export const Titles = z
  .strictObject({ de: line.describe('In German.') })
  .optional()
  .describe('Its name for people, in other languages, such as `{de: Ort}`. Judges never read it.');

interface Titled {
  title: string;
  titles?: z.infer<typeof Titles>;
}

/** The title in a language; the one in English where there is no other. */
export const titleIn = ({ title, titles }: Titled, language: Language): string =>
  language === 'en' ? title : (titles?.[language] ?? title);

/** The same with its title in a language, for people to read. */
export const titledIn = <T extends Titled>(one: T, language: Language): T => ({
  ...one,
  title: titleIn(one, language),
});

/** A rubric with all its titles in a language, for people to read: what judges read is in English. */
export const rubricIn = <T extends Titled & { criteria: readonly Titled[] }>(
  rubric: T,
  language: Language,
): T => ({
  ...titledIn(rubric, language),
  criteria: rubric.criteria.map((criterion) => titledIn(criterion, language)),
});

/** Without what people alone read. Hashes of what judges depend on are made of this. */
export const withoutTitles = <T extends { titles?: unknown }>({ titles: _, ...rest }: T): Omit<T, 'titles'> =>
  rest;
