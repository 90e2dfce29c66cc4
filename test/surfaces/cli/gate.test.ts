import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Trial, trialOf } from '../../../src/benchmark/trial.ts';
import type { EvalCase } from '../../../src/case/case.ts';
import { pairedDifferenceInterval } from '../../../src/statistics/proportions.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { aCase } from '../../support/builders.ts';
import { aConfiguration, aManifest, aVerdict } from '../../support/run-builders.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const cwd = scratch();
const bench = (...args: string[]) => jury(['bench', ...args], { cwd });
const IO = 'io rules t0';

const labeled = (index: number): EvalCase =>
  aCase({ id: `c${index}`, label: { decision: index % 2 === 0 ? 'pass' : 'fail' } });
/** The same requests, answered by a build. */
const answered = (build: string) => (index: number) =>
  aCase({ id: `q${index}`, response: `${build} ${index}`, tags: { build } });

/** Keeps a run of 100 cases. @param decide what comes of a case, by its index: a decision, a score, or null if it is not judged */
async function keep(
  name: string,
  caseAt: (index: number) => EvalCase,
  decide: (index: number) => Trial['decision'] | number | null,
  parts: Parameters<typeof aManifest>[0] = {},
  ids = [IO],
): Promise<void> {
  const store = createFolderTrialStore(join(cwd, 'data', 'runs'));
  const cases = Array.from({ length: 100 }, (_, index) => caseAt(index));
  const configurations = ids.map((id) => aConfiguration({ id: `${id} #1` }));
  const dataset = { source: 'x', cases: 100, labeled: cases[0]?.label === undefined ? 0 : 100, hash: name };
  await store.create(aManifest({ name, configurations, dataset, ...parts }), cases);
  const writer = await store.write(name);
  for (const [place, { id }] of configurations.entries())
    for (const [index, evalCase] of cases.entries()) {
      const said = decide(index);
      if (said === null) continue;
      const decided =
        typeof said === 'number' ? { decision: 'scored' as const, score: said } : { decision: said };
      const verdict = { ...aVerdict(), caseId: evalCase.id ?? '', ...decided };
      await writer.save(trialOf(`${place}-${index}`, id, evalCase.label ?? null, verdict), verdict);
    }
  await writer.close();
}

const right = (index: number) => (index % 2 === 0 ? 'pass' : 'fail');
const flipped = (index: number) => right(index + 1);

beforeAll(async () => {
  await keep('before', labeled, right);
  await keep('same', labeled, right);
  // F1 falls to 49/50, and to 45/50.
  await keep('little', labeled, (index) => (index < 2 ? flipped(index) : right(index)));
  await keep('much', labeled, (index) => (index < 10 ? flipped(index) : right(index)));
  await keep('silent', labeled, (index) => (index < 10 ? 'undecided' : right(index)));
  await keep('others', (index) => ({ ...labeled(index), id: `other ${index}` }), right);
  await keep('two', labeled, right, {}, [IO, 'mad rules t0']);
  await keep('two-worse', labeled, (index) => (index < 10 ? flipped(index) : right(index)), {}, [
    IO,
    'mad rules t0',
  ]);
  await keep('monday', answered('1'), () => 'pass');
  await keep('tuesday', answered('2'), (index) => (index < 3 ? 'fail' : 'pass'));
  await keep('mute', answered('3'), (index) => (index < 3 ? 'undecided' : 'pass'));
  // Scores of judges, of which one case has none, and of an assistant.
  const ofJudges = { subject: 'judges' } as const;
  const unlabeled = (index: number) => aCase({ id: `s${index}` });
  const scores = (score: number) => (index: number) => (index === 0 ? 'undecided' : score);
  await keep('five', unlabeled, scores(5), ofJudges);
  await keep('one', unlabeled, scores(1), ofJudges);
  await keep('few', unlabeled, (index) => (index < 17 ? 5 : 'undecided'), ofJudges);
  await keep('none', unlabeled, () => 'undecided', ofJudges);
  await keep('rated-1', answered('1'), () => 5);
  await keep('rated-2', answered('2'), () => 1);
  await keep('rated-again', answered('1'), scores(4));
  await keep('rated-few', answered('2'), (index) => (index < 17 ? 5 : 'undecided'));
  await keep('rated-none', answered('2'), () => 'undecided');
  // Other content in 83 and in 10 of 100 cases, and a run that was stopped.
  const changed = (most: number) => (index: number) =>
    index < most ? { ...labeled(index), response: `changed ${index}` } : labeled(index);
  await keep('other-content', changed(83), right, ofJudges);
  await keep('some-content', changed(10), right, ofJudges);
  await keep('stopped', labeled, (index) => (index < 17 ? right(index) : null));
  await keep('unsteady', answered('1'), (index) => (index < 4 ? 'fail' : 'pass'));
  await keep('rejudged', answered('2'), () => 'pass', { wordings: { 'plain, io': 'sha256:2' } });
  // Logs: no request is in two of them. 90, 85 and 60 of 100 pass.
  const logged = (week: string) => (index: number) =>
    aCase({ id: `${week} ${index}`, tags: { build: week } });
  const passing = (most: number) => (index: number) => (index < most ? 'pass' : 'fail');
  await keep('log-1', logged('1'), passing(90));
  await keep('log-2', logged('2'), passing(85));
  await keep('log-3', logged('3'), passing(60));
  await keep('log-started', logged('4'), (index) => (index < 17 ? 'pass' : null));
});

