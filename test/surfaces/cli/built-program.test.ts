import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { jury, main, scratch, spawnedJury, verdictsOf } from '../../support/run-jury.ts';

const paste = readFileSync(
  fileURLToPath(new URL('../../../prompts/samples/navigation/closed.txt', import.meta.url)),
  'utf8',
);

test('the built program judges what it is given on standard input, plainly where it has no terminal', async () => {
  const { code, out, err } = await spawnedJury(['judge'], { input: paste });
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toMatch(/^✗ FAIL/);
  expect(out).not.toContain('\u001b');
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

test('the built program prints colors on request, and one verdict a line with --json', async () => {
  const colored = await spawnedJury(['judge'], { input: paste, env: { FORCE_COLOR: '1' } });
  expect(colored.out).toContain('\u001b[');
  const ran = await spawnedJury(['judge', '--json'], { input: paste, env: { FORCE_COLOR: '1' } });
  expect(verdictsOf(ran)).toMatchObject([{ decision: 'fail' }]);
  expect(ran.out).not.toContain('\u001b');
});

test('the demo of the built program ends by itself, and well', async () => {
  const { code, out, err } = await spawnedJury(['demo']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const decision of ['✓ PASS', '✗ FAIL']) expect(out).toContain(decision);
});

test('every part of the built program loads, and its commands are those of the sources', async () => {
  // Programs of their own: what starts Jury, and what a worker runs.
  const programs = /^main|-worker\.js$/;
  const parts = readdirSync(dirname(main)).filter((name) => name.endsWith('.js') && !programs.test(name));
  expect(parts.length).toBeGreaterThan(20);
  const urls = parts.map((name) => pathToFileURL(join(dirname(main), name)).href);
  const script = `await Promise.all(${JSON.stringify(urls)}.map((url) => import(url))); process.exit(0);`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  for (const words of [[], ['bench'], ['bench', 'run'], ['serve']]) {
    const [built, read] = await Promise.all([spawnedJury([...words, '--help']), jury([...words, '--help'])]);
    expect(built).toMatchObject({ code: 0, err: '' });
    expect(built.out).toBe(read.out);
  }
});

test('the built program makes data, runs a benchmark and reports on it', async () => {
  const cwd = scratch();
  const run = async (...words: string[]) => {
    const ran = await spawnedJury(words, { cwd });
    expect({ words, code: ran.code }).toEqual({ words, code: 0 });
    return ran.out;
  };
  await run('dataset', 'generate', 'navigation', '--users', '2', '--seed', '7', '--out', 'set.jsonl');
  expect(await run('dataset', 'check', 'set.jsonl')).toContain('12 confirmed');
  await run('bench', 'run', 'set.jsonl', '--methods', 'io', '--models', 'rules', '--name', 'built');
  await run('bench', 'report', 'built', '--out', 'report');
  expect(readFileSync(join(cwd, 'report', 'report.html'), 'utf8')).toContain('<!doctype html>');
});

test('the stack of an error in the built program names lines of the sources', async () => {
  const failing = 'process.stdout.write = () => { throw new Error("boom"); }';
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(failing)}` };
  const { code, err } = await spawnedJury(['methods'], { env });
  expect(code).toBe(70);
  expect(err).toContain('Internal error, please report it: boom');
  expect(err).toMatch(/src\/surfaces\/terminal\/command-context\.ts:\d+/);
  expect(err).toMatch(/src\/surfaces\/cli\/program\.ts:\d+/);
});
