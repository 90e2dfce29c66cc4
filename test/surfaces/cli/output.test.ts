import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../../src/surfaces/terminal/output-files.ts';
import { main } from '../../support/run-jury.ts';

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

  test('results that the shell writes to a file say so', () => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', '"$0" "$1" rubrics > /dev/full', process.execPath, main],
      {
        encoding: 'utf8',
      },
    );
    expect(status).toBe(70);
    expect(stderr).toBe(
      'Cannot write the results: the disk is full (ENOSPC: no space left on device, write).\n',
    );
  });
});
