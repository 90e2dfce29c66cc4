import { once } from 'node:events';
import pino, { type DestinationStream } from 'pino';
import * as z from 'zod';
import { escapedJson, plainLine } from '../../common/text.ts';
import { startService } from '../service/start-service.ts';
import type { CommandContext } from './command.ts';

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

const jsonLog = ({ errors }: Pick<CommandContext, 'errors'>): DestinationStream => ({
  write: (json) => void errors.write(escapedJson(json)),
});

/** `jury serve`: runs until it is stopped. */
export async function serve(context: CommandContext): Promise<void> {
  const { err, failures, stop, watched } = context;
  const sayText = failures.report;
  const sayJson = (text: string) => pino({}, jsonLog(context)).fatal(text);
  // Settings that cannot be read are a failure, too.
  if (!watched) failures.report = sayJson;
  const { LOG_LEVEL: level, LOG_FORMAT: format = watched ? 'text' : 'json' } = (await context.env()).settings;
  failures.report = format === 'text' ? sayText : sayJson;
  const log = pino({ level }, format === 'text' ? textLog(context) : jsonLog(context));
  const warned: string[] = [];
  const warn = (message: string) => {
    warned.push(message);
    log.warn(message);
  };
  const parts = await context.parts({ cache: false, warn });
  const service = await startService(parts, log, warned);
  if (watched) err('Press Ctrl-C to stop.');
  if (!stop.aborted) await once(stop, 'abort');
  log.info('stopping');
  await service.close();
}
