import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { LOCAL_USER } from './ids.ts';

/** Who makes a request. */
export interface Visitor {
  /** As votes know them: `page:local`, `api:ci`. */
  user: string;
}

/** Why a request is refused. */
interface Refusal {
  status: 401 | 403;
  why: string;
}

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** What a tunnel or a proxy adds: behind one, other machines reach a loopback address. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Why a request did not come from a browser or a program on this machine; null if it did. */
function notLocal({ headers }: Request): string | null {
  if (!LOCAL_HOST.test(headers.host ?? '')) return 'Open the console at localhost or 127.0.0.1.';
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined))
    return 'Without sign-in, the console answers only on this machine, not through a proxy or a tunnel.';
  return null;
}

const READING = ['GET', 'HEAD', 'OPTIONS'];

/** Whether another site's page makes its visitor's browser send the request. Programs send neither header. */
function isCrossSite({ method, headers }: Request): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (READING.includes(method)) return false;
  if (origin !== undefined) return !URL.canParse(origin) || new URL(origin).host !== host;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The name of a token; null if there is no such token. Takes as long for each. */
function nameOfToken(tokens: ReadonlyMap<string, string>, given: string): string | null {
  const hash = digest(given);
  const found = [...tokens].filter(([, token]) => timingSafeEqual(digest(token), hash));
  return found[0]?.[0] ?? null;
}

/** Who is let in. */
interface Door {
  /** Tokens by the names of programs. */
  tokens: ReadonlyMap<string, string>;
  /** Whether a program may give one. */
  takesTokens: boolean;
  /** Whether this machine needs none. */
  isOpen: boolean;
}

/** Who makes a request to the console or the API, or why they may not. */
function visitorOf(request: Request, { tokens, takesTokens, isOpen }: Door): Visitor | Refusal {
  const { authorization } = request.headers;
  if (takesTokens && authorization !== undefined) {
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    const name = given === undefined ? null : nameOfToken(tokens, given);
    return name === null
      ? { status: 401, why: 'This token is not known: check JURY_API_TOKENS.' }
      : { user: `api:${name}` };
  }
  const why = isOpen ? notLocal(request) : 'The API needs a token here.';
  if (why !== null)
    return takesTokens
      ? { status: 401, why: `${why} Programs elsewhere give a token: Authorization: Bearer …` }
      : { status: 403, why };
  if (isCrossSite(request)) return { status: 403, why: 'This request came from another site.' };
  return { user: LOCAL_USER };
}

const visitors = new WeakMap<Request, Visitor>();

/** The visitor that {@link requireVisitor} let in. */
export function visitor(request: Request): Visitor {
  const found = visitors.get(request);
  if (found === undefined) throw new Error('This route has no guard.');
  return found;
}

/** Lets visitors in, and says why others are not. */
export const requireVisitor =
  (
    door: Door,
    refuse: (status: Refusal['status'], why: string, ...route: Parameters<RequestHandler>) => void,
  ): RequestHandler =>
  (request, response, next) => {
    const found = visitorOf(request, door);
    if ('status' in found) return refuse(found.status, found.why, request, response, next);
    visitors.set(request, found);
    next();
  };

const MINUTE_MS = 60_000;
/** What one visitor may send in a minute: more than people and test runs do, less than a loop that went wrong. */
const SENT_A_MINUTE = 1_200;

/** Refuses visitors that send too much; reading is not counted. */
export const limitVisitors = (
  refuse: (why: string, ...route: Parameters<RequestHandler>) => void,
): RequestHandler =>
  rateLimit({
    windowMs: MINUTE_MS,
    limit: SENT_A_MINUTE,
    keyGenerator: (request) => visitor(request).user,
    skip: ({ method }) => READING.includes(method),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (request, response, next) =>
      refuse(
        `At most ${SENT_A_MINUTE} requests a minute. Wait a minute and try again.`,
        request,
        response,
        next,
      ),
  });
