import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { remembered } from '../../common/index.ts';
import type { Membership } from '../../labels/access/index.ts';
import type { Locales } from '../chat/index.ts';
import { pagesOf, type SlackClients } from './clients.ts';
import { kindOf } from './ids.ts';

const Opened = z.object({ channel: z.object({ id: z.string() }) });

/** The id of a person's conversation with the app. */
export const ownChannel = async (client: SlackClients['now'], user: string): Promise<string> =>
  Opened.parse(await client.conversations.open({ users: user })).channel.id;

/** A person's display name; null if the app may not know it. */
export type NameOf = (user: string) => Promise<string | null>;

const Named = z.object({
  user: z.object({
    name: z.string().optional(),
    real_name: z.string().optional(),
    profile: z.object({ display_name: z.string().optional() }).optional(),
  }),
});
const NAMES_KEPT_MS = 3_600_000;
/** A card can do without a name, but views must open within three seconds. */
const NAME_MS = 1_000;
/** Two locales may be looked up before a click is answered, and membership after them. */
const LOCALE_MS = 500;

/** Looks up names and caches them for an hour; without the scope `users:read`, every name is null. */
export function createNames(client: SlackClients['now'], now: () => number): NameOf {
  async function lookUp(user: string): Promise<string | null> {
    const { name, real_name, profile } = Named.parse(await client.users.info({ user })).user;
    return profile?.display_name || real_name || name || null;
  }
  const nameOf = remembered((user) => lookUp(user).catch(() => null), NAMES_KEPT_MS, now);
  return (user) => Promise.race([nameOf(user), sleep(NAME_MS, null, { ref: false })]);
}

const Localized = z.object({ user: z.object({ locale: z.string() }) });
const LocalizedChannel = z.object({ channel: z.object({ locale: z.string() }) });

/** The languages of people and channels, cached for an hour; answers in time for a click. */
export function createLocales(client: SlackClients['now'], now: () => number): Locales {
  const kept = (lookUp: (id: string) => Promise<string>) => {
    const localeOf = remembered((id) => lookUp(id).catch(() => null), NAMES_KEPT_MS, now);
    return (id: string) => Promise.race([localeOf(id), sleep(LOCALE_MS, null, { ref: false })]);
  };
  return {
    ofPerson: kept(
      async (user) => Localized.parse(await client.users.info({ user, include_locale: true })).user.locale,
    ),
    ofConversation: kept(
      async (channel) =>
        LocalizedChannel.parse(await client.conversations.info({ channel, include_locale: true })).channel
          .locale,
    ),
  };
}

/** Conversation membership, as reported by Slack. */
export interface Members {
  /** Null where Slack does not say. */
  isIn: (user: string, channel: string) => Promise<boolean | null>;
  /**
   * A person's membership, including whether everyone can read the channel. Answers in time for a click: `unknown` after 1.5
   * seconds.
   * @param at where Slack says the person is acting
   */
  membership: (user: string, channel: string, at: string | null) => Promise<Membership>;
}

const KNOWN_MS = 300_000;
/** How long a list is trusted that lacks a person (they may have joined since) or that could not be read. */
const FRESH_MS = 10_000;
/** Clicks and forms are answered within three seconds. */
const WAIT_MS = 1_500;
const PAGE = 1_000;
const MAX_PAGES = 10;

const MemberPage = z.object({ members: z.array(z.string()) });
const Info = z.object({
  channel: z.object({
    is_private: z.boolean().default(false),
    is_im: z.boolean().default(false),
    is_mpim: z.boolean().default(false),
  }),
});

/** Looks up conversation members and caches them for five minutes; failures for ten seconds. */
export function createMembers(client: SlackClients['now'], now: () => number): Members {
  async function membersOf(channel: string) {
    const ids = new Set<string>();
    const ask = (cursor: { cursor?: string }) =>
      client.conversations.members({ channel, limit: PAGE, ...cursor });
    for await (const page of pagesOf(ask, MAX_PAGES))
      for (const member of MemberPage.parse(page).members) ids.add(member);
    return { ids, isWhole: ids.size < PAGE * MAX_PAGES };
  }
  const fresh = remembered((channel) => membersOf(channel).catch(() => null), FRESH_MS, now);
  const lastKnown = remembered(
    async (channel) => (await fresh(channel)) ?? Promise.reject(new Error('Slack does not say')),
    KNOWN_MS,
    now,
  );
  const isPublic = remembered(
    async (channel) => {
      const { is_private, is_im, is_mpim } = Info.parse(await client.conversations.info({ channel })).channel;
      return !is_private && !is_im && !is_mpim;
    },
    KNOWN_MS,
    now,
  );
  const channelOf = remembered((user) => ownChannel(client, user), KNOWN_MS, now);

  const isIn: Members['isIn'] = async (user, channel) => {
    const kept = await lastKnown(channel).catch(() => null);
    if (kept?.ids.has(user)) return true;
    const current = await fresh(channel);
    if (current === null) return null;
    return current.ids.has(user) || (current.isWhole ? false : null);
  };
  async function lookUp(user: string, channel: string): Promise<Membership> {
    if (kindOf(channel) === 'direct') return (await channelOf(user)) === channel ? 'owner' : 'outsider';
    const isMember = await isIn(user, channel);
    if (isMember === null) return 'unknown';
    return isMember ? 'member' : (await isPublic(channel)) ? 'reader' : 'outsider';
  }
  return {
    isIn,
    membership: async (user, channel, at) => {
      if (kindOf(channel) === 'direct' && at === channel) return 'owner';
      const membership = lookUp(user, channel).catch((): Membership => 'unknown');
      return Promise.race([membership, sleep<Membership>(WAIT_MS, 'unknown', { ref: false })]);
    },
  };
}
