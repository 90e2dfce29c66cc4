import { expect, test } from 'vitest';
import { cutDocuments } from '../../src/case/case.ts';
import { aCase } from '../support/builders.ts';

const documents = [
  { text: 'a'.repeat(40) },
  { text: 'b'.repeat(40) },
  { text: 'c'.repeat(40) },
  { text: 'd' },
];
const cut = (limit: number) => cutDocuments(aCase({ documents }), limit);

test('documents that fit are all read', () => {
  expect(cut(121)).toEqual({ evalCase: aCase({ documents }), note: null });
});

test('whole documents are kept from the first on, and how many were left out is said', () => {
  // 40 + 40 fit into 100, the third would make 120; the short fourth is left out too: it stands behind the third.
  const { evalCase, note } = cut(100);
  expect(evalCase.documents).toEqual(documents.slice(0, 2));
  expect(note).toBe('judges read the first 2 of 4 documents; the rest exceed the limit of 100 characters');
});

test('the first document is read even where it alone is too long', () => {
  expect(cut(10).evalCase.documents).toEqual(documents.slice(0, 1));
});

test('a case without documents stays as it is', () => {
  expect(cutDocuments(aCase(), 10)).toEqual({ evalCase: aCase(), note: null });
});
