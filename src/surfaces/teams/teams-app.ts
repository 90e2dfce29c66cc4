import {
  Client as ApiClient,
  type CloudEnvironment,
  cloudFromName,
  type TokenCredentials,
} from '@microsoft/teams.api';
import { App, ExpressAdapter, type IHttpServerAdapter } from '@microsoft/teams.apps';
import type { ILogger } from '@microsoft/teams.common';
import express, { type Express } from 'express';
import pino, { type Logger } from 'pino';
import { eachMinute } from '../../common/async.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { isLoopback } from '../../common/text.ts';
import type { Env } from '../../env.ts';
import { hasProxy, proxyErrorIn } from '../../judges/llm/proxies.ts';
import type { Inspection } from '../surface.ts';
import { MESSAGES_PATH } from './ids.ts';
import { createAppToken, proxyKeys } from './outgoing.ts';

/** What a test puts in the place of Microsoft's own servers. */
export interface TeamsCloud {
  cloud?: CloudEnvironment;
  token?: TokenCredentials['token'];
}

/** Longest wait for an answer of Teams. */
const CALL_MS = 15_000;

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
/** A token that nobody checks. */
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

const REACHED_MS = 10_000;

/**
 * Whether Jury is found at an address: a request without a token has to get 401, as its own door answers.
 *
 * @returns why that cannot be told, because nothing answers; null if it is found
 * @throws JuryError `config` where something else answers
 */
export async function tryDoor(origin: string, fetch = globalThis.fetch): Promise<string | null> {
  const door = `${origin}${MESSAGES_PATH}`;
  let status: number;
  try {
    ({ status } = await fetch(door, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":"message"}',
      redirect: 'manual',
      signal: AbortSignal.timeout(REACHED_MS),
    }));
  } catch (thrown) {
    return `${door} could not be reached (${messageOf(thrown)}): start Jury, and point the address at it`;
  }
  if (status === 401) return null;
  throw new JuryError('config', `${door} answers ${status}, not 401: point JURY_PUBLIC_URL at this service`);
}

/** Tries the credentials and the address that the app package names. @throws JuryError that says which setting is wrong */
export async function inspectTeams(env: Env, microsoft: TeamsCloud = {}): Promise<Inspection> {
  const { app } = createTeamsApp(env, express(), pino({ level: 'silent' }), microsoft);
  await requireToken(app);
  const { TEAMS_CLIENT_ID: id = '', TEAMS_TENANT_ID, TEAMS_PLAYGROUND_URL, JURY_PUBLIC_URL } = env.settings;
  if (TEAMS_PLAYGROUND_URL !== undefined)
    return { works: `a local playground at ${TEAMS_PLAYGROUND_URL}`, lacks: [] };
  const tenants =
    TEAMS_TENANT_ID === undefined ? 'every tenant that installs it' : `tenant ${TEAMS_TENANT_ID}`;
  const works = `app ${id} for ${tenants}`;
  if (JURY_PUBLIC_URL === undefined)
    return { works, lacks: ['set JURY_PUBLIC_URL to have the domain of the app package checked'] };
  const { hostname: domain, origin } = new URL(JURY_PUBLIC_URL);
  const { buildAppPackage } = await import('./app-package.ts');
  buildAppPackage({ id, domain });
  const problem = await tryDoor(origin, env.outgoing.fetch);
  return problem === null
    ? { works: `${works}, reached at ${domain}`, lacks: [] }
    : { works, lacks: [problem] };
}
