import * as z from 'zod';
import type { KeyValue } from '../../common/index.ts';
import type { SpotCheck } from '../../requests/index.ts';
import { Language } from '../../words/index.ts';
import type { Place } from '../chat/index.ts';
import { shortLine } from '../wording/index.ts';
import { kindOf } from './ids.ts';
import {
  type Messages,
  type StreamRefusal,
  streamRefusal,
  type Target,
  type TeamsMessage,
} from './messages.ts';
import { TEAMS_PACE, type TeamsPace } from './pace.ts';
import { errorMessage, receivedMessage } from './render/notices.ts';

/** Teams ends a stream after two minutes, so a longer request becomes a card before that. */
const OPEN_MS = 90_000;
/** How many times an open stream is looked at from one repeat of its status to the next. */
const TICKS = 6;
/** How long a chat's one stream is reserved: longer than Teams' two minutes, so that a stream whose process died is over by then. */
const CLAIM_MS = 130_000;
/** After Teams has refused a stream, a chat gets ordinary messages for this long. */
const REFUSED_MS = 3_600_000;
/** How long an open stream is on record: far longer than a request may take. */
const OPEN_KEPT_MS = 86_400_000;
/** As long as reactions on cards are recognized. */
const MOVED_KEPT_MS = 400 * 86_400_000;

export const Open = z.strictObject({
  kind: z.literal('open'),
  check: z.string(),
  by: z.string(),
  words: z.string(),
  language: Language.optional(),
});
type Open = z.infer<typeof Open>;
/**
 * The record of a message id in a personal chat. `open`: a stream that may lack its final message. `moved`: a stream that ended
 * without one, and the message that replaces it. `for`: such a replacement.
 */
const Kept = z.discriminatedUnion('kind', [
  Open,
  z.strictObject({ kind: z.literal('moved'), to: z.string() }),
  z.strictObject({ kind: z.literal('for'), id: z.string() }),
]);
type Kept = z.infer<typeof Kept>;

const claimKey = ({ channel }: Target): string => `teams-stream:${channel}`;
const keptKey = ({ channel }: Target, id: string): string => `teams-stream:${channel}:${id}`;

/** A stream that this process has started and not ended. */
interface Live {
  target: Target;
  id: string;
  open: Open;
  /** What it becomes if its time runs out. */
  shown: TeamsMessage;
  sequence: number;
  begunAt: number;
  writtenAt: number;
  /** Why Teams accepts no more writes to it. */
  refusal: StreamRefusal | null;
  /** Resolves when no write is in progress: Teams wants them one at a time. */
  idle: Promise<unknown>;
  ticks: NodeJS.Timeout;
}

interface StreamParts {
  store: KeyValue;
  messages: Messages;
  now: () => number;
  /** Monotonic, ms. */
  clock?: () => number;
  pace?: Pick<TeamsPace, 'streamMs' | 'repeatMs'>;
  /** Called when someone presses Teams' Stop. */
  onStop: (check: string, by: string) => void;
}

export interface Streams {
  /**
   * Acknowledges a request, as a stream if its chat can have one.
   * @returns the id of the message that becomes its card
   */
  begin: (check: SpotCheck, words: string, language: Language) => Promise<string>;
  /** Updates what a message shows: the status of an open stream if the message has one, otherwise the card. */
  show: (place: Place, id: string, message: TeamsMessage, isProgress?: boolean) => Promise<void>;
  remove: (target: Target, id: string) => Promise<void>;
  /**
   * The id under which a message's data is stored.
   * @throws JuryError `store-unavailable`
   */
  keptAs: (channel: string, message: string) => Promise<string>;
  /** Stops writing; the next process ends open streams. */
  leave: () => void;
}

/**
 * Shows requests in personal chats as streams: statuses while judges are at work, then the card as the final message, which is an
 * ordinary message from then on. If a stream ends any other way, an ordinary message replaces it.
 */
