import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Trial, trialOf } from '../../src/benchmark/trial.ts';
import type { EvalCase } from '../../src/case/case.ts';
import type { Judgement } from '../../src/judging/verdict/judgement.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { correlationsTable } from '../../src/reports/correlations.ts';
import { groupCriteriaTables, groupsTable, readDimensions } from '../../src/reports/groups.ts';
import { makeJoinedReport } from '../../src/reports/joined-report.ts';
import { makeReport } from '../../src/reports/make-report.ts';
import { criteriaCsv } from '../../src/reports/metrics/criteria.ts';
import { Report } from '../../src/reports/report.ts';
import { correlationsCsv, groupsCsv } from '../../src/reports/report-csv.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { aCase } from '../support/builders.ts';
import { reportHtml } from '../support/report-html.ts';
import { aConfiguration, aManifest, aRating, aVerdict } from '../support/run-builders.ts';

const store = createFolderTrialStore(mkdtempSync(join(tmpdir(), 'jury-groups-')));

async function keep(
  name: string,
  trials: readonly { evalCase: Partial<EvalCase>; verdict: Verdict }[],
): Promise<void> {
  const cases = trials.map(({ evalCase }, index) => aCase({ id: `c${index}`, ...evalCase }));
  const labeled = cases.filter(({ label }) => label !== undefined).length;
  const dataset = { source: 'x.jsonl', cases: cases.length, labeled, hash: 'h' };
  await store.create(aManifest({ name, configurations: [aConfiguration()], dataset }), cases);
  const writer = await store.write(name);
  for (const [index, { verdict }] of trials.entries()) {
    const label: Trial['label'] = cases[index]?.label ?? null;
    await writer.save(trialOf(`0-${index}`, 'io rules t0 #1', label, verdict), verdict);
  }
  await writer.close();
}

/** Ratings of two criteria, and their mean. */
const rated = (clear: number, kind: number): Verdict => aRating((clear + kind) / 2, { clear, kind });

/** A panel in two rounds; only the last one counts for its personas. */
function debated(first: readonly ['pass' | 'fail', 'pass' | 'fail'], last: typeof first): Verdict {
  const base = aVerdict();
  const [judgement] = base.judgements;
  if (judgement?.status !== 'scored') throw new Error('no judgement');
  const said = [first, last].flatMap((decisions, round) =>
    decisions.map(
      (decision, seat): Judgement => ({
        ...judgement,
        round,
        decision,
        judge: { persona: seat === 0 ? 'auditor' : 'driver', model: 'a/b', sample: 0 },
      }),
    ),
  );
  return { ...base, decision: last[0] === last[1] ? last[0] : 'undecided', judgements: said, rounds: 2 };
}

/** A panel that left two judges unasked once the majority was decided. @param takenFrom the run from which it is taken over */
function stoppedEarly(takenFrom: string): Verdict {
  const verdict = debated(['pass', 'pass'], ['pass', 'pass']);
  return { ...verdict, tally: { ...verdict.tally, notAsked: 2 }, takenFrom: { run: takenFrom } };
}

const tags = (system: string, dataset?: string) => ({
  system,
  ...(dataset === undefined ? {} : { dataset }),
});

beforeAll(async () => {
  await keep('rated', [
    {
      evalCase: { tags: tags('B', 'redial'), label: { criteria: { clear: 4, kind: 1 } } },
      verdict: rated(4, 2),
    },
    {
      evalCase: { tags: tags('B', 'redial'), label: { criteria: { clear: 3, kind: 2 } } },
      verdict: rated(2, 1),
    },
    { evalCase: { tags: tags('B'), label: { criteria: { clear: 1, kind: 4 } } }, verdict: rated(0, 0) },
    { evalCase: { tags: tags('A', 'redial') }, verdict: rated(1, 3) },
  ]);
  await keep('stopped', [
    { evalCase: { label: { decision: 'pass' } }, verdict: stoppedEarly('monday') },
    { evalCase: { label: { decision: 'pass' } }, verdict: stoppedEarly('monday') },
  ]);
  await keep('debated', [
    {
      evalCase: { tags: tags('A'), label: { decision: 'pass' } },
      verdict: debated(['fail', 'fail'], ['pass', 'fail']),
    },
    {
      evalCase: { tags: tags('A'), label: { decision: 'fail' } },
      verdict: debated(['pass', 'fail'], ['fail', 'fail']),
    },
    {
      evalCase: { tags: tags('B'), label: { decision: 'pass' } },
      verdict: debated(['pass', 'pass'], ['pass', 'pass']),
    },
  ]);
});

const JUDGED_LATER = 'judges asked later answered mostly what the others disagreed on';

const reportBy = async (name: string, ...by: string[]) =>
  Report.parse(await makeReport(store, name, { by: readDimensions(by) }));

