import { describe, expect, test } from 'vitest';
import type { Build, BuildCase } from '../../src/reports/gates/build.ts';
import { annotationLines } from '../../src/reports/gates/build-annotations.ts';
import { codeQualityFile } from '../../src/reports/gates/build-code-quality.ts';
import { junitFile } from '../../src/reports/gates/build-junit.ts';
import { summaryFile } from '../../src/reports/gates/build-summary.ts';
import { buildLines, headlineOf } from '../../src/reports/gates/build-words.ts';
import type { Check } from '../../src/reports/gates/thresholds.ts';

const aBuildCase = (parts: Partial<BuildCase> = {}): BuildCase => ({
  turn: 'now wrong',
  setup: 'mab rules t0',
  caseId: 'u001',
  index: 0,
  after: 'fail',
  before: 'pass',
  label: null,
  request: 'Get me to a cheap ramen place',
  criterion: 'Time',
  reason: 'Closed since 20:00',
  ...parts,
});

const aCheck = (parts: Partial<Check> = {}): Check => ({
  setup: 'mab rules t0',
  metric: 'pass-rate',
  name: 'pass-rate at least 0.825',
  required: { kind: 'minimum', value: 0.825 },
  found: { value: 0.8, n: 240 },
  isByValue: true,
  met: false,
  text: 'pass-rate is 0.800, under 0.825',
  ...parts,
});

const aBuild = (parts: Partial<Build> = {}): Build => ({
  run: 'pr-7-1',
  series: 'pr',
  createdAt: '2026-11-21T09:00:00.000Z',
  baseline: { run: 'main-6-1', series: 'main' },
  passes: false,
  checks: [aCheck()],
  notes: [],
  unfinished: null,
  cases: [aBuildCase()],
  page: null,
  placeOf: () => ({ file: 'data/cases.jsonl', line: 12 }),
  ...parts,
});

const copies = (n: number, parts: Partial<BuildCase> = {}): BuildCase[] =>
  Array.from({ length: n }, (_, index) => aBuildCase({ caseId: `u${index + 1}`, index, ...parts }));

const right = aBuildCase({ turn: 'now right', after: 'pass', before: 'fail', caseId: 'u044' });
const known = aBuildCase({ turn: 'wrong', before: 'fail', caseId: 'u100' });
const fine = aBuildCase({
  turn: 'right',
  after: 'pass',
  before: 'pass',
  caseId: 'u200',
  request: '',
  criterion: '',
  reason: '',
});

