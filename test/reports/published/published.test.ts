import { describe, expect, test } from 'vitest';
import {
  numberIn,
  type PublishedTable,
  publishedTables,
} from '../../../src/reports/published/published-tables.ts';
import { paretoFront } from '../../../src/statistics/comparison.ts';
import { type Check, checks, contradictionsOf } from './contradictions.ts';
import { labelsOf, TableSchema } from './table-schema.ts';

const tables = publishedTables;
const tableOf = (id: string): PublishedTable => {
  const found = tables.find((table) => table.id === id);
  if (found === undefined) throw new Error(`no table ${id}`);
  return found;
};
const rowOf = (table: PublishedTable, ...labels: string[]): number =>
  table.rows.findIndex((_, row) => labelsOf(table, row).join() === labels.join());
const cell = (table: PublishedTable, row: number, column: string): number =>
  numberIn(table, row, column) ?? Number.NaN;

/** Table, row, kind and text of what contradicts, in order. */
const told = (id: string) =>
  contradictionsOf(tableOf(id), tables).map(({ row, kind, text }) => [
    row === null ? '' : labelsOf(tableOf(id), row).join(' '),
    kind,
    text,
  ]);

describe('the published tables', () => {
  test.each([
    ['contextual-2', 13],
    ['contextual-b5', 108],
    ['contextual-4', 4],
    ['contextual-fig3', 104],
    ['contextual-rq0', 3],
    ['factual-2', 25],
    ['factual-3', 4],
    ['factual-5', 5],
    ['inca-2', 4],
    ['inca-3', 4],
    ['core-8', 12],
    ['core-9', 8],
    ['core-21', 96],
    ['core-22', 96],
    ['core-23', 96],
  ])('%s has its %d rows, no two of them for the same thing', (id, rows) => {
    const table = tableOf(id);
    expect(table.rows.length).toBe(rows);
    expect(new Set(table.rows.map((_, row) => labelsOf(table, row).join('\n'))).size).toBe(rows);
  });

  test.each(tables.map((table) => [table.id, table] as const))(
    '%s has cells that fit their columns',
    (_, table) => {
      expect(TableSchema.parse(table)).toEqual(table);
    },
  );

  test('are all listed here, under ids of their own', () => {
    expect(tables.length).toBe(15);
    expect(new Set(tables.map(({ id }) => id)).size).toBe(15);
  });

  test('carry the contradictions that computing them again finds', () => {
    for (const table of tables) expect(table.contradictions).toEqual(contradictionsOf(table, tables));
    expect(Object.keys(checks).sort()).toEqual(tables.map(({ id }) => id).sort());
  });

  test('name columns that exist in their checks and remarks, and tables that exist', () => {
    for (const { columns, id } of tables) {
      const { checks: own = [], remarks = [] } = checks[id] ?? {};
      const ids = columns.map((column) => column.id);
      const named = own.flatMap((check) => check.columns);
      for (const check of own)
        if (check.kind === 'same-as') expect(tables.map((table) => table.id)).toContain(check.table);
      expect({ id, strays: named.filter((column) => !ids.includes(column)) }).toEqual({ id, strays: [] });
      for (const labels of remarks.flatMap(({ rows }) => rows))
        expect(Object.keys(labels).filter((label) => !ids.includes(label))).toEqual([]);
    }
  });

  test('point each remark at rows that exist', () => {
    for (const [id, { remarks }] of Object.entries(checks)) {
      const pointed = remarks.filter(({ rows }) => rows.length > 0);
      for (const { rows, but } of pointed)
        expect(
          told(id).filter(([row, , text]) => row !== '' && text?.endsWith(but)).length,
        ).toBeGreaterThanOrEqual(rows.length);
    }
  });

  test('print an F1 that their precision and recall give, in every one of 112 rows', () => {
    const rows = ['contextual-b5', 'contextual-4'].flatMap((id) => {
      const table = tableOf(id);
      return table.rows.map((_, row) => {
        const [p, r, f1] = ['precision', 'recall', 'f1'].map((column) => cell(table, row, column));
        return { p: p ?? 0, r: r ?? 0, f1: f1 ?? 0 };
      });
    });
    expect(rows.length).toBe(112);
    // Both factors may be off by 0.0005, and F1 itself; where one is small F1 moves up to twice as far with it.
    expect(rows.filter(({ p, r, f1 }) => Math.abs((2 * p * r) / (p + r) - f1) > 0.0015)).toEqual([]);
  });

  test('give the Pareto fronts that the text of the factual paper speaks of (III-F)', () => {
    const table = tableOf('factual-2');
    const front = (temperature: string) =>
      paretoFront(
        table.rows.map((_, row) => row),
        ['relevance', 'consistency'].map((what) => ({
          of: (row: number) => numberIn(table, row, `${what}-${temperature}`),
          direction: 'max' as const,
        })),
      ).front.map((row) => labelsOf(table, row).join(' '));
    expect(front('0.0')).toEqual(['GPT-3.5-turbo RT', 'GPT-4 RT', 'GPT-4 IO']);
    // Models named there: GPT-3.5 Turbo and GPT-4 alone; the least consistency of GPT-4 on a front is 89.3, at 0.2.
    const fronts = ['0.0', '0.2', '0.4', '0.6'].flatMap((temperature) =>
      front(temperature).map((labels) => {
        const row = rowOf(table, ...(labels.match(/^(.*) (\S+)$/)?.slice(1) ?? []));
        return {
          model: labels.replace(/ \S+$/, ''),
          consistency: cell(table, row, `consistency-${temperature}`),
          temperature,
        };
      }),
    );
    expect([...new Set(fronts.map(({ model }) => model))].sort()).toEqual(['GPT-3.5-turbo', 'GPT-4']);
    const least = fronts
      .filter(({ model }) => model === 'GPT-4')
      .sort((a, b) => a.consistency - b.consistency)[0];
    expect(least).toMatchObject({ consistency: 89.3, temperature: '0.2' });
  });
});

