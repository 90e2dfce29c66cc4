import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Express } from 'express';
import { PAGES } from './layout.tsx';

/** A part of the service: whether it works, and what it does or how to turn it on. Holds no secrets and no data. */
export interface StatusItem {
  name: string;
  title: string;
  state: 'on' | 'off' | 'broken';
  text: string;
  /** Where people ask, if they ask there. */
  ask?: { how: string; address: string };
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: light dark; --ink: #1d1c1d; --pale: #5e5d60; --line: #dcdcdc; --ground: #fff; --on: #006b3f; --off: #5e5d60; --broken: #b3261e; --link: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --pale: #b4b4b8; --line: #3b3b40; --ground: #18181b; --on: #62d39a; --off: #b4b4b8; --broken: #ff9a90; --link: #8ec2ff } }
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem 1rem 3rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.6rem } h2 { margin: 2rem 0 .5rem; font-size: 1.1rem } p { margin: .25rem 0 } a { color: var(--link) }
.pale { color: var(--pale) }
dl { margin: 0; border-top: 1px solid var(--line) }
dl > div { padding: .7rem 0; border-bottom: 1px solid var(--line) }
dt { font-weight: 600 } dd { margin: 0 }
.state { margin-left: .4rem; font-weight: 600 } .on { color: var(--on) } .off { color: var(--off) } .broken { color: var(--broken) }
ul { margin: 0; padding-left: 1.2rem }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-bottom: 1rem } nav a { color: inherit }
`;

/** A first word that is not the name of anything gets its capital. */
const sentence = (text: string): string =>
  text.replace(/^[a-z]+(?=[ ,])/, (word) => word.charAt(0).toUpperCase() + word.slice(1)).replace(/\.$/, '');

const STATES: Record<StatusItem['state'], string> = { on: '✓ on', off: '– off', broken: '✗ not working' };

const itemHtml = ({ title, state, text }: StatusItem): string =>
  `<div><dt>${escaped(title)} <span class="state ${state}">${STATES[state]}</span></dt><dd>${escaped(sentence(text))}.</dd></div>`;

function askHtml(items: readonly StatusItem[]): string {
  const lines = items.flatMap(({ title, state, ask }) => {
    if (ask === undefined || state !== 'on') return [];
    if (ask.address === '/') return [`<p><a href="/">In the browser</a>: ${escaped(ask.how)}.</p>`];
    return !URL.canParse(ask.address)
      ? []
      : [
          `<p>In ${escaped(title)} at <a href="${escaped(ask.address)}" rel="noreferrer">${escaped(new URL(ask.address).host)}</a>: ${escaped(ask.how)}.</p>`,
        ];
  });
  return lines.length > 0
    ? lines.join('\n')
    : '<p>No chat is connected yet: turn one on below. In a terminal, <code>npx jury judge</code> works without one.</p>';
}

const listHtml = (links: readonly (readonly [path: string, label: string])[]): string =>
  `<ul>${links.map(([path, label]) => `<li><a href="${escaped(path)}">${escaped(label)}</a></li>`).join('')}</ul>`;

/** `labels-and-studies.md` is `Labels and studies`. */
const titleOfDoc = (name: string): string => {
  const words = name.replace(/\.md$/, '').replaceAll('-', ' ');
  return words === 'cli' ? 'Command line' : words.charAt(0).toUpperCase() + words.slice(1);
};

/** The console's menu, where there is one. */
const menuHtml = (items: readonly StatusItem[]): string =>
  items.some(({ state, ask }) => state === 'on' && ask?.address === '/')
    ? `<nav aria-label="Pages">${[...PAGES, ['/status', 'Status'] as const].map(([path, name]) => `<a href="${path}"${path === '/status' ? ' aria-current="page"' : ''}>${name}</a>`).join('')}</nav>`
    : '';

/** @param docs names of the files in the docs folder */
const statusHtml = (items: readonly StatusItem[], docs: readonly string[]): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Jury</title>
<style>${STYLE}</style>
${menuHtml(items)}
<h1>Jury</h1>
<p class="pale">A panel of judges for what your conversational system answers.</p>
<h2>Ask</h2>
${askHtml(items)}
<h2>What is on</h2>
<dl>
${items.map(itemHtml).join('\n')}
</dl>
<p class="pale">Settings are environment variables or lines of a <code>.env</code> file. Restart the service after a change; <code>npx jury doctor</code> checks them.</p>
${docs.length === 0 ? '' : `<h2>Docs</h2>\n${listHtml(docs.map((name) => [`/docs/${name}`, titleOfDoc(name)] as const))}`}
<h2>For monitoring</h2>
${listHtml([
  ['/healthz', 'Health: the process lives'],
  ['/readyz', 'Readiness: every part works'],
  ['/metrics', 'Metrics for Prometheus'],
])}
</html>
`;

/** Nothing but our own style is loaded, run, sent or framed. */
const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/**
 * `GET /status`: what is on and off; `GET /docs/NAME.md`: the docs, as text.
 *
 * @param docsFolder may be missing: then there are no links
 */
export async function serveStatusPage(
  app: Express,
  status: () => Promise<readonly StatusItem[]>,
  docsFolder: string,
): Promise<void> {
  const names = await readdir(docsFolder).catch(() => []);
  const docs = names.filter((name) => name.endsWith('.md')).sort();
  app.get('/status', async (_request, response) => {
    response
      .set(HEADERS)
      .type('html')
      .send(statusHtml(await status(), docs));
  });
  app.get('/docs/:name', async ({ params: { name } }, response) => {
    if (!docs.includes(name)) return void response.status(404).set(HEADERS).type('text').send('Not found.');
    response
      .set(HEADERS)
      .type('text')
      .send(await readFile(join(docsFolder, name), 'utf8'));
  });
}
