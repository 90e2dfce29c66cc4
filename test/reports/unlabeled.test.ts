import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type SpokenTrial, trialOf } from '../../src/benchmark/trial.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { compareRuns } from '../../src/reports/comparison/compare-runs.ts';
import { checkThresholds, readThreshold } from '../../src/reports/gates/thresholds.ts';
import { makeReport } from '../../src/reports/make-report.ts';
import type { Report } from '../../src/reports/report.ts';
import { setupsCsv } from '../../src/reports/report-csv.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { reportHtml } from '../support/report-html.ts';
import { aConfiguration, aManifest, aVerdict, casesOf } from '../support/run-builders.ts';

const runs = mkdtempSync(join(tmpdir(), 'jury-unlabeled-'));
const store = createFolderTrialStore(runs);
const configurations = ['io', 'mad'].map((method) => aConfiguration({ id: `${method} rules t0 #1`, method }));

/** 3 pass, 5 fail and 2 undecided of ten; the second configuration passes one more. */
const decisions = (more: number): Verdict['decision'][] =>
  Array.from({ length: 10 }, (_, index) => (index < 3 + more ? 'pass' : index < 8 ? 'fail' : 'undecided'));

let report: Report;
const spoken: SpokenTrial[] = [];

beforeAll(async () => {
  const dataset = { source: 'asked.jsonl', cases: 10, labeled: 0, hash: 'h' };
  const manifest = aManifest({ name: 'asked', configurations, dataset });
  await store.create(manifest, casesOf(10));
  const writer = await store.write('asked');
  for (const [place, { id }] of configurations.entries())
    for (const [index, decision] of decisions(place).entries()) {
      const verdict = { ...aVerdict(), decision };
      await writer.save(trialOf(`${place}-${index}`, id, null, verdict), verdict);
    }
  await writer.close();
  report = await makeReport(store, 'asked', {
    each: (trial) => {
      spoken.push(trial);
      return null;
    },
  });
});

describe('a run of cases without labels', () => {
  test('has a pass rate of all and of what was decided, and the share of that', () => {
    expect(report.setups[0]?.decisions).toMatchObject({
      n: 10,
      cases: 10,
      pass: 3,
      fail: 5,
      undecided: 2,
      passRate: { measure: { defined: true, value: 3 / 10, n: 10 }, interval: { by: 'wilson' } },
      decided: { measure: { defined: true, value: 3 / 8, n: 8 }, interval: { by: 'wilson' } },
      coverage: { value: 0.8 },
    });
  });

  test('shows them on the page, without a score that needs labels', () => {
    const page = reportHtml(report, true);
    expect(page).toContain('<p class="lead"><b>38 % of 8 answers pass (14–69)</b></p>');
    expect(page).toContain('no label says which decisions are right.');
    expect(page).toContain('<td>30.0 %<small>10.8–60.3 %</small></td><td>3</td><td>5</td>');
    expect(page).toContain(
      '<td>80.0 %<small>of 10, 2 undecided</small></td><td>37.5 %<small>13.7–69.4 %</small></td>',
    );
    expect(page).not.toMatch(/no case was judged correct|F1|Published|id="mistakes"|<td class="none">–/);
  });

  test('has them in the table of configurations', () => {
    const [heads = [], cells = []] = setupsCsv(report)
      .split('\r\n')
      .map((line) => line.split(','));
    const at = (head: string) => cells[heads.indexOf(head)];
    expect(['pass', 'fail', 'pass rate', 'pass rate of decided', 'decided', 'f1'].map(at)).toEqual([
      '3',
      '5',
      '0.3',
      '0.375',
      '0.8',
      '',
    ]);
  });

  test.each([
    ['pass-rate=0.4', [false, true]],
    ['coverage=0.8', [true, true]],
    ['f1=0.1', [false, false]],
  ])('meets %s: %j', (text, met) => {
    const threshold = readThreshold(text);
    const checks = checkThresholds(report.setups, threshold === null ? [] : [threshold]);
    expect(checks.map((check) => check.met)).toEqual(met);
  });

  test('is compared by pass rate', async () => {
    const side = (setup: string) => ({ run: 'asked', setup });
    const { comparison } = await compareRuns(store, side('io'), side('mad'));
    const [{ pair } = { pair: null }] = comparison.pairs;
    expect(pair?.decisions).toMatchObject({
      cases: 10,
      passRate: {
        first: { value: 0.3 },
        second: { value: 0.4 },
        difference: { value: expect.closeTo(0.1, 12) },
      },
      // Eight of the ten are decided each time.
      decided: {
        cases: 8,
        passRate: { first: { value: 3 / 8 }, second: { value: 0.5 }, difference: { value: 0.125 } },
      },
    });
  });

  test('is written with what each judge said', () => {
    expect(spoken.map(({ key }) => key).sort()).toEqual(
      configurations.flatMap((_, place) => decisions(0).map((_decision, index) => `${place}-${index}`)),
    );
    expect(spoken[0]?.judgements[0]).toMatchObject({
      decision: 'pass',
      rationale: 'test/model in round 0',
      message: null,
    });
  });

  test('is written without it where a power cut lost the verdict, and without verdicts of no trial', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jury-torn-'));
    cpSync(runs, folder, { recursive: true });
    const drop = (file: string, key: string) => {
      const path = join(folder, 'asked', file);
      const lines = readFileSync(path, 'utf8').split('\n');
      writeFileSync(path, lines.filter((line) => !line.startsWith(`{"key":"${key}"`)).join('\n'));
    };
    drop('verdicts.jsonl', '0-4');
    drop('trials.jsonl', '1-2');
    const written = new Map<string, SpokenTrial>();
    const { trials } = await makeReport(createFolderTrialStore(folder), 'asked', {
      each: (trial) => {
        written.set(trial.key, trial);
        return null;
      },
    });
    expect([trials, written.size, written.has('1-2')]).toEqual([19, 19, false]);
    expect(written.get('0-4')).toMatchObject({ decision: 'fail', judgements: [{ rationale: null }] });
  });
});
