import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { type Options, rateLimit } from 'express-rate-limit';
import * as z from 'zod';
import { isStoreAway } from '../../common/index.ts';
import { Person, type Pseudonym } from '../../labels/access/index.ts';
import { STORE_AWAY } from '../wording/index.ts';
import { LOCAL_USER, personOf } from './ids.ts';

/** Why a request is refused. */
interface Refusal {
  status: 401 | 403 | 503;
  why: string;
  /** Whether the request carried a token that was not accepted; such requests are rate-limited. */
  isGuess?: boolean;
}

/** Tells programs without a valid token how to authenticate. */
export const SEND_TOKEN = 'Programs send one of JURY_API_TOKENS: Authorization: Bearer …';

const nameless = (user: string): Visitor => ({ user, name: null, email: null, person: null });

/** The one visitor that everyone with the console's key counts as; individuals are not distinguished. */
export const KEY_HOLDER = nameless(LOCAL_USER);

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * A header that the console's pages send with every change. Pages of other sites cannot send it: the browser would need permission from
 * the service first (a CORS preflight), and the service never grants it.
 */
const OWN_PAGE = 'x-jury-page';

/**
 * Whether a page of another site made the browser send the request. Programs send neither `Origin` nor `Sec-Fetch-Site`, and pass. Behind
 * a proxy, `Host` may differ from the name in the browser, so it is compared only when the browser's own headers don't say.
 * @param ownOrigin the console's origin; null if it is served under any name
 */
function isCrossSite({ method, headers }: Request, ownOrigin: string | null): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (READING.includes(method)) return false;
  if (origin !== undefined && ownOrigin !== null) return origin !== ownOrigin;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && headers[OWN_PAGE] === undefined && origin !== `http://${host}`;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two secrets are the same, in constant time. */
export const isSame = (secret: string, given: string): boolean =>
  timingSafeEqual(digest(secret), digest(given));

/** The name of the program with this token, in constant time; null if the token is unknown. */
const nameOfToken = (tokens: ReadonlyMap<string, string>, given: string): string | null =>
  [...tokens].filter(([, token]) => isSame(token, given))[0]?.[0] ?? null;

