import { createHmac } from 'node:crypto';
import { JuryError } from '../common/index.ts';
import type { Pseudonym } from '../labels/access/index.ts';
import { keepSecret, pathOfSecret } from './kept-secret.ts';

/**
 * The secret for pseudonyms in `<folder>/secret`, created on first use.
 *
 * @throws JuryError `config` if it can be neither read nor created, or is empty
 */
export async function keepPseudonymSecret(folder: string): Promise<string> {
  const kept = {
    folder,
    name: 'secret',
    advice: 'Set JURY_SECRET, or set JURY_DATA_DIR to a writable folder.',
  };
  const secret = await keepSecret(kept);
  if (secret !== '') return secret;
  throw new JuryError(
    'config',
    `The secret ${pathOfSecret(kept)} is empty, so earlier votes no longer match their voters. Restore it from a backup, or delete the file to start over.`,
  );
}

/**
 * Creates pseudonyms keyed by a secret: the first 128 bits of HMAC-SHA-256 as base64url (22 characters).
 *
 * @param withoutTeam surfaces where a user has the same id in every team: the team is ignored, so that each person counts once
 * and can be found by user id alone
 */
export function createPseudonyms(secret: string, withoutTeam: readonly string[]): Pseudonym {
  return ({ surface, team, user }) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(withoutTeam.includes(surface) ? [surface, user] : [surface, team, user]))
      .digest()
      .subarray(0, 16)
      .toString('base64url');
}
