import type { Mention } from './find-mentions.ts';
import { isNegation } from './negation.ts';
import type { Token } from './tokenize.ts';

const ENDS = new Set(['.', ';', '!', '?', '\n']);

/** Whether a token ends a sentence. Commas do not. */
export const endsSentence = (token: Token | undefined): boolean =>
  token?.kind === 'break' && ENDS.has(token.text);

/** The sentences and clauses of a turn; a clause also ends at a "but". Each is known by the place of its first token. */
export interface Clauses {
  startOf(place: number): number;
  sentenceOf(place: number): number;
  /** Whether a word of preference ("rather") stands before a place in its clause. */
  prefers(place: number): boolean;
}

/** Finds them all in one pass. */
export function clausesOf(tokens: readonly Token[], owners: ReadonlyMap<number, Mention>): Clauses {
  const starts: number[] = [];
  const sentences: number[] = [];
  const preferring: boolean[] = [];
  let [start, sentence, prefers] = [0, 0, false];
  for (const [place, token] of tokens.entries()) {
    starts.push(start);
    sentences.push(sentence);
    preferring.push(prefers);
    const owner = owners.get(place);
    const ends = endsSentence(token);
    if (ends) sentence = place + 1;
    if (ends || isNegation(owner, 'contrast')) [start, prefers] = [place + 1, false];
    else if (isNegation(owner, 'preference')) prefers = true;
  }
  return {
    startOf: (place) => starts[place] ?? start,
    sentenceOf: (place) => sentences[place] ?? sentence,
    prefers: (place) => preferring[place] ?? prefers,
  };
}
