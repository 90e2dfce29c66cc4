import { setTimeout as wait } from 'node:timers/promises';
import { MessageActivityInput, TypingActivityInput } from '@microsoft/teams.api';
import type { IAdaptiveCard } from '@microsoft/teams.cards';
import * as z from 'zod';
import type { KeyValue } from '../../common/index.ts';
import type { Person } from '../../labels/access/index.ts';
import { ownChatKey, profileKey } from '../../requests/index.ts';
import { WordedError } from '../../words/index.ts';
import { type Activity, clientOf, type Origin } from './activities.ts';
import { TEAMS, threadId } from './ids.ts';
import { TEAMS_PACE, type TeamsPace } from './pace.ts';
import { type ApiFor, refusalIn, statusOf } from './teams-app.ts';
import { isPassing, notDelivered } from './teams-errors.ts';

/** A message: an Adaptive Card, with a summary for notifications and screen readers. */
export interface TeamsMessage {
  /** One line. */
  summary: string;
  /** A plain object: the library's builder writes every default into the card, which makes it too large. */
  card: IAdaptiveCard;
  /** Whether Teams shows its own thumbs below it. */
  takesThumbs?: boolean;
  /** Whether Teams labels it as made by AI. */
  isByAi?: boolean;
  /**
   * Replaces the card: Markdown, and the citations behind its bracketed numbers. Teams shows citations only in text, and text
   * next to a card would be a second message.
   */
  cited?: { text: string; citations: readonly { name: string; abstract: string }[] };
  /** Replaces the card while the message is a stream. */
  status?: string;
  /** Whether its buttons are about the conversation that it is in. Everyone there may read it. */
  isAboutPlace?: boolean;
}

/** Where a message goes. */
export interface Target {
  channel: string;
  thread: string | null;
}

export interface Messages {
  /**
   * @returns the message's id
   * @throws JuryError `usage` or `undelivered`
   */
  post: (target: Target, message: TeamsMessage) => Promise<string>;
  /**
   * Posts a targeted message, which only one person sees. Personal chats have none.
   * @param account the person's id in Teams (`29:…`)
   * @throws JuryError `usage` or `undelivered`
   */
  postTo: (target: Target, account: string, message: TeamsMessage) => Promise<void>;
  /** @param isProgress whether to give up on a rate limit, because a newer update follows */
  update: (target: Target, id: string, message: TeamsMessage, isProgress?: boolean) => Promise<void>;
  /** Does nothing if the message is gone. @throws JuryError `usage` or `undelivered` */
  remove: (target: Target, id: string) => Promise<void>;
  /** The same for a targeted message. */
  removeTargeted: (target: Target, id: string) => Promise<void>;
  react: (target: Target, id: string, reaction: 'heart') => Promise<void>;
  /**
   * Shows a status as a stream in a personal chat.
   * @param stream null to start one
   * @returns the id that its final message will have
   */
  stream: (
    target: Target,
    status: string,
    stream: { id: string; sequence: number } | null,
  ) => Promise<string>;
  /** Sends the final message, which replaces the stream. */
  endStream: (target: Target, id: string, message: TeamsMessage) => Promise<void>;
}

/** The message is not there any more. */
export const GONE = new Set([404, 410]);
/** How often a write is tried before its error is thrown. */
export const TRIES = 6;
const LONGEST_WAIT_MS = 30_000;

/**
 * How long to wait before the next try, in milliseconds.
 * @param firstMs how long to wait before the second try, unless Teams says how long
 * @throws JuryError `usage` or `undelivered` if retrying now is pointless
 */
function waitAfter(thrown: unknown, attempt: number, tries: number, firstMs: number): number {
  if (attempt >= tries || !isPassing(statusOf(thrown))) throw notDelivered(thrown);
  const after = Number(refusalIn(thrown)?.headers?.['retry-after']);
  const backoffMs = firstMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return Math.min(LONGEST_WAIT_MS, Number.isFinite(after) && after > 0 ? after * 1000 : backoffMs);
}

