import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Trial, trialOf } from '../../src/benchmark/trial.ts';
import {
  bestByCriterion,
  bestByCriterionCsv,
  bestByCriterionTable,
} from '../../src/reports/best-by-criterion.ts';
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

let report: Report;
beforeAll(async () => {
  const store = createFolderTrialStore(mkdtempSync(join(tmpdir(), 'jury-best-')));
  const cases = Array.from({ length: 6 }, (_, at) =>
    aCase({
      id: `c${at}`,
      tags: { system: at % 2 === 0 ? 'A' : 'B' },
      label: {
        criteria: { clear: PEOPLE.clear[at] ?? 0, kind: PEOPLE.kind[at] ?? 0, brief: PEOPLE.brief[at] ?? 0 },
      },
    }),
  );
  const configurations = Object.keys(MODELS).map((models) =>
    aConfiguration({ id: `rate ${models}`, models: models.split(' ') }),
  );
  const dataset = { source: 'x.jsonl', cases: 6, labeled: 6, hash: 'h' };
  await store.create(aManifest({ name: 'rated', configurations, dataset }), cases);
  const writer = await store.write('rated');
  for (const [place, scores] of Object.values(MODELS).entries())
    for (const [at, { label: said }] of cases.entries()) {
      const label: Trial['label'] = said ?? null;
      const verdict = aRating(2, {
        clear: scores.clear[at] ?? 0,
        kind: scores.kind[at] ?? 0,
        brief: scores.brief[at] ?? 0,
      });
      await writer.save(trialOf(`${place}-${at}`, configurations[place]?.id ?? '', label, verdict), verdict);
    }
  await writer.close();
  report = await makeReport(store, 'rated', { by: ['tags.system'] });
});

test('each criterion has the model that agrees best with people, never a panel', () => {
  const best = bestByCriterion(report.setups).map((equals) =>
    equals.map(({ criterion, setup }) => `${criterion}: ${setup.models.join(' + ')}`),
  );
  expect(best).toEqual([['clear: openai/a'], ['kind: openai/b'], ['brief: openai/a', 'brief: openai/b']]);
});

test('its means by group are shown; equal models are both named, and their means are not', () => {
  const table = bestByCriterionTable(report);
  const texts = table?.rows.map(({ head, cells }) => [head, ...cells.map(({ text }) => text)]);
  // clear by a: system A has 0, 2, 4, system B 1, 3, 4; kind by b: 4, 2, 1 and 4, 1, 0
  expect(texts?.map((row) => [row[0], ...row.slice(5)])).toEqual([
    ['clear', '2.00 (2.00)', '2.67 (1.53)'],
    ['kind', '2.33 (1.53)', '1.67 (2.08)'],
    ['brief', '–', '–'],
  ]);
  expect(table?.columns.slice(4).map(({ title }) => title)).toEqual(['A', 'B']);
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

test('one model alone is no choice', () => {
  const alone = { ...report, setups: report.setups.slice(0, 1) };
  expect(bestByCriterionTable(alone)).toBeNull();
});
