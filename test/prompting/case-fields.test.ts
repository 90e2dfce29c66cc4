import { describe, expect, test } from 'vitest';
import { loadCaseFormat } from '../../src/prompting/case-fields.ts';
import { readLibrary } from '../../src/prompting/read-library.ts';
import { builtIn, folderWith } from '../support/built-in.ts';

const HEAD = 'title: X\nsource: a test\nfields:\n';
const load = (fields: string) => loadCaseFormat([builtIn, folderWith({ 'fields/x.yaml': HEAD + fields })]);

describe('fields of one’s own', () => {
  test('are beside the built-in ones', () => {
    const { paths } = load('  - {name: seats, of: recommendation, title: seats, type: number}');
    expect(paths).toContain('recommendation.seats');
    expect(paths).toContain('recommendation.fuels');
  });

  test.each([
    ['a type that is none', '  - {name: a, title: a, type: date}', /x\.yaml: fields\.0\.type: must be/],
    [
      'a name with a hyphen',
      '  - {name: a-b, title: a, type: text}',
      /fields\.0\.name: must be letters and digits/,
    ],
    [
      'units of a text',
      '  - {name: a, title: a, type: text, units: {km: 1}}',
      /fields\.0\.units: goes with the type "number"/,
    ],
    [
      'a telling unit that is none',
      '  - {name: a, title: a, type: number, units: {kg: 1}, byUnit: {labels: [weight], units: [lb]}}',
      /"lb" is none of its units/,
    ],
    [
      'a field that every case has',
      '  - {name: rating, of: recommendation, title: a, type: number}',
      /rating: "recommendation\.rating" is a built-in field/,
    ],
    [
      'an object that takes none',
      '  - {name: a, of: documents, title: a, type: text}',
      /of: fields cannot be added to "documents"/,
    ],
    [
      'a label of the contract',
      '  - {name: a, title: a, type: text, labels: [Cuisine]}',
      /"Cuisine" is the label of a built-in field/,
    ],
    [
      'a label of another field',
      '  - {name: a, title: a, type: text, labels: [Stecker]}',
      /the label "stecker" already belongs to recommendation\.plugs/,
    ],
    [
      'a shared label with a unit that tells another field already',
      '  - {name: a, title: a, type: number, units: {€/l: 1}, byUnit: {labels: [Price], units: [€/l]}}',
      /the label "price in €\/l" already belongs to recommendation\.pricePerLiter/,
    ],
    [
      'a name of another field',
      '  - {name: fuels, of: recommendation, title: a, type: text}',
      /the name "recommendation\.fuels" already belongs to recommendation\.fuels/,
    ],
  ])('are refused for %s, with file and key', (_name, fields, message) => {
    expect(() => load(fields)).toThrow(message);
  });

  test('can be named by a rubric, and only if they are declared', () => {
    const rubric = (path: string) =>
      `title: X\nsource: a test\ntask: Judge.\ndecide: all\npanel: [auditor]\nmethod: io\ncriteria:\n  - {id: a, title: A, rule: R, needs: [${path}]}`;
    const files = (path: string) => ({
      'fields/x.yaml': `${HEAD}  - {name: seats, of: hall, title: seats, type: number}`,
      'rubrics/x.yaml': rubric(path),
    });
    const libraryWith = (path: string) => readLibrary([builtIn, folderWith(files(path))]);
    expect(libraryWith('hall.seats').rubrics.get('x')?.criteria[0]?.needs).toEqual(['hall.seats']);
    expect(() => libraryWith('hall.rows')).toThrow(/criteria\.0\.needs: a case has no field "hall\.rows"/);
  });
});
