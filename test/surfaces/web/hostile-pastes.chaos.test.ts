import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { browserOfFile } from '../../support/browser-of-file.ts';
import { boxWith, pagesWith } from '../../support/console-pages.tsx';
import { hostilePastes } from '../../support/hostile-pastes.ts';
import { closeAfterEach, closing } from '../../support/resources.ts';

closeAfterEach();

const { drawnPastes: COUNT } = inject('counts');
/** In one page, and of these in one verdict. */
const AT_ONCE = 500;
const TOGETHER = 10;

const browser = browserOfFile();

/** A page without any rule against scripts: only the escaping keeps them from running. */
const documentOf = (body: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><script>
   var executed = 0; var hit = HIT = function () { executed += 1; }; var alert = hit;
   </script></head><body><main>${body}</main></body></html>`;

/** Serves one page after another to a browser. @returns what ran, what it asked other hosts for, and the elements and attributes that it has */
async function opening(page: Page) {
  let body = '';
  const server = createServer((request, response) => {
    const isPage = request.url === '/';
    response
      .writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
      .end(isPage ? documentOf(body) : '');
  }).listen(0, '127.0.0.1');
  closing(async () => void server.close());
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url() !== origin) asked.push(request.url());
  });
  return async (html: string) => {
    body = html;
    await page.goto(origin);
    const found = await page.evaluate(async () => {
      const main = document.querySelector('main');
      // As the console draws parts anew: what was read and written once more must not come to life.
      const copy = document.createElement('div');
      copy.innerHTML = main?.innerHTML ?? '';
      document.body.append(copy);
      for (const details of document.querySelectorAll('details')) details.open = true;
      await new Promise((done) => setTimeout(done, 50));
      const names = new Set<string>();
      const links = new Set<string>();
      for (const element of document.querySelectorAll('main, main *, body > div, body > div *')) {
        names.add(element.localName);
        for (const { name, value } of element.attributes) {
          names.add(`@${name}`);
          if (['href', 'src', 'action', 'formaction'].includes(name)) links.add(value);
        }
      }
      return {
        executed: Number(Reflect.get(globalThis, 'executed')),
        outside: [...document.body.children].map(({ localName }) => localName),
        names: [...names].sort(),
        links: [...links],
      };
    });
    return { ...found, asked: asked.splice(0) };
  };
}

const namesIn = (html: string): string[] => [
  ...new Set([
    ...[...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, name = '']) => name),
    ...[...html.matchAll(/ ([a-z-]+)(?==")/g)].map(([, name = '']) => `@${name}`),
  ]),
];

describe.skipIf(!browser.isThere)('hostile pastes', () => {
  const pastes = hostilePastes(COUNT);

  test('are live: unescaped they run and load things', async () => {
    const page = await (await browser.newContext()).newPage();
    const open = await opening(page);
    const live = pastes.filter((text) => /onerror|<script>hit/.test(text) && !/plaintext|http:/.test(text));
    const { asked } = await open(live.slice(0, 100).join(''));
    await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'executed'))).toBeGreaterThan(10);
    expect(asked).not.toEqual([]);
  });

  test(`${COUNT.toLocaleString('en-US')} of them on every page of the console run nothing, load nothing and add no element`, async () => {
    const page = await (await browser.newContext()).newPage();
    const open = await opening(page);
    const harmless = `${boxWith('text')}${pagesWith(['text'])}${pagesWith(['User: Find sushi\nSystem: Umi.\nRating: 4'])}`;
    const usual = await open(harmless);
    // The same components with text that means nothing have the elements and attributes that their source names.
    expect(usual.names.filter((name) => !namesIn(harmless).includes(name) && !name.startsWith('@'))).toEqual([
      'main',
    ]);
    for (let from = 0; from < COUNT; from += AT_ONCE) {
      const batch = pastes.slice(from, from + AT_ONCE);
      const groups = Array.from({ length: AT_ONCE / TOGETHER }, (_, n) =>
        batch.slice(n * TOGETHER, (n + 1) * TOGETHER),
      );
      const html = `${boxWith(batch.join('\n'))}${groups.map(pagesWith).join('')}`;
      const { executed, outside, names, links, asked } = await open(html);
      expect(executed, `from ${from}`).toBe(0);
      expect(asked, `from ${from}`).toEqual([]);
      expect(outside, `from ${from}`).toEqual(['main', 'div']);
      expect(
        names.filter((name) => !usual.names.includes(name)),
        `from ${from}`,
      ).toEqual([]);
      expect(
        links.filter((link) => !link.startsWith('/')),
        `from ${from}`,
      ).toEqual([]);
    }
  });
});
