import { setTimeout as wait } from 'node:timers/promises';
import { MessageActivityInput, TypingActivityInput } from '@microsoft/teams.api';
import type { IAdaptiveCard } from '@microsoft/teams.cards';
import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import type { KeyValue } from '../../common/key-value.ts';
import { ownChatKey } from '../../requests/spot-check.ts';
import type { Activity, Origin } from './activities.ts';
import { TEAMS, threadId } from './ids.ts';
import { type ApiFor, refusalIn, statusOf } from './teams-app.ts';

/** A message as it is sent: an Adaptive Card with the words that notifications and screen readers take from it. */
export interface TeamsMessage {
  /** In one line. */
  summary: string;
  /** A plain object: the library's builder writes every default into the card, which then is too large. */
  card: IAdaptiveCard;
  /** Teams offers its own thumbs for it. */
  takesThumbs?: boolean;
  /** Teams marks it as made by AI. */
  isByAi?: boolean;
  /**
   * Shown in place of the card: Markdown, and what the numbers in brackets open. Teams shows citations only in a text, and a text
   * beside a card would be a second message.
   */
  cited?: { text: string; citations: readonly { name: string; abstract: string }[] };
  /** Shown in place of the card while the message is a stream. */
  status?: string;
}

/** Where a message goes. */
export interface Target {
  channel: string;
  thread: string | null;
}

export interface Messages {
  /** @returns the message's id @throws JuryError `usage` or `undelivered` */
  post: (target: Target, message: TeamsMessage) => Promise<string>;
  /** @param isProgress given up where Teams asks to wait, since a newer one follows */
  update: (target: Target, id: string, message: TeamsMessage, isProgress?: boolean) => Promise<void>;
  /** Nothing where it is gone already. */
  remove: (target: Target, id: string) => Promise<void>;
  react: (target: Target, id: string, reaction: 'heart') => Promise<void>;
  /** Shows a status as a stream in a personal chat. @param stream null: begins one @returns the id that its last message will have */
  stream: (
    target: Target,
    status: string,
    stream: { id: string; sequence: number } | null,
  ) => Promise<string>;
  /** The last message of a stream, which takes the stream's place. */
  endStream: (target: Target, id: string, message: TeamsMessage) => Promise<void>;
}

/** What says nothing of the next try, beside statuses from 500 on and no answer at all: 412 where two changes of one conversation meet. */
const PASSING = new Set([408, 412, 425, 429]);
/** The app was removed, or the conversation is gone. */
const NEVER = new Set([403, 404, 405, 410]);
const TRIES = 6;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** Teams takes 7 messages a second in a conversation; a little less leaves room for answers to clicks. */
const BETWEEN_MS = 170;
/** Of streams, one write a second. */
const STREAM_BETWEEN_MS = 1_000;

const isPassing = (status: number | null): boolean => status === null || status >= 500 || PASSING.has(status);

/**
 * What a failed call means for what was to be written: `usage` where nothing can ever be shown there, else `undelivered`, retryable where
 * Teams may take it later.
 */
function notDelivered(thrown: unknown): JuryError {
  const status = statusOf(thrown);
  if (status !== null && NEVER.has(status))
    return new JuryError('usage', `Teams refuses to show it there (${status}).`, { cause: thrown });
  return isPassing(status)
    ? new JuryError('undelivered', `Teams does not take it at the moment (${status ?? 'no answer'}).`, {
        cause: thrown,
        retryable: true,
      })
    : new JuryError('undelivered', `Teams refuses it (${status}).`, { cause: thrown });
}

/** How long to wait before the next try. @throws JuryError `usage` or `undelivered` where none helps now */
function waitAfter(thrown: unknown, attempt: number, tries: number): number {
  if (attempt >= tries || !isPassing(statusOf(thrown))) throw notDelivered(thrown);
  const after = Number(refusalIn(thrown)?.headers?.['retry-after']);
  const own = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return Math.min(LONGEST_WAIT_MS, Number.isFinite(after) && after > 0 ? after * 1000 : own);
}

/**
 * Why Teams takes nothing more of a stream. `stopped`: someone pressed Teams' Stop. `over`: it has its last message, or its two minutes
 * have passed. `refused`: anything else, such as a tenant without streams.
 */
export type StreamRefusal = 'stopped' | 'over' | 'refused';

/** Null where trying again can help. */
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

/** Teams streams in personal chats alone, and has to be asked to. */
const inPerson = (id: string) => ({ conversation: { id, conversationType: 'personal' as const } });

export function createMessages(places: Places, apiFor: ApiFor): Messages {
  /** The next moment at which each conversation may be written to. */
  const turns = new Map<string, number>();

  async function turn(conversation: string, between = BETWEEN_MS): Promise<void> {
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

  /** @param tries after so many Teams' refusal is passed on */
  async function send<T>(
    { channel, thread }: Target,
    work: (api: ReturnType<ApiFor>, conversation: string) => Promise<T>,
    tries = TRIES,
  ): Promise<T> {
    // Where no one has written yet, the worldwide address finds the way.
    const api = apiFor((await places.find(channel))?.serviceUrl ?? null);
    const conversation = threadId(channel, thread);
    for (let attempt = 1; ; attempt += 1) {
      await turn(conversation);
      try {
        return await work(api, conversation);
      } catch (thrown) {
        const ms = waitAfter(thrown, attempt, tries);
        if (statusOf(thrown) !== null) hold(conversation, ms);
        else await wait(ms);
      }
    }
  }

  /** The write of a stream that comes last in each chat. */
  const streamed = new Map<string, Promise<unknown>>();

  /** A write of a stream; the pause before the next one begins when Teams has answered. */
  function sendStreamed<T>(...[target, work, tries]: Parameters<typeof send<T>>): Promise<T> {
    const key = `${target.channel} stream`;
    const write = async () => {
      await turn(key, STREAM_BETWEEN_MS);
      try {
        return await send(target, work, tries);
      } finally {
        hold(key, STREAM_BETWEEN_MS);
      }
    };
    const done = (streamed.get(key) ?? Promise.resolve()).then(write);
    const settled = done
      .catch(() => {})
      .then(() => {
        if (streamed.get(key) === settled) streamed.delete(key);
      });
    streamed.set(key, settled);
    return done;
  }

  return {
    post: (target, message) =>
      send(target, async ({ conversations }, conversation) => {
        const posted = await conversations.createActivity(conversation, activityOf(message));
        return z.object({ id: z.string() }).parse(posted).id;
      }),
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
        (thrown) => {
          if (!(thrown instanceof JuryError) || thrown.code !== 'usage') throw thrown;
        },
      ),
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
        // The library's own addStreamFinal adds a number, which Teams' documentation forbids here.
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
