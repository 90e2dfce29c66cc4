import { setTimeout as sleep } from 'node:timers/promises';
import type { IAdaptiveCard } from '@microsoft/teams.cards';
import { remembered } from '../../common/index.ts';
import {
  type Actor,
  type Membership,
  type Person,
  type Viewer,
  viewerFor,
} from '../../labels/access/index.ts';
import type { SpotChecks } from '../../requests/index.ts';
import type { Cards, ChatParts, Locales } from '../chat/index.ts';
import { type Activity, type ButtonData, clientOf, type Origin } from './activities.ts';
import { kindOf, TEAMS } from './ids.ts';
import type { Messages, Places, TeamsMessage } from './messages.ts';
import type { Halves } from './partial-requests.ts';
import type { Streams } from './streams.ts';
import { type ApiFor, statusOf } from './teams-app.ts';

/** The most people and chats whose language is remembered. */
const MOST_LOCALES = 10_000;

/** The surface's parts, ready before any listener is registered. */
export interface TeamsParts extends ChatParts, Members {
  places: Places;
  messages: Messages;
  /** Parts of incomplete conversations that were sent to the app. */
  halves: Halves;
  /**
   * The messages of a thread above another one: all where the app may read them, else those that were sent to it.
   * @throws JuryError `store-unavailable`
   */
  above: Halves['above'];
  /** The messages of requests; in personal chats they start as streams. */
  streams: Streams;
  locales: Locales & {
    /** @param channel of their own chat with Jury; null elsewhere */
    note: (locale: string | null, of: { user: string; channel: string | null }) => void;
  };
  /** A person's name from their latest activity; null until they act. */
  nameOf: (user: string) => string | null;
}

/** Everything the listeners need. */
export interface TeamsContext extends TeamsParts {
  checks: SpotChecks;
  cards: Cards;
}

/**
 * The context with texts in the language of those who see an answer: of the person who clicked or is alone with Jury, otherwise of
 * the conversation.
 */
export async function inLanguageOf(
  context: TeamsContext,
  activity: Activity,
  { user, channel, kind }: Origin,
): Promise<TeamsContext> {
  const { locales, languages, textsIn } = context;
  locales.note(clientOf(activity).language, { user, channel: kind === 'direct' ? channel : null });
  const language =
    activity.type === 'invoke' || kind === 'direct'
      ? await languages.ofPerson(user, channel)
      : await languages.inConversation(channel);
  return { ...context, texts: textsIn(language) };
}

/**
 * The languages of people and of their chats with Jury, as their latest activities tell, on this machine or as stored; Teams says
 * none of channels.
 */
export function createLocales({ find, profile }: Pick<Places, 'find' | 'profile'>): TeamsParts['locales'] {
  const known = new Map<string, string>();
  return {
    ofPerson: async (user, channel) => {
      const here = known.get(user);
      if (here !== undefined || channel === null) return here ?? null;
      const place = await find(channel);
      return place === null ? null : ((await profile(place.tenant, user))?.language ?? null);
    },
    ofConversation: async (channel) => known.get(channel) ?? null,
    note: (locale, { user, channel }) => {
      if (locale === null) return;
      if (known.size > MOST_LOCALES) known.clear();
      known.set(user, locale);
      if (channel !== null) known.set(channel, locale);
    },
  };
}

/** What a dialog shows next: a card, a text, or null to close it. */
export type Dialog = { title: string; card: IAdaptiveCard } | { text: string } | null;

/** What answers a command; null if everyone in the conversation has been told already. */
export type AnswerCommand = () => Promise<TeamsMessage | null>;

/** What a dialog submits: its button's data and the answers. */
export type Sent = ButtonData & Readonly<Record<string, unknown>>;

export const personOf = ({ tenant, user }: Pick<Origin, 'tenant' | 'user'>): Person => ({
  surface: TEAMS,
  team: tenant,
  user,
});

/** The acting user, as signed by Teams. */
export const actorOf = (origin: Origin): Actor => ({ people: [personOf(origin)], at: origin.channel });

/** Whether a conversation's content may be shown where the person acts: in that conversation, or in their own chat with Jury. */
export const isShownAt = ({ channel, kind }: Origin, about: string): boolean =>
  about === channel || kind === 'direct';

