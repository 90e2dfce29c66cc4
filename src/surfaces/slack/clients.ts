import { setTimeout as sleep } from 'node:timers/promises';
import { LogLevel, type Logger as SlackLogger, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger } from 'pino';
import * as z from 'zod';
import { eachMinute, remembered } from '../../common/async.ts';

const Cursor = z.object({
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** The pages of an answer, at most so many; each is asked for with the cursor that the one before gave. */
export async function* pagesOf(
  ask: (cursor: { cursor?: string }) => Promise<unknown>,
  most = Number.POSITIVE_INFINITY,
): AsyncIterable<unknown> {
  let cursor: string | undefined;
  for (let page = 0; page < most && cursor !== ''; page += 1) {
    const answer = await ask(cursor === undefined ? {} : { cursor });
    yield answer;
    cursor = Cursor.parse(answer).response_metadata?.next_cursor ?? '';
  }
}

const Page = z.object({ messages: z.array(z.unknown()).default([]) });

/** The messages of an answer's pages, at most so many pages. */
export async function* messagesOf(...pages: Parameters<typeof pagesOf>): AsyncIterable<unknown> {
  for await (const page of pagesOf(...pages)) yield* Page.parse(page).messages;
}

/** Messages from a moment on, ms, in a conversation or in a thread of it, with what marks them. */
export const messagesSince = (
  client: WebClient,
  { channel, thread, since }: { channel: string; thread: string | null; since: number },
  mostPages?: number,
): AsyncIterable<unknown> =>
  messagesOf((cursor) => {
    const options = {
      channel,
      oldest: String(since / 1000),
      limit: 200,
      include_all_metadata: true,
      ...cursor,
    };
    return thread === null
      ? client.conversations.history(options)
      : client.conversations.replies({ ...options, ts: thread });
  }, mostPages);

/** Slack's answer to a post; where it is a conversation with a person, `channel` is not what was asked for. */
export const Posted = z.object({ ts: z.string() });

const Opened = z.object({ channel: z.object({ id: z.string() }) });

/** A person's own conversation with the app. */
export const ownChannel = async (client: SlackClients['now'], user: string): Promise<string> =>
  Opened.parse(await client.conversations.open({ users: user })).channel.id;

/** What people call a person; null where the app may not know. */
export type NameOf = (user: string) => Promise<string | null>;

const Named = z.object({
  user: z.object({
    name: z.string().optional(),
    real_name: z.string().optional(),
    profile: z.object({ display_name: z.string().optional() }).optional(),
  }),
});
const NAMES_KEPT_MS = 3_600_000;
/** A card can do without a name; views must open within three seconds. */
const NAME_MS = 1_000;

/** Looks up names, and remembers them for an hour; without the scope `users:read` there are none. */
export function createNames(client: SlackClients['now'], now: () => number): NameOf {
  async function lookUp(user: string): Promise<string | null> {
    const { name, real_name, profile } = Named.parse(await client.users.info({ user })).user;
    return profile?.display_name || real_name || name || null;
  }
  const nameOf = remembered((user) => lookUp(user).catch(() => null), NAMES_KEPT_MS, now);
  return (user) => Promise.race([nameOf(user), sleep(NAME_MS, null, { ref: false })]);
}

/** A call that takes longer is given up; Slack wants answers within three seconds, so that little is lost by it. */
const CALL_MS = 10_000;

/** Few and quick tries: somebody waits. What fails for longer is taken up again by whoever wanted it. */
export const clientOptions = (apiUrl: string | undefined, fetch = globalThis.fetch): WebClientOptions => ({
  fetch,
  timeout: CALL_MS,
  retryConfig: { retries: 4, factor: 2, minTimeout: 500, maxTimeout: 5_000, randomize: true },
  allowAbsoluteUrls: false,
  ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/` }),
});

/** For the socket: it is opened again for as long as it takes. Where trying ends, the library lets the process die. */
export const socketClientOptions = (
  apiUrl: string | undefined,
  fetch: typeof globalThis.fetch,
): WebClientOptions => ({
  ...clientOptions(apiUrl, fetch),
  retryConfig: { forever: true, factor: 1.3, minTimeout: 1_000, maxTimeout: 30_000 },
});

/** Slack's own word for what went wrong, such as `invalid_blocks`; null where it gave no answer of that kind. */
export function slackError(thrown: unknown): string | null {
  const parsed = z.object({ data: z.object({ error: z.string() }) }).safeParse(thrown);
  return parsed.success ? parsed.data.data.error : null;
}

/** Answers that say nothing of the next try. */
const PASSING = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);
export const isPassing = (thrown: unknown): boolean => PASSING.has(slackError(thrown) ?? '');

const UNSHOWABLE = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'unsupported_block',
  'invalid_arguments',
]);
/** Whether Slack refuses the kind of blocks that a message has. A refusal is an answer: nothing was posted. */
export const isUnshowable = (thrown: unknown): boolean => UNSHOWABLE.has(slackError(thrown) ?? '');

const RateLimited = z.object({ retryAfter: z.number() });

/** How long Slack wants to be left alone, ms; null where that is not what went wrong. */
export function rateLimitMs(thrown: unknown): number | null {
  const limited = RateLimited.safeParse(thrown);
  return limited.success ? limited.data.retryAfter * 1000 : null;
}

/**
 * Three clients, so that a limit that one runs into does not stall the others: `now` for what somebody waits for, `background`
 * for counts that can come later, `once` for what is tried once: what may be left out, and what must not be done twice.
 */
export interface SlackClients {
  now: WebClient;
  background: WebClient;
  once: WebClient;
  /** How addresses that Slack gives are called. */
  fetch: typeof globalThis.fetch;
}

/** How the library begins to say that a signature is not valid. */
export const REFUSED = 'Request verification failed';

/**
 * The log of Slack's libraries. What they say at debug and info level holds whole payloads, and with them what people wrote:
 * only warnings and errors are let through, shortened, errors by their code; nothing where there is no log.
 */
export function createSlackLogger(log: Logger | null): SlackLogger {
  const about = (parts: unknown[]): Record<string, unknown> => {
    const [first] = parts;
    if (first instanceof Error)
      return { error: first.name, ...('code' in first ? { code: first.code } : {}) };
    return { says: String(first).split('\n')[0]?.slice(0, 160) };
  };
  const refused = eachMinute((requests) =>
    log?.warn({ requests }, 'slack: requests without a valid signature were refused'),
  );
  return {
    debug: () => {},
    info: () => {},
    warn: (...parts) => {
      if (String(parts[0]).startsWith(REFUSED)) refused();
      else log?.warn(about(parts), 'slack: a warning of the library');
    },
    error: (...parts) => log?.error(about(parts), 'slack: an error of the library'),
    setLevel: () => {},
    getLevel: () => LogLevel.WARN,
    setName: () => {},
  };
}

export function createSlackClients(
  botToken: string,
  apiUrl: string | undefined,
  log: Logger | null = null,
  fetch = globalThis.fetch,
): SlackClients {
  const options = { ...clientOptions(apiUrl, fetch), logger: createSlackLogger(log) };
  return {
    fetch,
    now: new WebClient(botToken, options),
    background: new WebClient(botToken, options),
    once: new WebClient(botToken, { ...options, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true }),
  };
}
