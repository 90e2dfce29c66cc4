import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { call, type PageAnswer } from './page-service.ts';
import { closing } from './resources.ts';

export const CLIENT = { id: 'jury', secret: 'a-secret-of-the-client-0123456789' } as const;

/** An account at the provider, by its subject. */
export type Claims = Readonly<Record<string, unknown>>;

export interface OpenIdProvider {
  issuer: string;
  /** Who signs in from now on; null: who asks is refused. */
  signsIn: (subject: string | null) => void;
  close: () => Promise<void>;
}

/** A real OpenID provider on this machine, which signs in one account without asking for a password. @param redirects redirect URIs @param client what more is registered of Jury */
export async function startOpenIdProvider(
  redirects: readonly string[],
  accounts: Readonly<Record<string, Claims>>,
  client: Readonly<Record<string, string>> = {},
  port = 0,
): Promise<OpenIdProvider> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  let [account = null]: (string | null)[] = Object.keys(accounts);
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [...redirects],
        ...client,
      },
    ],
    claims: {
      openid: ['sub', ...new Set(Object.values(accounts).flatMap((claims) => Object.keys(claims)))],
    },
    // As Slack, Google and Entra ID do, claims are in the token itself.
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...accounts[sub] }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: CLIENT.id,
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    cookies: { keys: ['a-key-for-tests'] },
    ttl: {
      Session: 3_600,
      Interaction: 600,
      Grant: 600,
      IdToken: 600,
      AccessToken: 600,
      AuthorizationCode: 60,
    },
  });
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    const result =
      account === null
        ? { error: 'access_denied', error_description: 'Not you.' }
        : { login: { accountId: account, remember: false } };
    await provider.interactionFinished(request, response, result);
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  closing(close);
  return {
    issuer,
    signsIn: (subject) => {
      account = subject;
    },
    close,
  };
}

/** A browser as far as signing in goes: it keeps cookies for each host, and follows redirects from one to the other. */
export function aBrowser(portOf: (host: string) => number) {
  const cookies = new Map<string, Map<string, string>>();

  /** One request, with the cookies of its host. */
  async function visit(
    address: string,
    { headers = {}, ...options }: Parameters<typeof call>[2] = {},
  ): Promise<PageAnswer> {
    const { host, pathname, search } = new URL(address);
    const own = cookies.get(host) ?? new Map<string, string>();
    cookies.set(host, own);
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await call(portOf(host), pathname + search, {
      ...options,
      headers: { host, accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...headers },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) own.delete(name);
      else own.set(name, value);
    }
    return answer;
  }

  return {
    cookies,
    visit,
    /** Follows redirects until there is a page, or until `stop` says so of the next address. */
    follow: async (
      address: string,
      stop: (next: string) => boolean = () => false,
    ): Promise<PageAnswer & { at: string }> => {
      let at = address;
      for (let hops = 0; hops < 12; hops += 1) {
        if (stop(at)) return { status: 0, headers: {}, text: '', at };
        const answer = await visit(at);
        const { location } = answer.headers;
        if (typeof location !== 'string') return { ...answer, at };
        at = new URL(location, at).href;
      }
      throw new Error(`Redirected in circles, last to ${at}`);
    },
  };
}
