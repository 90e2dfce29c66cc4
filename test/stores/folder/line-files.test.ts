import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAppendFile } from '../../../src/stores/folder/line-files.ts';
import { scratch } from '../../support/run-jury.ts';

describe('a file that is appended to', () => {
  test('holds every line in the order in which they came, and what was there before', async () => {
    const folder = scratch();
    const path = join(folder, 'lines');
    for (const round of [1, 2]) {
      const file = await openAppendFile(path);
      const lines = Array.from({ length: 200 }, (_, index) => `${round} ${index} ${'é😀'.repeat(500)}`);
      await Promise.all(lines.map((line) => file.append(line)));
      await file.append(`end of ${round}`);
      await file.close();
    }
    const found = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(found.length).toBe(402);
    expect(found.map((line) => line.split(' ').slice(0, 2).join(' ')).slice(198, 204)).toEqual([
      '1 198',
      '1 199',
      'end of',
      '2 0',
      '2 1',
      '2 2',
    ]);
    rmSync(folder, { recursive: true });
  });

  test.runIf(existsSync('/dev/full'))('takes nothing more after a write that failed', async () => {
    const file = await openAppendFile('/dev/full');
    const refusal = { code: 'store-unavailable', message: expect.stringContaining('ENOSPC') };
    await expect(Promise.all([file.append('a'), file.append('b')])).rejects.toMatchObject(refusal);
    await expect(file.append('c')).rejects.toMatchObject(refusal);
    // There is no disk behind it to sync to.
    await file.close().catch(() => {});
  });
});
