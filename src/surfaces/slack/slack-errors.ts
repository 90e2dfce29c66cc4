import * as z from 'zod';
import { JuryError } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';
import { type DeliveryError, deliveryError } from '../chat/index.ts';

/** What Slack's errors mean for a message. An error that is not listed is taken for `shape`. */
export const SLACK_ERRORS = {
  // The next try may succeed, and the request may have been carried out in part.
  accesslimited: 'busy',
  fatal_error: 'busy',
  internal_error: 'busy',
  ratelimited: 'busy',
  rate_limited: 'busy',
  request_timeout: 'busy',
  service_unavailable: 'busy',
  team_added_to_org: 'busy',
  channel_is_archived: 'archived',
  is_archived: 'archived',
  cannot_reply_to_message: 'no access',
  channel_not_found: 'no access',
  ekm_access_denied: 'no access',
  messages_tab_disabled: 'no access',
  not_in_channel: 'no access',
  restricted_action: 'no access',
  restricted_action_non_threadable_channel: 'no access',
  restricted_action_read_only_channel: 'no access',
  restricted_action_thread_locked: 'no access',
  restricted_action_thread_only_channel: 'no access',
  user_not_found: 'no access',
  cant_update_message: 'gone',
  edit_window_closed: 'gone',
  message_not_found: 'gone',
  thread_not_found: 'gone',
  missing_scope: 'scope',
  account_inactive: 'token',
  invalid_auth: 'token',
  not_authed: 'token',
  token_expired: 'token',
  token_revoked: 'token',
  invalid_arguments: 'shape',
  invalid_blocks: 'shape',
  invalid_blocks_format: 'shape',
  msg_blocks_too_long: 'shape',
  msg_too_long: 'shape',
  unsupported_block: 'shape',
} as const satisfies Readonly<Record<string, DeliveryError>>;

const kinds = new Map<string, DeliveryError>(Object.entries(SLACK_ERRORS));

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
  return error === null || kinds.get(error) === 'busy';
}

/** Whether Slack refuses a message's kind of blocks. Nothing was posted then. */
export const isUnshowable = (thrown: unknown): boolean => UNSHOWABLE.has(slackError(thrown) ?? '');

const RateLimited = z.object({ retryAfter: z.number() });

/** How long Slack wants no calls, in milliseconds; null if the error is not a rate limit. */
export function rateLimitMs(thrown: unknown): number | null {
  const limited = RateLimited.safeParse(causeOf(thrown));
  return limited.success ? limited.data.retryAfter * 1000 : null;
}

const MissingScope = z.object({ data: z.object({ needed: z.string().min(1) }) });

/** The scope that a call needs and the app lacks, as Slack names it; null for any other error. */
export function missingScope(thrown: unknown): string | null {
  if (slackError(thrown) !== 'missing_scope') return null;
  return MissingScope.safeParse(causeOf(thrown)).data?.data.needed ?? 'that it takes';
}

/** The JuryError for a failed call. @param thrown by a call to Slack */
export function notDelivered(thrown: unknown): JuryError {
  const error = slackError(thrown);
  const kind = error === null ? 'busy' : (kinds.get(error) ?? 'shape');
  return deliveryError(kind, 'Slack', missingScope(thrown) ?? error, thrown);
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
    const isFinal = answer !== undefined && kinds.get(answer.error ?? '') !== 'busy';
    return isFinal ? response : new Response(text, { status: AGAIN, headers: response.headers });
  };
