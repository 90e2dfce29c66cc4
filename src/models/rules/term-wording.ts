import type { CompiledLexicon } from './compile-lexicon.ts';
import { listed, quoted } from './outcome.ts';
import type { MeantMention } from './read-polarity.ts';
import type { Wishes } from './wishes-for.ts';

type Asked = Extract<Wishes, { kind: 'asked' }>;

/** What a reason is told in: the terms' titles, and what the field is called. */
export interface Wording {
  lexicon: CompiledLexicon;
  /** What follows a term that has no title: `low cost`; may be empty. */
  noun: string;
}

/** `Thai`; a term without a title needs the noun: `low cost`. */
export const titlesOf = (terms: readonly string[], { lexicon, noun }: Wording): string =>
  listed(
    terms.map((term) => lexicon.terms.get(term)?.title ?? `${term.replaceAll('-', ' ')} ${noun}`.trim()),
    'or',
  );

/** `Thai`, or `Thai ("pad thai")` where the user used another word. */
function wordOf(mention: MeantMention, wording: Wording): string {
  const title = titlesOf(mention.terms, wording);
  return mention.quote.toLowerCase() === title.toLowerCase() ? title : `${title} (${quoted(mention.quote)})`;
}

/** What the user asked for: `Thai or Vietnamese ("pho"), not Italian`. */
export function wordsOf(wishes: Pick<Asked, 'groups' | 'unwanted'>, wording: Wording): string {
  const wanted = wishes.groups.map((group) =>
    listed([...new Set(group.map((mention) => wordOf(mention, wording)))], 'or'),
  );
  const unwanted = wishes.unwanted.map((mention) => `not ${wordOf(mention, wording)}`);
  return [...(wanted.length > 0 ? [listed(wanted)] : []), ...unwanted].join(', ');
}
