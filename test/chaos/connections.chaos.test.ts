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
test('1,500 half-open connections keep no honest request from its answer, and are closed in the end', async () => {
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
});

const webHost = () => createWebHost('127.0.0.1', 0, [], { contentType: 'text/plain', read: async () => '' });

test('where there is no room the oldest half-open connections are closed; the youngest hear that their time is over', async () => {
  const host = webHost();
  const port = await host.listen();
  closing(host.close);
  const more = 50;
  const count = 500 + more;
  const closed: number[] = [];
  let heardByYoungest = '';
  for (let place = 0; place < count; place++) {
    const socket = connect(port, '127.0.0.1');
    closing(async () => socket.destroy());
    socket.on('error', () => {}).on('close', () => closed.push(place));
    socket.on('data', (chunk) => {
      if (place === count - 1) heardByYoungest += String(chunk);
    });
    // One after another: connections are accepted in the order in which they came.
    await once(socket, 'connect');
    socket.write('POST /slack/events HTTP/1.1\r\nhost: x\r\n');
  }
  await until(() => closed.length >= more);
  expect(closed.slice(0, more).filter((place) => place > count / 2)).toEqual([]);
  await until(() => closed.length === count);
  expect(heardByYoungest).toContain(' 408 ');
});

/** A connection that asks for something, and what has come of it. */
async function asking(port: number, text: string) {
  const socket = connect(port, '127.0.0.1');
  closing(async () => socket.destroy());
  const one = { socket, isClosed: false, answers: 0 };
  socket
    .on('error', () => {})
    .on('close', () => {
      one.isClosed = true;
    });
  socket.on('data', (chunk) => {
    one.answers += String(chunk).split('200 OK').length - 1;
  });
  await once(socket, 'connect');
  socket.write(text);
  return one;
}

const manyAsking = (count: number, port: number, text: string) =>
  Promise.all(Array.from({ length: count }, () => asking(port, text)));

const HALF = 'GET /healthz HTTP/1.1\r\nhost: x\r\n';
const WHOLE = `${HALF}\r\n`;

test('idle connections do not count as half-open, however long they have been there', async () => {
  const host = webHost();
  const port = await host.listen();
  closing(host.close);
  const idle = await manyAsking(100, port, WHOLE);
  await until(() => idle.every(({ answers }) => answers === 1));
  const halfOpen = await manyAsking(510, port, HALF);
  await until(() => halfOpen.filter(({ isClosed }) => isClosed).length === 10);
  for (const { socket } of idle) socket.write(WHOLE);
  await until(() => idle.every(({ answers, isClosed }) => answers === 2 || isClosed));
  expect(idle.map(({ isClosed }) => isClosed)).toEqual(idle.map(() => false));
});

test('connections that have sent half of their second request do count', async () => {
  const host = webHost();
  const port = await host.listen();
  closing(host.close);
  const all = await manyAsking(510, port, WHOLE);
  await until(() => all.every(({ answers }) => answers === 1));
  for (const { socket } of all) socket.write(HALF);
  await until(() => all.filter(({ isClosed }) => isClosed).length >= 10);
  // Those that there is room for can send the rest.
  for (const { socket } of all) socket.write('\r\n');
  await until(() => all.every(({ answers, isClosed }) => answers === 2 || isClosed));
  expect(all.filter(({ answers }) => answers === 2).length).toBe(500);
});

test('an answer may take longer than a request, and a connection may carry several', async () => {
  const host = webHost();
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
