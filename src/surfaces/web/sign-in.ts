import type { Configuration, IDToken } from 'openid-client';
import * as z from 'zod';
import { JuryError, type KeyValue, once } from '../../common/index.ts';
import type { Env } from '../../env.ts';
import { type Outgoing, proxyErrorIn } from '../../judges/llm/index.ts';
import type { Surface } from '../index.ts';
import type { Visitor } from './access.ts';
import type { SignInSettings } from './ids.ts';
import { hashOf } from './sessions.ts';

/** The path that the provider sends browsers back to. */
export const SIGN_IN_DONE = '/sign-in/done';
export const redirectUri = ({ publicUrl }: Pick<SignInSettings, 'publicUrl'>): string =>
  `${publicUrl}${SIGN_IN_DONE}`;

/** How long to wait for the provider's answer, s. */
const ANSWER_S = 10;
/** How long people may take to sign in at the provider. */
const BEGUN_MS = 10 * 60_000;

type OpenId = typeof import('openid-client');

/** What is needed to send requests to a provider. */
type AskingSettings = SignInSettings & Pick<Outgoing, 'fetch'>;

/** The fields used of errors from the provider, or from openid-client. */
const Failed = z.object({
  message: z.string(),
  code: z.string().optional(),
  status: z.int().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
  cause: z.unknown(),
});
const Answered = z.object({ status: z.int() });
const OtherIssuer = z.object({ attribute: z.literal('issuer'), body: z.object({ issuer: z.string() }) });
const Reason = z.object({ code: z.string().optional(), message: z.string() });

/** Whether the provider rejected the client's id or secret. */
function isRefusedClient(thrown: unknown): boolean {
  const { error, status } = Failed.safeParse(thrown).data ?? {};
  return error === 'invalid_client' || error === 'unauthorized_client' || status === 401;
}

const USED_UP = 'This sign-in has run out or was used before';

/**
 * What went wrong with the provider, and what to do about it. Code `config`: the setup is wrong or the provider cannot be reached, so no
 * one can sign in; `usage`: only this sign-in failed.
 */
function problemOf(thrown: unknown, { issuer }: Pick<SignInSettings, 'issuer'>): JuryError {
  if (thrown instanceof JuryError) return thrown;
  const proxy = proxyErrorIn(thrown);
  if (proxy !== null)
    return new JuryError('config', `${issuer} cannot be reached: ${proxy.message}`, { cause: thrown });
  const failed = Failed.safeParse(thrown).data ?? { message: String(thrown), cause: null };
  const { message, code, error, error_description: description, cause }: z.infer<typeof Failed> = failed;
  const failure = (kind: 'config' | 'usage', text: string) => new JuryError(kind, text, { cause: thrown });
  if (isRefusedClient(thrown))
    return failure(
      'config',
      `${issuer} does not take OIDC_CLIENT_ID or OIDC_CLIENT_SECRET: check both there`,
    );
  if (error === 'access_denied') return failure('usage', `${issuer} did not let you in`);
  if (error === 'invalid_grant') return failure('usage', USED_UP);
  if (error !== undefined)
    return failure(
      'usage',
      `${issuer} answers ${error}${description === undefined ? '' : `: ${description}`}`,
    );
  const otherIssuer = OtherIssuer.safeParse(cause).data;
  if (otherIssuer !== undefined)
    return failure(
      'config',
      `${issuer} calls itself ${otherIssuer.body.issuer}: set OIDC_ISSUER to exactly that`,
    );
  if (code === 'OAUTH_TIMEOUT') return failure('config', `${issuer} cannot be reached (no answer in time)`);
  const reason = Reason.safeParse(cause).data;
  if (thrown instanceof TypeError && reason !== undefined)
    return failure('config', `${issuer} cannot be reached (${reason.code ?? reason.message})`);
  const { status } = Answered.safeParse(cause).data ?? {};
  if (status !== undefined)
    return failure(
      'config',
      `${issuer} answers ${status}, not as an OpenID provider does: check OIDC_ISSUER`,
    );
  return failure('usage', `The answer of ${issuer} is not accepted: ${reason?.message ?? message}`);
}

/** A provider whose metadata has been read. */
interface Provider {
  oidc: OpenId;
  config: Configuration;
  /** Runs a request that authenticates the client. If the provider rejects it, tries once more with the other authentication method. */
  asClient: <T>(ask: () => Promise<T>) => Promise<T>;
}

/** Reads the provider's metadata. @throws JuryError `config` that says what is wrong */
async function discover(settings: AskingSettings): Promise<Provider> {
  const { issuer, clientId, clientSecret, fetch } = settings;
  const oidc = await import('openid-client');
  // To try it out on this machine: the environment refuses any other address without TLS.
  const execute = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
  const [post, basic] = [oidc.ClientSecretPost(clientSecret), oidc.ClientSecretBasic(clientSecret)];
  let isBasic = false;
  const prove: ReturnType<OpenId['ClientSecretPost']> = (...parts) => (isBasic ? basic : post)(...parts);
  try {
    const config = await oidc.discovery(new URL(issuer), clientId, undefined, prove, {
      execute,
      timeout: ANSWER_S,
      [oidc.customFetch]: (url, { body = null, signal = null, ...rest }) =>
        fetch(url, { ...rest, signal, body: body instanceof Uint8Array ? Uint8Array.from(body) : body }),
    });
    const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = config.serverMetadata();
    isBasic = !ways.includes('client_secret_post');
    const asClient: Provider['asClient'] = (ask) =>
      ask().catch((thrown) => {
        if (!isRefusedClient(thrown)) throw thrown;
        isBasic = !isBasic;
        return ask();
      });
    return { oidc, config, asClient };
  } catch (thrown) {
    throw new JuryError('config', problemOf(thrown, settings).message, { cause: thrown });
  }
}