test.each([[], ['--fail-under', 'coverage=0.1']])(
  '--fail-under is not met by a run that is not complete %j',
  async (...more) => {
    const { code, err } = await bench('report', 'stopped', '--fail-under', 'f1=0.9', ...more);
    expect(err).toContain(
      'coverage is not defined (only 17 of 100 planned trials are judged; finish the run with the same "jury bench run" command), so not at least 0.',
    );
    expect(code).toBe(1);
  },
);

test.each([
  ['tuesday', 'pass-rate=0.95', [], 0, ''],
  [
    'tuesday',
    'pass-rate=0.95',
    ['--fail-under-by', 'interval'],
    1,
    'pass-rate is 0.970, and its 95 % interval begins at 0.915, under 0.95.',
  ],
  ['tuesday', 'pass-rate=0.9', ['--fail-under-by', 'interval'], 0, ''],
  // What share of the trials was decided is counted: it stands for itself.
  ['silent', 'coverage=0.9', ['--fail-under-by', 'interval'], 0, ''],
  [
    'monday',
    'f1=0.9',
    ['--fail-under-by', 'interval'],
    1,
    'f1 is not defined (no case has a label), so not at least 0.9.',
  ],
  [
    'same',
    'mcc=0.9',
    ['--fail-under-by', 'interval'],
    1,
    'the interval of mcc is not defined (the cases are all alike), so it is not sure to be at least 0.9.',
  ],
])('--fail-under of %s %s %j ends with %i: %s', async (run, least, more, code, said) => {
  const ran = await bench('report', run, '--fail-under', least, ...more);
  expect(ran.err).toContain(said);
  expect(ran.code).toBe(code);
});

test('--fail-under says where a score needs labels', async () => {
  const { code, err } = await bench('report', 'monday', '--fail-under', 'recall=0.9');
  expect(err).toContain('recall is not defined (no case has a label), so not at least 0.9');
  expect(code).toBe(1);
});

