import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createWebHost } from '../../src/surfaces/web/web-host.ts';
import { closeAfterEach, closing, until } from '../support/resources.ts';
import { overHttp } from '../support/slack-requests.ts';
import { startJury, withSlack } from '../support/slack-service.ts';

closeAfterEach();

const FLOOD = 1_500;

/**
 * Opens them from a process of its own: some have sent nothing, some a part of their headers, some a part of their body. Says how many
 * are open.
 */
const FLOODING = `
const [port, count] = process.argv.slice(1).map(Number);
const beginnings = [
  '',
  'POST /slack/events HTTP/1.1\\r\\nhost: x\\r\\nx-slow: 1\\r\\n',
  'POST /slack/events HTTP/1.1\\r\\nhost: x\\r\\ncontent-type: application/json\\r\\ncontent-length: 100000\\r\\n\\r\\n{"a":"',
  'POST /api/messages HTTP/1.1\\r\\nhost: x\\r\\ntransfer-encoding: chunked\\r\\n\\r\\n5\\r\\nab',
];
let open = 0;
for (let n = 0; n < count; n++) {
  const socket = require('node:net').connect(port, '127.0.0.1', () => {
    open++;
    socket.write(beginnings[n % beginnings.length]);
  });
  socket.on('error', () => {}).on('close', () => open--).resume();
}
setInterval(() => console.log(open), 100);
`;

function flood(port: number): { open: () => number } {
  const child = spawn(process.execPath, ['-e', FLOODING, String(port), String(FLOOD)]);
  closing(async () => child.kill('SIGKILL'));
  let open = 0;
  child.stdout.on('data', (chunk) => {
    open = Number(String(chunk).trim().split('\n').at(-1));
  });
  return { open: () => open };
}

test('1,500 half-open connections delay no honest request, and are closed after ten seconds', async () => {
  const slack = await withSlack();
  const { service } = await startJury(slack);
  const deliver = overHttp(service.port, slack.users.jury);
  const honest = async (n: number): Promise<number> => {
    const startedAt = performance.now();
    const status =
      n % 2 === 0
        ? (await fetch(`http://127.0.0.1:${service.port}/healthz`)).status
        : (await deliver.command('help', { channel: slack.channel, user: slack.users.ann })).status;
    expect(status).toBe(200);
    return performance.now() - startedAt;
  };
  const twenty = () => Promise.all(Array.from({ length: 20 }, (_, n) => honest(n)));
  // A busy machine is slow by itself.
  const quiet = Math.max(...(await twenty()), ...(await twenty()));
  // While they come, and once they are there.
  const { open } = flood(service.port);
  const tookMs: number[] = [];
  let most = 0;
  while (most < 1_200) {
    tookMs.push(...(await twenty()));
    most = Math.max(most, open());
  }
  const floodedAt = performance.now();
  tookMs.push(...(await twenty()));
  expect(Math.max(...tookMs)).toBeLessThan(Math.max(1_000, 5 * quiet));
  console.log(
    `  ${FLOOD} half-open: the slowest of ${tookMs.length} honest requests took ${Math.max(...tookMs).toFixed(0)} ms`,
  );
  // Too many of them at once: the oldest go before their time.
  await until(() => open() <= 600);
  expect(performance.now() - floodedAt).toBeLessThan(6_000);
  await until(() => open() === 0);
  expect(performance.now() - floodedAt).toBeLessThan(13_000);
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
