import type { Request, Response } from 'express';
import { isStillIn } from './access.ts';

/** How often an open event stream sends a heartbeat, so that no proxy takes it for dead. */
const BEAT_MS = 15_000;

/** One server-sent event. */
export interface StreamEvent {
  /** What a client sends as `Last-Event-ID` to go on after this event; absent if it cannot go on from here. */
  id?: number;
  /** Its type; absent for the default, `message`. */
  name?: string;
  data: unknown;
}

const textOf = ({ id, name, data }: StreamEvent): string =>
  [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(name === undefined ? [] : [`event: ${name}`]),
    `data: ${JSON.stringify(data)}`,
  ].join('\n');

/**
 * Answers with a stream of server-sent events. It ends by itself once the visitor would no longer be let in: a session can end, and a key
 * can be replaced, while it is open.
 * @param beatMs the time between two heartbeats
 */
export function openEventStream(request: Request, response: Response, beatMs = BEAT_MS) {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  const beat = setInterval(async () => {
    const isIn = await isStillIn(request).catch(() => false);
    // The stream may have ended during the check.
    if (response.writableEnded) return;
    if (isIn) response.write(': still here\n\n');
    else response.end();
  }, beatMs);
  response.once('close', () => clearInterval(beat));
  return {
    /** Whether more can be sent. */
    isOpen: (): boolean => !response.writableEnded,
    /** Sends an event; does nothing if the stream has ended. */
    send: (event: StreamEvent): void => {
      if (!response.writableEnded) response.write(`${textOf(event)}\n\n`);
    },
    end: (): void => {
      clearInterval(beat);
      response.end();
    },
  };
}
