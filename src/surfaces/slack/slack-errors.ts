import * as z from 'zod';
import { JuryError } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';

/** Temporary errors: the next try may succeed, and the request may have been carried out in part. */
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
/** Errors that a retry cannot fix: the place is gone, or the app may not write there. */
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
/** Errors that mean Slack refuses this kind of blocks. */
const UNSHOWABLE = new Set([
  'invalid_arguments',
  'invalid_blocks',
  'invalid_blocks_format',
  'unsupported_block',
]);

const Answer = z.object({ error: z.string().optional() });
const Thrown = z.union([
  z.object({ data: z.object({ error: z.string() }) }).transform(({ data }) => data.error),
  // From a temporary error, which {@link passingAsStatus} turns into a status that is retried.
  z.object({ body: Answer }).transform(({ body }) => body.error ?? null),
]);
const causeOf = (thrown: unknown): unknown => (thrown instanceof JuryError ? thrown.cause : thrown);

/** Slack's error code, such as `invalid_blocks`; null if Slack sent none. */
export const slackError = (thrown: unknown): string | null => Thrown.safeParse(causeOf(thrown)).data ?? null;

/**
 * Whether a retry may succeed.
 * @param thrown by a call to Slack
 */
export function isPassing(thrown: unknown): boolean {
  const error = slackError(thrown);
  return error === null || PASSING.has(error);
}

/** Whether Slack refuses a message's kind of blocks. Nothing was posted then. */
export const isUnshowable = (thrown: unknown): boolean => UNSHOWABLE.has(slackError(thrown) ?? '');

const RateLimited = z.object({ retryAfter: z.number() });

/** How long Slack wants no calls, in milliseconds; null if the error is not a rate limit. */
export function rateLimitMs(thrown: unknown): number | null {
  const limited = RateLimited.safeParse(causeOf(thrown));
  return limited.success ? limited.data.retryAfter * 1000 : null;
}

/**
 * The JuryError for a failed call: `usage` if nothing can ever be shown there, otherwise `undelivered`, which is retryable if
 * Slack may accept the message later.
 *
 * @param thrown by a call to Slack
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

/** A status that Slack's library retries. */
const AGAIN = 503;

/** Wraps `fetch` so that Slack's library retries temporary errors. Slack sends them with status 200, which the library takes as final. */
export const passingAsStatus =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (...call) => {
    const response = await fetch(...call);
    if (response.status !== 200) return response;
    const text = await response.clone().text();
    const answer = readJson(Answer, text)?.value;
    // A response that is not from Slack's API comes from something in between.
    const isFinal = answer !== undefined && !PASSING.has(answer.error ?? '');
    return isFinal ? response : new Response(text, { status: AGAIN, headers: response.headers });
  };
