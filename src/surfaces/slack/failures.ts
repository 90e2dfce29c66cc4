import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import { readJson } from '../../common/text.ts';

/** Slack's answers that say nothing of the next try; part of what was asked for may have been done. */
const PASSING = new Set([
  'accesslimited',
  'fatal_error',
  'internal_error',
  'ratelimited',
  'rate_limited',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
]);
/** What no repetition mends: the place is gone, or the app may not write there. */
const GONE = new Set([
  'cannot_reply_to_message',
  'cant_update_message',
  'channel_is_archived',
  'channel_not_found',
  'edit_window_closed',
  'is_archived',
  'message_not_found',
  'not_in_channel',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_locked',
  'thread_not_found',
  'user_not_found',
]);
/** The kind of blocks that a message has. */
const UNSHOWABLE = new Set([
  'invalid_arguments',
  'invalid_blocks',
  'invalid_blocks_format',
  'unsupported_block',
]);

const Answer = z.object({ error: z.string().optional() });
const Thrown = z.union([
  z.object({ data: z.object({ error: z.string() }) }).transform(({ data }) => data.error),
  // Of a passing answer, which is turned into a status that is tried again.
  z.object({ body: Answer }).transform(({ body }) => body.error ?? null),
]);
const causeOf = (thrown: unknown): unknown => (thrown instanceof JuryError ? thrown.cause : thrown);

/** Slack's own word for what went wrong, such as `invalid_blocks`; null where it gave no answer of that kind. */
export const slackError = (thrown: unknown): string | null => Thrown.safeParse(causeOf(thrown)).data ?? null;

/** Whether the next try may succeed. @param thrown by a call of Slack */
export function isPassing(thrown: unknown): boolean {
  const error = slackError(thrown);
  return error === null || PASSING.has(error);
}

/** Whether Slack refuses the kind of blocks that a message has. A refusal is an answer: nothing was posted. */
export const isUnshowable = (thrown: unknown): boolean => UNSHOWABLE.has(slackError(thrown) ?? '');

const RateLimited = z.object({ retryAfter: z.number() });

/** How long Slack wants to be left alone, ms; null where that is not what went wrong. */
export function rateLimitMs(thrown: unknown): number | null {
  const limited = RateLimited.safeParse(causeOf(thrown));
  return limited.success ? limited.data.retryAfter * 1000 : null;
}

/**
 * What a failed call means for what was to be written: `usage` where nothing can ever be shown there, else `undelivered`, retryable where
 * Slack may take it later.
 *
 * @param thrown by a call of Slack
 */
export function notDelivered(thrown: unknown): JuryError {
  const error = slackError(thrown);
  if (error !== null && GONE.has(error))
    return new JuryError('usage', `Slack refuses to show it there (${error}).`, { cause: thrown });
  return isPassing(thrown)
    ? new JuryError('undelivered', `Slack does not take it at the moment (${error ?? 'no answer'}).`, {
        cause: thrown,
        retryable: true,
      })
    : new JuryError('undelivered', `Slack refuses it (${error}).`, { cause: thrown });
}

/** The status that the library tries again. */
const AGAIN = 503;

/**
 * A `fetch` for the library that has it try passing answers again as it does with statuses: Slack sends them with status 200, which
 * the library takes for final.
 */
export const passingAsStatus =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (...call) => {
    const response = await fetch(...call);
    if (response.status !== 200) return response;
    const text = await response.clone().text();
    const answer = readJson(Answer, text)?.value;
    // What is no answer of Slack's comes from something on the way.
    const isFinal = answer !== undefined && !PASSING.has(answer.error ?? '');
    return isFinal ? response : new Response(text, { status: AGAIN, headers: response.headers });
  };
