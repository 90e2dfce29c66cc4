import { isDeepStrictEqual } from 'node:util';
import {
  type App,
  ExpressReceiver,
  type Logger,
  type Receiver,
  type ReceiverEvent,
  SocketModeReceiver,
} from '@slack/bolt';
import type { Express } from 'express';
import * as z from 'zod';
import { isStoreAway, JuryError } from '../../common/index.ts';
import type { Outgoing } from '../../judges/llm/index.ts';
import { isOpenToAll } from '../../labels/access/index.ts';
import type { VerdictRecord, VoteValue } from '../../labels/record/index.ts';
import { type CastOutcome, castByReaction, takeBackReaction } from '../../labels/voting/index.ts';
import {
  type Asked,
  messageKey,
  newerAnswer,
  noteEdit,
  noteShown,
  recordRequest,
  requestId,
  type SpotCheck,
  shownFor,
} from '../../requests/index.ts';
import { cardKey } from '../chat/index.ts';
import { isUndecided, offeredAt } from '../desks/index.ts';
import { REFUSED, socketClientOptions } from './clients.ts';
import type { SlackContext } from './context.ts';
import { EVENTS_PATH, kindOf, SLACK } from './ids.ts';
import { inputOf } from './message-source.ts';
import { ChangeEvent, EventBody, MessageEvent, msOf, ReactionEvent } from './payloads.ts';

/** What was saved of an event before it was acknowledged to Slack. */
export type Kept =
  | { kind: 'check'; check: SpotCheck; status: 'added' | 'known' }
  | {
      kind: 'vote';
      record: VerdictRecord;
      status: CastOutcome['status'];
      value: VoteValue | null;
      user: string;
    }
  /** A reaction to an undecided verdict: there is nothing to agree or disagree with. */
  | { kind: 'no-vote'; record: VerdictRecord; user: string }
  /** A request was edited. */
  | { kind: 'edited'; check: string; channel: string; thread: string; user: string; wasJudged: boolean }
  | { kind: 'deleted'; check: string }
  | { kind: 'none' };

type KeepParts = Pick<SlackContext, 'store' | 'identity' | 'pseudonym' | 'now'>;

const none: Kept = { kind: 'none' };

/** Subtypes of messages that people write themselves; anything else, such as edits, joins and other apps, is not a request. */
const OWN_WORDS = new Set([undefined, null, 'file_share', 'thread_broadcast']);

/** @returns null if the event is not a request */
function askedIn(event: unknown, team: string, { identity }: KeepParts): Asked | null {
  const parsed = MessageEvent.safeParse(event);
  if (!parsed.success) return null;
  const message = parsed.data;
  const { type, channel, channel_type, ts, user, thread_ts } = message;
  if (type === 'message' && channel_type !== 'im') return null;
  if (!OWN_WORDS.has(message.subtype) || message.bot_id || !user || user === identity.self) return null;
  return {
    surface: SLACK,
    team,
    key: messageKey(channel, ts),
    channel,
    thread: thread_ts ?? ts,
    requestedBy: user,
    input: inputOf(message, identity.self),
  };
}

/** The vote that a reaction stands for, in any skin tone; null for other reactions. */
export function voteOfReaction(name: string): VoteValue | null {
  const [base] = name.split('::');
  if (base === '+1' || base === 'thumbsup') return 'agree';
  if (base === '-1' || base === 'thumbsdown') return 'disagree';
  return null;
}

