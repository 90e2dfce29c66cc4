import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunManifest } from '../../../src/benchmark/run-manifest.ts';
import { SpokenTrial, Trial } from '../../../src/benchmark/trial.ts';
import type { EvalCase } from '../../../src/case/case.ts';
import { Report } from '../../../src/reports/report.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { keepMadeRun, manyHabits } from '../../support/made-run.ts';
import { piecesIn } from '../../support/report-html.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const cwd = scratch();
const bench = (...args: string[]) => jury(['bench', ...args], { cwd });

beforeAll(async () => {
  const store = createFolderTrialStore(join(cwd, 'data', 'runs'));
  const made = { cases: 120, repeats: 1, habits: manyHabits.slice(0, 3) };
  await keepMadeRun(store, { ...made, name: 'before' });
  const better = made.habits.map((habit) => ({ ...habit, skill: habit.skill + 0.05 }));
  await keepMadeRun(store, { ...made, name: 'after', habits: better });
});

describe('jury bench report', () => {
  test('shows every configuration with F1 and its interval, no line over 100 columns', async () => {
    const { code, out, err } = await bench('report', 'before');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^before: 120 cases \(120 labeled\) of cases\.jsonl, rubric navigation\n/);
    expect(out).toMatch(/\n {2}io rules t0 +◆ 0\.\d{3} +0\.\d{3}–0\.\d{3}/);
    expect(out).toContain('Accuracy by error type');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test('--published says what differs from the papers in lines that wrap', async () => {
    const { out } = await bench('report', 'before', '--published');
    const table = out.slice(out.indexOf('Beside the papers')).split('\n\n')[0] ?? '';
    expect(table).toMatch(/\n {2}Configuration +Figure {2}What differs\n/);
    expect(table.replaceAll(/\s+/g, ' ')).toContain('model rules, not one of the table’s');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test('--out writes a page, the data and tables that agree with each other', async () => {
    const folder = join(cwd, 'out', 'deep');
    const { code, err } = await bench('report', 'before', '--out', folder);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('report.html, report.md, summary.json'),
    });
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    const report = Report.parse(JSON.parse(read('summary.json')));
    const trials = read('trials.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => SpokenTrial.parse(JSON.parse(line)));
    expect(trials.length).toBe(360);
    for (const { judgements } of trials)
      for (const { decision, rationale } of judgements) expect(rationale).toContain(`So I say ${decision}.`);
    expect(report.trials).toBe(360);
    const [, first = ''] = read('configurations.csv').split('\r\n');
    const [setup] = report.setups;
    const right = trials.filter(
      ({ configuration, decision, label }) =>
        configuration === 'io rules t0 #1' && decision === label?.decision,
    );
    expect(setup?.effectiveness.accuracy.measure).toMatchObject({
      value: expect.closeTo(right.length / 120, 12),
    });
    expect(first.startsWith('io rules t0,io,rules,,1,120,120,120,0,0,0,1,')).toBe(true);
    expect(read('trials.csv').trimEnd().split('\r\n').length).toBe(361);
    expect(read('errors.csv').split('\r\n').length).toBe(3 * 6 + 2);
    expect(read('report.html')).toMatch(/^<!doctype html>/);
    expect(report.mistakes.shown.every(({ words }) => words !== null)).toBe(true);
  });

  test('--out with a name that ends in .html writes the page alone', async () => {
    const { code, err } = await bench('report', 'before', '-o', 'alone.html');
    expect({ code, err }).toEqual({ code: 0, err: 'Written to alone.html.\n' });
    expect(piecesIn(readFileSync(join(cwd, 'alone.html'), 'utf8'))).toHaveLength(120 + 360);
  });

  test('--out leaves nothing half-made where a file cannot be written', async () => {
    const folder = join(cwd, 'out', 'blocked');
    mkdirSync(join(folder, 'trials.csv'), { recursive: true });
    const { code, err } = await bench('report', 'before', '--out', folder);
    expect(code).toBe(64);
    expect(err).toContain('trials.csv: it is a folder');
    expect(readdirSync(folder)).toEqual(['trials.csv']);
  });

  test('--json prints the report as data', async () => {
    const { code, out } = await bench('report', 'before', '--json');
    expect(code).toBe(0);
    expect(Report.parse(JSON.parse(out)).setups.length).toBe(3);
  });

  test('puts several runs side by side and tells configurations of the same name apart', async () => {
    const folder = join(cwd, 'out', 'joined');
    const { code, out, err } = await bench('report', 'before', 'after', '-o', folder);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('configurations.csv') });
    expect(out).toMatch(
      /^before \+ after: 120 cases \(120 labeled\) of cases\.jsonl.*\nAll runs have the same cases\./,
    );
    expect(out).toMatch(/\n {2}io rules t0 \(before\) .*\n(?:.*\n)*? {2}io rules t0 \(after\) /);
    const whole = Report.parse(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')));
    const single = Report.parse(JSON.parse((await bench('report', 'after', '--json')).out));
    const [own] = single.setups;
    expect(whole.setups.map(({ run }) => run)).toEqual([
      'before',
      'before',
      'before',
      'after',
      'after',
      'after',
    ]);
    expect(whole.setups[3]).toEqual({ ...own, id: `${own?.id} (after)`, run: 'after' });
    expect([whole.trials, whole.planned, whole.joined?.shared]).toEqual([720, 720, 120]);
    expect(whole.mistakes.counts['io rules t0 (after)']).toBe(single.mistakes.counts['io rules t0']);
    const trials = readFileSync(join(folder, 'trials.jsonl'), 'utf8').trimEnd().split('\n');
    expect(new Set(trials.map((line) => SpokenTrial.parse(JSON.parse(line)).key)).size).toBe(720);
    const table = readFileSync(join(folder, 'trials.csv'), 'utf8').trimEnd().split('\r\n');
    expect(table.filter((line) => line.startsWith('io rules t0 (after),'))).toHaveLength(120);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<b>io (after)</b>');
  });

  test('has a column for each tag of a case in trials.csv, and the versions of rubrics of all runs', async () => {
    const runs = createFolderTrialStore(join(cwd, 'data', 'runs'));
    for (const [name, tag, version] of [
      ['v1', 'system', 1],
      ['v2', 'city', 2],
    ] as const) {
      const store = {
        ...runs,
        create: (manifest: RunManifest, cases: readonly EvalCase[]) =>
          runs.create({ ...manifest, versions: { navigation: version } }, cases),
      };
      const shape = (at: number) => ({ tags: { [tag]: `${tag} ${at % 2}` } });
      await keepMadeRun(store, { name, cases: 6, repeats: 1, habits: manyHabits.slice(0, 1), shape });
    }
    const folder = join(cwd, 'out', 'tagged');
    const { out } = await bench('report', 'v1', 'v2', '--out', folder);
    expect(out.replaceAll('\n', ' ')).toContain('rubric navigation (version 1), navigation (version 2)');
    const [head = '', first = ''] = readFileSync(join(folder, 'trials.csv'), 'utf8').split('\r\n');
    expect(head.split(',').slice(-2)).toEqual(['tags.city', 'tags.system']);
    expect(first.endsWith(',,system 0')).toBe(true);
    for (const name of ['v1', 'v2']) rmSync(join(cwd, 'data', 'runs', name), { recursive: true });
  });

  test('of several runs says what cases they share, and --common keeps to these', async () => {
    const store = createFolderTrialStore(join(cwd, 'data', 'runs'));
    await keepMadeRun(store, { name: 'part', cases: 60, repeats: 1, habits: manyHabits.slice(0, 1) });
    const own = await bench('report', 'before', 'part');
    expect(own.out).toContain('60 cases are the same in all runs; before has 60 more.');
    expect(own.out.replaceAll('\n', ' ')).toContain('No configuration is ranked above another run’s');
    expect(own.out).not.toContain('◆ 0.');
    const common = await bench('report', 'before', 'part', '--common', '--json');
    const { setups, joined, run } = Report.parse(JSON.parse(common.out));
    expect(setups.map(({ trials, planned }) => [trials, planned])).toEqual(setups.map(() => [60, 60]));
    expect([joined?.shared, run.dataset.cases]).toEqual([60, 60]);
    rmSync(join(cwd, 'data', 'runs', 'part'), { recursive: true });
  });

  test('--by adds groups and their files', async () => {
    const folder = join(cwd, 'out', 'groups');
    const { code, out, err } = await bench('report', 'before', 'after', '--by', 'rubric', '-o', folder);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('groups.csv, group-criteria.csv'),
    });
    expect(out).toContain('\nBy rubric\n');
    expect(readFileSync(join(folder, 'groups.csv'), 'utf8')).toMatch(
      /^rubric,configuration,.*\r\nplain,io rules t0 \(before\),/,
    );
  });

  test('--fail-under ends with 1 and says which configuration is below', async () => {
    const strict = await bench('report', 'before', '--fail-under', 'f1=0.999', '--fail-under', 'coverage=1');
    expect(strict.code).toBe(1);
    expect(strict.err).toMatch(/^Below the threshold: io rules t0: f1 is 0\.\d+, under 0\.999\.\n/);
    expect(strict.err).not.toContain('coverage');
    expect((await bench('report', 'before', '--fail-under', 'f1=0.1')).code).toBe(0);
  });

  test('--fail-under holds for every configuration of several runs', async () => {
    const file = join(cwd, 'joined.md');
    const two = ['report', 'before', 'after', '--fail-under'];
    const strict = await bench(...two, 'f1=1', '--summary', file);
    expect(strict.code).toBe(1);
    expect(strict.err).toMatch(/^Below the threshold: io rules t0 \(before\): f1 is 0\.\d+, under 1\.\n/);
    expect(readFileSync(file, 'utf8')).toMatch(/^## ❌ Gate failed: f1 is 0\.\d+; at least 1 required/);
    expect((await bench(...two, 'f1=0.01')).code).toBe(0);
  });

  test('--junit writes the thresholds and the cases as test cases', async () => {
    const file = join(cwd, 'junit.xml');
    expect((await bench('report', 'before', '--fail-under', 'f1=0.999', '--junit', file)).code).toBe(1);
    const trials = (await bench('show', 'before', '--trials')).out.trim().split('\n');
    const wrong = trials
      .map((line) => Trial.parse(JSON.parse(line)))
      .filter(({ decision, label }) => decision !== label?.decision);
    expect(wrong.length).toBeGreaterThan(0);
    // Of each of three configurations two thresholds, of which one is missed, and 120 cases.
    expect(readFileSync(file, 'utf8')).toContain(
      `<testsuites name="jury bench before" tests="366" failures="${3 + wrong.length}" errors="0">`,
    );
  });

  test('files are for their owner alone, as they hold what people pasted', async () => {
    const folder = scratch();
    await bench('report', 'before', '--out', folder);
    for (const name of readdirSync(folder))
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  test('a folder that is a symbolic link is not followed', async () => {
    const folder = scratch();
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    for (const out of [link, `${link}/`])
      expect(await bench('report', 'before', '--out', out)).toMatchObject({
        code: 64,
        err: expect.stringContaining('it is a symbolic link. Name the folder that it points to.'),
      });
    expect(readdirSync(folder)).toEqual([]);
    rmSync(link);
  });

  test.each([
    [['report', 'nothing'], 'There is no run "nothing". There are: after, before.'],
    [['report', '../before'], 'There is no run "../before".'],
    [['report', 'before', '--fail-under', 'f9=1'], 'Must be score=minimum, such as f1=0.9.'],
    [['report', 'before', '--junit', 'x.xml'], '--junit needs --fail-under'],
    [['report', 'before', '--out', '/dev/null/x'], 'Cannot write /dev/null/x'],
    [['report', 'before', 'before'], 'before is named twice.'],
    [['report', 'before', '--common'], '--common needs several runs.'],
    [['report', 'before', 'after', '--against', 'after'], '--against goes with one run.'],
    [['report', 'before', '--prices', 'inca-2'], 'published table with prices: contextual-2.'],
    [['report', 'before', '--by', 'tags.team'], 'No case has the tag "team".'],
  ])('%j is refused with what to do', async (args, message) => {
    const { code, out, err } = await bench(...args);
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain(message);
  });
});

describe('jury bench compare', () => {
  test('--out writes a page of the cases that turned, in one file', async () => {
    const { code, err } = await bench('compare', 'before', 'after', '--out', 'changes.html');
    expect({ code, err }).toEqual({ code: 0, err: 'Written to changes.html.\n' });
    const page = readFileSync(join(cwd, 'changes.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('<h1>after against before</h1>');
    const trials = piecesIn(page).flatMap(({ trial }) => (trial === undefined ? [] : [trial]));
    expect(trials).toHaveLength(2 * 360);
    expect(new Set(trials.map(({ setup }) => setup.split(' ')[0]))).toEqual(new Set(['before', 'after']));
    expect((await bench('compare', 'before', 'after', '--out', 'folder')).code).toBe(64);
  });

  test('shows differences with intervals and the cases that came out otherwise', async () => {
    const { code, out, err } = await bench('compare', 'before', 'after');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^before → after: 120 cases in both\n/);
    expect(out).toMatch(
      /io rules t0 \(120 cases\)\n[\s\S]*?\n {2}F1 +0\.\d{3} +[01]\.\d{3} +\+0\.\d{3} +[+−±]0\.\d{3} to \+0\.\d{3}/,
    );
    expect(out).toMatch(
      /\n {2}\d+ now right\n {4}u\d+-\w+: fail → pass, is pass|\n {4}u\d+-\w+: pass → fail, is fail/,
    );
  });

  test('compares two configurations of one run', async () => {
    const { code, out } = await bench('compare', 'after:io rules', 'after:sc-3');
    expect(code).toBe(0);
    expect(out).toContain('io rules t0 → sc-3 openai/gpt-4o-mini t0 (120 cases)');
  });

  test('says so where the second run has judged no case yet', async () => {
    const runs = join(cwd, 'data', 'runs');
    mkdirSync(join(runs, 'begun'));
    const manifest = readFileSync(join(runs, 'before', 'run.json'), 'utf8');
    writeFileSync(join(runs, 'begun', 'run.json'), manifest.replace('"name": "before"', '"name": "begun"'));
    copyFileSync(join(runs, 'before', 'cases.jsonl'), join(runs, 'begun', 'cases.jsonl'));
    const { code, out } = await bench('compare', 'before', 'begun');
    expect(code).toBe(0);
    expect(out).toContain('io rules t0 (0 cases)\n  No case has been judged by both.\n');
    rmSync(join(runs, 'begun'), { recursive: true });
  });

  test('--json prints all flips, and --fail-under speaks of the second run', async () => {
    const { code, out, err } = await bench('compare', 'before', 'after', '--json', '--fail-under', 'f1=1');
    expect(code).toBe(1);
    expect(err).toContain('Below the threshold: ');
    const pairs: unknown = JSON.parse(out).pairs;
    expect(Array.isArray(pairs) && pairs.length).toBe(3);
  });
});

describe('jury bench run', () => {
  test('--fail-under judges what the run came to', async () => {
    const cases = join(cwd, 'cases.jsonl');
    await jury(['dataset', 'generate', '--users', '2', '--out', cases], { cwd });
    const run = (name: string, least: string) =>
      bench('run', cases, '--methods', 'io', '--models', 'rules', '--name', name, '--fail-under', least);
    // The exact checks are right about every generated case.
    expect((await run('gate', 'f1=1')).code).toBe(0);
    // All labeled right: 2 of 12 are judged so, F1 is 4 / 14.
    writeFileSync(cases, readFileSync(cases, 'utf8').replaceAll('"decision":"fail"', '"decision":"pass"'));
    const missed = await run('missed', 'f1=0.9');
    expect(missed.code).toBe(1);
    expect(missed.err).toContain('Below the threshold: io rules t0: f1 is 0.286, under 0.9.');
    const { code, err } = await bench('report', 'gate', '--fail-under', 'mcc=1');
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

test('--cluster-by takes a tag, in reports and comparisons', async () => {
  const refused = await bench('report', 'before', '--cluster-by', 'user');
  expect(refused).toMatchObject({ code: 64, err: expect.stringContaining('Must be tags.NAME') });
  const unknown = await bench('compare', 'before', 'after', '--cluster-by', 'tags.user');
  expect(unknown).toMatchObject({ code: 64, err: expect.stringContaining('No case has the tag "user"') });
});
