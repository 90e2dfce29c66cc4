import type { Lexicon, LexiconTerm } from '../../judging/lexicon.ts';
import { fold } from './fold.ts';

/**
 * One word of a phrase: literal, stem with German endings, a placeholder for a number or a time of day, a gap for words
 * that the phrase stands around, or the end of a clause.
 */
export type Part =
  | { is: 'word'; text: string }
  | { is: 'stem'; text: string }
  | { is: 'number'; decimals: boolean }
  | { is: 'clock' }
  | { is: 'gap' }
  | { is: 'end' };

export interface Phrase {
  lexicon: string;
  term: string;
  /** Whether the phrase is a sign (a dish) and not a name of the term. */
  sign: boolean;
  reading: LexiconTerm['reading'];
  parts: readonly Part[];
  hasNumber: boolean;
}

export interface CompiledLexicon {
  id: string;
  single: boolean;
  namesSubject: boolean;
  terms: ReadonlyMap<string, LexiconTerm>;
  phrases: readonly Phrase[];
  /** For each term itself and all wider ones, transitively. */
  wider: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each term those that have a term in common with it: Mediterranean and European have Greek. */
  overlaps: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Parts of a phrase as written in a lexicon file. */
const partsOf = (phrase: string): Part[] =>
  fold(phrase)
    .replace(/(?<=[\p{L}\d])[-‐‑–](?=[\p{L}#])/gu, ' ')
    .split(/\s+/)
    .map((text) => text.replace(/(?<=[\p{L}])[.,!?]+$/u, ''))
    .filter((text) => text !== '')
    .map((text): Part => {
      if (text === '#' || text === '#.#') return { is: 'number', decimals: text === '#.#' };
      if (text === '|') return { is: 'end' };
      // Folding turns "…" into three dots.
      if (text === '...') return { is: 'gap' };
      if (text === '#clock') return { is: 'clock' };
      return text.endsWith('*') ? { is: 'stem', text: text.slice(0, -1) } : { is: 'word', text };
    });

function widerTerms(terms: ReadonlyMap<string, LexiconTerm>, id: string): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    queue.push(...(terms.get(next)?.within ?? []));
  }
  return found;
}

function overlapping(wider: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const overlaps = new Map([...wider.keys()].map((id) => [id, new Set<string>()]));
  for (const terms of wider.values())
    for (const one of terms) for (const other of terms) overlaps.get(one)?.add(other);
  return overlaps;
}

/** A lexicon made ready for matching; done once per lexicon. */
export function compileLexicon(lexicon: Lexicon): CompiledLexicon {
  const terms = new Map(lexicon.terms.map((term) => [term.id, term]));
  const wider = new Map(lexicon.terms.map((term) => [term.id, widerTerms(terms, term.id)]));
  const phraseOf = (term: LexiconTerm, sign: boolean) => (written: string) => {
    const parts = partsOf(written);
    return {
      lexicon: lexicon.id,
      term: term.id,
      sign,
      reading: term.reading,
      parts,
      hasNumber: parts.some((part) => part.is === 'number'),
    };
  };
  return {
    id: lexicon.id,
    single: lexicon.single,
    namesSubject: lexicon.namesSubject,
    terms,
    phrases: lexicon.terms
      .flatMap((term) => [...term.words.map(phraseOf(term, false)), ...term.signs.map(phraseOf(term, true))])
      .filter((phrase) => phrase.parts.length > 0),
    wider,
    overlaps: overlapping(wider),
  };
}
