import { once } from 'node:events';
import type { Server } from 'node:http';
import express from 'express';
import { JuryError, messageOf } from '../../core/errors.ts';

/** Whether a part of the service can work now; its message says what is wrong. */
export interface Readiness {
  name: string;
  check: () => Promise<void>;
}

export interface WebHost {
  /** The port that was taken, also where 0 was asked for. */
  port: number;
  close: () => Promise<void>;
}

/**
 * The one web server of the service: `/healthz` (the process lives) and `/readyz` (every part can work, else 503 with
 * what cannot).
 *
 * @throws JuryError `config` where the address cannot be taken
 */
export async function startWebHost(
  host: string,
  port: number,
  readiness: readonly Readiness[],
): Promise<WebHost> {
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
  const server: Server = app.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (thrown) {
    throw new JuryError(
      'config',
      `Cannot listen on ${host}:${port} (${messageOf(thrown)}): set PORT or HOST.`,
    );
  }
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      // What has not been answered by then will not be.
      const timer = setTimeout(() => server.closeAllConnections(), 5_000);
      await closed;
      clearTimeout(timer);
    },
  };
}
