import * as z from 'zod';
import type { KeyValue } from '../../common/key-value.ts';
import { ownChatKey } from '../../requests/spot-check.ts';
import type { Activity, Origin } from './activities.ts';
import { TEAMS } from './ids.ts';

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
