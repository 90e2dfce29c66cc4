import type { CompiledLexicon, Phrase } from './compile-lexicon.ts';
import { stemsOf } from './match-phrase.ts';
import type { Token } from './tokenize.ts';

/** Finds the phrases that could start at a token, without trying all of them. */
export interface PhraseIndex {
  startingAt(token: Token): readonly Phrase[];
}

export function createPhraseIndex(lexicons: readonly CompiledLexicon[]): PhraseIndex {
  const byWord = new Map<string, Phrase[]>();
  const byNumber: Phrase[] = [];
  const byClock: Phrase[] = [];
  for (const phrase of lexicons.flatMap((lexicon) => lexicon.phrases)) {
    const first = phrase.parts[0];
    if (first === undefined || first.is === 'gap' || first.is === 'end') continue;
    if (first.is === 'number') byNumber.push(phrase);
    else if (first.is === 'clock') byClock.push(phrase);
    else {
      const others = byWord.get(first.text);
      if (others === undefined) byWord.set(first.text, [phrase]);
      else others.push(phrase);
    }
  }
  return {
    startingAt: (token) => [
      ...[...new Set(stemsOf(token.text))].flatMap((stem) => byWord.get(stem) ?? []),
      ...(token.value === null ? [] : byNumber),
      ...(token.kind === 'clock' ? byClock : []),
    ],
  };
}