/** The acting user as a viewer of verdicts: those of this conversation or, in their own chat, of every conversation they are in. */
export function viewerOf(
  { pseudonym, roles }: Pick<TeamsParts, 'pseudonym' | 'roles'>,
  origin: Origin,
  action: Parameters<typeof viewerFor>[1] = 'read',
): Viewer {
  const viewer = viewerFor(roles, action, actorOf(origin), pseudonym(personOf(origin)));
  return {
    ...viewer,
    maySee: async (record) =>
      // Labeled cases are added to a channel, whichever tenant it belongs to.
      ['', origin.tenant].includes(record.source.team) &&
      isShownAt(origin, record.source.channel) &&
      viewer.maySee(record),
  };
}

/** Conversation membership, as reported by Teams. */
export interface Members {
  /** @param at where Teams says the person is acting */
  membership: (person: Person, channel: string, at: string | null) => Promise<Membership>;
  /** A member's name; null if unknown. */
  nameIn: (user: string, channel: string) => Promise<string | null>;
  /** Whether Teams says that a member belongs to another tenant than the conversation. */
  isForeign: (user: string, channel: string) => Promise<boolean>;
}

interface Member {
  name: string | null;
  /** The conversation's tenant. */
  tenant: string;
  /** Belongs to another tenant, as in a shared channel. */
  isForeign: boolean;
  /** From outside the organization: another tenant, or a guest in this one. */
  isGuest: boolean;
}

/** Teams' roles for members from outside. */
const GUESTS: ReadonlySet<string> = new Set(['guest', 'anonymous']);

function membershipOf(member: Member | null | undefined, team: string): Membership {
  if (member === undefined) return 'unknown';
  if (member === null || member.tenant !== team) return 'outsider';
  return member.isGuest ? 'guest' : 'member';
}

const KNOWN_MS = 300_000;
/** How long an answer is trusted that a person is missing (they may have joined since) or that Teams gave none. */
const FRESH_MS = 10_000;
/** Clicks must be answered within a few seconds. */
const WAIT_MS = 3_000;

/**
 * Looks up conversation members and caches them for five minutes; missing members and failures for ten seconds.
 *
 * @param isPlayground for the local playground, which lists people under other ids than its activities use
 */
export function createMembers(
  places: Pick<Places, 'find'>,
  apiFor: ApiFor,
  now: () => number,
  isPlayground: boolean,
): Members {
  /**
   * Null if the person is not a member; undefined if Teams gives no answer. Asks about the channel, because private and shared
   * channels have their own members.
   */
  async function memberOf(key: string): Promise<Member | null | undefined> {
    const [user = '', channel = ''] = key.split(' ');
    const place = await places.find(channel);
    if (place === null) return undefined;
    const { conversations } = apiFor(place.serviceUrl);
    try {
      const member = isPlayground
        ? (await conversations.getMembers(channel)).find((one) => one.aadObjectId === user)
        : await conversations.getMemberById(channel, user);
      if (member === undefined) return null;
      const { name = null, tenantId, userRole } = member;
      const isForeign = tenantId != null && tenantId !== place.tenant;
      return { name, tenant: place.tenant, isForeign, isGuest: isForeign || GUESTS.has(userRole ?? '') };
    } catch (thrown) {
      return statusOf(thrown) === 404 ? null : undefined;
    }
  }
  const fresh = remembered(memberOf, FRESH_MS, now);
  const lastKnown = remembered(
    async (key) => (await fresh(key)) ?? Promise.reject(new Error('not known to be there')),
    KNOWN_MS,
    now,
  );
  const ask = (key: string) => lastKnown(key).catch(() => fresh(key));
  return {
    membership: ({ team, user }, channel, at) => {
      // A personal chat has only one person in it.
      if (at === channel && kindOf(channel) === 'direct') return Promise.resolve('owner');
      const membership = ask(`${user} ${channel}`).then(
        (member) => membershipOf(member, team),
        (): Membership => 'unknown',
      );
      return Promise.race([membership, sleep<Membership>(WAIT_MS, 'unknown', { ref: false })]);
    },
    nameIn: async (user, channel) => (await ask(`${user} ${channel}`).catch(() => null))?.name ?? null,
    isForeign: (user, channel) => {
      if (kindOf(channel) === 'direct') return Promise.resolve(false);
      const isForeign = ask(`${user} ${channel}`).then(
        (member) => member?.isForeign === true,
        () => false,
      );
      return Promise.race([isForeign, sleep(WAIT_MS, false, { ref: false })]);
    },
  };
}
