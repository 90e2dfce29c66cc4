import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import type { Logger } from 'pino';

/**
 * The log of Slack's libraries. What they say at debug and info level holds whole payloads, and with them what people wrote:
 * only warnings and errors are let through, shortened, errors by their code.
 */
export function createBoltLogger(log: Logger): BoltLogger {
  const about = (parts: unknown[]): Record<string, unknown> => {
    const [first] = parts;
    if (first instanceof Error)
      return { error: first.name, ...('code' in first ? { code: first.code } : {}) };
    return { says: String(first).split('\n')[0]?.slice(0, 160) };
  };
  return {
    debug: () => {},
    info: () => {},
    warn: (...parts) => log.warn(about(parts), 'slack: a warning of the library'),
    error: (...parts) => log.error(about(parts), 'slack: an error of the library'),
    setLevel: () => {},
    getLevel: () => LogLevel.WARN,
    setName: () => {},
  };
}
