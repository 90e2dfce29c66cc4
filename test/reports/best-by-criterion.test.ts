import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Trial, trialOf } from '../../src/benchmark/trial.ts';
import { bestByCriterionCsv, bestByCriterionTable } from '../../src/reports/best-by-criterion-tables.ts';
import { makeJoinedReport } from '../../src/reports/joined-report.ts';
import { makeReport } from '../../src/reports/make-report.ts';
import type { Report } from '../../src/reports/report.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { aCase } from '../support/builders.ts';
import { aConfiguration, aManifest, aRating } from '../support/run-builders.ts';

/** What people said, and three models, of six logs of two systems. */
const PEOPLE = { clear: [0, 1, 2, 3, 4, 4], kind: [4, 3, 2, 2, 1, 0], brief: [0, 0, 1, 2, 3, 4] };
const MODELS = {
  // Exactly as people, by clear; the other way round, by kind
  'openai/a': { clear: [0, 1, 2, 3, 4, 4], kind: [0, 1, 2, 2, 3, 4], brief: [0, 0, 1, 2, 3, 4] },
  'openai/b': { clear: [4, 3, 2, 1, 0, 0], kind: [4, 4, 2, 1, 1, 0], brief: [0, 0, 1, 2, 3, 4] },
  // A panel of two, which is nobody's own
  'openai/a openai/b': { clear: [0, 1, 2, 3, 4, 4], kind: [4, 3, 2, 2, 1, 0], brief: [0, 0, 1, 2, 3, 4] },
};

type Scores = Readonly<Record<string, readonly number[]>>;

const store = createFolderTrialStore(mkdtempSync(join(tmpdir(), 'jury-best-')));

/** Keeps a run. @param models what each said of the first cases: a run that is not finished has some without */
async function keep(name: string, people: Scores, models: Readonly<Record<string, Scores>>): Promise<void> {
  const scoresAt = (scores: Scores, at: number): Record<string, number> =>
    Object.fromEntries(
      Object.entries(scores).flatMap(([criterion, own]) => {
        const score = own[at];
        return score === undefined ? [] : [[criterion, score]];
      }),
    );
  const [first = []] = Object.values(people);
  const cases = first.map((_, at) =>
    aCase({
      id: `c${at}`,
      tags: { system: at % 2 === 0 ? 'A' : 'B' },
      label: { criteria: scoresAt(people, at) },
    }),
  );
  const configurations = Object.keys(models).map((own) =>
    aConfiguration({ id: `rate ${own}`, models: own.split(' ') }),
  );
  const dataset = { source: 'x.jsonl', cases: cases.length, labeled: cases.length, hash: 'h' };
  await store.create(aManifest({ name, configurations, dataset }), cases);
  const writer = await store.write(name);
  for (const [place, scores] of Object.values(models).entries())
    for (const [at, { label: said }] of cases.entries()) {
      const label: Trial['label'] = said ?? null;
      const given = scoresAt(scores, at);
      if (Object.keys(given).length === 0) continue;
      const verdict = aRating(2, given);
      await writer.save(trialOf(`${place}-${at}`, configurations[place]?.id ?? '', label, verdict), verdict);
    }
  await writer.close();
}

let report: Report;
beforeAll(async () => {
  await keep('rated', PEOPLE, MODELS);
  report = await makeReport(store, 'rated', { by: ['tags.system'] });
});

test('each criterion has the model that agrees best with people, never a panel', () => {
  expect(report.bestByCriterion.map(({ criterion, best }) => [criterion, ...best])).toEqual([
    ['clear', 'rate openai/a'],
    ['kind', 'rate openai/b'],
    ['brief', 'rate openai/a', 'rate openai/b'],
  ]);
});

test('its means by group are shown; equal models are both named, and their means are not', () => {
  const table = bestByCriterionTable(report);
  const texts = table?.rows.map(({ head, cells }) => [head, ...cells.map(({ text }) => text)]);
  // clear by a: system A has 0, 2, 4, system B 1, 3, 4; kind by b: 4, 2, 1 and 4, 1, 0
  expect(texts?.map((row) => [row[0], ...row.slice(6)])).toEqual([
    ['clear', '2.00 (2.00)', '2.67 (1.53)'],
    ['kind', '2.33 (1.53)', '1.67 (2.08)'],
    ['brief', '–', '–'],
  ]);
  expect(table?.columns.slice(5).map(({ title }) => title)).toEqual(['A', 'B']);
  expect(texts?.[2]?.[1]).toBe('rate openai/a = rate openai/b');
});

