import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import type { TokenCredentials } from '@microsoft/teams.api';
import * as z from 'zod';
import { readJson } from '../../common/text.ts';
import { type Proxies, proxyAuthorization, proxyFor, proxyProblem } from '../../judges/llm/proxies.ts';

/** Longest wait for Microsoft, or for a proxy before it. */
const CALL_MS = 15_000;
/** A token is replaced so long before it expires. */
const EARLY_MS = 300_000;

const Given = z.object({ access_token: z.string(), expires_in: z.coerce.number() });
const Refused = z.object({ error_description: z.string() });

interface Login {
  clientId: string;
  clientSecret: string;
  /** Such as `https://login.microsoftonline.com`: the only place that the secret is sent to. */
  loginEndpoint: string;
}

/** Asks Entra ID for the app's tokens (OAuth 2.0 client credentials), and keeps them while they are valid. */
export function createAppToken(
  { clientId, clientSecret, loginEndpoint }: Login,
  fetch: typeof globalThis.fetch,
  now: () => number = Date.now,
): TokenCredentials['token'] {
  const known = new Map<string, { token: string; until: number }>();
  const asking = new Map<string, Promise<string>>();

  async function ask(key: string, scope: string, tenant: string): Promise<string> {
    const response = await fetch(`${loginEndpoint}/${tenant}/oauth2/v2.0/token`, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(CALL_MS),
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        scope,
      }),
    });
    const text = await response.text();
    const given = readJson(Given, text)?.value;
    if (response.ok && given !== undefined) {
      const until = now() + given.expires_in * 1000 - EARLY_MS;
      known.set(key, { token: given.access_token, until });
      return given.access_token;
    }
    const why = readJson(Refused, text)?.value.error_description.split(/\r?\n/)[0];
    throw new Error(why ?? `${loginEndpoint} answered ${response.status}`);
  }

  return (scopes, tenant = 'common') => {
    const scope = [scopes].flat().join(' ');
    const key = `${tenant} ${scope}`;
    const found = known.get(key);
    if (found !== undefined && now() < found.until) return found.token;
    const asked = asking.get(key) ?? ask(key, scope, tenant).finally(() => asking.delete(key));
    asking.set(key, asked);
    return asked;
  };
}

/** Connects to https addresses through the proxies. */
class TunnelAgent extends https.Agent {
  readonly #proxies: Proxies;

  constructor(proxies: Proxies) {
    super({ keepAlive: true });
    this.#proxies = proxies;
  }

  override createConnection(
    options: https.RequestOptions,
    done: (error: Error | null, socket?: Duplex) => void,
  ): ReturnType<https.Agent['createConnection']> {
    const host = options.host ?? '';
    const to = `${host}:${options.port ?? 443}`;
    const proxy = proxyFor(new URL(`https://${to}`), this.#proxies);
    if (proxy === null) return super.createConnection(options, done);
    const { protocol, hostname, port } = proxy.url;
    const authorization = proxyAuthorization(proxy);
    const { request, Agent } = protocol === 'https:' ? https : http;
    request({
      protocol,
      hostname,
      port,
      method: 'CONNECT',
      path: to,
      headers: { host: to, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
      agent: new Agent(),
      signal: AbortSignal.timeout(CALL_MS),
    })
      .once('connect', ({ statusCode = 0 }, socket) => {
        if (statusCode === 200) {
          const { ca } = options;
          const name = isIP(host) === 0 ? { servername: host } : {};
          done(null, connect({ host, socket, ...name, ...(ca === undefined ? {} : { ca }) }));
          return;
        }
        socket.destroy();
        done(proxyProblem(proxy, to, statusCode));
      })
      .once('error', (thrown) => done(proxyProblem(proxy, to, thrown)))
      .end();
    return undefined;
  }
}

/**
 * Has Microsoft's keys fetched through the proxies: the library that checks the tokens of incoming requests has no option for it and
 * uses the process's own default agent.
 */
export function proxyKeys(proxies: Proxies): void {
  https.globalAgent = new TunnelAgent(proxies);
}

const Refusal = z.object({
  response: z.object({
    status: z.number(),
    headers: z.looseObject({ 'retry-after': z.unknown().optional() }).optional(),
    data: z
      .looseObject({ error: z.looseObject({ message: z.string() }) })
      .optional()
      .catch(undefined),
  }),
});

/** What Teams answered that refused a call; undefined where no answer came. */
export const refusalIn = (thrown: unknown): z.infer<typeof Refusal>['response'] | undefined =>
  Refusal.safeParse(thrown).data?.response;

/** The status that Teams answered with; null where no answer came. */
export const statusOf = (thrown: unknown): number | null => refusalIn(thrown)?.status ?? null;
