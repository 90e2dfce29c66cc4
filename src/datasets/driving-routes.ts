import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { greatCircleKm } from '../case/index.ts';
import { JuryError, messageOf } from '../common/index.ts';
import { readJson } from '../common/text/index.ts';
import type { Rubric } from '../judging/standards/index.ts';

export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** A drive between two places. */
export interface Trip {
  distanceKm: number;
  durationMin: number;
}

/** A route service, or an assumption. */
export interface Router {
  /** Null if there is no route by car. */
  drive: (from: Coordinates, to: Coordinates) => Promise<Trip | null>;
  /** Relative uncertainty of durations: 0 for a route service. */
  uncertainty: number;
  /** Where drive times come from, in words for readers of the data. */
  basis: string;
}

/**
 * Estimates drives by the assumptions of a rubric's check: great-circle distance × detour factor, at the average speed.
 * @throws JuryError `bad-file` if the rubric has no such check
 */
export function assumedRouterOf({ criteria, id }: Pick<Rubric, 'criteria' | 'id'>): Router {
  const check = criteria.map((criterion) => criterion.check).find((one) => one?.type === 'drive-at-most');
  if (check?.type !== 'drive-at-most')
    throw new JuryError(
      'bad-file',
      `The rubric "${id}" has no check drive-at-most, so drives cannot be assumed.`,
    );
  const { speedKmh, detour, uncertainty } = check;
  return {
    uncertainty,
    basis: `assumed: roads ${detour} times as long as the straight line, driven at ${speedKmh} km/h; places within ${uncertainty * 100} % of the limit are not used`,
    drive: async (from, to) => {
      const distanceKm = (greatCircleKm(from, to) ?? 0) * detour;
      return { distanceKm, durationMin: (distanceKm / speedKmh) * 60 };
    },
  };
}

/** The parts used of an OSRM or Mapbox response, in seconds and meters. */
const Answer = z.looseObject({
  code: z.string(),
  routes: z.array(z.looseObject({ duration: z.number().min(0), distance: z.number().min(0) })).optional(),
});

export interface RouteServiceOptions {
  signal: AbortSignal;
  /** Default: Node's own. */
  fetch?: typeof globalThis.fetch;
  /** Time limit per request, ms; default 10,000. */
  timeoutMs?: number;
  /** Pause before the first retry, ms, doubled for each further one; default 500. */
  pauseMs?: number;
}

/** Maximum number of requests per route. */
const ATTEMPTS = 3;

/** Codes for places with no route between them. That is not a failure: another place is tried. */
const NO_ROUTE = new Set(['NoRoute', 'NoSegment']);

type Reply = { trip: Trip | null } | { problem: string; retryable: boolean };

async function replyOf(response: Response): Promise<Reply> {
  if (response.status === 429 || response.status >= 500)
    return { problem: `answered ${response.status}`, retryable: true };
  const body = readJson(z.unknown(), await response.text());
  if (body === null)
    return { problem: `answered ${response.status} with something that is not JSON`, retryable: false };
  const answer = Answer.safeParse(body.value);
  if (answer.success && NO_ROUTE.has(answer.data.code)) return { trip: null };
  const route = answer.success && answer.data.code === 'Ok' ? answer.data.routes?.[0] : undefined;
  if (route === undefined) {
    const codeNote = answer.success ? ` (code "${answer.data.code.slice(0, 40)}")` : '';
    return { problem: `answered ${response.status} without a route${codeNote}`, retryable: false };
  }
  return { trip: { distanceKm: route.distance / 1000, durationMin: route.duration / 60 } };
}

/**
 * Looks up drives with a route service that has the API of OSRM or Mapbox Directions.
 * @param address URL up to the profile, with a token if the service needs one: `http://127.0.0.1:5000/route/v1/driving`,
 * `https://api.mapbox.com/directions/v5/mapbox/driving?access_token=…`
 * @throws JuryError `config` from `drive`, without the token, if the service gives no usable answer
 */
export function routeService(address: string, options: RouteServiceOptions): Router {
  const { signal, fetch = globalThis.fetch, timeoutMs = 10_000, pauseMs = 500 } = options;
  const base = new URL(address);
  const place = ({ latitude, longitude }: Coordinates) => `${longitude},${latitude}`;

  async function once(url: URL): Promise<Reply> {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      return await replyOf(await fetch(url, { signal: limit }));
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      if (thrown instanceof Error && thrown.name === 'TimeoutError')
        return { problem: `did not answer within ${timeoutMs / 1000} s`, retryable: true };
      const cause = thrown instanceof Error ? thrown.cause : undefined;
      return {
        problem: `cannot be reached (${messageOf(cause ?? thrown).replaceAll(base.search || '\n', '')})`,
        retryable: true,
      };
    }
  }

  return {
    uncertainty: 0,
    basis: `from the route service ${base.host}`,
    drive: async (from, to) => {
      const url = new URL(base);
      url.pathname = `${base.pathname.replace(/\/$/, '')}/${place(from)};${place(to)}`;
      url.searchParams.set('overview', 'false');
      for (let attempt = 1; ; attempt += 1) {
        const reply = await once(url);
        if ('trip' in reply) return reply.trip;
        if (!reply.retryable || attempt === ATTEMPTS)
          throw new JuryError(
            'config',
            `The route service ${base.host} ${reply.problem}${attempt > 1 ? ` (${attempt} attempts)` : ''}. JURY_ROUTE_URL must name an OSRM- or Mapbox-compatible service up to its profile, such as http://127.0.0.1:5000/route/v1/driving; unset it to assume drive times.`,
            { retryable: reply.retryable },
          );
        await wait(pauseMs * 2 ** (attempt - 1), undefined, { signal });
      }
    },
  };
}

/** For domains in which nobody drives anywhere. */
export const noDrives: Router = { basis: 'none', uncertainty: 0, drive: async () => null };
