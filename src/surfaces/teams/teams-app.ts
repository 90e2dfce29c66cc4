import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import {
  Client as ApiClient,
  type CloudEnvironment,
  cloudFromName,
  type TokenCredentials,
} from '@microsoft/teams.api';
import { App, ExpressAdapter, type IHttpServerAdapter } from '@microsoft/teams.apps';
import type { ILogger } from '@microsoft/teams.common';
import type { Express } from 'express';
import type { Logger } from 'pino';
import * as z from 'zod';
import { eachMinute } from '../../common/async.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { isLoopback, readJson } from '../../common/text.ts';
import type { Env } from '../../env.ts';
import {
  hasProxy,
  type Proxies,
  proxyAuthorization,
  proxyErrorIn,
  proxyFor,
  proxyProblem,
} from '../../judges/llm/proxies.ts';
import { MESSAGES_PATH } from './ids.ts';

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
function createAppToken(
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
function proxyKeys(proxies: Proxies): void {
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

/** What a test puts in the place of Microsoft's own servers. */
export interface TeamsCloud {
  cloud?: CloudEnvironment;
  token?: TokenCredentials['token'];
}

/** @param serviceUrl where a conversation is reached; null for Teams' worldwide address */
export type ApiFor = (serviceUrl: string | null) => ApiClient;

/** The library's messages can hold what people wrote, so only that there was one is logged. */
function quietLogger(log: Logger): ILogger {
  const logger: ILogger = {
    error: eachMinute((errors) => log.warn({ errors }, 'teams: the library reports an error')),
    warn: () => log.debug('teams: the library warns'),
    info: () => {},
    debug: () => {},
    trace: () => {},
    log: () => {},
    child: () => logger,
  };
  return logger;
}

/**
 * The library's app on the service's own web server. Every activity has to carry a token that Microsoft signed for this app,
 * unless a local playground is set: then none does, and only that playground is answered.
 *
 * @throws JuryError `config` where a playground is set on an address that others can reach
 */
export function createTeamsApp(
  { settings, outgoing, variable }: Pick<Env, 'settings' | 'outgoing' | 'variable'>,
  web: Express,
  log: Logger,
  { cloud = cloudFromName(variable('CLOUD') ?? 'Public'), token }: TeamsCloud = {},
): { app: App; apiFor: ApiFor } {
  const { TEAMS_CLIENT_ID, TEAMS_CLIENT_SECRET, TEAMS_TENANT_ID, TEAMS_PLAYGROUND_URL, HOST } = settings;
  if (TEAMS_PLAYGROUND_URL !== undefined && !isLoopback(HOST))
    throw new JuryError(
      'config',
      'TEAMS_PLAYGROUND_URL lets anyone in who reaches this address: unset HOST, or unset TEAMS_PLAYGROUND_URL.',
    );
  const adapter: IHttpServerAdapter = new ExpressAdapter(web, { logger: quietLogger(log) });
  const through = hasProxy(outgoing.proxies)
    ? { adapter: 'fetch', env: { fetch: outgoing.fetch } }
    : // Axios would read the environment by rules of its own.
      { proxy: false };
  if (hasProxy(outgoing.proxies)) proxyKeys(outgoing.proxies);
  const login = {
    clientId: TEAMS_CLIENT_ID ?? 'jury-playground',
    clientSecret: TEAMS_CLIENT_SECRET ?? '',
    loginEndpoint: cloud.loginEndpoint,
  };
  const isPlayground = TEAMS_PLAYGROUND_URL !== undefined;
  const app = new App({
    clientId: login.clientId,
    // Not asked for by the library, which has no option for a proxy.
    clientSecret: '',
    token: token ?? (isPlayground ? async () => unsigned : createAppToken(login, outgoing.fetch)),
    ...(TEAMS_TENANT_ID === undefined ? {} : { tenantId: TEAMS_TENANT_ID }),
    ...(isPlayground ? { dangerouslyAllowUnauthenticatedRequests: true } : {}),
    cloud,
    client: {
      timeout: CALL_MS,
      interceptors: [{ request: ({ config }) => Object.assign(config, through) }],
    },
    logger: quietLogger(log),
    httpServerAdapter: adapter,
    ...(TEAMS_PLAYGROUND_URL === undefined ? {} : { serviceUrl: TEAMS_PLAYGROUND_URL }),
    messagingEndpoint: MESSAGES_PATH,
    activity: { mentions: { stripText: false } },
  });
  const clients = new Map<string, ApiClient>();
  return {
    app,
    apiFor: (serviceUrl) => {
      if (serviceUrl === null) return app.api;
      const url = serviceUrl.replace(/\/+$/, '');
      const client = clients.get(url) ?? new ApiClient(url, app.api.http);
      clients.set(url, client);
      return client;
    },
  };
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token that is not checked. */
const unsigned = `${part({ alg: 'none', typ: 'JWT' })}.${part({ appid: 'jury-playground', serviceurl: '' })}.none`;

/** What Entra ID's error codes mean for the three settings. */
const ENTRA_ERRORS: Readonly<Record<string, string>> = {
  AADSTS700016: 'TEAMS_CLIENT_ID is not an app of this tenant: check TEAMS_CLIENT_ID and TEAMS_TENANT_ID',
  AADSTS7000215: 'TEAMS_CLIENT_SECRET is not valid: set the value of the secret, not its id',
  AADSTS7000222: 'TEAMS_CLIENT_SECRET has expired: make a new one in the app registration',
  AADSTS7000112: 'the app is disabled in its tenant: enable it in Entra ID under Enterprise applications',
  AADSTS53003: 'a Conditional Access policy of the tenant blocks the app: exempt it there',
  AADSTS90002: 'TEAMS_TENANT_ID is not known: copy the directory (tenant) id of the app registration',
  AADSTS900023: 'TEAMS_TENANT_ID is not a tenant: copy the directory (tenant) id of the app registration',
};

/** Why no token was given, in words of the settings. */
export function entraProblem(thrown: unknown): string {
  const text = messageOf(thrown);
  const code = /AADSTS\d+/.exec(text)?.[0];
  const known = code === undefined ? undefined : ENTRA_ERRORS[code];
  if (known !== undefined) return `${known} (${code}).`;
  const proxy = proxyErrorIn(thrown);
  if (proxy !== null) return `login.microsoftonline.com could not be asked for a token: ${proxy.message}.`;
  return code === undefined
    ? `login.microsoftonline.com could not be asked for a token (${text}): check the network and HTTPS_PROXY.`
    : `Microsoft refuses TEAMS_CLIENT_ID and TEAMS_CLIENT_SECRET (${code}): check both in the app registration.`;
}

/** The app's token for Teams. @throws what Microsoft answered */
export async function tokenOf({ api }: App): Promise<string> {
  const { token } = api.http;
  const given = typeof token === 'function' ? await token({}) : token;
  if (given === undefined || given === null) throw new Error('no token was given');
  return String(given);
}

/** Proves the credentials. @throws JuryError `config` that says which setting is wrong */
export async function requireToken(app: App): Promise<void> {
  try {
    await tokenOf(app);
  } catch (thrown) {
    // Where Microsoft could not be asked, nothing is known to be wrong.
    const retryable = !/AADSTS\d/.test(messageOf(thrown));
    throw new JuryError('config', entraProblem(thrown), { cause: thrown, retryable });
  }
}
