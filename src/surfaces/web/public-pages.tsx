import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Express, RequestHandler } from 'express';
import type { RendererObject, Token } from 'marked';
import { type ComponentChildren, createElement, Fragment } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Env } from '../../env.ts';
import { pageHtml } from './page.tsx';
import { noStore, secured } from './security-headers.ts';

/** A part of the service on the status page: whether it works, and what it does or how to turn it on. Contains no secrets and no data. */
export interface StatusItem {
  name: string;
  title: string;
  state: 'on' | 'off' | 'broken';
  text: string;
  /** How and where people can ask, if this part takes requests. */
  ask?: { how: string; address: string };
}

/** Capitalizes the first word if it is plain lowercase, and drops the final period. */
const sentence = (text: string): string =>
  text.replace(/^[a-z]+(?=[ ,])/, (word) => word.charAt(0).toUpperCase() + word.slice(1)).replace(/\.$/, '');

const STATES: Record<StatusItem['state'], string> = { on: '✓ on', off: '– off', broken: '✗ not working' };

function WhereToAsk({ items }: { items: readonly StatusItem[] }) {
  const lines = items.flatMap(({ name, title, state, ask }) => {
    if (ask === undefined || state !== 'on') return [];
    if (ask.address === '/')
      return [
        <p key={name}>
          <a href="/">In the browser</a>: {ask.how}.
        </p>,
      ];
    if (!URL.canParse(ask.address)) return [];
    return [
      <p key={name}>
        In {title} at{' '}
        <a href={ask.address} rel="noreferrer">
          {new URL(ask.address).host}
        </a>
        : {ask.how}.
      </p>,
    ];
  });
  if (lines.length > 0) return <>{lines}</>;
  return (
    <p>
      No chat is connected yet: turn one on below. In a terminal, <code>npx jury judge</code> works without
      one.
    </p>
  );
}

/** A doc's title from its file name: `labels-and-studies.md` is "Labels and studies". */
const titleOfDoc = (name: string): string => {
  const words = name.replace(/\.md$/, '').replaceAll('-', ' ');
  return words === 'cli' ? 'Command line' : words.charAt(0).toUpperCase() + words.slice(1);
};

const MONITORING = [
  ['/healthz', 'Health: the process lives'],
  ['/readyz', 'Readiness: every part works'],
  ['/metrics', 'Metrics for Prometheus'],
] as const;

const Links = ({ links }: { links: readonly (readonly [path: string, label: string])[] }) => (
  <ul>
    {links.map(([path, label]) => (
      <li key={path}>
        <a href={path}>{label}</a>
      </li>
    ))}
  </ul>
);

/** @param docs names of the files in the docs folder */
const StatusPage = ({ items, docs }: { items: readonly StatusItem[]; docs: readonly string[] }) => (
  <>
    <h1>Jury</h1>
    <p class="pale">A panel of judges for what your conversational system answers.</p>
    <h2>Ask</h2>
    <WhereToAsk items={items} />
    <h2>What is on</h2>
    <dl class="entries">
      {items.map(({ name, title, state, text }) => (
        <div key={name}>
          <dt>
            {title} <span class={`state ${state}`}>{STATES[state]}</span>
          </dt>
          <dd>{sentence(text)}.</dd>
        </div>
      ))}
    </dl>
    <p class="pale">
      Settings are environment variables or lines of a <code>.env</code> file. Restart the service after a
      change; <code>npx jury doctor</code> checks them.
    </p>
    {docs.length === 0 ? null : (
      <>
        <h2>Docs</h2>
        <Links links={docs.map((name) => [`/docs/${name}`, titleOfDoc(name)] as const)} />
      </>
    )}
    <h2>For monitoring</h2>
    <Links links={MONITORING} />
  </>
);

/** A heading's anchor, as on GitHub: `## HTTP API` is `#http-api`. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** HTML comments in the docs, which are for their editors and are not shown. */
const COMMENT = /^<!--[\s\S]*?-->\s*$/;

const escaped = (text: string): string => renderToString(createElement(Fragment, null, text));

/**
 * Renders a doc as HTML. Links to other docs, to headings and to other sites work; links to files that are not served become plain text,
 * and pictures a caption. HTML in the doc is escaped.
 * @param docs paths that may be linked to
 */
export async function docHtml(text: string, docs: readonly string[]): Promise<string> {
  const { Marked } = await import('marked');
  const isServed = (to: string): boolean =>
    docs.includes(to.replace(/#.*/, '')) || /^(?:#|https?:\/\/)/.test(to);
  const renderer: RendererObject = {
    html: (token) => (COMMENT.test(token.text) ? '' : escaped(token.text)),
    image: (token) => `<span class="pale">Picture: ${escaped(token.text)}</span>`,
    heading({ depth, text: title, tokens }) {
      return `<h${depth} id="${anchorOf(title)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      return isServed(href) ? `<a href="${escaped(href)}" rel="noreferrer">${words}</a>` : words;
    },
  };
  // Marked leaves text between HTML tags such as <kbd> unescaped, but here those tags are shown as text.
  const walkTokens = (token: Token): void => {
    if (token.type === 'text') token.escaped = false;
  };
  return new Marked({ renderer, walkTokens }).parse(text, { async: false });
}

const DocPage = ({ html }: { html: string }) => (
  <>
    <p>
      <a href="/status">← Status and docs</a>
    </p>
    <div class="doc" dangerouslySetInnerHTML={{ __html: html }} />
  </>
);

/**
 * Serves the pages that need no sign-in: `/status` (what is on and off), `/docs/NAME.md` (the docs) and `/assets` (scripts and styles).
 * @param guard middleware in front of `/status`; none if everyone may read it
 */
export async function servePublicPages(
  app: Express,
  env: Env,
  status: () => Promise<readonly StatusItem[]>,
  guard: readonly RequestHandler[] = [],
): Promise<void> {
  // If the docs are missing, the status page just has no links to them.
  const names = await readdir(env.docsFolder).catch(() => []);
  const docs = names.filter((name) => name.endsWith('.md')).sort();
  app.use(['/assets', '/status', '/docs'], secured(env));
  app.use(['/status', '/docs'], noStore);
  // Read once, so that pages keep getting the scripts of their own version while an update is being installed.
  for (const name of await readdir(env.browserFolder)) {
    const text = await readFile(join(env.browserFolder, name), 'utf8');
    app.get(
      `/assets/${name}`,
      (_request, response) => void response.set('cache-control', 'no-cache').type(extname(name)).send(text),
    );
  }

  const page = async (title: string, children: ComponentChildren): Promise<string> => {
    const hasMenu = (await status()).some(({ state, ask }) => state === 'on' && ask?.address === '/');
    return pageHtml({ title, at: '/status', who: null, hasMenu, scripts: [], children });
  };
  app.get('/status', ...guard, async (_request, response) => {
    const children = <StatusPage items={await status()} docs={docs} />;
    response.type('html').send(await page('Status', children));
  });
  app.get('/docs/:name', async ({ params: { name } }, response) => {
    if (!docs.includes(name)) return void response.status(404).type('text').send('Not found.');
    const text = await readFile(join(env.docsFolder, name), 'utf8');
    response.type('html').send(await page(titleOfDoc(name), <DocPage html={await docHtml(text, docs)} />));
  });
}