describe('where the papers contradict themselves', () => {
  const basis =
    'no judgements on 100 correct and 500 incorrect cases give these (sections 5 and 6.5: every method judged all of them)';
  const figure = (row: string, here: string, there: string) => [
    row,
    'same-as',
    `${here} here, ${there} in Figure 3`,
  ];

  test('contextual understanding, Table B.5', () => {
    expect(told('contextual-b5')).toEqual([
      // Recall of 100 correct cases has two decimals; 0.212, 0.735, 0.991, … have three.
      [
        'Llama-8B CoT-3',
        'counts',
        `${basis}; 21 of 99 correct ones found and 16 incorrect ones let through would`,
      ],
      figure('GPT-3.5 Turbo CoT-1', '0.272', '0.234'),
      [
        'Mistral-Nemo MAB',
        'counts',
        `${basis}; 50 of 68 correct ones found and 22 incorrect ones let through would`,
      ],
      // 110 of 111 would be the smallest share that prints as 0.991.
      ['Llama-405B MAB', 'counts', `${basis}; nor do any on a part of them`],
      ['Llama-405B MAD', 'counts', `${basis}; nor do any on a part of them`],
      figure('GPT-4o CoT-1', '0.961', '0.954'),
      [
        'GPT-4o CoT-3',
        'counts',
        `${basis}; 90 of 99 correct ones found and 0 incorrect ones let through would`,
      ],
      [
        'GPT-4 Turbo MAD',
        'remark',
        'section 7.2 says: GPT-4o and GPT-4.1 come next after DeepSeek-V3 among models without reasoning; but GPT-4 Turbo with MAD has 0.965; the best of GPT-4o is 0.964 and of GPT-4.1 0.960',
      ],
      figure('DeepSeek-V3 SC-3', '0.985', '0.974'),
      [
        'DeepSeek-V3 SC-5',
        'counts',
        `${basis}; 96 of 99 correct ones found and 2 incorrect ones let through would`,
      ],
      figure('DeepSeek-V3 SC-5', '0.974', '0.985'),
      figure('o3-mini I/O', '0.975', '0.985'),
      figure('o3-mini CoT-1', '0.961', '0.984'),
      figure('o3-mini CoT-3', '0.985', '0.980'),
      figure('o3-mini CoT-5', '0.970', '0.979'),
      [
        'o3-mini SC-3',
        'counts',
        `${basis}; 96 of 99 correct ones found and 2 incorrect ones let through would`,
      ],
      figure('o3-mini SC-3', '0.974', '0.985'),
      figure('o3-mini MAB', '0.970', '0.984'),
      figure('o3-mini MAD', '0.970', '0.975'),
      // 98 of 100 found: 98/102 is 0.961 and 98/103 is 0.951; nothing lies at 0.952.
      ['o4-mini CoT-5', 'counts', `${basis}; nor do any on a part of them`],
      [
        'DeepSeek-R1 I/O',
        'remark',
        'abstract says: DeepSeek-R1 reaches its F1 of 0.99 at 0.002 USD a request; but section 7.3 gives that cost for I/O, which reaches 0.975; CoT-1, SC-3 and SC-5 reach 0.990 and cost more',
      ],
      [
        'o3-mini, o4-mini, o3 AR-CoT-5',
        'counts',
        `${basis}; 98 of 98 correct ones found and 4 incorrect ones let through would`,
      ],
      ['o3-mini, o4-mini, o3 AR-CoT-5', 'same-as', '0.960 here, 0.952 in Table 4'],
      ['o3-mini, o4-mini, o3 AR-CoT-5', 'same-as', '0.980 here, 0.976 in Table 4'],
    ]);
  });

  test('contextual understanding, Table 4 and Figure 3: the same, seen from there', () => {
    expect(told('contextual-4')).toEqual([
      ['o3-mini, o4-mini, o3 AR-CoT-5', 'same-as', '0.952 here, 0.960 in Table B.5'],
      ['o3-mini, o4-mini, o3 AR-CoT-5', 'same-as', '0.976 here, 0.980 in Table B.5'],
    ]);
    expect(told('contextual-fig3').length).toBe(11);
    expect(told('contextual-fig3')[0]).toEqual([
      'GPT-3.5 Turbo CoT-1',
      'same-as',
      '0.234 here, 0.272 in Table B.5',
    ]);
  });

  test('factual benchmarking: every percentage is a whole number of 103, cut off after one decimal; the text errs', () => {
    expect(told('factual-2').map(([row, kind]) => [row, kind])).toEqual([
      ['GPT-4 MPSC', 'remark'],
      ['GPT-4o MPSC', 'remark'],
      ['LLAMA 3 70B MPSC', 'remark'],
      ['', 'remark'],
    ]);
    expect(told('factual-3')).toEqual([]);
    expect(told('factual-5')).toEqual([
      [
        'CoT',
        'remark',
        'section III-F, summary of RQ2 says: CoT takes 6.5 ms a token; but the table gives 3.8 ms for CoT; 6.5 ms is IO',
      ],
      [
        'CoT',
        'remark',
        'section III-F, summary of RQ2 says: CoT takes 23.7 s a request; but the table gives 5.5 s for CoT; 23.7 s is RT',
      ],
    ]);
  });

  test('in-car indicators: a difference, and shares of other numbers than 70', () => {
    const not70 = (row: string, value: string) => [
      row,
      'share-of',
      `${value} % is no whole number of 70 (section 3.2: 70 data points for each indicator)`,
    ];
    const gpt = 'GPT 3.5 (text-davinci-003)';
    expect(told('inca-2')).toEqual([
      not70(gpt, '75.0'),
      not70(gpt, '80.6'),
      not70('Llama2-70b', '86.1'),
      not70('Llama2-70b', '80.6'),
      not70('Llama2-70b', '92.3'),
      not70('Falcon-180b', '75.0'),
      not70('Falcon-180b', '74.6'),
      not70('Max-Vote', '81.9'),
      not70('Max-Vote', '79.1'),
      [
        'Max-Vote',
        'remark',
        'section 3.6 says: the vote of the three models is closer to the experts than the models; but Llama2-70b alone is closer in all three columns: 86.1, 80.6 and 92.3',
      ],
    ]);
    expect(told('inca-3')).toEqual([
      // 82.6 − 81.4 = 1.2
      [gpt, 'difference', 'the difference of 82.6 and 81.4 lies between 1.050 and 1.350, not at 1.7'],
      not70(gpt, '82.6'),
      not70('Llama2-70b', '92.3'),
    ]);
  });

  test('conversational recommenders: the count of factors in which the average is best', () => {
    const table = tableOf('core-8');
    const best = (what: 'Rho' | 'Tau') =>
      table.rows.filter((_, row) =>
        ['gpt', 'glm', 'llama'].every(
          (model) => cell(table, row, `average${what}`) > cell(table, row, `${model}${what}`),
        ),
      ).length;
    expect([best('Rho'), best('Tau')]).toEqual([6, 2]);
    expect(told('core-8')[0]).toEqual([
      '',
      'remark',
      'section 7.1.2 says: the average beats every single model in 8 of 12 factors; but it does in 6 by Spearman’s and in 2 by Kendall’s correlation',
    ]);
    expect(told('core-8').length).toBe(3);
    expect(told('core-9')).toEqual([]);
  });

  test('conversational recommenders: a deviation that no scores from 0 to 4 have', () => {
    expect(['core-21', 'core-22', 'core-23'].map((id) => told(id))).toEqual([
      [
        [
          'Proactiveness KBRD OpenDialKG',
          'deviation',
          // The mean is below 0.13: √(0.13 · 3.87) = 0.709
          'scores from 0 to 4 with a mean of 0.12 deviate by 0.71 at most, not by 0.86',
        ],
      ],
      [],
      [],
    ]);
  });

  test('conversational recommenders: what section 7.2.1 says of the best models’ means', () => {
    // Table 8: the model with the highest Spearman correlation by factor
    const best = { Effectiveness: 'core-23', Explainability: 'core-22', Proactiveness: 'core-21' };
    for (const [factor, id] of Object.entries(best)) {
      const table = tableOf(id);
      const means = (system: string) =>
        ['OpenDialKG', 'ReDial'].map((dataset) => cell(table, rowOf(table, factor, system, dataset), 'mean'));
      for (const other of ['BARCOR', 'KBRD', 'UniCRS'])
        for (const at of [0, 1]) expect(means('CHATCRS')[at]).toBeGreaterThan((means(other)[at] ?? 9) + 1);
    }
  });

  test('the numbers that remarks compare stand in the tables', () => {
    const b5 = tableOf('contextual-b5');
    const bestOf = (model: string) =>
      Math.max(...b5.rows.flatMap((row, index) => (row[0] === model ? [cell(b5, index, 'f1')] : [])));
    expect(['GPT-4 Turbo', 'GPT-4o', 'GPT-4.1'].map(bestOf)).toEqual([0.965, 0.964, 0.96]);
    const factual = tableOf('factual-2');
    const at = (model: string, method: string) =>
      cell(factual, rowOf(factual, model, method), 'consistency-0.0');
    expect(['GPT-4', 'GPT-4o', 'LLAMA 3 70B'].map((model) => at(model, 'MPSC'))).toEqual([82.5, 78.6, 82.5]);
    expect([at('GPT-4', 'RT'), at('GPT-4o', 'RT'), at('LLAMA 3 70B', 'CoT')]).toEqual([90.2, 85.4, 84.4]);
    const time = tableOf('factual-5');
    expect(cell(time, rowOf(time, 'CoT'), 'secondsPerToken')).toBe(0.0038);
    expect(cell(time, rowOf(time, 'IO'), 'secondsPerToken')).toBe(0.0065);
    expect([cell(time, rowOf(time, 'CoT'), 'seconds'), cell(time, rowOf(time, 'RT'), 'seconds')]).toEqual([
      5.5, 23.7,
    ]);
  });
});

