import { setTimeout as sleep } from 'node:timers/promises';
import type { IAdaptiveCard } from '@microsoft/teams.cards';
import { remembered } from '../../common/async.ts';
import {
  type Actor,
  type Membership,
  type Person,
  type Viewer,
  viewerFor,
} from '../../labels/permissions.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Cards, ChatParts } from '../chat-presenter.ts';
import type { ButtonData, Origin } from './activities.ts';
import type { Halves } from './halves.ts';
import { kindOf, TEAMS } from './ids.ts';
import type { Messages, Places } from './messages.ts';
import type { Streams } from './streams.ts';
import { type ApiFor, statusOf } from './teams-app.ts';

/** What the surface is made of, before anything listens. */
export interface TeamsParts extends ChatParts, Members {
  places: Places;
  messages: Messages;
  /** What was sent to the app of conversations that are not whole. */
  halves: Halves;
  /** Messages of requests: in personal chats they begin as streams. */
  streams: Streams;
  /** What someone is called, as Teams said with what they did last; null until they act. */
  nameOf: (user: string) => string | null;
}

/** What the listeners work with. */
export interface TeamsContext extends TeamsParts {
  checks: SpotChecks;
  cards: Cards;
}

/** What a dialog shows next: a card, words, or nothing, so that it closes. */
export type Dialog = { title: string; card: IAdaptiveCard } | { text: string } | null;

/** What a dialog sends: its button's data, with the answers. */
export type Sent = ButtonData & Readonly<Record<string, unknown>>;

export const personOf = ({ tenant, user }: Pick<Origin, 'tenant' | 'user'>): Person => ({
  surface: TEAMS,
  team: tenant,
  user,
});

/** Who acts, as Teams signed it. */
export const actorOf = (origin: Origin): Actor => ({ people: [personOf(origin)], at: origin.channel });

/** Whether a conversation is shown where a person acts: in itself, and in their own chat with Jury. */
export const isShownAt = ({ channel, kind }: Origin, about: string): boolean =>
  about === channel || kind === 'direct';

/** Who acts, as someone who looks at verdicts: those of the conversation, and in their own chat those of all that they are in. */
export function viewerOf(
  { pseudonym, roles }: Pick<TeamsParts, 'pseudonym' | 'roles'>,
  origin: Origin,
  action: Parameters<typeof viewerFor>[1] = 'read',
): Viewer {
  const viewer = viewerFor(roles, action, actorOf(origin), pseudonym(personOf(origin)));
  return {
    ...viewer,
    maySee: async (record) =>
      // Labeled cases are added to a channel, whatever tenant it is of.
      ['', origin.tenant].includes(record.source.team) &&
      isShownAt(origin, record.source.channel) &&
      viewer.maySee(record),
  };
}

/** Who is in a conversation, as Teams says. */
export interface Members {
  /** @param at where Teams says that they act */
  membership: (person: Person, channel: string, at: string | null) => Promise<Membership>;
  /** What a member is called. */
  nameIn: (user: string, channel: string) => Promise<string | null>;
  /** Whether Teams says that a member is of another tenant than the conversation. */
  isForeign: (user: string, channel: string) => Promise<boolean>;
}

interface Member {
  name: string | null;
  /** Of the conversation. */
  tenant: string;
  /** Of another tenant, as in a shared channel. */
  isForeign: boolean;
  /** From outside the organization: of another tenant, or a guest in this one. */
  isGuest: boolean;
}

/** What Teams calls members from outside. */
const GUESTS: ReadonlySet<string> = new Set(['guest', 'anonymous']);

function membershipOf(member: Member | null | undefined, team: string): Membership {
  if (member === undefined) return 'unknown';
  if (member === null || member.tenant !== team) return 'outsider';
  return member.isGuest ? 'guest' : 'member';
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
  /** Null for a person who is not there; undefined where Teams does not say. The channel is asked: a private or shared one has members of its own. */
  async function memberOf(key: string): Promise<Member | null | undefined> {
    const [user = '', channel = ''] = key.split(' ');
    const place = await places.find(channel);
    if (place === null) return undefined;
    const { conversations } = apiFor(place.serviceUrl);
    try {
      const found = isPlayground
        ? (await conversations.getMembers(channel)).find((one) => one.aadObjectId === user)
        : await conversations.getMemberById(channel, user);
      if (found === undefined) return null;
      const { name = null, tenantId, userRole } = found;
      const isForeign = tenantId != null && tenantId !== place.tenant;
      return { name, tenant: place.tenant, isForeign, isGuest: isForeign || GUESTS.has(userRole ?? '') };
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
        (member) => membershipOf(member, team),
        (): Membership => 'unknown',
      );
      return Promise.race([found, sleep<Membership>(WAIT_MS, 'unknown', { ref: false })]);
    },
    nameIn: async (user, channel) => (await ask(`${user} ${channel}`).catch(() => null))?.name ?? null,
    isForeign: (user, channel) => {
      if (kindOf(channel) === 'direct') return Promise.resolve(false);
      const found = ask(`${user} ${channel}`).then(
        (member) => member?.isForeign === true,
        () => false,
      );
      return Promise.race([found, sleep(WAIT_MS, false, { ref: false })]);
    },
  };
}
