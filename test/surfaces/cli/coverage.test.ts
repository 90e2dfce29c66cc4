import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { trialOf } from '../../../src/benchmark/trial.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { type DoubleRequest, type ModelDouble, startModelDouble } from '../../support/model-double.ts';
import { aManifest, aVerdict, casesOf } from '../../support/run-builders.ts';
import { jury, scratch } from '../../support/run-jury.ts';

/**
 * 120 cases, every other one right. The shy model answers the first 20, all of them right, and refuses the others. The bold one
 * answers all; 6 wrong, of which 2 are among the first 20: 95 %.
 */
const CASES = 120;
const WRONG = [0, 1, 30, 31, 32, 33];
const cwd = scratch();
let double: ModelDouble;
const bench = (line: string) =>
  jury(['bench', ...line.split(' ')], {
    cwd,
    columns: 200,
    env: { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' },
  });
/** The same model at the same price, so that the front turns on the decisions. */
const [SHY, BOLD] = ['gpt-4o-mini-2024-07-18', 'gpt-4o-mini'];
const [shy, bold] = [`io openai/${SHY} t0`, `io openai/${BOLD} t0`];

const truthOf = (index: number) => (index % 2 === 0 ? 'pass' : 'fail');

function answer({ body, user }: DoubleRequest) {
  const index = Number(/Answer number (\d+)\./.exec(user)?.[1]);
  if (body.model === SHY && index >= 20) return { refusal: 'I would rather not.' };
  const isWrong = body.model === BOLD && WRONG.includes(index);
  return { fields: { decision: isWrong ? truthOf(index + 1) : truthOf(index) } };
}

beforeAll(async () => {
  double = await startModelDouble({ answer });
  const cases = casesOf(CASES, { rubric: 'navigation' }).map((one, index) => ({
    ...one,
    response: `Answer number ${index}.`,
    label: { decision: truthOf(index) },
  }));
  writeFileSync(join(cwd, 'cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
  await bench(
    `run cases.jsonl --methods io --models openai/${SHY},openai/${BOLD} --subject judges --name both`,
  );
});
afterAll(() => double.close());

describe('a judge that answers only what it is sure of', () => {
  test('is not ahead of one that answers everything, in the summary of the run', async () => {
    const { out } = await bench('show both');
    // Strict: 10 of 60 passes found, 50 errors let through by no answer: F1 20 / (20 + 50 + 50).
    expect(out).toMatch(/io openai\/gpt-4o-mini-2024-07-18 t0 #1 +120 +10 +10 +0 +100 +0\.167 +0\.167 /);
    expect(out).toMatch(/io openai\/gpt-4o-mini t0 #1 +120 +60 +60 +0 +0 +0\.950 +0\.950 /);
    expect(out).toContain('count a trial without a decision as wrong');
    expect(out).toContain('the temperature (t0 is 0) and the repeat (#1 is the first)');
  });

  test('has its score among the decided beside the one that counts, in the terminal', async () => {
    const { out } = await bench('report both');
    expect(out).toMatch(/io openai\/gpt-4o-mini-2024-07-18 t0 .*0\.167 /);
    expect(out).toMatch(/io openai\/gpt-4o-mini t0 +◆ 0\.950 /);
    expect(out).toMatch(/2024-07-18 t0 .* 16\.7 %\n/);
    expect(out).toMatch(/of 120, 100 unanswered +1\.000 /);
    expect(out).toContain('F1 of decided');
  });

  test('is not named best on the page, is the pale cell of the heat map, and both cells state coverage', async () => {
    await bench('report both --out report');
    const page = readFileSync(join(cwd, 'report', 'report.html'), 'utf8');
    expect(page).toMatch(
      /Highest F1: <b>0\.950<\/b> \(95 % interval [^)]*\) by <b>2 io, openai\/gpt-4o-mini<\/b>, which decided 100\.0 % of 120 trials\./,
    );
    expect(page).toMatch(/<td class="h0">0\.167<small>[^<]*, 1\.000 of 20 decided<\/small>/);
    expect(page).toContain('On the Pareto front of F1, cost and time: 2.');
    expect(page).toMatch(/<td class="h8">0\.950<small>/);
  });

  test('has both scores in Markdown, CSV and JSON', async () => {
    const read = (name: string) => readFileSync(join(cwd, 'report', name), 'utf8');
    expect(read('report.md')).toMatch(
      /\| io openai\/gpt-4o-mini-2024-07-18 t0 \| [^|]*0\.167 .*16\.7 % .*\| 1\.000/,
    );
    const [heads = [], ...rows] = read('configurations.csv')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const column = (head: string) => rows.map((row) => row[heads.indexOf(head)]);
    expect(column('configuration')).toEqual([shy, bold]);
    expect(column('f1').map(Number)).toEqual([expect.closeTo(1 / 6, 12), expect.closeTo(0.95, 12)]);
    expect(column('f1 of decided').map(Number)).toEqual([1, expect.closeTo(0.95, 12)]);
    expect(column('pareto front')).toEqual(['no', 'yes']);
    const { setups } = JSON.parse(read('summary.json'));
    expect(setups[0].effectiveness).toMatchObject({
      coverage: { value: 20 / 120 },
      counts: { tp: 10, fn: 50, fp: 50, tn: 10 },
      decided: { counts: { tp: 10, fn: 0, fp: 0, tn: 10 }, f1: { measure: { value: 1, n: 20 } } },
    });
    // No decision is the wrong one: observed 20/120; half of the labels and half of what then is decided are a pass, so chance is 1/2.
    expect(setups[0].agreement.labels.measure.value).toBeCloseTo((1 / 6 - 1 / 2) / (1 - 1 / 2), 12);
    expect(setups[0].agreement.decided.measure).toMatchObject({ value: 1, n: 20 });
  });

  test('loses the comparison by every figure, with the cases that both decided beside it', async () => {
    const ran = await jury(['bench', 'compare', `both:${bold}`, `both:${shy}`], { cwd });
    expect(ran.out).toContain('both decided (n = 20)');
    // 20 right of 120 against 114; of the 20 that both decided, 20 against 18.
    expect(ran.out).toMatch(
      /Accuracy +0\.950 +0\.167 +−0\.783 +−0\.\d{3} to −0\.\d{3} +\+0\.100 \([−+±]0\.\d{3} to \+0\.\d{3}\)/,
    );
    expect(ran.out).toMatch(/right only before: 96, only after: 2; McNemar's exact p < 0\.001/);
  });

  test('meets no threshold, whatever the score, and one that names its coverage is decided by the score', async () => {
    const gate = (line: string) => bench(`report both ${line}`);
    const { code, err } = await gate('--fail-under precision=0.1');
    expect(code).toBe(1);
    expect(err.split('\n').slice(0, 2)).toEqual([
      `Below the threshold: ${shy}: coverage is 0.167, under 0.9.`,
      `✗ Gate failed: ${shy}: 16.7 % of 120 are decided; at least 90 % required`,
    ]);
    expect((await gate('--fail-under f1=0.16 --fail-under coverage=0.16')).code).toBe(0);
    expect((await gate('--fail-under f1=0.95 --fail-under coverage=0.16')).err.split('\n')[0]).toBe(
      `Below the threshold: ${shy}: f1 is 0.167, under 0.95.`,
    );
  });

  test('a gate of a run is decided by its thresholds alone, though trials have no answer', async () => {
    const run = `run cases.jsonl --methods io --models openai/${SHY},openai/${BOLD} --subject judges --name both`;
    expect((await bench(run)).code).toBe(2);
    expect((await bench(`${run} --fail-under f1=0.16 --fail-under coverage=0.16`)).code).toBe(0);
    expect((await bench(`${run} --fail-under f1=0.16`)).code).toBe(1);
  });
});

test('scores are compared on the cases that both scored, and it is said how many these are', async () => {
  const store = createFolderTrialStore(join(cwd, 'data', 'runs'));
  const cases = casesOf(10, { label: { score: 3 } });
  const dataset = { source: 'x', cases: 10, labeled: 10, hash: 'scores' };
  for (const [name, scored] of [
    ['all', 10],
    ['some', 4],
  ] as const) {
    await store.create(aManifest({ name, dataset }), cases);
    const writer = await store.write(name);
    for (const [index, { label = null }] of cases.entries()) {
      const parts =
        index < scored
          ? { decision: 'scored' as const, score: index % 5 }
          : { decision: 'undecided' as const, score: null };
      const verdict = { ...aVerdict(), caseId: `c${index}`, ...parts };
      await writer.save(trialOf(`0-${index}`, 'io rules t0 #1', label, verdict), verdict);
    }
    await writer.close();
  }
  const { out } = await bench('compare all some');
  expect(out).toContain('scores compare the 4 of 10 cases that both scored');
  expect((await bench('compare all all')).out).not.toContain('that both scored');
});
