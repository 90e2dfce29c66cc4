import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import words from '../../../src/surfaces/cli/commands.json' with { type: 'json' };
import { jury } from '../../support/run-jury.ts';

const script = async (shell: string): Promise<string> => (await jury(['completion', shell])).out;

/** What bash offers after these words, the last of which is being typed. */
async function offered(...typed: string[]): Promise<string[]> {
  const program = `${await script('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _jury; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', program, 'bash', 'jury', ...typed], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((one) => one !== '');
}

test('bash completes commands, the commands below them, options and their values', async () => {
  expect(await offered('be')).toEqual(['bench']);
  expect(await offered('bench', 're')).toEqual(['report']);
  expect(await offered('bench', 'run', '--met')).toEqual(['--methods']);
  expect(await offered('judge', '--format', 'c')).toEqual(['cards', 'csv']);
  expect(await offered('judge', 'paste.txt', '--ru')).toEqual(['--rubric']);
});

test('where a file is meant, bash is left to complete names of files', async () => {
  expect(await offered('judge', 'pas')).toEqual([]);
});

test.each(['bash', 'zsh', 'fish'])('%s knows every command', async (shell) => {
  const text = await script(shell);
  const names = Object.keys(words.commands).flatMap((path) => path.split(' '));
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

test('another shell is refused with those that there are', async () => {
  expect(await jury(['completion', 'tcsh'])).toMatchObject({
    code: 64,
    err: expect.stringContaining('bash, zsh, fish'),
  });
});
