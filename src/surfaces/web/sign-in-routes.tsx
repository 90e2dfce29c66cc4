import type { CookieOptions, Request, Response, Router } from 'express';
import { isStoreAway, JuryError, messageOf } from '../../common/index.ts';
import { STORE_AWAY } from '../wording/index.ts';
import { cookieOf, limitSignIns, notByName, type People, SEND_TOKEN } from './access.ts';
import type { PageContext } from './context.ts';
import type { SignInSettings } from './ids.ts';
import { isPage, pageHtml, refuse, saying } from './page.tsx';
import { createSessions, isSecret, newSecret, SESSION_MS } from './sessions.ts';
import { createSignIn, redirectUri, SIGN_IN_DONE } from './sign-in.ts';

/** The prefix `__Host-` keeps other sites and subdomains from setting these cookies. */
const COOKIES = { session: '__Host-jury', browser: '__Host-jury-browser' } as const;
const COOKIE: CookieOptions = { secure: true, httpOnly: true, sameSite: 'lax', path: '/' };

const SIGN_IN = '/sign-in';
const SIGNED_OUT = '/signed-out';
const MOST_CHARS = 2_000;

/** The URL to return to after signing in: `to` if it is a page of the console, otherwise its first page. Prevents open redirects. */
function pageAt(origin: string, to: unknown): string {
  if (typeof to !== 'string' || to.length > MOST_CHARS || !URL.canParse(to, origin)) return `${origin}/`;
  const url = new URL(to, origin);
  // Comparing origins would not do: the origin of `blob:https://…` is that of the URL inside.
  const isOwn = url.href.startsWith(`${origin}/`);
  return isOwn && ![SIGN_IN, SIGN_IN_DONE, SIGNED_OUT].includes(url.pathname) ? url.href : `${origin}/`;
}

/** Sends a page with a message and a link to sign in. */
function say(response: Response, status: number, title: string, text: string, link: string): void {
  const children = (
    <>
      <h1>{title}</h1>
      <p role={status === 200 ? undefined : 'alert'}>{text}</p>
      <p>
        <a class="button" href={SIGN_IN}>
          {link}
        </a>
      </p>
    </>
  );
  response
    .status(status)
    .type('html')
    .send(pageHtml({ title, at: '', who: null, children }));
}

/** Says why a sign-in failed. Details of a single person's sign-in are not logged, because they may name that person. */
function sayFailed(response: Response, thrown: unknown, log: PageContext['log']): void {
  if (!(thrown instanceof JuryError)) throw thrown;
  const { code, message } = thrown;
  log.warn({ code, reason: code === 'config' ? message : undefined }, 'console: a sign-in failed');
  const text = isStoreAway(thrown) ? STORE_AWAY : `${message}.`;
  say(response, code === 'usage' ? 403 : 503, 'You are not signed in', text, 'Try again');
}

/** Registers the routes for signing in and out. @param router for routes that need no session */
export function registerSignIn(
  router: Router,
  { web, env, store, pseudonym, surfaces, now, log }: PageContext,
  settings: SignInSettings,
) {
  const { publicUrl: origin } = settings;
  const sessions = createSessions(store, pseudonym, now);
  const signIn = createSignIn({ ...settings, fetch: env.outgoing.fetch }, store, now, surfaces, env);
  // Only proxies on this machine or in its network are trusted to name the client's address.
  web.set('trust proxy', ['loopback', 'linklocal', 'uniquelocal']);
  let problem: string | null = null;
  /** Makes sure that the provider can be reached, and notes the problem if not. @throws JuryError `config` */
  const reach = async (): Promise<void> => {
    try {
      await signIn.ready();
      problem = null;
    } catch (thrown) {
      problem = `no one can sign in: ${messageOf(thrown)}`;
      throw thrown;
    }
  };
  reach().catch(() => log.error(`console: ${problem}`));

  /** Wraps a step of signing in, so that its failures are shown on a page. */
  const step = (work: (request: Request, response: Response) => Promise<void>) =>
    saying(async (request, response) => {
      const why = notByName(request, origin);
      if (why !== null) return refuse(request, response, 403, why);
      response.set('cache-control', 'no-store');
      try {
        await work(request, response);
      } catch (thrown) {
        sayFailed(response, thrown, log);
      }
    });
  const limited = limitSignIns((why, request, response) => refuse(request, response, 429, why));

  router.get(
    SIGN_IN,
    limited,
    step(async (request, response) => {
      await reach();
      // All tabs of a browser share a secret, so that a sign-in begun in any of them can be finished.
      const sent = cookieOf(request, COOKIES.browser) ?? '';
      const browser = isSecret(sent) ? sent : newSecret();
      const url = await signIn.begin(browser, pageAt(origin, request.query.to));
      response.cookie(COOKIES.browser, browser, COOKIE).redirect(url.href);
    }),
  );
  router.get(
    SIGN_IN_DONE,
    limited,
    step(async (request, response) => {
      const browser = cookieOf(request, COOKIES.browser) ?? '';
      const url = new URL(redirectUri(settings));
      url.search = new URL(request.originalUrl, origin).search;
      const { visitor: who, to } = await signIn.finish(browser, url);
      const before = cookieOf(request, COOKIES.session);
      if (before !== undefined) await sessions.end(before);
      const secret = await sessions.begin(who);
      response.cookie(COOKIES.session, secret, { ...COOKIE, maxAge: SESSION_MS }).redirect(303, to);
    }),
  );
  router.get(
    SIGNED_OUT,
    step(async (_request, response) =>
      say(
        response,
        200,
        'You are signed out',
        `You may still be signed in at ${new URL(settings.issuer).host}.`,
        'Sign in',
      ),
    ),
  );
  const people: People = {
    origin,
    find: async (request) => {
      const secret = cookieOf(request, COOKIES.session);
      return secret === undefined ? null : sessions.find(secret);
    },
    byToken: async () => null,
    advice: { people: 'You are not signed in. Reload the page to sign in.', programs: SEND_TOKEN },
  };
  return {
    people,
    /** Answers a request without a session: pages redirect to the sign-in, everything else is refused with the reason. */
    askIn: (why: string, request: Request, response: Response): void => {
      const { originalUrl: to } = request;
      if (!isPage(request) || request.accepts('html') === false) refuse(request, response, 401, why);
      else response.redirect(`${SIGN_IN}?${new URLSearchParams({ to })}`);
    },
    problem: () => problem,
    /** Ends the browser's session. */
    signOut: saying(async (request, response) => {
      const secret = cookieOf(request, COOKIES.session);
      if (secret !== undefined) await sessions.end(secret);
      response.clearCookie(COOKIES.session, COOKIE).json({ goTo: SIGNED_OUT });
    }),
  };
}
