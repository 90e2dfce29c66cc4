import { describe, expect, test } from 'vitest';
import { csvText, readCsv } from '../../src/common/text/csv.ts';

describe('a CSV cell', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '\n@x'])(
    '%j becomes text for a spreadsheet',
    (text) => {
      const line = csvText([[text]])
        .replace(/\r\n$/, '')
        .replace(/^"/, '');
      expect(line.startsWith("'")).toBe(true);
    },
  );

  test('that is a number of ours stays one, negative or not', () => {
    expect(csvText([[-0.5, 3, null]])).toBe('-0.5,3,\r\n');
  });

  test('reads back as it was', () => {
    const cells = ['a,b', 'say "no"', 'two\nlines', ' spaces ', 'plain; text'];
    const [row] = readCsv(csvText([cells]), ',');
    expect(row).toMatchObject({ cells });
  });
});
