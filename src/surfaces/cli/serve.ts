import { once } from 'node:events';
import pino, { type DestinationStream } from 'pino';
import * as z from 'zod';
import { plainLine } from '../../common/text.ts';
import { startService } from '../service/start-service.ts';
import type { CommandContext } from './command-context.ts';

/** Pino's number for it. */
const ERROR = 50;

const Logged = z
  .object({ level: z.number(), time: z.number(), msg: z.string().default('') })
  .catchall(z.unknown());

/** A line of the log for people: `09:30:01 request done with (surface: x, ms: 120)`. */
function textLine(json: string): string {
  const { level, time, msg, pid: _pid, hostname: _hostname, ...fields } = Logged.parse(JSON.parse(json));
  const about = Object.entries(fields).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const clock = new Date(time).toTimeString().slice(0, 8);
  const mark = level >= ERROR ? 'ERROR ' : '';
  return plainLine(`${clock} ${mark}${msg}${about.length === 0 ? '' : ` (${about.join(', ')})`}`);
}

const textLog = ({ err }: Pick<CommandContext, 'err'>): DestinationStream => ({
  write: (json) => err(textLine(json)),
});

/** `jury serve`: runs until it is stopped. */
export async function serve(context: CommandContext): Promise<void> {
  const { err, errors, stop, watched } = context;
  const parts = await context.parts({ cache: true });
  const { LOG_LEVEL: level, LOG_FORMAT: format = watched ? 'text' : 'json' } = parts.env.settings;
  const log = pino({ level }, format === 'text' ? textLog(context) : errors);
  const service = await startService(parts, log);
  if (watched) err('Press Ctrl-C to stop.');
  if (!stop.aborted) await once(stop, 'abort');
  log.info('stopping');
  await service.close();
}
