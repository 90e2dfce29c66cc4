import { Chalk } from 'chalk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textTable } from '../../../src/surfaces/cli/layout.ts';

const screen = (width: number) => ({ width, colors: new Chalk({ level: 0 }) });
const columns = [
  { title: 'Name', align: 'left' },
  { title: 'P', align: 'right' },
  { title: 'Recall', align: 'right' },
] as const;
const rows = [
  ['a rather long name', '0.5', '1.00'],
  ['日本', '0.25', '–'],
];

test('columns stand under their titles, numbers to the right, wide characters counted', () => {
  expect(textTable(screen(100), columns, rows, 1)).toEqual([
    '  Name                   P  Recall',
    '  a rather long name   0.5    1.00',
    '  日本                0.25       –',
  ]);
});

test('a long label wraps before a column moves away', () => {
  expect(textTable(screen(30), columns, rows, 1)).toEqual([
    '  Name               P  Recall',
    '  a rather long    0.5    1.00',
    '  name',
    '  日本            0.25       –',
  ]);
});

test('what does not fit comes below, with the labels again', () => {
  expect(textTable(screen(25), columns, [['short', '0.5', '1.00']], 1).length).toBe(2);
  expect(textTable(screen(16), columns, [['short', '0.5', '1.00']], 1)).toEqual([
    '  Name     P',
    '  short  0.5',
    '',
    '  Name   Recall',
    '  short    1.00',
  ]);
});

test('no cell is lost at any width, and no line is wider than the screen from 40 columns on', () => {
  const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/);
  const numbers = fc.double({ min: 0, max: 999, noNaN: true }).map((value) => value.toFixed(2));
  const tables = fc.array(fc.tuple(words, numbers, numbers), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(tables, fc.integer({ min: 5, max: 120 }), (cells, width) => {
      const lines = textTable(screen(width), columns, cells, 1);
      const text = lines.join('\n');
      for (const [label, ...values] of cells) {
        for (const word of label.split(' ')) expect(text).toContain(word);
        for (const value of values) expect(text).toContain(value);
      }
      if (width >= 40) expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    }),
  );
});