export function createStreams(parts: StreamParts): Streams {
  const { store, messages, now, onStop, clock = () => performance.now(), pace = TEAMS_PACE } = parts;
  const lives = new Map<string, Live>();

  async function find(target: Target, id: string): Promise<Kept | null> {
    const text = await store.get(keptKey(target, id), now());
    return text === null ? null : Kept.parse(JSON.parse(text));
  }

  function leave(live: Live): void {
    clearInterval(live.ticks);
    lives.delete(keptKey(live.target, live.id));
  }

  /** Frees the chat for another stream. */
  const release = (target: Target, { check }: Open): Promise<unknown> =>
    store.compareAndSet(claimKey(target), check, 'ended', now(), pace.streamMs);

  /** Deletes the record of a stream that has become a message. */
  async function forget(target: Target, id: string, open: Open): Promise<void> {
    await store.delete(keptKey(target, id));
    await release(target, open);
  }

  /**
   * Tries to send the final message. Resolves to null or to the reason for Teams' refusal.
   * @throws errors that may be temporary
   */
  async function end(target: Target, id: string, open: Open, message: TeamsMessage) {
    try {
      await messages.endStream(target, id, message);
    } catch (thrown) {
      const why = streamRefusal(thrown);
      if (why === null) throw thrown;
      if (why === 'stopped') onStop(open.check, open.by);
      return why;
    }
    await forget(target, id, open);
    return null;
  }

  /** Ends a stream with a message, or replaces it with one. */
  async function endWith(
    target: Target,
    id: string,
    open: Open,
    message: TeamsMessage,
    refusal: StreamRefusal | null = null,
  ): Promise<void> {
    const why = refusal ?? (await end(target, id, open, message));
    if (why === null) return;
    if (why === 'over') {
      // A process sent it before it died, or Teams ended the stream: either way it is a message that can be updated.
      try {
        await messages.update(target, id, message);
        return await forget(target, id, open);
      } catch (thrown) {
        if (streamRefusal(thrown) === null) throw thrown;
      }
    }
    // Posted without buttons or a verdict: if the process ends before storing its id, another message replaces it.
    const to = await messages.post(target, receivedMessage(open.words, open.language ?? 'en'));
    const moved: Kept = { kind: 'moved', to };
    const [before, after] = [JSON.stringify(open), JSON.stringify(moved)];
    if (await store.compareAndSet(keptKey(target, id), before, after, now(), MOVED_KEPT_MS)) {
      await store.setIfAbsent(keptKey(target, to), JSON.stringify({ kind: 'for', id }), now(), MOVED_KEPT_MS);
      await release(target, open);
      await messages.update(target, to, message);
    } else {
      // Another process has replaced the stream, or the request was deleted.
      await messages.remove(target, to);
      await change(target, id, message);
    }
  }

  /** Updates a message while this process has no open stream for it. */
  async function change(
    target: Target,
    id: string,
    message: TeamsMessage,
    isProgress?: boolean,
  ): Promise<void> {
    const kept = await find(target, id);
    if (kept?.kind === 'open') return endWith(target, id, kept, message);
    await messages.update(target, kept?.kind === 'moved' ? kept.to : id, message, isProgress);
  }

  const isOpen = (live: Live): boolean => lives.get(keptKey(live.target, live.id)) === live;
  const hasTime = ({ begunAt }: Live): boolean => clock() - begunAt < OPEN_MS;

  function inTurn<T>(live: Live, work: () => Promise<T>): Promise<T> {
    const done = live.idle.then(work);
    live.idle = done.catch(() => {});
    return done;
  }

  async function inform(live: Live, status: string): Promise<void> {
    try {
      await messages.stream(live.target, status, { id: live.id, sequence: live.sequence + 1 });
      live.sequence += 1;
    } catch (thrown) {
      live.refusal = streamRefusal(thrown);
      if (live.refusal === null) throw thrown;
      if (live.refusal === 'stopped') onStop(live.open.check, live.open.by);
    } finally {
      live.writtenAt = clock();
    }
  }

  /** Repeats the status, and ends the stream in time. */
  async function tick(live: Live): Promise<void> {
    const { target, id, open, shown } = live;
    if (!isOpen(live) || live.refusal !== null) return;
    if (!hasTime(live)) {
      leave(live);
      // If Teams refuses, another process may have shown something newer.
      await end(target, id, open, shown);
    } else if (clock() - live.writtenAt >= pace.repeatMs) await inform(live, shown.status ?? shown.summary);
  }

  function hold(target: Target, id: string, open: Open, shown: TeamsMessage, begunAt: number): void {
    const live: Live = {
      ...{ target, id, open, shown, sequence: 1, begunAt, writtenAt: clock() },
      ...{ refusal: null, idle: Promise.resolve() },
      // The next update shows whatever this fails to write.
      ticks: setInterval(() => inTurn(live, () => tick(live)).catch(() => {}), pace.repeatMs / TICKS).unref(),
    };
    lives.set(keptKey(target, id), live);
  }

  async function begin(check: SpotCheck, words: string, language: Language): Promise<string> {
    const { channel, thread, kind = kindOf(channel) } = check;
    const target = { channel, thread };
    const received = receivedMessage(words, language);
    const key = claimKey(target);
    const isFree = async () => (await store.setIfAbsent(key, check.id, now(), CLAIM_MS)).set;
    if (kind !== 'direct' || !(await isFree())) return messages.post(target, received);
    const begunAt = clock();
    let id: string;
    try {
      id = await messages.stream(target, received.status ?? received.summary, null);
    } catch (thrown) {
      if (streamRefusal(thrown) === null) throw thrown;
      await store.compareAndSet(key, check.id, 'refused', now(), REFUSED_MS);
      return messages.post(target, received);
    }
    const open: Open = {
      kind: 'open',
      check: check.id,
      by: check.requestedBy,
      words: shortLine(words, 160),
      language,
    };
    await store.setIfAbsent(keptKey(target, id), JSON.stringify(open), now(), OPEN_KEPT_MS);
    hold(target, id, open, received, begunAt);
    return id;
  }

  const show: Streams['show'] = async (place, id, message, isProgress = false) => {
    const { channel, thread, kind = kindOf(channel) } = place;
    const target = { channel, thread };
    if (kind !== 'direct') return messages.update(target, id, message, isProgress);
    const live = lives.get(keptKey(target, id));
    if (live !== undefined)
      return inTurn(live, async () => {
        if (!isOpen(live)) return change(target, id, message, isProgress);
        live.shown = message;
        const { status } = message;
        if (status !== undefined && live.refusal === null && hasTime(live)) return inform(live, status);
        leave(live);
        return endWith(target, id, live.open, message, live.refusal);
      });
    return change(target, id, message, isProgress);
  };

  return {
    begin,
    show,
    remove: async (target, id) => {
      const live = lives.get(keptKey(target, id));
      if (live !== undefined) leave(live);
      await live?.idle;
      const kept = await find(target, id);
      if (kept?.kind === 'open') {
        // A stream cannot be deleted, but the message it ends with can.
        const why = await end(target, id, kept, errorMessage('The request was deleted.'));
        if (why === 'stopped' || why === 'refused') return;
      }
      await messages.remove(target, kept?.kind === 'moved' ? kept.to : id);
    },
    keptAs: async (channel, message) => {
      const kept = await find({ channel, thread: null }, message);
      return kept?.kind === 'for' ? kept.id : message;
    },
    leave: () => {
      for (const live of lives.values()) leave(live);
    },
  };
}
