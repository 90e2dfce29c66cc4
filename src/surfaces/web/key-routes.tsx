import type { Request, RequestHandler, Response, Router } from 'express';
import type { Env } from '../../env.ts';
import { isSame, limitGuesses, requireVisitor } from './access.ts';
import { createConsoleKey, KEY_SESSION_MS, keyHolders, OPEN, sessionCookie } from './console-key.ts';
import { consoleOrigin } from './ids.ts';
import { isPage, noStore, pageHtml, refuse, saying } from './page.tsx';

/** What a browser without a session is shown. @param home the host's name in the link, where a session may be already */
function sendLocked(response: Response, home: string, isWrongLink: boolean): void {
  const children = (
    <div data-home={home}>
      <h1>Open Jury with its link</h1>
      {isWrongLink ? (
        <p role="alert">The key in this link is not the one of this console. There may be a newer one.</p>
      ) : null}
      <p>
        This console has no sign-in, so it asks for a key. On the machine that Jury runs on, in the folder in
        which it was started, run
      </p>
      <pre>npx jury open</pre>
      <p>and open the link that it prints in this browser, once. Then reload this page.</p>
      <p class="pale">
        On a terminal, <code>npm start</code> prints the link, too. Programs{' '}
        <a href="/docs/programs.md#http-api">send the key</a>. More about{' '}
        <a href="/docs/console.md#who-can-open-it">who can open the console</a>.
      </p>
    </div>
  );
  response
    .status(401)
    .set('cache-control', 'no-store')
    .type('html')
    .send(pageHtml({ title: 'Open Jury with its link', at: '', who: null, isLocked: true, children }));
}

/** How people come in with the key. @returns who they are, and what is answered to those without it */
export function keyEntrance(settings: Env['settings'], now: () => number) {
  const key = createConsoleKey(settings.JURY_DATA_DIR, now);
  const home = new URL(consoleOrigin(settings, settings.PORT)).hostname;
  return {
    key,
    home,
    people: keyHolders(key),
    /** A page says how to begin a session; anything else gets the reason as text. */
    askIn: (why: string, request: Request, response: Response): void => {
      if (isPage(request) && request.accepts('html') !== false) sendLocked(response, home, false);
      else response.status(401).set('cache-control', 'no-store').type('text').send(why);
    },
  };
}

/** The link with the key: it begins a session, and leads on to an address without the key. */
export function registerKey(router: Router, ...about: Parameters<typeof keyEntrance>) {
  const { key, home, people, askIn } = keyEntrance(...about);
  const wrong = limitGuesses((why, request, response) => refuse(request, response, 429, why));
  router.get(
    OPEN,
    noStore,
    saying(async (request, response) => {
      const { key: given } = request.query;
      const session = typeof given === 'string' && (await key.isKey(given)) ? await key.begin() : null;
      if (session === null)
        return void (await wrong(request, response, () => sendLocked(response, home, true)));
      const maxAge = KEY_SESSION_MS;
      response
        .cookie(sessionCookie(request), session, { httpOnly: true, sameSite: 'lax', path: '/', maxAge })
        .redirect(303, '/');
    }),
  );
  return { people, askIn };
}

/** Lets in only those with the key; a handler for each route that is not the console's own. */
export function requireKey(...about: Parameters<typeof keyEntrance>): RequestHandler {
  const { people, askIn } = keyEntrance(...about);
  return requireVisitor({ tokens: new Map(), people }, false, (status, why, request, response) => {
    if (status === 401) askIn(why, request, response);
    else refuse(request, response, status, why);
  });
}

/**
 * Lets in who may read the metrics: a scraper with its token, and who holds the key of a console that has one.
 * @param keyed null: the console has no key
 */
export const requireScraper =
  (token: string | undefined, keyed: RequestHandler | null): RequestHandler =>
  (request, response, next): void => {
    const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const why =
      token === undefined
        ? 'Metrics are read with a token: set JURY_METRICS_TOKEN and restart.'
        : 'Send JURY_METRICS_TOKEN as Authorization: Bearer …';
    if (token !== undefined && isSame(token, given)) next();
    else if (keyed !== null) keyed(request, response, next);
    else response.status(401).set('cache-control', 'no-store').type('text').send(why);
  };
