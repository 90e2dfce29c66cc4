import type { Express } from 'express';
import { sleep } from '../../common/async.ts';
import { JuryError } from '../../common/errors.ts';
import type { Roles } from '../../labels/permissions.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Parts } from '../parts.ts';
import { type OpenSurface, type SurfaceHost, surfaceOf } from '../surface.ts';

/** Surfaces by name: those that take requests, and why others do not. */
export interface Surfaces {
  open: Map<string, OpenSurface>;
  /** Their credentials are refused: a restart with others helps. */
  refused: Map<string, string>;
  /** They cannot be reached, and are tried again. */
  away: Map<string, string>;
}

/** @throws Error with the reason while a surface cannot be reached */
export function reached({ away }: Surfaces, name: string): void {
  const why = away.get(name);
  if (why !== undefined) throw new Error(why);
}

/** Pauses before a surface is tried again: the first, and the longest that doubling leads to. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

export interface SurfaceStarter {
  surfaces: Surfaces;
  /** Has every surface that is set up take requests. @throws what refused credentials and a missing network do not explain */
  start: (checks: SpotChecks) => Promise<void>;
  /** Tries those again that could not be reached. @returns ends that */
  retry: (checks: SpotChecks, onOpen: (surface: OpenSurface) => void) => () => void;
}

/** @param place a part of the web server, for the routes of one surface */
export function createSurfaceStarter(
  parts: Pick<Parts, 'env' | 'surfaces'>,
  host: Omit<SurfaceHost, 'onError' | 'refreshElsewhere' | 'roles' | 'announce' | 'web'>,
  place: () => Express,
  onError: (surface: string) => void,
): SurfaceStarter {
  const { log } = host;
  const surfaces: Surfaces = { open: new Map(), refused: new Map(), away: new Map() };
  const { open, refused, away } = surfaces;
  const roles: Roles = {
    admins: parts.env.settings.JURY_ADMINS ?? null,
    membership: async ({ people, at }, { surface, channel }) => {
      const person = people.find((one) => one.surface === surface);
      if (person === undefined) return 'outsider';
      return open.get(surface)?.membership(person, channel, at) ?? 'unknown';
    },
    store: host.store,
  };
  const announce: SurfaceHost['announce'] = async (conversation, line) => {
    const surface = surfaceOf(parts.surfaces, conversation);
    try {
      await open.get(surface)?.announce?.(conversation.channel, line);
    } catch {
      log.warn({ surface }, 'a change could not be announced');
    }
  };
  const ready = parts.surfaces.filter(({ setup }) => setup(parts.env).kind === 'ready');
  const connections = new Map(
    ready.map(({ name, connect }) => {
      const own: SurfaceHost = {
        ...host,
        roles,
        announce,
        web: place(),
        onError: () => onError(name),
        refreshElsewhere: (record) => open.get(record.source.surface)?.refresh(record),
      };
      return [name, () => connect(own)];
    }),
  );

  async function close(name: string): Promise<void> {
    const surface = open.get(name);
    if (open.delete(name)) await surface?.stop();
  }

  /** Refused credentials turn one surface off; one that cannot be reached is left to later attempts. */
  async function begin(name: string, checks: SpotChecks): Promise<void> {
    try {
      const surface = await connections.get(name)?.();
      if (surface === undefined) return;
      open.set(name, surface);
      await surface.listen(checks);
      away.delete(name);
    } catch (thrown) {
      await close(name);
      if (!(thrown instanceof JuryError) || thrown.code !== 'config') throw thrown;
      away.delete(name);
      if (thrown.retryable) away.set(name, `${thrown.message.replace(/\.$/, '')}. Jury keeps trying`);
      else refused.set(name, thrown.message);
    }
  }

  async function beginAgain(
    name: string,
    checks: SpotChecks,
    onOpen: (surface: OpenSurface) => void,
    stop: AbortSignal,
  ): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; away.has(name); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await sleep(pause, stop);
      if (stop.aborted) return;
      await begin(name, checks).catch(() => {
        // The store is away, too: the next attempt comes.
      });
      if (stop.aborted) return close(name);
    }
    const surface = open.get(name);
    if (surface === undefined) return log.error(`${name}: off; ${refused.get(name) ?? ''}`);
    log.info(`${name}: on`);
    onOpen(surface);
  }

  return {
    surfaces,
    start: async (checks) => {
      const begun = await Promise.allSettled([...connections.keys()].map((name) => begin(name, checks)));
      const failed = begun.find((one) => one.status === 'rejected');
      if (failed === undefined) return;
      // An open socket would keep the process alive, and take requests that get no answer.
      await Promise.all([...open.keys()].map(close));
      throw failed.reason;
    },
    retry: (checks, onOpen) => {
      const stopping = new AbortController();
      for (const name of away.keys()) void beginAgain(name, checks, onOpen, stopping.signal);
      return () => stopping.abort();
    },
  };
}