/**
 * Why Teams accepts no more writes to a stream. `stopped`: someone pressed Teams' Stop. `over`: it has its final message, or its
 * two minutes are up. `refused`: any other reason, such as a tenant without streams.
 */
export type StreamRefusal = 'stopped' | 'over' | 'refused';

/** Teams' reason for refusing a stream; null if a retry may help. */
export function streamRefusal(thrown: unknown): StreamRefusal | null {
  const answer = refusalIn(thrown);
  if (answer === undefined || answer.status === 401 || isPassing(answer.status)) return null;
  const why = answer.data?.error.message ?? '';
  if (/cancel/i.test(why)) return 'stopped';
  return /completed|exceeded streaming time/i.test(why) ? 'over' : 'refused';
}

function activityOf({
  summary,
  card,
  takesThumbs = false,
  isByAi = false,
  cited,
}: TeamsMessage): MessageActivityInput {
  const activity = new MessageActivityInput(cited?.text, { summary });
  if (cited === undefined) activity.addCard('adaptive', card);
  else for (const [index, one] of cited.citations.entries()) activity.addCitation(index + 1, one);
  if (isByAi) activity.addAiGenerated();
  if (takesThumbs) activity.addFeedback();
  return activity;
}

/** Teams streams only in personal chats, and requires the conversation type to say so. */
const inPerson = (id: string) => ({ conversation: { id, conversationType: 'personal' as const } });

export function createMessages(
  places: Pick<Places, 'find'>,
  apiFor: ApiFor,
  { writeMs, streamMs, retryMs }: TeamsPace = TEAMS_PACE,
): Messages {
  /** When each conversation may be written to next. */
  const turns = new Map<string, number>();

  async function turn(conversation: string, between = writeMs): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, turns.get(conversation) ?? 0);
    turns.set(conversation, at + between);
    // A timer fires early by as long as the event loop was busy before it was set.
    for (let left = at - now; left > 0; left = at - performance.now()) await wait(left);
    for (const [key, until] of turns) if (until < performance.now() - 60_000) turns.delete(key);
  }

  const hold = (conversation: string, ms: number): void => {
    turns.set(conversation, Math.max(turns.get(conversation) ?? 0, performance.now() + ms));
  };

  /** @param tries how many attempts before the error is thrown */
  async function send<T>(
    { channel, thread }: Target,
    work: (api: ReturnType<ApiFor>, conversation: string) => Promise<T>,
    tries = TRIES,
  ): Promise<T> {
    // Without a stored address, Teams' worldwide address is used.
    const api = apiFor((await places.find(channel))?.serviceUrl ?? null);
    const conversation = threadId(channel, thread);
    for (let attempt = 1; ; attempt += 1) {
      await turn(conversation);
      try {
        return await work(api, conversation);
      } catch (thrown) {
        const ms = waitAfter(thrown, attempt, tries, retryMs);
        if (statusOf(thrown) !== null) hold(conversation, ms);
        else await wait(ms);
      }
    }
  }

  /** The latest stream write in each chat. */
  const streamed = new Map<string, Promise<unknown>>();

  /** Writes to a stream. The pause before the next write begins when Teams has answered. */
  function sendStreamed<T>(...[target, work, tries]: Parameters<typeof send<T>>): Promise<T> {
    const key = `${target.channel} stream`;
    const write = async () => {
      await turn(key, streamMs);
      try {
        return await send(target, work, tries);
      } finally {
        hold(key, streamMs);
      }
    };
    const done = (streamed.get(key) ?? Promise.resolve()).then(write);
    const written = done
      .catch(() => {})
      .then(() => {
        if (streamed.get(key) === written) streamed.delete(key);
      });
    streamed.set(key, written);
    return done;
  }

  const unlessGone = (thrown: unknown): void => {
    if (!GONE.has(statusOf(thrown) ?? 0)) throw thrown;
  };

  return {
    post: (target, message) =>
      send(target, async ({ conversations }, conversation) => {
        const posted = await conversations.createActivity(conversation, activityOf(message));
        return z.object({ id: z.string() }).parse(posted).id;
      }),
    postTo: async (target, account, message) => {
      await send(target, ({ conversations }, conversation) => {
        const activity = activityOf(message).withRecipient({ id: account, name: '', role: 'user' }, true);
        return conversations.createTargetedActivity(conversation, activity);
      });
    },
    update: async (target, id, message, isProgress = false) => {
      await send(
        target,
        ({ conversations }, conversation) =>
          conversations.updateActivity(conversation, id, activityOf(message)),
        isProgress ? 1 : TRIES,
      );
    },
    remove: (target, id) =>
      send(target, ({ conversations }, conversation) => conversations.deleteActivity(conversation, id)).catch(
        unlessGone,
      ),
    removeTargeted: (target, id) =>
      send(target, ({ conversations }, conversation) =>
        conversations.deleteTargetedActivity(conversation, id),
      ).catch(unlessGone),
    stream: (target, status, stream) =>
      sendStreamed(
        target,
        async ({ conversations }, conversation) => {
          const streamed = { ...(stream && { streamId: stream.id }), streamSequence: stream?.sequence ?? 1 };
          const info = { ...streamed, streamType: 'informative' as const };
          const activity = new TypingActivityInput({
            ...inPerson(conversation),
            text: status,
            channelData: info,
          });
          activity.addEntity({ type: 'streaminfo', ...info });
          const taken = await conversations.createActivity(conversation, activity);
          return stream?.id ?? z.object({ id: z.string() }).parse(taken).id;
        },
        stream === null ? TRIES : 1,
      ),
    endStream: async (target, id, message) => {
      await sendStreamed(target, ({ conversations }, conversation) => {
        // The library's addStreamFinal adds a sequence number, which Teams' documentation forbids here.
        const info = { streamId: id, streamType: 'final' as const };
        const activity = activityOf(message).withId(id).withChannelData(info);
        activity.addEntity({ type: 'streaminfo', ...info });
        return conversations.createActivity(conversation, Object.assign(activity, inPerson(conversation)));
      });
    },
    react: (target, id, reaction) =>
      send(target, ({ reactions }, conversation) => reactions.add(conversation, id, reaction), 1),
  };
}

