/**
 * Has a model read what plain reading refuses: it names the parts of a paste, and code cuts the case out of it. The model sees
 * redacted text without the names of authors, and nothing it writes gets into a case. Who speaks stays its word: a person or a
 * program decides whether that counts. Start reading: `read-with-model.ts`; the checks are in `case/paste/cut-parts.ts`.
 */
export {
  createModelReader,
  type ModelReader,
  type ModelReading,
  mayBeRead,
  type NoReading,
} from './read-with-model.ts';
