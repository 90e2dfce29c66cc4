import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { assemble, surfaceAction } from '../../../src/compose.ts';
import { readEnv } from '../../../src/env.ts';
import { runProgram } from '../../../src/surfaces/cli/program.ts';
import { openTerminal } from '../../../src/surfaces/terminal/command-context.ts';
import { closeAfterEach, newFolder } from '../../support/resources.ts';

closeAfterEach();

/** What `jury serve` writes to both outputs until it listens and is stopped. @param isTTY whether each is a terminal */
async function printed(
  isTTY: { out: boolean; err: boolean },
  env: Record<string, string | undefined> = {},
): Promise<{ out: string; err: string }> {
  let [out, err] = ['', ''];
  const stop = new AbortController();
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      err += String(chunk);
      if (err.includes('shows what is on')) stop.abort();
      done();
    },
  });
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      out += String(chunk);
      done();
    },
  });
  const terminal = openTerminal(
    {
      stdin: () => Readable.from([]),
      stdout: Object.assign(stdout, { isTTY: isTTY.out }),
      stderr: Object.assign(stderr, { isTTY: isTTY.err }),
      colors: 0,
    },
    () => {},
  );
  const read = () => readEnv({ JURY_DATA_DIR: newFolder(), PORT: '0', ...env }, '');
  await runProgram(['serve'], {
    version: '0.0.0',
    terminal,
    stop: stop.signal,
    env: async () => read(),
    parts: async (options) => assemble(read(), { warn: terminal.err, ...options }),
    surfaceAction,
  });
  return { out, err };
}

/** What it writes to standard error, while standard output is no terminal. */
const served = async (isTTY: boolean, env: Record<string, string | undefined> = {}): Promise<string> =>
  (await printed({ out: false, err: isTTY }, env)).err;

describe('the link of the console', () => {
  const LINK = /Open the console: http:\/\/127\.0\.0\.1:\d+\/open\?key=[\w-]{43}\n/;

  test.each([
    ['both outputs are the terminal', { out: true, err: true }, 'out'],
    ['the log goes to a file', { out: true, err: false }, 'out'],
    ['results go to a file', { out: false, err: true }, 'err'],
  ] as const)('is printed once, on the terminal alone, where %s', async (_where, isTTY, on) => {
    const folder = newFolder();
    const texts = await printed(isTTY, { JURY_DATA_DIR: folder });
    const key = readFileSync(join(folder, 'console-key'), 'utf8');
    expect(texts[on]).toMatch(LINK);
    expect((texts.out + texts.err).split(key)).toHaveLength(2);
  });

  test('stands above the command of a Teams playground, whose key is in no log either', async () => {
    const folder = newFolder();
    const env = { JURY_DATA_DIR: folder, TEAMS_PLAYGROUND_URL: 'http://127.0.0.1:56150/_connector' };
    const [terminal, nowhere] = [
      await printed({ out: true, err: false }, env),
      await printed({ out: false, err: false }, { ...env, LOG_LEVEL: 'trace' }),
    ];
    const key = readFileSync(join(folder, 'playground-key'), 'utf8');
    expect(terminal.out).toMatch(LINK);
    expect(terminal.out).toContain(
      'Start the Teams playground: npx @microsoft/m365agentsplayground start -e http://127.0.0.1:0/api/messages/',
    );
    expect(terminal.out).toContain(`${key} -c msteams -p 56150`);
    for (const text of [terminal.err, nowhere.out, nowhere.err]) expect(text).not.toContain(key);
  });

  test('is not printed where nothing is a terminal, nor among lines of JSON', async () => {
    const folder = newFolder();
    const [nowhere, json, none] = [
      await printed({ out: false, err: false }, { JURY_DATA_DIR: folder, LOG_LEVEL: 'trace' }),
      await printed({ out: true, err: true }, { JURY_DATA_DIR: folder, LOG_FORMAT: 'json' }),
      await printed({ out: false, err: true }, { JURY_DATA_DIR: folder, LOG_FORMAT: 'json' }),
    ];
    const key = readFileSync(join(folder, 'console-key'), 'utf8');
    for (const text of [nowhere.out, nowhere.err, json.err, none.err, none.out])
      expect(text).not.toContain(key);
    expect(json.out).toMatch(LINK);
    expect(nowhere.err).toContain('npx jury open');
  });
});

test('on a terminal the log is lines for people: what is on, what is off, and what to do', async () => {
  const lines = (await served(true)).trim().split('\n');
  for (const line of lines) expect(line).not.toMatch(/[{}]/);
  const log = lines.join('\n');
  expect(log).toMatch(/^\d\d:\d\d:\d\d slack: off; set SLACK_BOT_TOKEN/);
  expect(log).toContain('model: off; exact checks judge what they can');
  expect(log).toContain('store: ready (SQLite');
  expect(log).toMatch(/web: http:\/\/127\.0\.0\.1:\d+\/ \(\/status shows what is on\)/);
  expect(log).toContain('Press Ctrl-C to stop.');
});

test('elsewhere it is JSON, one object a line; LOG_FORMAT decides where it is set', async () => {
  for (const log of [await served(false), await served(true, { LOG_FORMAT: 'json' })])
    expect(
      log
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line).msg)
        .join('\n'),
    ).toContain('slack: off');
  expect(await served(false, { LOG_FORMAT: 'text' })).toContain(' slack: off');
});

/** The lines of a JSON log; a line that is no JSON fails the test. */
const parsed = (log: string): { level: number; msg: string }[] =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('in a JSON log, a failure is one line of JSON', () => {
  test.each([
    ['a setting that cannot be read', { PORT: 'many' }, /PORT: must be a whole number/],
    ['a data folder that cannot be made', { JURY_DATA_DIR: '/dev/null/data' }, /JURY_DATA_DIR to a writable/],
    ['a port that cannot be taken', { HOST: '203.0.113.1' }, /set PORT or HOST/],
  ])('%s', async (_name, env, said) => {
    const failures = parsed(await served(false, env)).filter(({ level }) => level >= 50);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.msg).toMatch(said);
  });

  test('a store that is away: said once, and never that it is ready', async () => {
    const lines = parsed(await served(false, { REDIS_URL: 'redis://127.0.0.1:1' }));
    expect(lines.filter(({ msg }) => msg.includes('cannot be reached'))).toHaveLength(1);
    expect(lines.some(({ msg }) => msg.includes('ready'))).toBe(false);
  });
});

test('no secret is in the log, whoever wrote it there, in either format', async () => {
  const token = 'a-token-for-the-scraper-1';
  const env = { JURY_MODEL: `openai/${token}`, OPENAI_API_KEY: undefined, JURY_METRICS_TOKEN: token };
  for (const log of [await served(false, env), await served(true, env)]) {
    expect(log).toContain('openai/[JURY_METRICS_TOKEN]');
    expect(log).not.toContain(token);
  }
  expect(parsed(await served(false, env)).length).toBeGreaterThan(3);
});

test('what a log quotes hides nothing and repaints nothing, in either format', async () => {
  const env = { JURY_MODEL: 'openai/\u202egnp\u009b2J', OPENAI_API_KEY: undefined };
  for (const log of [await served(false, env), await served(true, env)])
    expect(log.match(/[^\n]*(?!\n)[\p{Cc}\p{Cf}][^\n]*/gu) ?? []).toEqual([]);
});
