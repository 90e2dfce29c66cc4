import type { Response } from 'express';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { isSignedIn, type Visitor } from './sessions.ts';

/** The pages of the console, as the menu has them. */
export const PAGES = [
  ['/', 'Ask'],
  ['/verdicts', 'Verdicts'],
  ['/queue', 'Queue'],
  ['/runs', 'Runs'],
] as const;

/**
 * A whole page.
 * @param at the address of the page of the navigation that it belongs to
 * @param who its visitor; null: one who has yet to sign in
 * @param scripts what a report needs: its own script and style, and what draws charts
 */
export function pageHtml({
  title,
  at,
  who,
  scripts = [],
  children,
}: {
  title: string;
  at: string;
  who: Visitor | null;
  scripts?: readonly ('report' | 'charts')[];
  children: ComponentChildren;
}): string {
  const page: VNode = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{title === '' ? 'Jury' : `${title} – Jury`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/console.css" />
        {scripts.length === 0 ? null : <link rel="stylesheet" href="/assets/report.css" />}
        {['console', ...scripts].map((name) => (
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
            {(who === null ? [] : PAGES).map(([path, name]) => (
              <a key={path} href={path} aria-current={path === at ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </nav>
          <a class="pale" href="/status">
            Status
          </a>
          {who === null || !isSignedIn(who) ? null : (
            <span class="who">
              {who.name ?? 'Signed in'}{' '}
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
  return `<!doctype html>${renderToString(page)}`;
}

/** The page of what is not there, or not for this visitor: with the menu, so that it is no dead end. */
export const refusePage = (response: Response, at: string, who: Visitor, why: string): void =>
  void response
    .status(404)
    .type('html')
    .send(pageHtml({ title: 'Not found', at, who, children: <p>{why}</p> }));

export const fragmentHtml = (part: VNode): string => renderToString(part);
