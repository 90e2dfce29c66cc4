import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import {
  Client as ApiClient,
  CHINA,
  type CloudEnvironment,
  PUBLIC,
  type TokenCredentials,
  US_GOV,
  US_GOV_DOD,
} from '@microsoft/teams.api';
import { App, ExpressAdapter, type IHttpServerAdapter } from '@microsoft/teams.apps';
import type { ILogger } from '@microsoft/teams.common';
import type { Express } from 'express';
import type { Logger } from 'pino';
import * as z from 'zod';
import { eachMinute, JuryError } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';
import type { Env } from '../../env.ts';
import {
  hasProxy,
  type Proxies,
  proxyAuthorization,
  proxyFor,
  proxyProblem,
} from '../../judges/llm/index.ts';
import { CALL_MS, createAppToken, unsigned } from './entra-tokens.ts';
import { MESSAGES_PATH } from './ids.ts';

/**
 * Connects to https addresses through the proxies. Ours because https-proxy-agent 9 hands on what a proxy answers instead of connecting, as
 * if the server had answered: a 201 whose body holds keys would be taken for Microsoft's. It also waits forever for a proxy that is silent.
 */
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
 * Makes the library fetch Microsoft's signing keys through the proxies. The code that verifies incoming tokens has no option for
 * it and uses the process-wide default agent.
 */
function proxyKeys(proxies: Proxies): void {
  https.globalAgent = new TunnelAgent(proxies);
}

const Refusal = z.object({
  response: z.object({
    status: z.number(),
    headers: z.looseObject({ 'retry-after': z.unknown().optional() }).optional(),
    data: z
      .looseObject({ error: z.looseObject({ message: z.string().default(''), code: z.string().optional() }) })
      .optional()
      .catch(undefined),
  }),
});

/** Teams' response to a failed call; undefined if there was none. */
export const refusalIn = (thrown: unknown): z.infer<typeof Refusal>['response'] | undefined =>
  Refusal.safeParse(thrown instanceof JuryError ? thrown.cause : thrown).data?.response;

/** The status of Teams' response; null if there was none. */
export const statusOf = (thrown: unknown): number | null => refusalIn(thrown)?.status ?? null;

/** Replaces Microsoft's servers in tests. */
export interface TeamsCloud {
  cloud?: CloudEnvironment;
  token?: TokenCredentials['token'];
  graphUrl?: string;
  pagesUrl?: string;
}

interface Cloud {
  cloud: CloudEnvironment;
  /** The address for conversations without a known one; null if none is documented. */
  worldwide: string | null;
  /** Where people have Teams in a browser, to which links lead; null if it is not known. */
  pages: string | null;
}

/** Microsoft's clouds by `TEAMS_CLOUD`. */
const CLOUDS: Readonly<Record<Env['settings']['TEAMS_CLOUD'], Cloud>> = {
  public: {
    cloud: PUBLIC,
    worldwide: 'https://smba.trafficmanager.net/teams',
    pages: 'https://teams.microsoft.com',
  },
  usgov: {
    cloud: US_GOV,
    worldwide: 'https://smba.infra.gov.teams.microsoft.us/teams',
    pages: 'https://gov.teams.microsoft.us',
  },
  usgovdod: {
    cloud: US_GOV_DOD,
    worldwide: 'https://smba.infra.dod.teams.microsoft.us/teams',
    pages: 'https://dod.teams.microsoft.us',
  },
  china: { cloud: CHINA, worldwide: null, pages: null },
};

/** What it takes to ask Microsoft Graph. */
export interface Graph {
  /** Such as `https://graph.microsoft.com`. */
  url: string;
  token: (tenant: string) => Promise<string>;
  fetch: typeof globalThis.fetch;
  /** The app's own id. */
  app: string;
}

/** @param serviceUrl the conversation's address; null for Teams' worldwide address */
export type ApiFor = (serviceUrl: string | null) => ApiClient;

/** Hides the library's messages, which may contain what people wrote; logs only that there was one. */
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

const Bounded = z.object({ exp: z.number() });

