import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EvalCase } from '../../../src/case/case.ts';
import { aCase } from '../../support/builders.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const cwd = scratch();
const env = { JURY_PROMPTS_DIR: join(cwd, 'prompts') };
const bench = (...args: string[]) => jury(['bench', ...args], { cwd, env });

/** What a place that is closed, or open, makes of an answer; hostile as what people paste. */
const HOSTILE = '<img src=x> [a](javascript:x) @everyone | https://evil.test';
const answers = (build: string, isOpen: boolean): EvalCase[] =>
  Array.from({ length: 5 }, (_, n) => {
    const { recommendation } = aCase();
    const monday = isOpen ? '10:00-23:00' : 'closed';
    return aCase({
      id: `c${n}`,
      rubric: 'navigation',
      response: `Sakura ${n}, says ${build}. ${HOSTILE}`,
      recommendation: { ...recommendation, openingHours: { monday } },
      tags: { build },
    });
  });

async function judged(name: string, cases: readonly EvalCase[], ...more: string[]) {
  writeFileSync(join(cwd, `${name}.jsonl`), cases.map((one) => JSON.stringify(one)).join('\n'));
  return bench('run', `${name}.jsonl`, '--models', 'rules', '--name', name, ...more);
}

beforeAll(async () => {
  mkdirSync(join(cwd, 'prompts', 'rubrics'), { recursive: true });
  expect((await judged('nightly-1', answers('1', true), '--series', 'nightly')).code).toBe(0);
  expect((await judged('nightly-2', answers('2', false), '--series', 'nightly')).code).toBe(0);
  await judged('panel-1', answers('1', true), '--subject', 'judges');
});

describe('the assistant on the command line', () => {
  test('bench compare says that it got worse, by how much and what broke', async () => {
    const { out } = await bench('compare', 'nightly-1', 'nightly-2');
    expect(out).toMatch(
      /^The assistant got worse: 0 % of 5 answers pass \(0–43\), 100 points less than nightly-1 \(−100 to −28\)\nBuild 2 against 1 · same 5 requests, same judges\n5 answers newly fail\n {2}Time 5: such as “Closed all day/,
    );
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    // What stands beside that on the page is about the judges, on the same answers alone.
    await judged('half-1', [...answers('1', true).slice(0, 3), ...answers('2', false).slice(3)]);
    const page = join(cwd, 'changes.html');
    expect((await bench('compare', 'nightly-1', 'half-1', '--out', page)).code).toBe(0);
    const text = readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ');
    expect(text.includes('<h2 id="numbers">The judges</h2>')).toBe(true);
    expect(text.includes('On the 3 cases whose answer is the same in both runs.')).toBe(true);
  });

  test('bench baseline sets, shows and removes what reports compare with', async () => {
    expect((await bench('baseline', 'nightly')).out).toBe('nightly has no baseline.\n');
    await bench('baseline', 'nightly', 'nightly-1', '--name', 'release 3.1');
    expect(JSON.parse((await bench('baseline', 'nightly', '--json')).out)).toEqual({
      name: 'release 3.1',
      run: 'nightly-1',
    });
    expect((await bench('report', 'nightly-2')).out).toContain(
      '100 points less than the baseline release 3.1',
    );
    expect((await bench('report', 'nightly-1')).out).not.toContain('baseline');
    expect((await bench('baseline', 'nightly', 'nope')).code).toBe(64);
    expect((await bench('baseline', 'nightly', 'nightly-1', '--remove')).code).toBe(64);
    expect((await bench('baseline', 'nightly', '--remove')).out).toBe('nightly has no baseline.\n');
    expect((await bench('report', 'nightly-2')).out).toMatch(/\n0 % of 5 answers pass \(0–43\)\nBuild 2\n/);
  });

  test('bench report --out has it on the page and as Markdown, with pasted text as text', async () => {
    const { code } = await bench('report', 'nightly-2', '--against', 'nightly-1', '--out', 'report');
    expect(code).toBe(0);
    const read = (file: string) => readFileSync(join(cwd, 'report', file), 'utf8');
    const lead = 'The assistant got worse: 0 % of 5 answers pass (0–43), 100 points less than nightly-1';
    expect(read('report.html')).toContain(`<p class="lead"><b>${lead}`);
    expect(read('report.html')).toContain('<h3>5 answers newly fail</h3>');
    expect(read('report.html')).not.toContain('<img');
    expect(read('report.md')).toContain(`**${lead}`);
    expect(read('report.md')).toContain('| Configuration | Pass rate |');
    expect(read('report.md')).not.toMatch(/<img|\]\(|@everyone|https:\/\//);
    expect(JSON.parse(read('summary.json'))).toMatchObject({
      assistant: { answers: 5, changes: [{ run: 'nightly-1' }] },
    });
  });

  test('a run about judges says nothing of an assistant', async () => {
    expect((await bench('report', 'panel-1', '--json')).out).toContain('"assistant":null');
    expect(await bench('report', 'panel-1', '--against', 'nightly-1')).toMatchObject({
      code: 64,
      err: expect.stringContaining('use "jury bench compare nightly-1 panel-1"'),
    });
  });

  test('a rubric that was changed between two runs is said, and nothing is compared', async () => {
    const builtIn = new URL('../../../prompts/rubrics/navigation.yaml', import.meta.url);
    const own = join(cwd, 'prompts', 'rubrics', 'strict.yaml');
    cpSync(builtIn, own);
    const cases = (build: string, isOpen: boolean) =>
      answers(build, isOpen).map((one) => ({ ...one, rubric: 'strict' }));
    await judged('strict-1', cases('1', true));
    writeFileSync(own, readFileSync(own, 'utf8').replace(/^title: .*$/m, 'title: Stricter'));
    await judged('strict-2', cases('2', false));
    const { out } = await bench('compare', 'strict-1', 'strict-2');
    expect(out).toMatch(
      /^0 % of 5 answers pass \(0–43\)\. Not comparable with strict-1: the rubric changed\nBuild 2 against 1\n/,
    );
    expect(out).not.toContain('newly');
  });
});
