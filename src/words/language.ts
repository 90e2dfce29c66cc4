import * as z from 'zod';

/** The languages in which people are written to. */
export const Language = z.enum(['en', 'de']);
export type Language = z.infer<typeof Language>;

/** The language of a locale such as `de-AT`; null for one in which nothing is written. */
export const languageOf = (locale: string | null | undefined): Language | null =>
  Language.safeParse(locale?.split(/[-_]/)[0]?.toLowerCase()).data ?? null;

/** Words that one of the languages has and the other has not, and that few texts do without. */
const TYPICAL: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(
    'the and is are was of to for with that this it you i me my at by have has do does did not what why which how who find set turn please can could would there be as'.split(
      ' ',
    ),
  ),
  de: new Set(
    'der die das dazu den dem des ein eine einen einem einer eines und ist sind nicht ich du er sie es wir ihr mir mich dir dich zu zum zur mit auf für von vom im bei nach aus auch noch nur wie was sagt warum wieso weshalb welche welcher welches wo wann kann kannst bitte finde gibt mach stell stelle stimmt hat haben habe kein keine denn doch mal über unter hier heute jetzt ja nein'.split(
      ' ',
    ),
  ),
};

/**
 * The language of a text by its most common words, which have to be the clear majority; null if that is not clear.
 * @param least how many of them there have to be
 */
export function languageOfText(text: string, least = 1): Language | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const [en, de] = (['en', 'de'] as const).map(
    (one) => words.filter((word) => TYPICAL[one].has(word)).length,
  );
  if (en === undefined || de === undefined) return null;
  if (de > 2 * en && de >= least) return 'de';
  return en > 2 * de && en >= least ? 'en' : null;
}
