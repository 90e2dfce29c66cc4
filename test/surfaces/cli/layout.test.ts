import { Chalk } from 'chalk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAt, textTable, widthOf, wrap } from '../../../src/surfaces/terminal/layout.ts';

const words = fc.stringMatching(/^[a-zäß“”…–·✓✗日本éｗ]{1,20}( [a-zäß“”…–·✓✗日本éｗ]{1,20}){0,10}$/);
const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), words);
const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '');

test('wide, combined, invisible and colored characters count as the columns that they take', () => {
  const known = {
    abc: 3,
    Café: 4,
    日本: 4,
    '👍🏽': 2,
    '🇩🇪': 2,
    '❤️': 2,
    '1️⃣': 2,
    'e\u0301': 1,
    'a\u200bb': 2,
    '✓ – “x”…': 8,
  };
  for (const [text, width] of Object.entries(known)) expect(widthOf(text), text).toBe(width);
  expect(widthOf('\u001b[1mbold\u001b[22m')).toBe(4);
  expect(widthOf('\u001b[33m日本\u001b[39m')).toBe(4);
});

test('lines break between words, and inside those that are too wide only where that is wanted', () => {
  expect(wrap('one two three', 8)).toBe('one two\nthree');
  expect(wrap('one\n\n  two', 8)).toBe('one\n\ntwo');
  expect(wrap('see https://example.com/a', 10)).toBe('see\nhttps://example.com/a');
  expect(wrap('see https://example.com/a', 10, { hard: true })).toBe('see https:\n//example.\ncom/a');
  expect(wrap('日本語日本語', 5, { hard: true })).toBe('日本\n語日\n本語');
  expect(wrap('  - item  one', 8, { hard: true, keepSpaces: true })).toBe('  - item\n  one');
});

test('nothing but spaces is lost, and no line is too wide', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 40 }), (text, width) => {
      const lines = wrap(text, width, { hard: true });
      expect(withoutSpaces(lines)).toBe(withoutSpaces(text));
      for (const line of lines.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test('a beginning is cut between characters, never inside one', () => {
  expect(splitAt('👍🏽👍🏽', 3)).toEqual(['👍🏽', '👍🏽']);
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 40 }), (text, width) => {
      const [start, rest] = splitAt(text, width);
      expect(start + rest).toBe(text);
      expect(widthOf(start)).toBeLessThanOrEqual(width);
    }),
  );
});

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

test('a word of a label, such as an id, is not broken: columns come below rather than that', () => {
  const [first] = textTable(screen(100), columns, [['e4a05ea737b2bce111ca', '0.5', '1.00']], 1).slice(1);
  expect(first).toBe('  e4a05ea737b2bce111ca  0.5    1.00');
  expect(textTable(screen(30), columns, [['e4a05ea737b2bce111ca', '0.5', '1.00']], 1)).toEqual([
    '  Name                    P',
    '  e4a05ea737b2bce111ca  0.5',
    '',
    '  Name                  Recall',
    '  e4a05ea737b2bce111ca    1.00',
  ]);
});

test('the title of the labels is not broken within a word', () => {
  const titled = [{ title: 'configuration', align: 'left' }, ...columns.slice(1)] as const;
  for (let width = 10; width <= 40; width += 1)
    expect(textTable(screen(width), titled, [['io', '0.5', '1.00']], 1)[0]).toContain('  configuration');
});

test('titles wrap where that saves a second block', () => {
  const titled = [columns[0], { title: 'Judges of a panel', align: 'right' }, columns[2]] as const;
  expect(textTable(screen(40), titled, [['openai/gpt-4o', '0.5', '1.00']], 1)).toEqual([
    '  Name           Judges  Recall',
    '                   of a',
    '                  panel',
    '  openai/gpt-4o     0.5    1.00',
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
