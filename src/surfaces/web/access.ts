import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { type Options, rateLimit } from 'express-rate-limit';
import * as z from 'zod';
import { isStoreAway } from '../../common/errors.ts';
import { changeText, type KeyValue } from '../../common/key-value.ts';
import { Person, type Pseudonym } from '../../labels/permissions.ts';
import { STORE_AWAY } from '../wording.ts';
import { LOCAL_USER, personOf } from './ids.ts';

/** Why a request is refused. */
interface Refusal {
  status: 401 | 403 | 503;
  why: string;
}

const nameless = (user: string): Visitor => ({ user, name: null, email: null, person: null });

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** What a tunnel or a proxy adds: behind one, other machines reach a loopback address. */
const PROXY_HEADER = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;

/** Why a request did not come from a browser or a program on this machine; null if it did. */
function notLocal({ headers }: Request): string | null {
  if (!LOCAL_HOST.test(headers.host ?? '')) return 'Open the console at localhost or 127.0.0.1.';
  if (Object.keys(headers).some((name) => PROXY_HEADER.test(name)))
    return 'Without sign-in, the console answers only on this machine, not through a proxy or a tunnel.';
  return null;
}

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Whether another site's page makes its visitor's browser send the request. Programs send neither header.
 * @param own the console's own origin; null: that of the host that the request names
 */
function isCrossSite({ method, headers }: Request, own: string | null): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (READING.includes(method)) return false;
  if (origin !== undefined && own !== null) return origin !== own;
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

/** People who sign in. */
export interface SignedIn {
  /** The console's origin, as browsers know it. */
  origin: string;
  /** Who a browser is signed in as. @throws JuryError `store-unavailable` */
  find: (request: Request) => Promise<Visitor | null>;
}

/** Who is let in. */
export interface Door {
  /** Tokens by the names of programs. */
  tokens: ReadonlyMap<string, string>;
  /** Who needs no token. */
  people: 'none' | 'on this machine' | SignedIn;
}

/** Why a request does not come to the console by its own name; null if it does. */
export function notByName({ headers }: Request, { origin }: Pick<SignedIn, 'origin'>): string | null {
  const { host, protocol } = new URL(origin);
  const names = [host, `${host}:${protocol === 'https:' ? 443 : 80}`];
  if (names.includes(headers.host?.toLowerCase() ?? '')) return null;
  return `Open the console at ${origin}. A proxy before it has to keep the Host header.`;
}

const CROSS_SITE = 'This request came from another site.';

/** Who makes a request without a token, or why they may not. @throws JuryError `store-unavailable` */
async function personAt(request: Request, { people }: Door): Promise<Visitor | Refusal> {
  if (people === 'none') return { status: 403, why: 'The console is off.' };
  const isSignedIn = people !== 'on this machine';
  const why = isSignedIn ? notByName(request, people) : notLocal(request);
  if (why !== null) return { status: 403, why };
  if (isCrossSite(request, isSignedIn ? people.origin : null)) return { status: 403, why: CROSS_SITE };
  if (!isSignedIn) return nameless(LOCAL_USER);
  const found = await people.find(request);
  return found ?? { status: 401, why: 'You are not signed in. Reload the page to sign in.' };
}

/** Who makes a request to the console or the API, or why they may not. @param takesTokens whether a program may give one */
async function visitorOf(request: Request, door: Door, takesTokens: boolean): Promise<Visitor | Refusal> {
  const { authorization } = request.headers;
  if (takesTokens && authorization !== undefined) {
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    const name = given === undefined ? null : nameOfToken(door.tokens, given);
    return name === null
      ? { status: 401, why: 'This token is not known: check JURY_API_TOKENS.' }
      : nameless(`api:${name}`);
  }
  try {
    const found = await personAt(request, door);
    if (!takesTokens || !('status' in found) || found.why === CROSS_SITE) return found;
    return { status: 401, why: `${found.why} Programs send a token: Authorization: Bearer …` };
  } catch (thrown) {
    if (isStoreAway(thrown)) return { status: 503, why: STORE_AWAY };
    throw thrown;
  }
}

const letIn = new WeakMap<Request, { who: Visitor; door: Door }>();

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
  const door = letIn.get(request)?.door;
  return door !== undefined && !('status' in (await visitorOf(request, door, false)));
}

/** Lets visitors in, and says why others are not. @param takesTokens whether a program may give one */
export const requireVisitor =
  (
    door: Door,
    takesTokens: boolean,
    refuse: (status: Refusal['status'], why: string, ...route: Parameters<RequestHandler>) => void,
  ): RequestHandler =>
  async (request, response, next) => {
    const found = await visitorOf(request, door, takesTokens);
    if ('status' in found) return refuse(found.status, found.why, request, response, next);
    letIn.set(request, { who: found, door });
    next();
  };

