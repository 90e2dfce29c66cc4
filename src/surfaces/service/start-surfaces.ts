import type { Express } from 'express';
import { JuryError, sleep } from '../../common/index.ts';
import type { Roles } from '../../labels/access/index.ts';
import type { SpotChecks } from '../../requests/index.ts';
import { type OpenSurface, type Parts, type SurfaceHost, surfaceOf } from '../index.ts';

/** Surfaces by name: the open ones, and why the others are not open. */
export interface Surfaces {
  open: Map<string, OpenSurface>;
  /** Their credentials are refused; that takes a restart with others. */
  refused: Map<string, string>;
  /** Unavailable for now; they are tried again. */
  away: Map<string, string>;
}

/** Readiness check of a surface. @throws Error with the reason while it cannot be reached */
export function reached({ away }: Surfaces, name: string): void {
  const why = away.get(name);
  if (why !== undefined) throw new Error(why);
}

/** Pauses before a surface is tried again; each is twice the last, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

export interface SurfaceStarter {
  surfaces: Surfaces;
  /** Starts every configured surface. @throws any error other than refused credentials and an unavailable network */
  start: (checks: SpotChecks) => Promise<void>;
  /** Keeps trying surfaces that could not be reached. @returns a function that ends this */
  retry: (checks: SpotChecks, onOpen: (surface: OpenSurface) => void) => () => void;
}

/** @param place creates a part of the web server for the routes of one surface */
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
  const announce: SurfaceHost['announce'] = async (conversation, says) => {
    const surface = surfaceOf(parts.surfaces, conversation);
    try {
      return (await open.get(surface)?.announce?.(conversation.channel, says)) ?? false;
    } catch {
      log.warn({ surface }, 'a change could not be announced');
      return false;
    }
  };
  const ready = parts.surfaces.filter(({ setup }) => setup(parts.env).kind === 'ready');
  const connections = new Map(
    ready.map(({ name, connect }) => {
      const surfaceHost: SurfaceHost = {
        ...host,
        roles,
        announce,
        web: place(),
        onError: () => onError(name),
        refreshElsewhere: (record) => open.get(record.source.surface)?.refresh(record),
      };
      return [name, () => connect(surfaceHost)];
    }),
  );

  async function close(name: string): Promise<void> {
    const surface = open.get(name);
    if (open.delete(name)) await surface?.stop();
  }

  /** Starts a surface. Refused credentials turn it off; if it cannot be reached, it is tried again later. */
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
        // The store is also unavailable; the next attempt follows.
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
      // An open connection would keep the process alive and take requests that are never answered.
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
