import type { AnyChunk } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { SpotCheck } from '../../requests/spot-check.ts';
import { isMissing, rateLimitMs, slackError } from './clients.ts';
import { receivedMessage } from './render/progress.ts';

/** `none`: with whether one may stand there all the same, since no answer came. */
export type StreamStart = { kind: 'open'; ts: string } | { kind: 'none'; mayHaveArrived: boolean };

/** Messages that Slack draws as a plan of tasks while they are written; not every workspace has them. */
export interface Streams {
  /** Where there is no stream an ordinary message takes its place. */
  start: (check: SpotCheck) => Promise<StreamStart>;
  has: (channel: string, ts: string) => boolean;
  /** `false` where the stream has died meanwhile. */
  append: (channel: string, ts: string, chunks: AnyChunk[]) => Promise<boolean>;
  end: (channel: string, ts: string) => Promise<void>;
}

/** Answers that come anew for every check; all others say that the workspace has no streams as they are needed here. */
const PASSING = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'service_unavailable',
  'fatal_error',
]);

/** @param once a client that tries each call once, so that no stream is begun twice and progress holds up nothing */
export function createStreams(client: WebClient, once: WebClient): Streams {
  let supported = true;
  const open = new Set<string>();
  const key = (channel: string, ts: string): string => `${channel} ${ts}`;

  return {
    start: async (check) => {
      if (!supported || check.thread === null) return { kind: 'none', mayHaveArrived: false };
      const { text, blocks } = receivedMessage(check.id);
      try {
        const { ts } = await once.chat.startStream({
          channel: check.channel,
          thread_ts: check.thread,
          recipient_team_id: check.team,
          recipient_user_id: check.requestedBy,
          task_display_mode: 'plan',
          chunks: [
            { type: 'plan_update', title: text },
            { type: 'blocks', blocks: blocks.filter(({ type }) => type === 'actions') },
          ],
        });
        if (ts === undefined) return { kind: 'none', mayHaveArrived: true };
        open.add(key(check.channel, ts));
        return { kind: 'open', ts };
      } catch (thrown) {
        const error = slackError(thrown);
        if (isMissing(thrown) || (error !== null && !PASSING.has(error))) supported = false;
        const isAnswer = isMissing(thrown) || error !== null || rateLimitMs(thrown) !== null;
        return { kind: 'none', mayHaveArrived: !isAnswer };
      }
    },
    has: (channel, ts) => open.has(key(channel, ts)),
    append: async (channel, ts, chunks) => {
      try {
        await once.chat.appendStream({ channel, ts, chunks });
        return true;
      } catch (thrown) {
        if (slackError(thrown) === null) throw thrown;
        open.delete(key(channel, ts));
        return false;
      }
    },
    end: async (channel, ts) => {
      if (!open.delete(key(channel, ts))) return;
      // Whether it had died already does not matter: what follows takes its place.
      await client.chat.stopStream({ channel, ts }).catch(() => {});
    },
  };
}