/** Whether a token has an expiry. The library would accept a token without one forever. */
function hasExpiry(authorization: string | string[] | undefined): boolean {
  const [, claims = ''] = String(authorization).split('.');
  return readJson(Bounded, Buffer.from(claims, 'base64url').toString()) !== null;
}

/** Rejects tokens without an expiry; the library does all other checks. */
function withExpiry(adapter: IHttpServerAdapter): IHttpServerAdapter {
  return {
    registerRoute: (method, path, handle) =>
      adapter.registerRoute(method, path, async (request) =>
        hasExpiry(request.headers.authorization)
          ? handle(request)
          : { status: 401, body: { error: 'The token does not say when it expires.' } },
      ),
  };
}

/**
 * The library's app on the service's own web server. Every activity must carry a token that Microsoft signed for this app, unless
 * a local playground is set: then everything posted to the endpoint is accepted.
 *
 * Sets every option that the library would otherwise read from the environment: `CLOUD`, `TENANT_ID`, `CLIENT_SECRET`,
 * `SERVICE_URL`, `OAUTH_URL`, `LOG` and `DANGEROUSLY_ALLOW_UNAUTHENTICATED_REQUESTS` may be meant for another program.
 *
 * @param endpoint the path that activities are posted to
 */
export function createTeamsApp(
  { settings, outgoing }: Pick<Env, 'settings' | 'outgoing'>,
  web: Express,
  log: Logger,
  { endpoint = MESSAGES_PATH, ...microsoft }: TeamsCloud & { endpoint?: `/${string}` } = {},
): { app: App; apiFor: ApiFor; graph: Graph | null; pages: string | null } {
  const { TEAMS_CLIENT_ID, TEAMS_CLIENT_SECRET, TEAMS_TENANT_ID, TEAMS_PLAYGROUND_URL } = settings;
  const { cloud: named, worldwide, pages } = CLOUDS[settings.TEAMS_CLOUD];
  const { cloud = named, token, graphUrl = cloud.graphScope.replace(/\/\.default$/, '') } = microsoft;
  const isPlayground = TEAMS_PLAYGROUND_URL !== undefined;
  const logger = quietLogger(log);
  const adapter: IHttpServerAdapter = new ExpressAdapter(web, { logger });
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
  const apiClientSettings = { oauthUrl: cloud.tokenServiceUrl };
  const unknown = TEAMS_PLAYGROUND_URL ?? worldwide;
  const tokens = token ?? (isPlayground ? async () => unsigned : createAppToken(login, outgoing.fetch));
  const app = new App({
    clientId: login.clientId,
    // Empty, so that the library requests no tokens itself: it has no option for a proxy.
    clientSecret: '',
    token: tokens,
    tenantId: TEAMS_TENANT_ID ?? '',
    dangerouslyAllowUnauthenticatedRequests: isPlayground,
    cloud,
    apiClientSettings,
    client: {
      logger,
      timeout: CALL_MS,
      interceptors: [{ request: ({ config }) => Object.assign(config, through) }],
    },
    logger,
    httpServerAdapter: isPlayground ? adapter : withExpiry(adapter),
    serviceUrl: unknown ?? '',
    messagingEndpoint: endpoint,
    activity: { mentions: { stripText: false } },
  });
  const clients = new Map<string, ApiClient>();
  // A playground has neither Graph nor links, unless a test has them.
  const hasGraph = !isPlayground || microsoft.graphUrl !== undefined;
  return {
    app,
    graph: hasGraph
      ? {
          url: graphUrl,
          token: async (tenant) => String(await tokens(cloud.graphScope, tenant)),
          fetch: outgoing.fetch,
          app: login.clientId,
        }
      : null,
    pages: microsoft.pagesUrl ?? (isPlayground ? null : pages),
    apiFor: (serviceUrl) => {
      const url = (serviceUrl ?? unknown)?.replace(/\/+$/, '');
      if (url === undefined)
        throw new JuryError(
          'usage',
          'Teams has not said yet where this conversation is reached: mention Jury in it first.',
        );
      const client = clients.get(url) ?? new ApiClient(url, app.api.http, apiClientSettings, cloud);
      clients.set(url, client);
      return client;
    },
  };
}
