import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { browserOfFile } from '../../support/browser-of-file.ts';
import { type Forward, findNginx, findSocat } from '../../support/forwarders.ts';
import { keyedConsole, WORDS } from '../../support/keyed-console.ts';
import { keyIn, openLink, sessionOf } from '../../support/open-link.ts';
import { call, callWithout } from '../../support/page-service.ts';
import { GOOD_PASTE } from '../../support/pastes.ts';
import { closeAfterEach } from '../../support/resources.ts';

closeAfterEach();

const browser = browserOfFile();

/** The link, as people open it who come by the forwarded port. */
function linkAt(link: string, port: number): string {
  const url = new URL(link);
  url.port = `${port}`;
  return url.href;
}

const forwards: readonly [what: string, forward: Forward | null][] = [
  ['nginx with one line', findNginx()],
  ['socat', findSocat()],
];

describe.each(forwards)('through %s', (_what, forward) => {
  test.skipIf(forward === null)('not one route answers without the key', async () => {
    const { jury, keyed, addressOf } = await keyedConsole();
    const port = (await forward?.(jury.service.port)) ?? 0;
    for (const route of keyed) {
      const { status, text: said } = await callWithout(port, addressOf(route), { method: route.method });
      expect([route, status]).toEqual([route, 401]);
      expect(said).not.toMatch(WORDS);
    }
    const body = { paste: GOOD_PASTE };
    expect((await callWithout(port, '/api/v1/verdicts', { method: 'POST', body })).status).toBe(401);
    expect((await callWithout(port, '/healthz')).status).toBe(200);
  });

  test.skipIf(forward === null)('everything opens after the link was opened once', async () => {
    const { jury, keyed, addressOf, link, folder } = await keyedConsole();
    const port = (await forward?.(jury.service.port)) ?? 0;
    await openLink(linkAt(link, port));
    const reading = keyed.filter(({ method, path }) => ['GET', 'HEAD'].includes(method) && path !== '/open');
    for (const route of reading) {
      const { status } = await call(port, addressOf(route), { method: route.method });
      expect([route, status]).toEqual([route, expect.toSatisfy((code: number) => code < 400)]);
    }
    expect((await call(port, '/api/v1/verdicts')).text).toMatch(WORDS);
    const headers = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
    const body = { key: randomUUID(), text: GOOD_PASTE };
    const asked = await call(port, '/ui/requests', { method: 'POST', body, headers });
    expect(asked.status).toBe(202);
    const { view } = JSON.parse(asked.text);
    const events = await fetch(`http://127.0.0.1:${port}/ui/views/${view}/events`, {
      headers: sessionOf(port),
    });
    expect(await events.text()).toContain('PASS');
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await call(port, '/ui/requests', { method: 'POST', body, headers: elsewhere })).status).toBe(403);
    const judged = await call(port, '/api/v1/verdicts', {
      method: 'POST',
      body: { paste: GOOD_PASTE },
      headers: keyIn(folder),
    });
    expect([judged.status, JSON.parse(judged.text).decision]).toEqual([200, 'pass']);
  });

  test.skipIf(forward === null || !browser.isThere)('people paste, watch and vote in a browser', async () => {
    const { jury, link } = await keyedConsole();
    const port = (await forward?.(jury.service.port)) ?? 0;
    const context = await browser.newContext({ baseURL: `http://127.0.0.1:${port}` });
    const page = await context.newPage();
    expect((await page.goto('/verdicts'))?.status()).toBe(401);
    await page.getByText('npx jury open').waitFor();
    await page.goto(linkAt(link, port));
    expect(page.url()).toBe(`http://127.0.0.1:${port}/`);
    await page.getByLabel('Paste a conversation').fill(GOOD_PASTE);
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByRole('heading', { name: /^PASS|PASS –/ }).waitFor();
    await page.getByRole('button', { name: 'The verdict is right' }).click();
    await page.getByRole('button', { name: '👍 1' }).waitFor();
    await page.getByRole('link', { name: 'Status' }).click();
    await page.getByRole('heading', { name: 'What is on' }).waitFor();
  });
});

test('HTTP/1.0, with or without a host, gets nothing without the key', async () => {
  const { jury, keyed, addressOf } = await keyedConsole();
  const { port } = jury.service;
  for (const host of ['', `Host: 127.0.0.1:${port}\r\n`, 'Host: localhost\r\n'])
    for (const route of keyed) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`${route.method} ${addressOf(route)} HTTP/1.0\r\n${host}\r\n`);
      const answer = await text(socket);
      // Without a host, agents are refused before anything else.
      const refusal = route.path.startsWith('/mcp') && host === '' ? '403 Forbidden' : '401 Unauthorized';
      expect([route, answer.split('\r\n')[0]]).toEqual([route, `HTTP/1.1 ${refusal}`]);
      expect(answer).not.toMatch(WORDS);
    }
});