test('the file has a line for each group', () => {
  const [heads = '', ...rows] = bestByCriterionCsv(report).trimEnd().split('\r\n');
  expect(heads).toContain('tags.system');
  // Two systems for clear, two for kind, and two for each of the equals
  expect(rows).toHaveLength(2 + 2 + 2 * 2);
  const at = heads.split(',').indexOf('score mean');
  expect(rows.slice(0, 2).map((row) => Number(row.split(',')[at]))).toEqual([2, expect.closeTo(8 / 3, 12)]);
});

test('one model alone is no choice', async () => {
  await keep('alone', PEOPLE, { 'openai/a': MODELS['openai/a'] });
  const alone = await makeReport(store, 'alone');
  expect(alone.bestByCriterion).toEqual([]);
  expect(bestByCriterionTable(alone)).toBeNull();
});

/** Forty scores by people; one that is off on some cases beyond the first five, one that scored only these and is off on one. */
const FORTY = Array.from({ length: 40 }, (_, at) => at % 5);
const FAIR = FORTY.map((score, at) => (at > 5 && at % 4 === 0 ? 4 - score : score));
const FEW = [0, 1, 2, 4, 3];

test('models are compared on the cases that all of them scored', async () => {
  // On its own forty cases the first has a lower correlation than the second on its five.
  await keep('unfinished', { clear: FORTY }, { 'openai/a': { clear: FAIR }, 'openai/b': { clear: FEW } });
  const unfinished = await makeReport(store, 'unfinished');
  const [one, other] = unfinished.setups.map(
    ({ criteria }) => criteria[0]?.scores?.against?.spearman.measure,
  );
  expect(one?.defined && other?.defined && one.value < other.value).toBe(true);
  expect(unfinished.bestByCriterion).toMatchObject([
    {
      best: ['rate openai/a'],
      cases: 5,
      spearman: { measure: { value: expect.closeTo(1, 12), n: 5 } },
      kendall: { value: expect.closeTo(1, 12), n: 5 },
      // Differences of ranks 1 and −1: 1 − 6 · 2 ÷ (5 · 24).
      runnerUp: { id: 'rate openai/b', lead: { difference: { value: expect.closeTo(0.1, 12), n: 5 } } },
    },
  ]);
  const table = bestByCriterionTable(unfinished);
  expect(table?.rows[0]?.cells.map(({ text }) => text).slice(0, 5)).toEqual([
    'rate openai/a',
    '5',
    '1.000',
    '1.000',
    'rate openai/b: may be chance',
  ]);
});

test('a lead that is no chance is not called one', async () => {
  const off = FORTY.map((score, at) => (at % 3 === 0 ? 4 - score : score));
  const slightly = FORTY.map((score, at) => (at === 3 ? 2 : score));
  await keep('sure', { clear: FORTY }, { 'openai/a': { clear: off }, 'openai/b': { clear: slightly } });
  const sure = await makeReport(store, 'sure');
  expect(bestByCriterionTable(sure)?.rows[0]?.cells[4]?.text).toBe('rate openai/a');
  const [heads = '', row = ''] = bestByCriterionCsv(sure).trimEnd().split('\r\n');
  const cells = row.split(',');
  const at = (head: string) => cells[heads.split(',').indexOf(head)];
  expect([at('configuration'), at('cases of all'), at('runner-up')]).toEqual([
    'rate openai/b',
    '40',
    'rate openai/a',
  ]);
  expect(Number(at('ahead by low'))).toBeGreaterThan(0);
});

test('runs side by side are ranked on the cases that all have, and only if asked to', async () => {
  await keep('first', { clear: FORTY }, { 'openai/a': { clear: FAIR } });
  await keep(
    'second',
    { clear: FORTY.slice(0, 10) },
    { 'openai/b': { clear: FAIR.slice(0, 10).toReversed() } },
  );
  const runs = ['first', 'second'];
  expect((await makeJoinedReport(store, runs, {})).bestByCriterion).toEqual([]);
  expect((await makeJoinedReport(store, runs, { common: true })).bestByCriterion).toMatchObject([
    { best: ['rate openai/a'], cases: 10, runnerUp: { id: 'rate openai/b' } },
  ]);
});
