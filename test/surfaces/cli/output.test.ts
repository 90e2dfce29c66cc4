import { describe, expect, test } from 'vitest';
import { openTerminal } from '../../../src/surfaces/cli/command.ts';
import { openFile } from '../../../src/surfaces/cli/output.ts';

// A device that is always full.
const FULL = '/dev/full';

describe('on a full disk', () => {
  test.each([1, 2_000])('a file of %i items says so', async (count) => {
    const file = await openFile<string>(FULL, (items) => items.join(''));
    const write = async () => {
      for (let n = 0; n < count; n += 1) await file.add('x'.repeat(1_000));
      await file.end();
    };
    await expect(write()).rejects.toMatchObject({
      code: 'usage',
      message: `Cannot write ${FULL}: the disk is full.`,
    });
  });

  test('results that go into a file through the shell say so', () => {
    const write = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
        code: 'ENOSPC',
        syscall: 'write',
      });
    };
    const stdout = Object.assign(process.stdout, {});
    const terminal = openTerminal(
      {
        stdin: () => process.stdin,
        stdout: Object.create(stdout, { write: { value: write } }),
        stderr: process.stderr,
        colors: 0,
      },
      () => {},
    );
    expect(() => terminal.out('a verdict')).toThrow('Cannot write to standard output: the disk is full.');
  });
});
