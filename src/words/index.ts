/**
 * What people read, in English and in German: one catalog beside the other. It owns every sentence that is shown in more than one
 * language, as functions of plain values, and must not know where one is shown. Start reading: `words.ts`.
 */
export { Language, languageOf, languageOfText } from './language.ts';
export { messageIn, WordedError } from './worded-error.ts';
export { type Words, wordsIn } from './words.ts';
