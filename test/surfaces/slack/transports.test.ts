import { once } from 'node:events';
import { createServer } from 'node:http';
import { App } from '@slack/bolt';
import express from 'express';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { createOutgoing, noProxies } from '../../../src/judges/llm/proxies.ts';
import { createSlackLogger } from '../../../src/surfaces/slack/clients.ts';
import {
  type Kept,
  keepingReceiver,
  type SlackTransport,
  transportReceiver,
} from '../../../src/surfaces/slack/receiver.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { startSlackDouble, tokens } from '../../support/slack-double.ts';
import { type Delivery, overHttp, overSocket, SIGNING_SECRET } from '../../support/slack-requests.ts';
import type { Transport } from '../../support/slack-service.ts';
import { aRecord } from '../../support/store-builders.ts';

closeAfterEach();

const logger = createSlackLogger(pino({ level: 'silent' }));
const event = { type: 'app_mention', channel: 'C1', user: 'U1', text: 'hi', ts: '1.1', event_ts: '1.1' };
const kept: Kept = { kind: 'vote', record: aRecord(), status: 'unknown-verdict', value: 'agree', user: 'U1' };

/** An app that notes what its listener finds kept. */
async function listening(kind: Transport, keep: (body: object) => Promise<Kept>) {
  const slack = await startSlackDouble();
  closing(slack.close);
  const web = express();
  const transport: SlackTransport =
    kind === 'socket' ? { kind, appToken: tokens.app } : { kind, signingSecret: SIGNING_SECRET, web };
  const { receiver, keptOf } = keepingReceiver(
    await transportReceiver(transport, { apiUrl: slack.apiUrl, outgoing: createOutgoing(noProxies) }, logger),
    keep,
    async () => {},
  );
  const app = new App({
    receiver,
    logger,
    convoStore: false,
    authorize: async () => ({ botToken: tokens.bot }),
  });
  const seen: Kept[] = [];
  app.event('app_mention', async ({ body }) => void seen.push(keptOf(body)));
  let deliver: Delivery = overSocket(slack);
  if (kind === 'socket') {
    await receiver.start();
    closing(() => receiver.stop());
    await until(() => slack.sockets.size > 0);
  } else {
    const server = createServer(web).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing(async () => server.close());
    const address = server.address();
    deliver = overHttp(typeof address === 'object' && address !== null ? address.port : 0, slack.users.jury);
  }
  return { deliver, seen };
}

describe.each<Transport>(['http', 'socket'])('an event over %s', (kind) => {
  test('is acknowledged, and seen by listeners, only once it is kept', async () => {
    let finishKeeping: (() => void) | null = null;
    const { deliver, seen } = await listening(
      kind,
      () =>
        new Promise((resolve) => {
          finishKeeping = () => resolve(kept);
        }),
    );
    let acknowledged = false;
    const answer = deliver.event(event).then((answered) => {
      acknowledged = true;
      return answered;
    });
    const finish = await until(() => finishKeeping);
    // Long enough for an acknowledgement that does not wait.
    await new Promise((done) => setTimeout(done, 100));
    expect([acknowledged, seen]).toEqual([false, []]);
    finish();
    expect((await answer).status).toBe(200);
    expect(await until(() => seen[0])).toEqual(kept);
  });
});

test('an event that could not be kept is neither acknowledged nor seen by listeners', async () => {
  const { deliver, seen } = await listening('http', () => Promise.reject(new Error('the disk is full')));
  const { status } = await deliver.event(event);
  expect(status).toBe(500);
  expect(seen).toEqual([]);
});
