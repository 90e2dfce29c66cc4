import { ExpressReceiver, type Logger, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { Express } from 'express';
import { socketClientOptions } from './clients.ts';

/** How Slack reaches the app. */
export type SlackTransport =
  | { kind: 'socket'; appToken: string }
  | { kind: 'http'; signingSecret: string; web: Express };

export const EVENTS_PATH = '/slack/events';
/** Largest request that is read; a form holds at most some 100,000 characters. */
const BODY_LIMIT = '1mb';

export function createReceiver(
  transport: SlackTransport,
  apiUrl: string | undefined,
  logger: Logger,
): Receiver {
  switch (transport.kind) {
    case 'socket':
      return new SocketModeReceiver({
        appToken: transport.appToken,
        logger,
        installerOptions: { clientOptions: socketClientOptions(apiUrl) },
      });
    case 'http':
      return new ExpressReceiver({
        signingSecret: transport.signingSecret,
        app: transport.web,
        endpoints: EVENTS_PATH,
        bodyLimit: BODY_LIMIT,
        logger,
      });
  }
}
