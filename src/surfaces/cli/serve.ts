import { once } from 'node:events';
import pino from 'pino';
import { startService } from '../service/start-service.ts';
import type { Register } from './command-context.ts';

/** `jury serve`: runs until it is stopped. */
export const register: Register = (command, { stop, terminal: { errors }, withParts }) => {
  command.action(() =>
    withParts({ cache: true }, async (parts) => {
      const log = pino({ level: parts.env.settings.LOG_LEVEL }, errors);
      const service = await startService(parts, log);
      if (!stop.aborted) await once(stop, 'abort');
      log.info('stopping');
      await service.close();
    }),
  );
};
