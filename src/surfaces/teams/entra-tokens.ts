import type { TokenCredentials } from '@microsoft/teams.api';
import type { App } from '@microsoft/teams.apps';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';
import { proxyErrorIn } from '../../judges/llm/index.ts';

/** The timeout of calls to Microsoft, or to a proxy in between. */
export const CALL_MS = 15_000;
/** How long before it expires a token is replaced. */
const EARLY_MS = 300_000;

const Given = z.object({ access_token: z.string(), expires_in: z.coerce.number() });
const Refused = z.object({ error_description: z.string() });

export interface Login {
  clientId: string;
  clientSecret: string;
  /** Such as `https://login.microsoftonline.com`: the secret is sent only there. */
  loginEndpoint: string;
}

/**
 * Requests the app's tokens from Entra ID (OAuth 2.0 client credentials) and caches them while they are valid. Ours because the library's
 * own way, @azure/msal-node, uses the process-wide fetch: no proxy, no timeout, and redirects would take the secret along. Its seam for
 * another client would need as much code as this.
 */
export function createAppToken(
  { clientId, clientSecret, loginEndpoint }: Login,
  fetch: typeof globalThis.fetch,
  now: () => number = Date.now,
): TokenCredentials['token'] {
  const tokens = new Map<string, { token: string; until: number }>();
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
      tokens.set(key, { token: given.access_token, until });
      return given.access_token;
    }
    const why = readJson(Refused, text)?.value.error_description.split(/\r?\n/)[0];
    throw new Error(why ?? `${loginEndpoint} answered ${response.status}`);
  }

  return (scopes, tenant = 'common') => {
    const scope = [scopes].flat().join(' ');
    const key = `${tenant} ${scope}`;
    const kept = tokens.get(key);
    if (kept !== undefined && now() < kept.until) return kept.token;
    const asked = asking.get(key) ?? ask(key, scope, tenant).finally(() => asking.delete(key));
    asking.set(key, asked);
    return asked;
  };
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token for the playground, which does not check it. */
export const unsigned = `${part({ alg: 'none', typ: 'JWT' })}.${part({ appid: 'jury-playground', serviceurl: '' })}.none`;

/** What Entra ID's error codes mean for the settings. */
const ENTRA_ERRORS: Readonly<Record<string, string>> = {
  AADSTS700016: 'TEAMS_CLIENT_ID is not an app of this tenant: check TEAMS_CLIENT_ID and TEAMS_TENANT_ID',
  AADSTS7000215: 'TEAMS_CLIENT_SECRET is not valid: set the value of the secret, not its id',
  AADSTS7000222: 'TEAMS_CLIENT_SECRET has expired: make a new one in the app registration',
  AADSTS7000112: 'the app is disabled in its tenant: enable it in Entra ID under Enterprise applications',
  AADSTS53003: 'a Conditional Access policy of the tenant blocks the app: exempt it there',
  AADSTS90002: 'TEAMS_TENANT_ID is not known: copy the directory (tenant) id of the app registration',
  AADSTS900023: 'TEAMS_TENANT_ID is not a tenant: copy the directory (tenant) id of the app registration',
};

/**
 * Why no token was issued, in terms of the settings.
 * @param host the server that was asked
 */
export function entraProblem(thrown: unknown, host: string): string {
  const text = messageOf(thrown);
  const code = /AADSTS\d+/.exec(text)?.[0];
  const advice = code === undefined ? undefined : ENTRA_ERRORS[code];
  if (advice !== undefined) return `${advice} (${code}).`;
  const proxy = proxyErrorIn(thrown);
  if (proxy !== null) return `${host} could not be asked for a token: ${proxy.message}.`;
  return code === undefined
    ? `${host} could not be asked for a token (${text}): check the network and HTTPS_PROXY.`
    : `Microsoft refuses TEAMS_CLIENT_ID and TEAMS_CLIENT_SECRET (${code}): check both in the app registration.`;
}

/**
 * The app's token for Teams.
 * @throws Microsoft's error
 */
export async function tokenOf({ api }: App): Promise<string> {
  const { token } = api.http;
  const given = typeof token === 'function' ? await token({}) : token;
  if (given === undefined || given === null) throw new Error('no token was given');
  return String(given);
}

/**
 * Verifies the credentials.
 * @throws JuryError `config` that says which setting is wrong
 */
export async function requireToken(app: App): Promise<void> {
  try {
    await tokenOf(app);
  } catch (thrown) {
    // If Microsoft could not be reached, the credentials may be right.
    const retryable = !/AADSTS\d/.test(messageOf(thrown));
    const { host } = new URL(app.cloud.loginEndpoint);
    throw new JuryError('config', entraProblem(thrown, host), { cause: thrown, retryable });
  }
}