/** What it takes to reach a conversation from any process, days later. Teams sends this with every activity. */
export const Place = z.strictObject({
  serviceUrl: z.string(),
  tenant: z.string(),
  bot: z.string(),
  /** Of a channel: its team, and the team's group in Entra ID. */
  team: z.string().exactOptional(),
  group: z.string().exactOptional(),
});
export type Place = z.infer<typeof Place>;

/** As long as verdicts are kept by default. */
const KEPT_MS = 400 * 86_400_000;
/** How often an unchanged place is saved again, at most. */
const RENEW_MS = 86_400_000;
const MOST_KNOWN = 10_000;

export interface Places {
  /** Saves where an activity came from; a new service URL replaces the old one. */
  keep: (activity: Activity, origin: Origin) => Promise<void>;
  find: (channel: string) => Promise<Place | null>;
  /** A person's name, kept only in memory. */
  nameOf: (user: string) => string | null;
  /** The personal chat of a person who installed the app. */
  personal: (tenant: string, user: string) => Promise<string | null>;
  /** The person has removed the app, so nothing can be posted there. */
  forgetPersonal: (tenant: string, user: string) => Promise<void>;
  /** What Teams said of a person when they last acted; null until they act. */
  profile: (tenant: string, user: string) => Promise<Profile | null>;
}

/** What Teams says of a person with everything that they do. */
export const Profile = z.strictObject({
  /** Their id in Teams (`29:…`), to which private messages go. */
  account: z.string(),
  /** IANA name, such as `Europe/Berlin`. */
  timeZone: z.string().nullable(),
  /** The language of their Teams, such as `de-DE`. */
  language: z.string().nullable(),
});
export type Profile = z.infer<typeof Profile>;

