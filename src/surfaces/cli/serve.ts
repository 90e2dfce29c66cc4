import { once } from 'node:events';
import pino from 'pino';
import type { Parts } from '../parts.ts';
import { startService } from '../service/start-service.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** `jury serve`: runs until it is told to stop, then ends with 0. */
export async function serveCommand(parts: Parts, { errors }: Terminal, stop: AbortSignal): Promise<ExitCode> {
  const { settings } = parts.env;
  const log = pino({ level: settings.LOG_LEVEL }, errors);
  const service = await startService(parts, log);
  log.warn('teams: this version has no Teams surface yet');
  if (!stop.aborted) await once(stop, 'abort');
  log.info('stopping');
  await service.close();
  return exitCode.ok;
}