describe('groups of trials', () => {
  test('have their own means and deviations by criterion, by several tags at once', async () => {
    const report = await reportBy('rated', 'tags.system', 'tags.dataset');
    const groups = report.groups?.reports ?? [];
    expect(groups.map(({ values, setup }) => [...values, setup.trials])).toEqual([
      ['A', 'redial', 1],
      ['B', 'redial', 2],
      ['B', null, 1],
    ]);
    const clear = groups[1]?.setup.criteria.find(({ id }) => id === 'clear');
    // 4 and 2: mean 3, deviation √2
    expect(clear?.scores).toMatchObject({
      mean: { measure: { value: 3, n: 2 } },
      deviation: { value: expect.closeTo(Math.SQRT2, 12) },
    });
    const [table] = groupCriteriaTables(report);
    expect(table?.columns.map(({ title }) => title)).toEqual(['A, redial', 'B, redial', 'B, –']);
    expect(table?.rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['1.00 (–)', '3.00 (1.41)', '0.00 (–)'],
      ['3.00 (–)', '1.50 (0.71)', '0.00 (–)'],
    ]);
  });

  test('have a column of each dimension in CSV, and are on the page', async () => {
    const report = await reportBy('rated', 'tags.system', 'tags.dataset');
    if (report.groups === null) throw new Error('no groups');
    const lines = groupsCsv(report.groups).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^tags\.system,tags\.dataset,configuration,method,models,temperature,repeats,/);
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 3).join())).toEqual([
      'A,redial,io rules t0',
      'B,redial,io rules t0',
      'B,,io rules t0',
    ]);
    expect(criteriaCsv(report, report.groups).trimEnd().split('\r\n')).toHaveLength(1 + 3 * 2);
    const page = reportHtml(report);
    expect(page).toContain('<h2 id="groups">By group</h2>');
    expect(page).toContain('<h3>Mean scores (SD) by system and dataset: io rules t0</h3>');
  });

  test('can be the personas of a panel: what each answered in the last round', async () => {
    const { groups } = await reportBy('debated', 'persona');
    expect(
      groups?.reports.map(({ values, setup: { effectiveness } }) => [values[0], effectiveness.counts]),
    ).toEqual([
      ['auditor', { tp: 2, fp: 0, fn: 0, tn: 1 }],
      ['driver', { tp: 1, fp: 0, fn: 1, tn: 1 }],
    ]);
  });

  test.each([
    ['that stopped in an earlier run, from which it is taken over', 'stopped', true],
    ['that asked everybody', 'debated', false],
  ])('of a panel %s', async (_, run, isSaid) => {
    const report = await reportBy(run, 'persona');
    // Nothing was saved in this run.
    expect(report.setups.map(({ efficiency }) => efficiency.savedCalls)).toEqual([0]);
    expect(groupsTable(report)?.note?.includes(JUDGED_LATER)).toBe(isSaid);
    const both = await makeJoinedReport(store, ['debated', run], { by: readDimensions(['persona']) });
    expect(groupsTable(both)?.note?.includes(JUDGED_LATER)).toBe(isSaid);
  });

  test('can be personas and tags together, and rubrics', async () => {
    const both = await reportBy('debated', 'tags.system', 'persona');
    expect(both.groups?.reports.map(({ values, setup }) => [...values, setup.trials])).toEqual([
      ['A', 'auditor', 2],
      ['A', 'driver', 2],
      ['B', 'auditor', 1],
      ['B', 'driver', 1],
    ]);
    const rubrics = await reportBy('debated', 'rubric');
    expect(rubrics.groups?.reports.map(({ values }) => values)).toEqual([['plain']]);
  });

  test.each([
    ['system', '--by system: Must be tags.NAME, such as tags.system, or rubric, persona or model.'],
    ['tags.sytem', 'No case has the tag "sytem". There are: dataset, system.'],
  ])('by %s are refused with what to do', async (by, message) => {
    await expect(reportBy('rated', by)).rejects.toThrow(message);
  });

  test('are refused where there are so many that no one would read them', async () => {
    const many = Array.from({ length: 101 }, (_, index) => ({
      evalCase: { tags: { user: `u${index}` } },
      verdict: aVerdict(),
    }));
    await keep('many', many);
    await expect(reportBy('many', 'tags.user')).rejects.toThrow('makes more than 100 groups');
  });
});

describe('correlations between criteria', () => {
  test('are of labels by case, and of each configuration by trial', async () => {
    const report = await reportBy('rated');
    const [labels, judges] = report.correlations;
    // clear 4, 3, 1 and kind 1, 2, 4 lie on a falling line
    expect(labels).toMatchObject({
      setup: null,
      pairs: [{ first: 'clear', second: 'kind', pearson: { value: expect.closeTo(-1, 12), n: 3 } }],
    });
    // clear 4, 2, 0, 1 and kind 2, 1, 0, 3: 2.5 / √(8.75 · 5)
    expect(judges).toMatchObject({
      setup: 'io rules t0',
      pairs: [{ pearson: { value: expect.closeTo(2.5 / Math.sqrt(8.75 * 5), 12), n: 4 } }],
    });
    expect(correlationsTable(report)?.rows[0]?.cells.map(({ text }) => text)).toEqual([
      '−1.00',
      '0 of 1',
      '1 of 1',
      '−1.00 clear and kind',
    ]);
    expect(correlationsCsv(report)).toMatch(/\r\nlabels,clear,kind,3,-[01]\./);
    expect(reportHtml(report)).toContain('<h3>Correlation between criteria: Labels</h3>');
  });

  test('are left out where no two criteria have scores', async () => {
    const report = await reportBy('debated');
    expect([report.correlations, correlationsTable(report)]).toEqual([[], null]);
  });
});