const placeKey = (channel: string): string => `teams-place:${channel}`;
const chatKey = (team: string, user: string): string => ownChatKey({ surface: TEAMS, team, user });
const keyOfProfile = (team: string, user: string): string => profileKey({ surface: TEAMS, team, user });

export function createPlaces(store: KeyValue, now: () => number): Places {
  const names = new Map<string, string>();
  /** When what is stored was last written. */
  const renewed = new Map<string, number>();

  async function put(key: string, value: string): Promise<void> {
    // It may have been erased since, when the person was forgotten.
    const kept = await store.get(key, now());
    const renewedAt = renewed.get(key);
    if (kept === value && renewedAt !== undefined && now() - renewedAt < RENEW_MS) return;
    if (kept === null) await store.setIfAbsent(key, value, now(), KEPT_MS);
    else await store.compareAndSet(key, kept, value, now(), KEPT_MS);
    if (renewed.size >= MOST_KNOWN) renewed.clear();
    renewed.set(key, now());
  }

  async function find(channel: string): Promise<Place | null> {
    const text = await store.get(placeKey(channel), now());
    return text === null ? null : Place.parse(JSON.parse(text));
  }
  async function profile(tenant: string, user: string): Promise<Profile | null> {
    const text = await store.get(keyOfProfile(tenant, user), now());
    return text === null ? null : Profile.parse(JSON.parse(text));
  }

  return {
    nameOf: (user) => names.get(user) ?? null,
    keep: async (activity, { tenant, channel, kind, user }) => {
      const { serviceUrl, recipient, from } = activity;
      if (names.size >= MOST_KNOWN) names.clear();
      if (from.name !== undefined) names.set(user, from.name);
      // Clicks do not say it.
      const before = kind === 'channel' ? await find(channel) : null;
      const { id: team = before?.team, aadGroupId: group = before?.group } = activity.channelData?.team ?? {};
      const place: Place = {
        ...{ serviceUrl, tenant, bot: recipient.id },
        ...(team === undefined ? {} : { team }),
        ...(group === undefined ? {} : { group }),
      };
      await put(placeKey(channel), JSON.stringify(place));
      if (kind === 'direct') await put(chatKey(tenant, user), channel);
      const { timeZone, language } = clientOf(activity);
      // Not everything that people do says it.
      if (timeZone === null && language === null && (await profile(tenant, user)) !== null) return;
      await put(keyOfProfile(tenant, user), JSON.stringify({ account: from.id, timeZone, language }));
    },
    find,
    personal: (tenant, user) => store.get(chatKey(tenant, user), now()),
    forgetPersonal: async (tenant, user) => {
      renewed.delete(chatKey(tenant, user));
      await store.delete(chatKey(tenant, user));
    },
    profile,
  };
}

/**
 * Sends a person a message in their personal chat with Jury, once.
 *
 * @param kept the key of the message in that chat, and how long it is remembered that it was sent
 * @throws JuryError `usage` if it can never be sent, `undelivered` if it may be sent later
 */
export async function inviteOnce(
  {
    store,
    messages,
    places,
    now,
  }: {
    store: KeyValue;
    messages: Pick<Messages, 'post'>;
    places: Pick<Places, 'personal'>;
    now: () => number;
  },
  { team, user }: Person,
  invitation: TeamsMessage,
  { keyIn, keptMs }: { keyIn: (channel: string) => string; keptMs: number },
): Promise<void> {
  const channel = await places.personal(team, user);
  if (channel === null) throw new WordedError('usage', ({ errors }) => errors.noPersonalChat('Teams'));
  const sent = `teams-invite:${keyIn(channel)}`;
  if ((await store.get(sent, now())) !== null) return;
  const id = await messages.post({ channel, thread: null }, invitation);
  await store.setIfAbsent(sent, id, now(), keptMs);
}