async function keepReaction(event: unknown, team: string, parts: KeepParts): Promise<Kept> {
  const parsed = ReactionEvent.safeParse(event);
  if (!parsed.success) return none;
  const { type, user, reaction, item, item_user, event_ts } = parsed.data;
  const { store, now } = parts;
  const { self } = parts.identity;
  const value = voteOfReaction(reaction);
  if (value === null || user === self || (item_user && item_user !== self)) return none;
  const verdictId = await store.get(cardKey(item.channel, item.ts), now());
  // Everyone can see a card, so no per-viewer check is needed.
  const record = verdictId === null ? null : await store.verdict(verdictId);
  if (record === null || !isOpenToAll(record)) return none;
  // What people react to is a line that says that there is a newer answer.
  if (type === 'reaction_added' && (await newerAnswer(store, record.id, now())) !== null) return none;
  // There is nothing to agree or disagree with.
  if (isUndecided(record)) return type === 'reaction_added' ? { kind: 'no-vote', record, user } : none;
  const person = { surface: SLACK, team, user };
  const offered = await offeredAt(parts, record, { people: [person], place: 'card' });
  const voter = parts.pseudonym(person);
  const who = { verdictId: record.id, voter, surface: SLACK, offered, at: msOf(event_ts) };
  const keep = type === 'reaction_added' ? castByReaction : takeBackReaction;
  return { kind: 'vote', record, user, ...(await keep(store, who, value, now())) };
}

async function keepChange(
  change: z.infer<typeof ChangeEvent>,
  team: string,
  { store, identity, now }: KeepParts,
): Promise<Kept> {
  const { channel, previous_message: previous } = change;
  // Ignores the app's own messages: they change with every vote and are deleted with their requests.
  if (previous?.bot_id || previous?.user === identity.self) return none;
  const checkOf = (ts: string) => requestId({ surface: SLACK, team, key: messageKey(channel, ts) });
  if (change.subtype === 'message_deleted' || change.message.subtype === 'tombstone') {
    const check = checkOf(change.subtype === 'message_deleted' ? change.deleted_ts : change.message.ts);
    // In a conversation with the app, a request may be deleted before it is answered. In channels, most deleted messages were not
    // requests.
    if (kindOf(channel) !== 'direct' && (await shownFor(store, check, now())) === null) return none;
    await noteShown(store, check, () => ({ withdrawn: true }), now());
    return { kind: 'deleted', check };
  }
  const { message } = change;
  const { ts, user, edited, thread_ts } = message;
  if (!user || user === identity.self || message.bot_id || !edited) return none;
  const input = inputOf(message, identity.self);
  // Slack also sends this event after unfurling a link.
  if (previous && isDeepStrictEqual(inputOf(previous, identity.self), input)) return none;
  const check = checkOf(ts);
  const thread = thread_ts ?? ts;
  const key = `${messageKey(channel, ts)}:${edited.ts}`;
  const edit = { surface: SLACK, team, channel, thread, key, requestedBy: user, input };
  const shown = await noteEdit(store, check, edit, now());
  if (shown === null) return none;
  return { kind: 'edited', check, channel, thread, user, wasJudged: shown.cases > 0 };
}

/**
 * Saves what an event asks for before it is acknowledged, so that no acknowledged event is lost and redeliveries are recognized.
 * @throws JuryError `store-unavailable`: the event is not acknowledged, and Slack sends it again
 */
export async function keepEvent(body: unknown, parts: KeepParts): Promise<Kept> {
  const parsed = EventBody.safeParse(body);
  if (!parsed.success) return none;
  const { event, team_id } = parsed.data;
  if (event.type.startsWith('reaction_')) return keepReaction(event, team_id, parts);
  const change = ChangeEvent.safeParse(event);
  if (change.success) return keepChange(change.data, team_id, parts);
  const asked = askedIn(event, team_id, parts);
  if (asked === null) return none;
  return { kind: 'check', ...(await recordRequest(parts.store, asked, parts.now())) };
}

/** The sender of an event and where it was sent; null if it does not say. */
export function senderOf(body: unknown): { channel: string; thread: string; user: string } | null {
  const event = EventBody.safeParse(body).data?.event;
  const message = MessageEvent.safeParse(event).data;
  if (message?.user)
    return { channel: message.channel, thread: message.thread_ts ?? message.ts, user: message.user };
  const reaction = ReactionEvent.safeParse(event).data;
  return reaction === undefined
    ? null
    : { channel: reaction.item.channel, thread: reaction.item.ts, user: reaction.user };
}

/** How Slack delivers requests to the app. */
export type SlackTransport =
  | { kind: 'socket'; appToken: string }
  | { kind: 'http'; signingSecret: string; web: Express };

/** The largest request body; a form holds at most about 100,000 characters. */
const BODY_LIMIT = '1mb';

