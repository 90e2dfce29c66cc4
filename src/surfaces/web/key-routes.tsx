import type { Request, RequestHandler, Response, Router } from 'express';
import type { Env } from '../../env.ts';
import { isSame, limitGuesses, requireVisitor } from './access.ts';
import { createConsoleKey, KEY_SESSION_MS, keyHolders, OPEN, sessionCookie } from './console-key.ts';
import { consoleOrigin } from './ids.ts';
import { isPage, pageHtml, refuse, saying } from './page.tsx';
import { noStore } from './security-headers.ts';

/** Sends the page for a browser without a session. @param home the host name in the link, under which there may be a session already */
function sendLocked(response: Response, home: string, isWrongLink: boolean): void {
  const children = (
    <div data-home={home}>
      <h1>Open Jury with its link</h1>
      {isWrongLink ? (
        <p role="alert">The key in this link does not fit this console. It may have been replaced.</p>
      ) : null}
      <p>
        This console has no sign-in, so it asks for a key. On the machine that runs Jury, in the folder in
        which it was started, run
      </p>
      <pre>npx jury open</pre>
      <p>and open the link that it prints in this browser. Once is enough; then reload this page.</p>
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

const SEND_KEY =
  'Send the console’s key as Authorization: Bearer …; the file console-key in the data folder holds it. Browsers open the link that npx jury open prints.';

/** Access with the key. @returns `people`, who recognizes its holders, and `askIn`, which answers everyone else */
function keyEntrance({ settings, secrets }: Pick<Env, 'settings' | 'secrets'>, now: () => number) {
  const key = createConsoleKey(settings.JURY_DATA_DIR, now, (text) => secrets.add(text, 'console-key'));
  const home = new URL(consoleOrigin(settings, settings.PORT)).hostname;
  return {
    key,
    home,
    people: keyHolders(key),
    /** Answers a request without the key: browsers get a page that says how to open the console; scripts and programs get text. */
    askIn: (why: string, request: Request, response: Response): void => {
      const text = isPage(request) ? SEND_KEY : why;
      if (isPage(request) && request.accepts(['text', 'html']) === 'html') sendLocked(response, home, false);
      else response.status(401).set('cache-control', 'no-store').type('text').send(text);
    },
  };
}

/** Serves the link with the key, which begins a session and redirects to an address without the key. */
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

/** Middleware that lets in only holders of the key, for routes outside the console. */
export function requireKey(...about: Parameters<typeof keyEntrance>): RequestHandler {
  const { people, askIn } = keyEntrance(...about);
  return requireVisitor({ tokens: new Map(), people }, false, (status, why, request, response) => {
    if (status === 401) askIn(why, request, response);
    else refuse(request, response, status, why);
  });
}

/**
 * Middleware for the metrics: lets in scrapers with the token, and holders of the console's key.
 * @param token the scrapers' token; undefined if none is set
 * @param keyed lets in holders of the key; null if the console has none
 */
export function requireScraper(token: string | undefined, keyed: RequestHandler | null): RequestHandler {
  const say = (response: Response, status: number, why: string) =>
    void response.status(status).set('cache-control', 'no-store').type('text').send(why);
  const why =
    token === undefined
      ? 'Metrics are read with a token: set JURY_METRICS_TOKEN and restart.'
      : 'Send JURY_METRICS_TOKEN as Authorization: Bearer …';
  const limited = limitGuesses((tooMany, _request, response) => say(response, 429, tooMany));
  return async (request, response, next) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token !== undefined && given !== undefined && isSame(token, given)) next();
    else if (keyed !== null) keyed(request, response, next);
    else if (given === undefined) say(response, 401, why);
    else await limited(request, response, () => say(response, 401, why));
  };
}
