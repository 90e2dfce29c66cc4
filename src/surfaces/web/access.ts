import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { type Options, rateLimit } from 'express-rate-limit';
import * as z from 'zod';
import { isStoreAway } from '../../common/errors.ts';
import { Person, type Pseudonym } from '../../labels/permissions.ts';
import { STORE_AWAY } from '../wording.ts';
import { LOCAL_USER, personOf } from './ids.ts';

/** Why a request is refused. */
interface Refusal {
  status: 401 | 403 | 503;
  why: string;
  /** Whether it came with a wrong token. */
  isGuess?: boolean;
}

/** Advice for programs without a valid token. */
export const SEND_TOKEN = 'Programs send one of JURY_API_TOKENS: Authorization: Bearer …';

const nameless = (user: string): Visitor => ({ user, name: null, email: null, person: null });

/** Everyone with the console's key: people and programs of this machine, and those they gave it to. */
export const KEY_HOLDER = nameless(LOCAL_USER);

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The console's pages send it with every change. Pages of other sites cannot: browsers would ask the service for permission first, which
 * it never gives.
 */
const OWN_PAGE = 'x-jury-page';

/**
 * Whether a page of another site made the browser send the request. Programs send none of these headers. Behind a proxy, `Host` need
 * not be the name that the browser knows, so what the browser says about the page comes first.
 * @param own the console's own origin; null: any
 */
function isCrossSite({ method, headers }: Request, own: string | null): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (READING.includes(method)) return false;
  if (origin !== undefined && own !== null) return origin !== own;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && headers[OWN_PAGE] === undefined && origin !== `http://${host}`;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two secrets are the same, in constant time. */
export const isSame = (secret: string, given: string): boolean =>
  timingSafeEqual(digest(secret), digest(given));

/** The name of a token, in constant time; null if there is no such token. */
const nameOfToken = (tokens: ReadonlyMap<string, string>, given: string): string | null =>
  [...tokens].filter(([, token]) => isSame(token, given))[0]?.[0] ?? null;

export function cookieOf({ headers }: Request, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** How people who use a browser prove who they are. */
export interface People {
  /** The console's origin, as browsers know it; null if any name will do. */
  origin: string | null;
  /** Whose session the browser has; null if none. @throws JuryError `store-unavailable` */
  find: (request: Request) => Promise<Visitor | null>;
  /** Whose token this is, apart from programs' own tokens; null if no one's. */
  byToken: (given: string) => Promise<Visitor | null>;
  /** What visitors without a session, and programs without a valid token, can do. */
  advice: { people: string; programs: string };
}

/** Who may come in. */
export interface Door {
  /** Tokens by the names of programs. */
  tokens: ReadonlyMap<string, string>;
  /** People, who need no token; null where the console is off. */
  people: People | null;
}

/** Why a request does not address the console by its own name; null if it does. */
export function notByName({ headers }: Request, origin: string): string | null {
  const { host, protocol } = new URL(origin);
  const names = [host, `${host}:${protocol === 'https:' ? 443 : 80}`];
  if (names.includes(headers.host?.toLowerCase() ?? '')) return null;
  return `Open the console at ${origin}. A proxy before it has to keep the Host header.`;
}

const CROSS_SITE = 'This request came from another site.';

/** Who makes a request without a token, or why they may not. @throws JuryError `store-unavailable` */
async function personAt(request: Request, { people }: Door): Promise<Visitor | Refusal> {
  if (people === null) return { status: 403, why: 'The console is off.' };
  const why = people.origin === null ? null : notByName(request, people.origin);
  if (why !== null) return { status: 403, why };
  if (isCrossSite(request, people.origin)) return { status: 403, why: CROSS_SITE };
  return (await people.find(request)) ?? { status: 401, why: people.advice.people };
}

/** Who makes a request to the console or the API, or why they may not. @param takesTokens whether programs may come with theirs */
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
    const found = await personAt(request, door);
    if (!('status' in found) || found.why === CROSS_SITE) return found;
    if (!takesTokens) return { ...found, isGuess };
    return { status: 401, why: found.status === 401 ? programs : `${found.why} ${programs}` };
  } catch (thrown) {
    if (isStoreAway(thrown)) return { status: 503, why: STORE_AWAY };
    throw thrown;
  }
}

