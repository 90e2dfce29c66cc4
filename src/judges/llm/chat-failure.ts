import * as z from 'zod';
import { mostReplyBytes, wireErrorIn } from './connections.ts';
import { type Setting, settingsNamedIn } from './endpoint-capabilities.ts';
import { PlainHeaders } from './plain-headers.ts';
import { baseUrlVariable, type Endpoint, keyVariable } from './providers.ts';
import { retryAfterOf } from './send-with-retry.ts';

const longest = 300;

/** Text from outside without our key in it: an endpoint may echo what it was sent. */
export const withoutKey = (text: string, key: string | null): string =>
  key ? text.replaceAll(key, '[key]') : text;

/** A message from outside as one line of bounded length, without keys in it. */
export function plainMessage(text: string, secrets: readonly (string | null)[] = []): string {
  let plain = text;
  for (const secret of secrets) if (secret) plain = plain.replaceAll(secret, '[key]');
  plain = plain
    .replace(/\b(sk|gsk|xai|pk)-[\w*.-]{4,}/g, '[key]')
    .replace(/\bBearer\s+\S+/gi, 'Bearer [key]')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length <= longest
    ? plain
    : `${plain.slice(0, longest)}… (${plain.length - longest} characters more)`;
}

/** An address without what could be secret in it: user, password, query. */
function plainUrl(address: string): string {
  const [bare = ''] = address.split(/[?#]/);
  // Up to the last @ before the path: a password may hold one itself.
  return bare.replace(/\/\/[^/]*@/, '//');
}

/**
 * Why a request brought no reply, and so what may help.
 * - `rate-limited`: waiting; `unavailable`: trying again; `timeout`: the same, the endpoint gave up
 * - `unsupported`: asking for less (it may not know a setting that was sent)
 * - `refused`: nothing, the provider will not have this content; `quota`, `fatal`: nothing but a person
 * - `malformed`: nothing, what came is no reply to be read
 */
export interface ChatFailure {
  kind:
    | 'rate-limited'
    | 'unavailable'
    | 'timeout'
    | 'unsupported'
    | 'refused'
    | 'quota'
    | 'malformed'
    | 'fatal';
  /** What happened and what to do about it; free of keys. */
  message: string;
  retryAfterMs: number | null;
  /** The settings of the request that the endpoint's words are about. */
  named: readonly Setting[];
  /** Whether the endpoint may have worked on the request all the same, and bill it. */
  mayBill: boolean;
}

/** What is looked at of what the `openai` client throws. */
const Thrown = z.looseObject({
  status: z.number().optional().catch(undefined),
  message: z.string().catch('unknown error'),
  code: z.unknown(),
  type: z.unknown(),
  param: z.unknown(),
  cause: z.unknown(),
});

const Headers = z.instanceof(PlainHeaders);

/** @param now milliseconds since the epoch, for `Retry-After` dates */
export function chatFailureOf(thrown: unknown, endpoint: Endpoint, now: number): ChatFailure {
  const parsed = Thrown.safeParse(
    thrown instanceof Error ? { ...thrown, message: thrown.message, cause: thrown.cause } : {},
  );
  const error = parsed.success
    ? parsed.data
    : { status: undefined, message: String(thrown), cause: undefined };
  const headers = Headers.safeParse('headers' in error ? error.headers : undefined).data;
  if (error.status === undefined) return withoutStatus(thrown, error, endpoint);
  const code = 'code' in error ? [error.code, error.type, error.param].join(' ') : '';
  return withStatus(error.status, code, error.message, retryAfterOf(headers, now), endpoint);
}

function withoutStatus(
  thrown: unknown,
  error: { message: string; cause?: unknown },
  endpoint: Endpoint,
): ChatFailure {
  const broken = wireErrorIn(thrown)?.kind;
  if (broken === 'too-large') return tooLarge(endpoint);
  const why = plainMessage(innermost(error.cause) ?? error.message, [endpoint.apiKey]);
  return {
    kind: /timed? ?out/i.test(why) ? 'timeout' : 'unavailable',
    message: `no connection to ${plainUrl(endpoint.baseUrl)}: ${why}; check that it runs and ${baseUrlVariable(endpoint.provider)}`,
    retryAfterMs: null,
    named: [],
    mayBill: broken !== 'unsent',
  };
}

const tooLarge = ({ provider, model, baseUrl }: Endpoint): ChatFailure => ({
  kind: 'malformed',
  message: `the reply of ${model} from ${plainUrl(baseUrl)} was longer than ${mostReplyBytes / 1024 / 1024} MB and was not read on; check ${baseUrlVariable(provider)} and the model`,
  retryAfterMs: null,
  named: [],
  mayBill: true,
});

/** The message of the first cause, as connection errors hide what happened behind "fetch failed" and the like. */
function innermost(cause: unknown): string | null {
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  if (!(cause instanceof Error)) return null;
  return innermost(cause.cause) ?? cause.message;
}

/** A failure that came with an HTTP status, or with an error object in a 200 (OpenRouter). */
export function withStatus(
  status: number,
  code: string,
  text: string,
  retryAfterMs: number | null,
  endpoint: Endpoint,
): ChatFailure {
  const said = plainMessage(text, [endpoint.apiKey]);
  const answered = `${endpoint.provider} answered ${said.startsWith(String(status)) ? said : `${status} ${said}`}`;
  const about = `${code} ${text}`;
  const named = settingsNamedIn(about);
  const kind = kindOf(status, about, named);
  return {
    kind,
    message: answered + advice(kind, status, said, endpoint),
    retryAfterMs,
    named,
    mayBill: false,
  };
}

function kindOf(status: number, about: string, named: readonly Setting[]): ChatFailure['kind'] {
  if (status === 429)
    return /insufficient_quota|insufficient.{0,20}(balance|credit)/i.test(about) ? 'quota' : 'rate-limited';
  if (status === 408) return 'timeout';
  if (status === 409 || (status >= 500 && status !== 501)) return 'unavailable';
  if (![400, 404, 415, 422, 501].includes(status)) return 'fatal';
  if (/content_filter|content_policy|responsibleai/i.test(about)) return 'refused';
  if (
    /context_length|maximum context|too (long|large)|api.?key|model_not_found|model.{0,80}(not (be )?found|does not exist)/i.test(
      about,
    )
  )
    return 'fatal';
  if (named.length === 0 && /(invalid|unknown)[ _]model|not a valid model/i.test(about)) return 'fatal';
  // A 404 is nearly always a wrong address or model: only the format of the reply is known to be refused by one.
  return status === 404 && !named.includes('format') ? 'fatal' : 'unsupported';
}

function advice(kind: ChatFailure['kind'], status: number, said: string, endpoint: Endpoint): string {
  const { provider, model } = endpoint;
  if (kind === 'quota' || status === 402) return `; the account behind ${keyVariable(provider)} needs credit`;
  if (status === 401 || /api.?key/i.test(said)) return `; set ${keyVariable(provider)} to a valid key`;
  if (status === 403) return `; check that the key in ${keyVariable(provider)} may use ${model}`;
  if (status === 404) return `; check the model's name (${model}) and ${baseUrlVariable(provider)}`;
  if (status >= 300 && status < 400)
    return `; it redirects: set ${baseUrlVariable(provider)} to the address that it redirects to`;
  if (/context|too (long|large)/i.test(said))
    return '; shorten the case or take a model with a larger window';
  return '';
}