describe('the headline of a build', () => {
  test.each([
    [
      { cases: [...copies(7), right] },
      'Gate failed: 80.0 % of 240 pass; at least 82.5 % required · 7 newly fail, 1 newly passes since main',
    ],
    [
      { cases: [known, fine] },
      'Gate failed: 80.0 % of 240 pass; at least 82.5 % required · no case turned since main',
    ],
    [{ baseline: null, cases: [known] }, 'Gate failed: 80.0 % of 240 pass; at least 82.5 % required'],
    [
      { checks: [aCheck(), aCheck({ metric: 'f1' }), aCheck({ met: true })], cases: [] },
      'Gate failed: 80.0 % of 240 pass; at least 82.5 % required (and 1 other threshold missed) · no case turned since main',
    ],
    [
      { passes: true, checks: [aCheck({ met: true, found: { value: 0.9, n: 240 } })], cases: [right] },
      'Gate passed: 90.0 % of 240 pass; at least 82.5 % required · 1 newly passes since main',
    ],
    // A miss by a hair is not rounded to what is required.
    [
      { checks: [aCheck({ found: { value: 0.82496, n: 24_000 } })], baseline: null },
      'Gate failed: 82.496 % of 24,000 pass; at least 82.5 % required',
    ],
    [
      {
        checks: [
          aCheck({ metric: 'f1', found: { value: 0.871, n: 10 }, required: { kind: 'minimum', value: 0.9 } }),
        ],
        baseline: null,
      },
      'Gate failed: f1 is 0.871; at least 0.9 required',
    ],
    [
      {
        checks: [aCheck({ required: { kind: 'drop', value: 0.02 }, found: { value: -0.06, n: 240 } })],
        cases: copies(2, { after: 'not decided' }),
      },
      'Gate failed: pass-rate is 6.0 points lower than in main; at most 2 points lower allowed · 2 no longer decided since main',
    ],
    [
      {
        passes: true,
        checks: [
          aCheck({
            met: true,
            metric: 'f1',
            required: { kind: 'drop', value: 0.02 },
            found: { value: 0, n: 240 },
          }),
        ],
        cases: copies(1, { label: 'pass' }),
      },
      'Gate passed: f1 is the same as in main; at most 0.02 lower allowed · 1 newly wrong since main',
    ],
    // What is sure of a change, or not defined, has words of its own.
    [
      { checks: [aCheck({ isByValue: false, text: 'too few to tell' })], baseline: null },
      'Gate failed: too few to tell',
    ],
    [
      { checks: [aCheck({ found: null, text: 'f1 is not defined' })], baseline: null },
      'Gate failed: f1 is not defined',
    ],
    [
      // One answer that two configurations judge is one answer.
      { cases: [aBuildCase(), aBuildCase({ setup: 'io rules t0' })] },
      'Gate failed: mab rules t0: 80.0 % of 240 pass; at least 82.5 % required · 1 newly fails since main',
    ],
    [
      { cases: copies(1, { after: 2.5, before: 4 }) },
      'Gate failed: 80.0 % of 240 pass; at least 82.5 % required · 1 scores lower since main',
    ],
  ])('%#: %s', (parts, text) => {
    expect(headlineOf(aBuild(parts))).toBe(text);
  });
});

test('a terminal shows the first cases that turned, and counts the others', () => {
  expect(buildLines(aBuild({ cases: [...copies(12), known, right] }))).toEqual([
    ...copies(10).map(
      ({ caseId }) =>
        `now wrong  ${caseId} “Get me to a cheap ramen place”: Time: Closed since 20:00 (was: pass)`,
    ),
    '… 3 other cases',
  ]);
  expect(buildLines(aBuild({ passes: true, checks: [aCheck({ met: true })], cases: [known, fine] }))).toEqual(
    [],
  );
  expect(buildLines(aBuild({ cases: [known, fine] }))).toEqual([
    'wrong      u100 “Get me to a cheap ramen place”: Time: Closed since 20:00 (as before)',
  ]);
});

describe('a JUnit file', () => {
  test('has a failure for what broke the build; what was wrong before is skipped with its reason', () => {
    const file = junitFile(aBuild({ cases: [aBuildCase(), known, right, fine] }));
    expect(file).toContain('<testsuite name="mab rules t0" tests="5" failures="2" errors="0" skipped="1"');
    expect(file).toContain(
      '<testcase name="u001" classname="pr.mab rules t0" time="0.000" file="data/cases.jsonl" line="12"><failure type="now wrong" message="“Get me to a cheap ramen place”: Time: Closed since 20:00 (was: pass)">Case: u001\nRequest: Get me to a cheap ramen place\nCriterion: Time\nReason: Closed since 20:00\nBefore: pass\nAfter: fail</failure></testcase>',
    );
    expect(file).toMatch(/<testcase name="u100"[^>]*><skipped message="[^"]*\(as before\)">/);
    expect(file).toMatch(/<testcase name="u044"[^>]*\/>\n {4}<testcase name="u200"[^>]*\/>/);
  });

  test('names the series of a baseline, which is another run each time', () => {
    const drop = aCheck({
      name: 'pass-rate no worse than main-6-1 by 0.02',
      required: { kind: 'drop', value: 0.02 },
    });
    expect(junitFile(aBuild({ checks: [drop] }))).toContain(
      '<testcase name="pass-rate no worse than main by 0.02"',
    );
  });

  test('has failures only of configurations that miss a threshold', () => {
    const cases = [known, { ...known, setup: 'io rules t0' }];
    const checks = [aCheck(), aCheck({ setup: 'io rules t0', met: true })];
    const file = junitFile(aBuild({ checks, cases }));
    expect(file).toContain('<testsuite name="mab rules t0" tests="2" failures="2" errors="0" skipped="0"');
    expect(file).toContain('<testsuite name="io rules t0" tests="2" failures="0" errors="0" skipped="1"');
  });

  test('of a build that passes has no failure, however many mistakes are allowed', () => {
    const file = junitFile(
      aBuild({ passes: true, checks: [aCheck({ met: true })], cases: [aBuildCase(), known] }),
    );
    expect(file).toContain('tests="3" failures="0" errors="0" skipped="2"');
  });

  test('names all that is wrong where nothing is newly wrong, also answers that are judged otherwise', () => {
    const worse = aBuildCase({ turn: 'unsteady', caseId: 'u300' });
    const better = aBuildCase({ turn: 'unsteady', caseId: 'u301', after: 'pass', before: 'fail' });
    const file = junitFile(aBuild({ cases: [known, worse, better] }));
    expect(file).toContain('tests="4" failures="3" errors="0" skipped="0"');
    expect(file).toMatch(/<testcase name="u301"[^>]*\/>/);
  });
});

