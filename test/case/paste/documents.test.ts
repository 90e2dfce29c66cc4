import { describe, expect, it } from 'vitest';
import { caseOf } from './parse.ts';

const PAIR = 'User: a\nSystem: b';

describe('documents', () => {
  it('are read after the pair, with their ids', () => {
    expect(
      caseOf(`${PAIR}\nDocument m12: one\ntwo\nSource: three\nTime: is text here`).case.documents,
    ).toEqual([{ id: 'm12', text: 'one\ntwo' }, { text: 'three\nTime: is text here' }]);
  });

  it('are what follows "Context:" where it is text, and that is said', () => {
    const parsed = caseOf(`${PAIR}\nContext: The oil light comes on.`);
    expect(parsed.case.documents).toEqual([{ text: 'The oil light comes on.' }]);
    expect(parsed.assumed).toEqual(['the text after "Context:" was read as a document'.replace(':"', '"')]);
  });

  it('are not made of a context of labelled lines', () => {
    const parsed = caseOf('Context:\nDate: 2024-03-04\nLocation: Mitte\nUser: a\nSystem: b');
    expect(parsed.case.context).toEqual({ date: '2024-03-04', location: { description: 'Mitte' } });
    expect(parsed.case.documents).toBeUndefined();
  });
});
