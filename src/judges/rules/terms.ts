import { fold } from '../../common/text.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { findMentions, NEGATION, type Vocabulary, vocabularyOf } from './mentions.ts';
import { listed, quoted } from './outcome.ts';
import { tokenize } from './tokens.ts';
import type { MeantMention } from './turn.ts';
import type { Wishes } from './wishes.ts';

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

/** What the user asked for: `Thai or Vietnamese ("pho") but not Italian`, `anything but high cost`. */
export function wordsOf(wishes: Pick<Asked, 'groups' | 'unwanted'>, wording: Wording): string {
  const wanted = wishes.groups.map((group) =>
    listed([...new Set(group.map((mention) => wordOf(mention, wording)))], 'or'),
  );
  const refused = listed([...new Set(wishes.unwanted.map((mention) => wordOf(mention, wording)))], 'or');
  if (wanted.length === 0) return refused === '' ? '' : `anything but ${refused}`;
  return `${listed(wanted)}${refused === '' ? '' : ` but not ${refused}`}`;
}

const spaced = (text: string): string =>
  ` ${fold(text)
    .replace(/[^\p{L}\p{N}€$£]+/gu, ' ')
    .trim()} `;

/**
 * The exact terms of a lexicon that a venue's field names, be it by their id, a name or a sign: a set per phrase found,
 * with several terms in it where the phrase is ambiguous.
 */
export const termsIn = (texts: readonly string[], lexicon: CompiledLexicon): (readonly string[])[] =>
  texts.flatMap((text) => {
    const mentions = findMentions(tokenize(text), vocabularyOf(lexicon));
    const named = mentions.filter((mention) => mention.reading === 'exact').map((mention) => mention.terms);
    // A phrase hides the ids in it: French fries are not French.
    const words = spaced(mentions.reduce((rest, { quote }) => rest.replace(quote, ' '), text));
    const ids = [...lexicon.terms.values()].filter(
      (term) => term.reading === 'exact' && words.includes(` ${term.id.replaceAll('-', ' ')} `),
    );
    return [...named, ...ids.map((term) => [term.id])];
  });

/** The strings in a field's value: itself, or those of a list. */
export const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.filter((item) => typeof item === 'string')
      : [];

/** What a venue's field says in terms of a lexicon, or why that cannot be told exactly. */
export type VenueTerms =
  | { kind: 'named'; terms: readonly (readonly string[])[] }
  | { kind: 'unreadable'; why: string };

/** Words of negation.yaml that only join; the others turn around or take back what stands beside them. */
const JOINING = new Set(['joint', 'preference', 'contrast']);

/** Whether something in a value turns around what it names: "not cheap", "non-Thai Asian", "formerly Greek". */
const isTurned = (text: string, vocabulary: Vocabulary): boolean =>
  findMentions(tokenize(text), vocabulary).some(
    (mention) => mention.lexicon === NEGATION && !mention.terms.some((term) => JOINING.has(term)),
  );

/** Reads what a venue's own field says. A value with a negation, or with two terms where only one can be, is no value. */
export function venueTerms(
  texts: readonly string[],
  lexicon: CompiledLexicon,
  vocabulary: Vocabulary,
): VenueTerms {
  if (texts.some((text) => isTurned(text, vocabulary)))
    return { kind: 'unreadable', why: 'which says what it is not, or leaves a choice' };
  if (lexicon.single && texts.some((text) => /\d/.test(text)))
    return { kind: 'unreadable', why: 'which is a figure and no level' };
  const terms = termsIn(texts, lexicon);
  const levels = new Set(terms.map((names) => [...names].sort().join()));
  if (lexicon.single && levels.size > 1) return { kind: 'unreadable', why: 'which names more than one' };
  return { kind: 'named', terms };
}

/** Terms that other fields show; what they say they have not ("without cheese") shows nothing. */
export const shownTerms = (
  texts: readonly string[],
  lexicon: CompiledLexicon,
  vocabulary: Vocabulary,
): (readonly string[])[] =>
  termsIn(
    texts.filter((text) => !isTurned(text, vocabulary)),
    lexicon,
  );
