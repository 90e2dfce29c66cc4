/** Keys around a case, whose objects are read as if their keys stood outside. */
export const WRAPPERS = new Set([
  'data',
  'payload',
  'case',
  'item',
  'example',
  'record',
  'event',
  'body',
  'params',
  'jsonpayload',
  'interaction',
  'turn',
  'eval',
  'sample',
  'dialog',
  'inputs',
  'outputs',
  'fields',
  'message',
]);

/** Keys that hold documents. */
export const DOCUMENT_KEYS = new Set([
  'documents',
  'docs',
  'contexts',
  'retrieved_contexts',
  'retrievedcontexts',
  'sources',
  'passages',
  'retrieved_documents',
  'document',
  'reference_documents',
]);
