import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { assemble } from '../../src/compose.ts';
import { readEnv } from '../../src/env.ts';
import type { Parts } from '../../src/surfaces/program-parts.ts';
import { type Service, startService } from '../../src/surfaces/service/start-service.ts';
import type { Surface } from '../../src/surfaces/surface.ts';
import { loadedFor } from './built-in.ts';
import { openLink } from './open-link.ts';
import { closing, newFolder } from './resources.ts';

const folders = new Map<number, string>();
/** Says where the service at a port keeps its data. */
export const keepsDataIn = (port: number, folder: string): unknown => folders.set(port, folder);
/** Where a service takes what a Teams playground posts. */
export const playgroundAt = (port: number): string =>
  `http://127.0.0.1:${port}/api/messages/${readFileSync(join(folders.get(port) ?? '', 'playground-key'), 'utf8')}`;

export interface RunningService {
  service: Service;
  parts: Parts;
  /** Everything that was logged. */
  logged: string[];
  close: () => Promise<void>;
  /** Ends as a process does that dies: what was to be shown is not. */
  die: () => Promise<void>;
}

/** The whole service in this process, with a real store in a folder of its own, as `jury serve` puts it together; the link of its console is opened. @param surfaces in the place of its own @param now its clock */
export async function runService(
  env: Record<string, string>,
  surfaces?: readonly Surface[],
  now: () => number = Date.now,
): Promise<RunningService> {
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const read = readEnv({ JURY_DATA_DIR: newFolder(), PORT: '0', ...env }, '');
  const parts = await assemble(read, {
    cache: false,
    warn: (message) => logged.push(message),
    ...(await loadedFor(read)),
  });
  const service = await startService({ ...parts, now, surfaces: surfaces ?? parts.surfaces }, log);
  if (service.link !== null) await openLink(service.link);
  keepsDataIn(service.port, parts.env.settings.JURY_DATA_DIR);
  let closed = false;
  const end = async (letGoMs?: number): Promise<void> => {
    if (closed) return;
    closed = true;
    await service.close(0, letGoMs);
    await parts.close();
  };
  // No test looks at what is still to be shown by then.
  closing(() => end(0));
  return { service, parts, logged, close: () => end(), die: () => end(0) };
}
