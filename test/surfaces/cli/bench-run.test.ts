import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Trial } from '../../../src/benchmark/trial.ts';
import type { EvalCase } from '../../../src/case/case.ts';
import { usd } from '../../../src/common/text/text.ts';
import { aCase } from '../../support/builders.ts';
import { type ModelDouble, type ModelDoubleOptions, startModelDouble } from '../../support/model-double.ts';
import { casesOf } from '../../support/run-builders.ts';
import { jury, type Ran, scratch, spawnJury } from '../../support/run-jury.ts';

let cwd: string;
let double: ModelDouble;
beforeEach(() => {
  cwd = scratch();
});
afterEach(() => double?.close());

const labeled: Partial<EvalCase> = { rubric: 'navigation', label: { decision: 'pass' } };

const thai: EvalCase['conversation'] = [{ role: 'user', text: 'Find me a Thai place.' }];

function dataset(cases: readonly EvalCase[], name = 'cases.jsonl'): void {
  writeFileSync(join(cwd, name), cases.map((one) => JSON.stringify(one)).join('\n'));
}
async function model(options: ModelDoubleOptions = {}): Promise<void> {
  double = await startModelDouble(options);
}
const env = () => (double === undefined ? {} : { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' });
const words = (line: string) => line.split(' ');
const bench = (line: string, more: Record<string, string> = {}): Promise<Ran> =>
  jury(words(`bench ${line}`), { cwd, env: { ...env(), ...more } });
const run = (line: string, more: Record<string, string> = {}) => bench(`run cases.jsonl ${line}`, more);
async function trialsOf(name: string): Promise<Trial[]> {
  const { out } = await bench(`show ${name} --trials`);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Trial.parse(JSON.parse(line)));
}
const summaryOf = ({ out }: Ran) => JSON.parse(out);

const mini = '--methods io --models openai/gpt-4o-mini';

describe('jury bench run', () => {
  test('judges every case by every configuration and counts what came of it', async () => {
    await model({
      answer: ({ body }) => ({ fields: { decision: body.model === 'gpt-4o' ? 'fail' : 'pass' } }),
    });
    dataset([
      ...casesOf(3, labeled),
      aCase({ ...labeled, id: 'wrong', label: { decision: 'fail', errorType: 'time' } }),
    ]);
    const ran = await run(
      '--methods io,cot-1 --models openai/gpt-4o-mini,openai/gpt-4o --temperatures 0,0.5 --repeat 2 --json --name all',
    );
    expect(ran.code).toBe(0);
    // 2 methods × 2 models × 2 temperatures × 2 repeats, 4 cases each.
    const { configurations, trials } = summaryOf(ran);
    expect([configurations.length, trials]).toEqual([16, 64]);
    const [first] = configurations.filter(({ id }: { id: string }) => id === 'io openai/gpt-4o-mini t0 #1');
    expect(first.decisions).toEqual({
      pass: 4,
      fail: 0,
      scored: 0,
      undecided: 0,
      'no-quorum': 0,
      unanswered: 0,
    });
    // 3 of 4 are right; precision 3/4, recall 1: F1 = 6/7.
    expect(first.classification.accuracy.value).toBeCloseTo(0.75, 9);
    expect(first.classification.f1.value).toBeCloseTo(6 / 7, 9);
    expect(ran.err).toContain('4 cases (4 with labels) × 16 configurations = 64 trials');
  });

  test('asks again in each repeat, also at temperature 0', async () => {
    await model();
    dataset(casesOf(2, labeled));
    await run(`${mini} --repeat 3 --name rep`);
    expect(double.counts.received).toBe(6);
    // The same again in another run is all known.
    await run(`${mini} --repeat 3 --name again`);
    expect(double.counts.received).toBe(6);
    await run(`${mini} --name fresh --no-cache`);
    expect(double.counts.received).toBe(8);
  });

  test('gives methods that seat several models all of them as one panel, and says so', async () => {
    await model();
    dataset(casesOf(1, labeled));
    const ran = await run(
      '--methods max-vote,io --models openai/gpt-4o-mini,openai/gpt-4o --json --name panel',
    );
    expect(
      summaryOf(ran).configurations.map(({ id, calls }: { id: string; calls: number }) => [id, calls]),
    ).toEqual([
      ['max-vote openai/gpt-4o-mini+openai/gpt-4o t0 #1', 2],
      ['io openai/gpt-4o-mini t0 #1', 1],
      ['io openai/gpt-4o t0 #1', 1],
    ]);
    expect(ran.err).toContain('such as max-vote, get all 2 as one panel');
  });

  test('stopped with Ctrl-C it ends what is under way, and nothing is asked twice', async () => {
    let letGo = () => {};
    const stopped = new Promise<void>((done) => {
      letGo = done;
    });
    await model({
      delayMs: 50,
      answer: async ({ n }) => {
        if (n > 10) await stopped;
        return { fields: { decision: 'pass' } };
      },
    });
    dataset(casesOf(60, labeled));
    const args = words(`bench run cases.jsonl ${mini} --no-cache --concurrency 4 --name stopped`);
    const child = spawnJury(args, { cwd, env: env() });
    const said = text(child.stderr);
    while (double.counts.received < 14) await sleep(5);
    child.kill('SIGINT');
    letGo();
    await once(child, 'exit');
    expect(child.exitCode).toBe(130);
    const notices = await said;
    expect(notices).toContain('Press Ctrl-C again to stop at once.');
    expect(notices).toContain('the same command resumes');
    expect((await trialsOf('stopped')).length).toBe(double.counts.received);
    expect((await run(`${mini} --no-cache --name stopped`)).code).toBe(0);
    expect(double.counts.received).toBe(60);
  });

  test('refuses another run under the same name and says what differs', async () => {
    await model();
    dataset(casesOf(3, labeled));
    await run(`${mini} --name mine`);
    dataset(casesOf(4, labeled));
    const ran = await run('--methods io,cot-1 --models openai/gpt-4o-mini --name mine');
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('methods: io → io, cot-1');
    expect(ran.err).toContain('dataset: 3 cases → 4 cases');
    dataset(casesOf(3, { ...labeled, response: 'Another one.' }));
    expect((await run(`${mini} --name mine`)).err).toContain(
      'the content or order of cases.jsonl has changed',
    );
    expect(double.counts.received).toBe(3);
  });

  test('refuses to continue under changed prompts and names the wording', async () => {
    await model();
    dataset(casesOf(2, { ...labeled, rubric: 'polite' }));
    const prompts = join(cwd, 'prompts', 'rubrics');
    mkdirSync(prompts, { recursive: true });
    const rubric = (rule: string) =>
      `title: Polite\nsource: us\ntask: Judge.\ndecide: all\npanel: [investigator]\nmethod: io\ncriteria:\n  - id: tone\n    title: Tone\n    rule: ${rule}\n`;
    const own = { JURY_PROMPTS_DIR: join(cwd, 'prompts') };
    writeFileSync(join(prompts, 'polite.yaml'), rubric('It is friendly.'));
    expect((await run(`${mini} --name words`, own)).code).toBe(0);
    writeFileSync(join(prompts, 'polite.yaml'), rubric('It is curt.'));
    const ran = await run(`${mini} --name words`, own);
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('wording of polite, io');
  });

  test('does not begin where a case cannot be judged', async () => {
    await model();
    const bare = { id: 'bare', rubric: 'navigation', conversation: thai, response: 'There is one.' };
    dataset([bare, ...casesOf(1, labeled)]);
    const ran = await run(`${mini} --name none`);
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('Case bare lacks fields that the rubric "navigation" needs');
    dataset([...casesOf(1, labeled), ...casesOf(1, labeled)]);
    expect((await run(`${mini} --name none`)).err).toContain('cases 1 and 2 have the same id, c0');
    dataset([...casesOf(5, labeled), ...casesOf(5, labeled)]);
    const { err } = await run(`${mini} --name none`);
    expect(err).toContain('cases 3 and 8 have the same id, c2; so have those of 2 other ids: give each case');
    expect(double.counts.received).toBe(0);
    expect((await bench('list --json')).out).toBe('');
  });

  test('names the setting to change where its folder cannot be made', async () => {
    dataset([aCase({ id: 'a', ...labeled })]);
    writeFileSync(join(cwd, 'taken'), '');
    const { code, err } = await run('--methods io --models rules', { JURY_DATA_DIR: 'taken' });
    expect(code).toBe(64);
    expect(err).toMatch(/cannot be written .*set JURY_DATA_DIR to a writable folder\.$/m);
    expect(err).not.toContain('Internal error');
  });

  test('says what it will take without doing it', async () => {
    await model();
    dataset(casesOf(10, labeled));
    const ran = await run(
      '--methods mad,sc-5 --models openai/gpt-4o-mini,openai/unheard-of --plan --name later',
    );
    expect(ran.code).toBe(0);
    // mad: 3 to 12 calls a case; sc-5: 3 to 5; both for two models.
    expect(ran.err).toContain('120–340 calls, cost unknown');
    expect(ran.err).toMatch(/mad openai\/gpt-4o-mini t0 #1: 30–120 calls, about \$0\.0\d+–\$0\.\d+/);
    expect(ran.err).toContain('The price of openai/unheard-of is unknown.');
    expect(double.counts.received).toBe(0);
    expect((await bench('list --json')).out).toBe('');
  });

  test('says what it will take without the key of a model', async () => {
    dataset(casesOf(10, labeled));
    const { code, err } = await jury(words(`bench run cases.jsonl ${mini} --plan`), { cwd });
    expect(code).toBe(0);
    expect(err).toMatch(/io openai\/gpt-4o-mini t0 #1: 10 calls, about \$0\.\d+/);
    const wrong = await jury(words('bench run cases.jsonl --models gpt-4o-mini --plan'), { cwd });
    expect(wrong).toMatchObject({ code: 64, err: expect.stringContaining('"gpt-4o-mini" is not a model') });
  });
});

describe('an endpoint that refuses the key', () => {
  test('ends the run at once, and with the right key it resumes', async () => {
    let refuses = false;
    await model({
      answer: ({ n }) => (refuses && n > 8 ? { status: 401, error: 'Incorrect API key provided' } : {}),
    });
    refuses = true;
    dataset(casesOf(40, labeled));
    const args = '--methods io --models openai/gpt-4o --no-cache --json --concurrency 4 --name key';
    const first = await run(args);
    expect(first.code).toBe(69);
    expect(first.err).toMatch(
      /Stopped: openai answered 401 .*set OPENAI_API_KEY to a valid key\. What was judged/,
    );
    expect(summaryOf(first)).toMatchObject({ trials: 8, failed: 0 });
    expect(double.counts.received).toBeLessThanOrEqual(12);
    refuses = false;
    const second = await run(args);
    expect(second.code).toBe(0);
    expect(summaryOf(second)).toMatchObject({ trials: 40, failed: 0 });
  });
});

describe('an endpoint that does not answer', () => {
  const args = '--methods io --models openai/gpt-4o --no-cache --json --concurrency 4 --name away';

  test('ends a run that has not begun, and what is there then resumes', async () => {
    let isDown = true;
    await model({ answer: () => (isDown ? { status: 422, error: 'Not now.' } : {}) });
    dataset(casesOf(12, labeled));
    const first = await run(`${args} --fail-under pass-rate=0.5`);
    expect(first.code).toBe(69);
    expect(first.err.match(/answered 422 Not now/g)).toHaveLength(1);
    expect(first.err).toContain('the same command resumes');
    expect(first.err).toContain('Nothing was judged, so its thresholds are not met.');
    expect(summaryOf(first)).toMatchObject({ trials: 0, failed: 0 });
    const report = await jury(words('bench report away --fail-under pass-rate=0.5 --json'), {
      cwd,
      env: env(),
    });
    expect(report.code).toBe(1);
    expect(report.err).toContain('pass-rate is not defined');
    isDown = false;
    const second = await run(args);
    expect(second.code).toBe(0);
    expect(summaryOf(second)).toMatchObject({ trials: 12, failed: 0 });
  });

  test('in the midst of a run costs the trials that it left without an answer, and no others', async () => {
    await model({ answer: ({ n }) => (n > 4 && n <= 8 ? { status: 422, error: 'Not now.' } : {}) });
    dataset(casesOf(12, labeled));
    const ran = await run(`${args} --concurrency 1`);
    expect(ran.code).toBe(2);
    expect(summaryOf(ran).trials).toBe(12);
    expect(summaryOf(ran).failed).toBeGreaterThan(0);
  });

  test('gives no rate of a run in which no trial was answered, and says why', async () => {
    await model({ answer: () => ({ content: 'Hm.' }) });
    dataset(casesOf(3, labeled));
    expect((await run(args)).code).toBe(2);
    const gate = words('bench report away --fail-under pass-rate=0.1 --junit gate.xml');
    const report = await jury(gate, { cwd, env: env() });
    expect(report.code).toBe(1);
    expect(report.err).toContain('pass-rate is not defined (no case was decided), so not at least 0.1');
    expect(report.out).toContain('Nothing was judged, since no trial got an answer');
    expect(report.out.replaceAll(/\s+/g, ' ')).toContain('no answer in the requested format');
    expect(report.out).not.toMatch(/\b0\.000\b/);
    expect(readFileSync(join(cwd, 'gate.xml'), 'utf8')).toContain('pass-rate is not defined');
  });
});

describe('the budget of a run', () => {
  test('stops it cleanly, and with more money it continues', async () => {
    // 1000 prompt and 100 completion tokens of gpt-4o: $0.0025 + $0.001 = $0.0035 a trial.
    await model({ delayMs: 20, answer: () => ({ usage: { prompt_tokens: 1000, completion_tokens: 100 } }) });
    dataset(casesOf(40, labeled));
    const args = '--methods io --models openai/gpt-4o --no-cache --json --concurrency 10 --name cheap';
    const first = await run(`${args} --budget 0.034 --fail-under f1=0.1 --junit cheap.xml`);
    expect(first.code).toBe(75);
    expect(first.err).toContain('the run budget is spent');
    const junit = readFileSync(join(cwd, 'cheap.xml'), 'utf8');
    expect(junit).toContain('<testsuite name="cheap" tests="1" failures="0" errors="1"');
    expect(junit).toMatch(
      /<error type="unfinished" message="The run is not finished, so its thresholds are not met\. Stopped: the run budget is spent/,
    );
    const { trials, spentUsd } = summaryOf(first);
    // Ten trials are the budget; what is under way when it is reached may come on top by one.
    expect(trials).toBeGreaterThanOrEqual(10);
    expect(trials).toBeLessThanOrEqual(11);
    expect(double.counts.received).toBe(trials);
    expect(spentUsd).toBeCloseTo(trials * 0.0035, 9);
    expect(first.err).toContain(`with a --budget above ${usd(spentUsd)} resumes`);
    expect((await run(`${args} --budget 0.034`)).code).toBe(75);
    expect(double.counts.received).toBe(trials);
    expect((await run(`${args} --budget 10`)).code).toBe(0);
    expect(double.counts.received).toBe(40);
  });

  test('is refused where a price is not known', async () => {
    await model();
    dataset(casesOf(2, labeled));
    const ran = await run('--methods io --models openai/unheard-of --budget 1 --name none');
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('the price of openai/unheard-of is unknown');
    expect(double.counts.received).toBe(0);
  });

  test('of the day stops a run too, and no trial is kept without its answers', async () => {
    await model({ answer: () => ({ usage: { prompt_tokens: 1000, completion_tokens: 100 } }) });
    dataset(casesOf(10, labeled));
    const args = '--methods io --models openai/gpt-4o --no-cache --json --concurrency 1 --name day';
    const ran = await run(args, { JURY_DAILY_BUDGET_USD: '0.01' });
    expect(ran.code).toBe(75);
    expect(ran.err).toContain("the day's budget is spent");
    expect(summaryOf(ran)).toMatchObject({ trials: 3, failed: 0 });
  });
});

describe('failed trials', () => {
  test('are named, and judged again alone', async () => {
    let broken = true;
    await model({
      answer: ({ user }) => (broken && user.includes('Thai') ? { content: 'no idea' } : {}),
    });
    dataset([...casesOf(3, labeled), aCase({ ...labeled, id: 'odd', conversation: thai })]);
    const first = await run(`${mini} --json --name odd`);
    expect(first.code).toBe(2);
    expect(first.err).toContain('1 trial has no verdict');
    expect(summaryOf(first)).toMatchObject({ trials: 4, failed: 1 });
    // Three answered, one was asked and asked to repair its reply.
    expect(double.counts.received).toBe(5);
    broken = false;
    const again = await run(`${mini} --json --name odd --retry-failed`);
    expect(again.code).toBe(0);
    expect(again.err).toContain('3 trials already there, not repeated.');
    expect(again.err).toContain('1 trial without an answer, judged again.');
    expect(double.counts.received).toBe(6);
    // 100 + 20 tokens of gpt-4o-mini are $0.000027; the failed trial took two replies, which stay paid.
    expect(summaryOf(again)).toMatchObject({ trials: 4, failed: 0, spentUsd: 0.000162 });
  });
});

describe('equal calls', () => {
  test('give each debate a plain vote with as many calls on the same case', async () => {
    // One of three disagrees on c1 to the end: 4 rounds of 3; on c0 all agree at once: 3 calls.
    await model({
      answer: ({ system, user }) => ({
        fields: {
          decision: user.includes('Thai') && system.includes('You are an auditor') ? 'fail' : 'pass',
        },
      }),
    });
    dataset([...casesOf(1, labeled), aCase({ ...labeled, id: 'c1', conversation: thai })]);
    const ran = await run('--methods mad --models openai/gpt-4o-mini --equal-calls --json --name equal');
    expect(ran.code).toBe(0);
    const trials = await trialsOf('equal');
    const calls = (configuration: string, caseId: string) =>
      trials.find((trial) => trial.configuration === configuration && trial.caseId === caseId)?.calls;
    expect(calls('mad openai/gpt-4o-mini t0 #1', 'c0')).toBe(3);
    expect(calls('mad openai/gpt-4o-mini t0 #1', 'c1')).toBe(12);
    expect(calls('mad openai/gpt-4o-mini t0 #1 vote', 'c0')).toBe(3);
    expect(calls('mad openai/gpt-4o-mini t0 #1 vote', 'c1')).toBe(12);
    const vote = trials.find(({ key }) => key === '1-1');
    expect(vote).toMatchObject({ method: 'mad/vote', rounds: 1, decision: 'pass' });
    expect(new Set(vote?.judgements.map(({ judge }) => JSON.stringify(judge))).size).toBe(12);
    // Samples must be able to differ.
    expect(double.requests.filter(({ body }) => body.temperature === 0.7)).toHaveLength(15);
  });

  test('need a debate', async () => {
    await model();
    dataset(casesOf(1, labeled));
    const ran = await run(`${mini} --equal-calls`);
    expect(ran.code).toBe(64);
    expect(ran.err).toContain('no method named has more than one round');
  });
});

describe('early stopping', () => {
  test('of sc-5 saves 40 % of the calls on a unanimous endpoint and decides the same', async () => {
    await model({
      answer: ({ user }) => ({
        fields: { decision: user.length % 2 === 0 ? 'pass' : 'fail' },
      }),
    });
    dataset(
      Array.from({ length: 10 }, (_, index) =>
        aCase({ ...labeled, id: `c${index}`, response: `Sakura is ${'very '.repeat(index)}close.` }),
      ),
    );
    const prompts = join(cwd, 'prompts', 'methods');
    mkdirSync(prompts, { recursive: true });
    const sc5 = readFileSync(new URL('../../../prompts/methods/sc-5.yaml', import.meta.url), 'utf8');
    writeFileSync(join(prompts, 'all-5.yaml'), sc5.replace(/^stop: .*$/m, 'stop: never'));
    const ran = await run('--methods sc-5,all-5 --models openai/gpt-4o-mini --json --name early', {
      JURY_PROMPTS_DIR: join(cwd, 'prompts'),
    });
    expect(ran.code).toBe(0);
    const [early, all] = summaryOf(ran).configurations;
    expect([early.calls, all.calls]).toEqual([30, 50]);
    const decisions = async (place: number) =>
      (await trialsOf('early'))
        .filter(({ key }) => key.startsWith(`${place}-`))
        .sort((a, b) => (a.caseId < b.caseId ? -1 : 1))
        .map(({ decision }) => decision);
    expect(await decisions(0)).toEqual(await decisions(1));
    expect(new Set(await decisions(0)).size).toBe(2);
  });
});

describe('the lists of runs', () => {
  test('tell what there is and what a run came to', async () => {
    dataset(casesOf(2, labeled));
    const ran = await run('--methods io --models rules --name quick');
    expect(ran.code).toBe(0);
    expect((await bench('list')).out).toContain('2 of 2 trials: 2 cases of cases.jsonl × 1 configuration\n');
    expect((await bench('show quick')).out).toBe(ran.out);
    const none = await bench('show slow');
    expect(none.code).toBe(64);
    expect(none.err).toContain('There is no run "slow". There are: quick.');
  });

  test('what a file is called steers no terminal', async () => {
    dataset(casesOf(1, labeled), '\u001b[2Jcases.jsonl');
    const ran = await jury(['bench', 'run', '\u001b[2Jcases.jsonl', '--models', 'rules'], { cwd });
    expect(ran.code).toBe(0);
    expect((await bench('list')).out).toContain('1 case of cases.jsonl ×');
  });

  test('a run without a name is found again by the same command', async () => {
    await model();
    dataset(casesOf(2, labeled));
    await run(`${mini} --no-cache`);
    expect((await run(`${mini} --no-cache`)).err).toContain('2 trials already there');
    expect(double.counts.received).toBe(2);
    await run(`${mini} --no-cache --seed 7`);
    expect(double.counts.received).toBe(4);
  });
});

test('a worker without Redis says what it needs', async () => {
  const ran = await jury(['worker'], { cwd });
  expect(ran.code).toBe(64);
  expect(ran.err).toContain('set REDIS_URL');
});