/**
 * Checks the client's id and secret by sending the provider an invalid code.
 * @returns whether the provider accepts them; false if its answer leaves that open
 * @throws JuryError `config` if it rejects them or cannot be reached
 */
export async function inspectProvider(settings: AskingSettings): Promise<boolean> {
  const { oidc, config, asClient } = await discover(settings);
  const [redirect_uri, code_verifier] = [redirectUri(settings), oidc.randomPKCECodeVerifier()];
  try {
    await asClient(() =>
      oidc.genericGrantRequest(config, 'authorization_code', { code: 'none', redirect_uri, code_verifier }),
    );
  } catch (thrown) {
    const problem = problemOf(thrown, settings);
    if (problem.code === 'config') throw problem;
    return Failed.safeParse(thrown).data?.error === 'invalid_grant';
  }
  return false;
}

const claim = z.string().trim().min(1).optional().catch(undefined);
const Claims = z.object({
  name: claim,
  preferred_username: claim,
  email: claim,
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
});

/** A sign-in that has begun: what its end must match, and the page to return to. */
const Begun = z.strictObject({
  browser: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
});

const USED = 'used';
const keyOf = (state: string): string => `sign-in:${hashOf(state)}`;

/** Sign-in by authorization code with PKCE, state and nonce. A sign-in can be finished once, and only in the browser that began it. */
export function createSignIn(
  settings: AskingSettings,
  store: KeyValue,
  now: () => number,
  identifying: readonly Pick<Surface, 'identify'>[],
  env: Env,
) {
  const domains = env.settings.OIDC_EMAIL_DOMAINS;
  const provider = once(() => discover(settings));

  /**
   * The visitor that a provider's claims describe.
   * @param idClaims the claims of the signed ID token
   * @param claims the same, with those from the userinfo endpoint
   * @throws JuryError `usage` if their address is not in an allowed domain
   */
  async function visitorOf(idClaims: IDToken, claims: object): Promise<Visitor> {
    const { iss: issuer, sub } = idClaims;
    const { name, preferred_username, email, email_verified } = Claims.parse(claims);
    const verified = email_verified === true && email !== undefined ? email.toLowerCase() : null;
    const domain = verified?.slice(verified.lastIndexOf('@') + 1);
    if (domains.length > 0 && (domain === undefined || !domains.includes(domain)))
      throw new JuryError(
        'usage',
        verified === null
          ? `Jury is for people of ${domains.join(', ')}, and ${issuer} names no verified address of yours`
          : `Jury is for people of ${domains.join(', ')}, not for ${verified}`,
      );
    const persons = await Promise.all(identifying.map(({ identify }) => identify?.(issuer, idClaims, env)));
    return {
      user: `oidc:${issuer}:${sub}`,
      name: name ?? preferred_username ?? verified,
      email: verified,
      person: persons.find((person) => person) ?? null,
    };
  }

  /**
   * Reads what a sign-in was begun with and marks it as used.
   * @throws JuryError `usage` if it has expired, was used before or was begun in another browser
   */
  async function taken(state: string, browser: string): Promise<z.infer<typeof Begun>> {
    const text = await store.get(keyOf(state), now());
    const begun = text === null || text === USED ? null : Begun.parse(JSON.parse(text));
    if (begun === null || text === null) throw new JuryError('usage', USED_UP);
    if (begun.browser !== hashOf(browser))
      throw new JuryError('usage', 'This sign-in was begun in another browser');
    if (!(await store.compareAndSet(keyOf(state), text, USED, now(), BEGUN_MS)))
      throw new JuryError('usage', USED_UP);
    return begun;
  }

  return {
    /** Reads the provider's metadata, unless it is known already. @throws JuryError `config` */
    ready: provider.get,
    /** Begins a sign-in. @param to the page to return to @returns the provider's address for the browser @throws JuryError */
    begin: async (browser: string, to: string): Promise<URL> => {
      const { oidc, config } = await provider.get();
      const [state, nonce, verifier] = [
        oidc.randomState(),
        oidc.randomNonce(),
        oidc.randomPKCECodeVerifier(),
      ];
      const begun = { browser: hashOf(browser), nonce, verifier, to };
      await store.setIfAbsent(keyOf(state), JSON.stringify(begun), now(), BEGUN_MS);
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri(settings),
        scope: 'openid profile email',
        ...{ state, nonce },
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    /**
     * Finishes a sign-in.
     * @param url the address that the provider redirected to, with its answer in the query
     * @returns the visitor, and the page to return to
     * @throws JuryError `usage`, `config`
     */
    finish: async (browser: string, url: URL): Promise<{ visitor: Visitor; to: string }> => {
      const state = url.searchParams.get('state') ?? '';
      const { nonce, verifier, to } = await taken(state, browser);
      const { oidc, config, asClient } = await provider.get();
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const tokens = await asClient(() => oidc.authorizationCodeGrant(config, url, checks));
        const claims = tokens.claims();
        if (claims === undefined) throw new JuryError('internal', 'There are no claims.');
        // Some providers give names and addresses only at the userinfo endpoint. The signed token's own claims take precedence.
        const isMore = claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
        const more = isMore
          ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub).catch(() => ({}))
          : {};
        return { visitor: await visitorOf(claims, { ...more, ...claims }), to };
      } catch (thrown) {
        throw problemOf(thrown, settings);
      }
    },
  };
}