export function cookieOf({ headers }: Request, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** How people authenticate. */
export interface People {
  /** The console's origin in the browser; null if it is served under any name. */
  origin: string | null;
  /** The visitor whose session the browser has; null without a session. @throws JuryError `store-unavailable` */
  find: (request: Request) => Promise<Visitor | null>;
  /** The visitor that a token belongs to, other than the named tokens of programs; null if unknown. */
  byToken: (given: string) => Promise<Visitor | null>;
  /** What to do without a session (people) or a valid token (programs). */
  advice: { people: string; programs: string };
}

/** Who has access. */
export interface Door {
  /** Tokens by program name. */
  tokens: ReadonlyMap<string, string>;
  /** How people authenticate; null while the console is off. */
  people: People | null;
}

/** What is wrong if the `Host` header is not the console's own; null if it is. */
export function notByName({ headers }: Request, origin: string): string | null {
  const { host, protocol } = new URL(origin);
  const names = [host, `${host}:${protocol === 'https:' ? 443 : 80}`];
  if (names.includes(headers.host?.toLowerCase() ?? '')) return null;
  return `Open the console at ${origin}. A proxy before it has to keep the Host header.`;
}

const CROSS_SITE = 'This request came from another site.';

/** The visitor behind a request without a token, or why it is refused. @throws JuryError `store-unavailable` */
async function personAt(request: Request, { people }: Door): Promise<Visitor | Refusal> {
  if (people === null) return { status: 403, why: 'The console is off.' };
  const why = people.origin === null ? null : notByName(request, people.origin);
  if (why !== null) return { status: 403, why };
  if (isCrossSite(request, people.origin)) return { status: 403, why: CROSS_SITE };
  return (await people.find(request)) ?? { status: 401, why: people.advice.people };
}

/** The visitor behind a request, or why it is refused. @param takesTokens whether the tokens of programs are accepted */
async function visitorOf(request: Request, door: Door, takesTokens: boolean): Promise<Visitor | Refusal> {
  const { authorization } = request.headers;
  const { tokens, people } = door;
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  const isGuess = given !== undefined;
  try {
    const name = given === undefined || !takesTokens ? null : nameOfToken(tokens, given);
    if (name !== null) return nameless(`api:${name}`);
    const holder = given === undefined ? null : ((await people?.byToken(given)) ?? null);
    if (holder !== null) return holder;
    const programs = people?.advice.programs ?? SEND_TOKEN;
    if (takesTokens && isGuess) return { status: 401, why: `This token is not known. ${programs}`, isGuess };
    const signedIn = await personAt(request, door);
    if (!('status' in signedIn) || signedIn.why === CROSS_SITE) return signedIn;
    if (!takesTokens) return { ...signedIn, isGuess };
    return { status: 401, why: signedIn.status === 401 ? programs : `${signedIn.why} ${programs}` };
  } catch (thrown) {
    if (isStoreAway(thrown)) return { status: 503, why: STORE_AWAY };
    throw thrown;
  }
}

const letIn = new WeakMap<Request, { who: Visitor; door: Door; takesTokens: boolean }>();

/** The visitor that {@link requireVisitor} let in; null if it has let none in. */
export const knownVisitor = (request: Request): Visitor | null => letIn.get(request)?.who ?? null;

/** The visitor that {@link requireVisitor} let in. @throws Error on a route without that guard */
export function visitor(request: Request): Visitor {
  const admitted = knownVisitor(request);
  if (admitted === null) throw new Error('This route has no guard.');
  return admitted;
}

/** Whether the visitor would still be let in: a session can end while an event stream is open. */
export async function isStillIn(request: Request): Promise<boolean> {
  const entry = letIn.get(request);
  return entry !== undefined && !('status' in (await visitorOf(request, entry.door, entry.takesTokens)));
}

/**
 * Middleware that lets visitors in and refuses everyone else.
 * @param takesTokens whether the tokens of programs are accepted
 * @param refuse sends the refusal; also called, with 429, after too many wrong tokens
 */
export function requireVisitor(
  door: Door,
  takesTokens: boolean,
  refuse: (status: Refusal['status'] | 429, why: string, ...route: Parameters<RequestHandler>) => void,
): RequestHandler {
  const limited = limitGuesses((why, ...route) => refuse(429, why, ...route));
  return async (request, response, next) => {
    const outcome = await visitorOf(request, door, takesTokens);
    if (!('status' in outcome)) {
      letIn.set(request, { who: outcome, door, takesTokens });
      return next();
    }
    const { status, why, isGuess } = outcome;
    const sayWhy = () => refuse(status, why, request, response, next);
    if (isGuess === true) await limited(request, response, sayWhy);
    else sayWhy();
  };
}

const MINUTE_MS = 60_000;
/** Changes per visitor and minute: more than people and test runs send, less than a runaway loop. */
const SENT_A_MINUTE = 1_200;

const STREAMS_AT_ONCE = 100;
/** Requests to start or finish a sign-in, per address and minute: a whole company may share an address and sign in on a Monday morning. */
const SIGN_INS_A_MINUTE = 120;
/** Wrong keys and tokens per address and minute. Right ones are not counted, so guessing locks no one out. */
const GUESSES_A_MINUTE = 120;

type Refuse = (why: string, ...route: Parameters<RequestHandler>) => void;

const limitedTo = (
  limit: number,
  refuse: Refuse,
  options: Partial<Options>,
  why = `At most ${limit} requests a minute. Wait a minute and try again.`,
): RequestHandler =>
  rateLimit({
    windowMs: MINUTE_MS,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (request, response, next) => refuse(why, request, response, next),
    ...options,
  });

/** Limits the changes per visitor; reads are not counted. */
export const limitVisitors = (refuse: Refuse): RequestHandler =>
  limitedTo(SENT_A_MINUTE, refuse, {
    keyGenerator: (request) => visitor(request).user,
    skip: ({ method }) => READING.includes(method),
  });

/** Limits the open event streams per visitor, since each polls the store. */
export function limitStreams(refuse: Refuse): RequestHandler {
  const open = new Map<string, number>();
  return (request, response, next) => {
    const { user } = visitor(request);
    const held = open.get(user) ?? 0;
    if (held >= STREAMS_AT_ONCE)
      return refuse(`At most ${STREAMS_AT_ONCE} at once. Close other tabs.`, request, response, next);
    open.set(user, held + 1);
    response.once('close', () => {
      const left = (open.get(user) ?? 1) - 1;
      if (left === 0) open.delete(user);
      else open.set(user, left);
    });
    next();
  };
}

/** Limits sign-ins per address. */
export const limitSignIns = (refuse: Refuse): RequestHandler => limitedTo(SIGN_INS_A_MINUTE, refuse, {});

/** Limits wrong keys and tokens per address. */
export const limitGuesses = (refuse: Refuse): RequestHandler =>
  limitedTo(
    GUESSES_A_MINUTE,
    refuse,
    { keyGenerator: ({ socket }) => socket.remoteAddress ?? '' },
    'Too many wrong keys or tokens. Wait a minute and try again.',
  );

/** A person or program that uses the console or the API. */
export const Visitor = z.strictObject({
  /** Their id in requests: `page:local`, `oidc:<issuer>:<subject>`, `api:ci`. */
  user: z.string(),
  /** Their display name; null if unknown. */
  name: z.string().nullable(),
  /** Their address, as verified by the sign-in provider; null without a verified one. */
  email: z.string().nullable(),
  /** Their chat account, if the sign-in proves it; otherwise null. */
  person: Person.nullable(),
});
export type Visitor = z.infer<typeof Visitor>;

/** Whether the visitor signed in, rather than using the key or a token. */
export const isSignedIn = ({ user }: Visitor): boolean => user.startsWith('oidc:');

/** The pseudonym that a visitor votes under: that of their chat account if known, so that no one counts twice. */
export const voterOf = (pseudonym: Pseudonym, { user, person }: Visitor): string =>
  pseudonym(person ?? personOf(user));
