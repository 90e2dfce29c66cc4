import type { Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { isUntrusted, JuryError, messageOf, once } from '../../common/index.ts';

/** A proxy and the environment variable that sets it. */
export interface Proxy {
  variable: string;
  url: URL;
}

/** The proxies set by `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
export interface Proxies {
  http: Proxy | null;
  https: Proxy | null;
  /** Hosts to call directly: the value of `NO_PROXY`. */
  except: string;
}

export const noProxies: Proxies = { http: null, https: null, except: '' };

/** Outgoing connections for everything but model calls, which use `openHttp`. */
export interface Outgoing {
  proxies: Proxies;
  fetch: typeof fetch;
  /** For libraries that accept an undici dispatcher; undefined without a proxy. */
  dispatcher: () => Promise<Dispatcher | undefined>;
}

/** A proxy did not let a call through. The message says what to do and contains no password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  /** Whether a later call may succeed. */
  readonly retryable: boolean;

  constructor(message: string, { retryable, cause }: { retryable: boolean; cause?: unknown }) {
    super(message, { cause });
    this.retryable = retryable;
  }
}

const FORM = 'must be http://host:port or http://user:password@host:port';

/**
 * Parses a proxy address; the default scheme is http.
 * @throws JuryError `config`, without the address, which may contain a password
 */
function readProxy(variable: string, text: string): Proxy {
  const address = text.includes('://') ? text : `http://${text}`;
  const wrong = new JuryError('config', `${variable}: ${FORM}; write other characters as %40 and the like`);
  if (!URL.canParse(address)) throw wrong;
  const url = new URL(address);
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    throw wrong;
  }
  if (!['http:', 'https:'].includes(url.protocol) || (url.username !== '' && url.password === ''))
    throw wrong;
  return { variable, url };
}

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. The lower-case names take precedence.
 * @throws JuryError `config`
 */
export function readProxies(variables: Readonly<Record<string, string | undefined>>): Proxies {
  const proxy = (upper: string): Proxy | null => {
    const name = variables[upper.toLowerCase()] === undefined ? upper : upper.toLowerCase();
    const text = variables[name];
    return text === undefined ? null : readProxy(name, text.trim());
  };
  const except = variables.no_proxy ?? variables.NO_PROXY ?? '';
  return { http: proxy('HTTP_PROXY'), https: proxy('HTTPS_PROXY'), except };
}

/** A proxy's address without its password. */
export const proxyText = ({ url }: Proxy): string =>
  `${url.protocol}//${url.username === '' ? '' : `${url.username}:***@`}${url.host}`;

/** The value of the `Proxy-Authorization` header; undefined if the address has no login. */
export function proxyAuthorization({ url }: Proxy): string | undefined {
  if (url.username === '') return undefined;
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

const defaultPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80');

/**
 * The proxy for calls to a URL; null for direct calls. Follows undici's `EnvHttpProxyAgent`: a host in `NO_PROXY` includes its
 * subdomains, and without `HTTPS_PROXY` the HTTP proxy is used for https as well.
 */
export function proxyFor({ protocol, hostname, port }: URL, { http, https, except }: Proxies): Proxy | null {
  const proxy = protocol === 'https:' ? (https ?? http) : http;
  const isExcepted = except.split(/[\s,]+/).some((entry) => {
    const name = entry.toLowerCase().replace(/^\*?\./, '');
    const { host = '', at } = /^(?<host>.+?)(?::(?<at>\d+))?$/.exec(name)?.groups ?? {};
    if (host === '' || (at !== undefined && at !== (port || defaultPort(protocol)))) return false;
    return hostname === host || hostname.endsWith(`.${host}`);
  });
  return isExcepted || except.trim() === '*' ? null : proxy;
}

/** Why a proxy did not connect to a host and port. @param answer its HTTP status, or the error thrown */
export function proxyProblem(proxy: Proxy, to: string, answer: number | unknown): ProxyError {
  const { variable, url } = proxy;
  const name = `the proxy ${proxyText(proxy)} (${variable})`;
  if (answer === 407)
    return new ProxyError(
      url.username === ''
        ? `${name} asks for a user and a password: set ${variable} to ${url.protocol}//user:password@${url.host}`
        : `${name} refuses its user and password: correct them in ${variable}`,
      { retryable: false },
    );
  if (isUntrusted(answer))
    return new ProxyError(
      `the certificate of ${name} is not trusted (${messageOf(answer)}): start Jury with NODE_EXTRA_CA_CERTS set to the file of the authority that issued it`,
      { retryable: false, cause: answer },
    );
  if (typeof answer !== 'number')
    return new ProxyError(`${name} cannot be reached (${messageOf(answer)}): check ${variable}`, {
      retryable: true,
      cause: answer,
    });
  return new ProxyError(
    answer >= 500
      ? `${name} cannot reach ${to} (${answer}): check the address, or list the host in NO_PROXY`
      : `${name} refuses to connect to ${to} (${answer}): have it allow the host, or list the host in NO_PROXY`,
    { retryable: answer >= 500 },
  );
}

/** Options that configure undici for the proxies. @param undici passed in because it is loaded lazily */
export function proxyOptions(
  undici: { Pool: typeof Pool },
  { http, https, except }: Proxies,
): EnvHttpProxyAgent.Options {
  return {
    httpProxy: http?.url.href ?? '',
    httpsProxy: https?.url.href ?? '',
    noProxy: except,
    clientFactory: (origin, options) => {
      const pool = new undici.Pool(origin, options);
      const proxy = [https, http].find((one) => one?.url.href === new URL(origin).href);
      if (!proxy) return pool;
      const connectThrough = pool.connect.bind(pool);
      const connect = async (target: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
        let answer: Dispatcher.ConnectData;
        try {
          answer = await connectThrough(target);
        } catch (thrown) {
          if (target.signal instanceof AbortSignal && target.signal.aborted) throw thrown;
          throw proxyProblem(proxy, target.path, thrown);
        }
        if (answer.statusCode === 200) return answer;
        answer.socket.on('error', () => {}).destroy();
        throw proxyProblem(proxy, target.path, answer.statusCode);
      };
      return Object.assign(pool, { connect });
    },
  };
}

export const hasProxy = ({ http, https }: Proxies): boolean => http !== null || https !== null;

/** The ProxyError that caused a failure, if any. */
export function proxyErrorIn(thrown: unknown): ProxyError | null {
  if (thrown instanceof ProxyError) return thrown;
  return thrown instanceof Error && thrown.cause !== undefined ? proxyErrorIn(thrown.cause) : null;
}

/** Loads nothing before the first call. Without a proxy, calls use Node's own fetch. */
export function createOutgoing(proxies: Proxies): Outgoing {
  if (!hasProxy(proxies))
    return {
      proxies,
      fetch: (input, init) => globalThis.fetch(input, init),
      dispatcher: async () => undefined,
    };
  const opened = once(async () => {
    // When bundled, a CommonJS package has no named exports.
    const undici = (await import('undici')).default;
    return new undici.EnvHttpProxyAgent(proxyOptions(undici, proxies));
  });
  return {
    proxies,
    dispatcher: opened.get,
    fetch: async (input, init) => {
      const dispatcher = await opened.get();
      try {
        return await globalThis.fetch(input, Object.assign<RequestInit, object>({ ...init }, { dispatcher }));
      } catch (thrown) {
        throw proxyErrorIn(thrown) ?? thrown;
      }
    },
  };
}
