import type { Request, RequestHandler, Response } from 'express';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import * as z from 'zod';
import { endsWithin, isStoreAway, JuryError, onAbort } from '../../common/index.ts';
import { STORE_AWAY, showInvisible } from '../wording/index.ts';
import { isSignedIn, knownVisitor, type Visitor } from './access.ts';
import { refusingBody } from './web-host.ts';

/** The pages in the menu. */
const PAGES = [
  ['/', 'Ask'],
  ['/verdicts', 'Verdicts'],
  ['/queue', 'Queue'],
  ['/runs', 'Runs'],
] as const;

interface Page {
  title: string;
  /** The menu entry to mark as current; empty for none. */
  at: (typeof PAGES)[number][0] | '/status' | '';
  /** The visitor; null if they are anonymous. */
  who: Visitor | null;
  /** Whether to show the menu; by default, only to known visitors. */
  hasMenu?: boolean;
  /** Hides the link to the status page, which this visitor may not open. */
  isLocked?: boolean;
  /** The scripts to load: `console` by default; reports add theirs. */
  scripts?: readonly ('console' | 'report')[];
  children: ComponentChildren;
}

const current = (path: string, at: string) => (path === at ? 'page' : undefined);

/** The HTML of a whole page, with invisible characters made visible. */
export function pageHtml({
  title,
  at,
  who,
  hasMenu = who !== null,
  isLocked = false,
  scripts = ['console'],
  children,
}: Page): string {
  const page: VNode = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{title === '' ? 'Jury' : `${title} – Jury`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/console.css" />
        {scripts.map((name) => (
          <script type="module" key={name} src={`/assets/${name}.js`} />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header>
          <a class="name" href="/">
            Jury
          </a>
          <nav aria-label="Pages">
            {(hasMenu ? PAGES : []).map(([path, name]) => (
              <a key={path} href={path} aria-current={current(path, at)}>
                {name}
              </a>
            ))}
          </nav>
          {isLocked ? null : (
            <a class="pale" href="/status" aria-current={current('/status', at)}>
              Status
            </a>
          )}
          {who === null || !isSignedIn(who) ? null : (
            <span class="who">
              <span class="person">{who.name ?? 'Signed in'}</span>{' '}
              <button type="button" data-do="sign-out">
                Sign out
              </button>
            </span>
          )}
        </header>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <div id="said" role="status" aria-live="polite" />
        <dialog id="dialog" />
      </body>
    </html>
  );
  return `<!doctype html>${showInvisible(renderToString(page))}`;
}

/** A page before and after its content, for content that comes later. */
function pageAround(page: Omit<Page, 'children'>): [begin: string, end: string] {
  const [begin = '', end = ''] = pageHtml({ ...page, children: <div id="content" /> }).split(
    '<div id="content"></div>',
  );
  return [begin, end];
}

/** How long a page waits for its content before it says that it is being made, ms. */
const QUICK_MS = 150;

/**
 * Sends a page whose content may take long. Its head and a note are sent at once, unless the content comes quickly.
 * @param content rejects with a `JuryError` if there is none; the page then says why
 */
export async function sendPageWith(
  request: Request,
  response: Response,
  page: Omit<Page, 'who' | 'children'>,
  note: string,
  content: Promise<readonly string[]>,
): Promise<void> {
  const [begin, end] = pageAround({ ...page, who: knownVisitor(request) });
  response.type('html');
  if (await endsWithin(QUICK_MS, content))
    return void response.send([begin, ...(await content), end].join(''));
  response.write(begin + fragmentHtml(<Preparing note={note} />));
  for (const piece of await content.catch((thrown: unknown) => [
    fragmentHtml(<Problem text={problemOf(thrown).text} />),
  ]))
    response.write(piece);
  response.end(end);
}

const Preparing = ({ note }: { note: string }) => (
  <p class="preparing pale" role="status">
    {note}
  </p>
);

const Problem = ({ text }: { text: string }) => (
  <p class="pre" role="alert">
    {text}
  </p>
);

/** Sends a page to the visitor. */
export const sendPage = (request: Request, response: Response, page: Omit<Page, 'who'>): void =>
  void response.type('html').send(pageHtml({ ...page, who: knownVisitor(request) }));

export const fragmentHtml = (part: VNode): string => renderToString(part);

/** Sends a part of a page. */
export const sendPart = (response: Response, part: VNode): void =>
  void response.type('html').send(fragmentHtml(part));

/** Whether a request is for a whole page, rather than a part or an action. */
export const isPage = ({ method, path }: Request): boolean => method === 'GET' && !path.startsWith('/ui/');

/** Refuses a request and says why: on a page with the menu, so that it is not a dead end, or as text for a page's script. */
export function refuse(request: Request, response: Response, status: number, why: string): void {
  response.status(status);
  if (!isPage(request)) return void response.type('text').send(why);
  const [at = '/'] = PAGES.flatMap(([path]) => (path !== '/' && request.path.startsWith(path) ? [path] : []));
  const title = status === 404 ? 'Not found' : 'That did not work';
  const children = (
    <>
      <h1>{title}</h1>
      <Problem text={why} />
    </>
  );
  sendPage(request, response, { title, at, children });
}

const UNREAD = 'This request is not understood. Reload the page.';

export const refuseBody = refusingBody((status, request, response) =>
  refuse(
    request,
    response,
    status,
    status === 413 ? 'This text is too large: paste fewer or shorter cases.' : UNREAD,
  ),
);

/** The status and message for a failure. Anything unexpected is rethrown. */
function problemOf(thrown: unknown): { status: number; text: string } {
  if (isStoreAway(thrown)) return { status: 503, text: STORE_AWAY };
  if (thrown instanceof JuryError) return { status: 422, text: thrown.message };
  if (thrown instanceof z.ZodError) return { status: 400, text: UNREAD };
  throw thrown;
}

type Handler = (request: Request, response: Response) => Promise<void> | void;

/** Wraps a route so that its failures are shown as messages. */
export const saying =
  (handle: Handler): RequestHandler =>
  async (request, response) => {
    try {
      await handle(request, response);
    } catch (thrown) {
      const { status, text } = problemOf(thrown);
      if (!response.headersSent) refuse(request, response, status, text);
    }
  };

/** Aborts when the client disconnects or the service stops taking requests. */
export function goneSignal(response: Response, leaving: AbortSignal): AbortSignal {
  const gone = new AbortController();
  // Not AbortSignal.any: a signal derived from a long-lived one would stay in memory.
  const unlink = onAbort(leaving, () => gone.abort());
  response.on('close', () => {
    unlink();
    gone.abort();
  });
  return gone.signal;
}
