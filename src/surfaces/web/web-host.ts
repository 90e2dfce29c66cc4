import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/index.ts';
import type { CheckObserver } from '../../requests/index.ts';

/** How long a request (headers and body) may take to arrive. Responses and event streams may take as long as they need. */
const RECEIVE_MS = 10_000;

/** The most connections that may wait for the rest of a request at the same time. */
const MOST = 500;
/** Connections that have waited for less than this are left alone: what they sent may not have been read yet. */
const GRACE_MS = 500;

/**
 * If too many connections have not sent a whole request, closes the oldest of them, so that a flood leaves room for others. Node's own
 * limits do not: `maxConnections` turns away those that come next, and the timeouts leave a flood its ten seconds.
 */
function limitHalfSent(server: Server): void {
  /**
   * The connections, those that have waited longest first, each with the request that is arriving, if any, and the bytes read before it; -1
   * for a new connection, which counts even if it sends nothing.
   */
  const waiting = new Map<Socket, { since: number; readBefore: number; request: IncomingMessage | null }>();
  const wait = (socket: Socket, readBefore: number, request: IncomingMessage | null) => {
    waiting.delete(socket);
    if (!socket.destroyed) waiting.set(socket, { since: performance.now(), readBefore, request });
  };
  server.on('connection', (socket: Socket) => {
    wait(socket, -1, null);
    socket.once('close', () => waiting.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    wait(socket, -1, request);
    // One that stays open is idle until it sends more.
    response.once('finish', () => wait(socket, socket.bytesRead, null));
  });
  const evict = () => {
    const halfSent = [...waiting].filter(
      ([socket, { readBefore, request }]) => request?.complete !== true && socket.bytesRead > readBefore,
    );
    const now = performance.now();
    for (const [socket, { since }] of halfSent.slice(0, -MOST)) if (now - since >= GRACE_MS) socket.destroy();
  };
  const looking = setInterval(evict, GRACE_MS).unref();
  server.once('close', () => clearInterval(looking));
}

/** A check whether a part of the service is ready. `check` rejects if it is not, with a message that says why. */
export interface Readiness {
  name: string;
  check: () => Promise<void>;
}

/** Connections that may wait to be accepted. Large, because a client that is turned away tries again only after a second. */
const BACKLOG = 4_096;

const Refused = z.object({ status: z.int().min(400).max(499) });

/** The status for a request that cannot be read; null if something else went wrong. */
const refusedStatus = (thrown: unknown): number | null => Refused.safeParse(thrown).data?.status ?? null;

/** Reads JSON bodies of up to 1 MB. */
export const readBody = express.json({ limit: '1mb' });

/** Answers requests whose body cannot be read or is too large. Express recognizes it by its four parameters. */
export const refusingBody =
  (
    answer: (status: number, request: express.Request, response: express.Response) => void,
  ): ErrorRequestHandler =>
  (thrown, request, response, next) => {
    const status = refusedStatus(thrown);
    if (status === null || response.headersSent) next(thrown);
    else answer(status, request, response);
  };

/** The last error handler. Express recognizes it by its four parameters. */
const refuse: ErrorRequestHandler = (thrown, _request, response, next) => {
  if (response.headersSent) return next(thrown);
  const status = refusedStatus(thrown) ?? 500;
  response.status(status).json({ error: status === 500 ? 'internal error' : 'bad request' });
};

/**
 * The service's web server, with `/healthz` (the process is alive), `/readyz` (lists the parts; 503 unless all are ready) and `/metrics`.
 * @param guard middleware in front of `/metrics`
 */
export function createWebHost(
  host: string,
  port: number,
  readiness: readonly Readiness[],
  measured: { contentType: string; read: Metrics['read'] },
  guard: readonly express.RequestHandler[] = [],
) {
  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const parts = await Promise.all(
      readiness.map(async ({ name, check }) => {
        try {
          await check();
          return { name, ready: true };
        } catch (thrown) {
          return { name, ready: false, message: messageOf(thrown) };
        }
      }),
    );
    response.status(parts.every(({ ready }) => ready) ? 200 : 503).json({ parts });
  });
  app.get('/metrics', ...guard, async (_request, response) => {
    response.type(measured.contentType).send(await measured.read());
  });
  const server = createServer(
    { headersTimeout: RECEIVE_MS, requestTimeout: RECEIVE_MS, connectionsCheckingInterval: 1_000 },
    app,
  );
  limitHalfSent(server);
  return {
    app,
    /** Reserves a place for a surface's routes, before `listen`; the routes may come later. */
    place: (): Express => {
      const part = express();
      part.disable('x-powered-by');
      app.use(part);
      return part;
    },
    /**
     * Starts listening.
     * @returns the actual port, even if it was requested as 0
     * @throws JuryError `config` if the address is not available
     */
    listen: async (): Promise<number> => {
      app.use((_request, response) => {
        response.status(404).type('text').send('There is no such page. Start at /.');
      });
      // After all routes. Error responses contain no stack trace and nothing of the request.
      app.use(refuse);
      server.listen({ port, host, backlog: BACKLOG });
      try {
        await once(server, 'listening');
      } catch (thrown) {
        throw new JuryError(
          'config',
          `Cannot listen on ${host}:${port} (${messageOf(thrown)}): set PORT or HOST.`,
        );
      }
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },
    /** @param graceMs how long requests still open may take before they are cut off */
    close: async (graceMs = 5_000): Promise<void> => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/**
 * The service's metrics: verdicts, judgements, durations, votes, queues, errors. Labels hold ids, never text from outside. No metric reveals
 * the outcome of a verdict or a vote, because people may have to vote before they see it.
 */
export function createMetrics() {
  const registry = new Registry();
  const about = (name: string, help: string, ...labelNames: string[]) => ({
    name: `jury_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  collectDefaultMetrics({ register: registry });
  const verdicts = new Counter(
    about('verdicts_total', 'Verdicts that were kept', 'surface', 'rubric', 'method'),
  );
  const judgements = new Counter(
    about('judgements_total', 'Questions to judges: answered, or why not', 'model', 'outcome'),
  );
  const verdictSeconds = new Histogram({
    ...about('verdict_seconds', 'Time from the first question to the verdict', 'method'),
    buckets: SECONDS,
  });
  const checkSeconds = new Histogram({
    ...about('check_seconds', 'Time from taking up a request to its end', 'surface', 'outcome'),
    buckets: SECONDS,
  });
  const votes = new Counter(about('votes_total', 'Votes cast, changed or taken back'));
  const errors = new Counter(about('errors_total', 'Failures by where they happened', 'where'));
  const depth = new Gauge(
    about('queue_depth', 'Questions waiting or running, and unfinished requests', 'state'),
  );
  let read = async () => ({ waiting: 0, running: 0, pending: 0 });
  const error = (where: string) => errors.inc({ where });
  const observer: CheckObserver = {
    judged: ({ source: { surface }, verdict }) => {
      const { rubric, method } = verdict;
      verdicts.inc({ surface, rubric, method });
      verdictSeconds.observe({ method }, verdict.durationMs / 1000);
      for (const judgement of verdict.judgements)
        judgements.inc({
          model: judgement.judge.model,
          outcome: judgement.status === 'scored' ? 'answered' : judgement.reason,
        });
    },
    ended: ({ surface }, outcome, ms) => checkSeconds.observe({ surface, outcome }, ms / 1000),
    failed: error,
  };
  return {
    /** The content type of what `read` returns: Prometheus's text format. */
    contentType: registry.contentType,
    read: async (): Promise<string> => {
      try {
        for (const [state, value] of Object.entries(await read())) depth.set({ state }, value);
      } catch {
        // Without the store, the number of waiting requests is unknown, and no gauge is better than an outdated one.
        depth.reset();
      }
      return registry.metrics();
    },
    observer,
    vote: () => votes.inc(),
    error,
    /** Sets the source of the queue's gauges. @param from called whenever metrics are read */
    gauges: (from: typeof read) => {
      read = from;
    },
  };
}