describe('a table with mistakes', () => {
  const share = (id: string) => ({ id, title: id, meaning: id, unit: 'share' as const, decimals: 2 });
  const aTable = (parts: Partial<PublishedTable>) =>
    TableSchema.parse({
      id: 'made-up',
      paper: 'a test',
      table: 'Table 0',
      place: 'nowhere',
      title: 'Made up',
      columns: [
        { id: 'name', title: 'Name', meaning: 'name', unit: 'label' },
        share('p'),
        share('r'),
        share('f'),
      ],
      rows: [],
      contradictions: [],
      ...parts,
    });
  const contradictionsIn = (table: PublishedTable, check: Check) =>
    contradictionsOf(table, [table], { 'made-up': { checks: [check], remarks: [] } });

  test('an F1 that precision and recall do not give is found; one that rounding explains is not', () => {
    const table = aTable({
      rows: [
        ['right', 0.5, 0.5, 0.5],
        ['cut off', 0.67, 0.66, 0.66], // 0.665
        ['wrong', 0.5, 0.5, 0.6],
        ['missing', 0.5, null, 0.6],
      ],
    });
    expect(contradictionsIn(table, { kind: 'f1', columns: ['p', 'r', 'f'] })).toEqual([
      {
        kind: 'f1',
        row: 2,
        columns: ['p', 'r', 'f'],
        text: 'F1 of 0.50 and 0.50 lies between 0.4950 and 0.5100, not at 0.60',
      },
    ]);
  });

  test('counts that give precision and recall but not F1 are no counts', () => {
    const check: Check = {
      kind: 'counts',
      columns: ['p', 'r', 'f'],
      positives: 10,
      negatives: 90,
      where: 'a test',
    };
    const table = aTable({
      rows: [
        ['right', 0.5, 0.8, 0.61], // 8 of 10 found, 8 let through: 16/26 = 0.615
        ['wrong', 0.5, 0.8, 0.7],
      ],
    });
    expect(contradictionsIn(table, check)).toMatchObject([{ row: 1, kind: 'counts' }]);
  });

  test('a quotient that does not fit is found', () => {
    const table = aTable({
      rows: [
        ['right', 0.5, 1, 0.5],
        ['wrong', 0.5, 1, 0.4],
      ],
    });
    expect(contradictionsIn(table, { kind: 'quotient', columns: ['p', 'r', 'f'] })).toMatchObject([
      { row: 1, kind: 'quotient' },
    ]);
  });

  test.each([
    [[['a', 0.5, 0.5]], /row 0 has 3 cells, not 4/],
    [[['a', 0.5, 0.5, 1.5]], /row 0, f: must be from 0 to 1/],
    [[['a', 0.5, 0.555, 0.5]], /row 0, r: has more than 2 decimals/],
    [[[0.5, 0.5, 0.5, 0.5]], /row 0, name: must be a text/],
    [[['a', '0.5', 0.5, 0.5]], /row 0, p: must be a number/],
  ])('%j is not taken', (rows, message) => {
    expect(() => aTable({ rows })).toThrow(message);
  });
});