describe('what broke a build', () => {
  const gate = (run: string, ...more: string[]) =>
    bench('report', run, '--json', ...more, '--annotations', 'github', '--page', 'https://jury.test/runs/x');
  const named = (out: string) => out.split('\n').filter((line) => line.startsWith('::'));

  test('are the answers that newly fail, or are no longer decided, since the baseline', async () => {
    const worse = await gate('tuesday', '--no-worse-than', 'monday');
    expect(named(worse.out)).toEqual([
      '::error title=Jury::Gate failed: pass-rate is 3.0 points lower than in monday; at most 2 points lower allowed · 3 newly fail since monday',
      ...[0, 1, 2].map(
        (n) =>
          `::error file=x,title=Jury%3A now wrong::q${n} “Find me a sushi place rated at least 4.”: because (was: pass)`,
      ),
    ]);
    expect(worse.err).toContain('✗ Gate failed: pass-rate is 3.0 points lower than in monday');
    const mute = await gate('mute', '--no-worse-than', 'monday');
    expect(named(mute.out)[0]).toMatch(/ · 3 no longer decided since monday$/);
    expect(named(mute.out)[1]).toContain(
      'q0 “Find me a sushi place rated at least 4.”: because (now: not decided; was: pass)',
    );
  });

  test('are not answers that stayed the same, whatever judges make of them now, unless nothing else is wrong', async () => {
    const same = await gate('unsteady', '--no-worse-than', 'monday');
    expect([same.code, named(same.out)]).toEqual([0, []]);
    const under = await gate('unsteady', '--no-worse-than', 'monday', '--fail-under', 'pass-rate=0.99');
    expect(named(under.out)).toHaveLength(5);
    expect(named(under.out)[0]).toMatch(
      /96\.0 %25 of 100 pass; at least 99 %25 required · no case turned since monday$/,
    );
    expect(named(under.out)[1]).toContain('title=Jury%3A unsteady::q0');
  });

  test('are the cases whose decision is not their label, where a threshold is about labels', async () => {
    const { out, code } = await gate('much', '--fail-under', 'f1=0.95');
    expect(code).toBe(1);
    expect(named(out)).toHaveLength(11);
    expect(named(out)[2]).toContain(
      'c1 “Find me a sushi place rated at least 4.”: because (judged pass, labeled fail)',
    );
    // Of a threshold about answers, all that fail.
    expect(named((await gate('much', '--fail-under', 'pass-rate=0.95')).out)).toHaveLength(50);
  });

  test('are written to files, of one configuration too', async () => {
    const [junit, summary, quality] = ['j.xml', 's.md', 'q.json'].map((name) => join(cwd, name));
    const files = ['--junit', junit ?? '', '--summary', summary ?? '', '--code-quality', quality ?? ''];
    const one = await bench('compare', 'before:io', 'much:io', '--no-worse-than', 'before:io', ...files);
    expect(one.code).toBe(1);
    expect(readFileSync(summary ?? '', 'utf8')).toContain('### Now wrong (10)');
    // Of two configurations, each is compared with the one that is named.
    await bench('report', 'two-worse', '--no-worse-than', 'before:io', ...files);
    expect(readFileSync(summary ?? '', 'utf8')).toContain('### Now wrong (20)');
    const both = await bench('report', 'tuesday', '--no-worse-than', 'monday', ...files);
    expect(both.code).toBe(1);
    expect(readFileSync(junit ?? '', 'utf8')).toContain('tests="101" failures="4" errors="0"');
    expect(readFileSync(summary ?? '', 'utf8')).toContain('### Now wrong (3)');
    expect(JSON.parse(readFileSync(quality ?? '', 'utf8'))).toHaveLength(3);
  });

  test.each([
    [['--summary', 's.md'], '--summary needs --fail-under'],
    [['--annotations', 'github'], '--annotations needs --fail-under'],
    [
      ['--fail-under', 'f1=0.9', '--page', 'javascript:alert(1)'],
      '--page javascript:alert(1): Must be an address',
    ],
    [['--fail-under', 'f1=0.9', '--annotations', 'jenkins'], 'Allowed choices are github, azure'],
  ])('%j is refused with what to do', async (args, message) => {
    expect(await bench('report', 'same', ...args)).toMatchObject({
      code: 64,
      err: expect.stringContaining(message),
    });
  });
});

test('a JUnit file that could not be written is refused before anything is judged', async () => {
  const file = join(cwd, 'nowhere', 'gate.xml');
  const cases = ['nothing.jsonl', '--models', 'rules', '--fail-under', 'f1=0.9', '--junit', file];
  expect(await bench('run', ...cases)).toMatchObject({
    code: 64,
    err: `Cannot write ${file}: the folder ${join(cwd, 'nowhere')} does not exist; make it first.\n`,
  });
});

