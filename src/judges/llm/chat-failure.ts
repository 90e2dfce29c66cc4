import { isUntrusted, messageOf } from '../../common/index.ts';
import { clipped } from '../../common/text/index.ts';
import type { EndpointTrouble } from '../../judging/verdict/index.ts';
import { errorIn } from './chat-completion.ts';
import { type Setting, settingsNamedIn } from './endpoint-capabilities.ts';
import { ErrorReply, type HttpReply } from './http.ts';
import { baseUrlVariable, type Endpoint, keyVariable, meantModel, providers } from './providers.ts';
import { proxyErrorIn } from './proxies.ts';
import { ConnectError, maxReplyBytes, ReplyTooLargeError } from './transport.ts';

const maxMessage = 300;

/** How keys begin: those of the listed providers, and others that endpoints quote. */
const keyPrefixes = new Set([
  'sk-',
  'pk-',
  ...Object.values(providers).flatMap(({ keyPrefix }) => keyPrefix ?? []),
]);
const keys = new RegExp(`\\b(?:${[...keyPrefixes].join('|')})[\\w*.-]{9,}`, 'g');

/** An outside message as one short line, without anything that looks like a key, even one that is not ours. */
export function redact(text: string): string {
  const plain = text
    .replace(keys, '[key]')
    .replace(/\bBearer\s+[^\s[]\S{11,}/gi, 'Bearer [key]')
    .replace(/\s+/g, ' ')
    .trim();
  return clipped(plain, maxMessage);
}

/** A URL without user, password and query, which may be secret. */
function withoutSecrets(address: string): string {
  const [bare = ''] = address.split(/[?#]/);
  // Up to the last @ before the path: a password may contain one.
  return bare.replace(/\/\/[^/]*@/, '//');
}

/**
 * Why a request failed, and what may help.
 * - `rate-limited`: waiting
 * - `unavailable`, `timeout` (reported by the endpoint): retrying
 * - `unsupported`: dropping a setting that the endpoint may not support
 * - `garbled`: retrying once; the reply is not JSON
 * - `refused`: nothing; the provider rejects the content
 * - `malformed`: nothing; the reply cannot be read
 * - `quota`, `misconfigured`: nothing until a setting is changed; every request would fail the same way
 * - `unfit`: nothing; the endpoint cannot handle this request, but can handle others
 * - `fatal`: nothing; other requests are unlikely to do better
 */
export interface ChatFailure {
  kind:
    | 'rate-limited'
    | 'unavailable'
    | 'timeout'
    | 'unsupported'
    | 'garbled'
    | 'refused'
    | 'malformed'
    | 'quota'
    | 'misconfigured'
    | 'unfit'
    | 'fatal';
  /** What happened and what to do about it. Contains no keys. */
  message: string;
  /** What is wrong with the endpoint, if anything is. */
  trouble: EndpointTrouble | null;
  retryAfterMs: number | null;
  /** The settings mentioned in the endpoint's message. */
  named: readonly Setting[];
  /** Whether the endpoint may bill the request even though it failed. */
  mayBill: boolean;
  /** Whether a connection was made, so that the request may have been sent. */
  connected: boolean;
}

function usualTrouble(kind: ChatFailure['kind'], connected: boolean): EndpointTrouble | null {
  switch (kind) {
    case 'rate-limited':
      return 'overloaded';
    case 'unavailable':
    case 'timeout':
      return connected ? 'overloaded' : 'unreachable';
    case 'quota':
      return 'credit';
    case 'misconfigured':
      return 'unreachable';
    default:
      return null;
  }
}

/** A failure with defaults for everything not given. */
export const chatFailure = (
  kind: ChatFailure['kind'],
  message: string,
  more: Partial<ChatFailure> = {},
): ChatFailure => ({
  kind,
  message,
  trouble: usualTrouble(kind, more.connected ?? true),
  retryAfterMs: null,
  named: [],
  mayBill: false,
  connected: true,
  ...more,
});

/** Why the client got no completion. @param now ms since the epoch, to compute the wait from a date */
export function chatFailureOf(thrown: unknown, endpoint: Endpoint, now: number): ChatFailure {
  const { provider, model, baseUrl } = endpoint;
  const causes = causesOf(thrown);
  const refusing = causes.find((cause) => cause instanceof ErrorReply);
  if (refusing !== undefined) {
    const { status, headers, text } = refusing.reply;
    const { about, message } = errorIn(text);
    return failureOfStatus(status, about, message, endpoint, retryAfterOf(headers, now));
  }
  const address = withoutSecrets(baseUrl);
  const reply = `the reply of ${model} from ${address}`;
  if (causes.some((cause) => cause instanceof SyntaxError))
    return chatFailure('garbled', `${reply} is not valid JSON`, { mayBill: true });
  return transportFailure(thrown, { reply, address, setting: baseUrlVariable(provider) });
}

/**
 * Why no reply could be read.
 * @param about.setting the setting to check
 */
export function transportFailure(
  thrown: unknown,
  about: { reply: string; address: string; setting: string },
): ChatFailure {
  const { reply, address, setting } = about;
  const proxy = proxyErrorIn(thrown);
  if (proxy !== null)
    return chatFailure(proxy.retryable ? 'unavailable' : 'misconfigured', proxy.message, {
      connected: false,
    });
  const causes = causesOf(thrown);
  if (causes.some((cause) => cause instanceof ReplyTooLargeError)) {
    const limit = `${maxReplyBytes / 1024 / 1024} MB`;
    const message = `${reply} was longer than ${limit}, so reading stopped; check ${setting}`;
    return chatFailure('malformed', message, { mayBill: true });
  }
  const why = redact(messageOf(causes.at(-1)));
  if (causes.some(isUntrusted))
    return chatFailure(
      'misconfigured',
      `the certificate of ${address} is not trusted: ${why}; start Jury with NODE_EXTRA_CA_CERTS set to the file of the authority that issued it, or check ${setting}`,
    );
  const connected = !causes.some((cause) => cause instanceof ConnectError);
  return chatFailure(
    /timed? ?out/i.test(why) ? 'timeout' : 'unavailable',
    connected
      ? `the connection to ${address} was lost: ${why}`
      : `no connection to ${address}: ${why}; check that it runs, and that ${setting} is right`,
    { mayBill: connected, connected },
  );
}

/** The error and its chain of causes. An AggregateError continues with its first error. */
function causesOf(thrown: unknown): unknown[] {
  const cause =
    thrown instanceof AggregateError ? thrown.errors[0] : thrown instanceof Error ? thrown.cause : undefined;
  return cause === undefined ? [thrown] : [thrown, ...causesOf(cause)];
}

/**
 * The wait from `retry-after-ms` or `Retry-After` (seconds or an HTTP date), in ms; null if there is neither.
 * @param now ms since the epoch
 */
export function retryAfterOf(headers: HttpReply['headers'], now: number): number | null {
  const milliseconds = headers['retry-after-ms']?.trim();
  if (milliseconds && isWait(milliseconds)) return Number(milliseconds);
  const after = headers['retry-after']?.trim();
  if (!after) return null;
  if (isWait(after)) return Number(after) * 1000;
  // `Date.parse` would read negative numbers as years.
  const date = Number.isNaN(Number(after)) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

const isWait = (text: string): boolean => Number(text) >= 0 && Number.isFinite(Number(text));

/** A failure with an HTTP status, or with an error object in a 200 (OpenRouter). */
export function failureOfStatus(
  status: number,
  code: string,
  text: string,
  endpoint: Endpoint,
  retryAfterMs: number | null = null,
): ChatFailure {
  const detail = redact(text).replace(/\.$/, '');
  const answered = `${endpoint.provider} answered ${detail.startsWith(String(status)) ? detail : `${status} ${detail}`}`;
  const about = `${code} ${text}`;
  const named = settingsNamedIn(about);
  const kind = kindOf(status, about, named);
  const trouble = kind === 'misconfigured' ? { trouble: refusedFor(status, about) } : {};
  const message = answered + advice(kind, status, detail, endpoint);
  return chatFailure(kind, message, { retryAfterMs, named, ...trouble });
}

/** Why an endpoint refuses every request. */
function refusedFor(status: number, about: string): EndpointTrouble {
  if (status === 402) return 'credit';
  if (status >= 300 && status < 400) return 'unreachable';
  return status === 401 || status === 403 || /api.?key/i.test(about) ? 'key' : 'model';
}

/** Classifies an HTTP status, using the error message and the settings it mentions. */
export function kindOf(status: number, about: string, named: readonly Setting[]): ChatFailure['kind'] {
  if (status === 413) return 'unfit';
  if (status === 429)
    return /insufficient_quota|insufficient.{0,20}(balance|credit)/i.test(about) ? 'quota' : 'rate-limited';
  if (status === 408) return 'timeout';
  if (status === 409 || (status >= 500 && status !== 501)) return 'unavailable';
  // OpenRouter rejects content with status 403.
  if (/content_filter|content_policy|responsibleai|moderation|input was flagged/i.test(about))
    return 'refused';
  if ([401, 402, 403].includes(status) || (status >= 300 && status < 400)) return 'misconfigured';
  if (![400, 404, 415, 422, 501].includes(status)) return 'fatal';
  if (/context_length|maximum context|too (long|large)/i.test(about)) return 'unfit';
  // A long message may quote the case, and a quote must not disable the whole model.
  if (isAboutKeyOrModel(about, named))
    return status === 404 || about.length <= maxMessage ? 'misconfigured' : 'unfit';
  // A 404 is nearly always a wrong address or model; the reply format is the only setting known to cause one.
  return status === 404 && !named.includes('format') ? 'misconfigured' : 'unsupported';
}

const isAboutKeyOrModel = (about: string, named: readonly Setting[]): boolean =>
  /api.?key|model_not_found|model.{0,80}(not (be )?found|does not exist)/i.test(about) ||
  (named.length === 0 && /(invalid|unknown)[ _]model|not a valid model/i.test(about));

function advice(kind: ChatFailure['kind'], status: number, detail: string, endpoint: Endpoint): string {
  const { provider, model, baseUrl } = endpoint;
  if (kind === 'unavailable' || kind === 'timeout')
    return `; check what runs at ${withoutSecrets(baseUrl)}, and that ${baseUrlVariable(provider)} is right`;
  if (kind === 'quota' || status === 402) return `; the account behind ${keyVariable(provider)} needs credit`;
  if (status === 401 || /api.?key/i.test(detail)) return `; set ${keyVariable(provider)} to a valid key`;
  if (status === 403) return `; check that the key in ${keyVariable(provider)} may use ${model}`;
  if (status === 404) {
    const meant = meantModel(`${provider}/${model}`);
    return `; check the model's name (${model}) and ${baseUrlVariable(provider)}${meant === '' ? '' : `.${meant}`}`;
  }
  if (status >= 300 && status < 400)
    return `; it redirects: set ${baseUrlVariable(provider)} to the address it redirects to`;
  if (/context|too (long|large)/i.test(detail))
    return '; shorten the case or use a model with a larger context window';
  return '';
}