const MINUTE_MS = 60_000;
/** What one visitor may send in a minute: more than people and test runs do, less than a loop that went wrong. */
const SENT_A_MINUTE = 1_200;

const STREAMS_AT_ONCE = 100;
/** What one address may begin and end of sign-ins in a minute: a company behind one address signs in on a Monday. */
const SIGN_INS_A_MINUTE = 120;

type Refuse = (why: string, ...route: Parameters<RequestHandler>) => void;

const limitedTo = (limit: number, refuse: Refuse, options: Partial<Options>): RequestHandler =>
  rateLimit({
    windowMs: MINUTE_MS,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (request, response, next) =>
      refuse(`At most ${limit} requests a minute. Wait a minute and try again.`, request, response, next),
    ...options,
  });

/** Refuses visitors that send too much; reading is not counted. */
export const limitVisitors = (refuse: Refuse): RequestHandler =>
  limitedTo(SENT_A_MINUTE, refuse, {
    keyGenerator: (request) => visitor(request).user,
    skip: ({ method }) => READING.includes(method),
  });

/** Refuses visitors that hold more event streams open than their tabs may need: each of them asks the store. */
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

/** Who uses the console or the API. */
export const Visitor = z.strictObject({
  /** As requests know them: `page:local`, `oidc:<issuer>:<subject>`, `api:ci`. */
  user: z.string(),
  /** What they are called; null where nothing says it. */
  name: z.string().nullable(),
  /** Verified by the provider that they signed in with; null: none is. */
  email: z.string().nullable(),
  /** Who they are in a chat, as their sign-in proves. */
  person: Person.nullable(),
});
export type Visitor = z.infer<typeof Visitor>;

/** Whether a visitor has come by signing in. */
export const isSignedIn = ({ user }: Visitor): boolean => user.startsWith('oidc:');

/** As votes know a visitor: as themselves in the chat where they have a name there, so that no person counts twice. */
export const voterOf = (pseudonym: Pseudonym, { user, person }: Visitor): string =>
  pseudonym(person ?? personOf(user));

/** A working day. Who leaves the company is let in no longer than this. */
export const SESSION_MS = 12 * 3_600_000;
/** Sessions that one person may have at a time; the oldest end first. */
const MOST = 50;

const Own = z.array(z.strictObject({ session: z.string(), until: z.number() }));
type Own = z.infer<typeof Own>;

/** What a secret of a browser is kept as: what is in the store opens nothing. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
export const newSecret = (): string => randomBytes(32).toString('base64url');
export const isSecret = (text: string): boolean => /^[\w-]{43}$/.test(text);

const keyOf = (session: string): string => `session:${session}`;
const ownKey = (voter: string): string => `sessions:${voter}`;
const ownIn = (text: string | null): Own => (text === null ? [] : Own.parse(JSON.parse(text)));

/** Who is signed in, for all processes of a store. Every call rejects with a JuryError `store-unavailable` if that cannot be reached. */
export function createSessions(store: KeyValue, pseudonym: Pseudonym, now: () => number) {
  /** Keeps which sessions a person has, so that all of them can be ended. */
  async function list(voter: string, session: string): Promise<void> {
    let over: Own = [];
    await changeText(
      store,
      ownKey(voter),
      (before) => {
        const own = ownIn(before).filter(({ until }) => until > now());
        own.push({ session, until: now() + SESSION_MS });
        over = own.splice(0, own.length - MOST);
        return JSON.stringify(own);
      },
      now(),
      SESSION_MS,
    );
    for (const one of over) await store.delete(keyOf(one.session));
  }

  return {
    /** @returns the secret that the browser keeps */
    begin: async (visitor: Visitor): Promise<string> => {
      const secret = newSecret();
      const session = hashOf(secret);
      // Under both names: people are forgotten by either.
      const names = [personOf(visitor.user), ...(visitor.person === null ? [] : [visitor.person])];
      for (const voter of names.map(pseudonym)) await list(voter, session);
      await store.setIfAbsent(keyOf(session), JSON.stringify(visitor), now(), SESSION_MS);
      return secret;
    },
    find: async (secret: string): Promise<Visitor | null> => {
      const text = await store.get(keyOf(hashOf(secret)), now());
      return text === null ? null : Visitor.parse(JSON.parse(text));
    },
    end: (secret: string): Promise<void> => store.delete(keyOf(hashOf(secret))),
  };
}

/** Signs a person out everywhere and forgets their name and address. @returns how many sessions they had */
export async function endSessions(store: KeyValue, voter: string, now: number): Promise<number> {
  let ended = 0;
  for (const { session } of ownIn(await store.get(ownKey(voter), now))) {
    if ((await store.get(keyOf(session), now)) !== null) ended += 1;
    await store.delete(keyOf(session));
  }
  await store.delete(ownKey(voter));
  return ended;
}
