import { type ErrorCode, JuryError, messageOf } from '../common/index.ts';
import type { Language } from './language.ts';
import { type Words, wordsIn } from './words.ts';

/** A failure that people read in their own language. Its message, for logs and the terminal, is in English. */
export class WordedError extends JuryError {
  readonly say: (words: Words) => string;

  constructor(
    code: ErrorCode,
    say: (words: Words) => string,
    options: { cause?: unknown; retryable?: boolean; needsChange?: boolean } = {},
  ) {
    super(code, say(wordsIn('en')), options);
    this.say = say;
  }
}

/** Why something failed, in a language where the failure has words in it. */
export const messageIn = (language: Language, thrown: unknown): string =>
  thrown instanceof WordedError ? thrown.say(wordsIn(language)) : messageOf(thrown);
