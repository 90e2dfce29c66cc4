import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import pino from 'pino';
import { makeFolder } from '../../make-folder.ts';
import type { Parts } from '../../parts.ts';
import { startWebHost } from '../web/web-host.ts';
import { type ExitCode, exitCode } from './console.ts';

/** `jury serve`: runs until it is told to stop, then ends with 0. */
export async function serveCommand(parts: Parts, stop: AbortSignal): Promise<ExitCode> {
  const { settings } = parts.env;
  const log = pino({ level: settings.LOG_LEVEL }, pino.destination({ dest: 2, sync: true }));
  const host = await startWebHost(settings.HOST, settings.PORT, [
    {
      name: 'data folder',
      check: async () => {
        await makeFolder(settings.JURY_DATA_DIR);
        await access(settings.JURY_DATA_DIR, constants.W_OK);
      },
    },
  ]);
  log.info({ host: settings.HOST, port: host.port }, 'web: listening, with /healthz and /readyz');
  log.warn('slack: this version has no Slack surface yet; judge from the command line with "jury judge"');
  log.warn('teams: this version has no Teams surface yet');
  if (!stop.aborted) await once(stop, 'abort');
  log.info('stopping');
  await host.close();
  return exitCode.ok;
}