/** How far in the future a signature may be, as clocks differ; the library refuses only old ones. */
const SIGNED_AHEAD_MS = 300_000;

const byUser = { user: z.object({ id: z.string() }) };
/** Every request from Slack has one of these shapes. Bolt would never answer anything else. */
const Known = z.union([
  z.object({ team_id: z.string(), event: z.object({ type: z.string() }) }),
  z.object({ team_id: z.string(), user_id: z.string(), command: z.string() }),
  z.object({ ...byUser, actions: z.array(z.unknown()) }),
  z.object({ ...byUser, view: z.object({}) }),
  z.object({ ...byUser, callback_id: z.string() }),
  z.object({ ...byUser, type: z.literal('block_suggestion') }),
]);

const statusOf = (thrown: unknown): number => {
  if (isStoreAway(thrown)) return 503;
  return thrown instanceof JuryError && thrown.code === 'bad-input' ? 400 : 500;
};

/** Logs an error unless the store cannot be reached, of which the sender is notified instead. */
const logUnlessAway = (logger: Logger, error: unknown): void => {
  if (!isStoreAway(error)) logger.error('An event could not be processed.');
};

export async function transportReceiver(
  transport: SlackTransport,
  { apiUrl, outgoing }: { apiUrl: string | undefined; outgoing: Outgoing },
  logger: Logger,
): Promise<Receiver> {
  switch (transport.kind) {
    case 'socket': {
      const dispatcher = await outgoing.dispatcher();
      return new SocketModeReceiver({
        appToken: transport.appToken,
        logger,
        ...(dispatcher === undefined ? {} : { dispatcher }),
        installerOptions: { clientOptions: socketClientOptions(apiUrl, outgoing.fetch) },
        processEventErrorHandler: async ({ error }) => {
          logUnlessAway(logger, error);
          return false;
        },
      });
    }
    case 'http':
      transport.web.post(EVENTS_PATH, (request, response, next) => {
        const signedAt = Number(request.headers['x-slack-request-timestamp']) * 1000;
        if (!(signedAt - Date.now() > SIGNED_AHEAD_MS)) return next();
        logger.warn(REFUSED);
        response.status(401).end();
      });
      return new ExpressReceiver({
        signingSecret: transport.signingSecret,
        app: transport.web,
        endpoints: EVENTS_PATH,
        bodyLimit: BODY_LIMIT,
        logger,
        processEventErrorHandler: async ({ error, response }) => {
          logUnlessAway(logger, error);
          if (!response.headersSent) response.writeHead(statusOf(error)).end();
          return false;
        },
      });
  }
}

/**
 * Wraps one of Bolt's receivers to save what events ask for before the app sees them. Bolt acknowledges an event before any
 * listener runs, so this is the last moment to save it. If saving throws, the event is not acknowledged (over HTTP: 503 while the
 * store cannot be reached), and Slack sends it again.
 *
 * @param keep saves what a request's body asks for
 * @param onAway called if the store cannot be reached
 * @returns the receiver for the app, and a lookup of what was saved for a request's body
 */
export function keepingReceiver(
  receiver: Receiver,
  keep: (body: object) => Promise<Kept>,
  onAway: (body: object) => Promise<void>,
): { receiver: Receiver; keptOf: (body: object) => Kept } {
  const kept = new WeakMap<object, Kept>();
  const init = (app: App): void => {
    const processEvent = async (event: ReceiverEvent): Promise<void> => {
      if (!Known.safeParse(event.body).success)
        throw new JuryError('bad-input', 'This is not a request from Slack.');
      try {
        kept.set(event.body, await keep(event.body));
      } catch (thrown) {
        if (isStoreAway(thrown)) void onAway(event.body);
        throw thrown;
      }
      await app.processEvent(event);
    };
    // A receiver calls only the app's `processEvent`, so replacing that is enough.
    receiver.init(
      new Proxy(app, {
        get: (target, key) => (key === 'processEvent' ? processEvent : Reflect.get(target, key)),
      }),
    );
  };
  return {
    receiver: { init, start: () => receiver.start(), stop: () => receiver.stop() },
    keptOf: (body) => kept.get(body) ?? none,
  };
}
