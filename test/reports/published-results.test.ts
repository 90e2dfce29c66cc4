import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeReport } from '../../src/reports/make-report.ts';
import type { SetupReport } from '../../src/reports/metrics/setup-report.ts';
import { publishedFor, publishedTable } from '../../src/reports/published/published-results.ts';
import type { Report } from '../../src/reports/report.ts';
import { reportMarkdown } from '../../src/reports/report-markdown.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { keepMadeRun, manyHabits } from '../support/made-run.ts';
import { reportHtml } from '../support/report-html.ts';

let report: Report;
let io: SetupReport;

beforeAll(async () => {
  const store = createFolderTrialStore(mkdtempSync(join(tmpdir(), 'jury-published-')));
  const habits = manyHabits
    .filter(({ models }) => models.includes('openai/gpt-4o'))
    .map((habit) => ({ ...habit, method: habit.method === 'io' ? 'io-plain' : habit.method }));
  await keepMadeRun(store, { name: 'paper', cases: 60, repeats: 1, habits, rubric: 'navigation-paper' });
  report = await makeReport(store, 'paper');
  const [first] = report.setups;
  if (first === undefined) throw new Error('no setup');
  io = first;
});

const runOf = (rubric: string, panel: string[] | null = null): Pick<Report, 'run'> => ({
  run: { ...report.run, rubrics: rubric.split(', '), settings: { ...report.run.settings, panel } },
});
const found = (parts: Partial<SetupReport>, rubric = 'navigation-paper', panel: string[] | null = null) =>
  publishedFor(runOf(rubric, panel), { ...io, ...parts });
const valuesOf = (parts: Partial<SetupReport>, rubric?: string, panel?: string[]) =>
  found(parts, rubric, panel).figures.map(({ table, metric, criterion, value }) =>
    [table.id, criterion, metric, value].filter((one) => one !== null).join(' '),
  );

const none = { defined: false, n: 0, why: 'none' } as const;
const estimate = { measure: none, interval: none };
/** Scores with labels. */
const scores: SetupReport['scores'] = {
  ...{ n: 9, cases: 9, mean: estimate, deviation: none },
  against: {
    ...{ n: 9, coverage: none, spearman: estimate, kendall: none, pearson: none },
    ...{ alpha: estimate, alphaScale: 'ordinal', meanAbsoluteError: estimate },
  },
};

/** What a rubric's criteria have where labels say what is right for each. */
const criteriaOf = (...ids: string[]): SetupReport['criteria'] =>
  ids.map((id) => ({
    ...{ id, accuracy: estimate, kappa: estimate, decided: estimate, scores: null, relevance: null },
    ...{ undecided: 0, 'no-quorum': 0, unanswered: 0 },
  }));

