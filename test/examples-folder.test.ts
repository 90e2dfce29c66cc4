import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readSystemFile } from '../src/benchmark/collect/system-file.ts';
import { loadLibrary } from '../src/prompting/load-library.ts';
import { fileAt } from '../src/prompting/prompt-files.ts';
import { keyIn } from './support/open-link.ts';
import { closeAfterEach } from './support/resources.ts';
import { jury, type Ran, scratch, verdictsOf } from './support/run-jury.ts';
import { runService } from './support/run-service.ts';

closeAfterEach();

const examples = fileURLToPath(new URL('../examples', import.meta.url));
const page = readFileSync(join(examples, 'README.md'), 'utf8');

/** The commands that the page prints for each folder. */
const scripts = new Map(
  [...page.matchAll(/^```sh\ncd examples\/([\w-]+)\n([\s\S]*?)^```/gm)].map(([, folder = '', lines = '']) => [
    folder,
    lines
      .split('\n')
      .map((line) => line.replace(/ +#.*/, ''))
      .filter((line) => line !== '' && line !== 'cd ../..'),
  ]),
);

/** The words of a command, with what stands in quotes as one. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

interface Tried {
  cwd: string;
  ran: Ran[];
}

/** Runs what the page prints for a folder, in a copy of it, to the end. */
async function tried(folder: string): Promise<Tried> {
  const cwd = scratch();
  cpSync(join(examples, folder), cwd, { recursive: true });
  const ran: Ran[] = [];
  for (const line of scripts.get(folder) ?? []) {
    const [, name, value = '', args = ''] = /^(?:(\w+)=(\S+) )?npx jury (.*)$/.exec(line) ?? [];
    ran.push(await jury(wordsOf(args), { cwd, env: name === undefined ? {} : { [name]: value } }));
  }
  return { cwd, ran };
}

const codes = ({ ran }: Tried) => ran.map(({ code }) => code);

describe('what the page of examples prints', () => {
  test('covers every folder', () => {
    expect([...scripts.keys()].sort()).toEqual([
      'ci-gate',
      'collect',
      'http-api',
      'import-answers',
      'import-labels',
      'library',
      'mcp',
      'own-prompts',
      'own-rubric',
      'traces',
      'vitest',
    ]);
  });

  test('an own rubric passes the short answer and fails the long one', async () => {
    const example = await tried('own-rubric');
    expect(codes(example)).toEqual([0, 1]);
    expect(example.ran[1]?.out).toMatch(/^✗ FAIL – Length:/);
    expect(example.ran[1]?.out).toMatch(/✓ Delay/);
  });

  test('traces become cases, with a built-in reader and with one of their own', async () => {
    const { cwd, ran } = await tried('traces');
    expect(ran.map(({ code }) => code)).toEqual([0, 0]);
    expect(ran[1]?.err).toContain('Our robot: 5 records: 4 read, 1 part of one that was read.');
    const casesIn = (name: string) => readFileSync(join(cwd, name), 'utf8').trim().split('\n');
    expect(
      [...casesIn('spans.jsonl'), ...casesIn('cases.jsonl')].map((line) => JSON.parse(line)),
    ).toMatchObject([
      { response: 'Done, it is open.', toolCalls: [{ name: 'open_window' }] },
      { id: 'd1', latencyMs: 1800, toolCalls: [{ name: 'set_temperature', result: { ok: true } }] },
      { id: 'd2', response: 'The left window is open.' },
    ]);
  });

  test('the gate passes, writes a JUnit file, and fails above what is reached', async () => {
    const { cwd, ran } = await tried('ci-gate');
    expect(ran.map(({ code }) => code)).toEqual([0]);
    expect(readFileSync(join(cwd, 'thresholds.xml'), 'utf8')).toContain('failures="0"');
    const cases = readFileSync(join(cwd, 'cases.jsonl'), 'utf8').replace(
      '"decision":"pass"',
      '"decision":"fail"',
    );
    const wrong = await jury(['bench', 'run', '-', '--models', 'rules', '--fail-under', 'f1=0.9'], {
      cwd,
      input: cases,
    });
    expect(wrong.code).toBe(1);
    expect(wrong.err).toMatch(/f1 is 0\.\d+, under 0\.9/);
  });

  test('the script of the action passes, fails under a threshold, and fails if it got worse than the baseline', async () => {
    const cwd = scratch();
    cpSync(join(examples, 'ci-gate'), cwd, { recursive: true });
    const gate = (attempt: number, env: Record<string, string>) =>
      spawnSync('bash', [join(examples, 'ci-gate/gate.sh')], {
        cwd,
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH ?? '',
          MODELS: 'rules',
          DATASET: 'cases.jsonl',
          GITHUB_RUN_ID: '7',
          GITHUB_RUN_ATTEMPT: String(attempt),
          GITHUB_STEP_SUMMARY: join(cwd, `summary-${attempt}.md`),
          ...env,
        },
      });
    const summary = (attempt: number) => readFileSync(join(cwd, `summary-${attempt}.md`), 'utf8');
    const passed = gate(1, { FAIL_UNDER: 'f1=0.9 coverage=0.95', NAME: 'main', BASELINE: 'main' });
    expect([passed.status, passed.stdout]).toEqual([
      0,
      expect.stringContaining('There is no finished run of main yet'),
    ]);
    expect(summary(1)).toContain('main-7-1');
    expect(readFileSync(join(cwd, 'thresholds.xml'), 'utf8')).toContain('failures="0"');
    // Of several configurations, which are about the judges, the summary begins with how they changed since the baseline.
    const panel = { METHODS: 'io,mab' };
    expect(gate(5, { ...panel, NAME: 'panel' }).status).toBe(0);
    expect(gate(6, { ...panel, NAME: 'branch', BASELINE: 'panel' }).status).toBe(0);
    expect(summary(6)).toMatch(
      /^## ✅ Gate passed: [\s\S]*\n```\nNo change beyond chance among 2 configurations\.\n```\n/,
    );
    expect(summary(5)).not.toContain('beyond chance among');
    // The assistant's answers are the same, but what is right is not: the judges look worse.
    const cases = readFileSync(join(cwd, 'cases.jsonl'), 'utf8').replaceAll(
      '"decision":"pass"',
      '"decision":"fail"',
    );
    writeFileSync(join(cwd, 'worse.jsonl'), cases);
    const under = gate(2, { DATASET: 'worse.jsonl', FAIL_UNDER: 'accuracy=0.99' });
    expect(under.status).toBe(1);
    expect(summary(2)).toMatch(/accuracy is 0\.\d+, under 0\.99/);
    const all = readFileSync(join(cwd, 'cases.jsonl'), 'utf8').trim().split('\n');
    const write = (name: string, change: object) => {
      const changed = all.map((line) => {
        const { label: _, recommendation, ...rest } = JSON.parse(line);
        return JSON.stringify({ ...rest, recommendation: { ...recommendation, ...change } });
      });
      writeFileSync(join(cwd, name), changed.join('\n'));
    };
    write('unlabeled.jsonl', {});
    expect(gate(3, { DATASET: 'unlabeled.jsonl', NAME: 'main' }).status).toBe(0);
    write('low.jsonl', { rating: 1 });
    const worse = gate(4, { DATASET: 'low.jsonl', NAME: 'pull-request', BASELINE: 'main' });
    expect([worse.status, worse.stderr]).toEqual([1, expect.stringContaining('main-7-3')]);
    expect(summary(4)).toMatch(
      /^## ❌ Gate failed: [\s\S]*\n```\n0 % of 12 answers pass \(.*\), \d+ points less than main-7-3, which can be chance \(.*\)\n```\n/,
    );
  });

  test('the script of the action names what broke: a regression, an improvement, and nothing', async () => {
    const cwd = scratch();
    const place = (rating: number, monday = '10:00-22:00') => ({
      recommendation: {
        ...{
          name: 'Sakura',
          cuisine: 'Japanese',
          menu: ['Sushi platter'],
          cost: 'low',
          rating,
          durationMin: 5,
        },
        openingHours: { monday },
      },
    });
    /** Forty answers, of which four recommend a place that is rated too low. */
    const answered = (index: number, answer: object) => ({
      id: `u${index + 1}`,
      rubric: 'navigation',
      conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4' }],
      response: 'Sakura is five minutes away.',
      context: { date: '2024-03-04', time: '19:35' },
      ...answer,
    });
    const builds: Record<string, (index: number) => object> = {
      main: (index) => place(index < 4 ? 3.5 : 4.5),
      regression: (index) =>
        index >= 33 ? place(4.5, '10:00-18:00') : index === 1 ? place(4.6) : place(index < 4 ? 3.5 : 4.5),
      improvement: (index) => place(index < 2 ? 4.6 : index < 4 ? 3.5 : 4.5),
      nothing: (index) => place(index < 4 ? 3.5 : 4.5),
    };
    for (const [build, answerOf] of Object.entries(builds)) {
      const lines = Array.from({ length: 40 }, (_, index) =>
        JSON.stringify(answered(index, answerOf(index))),
      );
      writeFileSync(join(cwd, `${build}.jsonl`), lines.join('\n'));
    }
    const gate = (build: string, name: string) => {
      const { status, stdout, stderr } = spawnSync('bash', [join(examples, 'ci-gate/gate.sh')], {
        cwd,
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH ?? '',
          MODELS: 'rules',
          DATASET: `${build}.jsonl`,
          NAME: name,
          BASELINE: 'main',
          FAIL_UNDER: 'pass-rate=0.825',
          JUNIT: `${build}.xml`,
          GITHUB_ACTIONS: 'true',
          GITHUB_RUN_ID: build,
          GITHUB_RUN_ATTEMPT: '1',
          GITHUB_STEP_SUMMARY: join(cwd, `${build}.md`),
        },
      });
      const annotations = stdout.split('\n').filter((line) => line.startsWith('::'));
      const read = (end: string) => readFileSync(join(cwd, `${build}.${end}`), 'utf8');
      return { status, stderr, annotations, summary: read('md'), junit: read('xml') };
    };
    // A run of another series whose name begins alike is no baseline.
    expect(gate('main', 'main-feature-1').status).toBe(0);
    expect(gate('main', 'main').stderr).not.toContain('Compared');

    const worse = gate('regression', 'pull-request');
    expect(worse.status).toBe(1);
    const outcome = '75.0 % of 40 pass; at least 82.5 % required';
    expect(worse.summary).toContain(`## ❌ Gate failed: ${outcome}`);
    expect(worse.summary).toContain('7 newly fail, 1 newly passes since main');
    expect(worse.summary).toContain('compared with main-main-1');
    expect(worse.summary).toMatch(
      /### Now wrong \(7\)[^#]*\| u34 \|[^|]*\| Time: Closed since 18:00[^|]*\(was: pass\) \| regression\.jsonl:34 \|/,
    );
    expect(worse.summary).toMatch(/### Now right \(1\)[^#]*\| u2 \|[^|]*\| Rating: /);
    expect(worse.annotations).toHaveLength(8);
    expect(worse.annotations[1]).toMatch(
      /^::error file=regression\.jsonl,line=34,title=Jury%3A now wrong::u34 .*Time: Closed/,
    );
    expect(worse.junit).toMatch(
      /<testcase name="u34"[^>]* file="regression.jsonl" line="34"><failure type="now wrong" message="[^"]*Time: Closed/,
    );
    expect(worse.junit).toMatch(/<testcase name="u1"[^>]*><skipped message="[^"]*\(as before\)">/);
    expect(worse.stderr).toMatch(/✗ Gate failed: 75\.0 %.*\nnow wrong {2}u34 /);

    const better = gate('improvement', 'pull-request');
    expect([better.status, better.annotations]).toEqual([0, []]);
    expect(better.summary).toContain(
      '## ✅ Gate passed: 95.0 % of 40 pass; at least 82.5 % required · 2 newly pass since main',
    );
    expect(better.junit).toContain('failures="0"');

    const same = gate('nothing', 'pull-request');
    expect([same.status, same.annotations]).toEqual([0, []]);
    expect(same.summary).toContain('90.0 % of 40 pass; at least 82.5 % required · no case turned since main');
    expect(same.junit).toContain('failures="0"');
  });

  test('an own folder of prompts brings fields, words, a rubric, a persona and a method', async () => {
    const example = await tried('own-prompts');
    expect(codes(example)).toEqual([0, 1]);
    expect(JSON.parse(example.ran[0]?.out ?? '')).toMatchObject({
      case: { stay: { animal: ['dogs', 'cats'], nights: 14, price: 420 }, context: { spendingLimit: 400 } },
    });
    const card = example.ran[1]?.out ?? '';
    expect(card).toMatch(/^✗ FAIL – Price:/);
    expect(card).toMatch(/✓ Animal/);
    const [verdict] = verdictsOf(
      await jury(['judge', '--json', 'booked.txt'], {
        cwd: example.cwd,
        env: { JURY_PROMPTS_DIR: 'prompts' },
      }),
    );
    expect(verdict?.method).toBe('second-thoughts');
    expect(verdict?.settings.panel.map(({ persona }) => persona)).toContain('pet-owner');
    expect(verdict?.criteria).toMatchObject([
      { id: 'animal', tally: { pass: 3, fail: 0 } },
      { id: 'price', tally: { pass: 0, fail: 3 } },
    ]);
  });

  test('labels of a spreadsheet become rulings and a dataset', async () => {
    const { cwd, ran } = await tried('import-labels');
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(ran[1]?.out).toContain('3 verdicts ruled on');
    expect(existsSync(join(cwd, 'labeled.jsonl'))).toBe(true);
    expect(ran[3]?.out).toContain('0.667');
  });

  test('answers of several people become a dataset, and a study that reports how far they agree', async () => {
    const { cwd, ran } = await tried('import-answers');
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(ran[0]?.out).toContain('Answers of 3 annotators');
    expect(ran[0]?.out).toContain('1 case not settled.');
    expect(ran[2]?.err).toContain('12 of 12 rows kept');
    expect(ran[3]?.out).toMatch(/alpha, nominal: correct or not +−?0\.\d{3}/);
    expect(readFileSync(join(cwd, 'weighed.jsonl'), 'utf8').trim().split('\n')).toHaveLength(3);
  });

  test('a matcher fails a test with the reason of the verdict', async () => {
    expect(scripts.get('vitest')).toEqual(['npx vitest run']);
    const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
    const run = (folder: string) =>
      promisify(execFile)(process.execPath, [vitest, 'run'], {
        cwd: folder,
        env: { ...process.env, CI: '' },
      });
    expect((await run(join(examples, 'vitest'))).stdout).toMatch(/2 passed/);
    // The one that expects the closed place to fail is turned around.
    const copy = mkdtempSync(join(examples, 'vitest-'));
    try {
      cpSync(join(examples, 'vitest'), copy, { recursive: true });
      const file = join(copy, 'assistant.test.mjs');
      writeFileSync(file, readFileSync(file, 'utf8').replace('.not.toPassJury', '.toPassJury'));
      await expect(run(copy)).rejects.toMatchObject({
        stderr: expect.stringMatching(/Jury: fail, exact checks: Closed since 20:00/),
      });
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  test('a program judges over HTTP and votes', async () => {
    const { service, parts } = await runService({});
    const { authorization } = keyIn(parts.env.settings.JURY_DATA_DIR);
    const env = {
      ...process.env,
      JURY_URL: `http://127.0.0.1:${service.port}`,
      JURY_TOKEN: authorization.replace('Bearer ', ''),
    };
    const { stdout } = await promisify(execFile)(process.execPath, ['http-api/judge.mjs'], {
      cwd: examples,
      env,
    });
    expect(stdout).toMatch(/^(?:Investigator: \w+, .*\n)+fail: .*rating is 3\.8/);
    expect(stdout).toContain('Votes: {"agree":1,"disagree":0,"unsure":0}');
  });

  test('an agent has an answer judged', () => {
    const { stdout } = spawnSync(process.execPath, ['agent.mjs'], {
      cwd: join(examples, 'mcp'),
      encoding: 'utf8',
      // The first npx in a checkout builds it anew, in the way of other tests.
      env: { ...process.env, JURY_DATA_DIR: scratch(), npm_config_ignore_scripts: 'true' },
    });
    expect(stdout).toMatch(
      /^Tools: judge, parse, get_verdict, list_rubrics, list_methods, [\w, ]+\n✗ FAIL – Time: closed/,
    );
    expect(stdout).toContain('Decision: fail');
  });

  test('an assistant behind a command is asked, and its answers are judged', async () => {
    const { cwd, ran } = await tried('collect');
    expect(ran.map(({ code }) => code)).toEqual([1, 1]);
    expect(ran[0]?.err).toContain('3 of 3 cases in answers.jsonl: 2 answered');
    expect(ran[1]?.out).toMatch(/✗ FAIL – Rating: /);
    const [http, library] = [fileAt(join(cwd, 'http.yaml')), await loadLibrary(['prompts'])];
    const file = readSystemFile(http, library.caseFormat, (name) => `value-of-${name}`);
    expect(file).toMatchObject({ name: 'assistant', build: 'value-of-BUILD', perSecond: 5 });
  });
});
