import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { assemble, surfaceAction } from '../../../src/compose.ts';
import { readEnv } from '../../../src/env.ts';
import { openTerminal } from '../../../src/surfaces/cli/command.ts';
import { runProgram } from '../../../src/surfaces/cli/program.ts';
import { closeAfterEach, newFolder } from '../../support/resources.ts';

closeAfterEach();

/** What `jury serve` writes to standard error until it listens and is stopped. */
async function served(isTTY: boolean, env: Record<string, string | undefined> = {}): Promise<string> {
  let err = '';
  const stop = new AbortController();
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      err += String(chunk);
      if (err.includes('shows what is on')) stop.abort();
      done();
    },
  });
  const terminal = openTerminal(
    {
      stdin: () => Readable.from([]),
      stdout: new Writable({ write: (_chunk, _encoding, done) => done() }),
      stderr: Object.assign(stderr, { isTTY }),
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
  return err;
}

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

test('what a log quotes hides nothing and repaints nothing, in either format', async () => {
  const env = { JURY_MODEL: 'openai/\u202egnp\u009b2J', OPENAI_API_KEY: undefined };
  for (const log of [await served(false, env), await served(true, env)])
    expect(log.match(/[^\n]*(?!\n)[\p{Cc}\p{Cf}][^\n]*/gu) ?? []).toEqual([]);
});
