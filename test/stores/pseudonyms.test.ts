import { createHmac } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPseudonyms, keepPseudonymSecret } from '../../src/stores/pseudonyms.ts';
import { scratch } from '../support/run-jury.ts';

describe('a pseudonym', () => {
  const pseudonym = createPseudonyms('a secret', ['slack']);

  test('is the beginning of an HMAC-SHA-256 of surface and user', () => {
    const whole = createHmac('sha256', 'a secret').update('["slack","U123"]').digest('base64url');
    const found = pseudonym({ surface: 'slack', team: 'T1', user: 'U123' });
    expect(found).toHaveLength(22);
    // 22 letters of base64 are 132 bits; the last one of them carries 2 of the 128 alone.
    expect(whole.startsWith(found.slice(0, 21))).toBe(true);
  });

  test('is the same in every team of Slack, and another one elsewhere', () => {
    const slack = pseudonym({ surface: 'slack', team: 'T1', user: 'U123' });
    expect(pseudonym({ surface: 'slack', team: 'T2', user: 'U123' })).toBe(slack);
    const others = [
      pseudonym({ surface: 'slack', team: 'T1', user: 'U124' }),
      pseudonym({ surface: 'web', team: 'T1', user: 'U123' }),
      pseudonym({ surface: 'web', team: 'T2', user: 'U123' }),
      createPseudonyms('another', ['slack'])({ surface: 'slack', team: 'T1', user: 'U123' }),
    ];
    expect(new Set([slack, ...others]).size).toBe(5);
  });
});

describe('the secret', () => {
  test('is made once, however many ask at the same time, and read by its owner only', async () => {
    const folder = join(scratch(), 'new', 'data');
    const secrets = await Promise.all(Array.from({ length: 20 }, () => keepPseudonymSecret(folder)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[\w-]{43}$/);
    expect(await keepPseudonymSecret(folder)).toBe(secrets[0]);
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  });

  test('is never replaced by a new one where it cannot be read', async () => {
    const folder = scratch();
    writeFileSync(join(folder, 'secret'), ' \n');
    await expect(keepPseudonymSecret(folder)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('backup'),
    });
    await expect(keepPseudonymSecret(join(folder, 'secret', 'x'))).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('JURY_SECRET'),
    });
  });
});
