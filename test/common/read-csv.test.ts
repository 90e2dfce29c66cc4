import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { delimiterOf, readCsv } from '../../src/common/text/csv.ts';

/** The cells of each record, or its problem. */
const cellsOf = (text: string, delimiter = ',') =>
  readCsv(text, delimiter).map((row) => ('cells' in row ? row.cells : row.problem));

describe('CSV', () => {
  test.each([
    [
      'plain cells',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'without a last line break',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'line ends of Windows',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'line ends of old Macs',
      'a,b\r1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'empty cells',
      ',\n,,',
      [
        ['', ''],
        ['', '', ''],
      ],
    ],
    ['delimiters in quotes', '"a,b",c', [['a,b', 'c']]],
    ['line breaks in quotes', '"a\nb\r\nc",d', [['a\nb\r\nc', 'd']]],
    ['doubled quotes', '"say ""hi""",x', [['say "hi"', 'x']]],
    ['an empty cell in quotes', '"",x', [['', 'x']]],
    ['only quotes', '""""', [['"']]],
    ['quotes within a plain cell', '5" screen,x', [['5" screen', 'x']]],
    ['blank lines', 'a\n\n\nb', [['a'], ['b']]],
    ['spaces as they are', ' a , b', [[' a ', ' b']]],
  ])('reads %s', (_name, text, rows) => {
    expect(cellsOf(text)).toEqual(rows);
  });

  test('says where something stands behind a closing quote, and reads on behind that record', () => {
    expect(cellsOf('a,b\n"x"y,2\n3,4')).toEqual([
      ['a', 'b'],
      'there is text after a closing quote: double the quotes within a cell',
      ['3', '4'],
    ]);
  });

  test('says which lines a wrong quote took with it', () => {
    const rows = readCsv('a,b\n"x,1\n2,3\n4,"y",5\n6,7', ',');
    expect(rows.map((row) => ('problem' in row ? row.problem : row.cells))).toEqual([
      ['a', 'b'],
      'there is text after a closing quote (lines 2 to 4): double the quotes within a cell',
      ['6', '7'],
    ]);
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      [1, 1],
      [2, 2],
      [3, 5],
    ]);
  });

  test('says that a quote is never closed and how much was not read', () => {
    expect(cellsOf('a\n"x\ny\nz')).toEqual([
      ['a'],
      'a quote is opened and never closed: this line and the 2 after it were not read',
    ]);
  });

  test('holds cells of a megabyte', () => {
    const long = `${'x'.repeat(500_000)}\n""${'y'.repeat(500_000)}`;
    const [row] = cellsOf(`"${long}",end`);
    expect(row).toEqual([long.replace('""', '"'), 'end']);
  });

  test('reads back whatever was written by the rules of RFC 4180', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ';', ' ', 'é', '😀') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t', '|'), (rows, delimiter) => {
        const text = rows.map((cells) => cells.map(quoted).join(delimiter)).join('\r\n');
        expect(cellsOf(text, delimiter)).toEqual(rows);
      }),
    );
  });
});

test.each([
  ['a,b,c', ','],
  ['a;b;c', ';'],
  ['a\tb', '\t'],
  ['a|b', '|'],
  ['"a,b,c";d\n1,2,3', ';'],
  ['single', ','],
])('the delimiter of %j is %j', (text, delimiter) => {
  expect(delimiterOf(text)).toBe(delimiter);
});
