import { createHmac } from 'node:crypto';
import type { Pseudonym } from '../labels/person.ts';

/**
 * Pseudonyms keyed by a secret: HMAC-SHA-256, the first 128 bits as base64url (22 characters).
 *
 * A Slack user is named without the team: somebody in a channel that two workspaces share votes under one id but with
 * either team, and would count twice; and a person can be found again by what a colleague can see, the user id alone.
 */
export function createPseudonyms(secret: string): Pseudonym {
  return ({ surface, team, user }) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(surface === 'slack' ? [surface, user] : [surface, team, user]))
      .digest()
      .subarray(0, 16)
      .toString('base64url');
}