describe('annotations', () => {
  test('are errors at the lines of the dataset, the outcome first', () => {
    expect(annotationLines(aBuild(), 'github')).toEqual([
      '::error title=Jury::Gate failed: 80.0 %25 of 240 pass; at least 82.5 %25 required · 1 newly fails since main',
      '::error file=data/cases.jsonl,line=12,title=Jury%3A now wrong::u001 “Get me to a cheap ramen place”: Time: Closed since 20:00 (was: pass)',
    ]);
    expect(annotationLines(aBuild(), 'azure')).toEqual([
      '##vso[task.logissue type=error;]Gate failed: 80.0 %AZP25 of 240 pass; at least 82.5 %AZP25 required · 1 newly fails since main',
      '##vso[task.logissue type=error;sourcepath=data/cases.jsonl;linenumber=12;columnnumber=1;]u001 “Get me to a cheap ramen place”: Time: Closed since 20:00 (was: pass)',
    ]);
  });

  test('are warnings of a build that passes, and only of what is newly wrong', () => {
    const build = aBuild({ passes: true, cases: [aBuildCase(), known], placeOf: () => null });
    expect(annotationLines(build, 'github')).toEqual([
      '::warning title=Jury: now wrong::u001 “Get me to a cheap ramen place”: Time: Closed since 20:00 (was: pass)'.replace(
        'Jury:',
        'Jury%3A',
      ),
    ]);
    expect(annotationLines({ ...build, cases: [known] }, 'azure')).toEqual([]);
  });

  test.each(['github', 'azure'] as const)('of %s are at most 50, the rest counted', (form) => {
    const lines = annotationLines(aBuild({ cases: copies(60) }), form);
    expect(lines).toHaveLength(50);
    expect(lines.at(-1)).toMatch(/and 12 other cases, in the summary$/);
    expect(annotationLines(aBuild({ cases: copies(49) }), form)).toHaveLength(50);
    expect(annotationLines(aBuild({ cases: copies(49) }), form).at(-1)).toContain('u49');
  });

  test('give no command that a case holds', () => {
    const hostile = '\n::error::x\n##vso[task.setvariable variable=a]b\r\n%0A::warning::y';
    const build = aBuild({
      cases: [aBuildCase({ caseId: hostile, request: hostile, reason: hostile })],
      placeOf: () => ({ file: 'a,b:c;d].jsonl', line: 1 }),
    });
    const [, gitHub = '', ...others] = annotationLines(build, 'github');
    expect(others).toEqual([]);
    expect(gitHub).toMatch(/^::error file=a%2Cb%3Ac;d\]\.jsonl,line=1,[^\n\r]*%250A[^\n\r]*$/);
    const [, azure = ''] = annotationLines(build, 'azure');
    expect(azure).toMatch(
      /^##vso\[task\.logissue type=error;sourcepath=a,b:c%3Bd%5D\.jsonl;[^\n\r]*%AZP250A[^\n\r]*$/,
    );
  });
});

