import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { remembered } from '../../common/async.ts';
import type { KeyValue } from '../../common/key-value.ts';
import type { Membership } from '../../labels/permissions.ts';
import type { Person } from '../../labels/person.ts';
import { ownChatKey } from '../../requests/spot-check.ts';
import type { Activity, Origin } from './activities.ts';
import { kindOf, TEAMS } from './ids.ts';
import { statusOf } from './outgoing.ts';
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

/** How a conversation is reached from any process, days later: Teams gives this with every activity. */
const Place = z.strictObject({ serviceUrl: z.string(), tenant: z.string(), bot: z.string() });
type Place = z.infer<typeof Place>;

/** As long as verdicts are kept by default: what is not written from for so long is asked for anew. */
const KEPT_MS = 400 * 86_400_000;
/** A place that has not changed is kept anew no more often than this. */
const RENEW_MS = 86_400_000;
const MOST_KNOWN = 10_000;

export interface Places {
  /** Keeps where an activity came from; a changed service URL takes the place of the old one. */
  keep: (activity: Activity, origin: Origin) => Promise<void>;
  find: (channel: string) => Promise<Place | null>;
  /** What someone is called; kept in memory alone. */
  nameOf: (user: string) => string | null;
  /** The personal chat of someone who installed the app. */
  personal: (tenant: string, user: string) => Promise<string | null>;
}

const placeKey = (channel: string): string => `teams-place:${channel}`;
const chatKey = (team: string, user: string): string => ownChatKey({ surface: TEAMS, team, user });

export function createPlaces(store: KeyValue, now: () => number): Places {
  const names = new Map<string, string>();
  const renewed = new Map<string, { value: string; at: number }>();

  async function put(key: string, value: string): Promise<void> {
    const known = renewed.get(key);
    if (known?.value === value && now() - known.at < RENEW_MS) return;
    const kept = await store.get(key, now());
    if (kept === null) await store.setIfAbsent(key, value, now(), KEPT_MS);
    else await store.compareAndSet(key, kept, value, now(), KEPT_MS);
    if (renewed.size >= MOST_KNOWN) renewed.clear();
    renewed.set(key, { value, at: now() });
  }

  return {
    nameOf: (user) => names.get(user) ?? null,
    keep: async ({ serviceUrl, recipient, from }, { tenant, channel, kind, user }) => {
      if (names.size >= MOST_KNOWN) names.clear();
      if (from.name !== undefined) names.set(user, from.name);
      await put(placeKey(channel), JSON.stringify({ serviceUrl, tenant, bot: recipient.id }));
      if (kind === 'direct') await put(chatKey(tenant, user), channel);
    },
    find: async (channel) => {
      const text = await store.get(placeKey(channel), now());
      return text === null ? null : Place.parse(JSON.parse(text));
    },
    personal: (tenant, user) => store.get(chatKey(tenant, user), now()),
  };
}
