import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { routeService } from '../../src/datasets/driving-routes.ts';
import { generate } from '../../src/datasets/generate.ts';
import { sources } from './world.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** A local server in the place of a route service, and the paths that it was asked for. */
async function serving(answer: (request: IncomingMessage, response: ServerResponse, n: number) => void) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response, asked.length);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  open.push({
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { asked, url: `http://127.0.0.1:${address.port}` };
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const quick = { signal: new AbortController().signal, pauseMs: 1 };
const here = { latitude: 52.52, longitude: 13.405 };
const there = { latitude: 52.4986, longitude: 13.4034 };

describe('a route service', () => {
  test('of the kind of OSRM is asked by its path, and tells seconds and meters', async () => {
    const { asked, url } = await serving((_request, response) =>
      json(response, { code: 'Ok', routes: [{ duration: 540, distance: 3200.5 }], waypoints: [] }),
    );
    const trip = await routeService(`${url}/route/v1/driving/`, quick).drive(here, there);
    expect(trip).toEqual({ durationMin: 9, distanceKm: 3.2005 });
    expect(asked).toEqual(['/route/v1/driving/13.405,52.52;13.4034,52.4986?overview=false']);
  });

  test('of the kind of Mapbox keeps its token', async () => {
    const { asked, url } = await serving((_request, response) =>
      json(response, { code: 'Ok', routes: [{ duration: 60, distance: 500 }] }),
    );
    await routeService(`${url}/directions/v5/mapbox/driving?access_token=pk.secret`, quick).drive(
      here,
      there,
    );
    expect(asked[0]).toMatch(/\/13\.405,52\.52;13\.4034,52\.4986\?access_token=pk\.secret&overview=false$/);
  });

  test('is asked again after 429 and server errors', async () => {
    const { asked, url } = await serving((_request, response, n) =>
      n < 3
        ? json(response, {}, n === 1 ? 429 : 503)
        : json(response, { code: 'Ok', routes: [{ duration: 60, distance: 500 }] }),
    );
    await expect(routeService(url, quick).drive(here, there)).resolves.toEqual({
      durationMin: 1,
      distanceKm: 0.5,
    });
    expect(asked).toHaveLength(3);
  });

  test('that knows no way is no failure', async () => {
    const { url } = await serving((_request, response) => json(response, { code: 'NoRoute' }, 400));
    await expect(routeService(url, quick).drive(here, there)).resolves.toBeNull();
  });

  test.each([
    [
      'refuses',
      (response: ServerResponse) => json(response, { code: 'InvalidToken' }, 401),
      /401 without a route/,
    ],
    [
      'is no route service',
      (response: ServerResponse) => response.end('<html>'),
      /something that is not JSON/,
    ],
    [
      'answers something else',
      (response: ServerResponse) => json(response, { ok: 1 }),
      /200 without a route/,
    ],
    ['keeps failing', (response: ServerResponse) => json(response, {}, 500), /answered 500 \(3 attempts\)/],
    ['never answers', () => undefined, /did not answer within 0\.05 s/],
  ])('that %s: says so, names the setting and not the token', async (_name, answer, message) => {
    const { url } = await serving((_request, response) => void answer(response));
    const service = routeService(`${url}/x?access_token=pk.secret`, {
      ...quick,
      ...(_name === 'never answers' ? { timeoutMs: 50 } : {}),
    });
    const failure = await service.drive(here, there).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'config', message: expect.stringMatching(message) });
    expect(String(failure)).toContain('JURY_ROUTE_URL');
    expect(String(failure)).not.toContain('pk.secret');
  });

  test('that is not there: says so', async () => {
    const { url } = await serving(() => undefined);
    for (const server of open.splice(0)) server.close();
    await expect(routeService(`${url}/route`, quick).drive(here, there)).rejects.toThrow(
      /127\.0\.0\.1:\d+ cannot be reached .*ECONNREFUSED/,
    );
  });
});

test('places are drawn again until the route service says that they fit', async () => {
  // Twice as slow as assumed, rounded as a route service would: 12 km/h over the straight line.
  const { asked, url } = await serving((request, response) => {
    const [from = [], to = []] = (request.url ?? '')
      .replace(/\?.*/, '')
      .split('/')
      .slice(-1)
      .flatMap((pair) => pair.split(';'))
      .map((point) => point.split(',').map(Number));
    const km = Math.hypot(((to[1] ?? 0) - (from[1] ?? 0)) * 111.2, ((to[0] ?? 0) - (from[0] ?? 0)) * 70);
    json(response, { code: 'Ok', routes: [{ duration: (km / 12) * 3600, distance: km * 1000 }] });
  });
  const users = await generate({ ...sources, router: routeService(url, quick) }, 7, 10);
  for (const one of users.flat()) {
    const minutes = one.recommendation?.durationMin ?? 0;
    expect([one.id, minutes > 15]).toEqual([one.id, one.label?.errorType === 'location']);
    // 5 minutes a kilometer; a minute and 50 m are rounded.
    expect(Math.abs(minutes - (one.recommendation?.distanceKm ?? 0) * 5)).toBeLessThanOrEqual(1);
  }
  // At least one place near and one far for each of ten users, and some that did not fit.
  expect(asked.length).toBeGreaterThan(20);
});
