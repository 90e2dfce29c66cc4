import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import type { WebClient, WebClientOptions } from '@slack/web-api';
import type { Logger } from 'pino';
import * as z from 'zod';

/** A call that takes longer is given up; Slack wants answers within three seconds, so that little is lost by it. */
const CALL_MS = 10_000;

/** Few and quick tries: somebody waits. What fails for longer is taken up again by whoever wanted it. */
export const clientOptions = (apiUrl: string | undefined): WebClientOptions => ({
  timeout: CALL_MS,
  retryConfig: { retries: 4, factor: 2, minTimeout: 500, maxTimeout: 5_000, randomize: true },
  allowAbsoluteUrls: false,
  ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/` }),
});

/** For the socket: it is opened again for as long as it takes. Where trying ends, the library lets the process die. */
export const socketClientOptions = (apiUrl: string | undefined): WebClientOptions => ({
  ...clientOptions(apiUrl),
  retryConfig: { forever: true, factor: 1.3, minTimeout: 1_000, maxTimeout: 30_000 },
});

/** Slack's own word for what went wrong, such as `invalid_blocks`; null where it gave no answer of that kind. */
export function slackError(thrown: unknown): string | null {
  const parsed = z.object({ data: z.object({ error: z.string() }) }).safeParse(thrown);
  return parsed.success ? parsed.data.data.error : null;
}

/** Whether a method is not there: Slack says so, or a server in its place does not know the address. */
export function isMissing(thrown: unknown): boolean {
  const known = slackError(thrown);
  if (known !== null)
    return ['unknown_method', 'feature_not_enabled', 'method_not_supported_for_channel_type'].includes(known);
  return z.object({ statusCode: z.literal(404) }).safeParse(thrown).success;
}

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
}

/**
 * The log of Slack's libraries. What they say at debug and info level holds whole payloads, and with them what people wrote:
 * only warnings and errors are let through, shortened, errors by their code.
 */
export function createBoltLogger(log: Logger): BoltLogger {
  const about = (parts: unknown[]): Record<string, unknown> => {
    const [first] = parts;
    if (first instanceof Error)
      return { error: first.name, ...('code' in first ? { code: first.code } : {}) };
    return { says: String(first).split('\n')[0]?.slice(0, 160) };
  };
  return {
    debug: () => {},
    info: () => {},
    warn: (...parts) => log.warn(about(parts), 'slack: a warning of the library'),
    error: (...parts) => log.error(about(parts), 'slack: an error of the library'),
    setLevel: () => {},
    getLevel: () => LogLevel.WARN,
    setName: () => {},
  };
}