describe('a published figure stands beside a run', () => {
  test('with the same model under the name of its provider', () => {
    // Table B.5: DeepSeek-R1 with CoT-1 has F1 0.990, GPT-4o I/O 0.951.
    expect(valuesOf({ method: 'io-plain', models: ['openai/gpt-4o-2024-08-06'] })).toContain(
      'contextual-b5 f1 0.951',
    );
    expect(valuesOf({ method: 'cot-1', models: ['deepseek/deepseek-reasoner'] })).toContain(
      'contextual-b5 f1 0.99',
    );
    // Figure 3 has 0.985 here: a contradiction, which is reported.
    const doubtful = found({ method: 'sc-5', models: ['openrouter/deepseek/deepseek-chat'] });
    expect(doubtful.figures.find(({ metric }) => metric === 'f1')).toMatchObject({
      value: 0.974,
      doubtful: true,
    });
  });

  test('with the same models in any order', () => {
    const models = ['openai/o3-mini', 'deepseek/deepseek-chat', 'deepseek/deepseek-reasoner'];
    expect(valuesOf({ method: 'roundtable', models })).toEqual([
      ...['f1 0.98', 'precision 0.97', 'recall 0.99'].map((one) => `contextual-b5 ${one}`),
      ...['f1 0.98', 'precision 0.97', 'recall 0.99'].map((one) => `contextual-4 ${one}`),
    ]);
  });

  test('of any paper', () => {
    const factual = { criteria: criteriaOf('consistency', 'relevance'), categories: [] };
    const gpt4 = { ...factual, models: ['openai/gpt-4'], method: 'io-plain', id: 'io-plain openai/gpt-4 t0' };
    // Table II, GPT-4 with IO at temperature 0, in shares; table V has tokens and times.
    expect(valuesOf(gpt4, 'factual-consistency-paper, factual-relevance-paper')).toEqual(
      expect.arrayContaining([
        'factual-2 consistency accuracy 0.922',
        'factual-2 relevance accuracy 0.902',
        expect.stringMatching(/^factual-5 tokens \d+$/),
      ]),
    );
    // One prompt for both is another way of judging.
    expect(valuesOf(gpt4, 'factual-correctness')).toEqual([]);
    const round = {
      ...factual,
      models: ['openai/gpt-4'],
      method: 'roundtable-0',
      id: 'roundtable-0 openai/gpt-4 t0',
    };
    // Both tables have it: the round table of five is the same.
    expect(valuesOf(round, 'factual-consistency-paper, factual-relevance-paper')).toEqual(
      expect.arrayContaining([
        'factual-2 consistency accuracy 0.902',
        'factual-3 consistency accuracy 0.902',
        'factual-2 relevance accuracy 0.922',
        'factual-3 relevance accuracy 0.922',
      ]),
    );
    const llama = {
      models: ['replicate/llama-2-70b'],
      method: 'io',
      criteria: criteriaOf('harmful-user-input'),
    };
    expect(valuesOf(llama, 'harmful-user-input')).toEqual([
      'inca-2 harmful-user-input accuracy 0.923',
      'inca-3 harmful-user-input accuracy 0.923',
    ]);
    // Table 3, with the persona of the brand's ambassador.
    expect(valuesOf(llama, 'harmful-user-input', ['brand-ambassador'])).toEqual([
      'inca-3 harmful-user-input accuracy 0.929',
    ]);
    const debate = { models: ['openai/gpt-4o-mini'], method: 'core-debate', scores };
    expect(valuesOf(debate, 'core')).toEqual(['core-9 spearman 0.718', 'core-9 kendall 0.559']);
    const factors = { models: ['zhipu/glm-4-air'], method: 'core-factors', scores };
    expect(valuesOf(factors, 'core')).toEqual(
      expect.arrayContaining(['core-8 coherence spearman 0.671', 'core-8 coherence kendall 0.585']),
    );
  });

  test.each<[string, Partial<SetupReport>, string, string[]]>([
    ['another rubric', {}, 'navigation', ['rubric navigation, not navigation-paper']],
    ['another model', { models: ['rules'] }, 'navigation-paper', ['model rules, not one of the table’s']],
    ['another method', { method: 'mpsc' }, 'navigation-paper', ['method mpsc, not io-plain']],
    [
      'another temperature',
      { temperature: 0.7, id: 'io openai/gpt-4o t0.7' },
      'navigation-paper',
      ['temperature 0.7, not 0'],
    ],
    [
      'a method’s own temperature',
      { id: 'io openai/gpt-4o t0.4' },
      'navigation-paper',
      ['temperature 0.4, not 0'],
    ],
    [
      'equal calls',
      { method: 'mad', equalCallsOf: 'mad openai/gpt-4o t0' },
      'navigation-paper',
      ['a vote with equal calls'],
    ],
    [
      'other data',
      { categories: [] },
      'navigation-paper',
      ['data other than recommendations with one error of cost, cuisine, location, rating or time, or none'],
    ],
  ])('never with %s, which is named', (_, parts, rubric, differs) => {
    expect(found(parts, rubric)).toMatchObject({ figures: [], differs });
  });
});

test('the table has the same in the terminal, in Markdown and on the page', () => {
  const table = publishedTable(report);
  const rows = table.rows.map(({ head, cells }) => [
    typeof head === 'string' ? head : head.id,
    ...cells.map(({ text }) => text),
  ]);
  expect(rows[0]).toEqual([
    'io-plain openai/gpt-4o t0',
    'Habicht et al., Table B.5: f1',
    'its own cases',
    io.effectiveness.f1.measure.defined ? io.effectiveness.f1.measure.value.toFixed(3) : '',
    '0.951',
  ]);
  expect(rows.at(-1)?.at(2)).toMatch(
    /^model openai\/gpt-4o-mini \+ openai\/gpt-4o \+ deepseek\/deepseek-chat, not /,
  );
  for (const text of [reportMarkdown(report, { published: true }), reportHtml(report, true)]) {
    expect(text).toContain('Beside the papers');
    expect(text).toContain('0.951');
  }
  expect(reportHtml(report)).not.toContain('Beside the papers');
});