describe('a summary', () => {
  test('begins with the outcome, then what is now wrong and now right, linked to the page', () => {
    const text = summaryFile(
      aBuild({ page: 'https://jury.test/runs/pr-7-1', cases: [aBuildCase({ index: 11 }), right, known] }),
    );
    expect(text.split('\n')).toEqual([
      '## ❌ Gate failed: 80.0 % of 240 pass; at least 82.5 % required · 1 newly fails, 1 newly passes since main',
      '',
      'Run [pr-7-1](https://jury.test/runs/pr-7-1), compared with main-6-1',
      '',
      '|  | threshold | found |',
      '|---|---|---|',
      '| ❌ | pass-rate at least 0.825 | pass-rate is 0.800, under 0.825 |',
      '',
      '### Now wrong (1)',
      '',
      '| case | request | why | dataset |',
      '|---|---|---|---|',
      '| [u001](https://jury.test/runs/pr-7-1?case=12) | Get me to a cheap ramen place | Time: Closed since 20:00 (was: pass) | data/cases.jsonl:12 |',
      '',
      '### Now right (1)',
      '',
      '| case | request | why | dataset |',
      '|---|---|---|---|',
      '| [u044](https://jury.test/runs/pr-7-1?case=1) | Get me to a cheap ramen place | Time: Closed since 20:00 (now: pass; was: fail) | data/cases.jsonl:12 |',
      '',
      '<details><summary>Wrong as before (1)</summary>',
      '',
      '| case | request | why | dataset |',
      '|---|---|---|---|',
      '| [u100](https://jury.test/runs/pr-7-1?case=1) | Get me to a cheap ramen place | Time: Closed since 20:00 (as before) | data/cases.jsonl:12 |',
      '',
      '</details>',
      '',
    ]);
  });

  test('names configurations where there are several, counts what has no room, and escapes what was pasted', () => {
    const text = summaryFile(
      aBuild({
        cases: [
          ...copies(52, { request: '| <b>@team</b> [x](javascript:y) #1' }),
          aBuildCase({ setup: 'io rules t0' }),
        ],
      }),
    );
    expect(text).toContain('| case | configuration | request | why | dataset |');
    expect(text).toContain('and 3 other cases');
    expect(text).not.toMatch(/<b>|@team|\]\(javascript| #1/);
  });

  test('of a run that is not finished says so', () => {
    const build = aBuild({ unfinished: 'The run is not finished.', cases: [], checks: [], baseline: null });
    expect(summaryFile(build)).toMatch(/^## ❌ Gate failed: The run is not finished\.\n/);
    expect(annotationLines(build, 'github')).toEqual([
      '::error title=Jury::Gate failed: The run is not finished.',
    ]);
    expect(JSON.parse(codeQualityFile(build, 'cases.jsonl'))).toMatchObject([
      { severity: 'critical', location: { path: 'cases.jsonl', lines: { begin: 1 } } },
    ]);
    expect(junitFile(build)).toContain('<error type="unfinished" message="The run is not finished."/>');
  });
});

test('code quality has all that is wrong, each with a fingerprint that stays the same from run to run', () => {
  const cases = [aBuildCase(), known, right, fine];
  const found = JSON.parse(codeQualityFile(aBuild({ cases }), 'x'));
  expect(found).toMatchObject([
    {
      check_name: 'jury/now-wrong',
      severity: 'major',
      location: { path: 'data/cases.jsonl', lines: { begin: 12 } },
    },
    { check_name: 'jury/wrong', severity: 'minor' },
  ]);
  const later = JSON.parse(codeQualityFile(aBuild({ run: 'pr-8-1', cases }), 'x'));
  const marks = (all: { fingerprint: string }[]) => all.map(({ fingerprint }) => fingerprint);
  expect(marks(later)).toEqual(marks(found));
  expect(new Set(marks(found)).size).toBe(2);
});
