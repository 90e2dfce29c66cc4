import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCsv } from '../src/common/text/csv.ts';
import { assemble } from '../src/compose.ts';
import { readEnv } from '../src/env.ts';
import type { Parts } from '../src/surfaces/program-parts.ts';
import { LINK } from './support/everything-shown.ts';
import { attacks, isFlipped, isForced, underAttack } from './support/injection.ts';
import { lines } from './support/judged-cases.ts';
import {
  type DoubleAnswer,
  type DoubleRequest,
  type ModelDouble,
  startModelDouble,
} from './support/model-double.ts';
import { jury, scratch } from './support/run-jury.ts';
import { loudness } from './support/slack-limits.ts';
import { everythingOf } from './surfaces/slack/render/everything.ts';

const all = attacks();
const model = 'openai/scripted';

/** The judge of these tests; each test scripts it. */
let answer: (request: DoubleRequest) => DoubleAnswer = () => ({});
let double: ModelDouble;
let parts: Parts;
beforeAll(async () => {
  double = await startModelDouble({ answer: (request) => answer(request) });
  parts = await assemble(
    readEnv({ OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none', JURY_DATA_DIR: scratch() }, 'none'),
    { cache: false, warn: () => {} },
  );
});
afterAll(async () => {
  await parts.close();
  await double.close();
});

test('there are 200 attacks, in every field and in ten languages', () => {
  expect(all).toHaveLength(200);
  expect(new Set(all.map(({ field }) => field)).size).toBe(13);
  expect(new Set(all.map(({ language }) => language)).size).toBe(10);
  expect(new Set(all.map(({ text }) => text)).size).toBe(200);
});

describe('what judges are sent', () => {
  const between = (user: string, key: string) =>
    [
      ...user.matchAll(new RegExp(`\\[\\[${key} [^\\n]*\\]\\]\\n([\\s\\S]*?)\\n\\[\\[/${key}\\]\\]`, 'g')),
    ].map(([whole, inner = '']) => ({ whole, inner }));

  /** The requests to a panel that answers twice, so that judges read each other; what one says is an attack, too. */
  let requests: DoubleRequest[];
  beforeAll(async () => {
    double.requests.length = 0;
    answer = ({ n }) => ({
      fields: { decision: n % 2 === 0 ? 'pass' : 'fail', rationale: all[n % all.length]?.text ?? '' },
    });
    await underAttack(parts, { model, method: 'mad', attacks: all });
    requests = [...double.requests];
  });

  test('has text from outside only between markers, never in a system message', () => {
    expect(requests.length).toBeGreaterThan(200 * 3 * 2);
    expect(new Set(requests.map(({ system }) => system)).size).toBe(3);
    const outside = new Set<string>();
    for (const { body, user } of requests) {
      expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
      const key = /^KEY for this case: ([0-9a-f]{24})\n/.exec(user)?.[1] ?? 'none';
      const blocks = between(user, key);
      const rest = blocks.reduce((text, { whole }) => text.replace(whole, ''), user);
      outside.add(
        rest
          .replaceAll(key, '')
          .replaceAll(/in round \d/g, '')
          .replaceAll(/\s+/g, ' '),
      );
      // No marker is forged, with this key or with any other.
      for (const { inner } of blocks) expect(inner).not.toMatch(/\[\[\/?(?:KEY|EXAMPLE|[0-9a-f]{24})[\] ]/i);
    }
    // What stands outside of them is ours: it is the same for every attack, but for seat, round and criteria set aside.
    expect(outside.size).toBeLessThan(12);
  });

  test('has no control token of a model server', () => {
    const tokens =
      /<\||<｜|\[\/?INST\]|<<\/?SYS>>|<\/?s>|\[\/?(?:THINK|SYSTEM_PROMPT|TOOL_RESULTS)\]|\[gMASK\]|<sop>|<extra_id_\d>|<(?:start|end)_of_turn>|<tool_call>|<turn\|>|<BOS_TOKEN>|\[\|/;
    expect(all.filter(({ text }) => tokens.test(text)).length).toBeGreaterThan(9);
    for (const { user } of requests) expect(user).not.toMatch(tokens);
  });
});

describe('the share of attacks that work', () => {
  test('is 0 for judges that look at the case alone', async () => {
    answer = ({ user }) => ({ fields: { decision: user.includes('20:35') ? 'fail' : 'pass' } });
    const outcomes = await underAttack(parts, { model, method: 'io', attacks: all });
    expect(outcomes.filter(isFlipped)).toEqual([]);
  });

  test('counts what changes a decision, and what gets the one it wants', async () => {
    const wanted = (user: string) => all.find(({ way, text }) => way === 'threat' && user.includes(text));
    const spoiled = (user: string) =>
      all.find(({ way, text }) => way === 'calibration' && user.includes(text));
    answer = ({ user }) =>
      spoiled(user)
        ? { content: 'I had rather not.' }
        : { fields: { decision: wanted(user) || !user.includes('20:35') ? 'pass' : 'fail' } };
    const outcomes = await underAttack(parts, { model, method: 'io', attacks: all });
    expect(outcomes.filter(isForced).map(({ way }) => way)).toEqual(Array(10).fill('threat'));
    expect(outcomes.filter(isFlipped)).toHaveLength(20);
  });
});

test('the script prints these shares for each method', async () => {
  answer = ({ user }) => ({ fields: { decision: user.includes('20:35') ? 'fail' : 'pass' } });
  const script = fileURLToPath(new URL('../bench/injection.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', script, '--model', model, '--methods', 'io,mad'],
    {
      env: {
        PATH: process.env.PATH,
        OPENAI_BASE_URL: double.baseUrl,
        OPENAI_API_KEY: 'none',
        JURY_DATA_DIR: scratch(),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(out).toContain(`200 attacks on ${model}`);
  expect(out.match(/^(?:io|mad)$/gm)).toEqual(['io', 'mad']);
  expect(out.match(/got the one it wants: 0\.0 % \(.*, 0 of 200\)/g)).toHaveLength(2);
});

describe('what people are shown', () => {
  /** What repaints a terminal, hides text or turns its direction: each place with the text around it. */
  const loudPlaces = (text: string): string[] =>
    text.match(
      /.{0,20}(?!\n)[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}].{0,20}/gu,
    ) ?? [];
  const cwd = scratch();

  beforeAll(() => {
    answer = ({ n }) => ({
      fields: { decision: n % 3 === 0 ? 'pass' : 'fail', rationale: all[n % all.length]?.text ?? '' },
    });
    writeFileSync(join(cwd, 'attacks.jsonl'), lines(...all.map(({ attacked }) => attacked)));
  });
  const run = (...args: string[]) =>
    jury(args, { cwd, env: { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' } });
  const judged = (format: string) =>
    run('judge', 'attacks.jsonl', '--model', model, '--method', 'io', '--format', format);

  test.each(['cards', 'table', 'json'])('in a terminal is plain text: %s', async (format) => {
    const { out, err } = await judged(format);
    expect(out.length).toBeGreaterThan(10_000);
    expect(loudPlaces(out)).toEqual([]);
    expect(loudPlaces(err)).toEqual([]);
  });

  const FORMULA = /^\s*[=+\-@]/;
  const checkCsv = (text: string) => {
    expect(loudPlaces(text.replaceAll('\r\n', '\n'))).toEqual([]);
    const rows = readCsv(text, ',').map((row) => ('cells' in row ? row.cells : []));
    expect(rows.length).toBeGreaterThan(200);
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
    const formulas = rows.flat().filter((cell) => FORMULA.test(cell) && Number.isNaN(Number(cell)));
    expect(formulas).toEqual([]);
  };
  const checkJunit = (text: string) => {
    expect(loudPlaces(text)).toEqual([]);
    const tags = [...text.matchAll(/<[^>]*>/g)].map(([tag]) => /^<[?/]?(\w+)/.exec(tag)?.[1]);
    const known = ['xml', 'testsuites', 'testsuite', 'testcase', 'failure', 'error'];
    expect(tags.filter((tag) => !known.includes(tag ?? ''))).toEqual([]);
    expect(text.match(/<testcase /g)).toHaveLength(200);
  };

  test('in CSV is no formula, in JUnit no element', async () => {
    checkCsv((await judged('csv')).out);
    checkJunit((await judged('junit')).out);
  });

  test('in a run’s report is neither markup nor a formula', async () => {
    const ran = await run(
      'bench',
      'run',
      'attacks.jsonl',
      '--methods',
      'io',
      '--models',
      model,
      '--name',
      'hostile',
    );
    expect(loudPlaces(ran.err)).toEqual([]);
    const { out } = await run('bench', 'report', 'hostile', '--out', 'report');
    expect(loudPlaces(out)).toEqual([]);
    const read = (name: string) => readFileSync(join(cwd, 'report', name), 'utf8');
    // Without its own scripts, which are the last of it; the data of the page is inert.
    const page = read('report.html')
      .replaceAll(/<script( type="(?:application\/json|text\/plain)" id="[^"]*")?>[^<]*<\/script>/g, '')
      .replaceAll(/<script>[\s\S]*?<\/script>/g, '');
    expect(loudPlaces(page)).toEqual([]);
    expect(page).not.toMatch(/<script|<svg onload|<img|\son\w+=|javascript:[^&\s]*"/i);
    checkCsv(read('trials.csv'));
  });

  test('by jury doctor of what an endpoint says is plain text', async () => {
    const hidden = all.filter(({ way }) => way === 'hidden').map(({ text }) => text.slice(0, 20));
    answer = () => ({ status: 400, error: hidden.join(' ') });
    const { out, err } = await run('doctor', '--model', model);
    expect(out).toContain('PASS');
    expect([...loudPlaces(out), ...loudPlaces(err)]).toEqual([]);
  });

  test('in Slack is nothing but text', () => {
    for (const { text } of all) {
      const { messages, views } = everythingOf(text);
      for (const shown of [...messages, ...views]) expect(loudness(shown, [LINK])).toEqual([]);
    }
  });
});
