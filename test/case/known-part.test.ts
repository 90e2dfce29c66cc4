import { describe, expect, test } from 'vitest';
import { caseFormat, Field, knownPart } from '../../src/case/format/case-format.ts';
import { aCase, withDeclared } from '../support/builders.ts';
import { contractFormat, words } from '../support/format.ts';
import { declared } from '../support/store-builders.ts';

const format = caseFormat(
  [
    { name: 'device', of: 'action', title: 'device', type: 'list' },
    { name: 'value', of: 'action', title: 'value', type: 'text' },
    { name: 'carPlug', of: 'context', title: 'plug of the car', type: 'text' },
    { name: 'season', title: 'season', type: 'text' },
  ].map((field) => Field.parse(field)),
  words,
);

describe('what a format knows of a kept case', () => {
  test('is all of it where every field is declared as it was', () => {
    const kept = aCase({ id: 'a', latencyMs: 5 });
    expect(knownPart(kept, contractFormat)).toEqual({ known: kept, unknown: [] });
    expect(knownPart(kept, format)).toEqual({ known: kept, unknown: [] });
  });

  test('leaves out, by path, what is declared no more or as something else', () => {
    const { known, unknown } = knownPart(aCase({ ...declared, ...{ season: 'winter', year: 3 } }), format);
    expect(unknown.sort()).toEqual([
      'action.alsoChanged',
      'action.value',
      'recommendation.plugs',
      'recommendation.powerKw',
      'year',
    ]);
    expect(known).toMatchObject({ action: { device: ['window'] }, season: 'winter' });
    expect(known.context).toEqual(declared.context);
    expect(known.recommendation).toEqual({ name: 'Ionity' });
    expect(known).not.toHaveProperty('year');
    expect(known).not.toHaveProperty('action.value');
  });

  test('leaves out an object that is none any more, and one of which nothing is known', () => {
    expect(knownPart(withDeclared(aCase(), { action: 'open' }), format).unknown).toEqual(['action']);
    const none = knownPart(withDeclared(aCase(), { action: { gone: 1 } }), format);
    expect(none.unknown).toEqual(['action.gone']);
    expect(none.known).not.toHaveProperty('action');
  });
});