const letIn = new WeakMap<Request, { who: Visitor; door: Door; takesTokens: boolean }>();

/** The visitor that {@link requireVisitor} let in, if it has. */
export const knownVisitor = (request: Request): Visitor | null => letIn.get(request)?.who ?? null;

/** The visitor that {@link requireVisitor} let in. */
export function visitor(request: Request): Visitor {
  const found = knownVisitor(request);
  if (found === null) throw new Error('This route has no guard.');
  return found;
}

/** Whether a visitor would still be let in: their session may have ended since. */
export async function isStillIn(request: Request): Promise<boolean> {
  const known = letIn.get(request);
  return known !== undefined && !('status' in (await visitorOf(request, known.door, known.takesTokens)));
}

/** Lets visitors in, and says why others are not. @param takesTokens whether programs may come with theirs */
export function requireVisitor(
  door: Door,
  takesTokens: boolean,
  refuse: (status: Refusal['status'] | 429, why: string, ...route: Parameters<RequestHandler>) => void,
): RequestHandler {
  const limited = limitGuesses((why, ...route) => refuse(429, why, ...route));
  return async (request, response, next) => {
    const found = await visitorOf(request, door, takesTokens);
    if (!('status' in found)) {
      letIn.set(request, { who: found, door, takesTokens });
      return next();
    }
    const { status, why, isGuess } = found;
    const sayWhy = () => refuse(status, why, request, response, next);
    if (isGuess === true) await limited(request, response, sayWhy);
    else sayWhy();
  };
}

const MINUTE_MS = 60_000;
/** What one visitor may send in a minute: more than people and test runs do, less than a runaway loop. */
const SENT_A_MINUTE = 1_200;

const STREAMS_AT_ONCE = 100;
/** Starts and ends of sign-ins that one address may request in a minute: a whole company behind one address may sign in on a Monday. */
const SIGN_INS_A_MINUTE = 120;
/** Wrong keys and tokens of one address that are answered in a minute. Right ones are not counted, so guesses lock no one out. */
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

/** Refuses visitors who send too much; reading is not counted. */
export const limitVisitors = (refuse: Refuse): RequestHandler =>
  limitedTo(SENT_A_MINUTE, refuse, {
    keyGenerator: (request) => visitor(request).user,
    skip: ({ method }) => READING.includes(method),
  });

/** Refuses visitors who hold more event streams open than their tabs may need: each stream polls the store. */
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

/** Refuses addresses that sign in too often. */
export const limitSignIns = (refuse: Refuse): RequestHandler => limitedTo(SIGN_INS_A_MINUTE, refuse, {});

/** Refuses wrong keys and tokens that come too often. */
export const limitGuesses = (refuse: Refuse): RequestHandler =>
  limitedTo(
    GUESSES_A_MINUTE,
    refuse,
    { keyGenerator: ({ socket }) => socket.remoteAddress ?? '' },
    'Too many wrong keys or tokens. Wait a minute and try again.',
  );

/** A person or program that uses the console or the API. */
export const Visitor = z.strictObject({
  /** As requests know them: `page:local`, `oidc:<issuer>:<subject>`, `api:ci`. */
  user: z.string(),
  /** What they are called; null where nothing says it. */
  name: z.string().nullable(),
  /** Verified by the provider that they signed in with; null if it verified none. */
  email: z.string().nullable(),
  /** Who they are in a chat, if their sign-in proves it. */
  person: Person.nullable(),
});
export type Visitor = z.infer<typeof Visitor>;

/** Whether a visitor has come by signing in. */
export const isSignedIn = ({ user }: Visitor): boolean => user.startsWith('oidc:');

/** The voter that a visitor is: their chat identity if they have one, so that no person counts twice. */
export const voterOf = (pseudonym: Pseudonym, { user, person }: Visitor): string =>
  pseudonym(person ?? personOf(user));
