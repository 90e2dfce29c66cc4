import type { EvalCase } from './case.ts';

/** A case with the documents that a judge reads, and what to say about those that were left out. */
export interface CutCase {
  evalCase: EvalCase;
  note: string | null;
}

/**
 * Keeps documents whole and in their order (that of the retrieval) for as long as they fit; the first one that does not
 * fit ends it, so that what is read is always a beginning of the list. The first is kept in any case.
 *
 * @param limit most characters of all documents together
 */
export function cutDocuments(evalCase: EvalCase, limit: number): CutCase {
  const documents = evalCase.documents ?? [];
  let length = 0;
  const end = documents.findIndex(({ text }, index) => {
    length += text.length;
    return length > limit && index > 0;
  });
  if (end === -1) return { evalCase, note: null };
  return {
    evalCase: { ...evalCase, documents: documents.slice(0, end) },
    note: `the first ${end} of ${documents.length} documents were read, ${documents.length - end} left out: whole documents in their order, up to ${limit} characters`,
  };
}
