import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { criteriaOf, isDebate, scores } from '../support/core-answers.ts';
import {
  type DoubleRequest,
  type ModelDouble,
  type ModelDoubleOptions,
  startModelDouble,
} from '../support/model-double.ts';
import { casesOf } from '../support/run-builders.ts';
import { jury, type Ran, scratch, spawnJury } from '../support/run-jury.ts';

let double: ModelDouble;
afterEach(() => double.close());

const root = scratch();
let cwd = root;

async function begin(cases: readonly EvalCase[], options: ModelDoubleOptions = {}): Promise<void> {
  double = await startModelDouble(options);
  cwd = mkdtempSync(join(root, 'run-'));
  writeFileSync(join(cwd, 'cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
}

const env = () => ({
  OPENAI_BASE_URL: double.baseUrl,
  ZHIPU_BASE_URL: double.baseUrl,
  JURY_DATA_DIR: join(cwd, 'data'),
});
const bench = (...args: string[]) => jury(['bench', ...args], { cwd, env: env() });
const run = (line: string) => bench('run', 'cases.jsonl', ...line.split(' '));
const summaries = (ran: Ran): { id: string; calls: number; pooledCalls: number; pooledFrom: string[] }[] =>
  JSON.parse(ran.out).configurations;
const store = () => createFolderTrialStore(join(cwd, 'data', 'runs'));
async function verdictsOf(name: string) {
  const verdicts = [];
  for await (const one of store().readVerdicts(name)) verdicts.push(one);
  return verdicts;
}

const digest = (text: string): number =>
  [...text].reduce((sum, sign) => (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) >>> 0, 7);

/** Each model decides each case in its own, fixed way, and says what it used in tokens that differ too. */
const decides = ({ body, user }: DoubleRequest) => {
  const seed = digest(`${body.model} ${user}`);
  return {
    fields: { decision: seed % 3 === 0 ? 'fail' : 'pass' },
    usage: { prompt_tokens: 100 + (seed % 50), completion_tokens: 20 + (seed % 10) },
  };
};

/** A scripted endpoint of CoRE: scores by model, criterion and log; debaters never agree, so they take all rounds. */
const rates = (request: DoubleRequest) =>
  isDebate(request)
    ? scores(request, () => digest(request.system) % 101)
    : scores(request, (id) => digest(`${request.body.model} ${id} ${request.user}`) % 5);

const kpis = casesOf(42).map((one, n) => ({
  ...one,
  rubric: 'follow-up',
  conversation: [
    { role: 'user' as const, text: `What is button ${n}?` },
    { role: 'system' as const, text: 'It starts the car.' },
    { role: 'user' as const, text: 'And how do I stop it?' },
  ],
}));
const logs = casesOf(16, { rubric: 'core', recommendations: [['A', 'B']], groundTruth: 'A' }).map(
  (one, n) => ({ ...one, response: `Watch film ${n}.` }),
);
const TRIO = '--models openai/a,openai/b,openai/c';

/** What a configuration decides, case by case, without what it took. */
const decisionsOf = async (name: string, place: number) =>
  (await verdictsOf(name))
    .filter(({ key }) => key.startsWith(`${place}-`))
    .map(({ key, verdict: { decision, score, tally, criteria, why } }) => ({
      at: key.split('-')[1],
      ...{ decision, score, tally, criteria, why },
    }))
    .sort((a, b) => Number(a.at) - Number(b.at));

describe('a vote of models beside each model alone', () => {
  test('is pooled from their answers: 126 calls instead of 252, and each decision is the same', async () => {
    await begin(kpis, { answer: decides });
    const plan = await run(`--methods io,max-vote ${TRIO} --plan`);
    expect(plan.err).toContain('126 calls, ');
    expect(plan.err).toContain('126 calls saved');
    const ran = await run(`--methods io,max-vote ${TRIO} --no-cache --json --name both`);
    expect(ran.code, ran.err).toBe(0);
    expect(double.counts.received).toBe(126);
    expect(JSON.parse(ran.out)).toMatchObject({ calls: 126, trials: 168 });
    expect(summaries(ran).map(({ calls, pooledCalls }) => [calls, pooledCalls])).toEqual([
      [42, 0],
      [42, 0],
      [42, 0],
      [126, 126],
    ]);
    expect(summaries(ran)[3]?.pooledFrom).toEqual(['a', 'b', 'c'].map((one) => `io openai/${one} t0 #1`));

    await run(`--methods max-vote ${TRIO} --no-cache --json --name alone`);
    expect(double.counts.received).toBe(126 + 126);
    expect(await decisionsOf('both', 3)).toEqual(await decisionsOf('alone', 0));
  });

  test('counts tokens as the method takes them alone, and money once, where it was spent', async () => {
    await begin(kpis.slice(0, 6), { answer: decides });
    writeFileSync(join(cwd, 'prices.json'), JSON.stringify({ '*': { input: 10, output: 40 } }));
    const priced = { cwd, env: { ...env(), JURY_PRICES: join(cwd, 'prices.json') } };
    const args = ['--no-cache', '--json', '--name', 'both'];
    const ran = await jury(
      ['bench', 'run', 'cases.jsonl', ...`--methods io,max-vote ${TRIO}`.split(' '), ...args],
      priced,
    );
    const { spentUsd, configurations } = JSON.parse(ran.out);
    const [a, b, c, vote] = configurations.map(({ costUsd }: { costUsd: number }) => costUsd);
    expect(vote).toBe(0);
    expect(spentUsd).toBeCloseTo(a + b + c, 9);
    await jury(['bench', 'report', 'both', '-o', 'report'], priced);
    const summary = JSON.parse(readFileSync(join(cwd, 'report', 'summary.json'), 'utf8'));
    const [one, two, three, pooled] = summary.setups.map(
      ({ efficiency }: { efficiency: { tokens: { mean: { value: number } } } }) =>
        efficiency.tokens.mean.value,
    );
    expect(pooled).toBeCloseTo(one + two + three, 9);
    const efficiency = summary.setups[3].efficiency;
    expect(efficiency).toMatchObject({ pooledCalls: 18, totalCostUsd: 0 });
    expect(efficiency.costUsd.mean.value * 6).toBeCloseTo(a + b + c, 9);
    expect(summary.setups[3].pooledFrom).toEqual(['io openai/a t0', 'io openai/b t0', 'io openai/c t0']);
    const says =
      'max-vote openai/a+openai/b+openai/c t0 is pooled from io openai/a t0, io openai/b t0 and io openai/c t0: 18 calls';
    expect(readFileSync(join(cwd, 'report', 'report.html'), 'utf8')).toContain(says);
    expect(readFileSync(join(cwd, 'report', 'report.md'), 'utf8')).toContain(says);
    const csv = readFileSync(join(cwd, 'report', 'configurations.csv'), 'utf8');
    expect(csv).toContain('io openai/a t0; io openai/b t0; io openai/c t0');
    const printed = (await jury(['bench', 'report', 'both'], priced)).out.replaceAll(/\s+/g, ' ');
    expect(printed).toContain(says);
  });

  test('asks again where a model did not answer', async () => {
    let refused = 0;
    await begin(kpis.slice(0, 2), {
      answer: (request) => {
        if (request.body.model !== 'b' || refused >= 1) return decides(request);
        refused += 1;
        return { refusal: 'no' };
      },
    });
    const ran = await run(`--methods io,max-vote ${TRIO} --no-cache --json --name both --concurrency 1`);
    // Six answers, one of which was a refusal: it is asked for once more.
    expect(double.counts.received).toBe(7);
    expect(summaries(ran)[3]).toMatchObject({ calls: 6, pooledCalls: 5 });
  });

  test('shares nothing where prompts, temperatures or repeats differ', async () => {
    await begin(kpis.slice(0, 2), { answer: decides });
    await run('--methods io,cot-0 --models openai/a --no-cache --name prompts');
    expect(double.counts.received).toBe(4);
    await run(
      '--methods io,max-vote --models openai/a --temperatures 0,0.5 --repeat 2 --no-cache --name grid',
    );
    // Each of two cases once for each temperature and repeat
    expect(double.counts.received).toBe(4 + 2 * 2 * 2);
  });

  test('lets samples of one judge be drawn for themselves', async () => {
    await begin(kpis.slice(0, 2), { answer: decides });
    await run(
      '--methods cot-3,sc-3 --models openai/a --temperatures 0.7 --no-early-stop --no-cache --name samples',
    );
    expect(double.counts.received).toBe(2 * (1 + 3));
  });
});

describe('ratings of factors', () => {
  test('are asked once: 576 for their average, 256 answers of a debate beside them', async () => {
    await begin(logs, { answer: rates });
    const models = '--models openai/a,zhipu/b,openai/c';
    const both = await run(`--methods core-factors,core-average ${models} --no-cache --json --name factors`);
    expect(both.code, both.err).toBe(0);
    expect(double.counts.received).toBe(576);
    const all = `--methods core-factors,core-average,core-debate ${models} --models-of core-debate=openai/a`;
    expect((await run(`${all} --plan`)).err).toContain('192 answers pooled from core-factors openai/a t0 #1');
    const ran = await run(`${all} --no-cache --json --name all`);
    expect(ran.code, ran.err).toBe(0);
    expect(double.counts.received).toBe(576 + 576 + 256);
    expect(summaries(ran).map(({ calls, pooledCalls }) => [calls, pooledCalls])).toEqual([
      [192, 0],
      [192, 0],
      [192, 0],
      [576, 576],
      [448, 192],
    ]);
    await run(`--methods core-average ${models} --no-cache --name average`);
    await run('--methods core-debate --models openai/a --no-cache --name debate');
    expect(await decisionsOf('all', 3)).toEqual(await decisionsOf('average', 0));
    expect(await decisionsOf('all', 4)).toEqual(await decisionsOf('debate', 0));
    expect((await decisionsOf('all', 4)).every(({ score }) => score !== null)).toBe(true);
  });

  test('are used by the vote of a debate too, as the plan says', async () => {
    await begin(logs.slice(0, 2), { answer: rates });
    const line = '--methods core-factors,core-debate --models openai/a --equal-calls';
    const plan = (await run(`${line} --plan`)).err;
    // Of each log: 12 ratings, and four rounds of four debaters, who never agree
    expect(plan).toMatch(/core-debate openai\/a t0 #1: 8–32 calls.*; 24 answers pooled/);
    expect(plan).toMatch(/core-debate openai\/a t0 #1 vote: 8–32 calls.*; 24 answers pooled/);
    const ran = await run(`${line} --no-cache --name votes`);
    expect(ran.code, ran.err).toBe(0);
    expect(double.counts.received).toBe(24 + 32 + 32);
  });
});

describe('a run that pools', () => {
  test('asks nothing twice after it was killed', async () => {
    const asked = new Map<string, number>();
    await begin(logs.slice(0, 6), {
      delayMs: 3,
      answer: (request) => {
        const { body, system, user } = request;
        const key = JSON.stringify([body.model, criteriaOf(request), system, user]);
        asked.set(key, (asked.get(key) ?? 0) + 1);
        return rates(request);
      },
    });
    const line =
      'cases.jsonl --methods core-factors,core-average,core-debate --models openai/a,openai/b --concurrency 2 --name killed';
    const child = spawnJury(['bench', 'run', ...line.split(' ')], { cwd, env: env() });
    while (double.counts.received < 100) await sleep(5);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const ran = await bench('run', ...line.split(' '), '--json');
    expect(ran.code, ran.err).toBe(0);
    // What was on its way when the process died is asked again: at most the 12 ratings of each of two trials.
    const repeated = [...asked.values()].reduce((sum, times) => sum + times - 1, 0);
    expect(repeated).toBeLessThanOrEqual(24);
    const { calls } = JSON.parse(ran.out);
    // Six logs, two models: 24 ratings, and two debates of 16 answers
    expect(calls).toBe(6 * (24 + 32));
    const sources = (await verdictsOf('killed')).flatMap(({ verdict }) =>
      [...(verdict.ratings ?? []), ...verdict.judgements].flatMap(({ pooledFrom }) => pooledFrom ?? []),
    );
    // Of each log: two for the average, one for each of two debates
    expect(sources).toHaveLength(6 * 4);
  });

  test('takes over what another run judged, and pools from that too', async () => {
    await begin(kpis.slice(0, 3), { answer: decides });
    await run(`--methods io ${TRIO} --no-cache --name first --series s`);
    expect(double.counts.received).toBe(9);
    const ran = await run(
      `--methods io,max-vote ${TRIO} --no-cache --name second --series s --changed-only --json`,
    );
    expect(ran.code, ran.err).toBe(0);
    expect(double.counts.received).toBe(9);
    expect(JSON.parse(ran.out)).toMatchObject({ trials: 12, calls: 0 });
  });
});
