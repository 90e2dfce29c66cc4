import {
  type App,
  ExpressReceiver,
  type Logger,
  type Receiver,
  type ReceiverEvent,
  SocketModeReceiver,
} from '@slack/bolt';
import type { Express } from 'express';
import { socketClientOptions } from './clients.ts';
import type { Kept } from './keep-event.ts';

/** How Slack reaches the app. */
export type SlackTransport =
  | { kind: 'socket'; appToken: string }
  | { kind: 'http'; signingSecret: string; web: Express };

export const EVENTS_PATH = '/slack/events';
/** Largest request that is read; a form holds at most some 100,000 characters. */
const BODY_LIMIT = '1mb';

function transportReceiver(transport: SlackTransport, apiUrl: string | undefined, logger: Logger): Receiver {
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

/**
 * Takes events from one of Bolt's receivers and keeps what they ask for before it hands them to the app. Bolt acknowledges
 * an event before any listener sees it, so what must not be lost is kept by then. Where keeping throws, the event is not
 * acknowledged, and Slack sends it again.
 */
export class KeepingReceiver implements Receiver {
  readonly #receiver: Receiver;
  readonly #keep: (body: object) => Promise<Kept>;
  readonly #kept = new WeakMap<object, Kept>();

  constructor(receiver: Receiver, keep: (body: object) => Promise<Kept>) {
    this.#receiver = receiver;
    this.#keep = keep;
  }

  init(app: App): void {
    const processEvent = async (event: ReceiverEvent): Promise<void> => {
      this.#kept.set(event.body, await this.#keep(event.body));
      await app.processEvent(event);
    };
    // All that a receiver asks of an app is to process an event; the app itself stays as it is.
    this.#receiver.init(
      new Proxy(app, {
        get: (target, key) => (key === 'processEvent' ? processEvent : Reflect.get(target, key)),
      }),
    );
  }

  start(): Promise<unknown> {
    return this.#receiver.start();
  }

  stop(): Promise<unknown> {
    return this.#receiver.stop();
  }

  /** What was kept of a request's body. */
  keptOf(body: object): Kept {
    return this.#kept.get(body) ?? { kind: 'none' };
  }
}

/** @param keep keeps what a request's body asks for */
export const createReceiver = (
  transport: SlackTransport,
  apiUrl: string | undefined,
  logger: Logger,
  keep: (body: object) => Promise<Kept>,
): KeepingReceiver => new KeepingReceiver(transportReceiver(transport, apiUrl, logger), keep);
