import { describe, expect, test } from 'vitest';
import { jury } from '../../support/run-jury.ts';

describe('jury bench published', () => {
  test('lists the tables with what each shows, how much contradicts, and its source', async () => {
    const { code, out, err } = await jury(['bench', 'published']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /contextual-b5 +Table B\.5: .*\n +108 rows; 20 contradictions marked\n +from Habicht et al\./,
    );
    expect(out).toMatch(/core-9 +Table 9: .*\n +8 rows\n/);
  });

  test('shows a table with its source, its columns and marked contradictions, no line over 100 columns', async () => {
    const { code, out } = await jury(['bench', 'published', 'inca-3']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Table 3: .* \(inca-3\)\nfrom Friedl et al\./);
    expect(out).toMatch(/\n {2}GPT 3\.5 \(text-davinci-003\) +\[1\] \[2\] +81\.4 +82\.6 +1\.7 +– +– +–\n/);
    expect(out).toMatch(/\n {2}Falcon-180b +91\.4 +94\.3 +2\.9/);
    expect(out).toMatch(
      / {2}\[1\] .*: the difference of 82\.6 and 81\.4 lies between 1\.050 and 1\.350, not\s+at 1\.7/,
    );
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test('prints numbers with the decimals of the paper', async () => {
    const { out } = await jury(['bench', 'published', 'contextual-b5']);
    expect(out).toMatch(/Llama-8B +I\/O +0\.275 +1\.000 +0\.431/);
  });

  test('--json prints one row a line, of one table or of all', async () => {
    const one = await jury(['bench', 'published', 'factual-5', '--json']);
    const rows = one.out
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(rows.length).toBe(5);
    expect(rows[2]).toEqual({
      table: 'factual-5',
      row: { method: 'CoT', tokens: 1427, seconds: 5.5, secondsPerToken: 0.0038 },
      contradictions: [expect.stringContaining('6.5 ms is IO'), expect.stringContaining('23.7 s is RT')],
    });
    const all = await jury(['bench', 'published', '--json']);
    // 13 + 108 + 4 + 104 + 3 + 25 + 4 + 5 + 4 + 4 + 12 + 8 + 3 · 96
    expect(all.out.trimEnd().split('\n').length).toBe(582);
  });

  test('a table that does not exist: 64, with those that do', async () => {
    const { code, out, err } = await jury(['bench', 'published', 'table-7']);
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toMatch(/There is no published table "table-7"\. There are: contextual-2, .*inca-3\./);
  });
});
