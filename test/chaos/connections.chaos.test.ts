import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createWebHost } from '../../src/surfaces/web/web-host.ts';
import { startFlood } from '../support/flood.ts';
import { closeAfterEach, closing, until } from '../support/resources.ts';
import { overHttp } from '../support/slack-requests.ts';
import { startJury, withSlack } from '../support/slack-service.ts';

closeAfterEach();

const FLOOD = 1_500;
/** As many may be half-sent at the same time. */
const MOST = 500;

test('1,500 half-open connections keep no honest request from its answer; the oldest go first, in the end all', async () => {
  const slack = await withSlack();
  const { service } = await startJury(slack);
  const deliver = overHttp(service.port, slack.users.jury);
  const honest = async (n: number): Promise<number> =>
    n % 2 === 0
      ? (await fetch(`http://127.0.0.1:${service.port}/healthz`)).status
      : (await deliver.command('help', { channel: slack.channel, user: slack.users.ann })).status;
  const twenty = () => Promise.all(Array.from({ length: 20 }, (_, n) => honest(n)));
  const allAnswered = Array(20).fill(200);
  const flood = startFlood(service.port, FLOOD);
  closing(flood.stop);
  // While they come, and once they are there.
  while (flood.seen().opened < FLOOD) expect(await twenty()).toEqual(allAnswered);
  expect(await twenty()).toEqual(allAnswered);
  await until(() => flood.seen().open === 0);
  expect(await twenty()).toEqual(allAnswered);
  // Where there is no room the oldest are cut off; the youngest stay until their request would have to be there, and hear so.
  const { timedOut, oldestTimedOut } = flood.seen();
  expect(timedOut).toBeGreaterThan(0);
  expect(timedOut).toBeLessThanOrEqual(MOST);
  expect(oldestTimedOut).toBeGreaterThan(FLOOD / 2);
});

test('an answer may take longer than a request, and a connection may carry several', async () => {
  const host = createWebHost('127.0.0.1', 0, [], { contentType: 'text/plain', read: async () => '' });
  host.app.get('/slow', (_request, response) => void setTimeout(() => response.end('at last'), 12_000));
  const port = await host.listen();
  closing(host.close);
  const slow = fetch(`http://127.0.0.1:${port}/slow`).then((response) => response.text());
  const socket = connect(port, '127.0.0.1');
  closing(async () => socket.destroy());
  await once(socket, 'connect');
  let answered = '';
  socket.on('data', (chunk) => {
    answered += String(chunk);
  });
  for (let n = 0; n < 3; n++) {
    answered = '';
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await until(() => answered.includes('200 OK'));
  }
  expect(await slow).toBe('at last');
});
