import { setTimeout as sleep } from 'node:timers/promises';
import { remembered } from '../../common/async.ts';
import type { Membership } from '../../labels/permissions.ts';
import type { Person } from '../../labels/person.ts';
import { kindOf } from './ids.ts';
import { statusOf } from './messages.ts';
import type { Places } from './places.ts';
import type { ApiFor } from './teams-app.ts';

/** Who is in a conversation, as Teams says. */
export interface Members {
  /** @param at where Teams says that they act */
  membership: (person: Person, channel: string, at: string | null) => Promise<Membership>;
  /** What a member is called. */
  nameIn: (user: string, channel: string) => Promise<string | null>;
}

const KNOWN_MS = 300_000;
/** After this time, Teams is asked again for a person who is missing (they may have joined), or of whom it said nothing. */
const FRESH_MS = 10_000;
/** Clicks are answered within a few seconds. */
const WAIT_MS = 3_000;

/**
 * Asks Teams, and remembers the answer for some minutes; that there was none, for some seconds.
 *
 * @param isPlayground whether a local playground answers, which finds its people by other ids than it sends with what they do
 */
export function createMembers(
  places: Pick<Places, 'find'>,
  apiFor: ApiFor,
  now: () => number,
  isPlayground: boolean,
): Members {
  /** Null for a person who is not there; undefined where Teams does not say. */
  async function memberOf(key: string): Promise<{ name: string | null; tenant: string } | null | undefined> {
    const [user = '', channel = ''] = key.split(' ');
    const place = await places.find(channel);
    if (place === null) return undefined;
    const { conversations } = apiFor(place.serviceUrl);
    try {
      if (isPlayground) {
        const found = (await conversations.getMembers(channel)).find((one) => one.aadObjectId === user);
        return found === undefined ? null : { name: found.name, tenant: place.tenant };
      }
      const { name } = await conversations.getMemberById(channel, user);
      return { name: name ?? null, tenant: place.tenant };
    } catch (thrown) {
      return statusOf(thrown) === 404 ? null : undefined;
    }
  }
  const fresh = remembered(memberOf, FRESH_MS, now);
  const known = remembered(
    async (key) => (await fresh(key)) ?? Promise.reject(new Error('not known to be there')),
    KNOWN_MS,
    now,
  );
  const ask = (key: string) => known(key).catch(() => fresh(key));
  return {
    membership: ({ team, user }, channel, at) => {
      // A personal chat has one person in it.
      if (at === channel && kindOf(channel) === 'direct') return Promise.resolve('owner');
      const found = ask(`${user} ${channel}`).then(
        (member): Membership =>
          member === undefined ? 'unknown' : member?.tenant === team ? 'member' : 'outsider',
        (): Membership => 'unknown',
      );
      return Promise.race([found, sleep<Membership>(WAIT_MS, 'unknown', { ref: false })]);
    },
    nameIn: async (user, channel) => (await ask(`${user} ${channel}`).catch(() => null))?.name ?? null,
  };
}
