import { createHmac, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, JuryError, messageOf } from '../common/errors.ts';
import { makeFolder } from '../common/make-folder.ts';
import type { Pseudonym } from '../labels/permissions.ts';

/** Written to a temporary file and linked into place, which only the first of several processes can do. */
async function makeSecret(folder: string, path: string): Promise<void> {
  await makeFolder(folder);
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    await link(draft, path);
  } catch (thrown) {
    if (!hasCode(thrown, 'EEXIST')) throw thrown;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * The secret in `<folder>/secret`, created on first use and readable by its owner only.
 *
 * @throws JuryError `config` if it can neither be read nor created, or is empty
 */
export async function keepSecret(folder: string): Promise<string> {
  const path = join(folder, 'secret');
  const advice = 'Set JURY_SECRET, or set JURY_DATA_DIR to a writable folder.';
  const read = () => readFile(path, 'utf8');
  let secret: string;
  try {
    secret = await read().catch(async (thrown) => {
      if (!hasCode(thrown, 'ENOENT') && !hasCode(thrown, 'ENOTDIR')) throw thrown;
      await makeSecret(folder, path);
      return read();
    });
  } catch (cause) {
    throw new JuryError(
      'config',
      `Cannot read or create the secret ${path} (${messageOf(cause)}). ${advice}`,
      {
        cause,
      },
    );
  }
  if (secret.trim() === '')
    throw new JuryError(
      'config',
      `The secret ${path} is empty, so earlier votes no longer match their voters. Restore it from a backup, or delete the file to start over.`,
    );
  return secret.trim();
}

/**
 * Pseudonyms keyed by a secret: HMAC-SHA-256, the first 128 bits as base64url (22 characters).
 *
 * @param withoutTeam surfaces whose users have one id in every team: the team is ignored, so that no person counts twice and people
 *   can be looked up by user id alone
 */
export function createPseudonyms(secret: string, withoutTeam: readonly string[]): Pseudonym {
  return ({ surface, team, user }) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(withoutTeam.includes(surface) ? [surface, user] : [surface, team, user]))
      .digest()
      .subarray(0, 16)
      .toString('base64url');
}