describe('--no-worse-than', () => {
  test.each([
    ['same', [], 0],
    ['little', [], 0],
    ['little', ['--by', '0.01'], 1],
    ['little', ['--by', '0'], 1],
    ['much', [], 1],
    ['much', ['--by', '0.1'], 0],
    // What is not decided is wrong.
    ['silent', [], 1],
  ])('judges of the run %s %j end with %i', async (run, more, code) => {
    for (const command of [
      ['report', run],
      ['compare', 'before', run],
    ])
      expect((await bench(...command, '--no-worse-than', 'before', ...more)).code).toBe(code);
  });

  test('says how much worse on how many cases, and a JUnit file too', async () => {
    const file = join(cwd, 'gate.xml');
    const { err } = await bench('report', 'much', '--no-worse-than', 'before', '--junit', file);
    expect(err).toMatch(
      /^Compared 100 of 100 cases with before\.\nBelow the threshold: io rules t0: f1 changed by −0\.100 since before \(n = 100; 95 % interval −0\.\d{3} to −0\.\d{3}\); it may be lower by at most 0\.02: worse beyond chance, by more than 2 points\.\n✗ Gate failed: f1 is 0\.100 lower than in before; at most 0\.02 lower allowed · 10 newly wrong since before\nnow wrong {2}c0 “[^”]+”: because \(judged fail, labeled pass; was: pass\)\n(?:now wrong {2}c\d .*\n){9}$/,
    );
    expect(readFileSync(file, 'utf8')).toContain('name="f1 no worse than before by 0.02"');
    expect((await bench('report', 'silent', '--no-worse-than', 'before')).err).toContain('−0.100');
  });

  test('says so where a run is sure not to be worse, without being asked', async () => {
    expect((await bench('report', 'much', '--no-worse-than', 'before', '--by', '0.3')).err).toMatch(
      /^Compared 100 of 100 cases with before\.\nNot below the threshold: io rules t0: f1 changed by −0\.100 since before \(n = 100; .*\); it may be lower by at most 0\.3: not worse by more than 30 points\.\n✓ Gate passed: f1 is 0\.100 lower than in before; at most 0\.3 lower allowed · 10 newly wrong since before\n/,
    );
  });

  test('goes with --fail-under, each for itself', async () => {
    const both = (run: string, least: string) =>
      bench('report', run, '--fail-under', `f1=${least}`, '--no-worse-than', 'before');
    expect((await both('same', '0.9')).code).toBe(0);
    expect((await both('much', '0.9')).err.match(/^Below the threshold/gm)?.length).toBe(1);
    expect((await both('little', '0.999')).code).toBe(1);
  });

  test.each([
    ['tuesday', [], 1, '−0.030'],
    ['tuesday', ['--by', '0.03'], 0, ''],
    // An answer that is not decided does not pass.
    ['mute', [], 1, '−0.030'],
    ['monday', [], 0, ''],
  ])('of an assistant compares the answers to the same requests: %s %j', async (run, more, code, said) => {
    const ran = await bench('report', run, '--no-worse-than', 'monday', ...more);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(said);
  });

  test.each([
    ['five', 'five', 0, 'Compared 100 of 100 cases with five.\n'],
    ['five', 'one', 1, 'mean score changed by −4.000 since five (n = 99'],
    ['one', 'five', 0, ''],
    [
      'five',
      'few',
      1,
      'share with a score changed by −0.820 since five (n = 100); it may be lower by at most 0.02.',
    ],
    ['five', 'none', 1, 'mean score cannot be compared with five: no case is scored in both.'],
    ['rated-1', 'rated-2', 1, 'mean score changed by −4.000 since rated-1 (n = 100'],
    // The assistant did not change, whatever judges make of it now.
    ['rated-1', 'rated-again', 0, 'Compared 100 of 100 cases with rated-1.\n'],
    ['rated-1', 'rated-few', 1, 'share with a score changed by −0.830 since rated-1 (n = 100)'],
    ['rated-1', 'rated-none', 1, 'share with a score changed by −1.000 since rated-1 (n = 100)'],
  ])('compares mean scores, and how many there are: %s, then %s', async (before, run, code, said) => {
    const ran = await bench('report', run, '--no-worse-than', before);
    expect(ran.err).toContain(said);
    expect(ran.code).toBe(code);
  });

  test('a margin in points of a score allows no more cases without one', async () => {
    const gate = (run: string) => bench('report', run, '--no-worse-than', 'rated-1', '--by', '4');
    expect((await gate('rated-2')).code).toBe(0);
    expect((await gate('rated-few')).err).toContain('it may be lower by at most 0.05.');
  });

  test('says how many cases are compared, and refuses where these are too few', async () => {
    const gate = (run: string) => bench('report', run, '--no-worse-than', 'before');
    expect(await gate('some-content')).toMatchObject({
      code: 0,
      err: [
        'Compared 90 of 100 cases with before.\n',
        'Not below the threshold: io rules t0: f1 did not change since before (n = 90); it may be lower by at most 0.02: too few to tell: the cases are all alike.\n',
      ].join(''),
    });
    for (const run of ['other-content', 'stopped']) {
      const { code, err } = await gate(run);
      expect(err).toContain('only 17 of 100 cases are the same and judged in both');
      expect(err).toContain('under a new --name, and compare with that run.');
      expect(code).toBe(64);
    }
  });

  test.each([
    [['report', 'same', '--no-worse-than', 'nothing'], 'There is no run "nothing". There are: before, '],
    [['compare', 'before', 'same', '--no-worse-than', 'nothing'], 'There is no run "nothing".'],
    [['report', 'same', '--no-worse-than', 'others'], 'cannot be compared: no case is the same in both.'],
    [
      ['report', 'two', '--no-worse-than', 'before'],
      'has no configuration "mad rules t0". Name the one to compare with: "before:io rules t0".',
    ],
    [['report', 'rejudged', '--no-worse-than', 'monday'], 'cannot be compared: the judges’ prompts changed.'],
    [['report', 'same', '--no-worse-than', 'before:mad'], 'No configuration begins with "mad".'],
    [['compare', 'before', 'same', '--by', '0.1'], '--by goes with --no-worse-than'],
    [['report', 'same', '--when-unclear', 'fail'], '--when-unclear goes with --no-worse-than'],
    [['report', 'same', '--fail-under-by', 'interval'], '--fail-under-by goes with --fail-under'],
    [
      ['report', 'same', '--fail-under', 'f1=0.9', '--fail-under-by', 'guess'],
      'Allowed choices are estimate, interval.',
    ],
    [
      ['compare', 'before', 'same', '--no-worse-than', 'before', '--by', 'much'],
      "'--by <amount>' argument 'much' is invalid. Must be a number from 0",
    ],
    [['report', 'before', 'same', '--no-worse-than', 'before'], '--no-worse-than goes with one run.'],
  ])('%j is refused with what to do', async (args, message) => {
    const { code, err } = await bench(...args);
    expect(err).toContain(message);
    expect(code).toBe(64);
  });

  test.each([
    // What the observed difference says, and then what is sure of it.
    ['much', 'before', [], 1, 'worse beyond chance, by more than 2 points.'],
    ['much', 'before', ['--when-unclear', 'pass'], 1, 'worse beyond chance, by more than 2 points.'],
    ['much', 'before', ['--when-unclear', 'pass', '--by', '0'], 1, ': worse beyond chance.'],
    ['tuesday', 'monday', [], 1, 'too few to tell: 1,200 cases would do.'],
    ['tuesday', 'monday', ['--when-unclear', 'pass'], 0, 'too few to tell: 1,200 cases would do.'],
    ['tuesday', 'monday', ['--when-unclear', 'fail'], 1, 'too few to tell: 1,200 cases would do.'],
    ['tuesday', 'monday', ['--when-unclear', 'estimate'], 1, 'too few to tell: 1,200 cases would do.'],
    [
      'tuesday',
      'monday',
      ['--when-unclear', 'fail', '--by', '0.1'],
      0,
      'Not below the threshold: io rules t0: pass-rate changed by −0.030 since monday (n = 100; 95 % interval −0.067 to +0.009); it may be lower by at most 0.1: not worse by more than 10 points of judged answers.',
    ],
    [
      'tuesday',
      'monday',
      ['--when-unclear', 'pass', '--by', '0.03'],
      0,
      'too few to tell, and so close to the margin that more than 1,000 times as many cases would be needed.',
    ],
    ['monday', 'monday', ['--when-unclear', 'fail'], 0, 'not worse by more than 2 points of judged answers.'],
    // Not one decision is another: of 100 cases, up to 4 could be lost by chance.
    ['same', 'before', ['--when-unclear', 'fail'], 1, 'too few to tell: the cases are all alike.'],
    ['same', 'before', ['--when-unclear', 'fail'], 1, '\nNot sure enough: io rules t0: '],
    ['same', 'before', ['--when-unclear', 'fail', '--by', '0.1'], 0, 'not worse by more than 10 points.'],
    ['five', 'five', ['--when-unclear', 'fail'], 1, 'too few to tell: the cases are all alike.'],
    ['one', 'five', ['--when-unclear', 'pass'], 0, 'too few to tell: the cases are all alike.'],
  ])('%s since %s with %j ends with %i: %s', async (run, base, more, code, said) => {
    const ran = await bench('report', run, '--no-worse-than', base, ...more);
    expect(ran.err).toContain(said);
    expect(ran.code).toBe(code);
  });

  test.each([
    ['log-2', [], 1, 'n = 100; 95 % interval −0.144 to +0.044); it may be lower by at most 0.02: too few'],
    ['log-2', ['--when-unclear', 'pass'], 0, 'too few to tell: 940 cases in each run would do.'],
    ['log-3', ['--when-unclear', 'pass'], 1, 'worse beyond chance, by more than 2 points of judged answers.'],
    [
      'log-3',
      ['--by', '0.2', '--when-unclear', 'fail'],
      1,
      'worse beyond chance, but too few to tell by how much: 140 cases in each run would do.',
    ],
  ])('of an assistant compares other requests as two samples: %s %j', async (run, more, code, said) => {
    const ran = await bench('report', run, '--no-worse-than', 'log-1', ...more);
    expect(ran.err).toContain('Compared 100 of 100 cases with other requests of the same kinds in log-1.\n');
    expect(ran.err).toContain(said);
    expect(ran.code).toBe(code);
  });

  test('of an assistant refuses other requests if one of the runs is not finished', async () => {
    const earlier = await bench('report', 'log-1', '--no-worse-than', 'log-started');
    expect(earlier.err).toContain('only 17 of 100 cases of log-started are judged. Finish it first.');
    const later = await bench('report', 'log-started', '--no-worse-than', 'log-1');
    expect(later.err).toContain('only 17 of 100 cases of log-started are judged. Finish it first.');
    expect([earlier.code, later.code]).toEqual([64, 64]);
  });

  test('names a number of cases with which the difference would be clear', () => {
    // 3 of 100 lost, of 1,200 cases: the interval leaves out a loss of 2 points; that of 1,000 does not.
    const highOf = (n: number) => {
      const interval = pairedDifferenceInterval(0, 0.03 * n, n);
      return interval.defined ? interval.high : 0;
    };
    expect(highOf(1200)).toBeLessThan(-0.02);
    expect(highOf(1000)).toBeGreaterThan(-0.02);
  });

  test('compares every configuration with one that is named', async () => {
    expect((await bench('report', 'two', '--no-worse-than', `before:${IO}`)).code).toBe(0);
  });

  test('of a run that is to be judged is looked for before anything is judged', async () => {
    const { code, err, out } = await jury(['bench', 'run', '-', '--no-worse-than', 'nothing'], {
      cwd,
      input: 'User: Find me a sushi place\nSystem: Sakura is near.',
    });
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain('There is no run "nothing".');
  });

  test('decides on the exit code of a run', async () => {
    const input = JSON.stringify(aCase({ rubric: 'navigation' }));
    const run = (...more: string[]) =>
      jury(['bench', 'run', '-', '--models', 'rules', '--name', 'judged', ...more], { cwd, input });
    expect((await run('--no-worse-than', 'before')).code).toBe(64);
    expect((await run('--no-worse-than', 'judged')).code).toBe(0);
  });
});
