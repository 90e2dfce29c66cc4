import { request } from 'node:http';
import { JuryError } from '../../src/common/errors.ts';
import { connectPage } from '../../src/surfaces/web/connect-page.ts';
import { createViews, type View } from '../../src/surfaces/web/live-views.ts';
import { page } from '../../src/surfaces/web/page-surface.ts';
import { sessionOf } from './open-link.ts';
import { type RunningService, runService } from './run-service.ts';

/** An answer of the console or the API. */
export interface PageAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface CallOptions {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** One HTTP request by a browser that has opened the link, or a program with a token, with headers that `fetch` does not let set. */
export function call(
  port: number,
  path: string,
  { headers = {}, ...options }: CallOptions = {},
): Promise<PageAnswer> {
  const own = 'authorization' in headers || 'cookie' in headers ? {} : sessionOf(port);
  return callWithout(port, path, { ...options, headers: { ...own, ...headers } });
}

/** The same by one who has not opened the link. */
export function callWithout(
  port: number,
  path: string,
  { method = 'GET', body, headers = {} }: CallOptions = {},
): Promise<PageAnswer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path,
        method,
        headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

/** A console whose views change only while nothing holds them, and fail to where they are to. */
export function heldPage() {
  let held: Promise<void> = Promise.resolve();
  let [left, failed] = [0, 0];
  const change = async (view: View, work: () => Promise<void>): Promise<void> => {
    await held;
    if (left === 0 || view.kind !== 'verdict') return work();
    left -= 1;
    failed += 1;
    throw new JuryError('store-unavailable', 'The store is away.', { retryable: true });
  };
  const surface = {
    ...page,
    connect: (host: Parameters<typeof page.connect>[0]) =>
      connectPage(host, (store, now) => {
        const views = createViews(store, now);
        return { ...views, change: (id, view) => change(view, () => views.change(id, view)) };
      }),
  };
  return {
    surface,
    hold: () => {
      let letGo = () => {};
      held = new Promise((done) => {
        letGo = done;
      });
      return letGo;
    },
    /** So many of the next changes to a card fail. */
    fail: (times: number) => {
      left = times;
      return {
        failed: () => failed,
        end: () => {
          left = 0;
        },
      };
    },
    start: (env: Record<string, string> = {}, now?: () => number): Promise<RunningService> =>
      runService(env, [surface], now),
  };
}

/** What people read of HTML: no tags, no entities. */
export const textOfHtml = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
