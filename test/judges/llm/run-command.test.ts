import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createSecretFilter } from '../../../src/common/secrets.ts';
import { runCommand } from '../../../src/judges/llm/system-call.ts';
import { bundled } from '../../support/bundled.ts';

const never = new AbortController().signal;

test('a program that is not there is no answer', async () => {
  const outcome = await runCommand(['/no/such/program'], 'in', {
    limitMs: 5000,
    signal: never,
    secrets: createSecretFilter(),
    environment: {},
  });
  expect(outcome).toMatchObject({
    reason: 'error',
    message: expect.stringContaining('the command cannot be started: spawn /no/such/program ENOENT'),
  });
});

test('more commands than files may be open end without an answer, and nothing else does', async () => {
  const source = fileURLToPath(new URL('../../../src/judges/llm/system-call.ts', import.meta.url));
  const module = pathToFileURL(bundled(source)).href;
  const script = `
    const { runCommand } = await import(${JSON.stringify(module)});
    const signal = new AbortController().signal;
    const secrets = { hide: (text) => text };
    const run = () => runCommand('sleep 0.2; echo hi', '', { limitMs: 600000, signal, secrets, environment: process.env });
    const outcomes = await Promise.all(Array.from({ length: 80 }, run));
    console.log(JSON.stringify(outcomes.map((one) => one.text ?? one.message)));`;
  const limited = 'ulimit -n 120; exec "$0" --input-type=module -e "$1"';
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script]);
  expect(new Set(JSON.parse(stdout))).toEqual(
    new Set(['hi', 'the command cannot be started: spawn /bin/sh EMFILE']),
  );
});
