import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import * as z from 'zod';
import { JuryError, onAbort } from '../../common/index.ts';
import { isLoopback } from '../../common/text/index.ts';
import { type VisibleVerdict, visibleVerdict } from '../../labels/access/index.ts';
import { type AgentDesk, type AgentVerdict, createAgentServer } from '../agents/index.ts';
import { type Door, limitVisitors, notByName, requireVisitor, visitor } from './access.ts';
import { API_VERSION, apiError } from './api-contract.ts';
import { type PageContext, runFor, runsFor, runsOf, viewerOf } from './context.ts';
import { beginFor, outcomeFor } from './judge-requests.ts';
import { noStore, secured } from './security-headers.ts';
import { readBody, refusingBody } from './web-host.ts';

/** A session without a request for this long has ended: many agents go without saying so. In ms. */
const IDLE_MS = 30 * 60_000;
/** How often ended sessions are looked for, ms. */
const LOOK_MS = 60_000;
/** The most sessions of a visitor. One more ends the one that was idle the longest. */
const SESSIONS_AT_ONCE = 100;

const SESSION = 'mcp-session-id';

/** The session of one agent. */
interface Session {
  user: string;
  transport: StreamableHTTPServerTransport;
  /** When its last request came, ms since the epoch. */
  usedAt: number;
  /** Requests that are not answered yet. */
  open: number;
}

/** Error codes of JSON-RPC. `-32001` is what agents know as "begin a new session". */
const REFUSED = -32_000;
const NO_SESSION = -32_001;

function sendRefusal(response: Response, status: number, message: string, code = REFUSED): void {
  if (status === 401) response.set('www-authenticate', 'Bearer');
  response.status(status).json({ jsonrpc: '2.0', error: { code, message }, id: null });
}

const HIDDEN =
  'It is kept, but people vote here before they see a verdict: vote in the console or by the API.';

/** A verdict as an agent may see it. @throws JuryError `usage` while it is hidden */
function shownTo({ kind, record }: VisibleVerdict): AgentVerdict {
  const { id, verdict, evalCase } = record;
  if (kind === 'hidden') throw new JuryError('usage', `Verdict ${id} is hidden. ${HIDDEN}`);
  return { id, verdict, shown: evalCase };
}

/** The result; failures that the API reports to its callers become errors for agents. */
async function forAgents<T>(result: Promise<T>): Promise<T> {
  return result.catch((thrown: unknown) => {
    throw new JuryError('usage', apiError(thrown).message);
  });
}

/** The tools on this service, in the name of the visitor who sent a request. */
function serviceDesk(context: PageContext, request: Request): AgentDesk {
  const { library, env, store, checks, now, log } = context;
  const { user } = visitor(request);
  return {
    library,
    defaultModel: env.settings.JURY_MODEL,
    isService: true,
    parse: (paste) => forAgents(context.readPaste(paste, user)),
    judge: ({ input, wish, key }, signal, onProgress) =>
      forAgents(
        (async () => {
          const { rubric, ...others } = wish;
          const body =
            typeof input === 'string'
              ? { paste: input, ...wish }
              : { ...input, ...(rubric === undefined ? {} : { rubric }), ...others };
          const sent = { body, key: key ?? randomUUID(), lastEvent: null };
          const id = await beginFor(context, request, sent);
          // No one would ask for the verdict again, so it need not be paid for.
          const unlink = key === undefined ? onAbort(signal, () => void checks.stop(id, user)) : () => {};
          try {
            const { verdict, limits } = await outcomeFor(context, request, id, 0, signal, (_n, view) => {
              if (view.answers !== undefined) onProgress({ ...view.answers, message: view.title });
            });
            return { ...shownTo(verdict), ...(limits === undefined ? {} : { limits }) };
          } finally {
            unlink();
          }
        })(),
      ),
    verdict: async (id) => {
      const seen = await visibleVerdict(store, id, viewerOf(context, request), now());
      return seen === null ? null : shownTo(seen);
    },
    runs: () => runsFor(context, request),
    compare: async (first, second) => {
      for (const { run } of [first, second])
        if ((await runFor(context, request, run)) === null)
          throw new JuryError(
            'usage',
            `There is no run "${run}", or you may not see it. list_runs lists them.`,
          );
      return runsOf(context, request).comparison(first, second);
    },
    failed: (thrown) => {
      context.onError();
      log.error({ error: thrown instanceof Error ? thrown.name : 'unknown' }, 'a call of an agent failed');
    },
  };
}

/**
 * Why a request does not come from where it says. A page of another site can make a browser send requests to this machine under a name of
 * its own (DNS rebinding), so a browser must name the service itself, and on a loopback address every request must.
 */
function strangerAt(request: Request, { env }: Pick<PageContext, 'env'>): string | null {
  const { HOST, JURY_PUBLIC_URL: publicUrl } = env.settings;
  const { origin, host = '' } = request.headers;
  const name = host.replace(/:\d+$/, '');
  const isByPublicName = publicUrl !== undefined && notByName(request, publicUrl) === null;
  const isByLocalName = isLoopback(HOST) && isLoopback(name);
  const isNamed = isByPublicName || isByLocalName || (!isLoopback(HOST) && publicUrl === undefined);
  if (!isNamed)
    return 'The service is not known by this name: use its address, or have JURY_PUBLIC_URL set to the one before it.';
  const own = isByPublicName ? new URL(publicUrl ?? '').origin : `http://${host}`;
  return origin === undefined || origin === own ? null : 'This request came from another site.';
}

const Identified = z.looseObject({ id: z.union([z.string(), z.number()]), method: z.string() });

/** The ids of the requests in a message, or in several. */
const requestsIn = (body: unknown): (string | number)[] =>
  (Array.isArray(body) ? body : [body]).flatMap((one) => Identified.safeParse(one).data?.id ?? []);

/** The sessions of agents in this process. */
function createSessions(context: PageContext) {
  const { now, leaving } = context;
  const sessions = new Map<string, Session>();

  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.transport.close();
  };
  const isOver = ({ open, usedAt }: Session): boolean => open === 0 && now() - usedAt > IDLE_MS;
  const endIdle = () => {
    for (const [id, session] of sessions) if (isOver(session)) void end(id);
  };
  const looking = setInterval(endIdle, LOOK_MS).unref();
  onAbort(leaving, () => {
    clearInterval(looking);
    for (const id of sessions.keys()) void end(id);
  });

  /** Makes room for one more session of a visitor. @returns whether there is any */
  function makeRoom(user: string): boolean {
    endIdle();
    const own = [...sessions].filter(([, session]) => session.user === user);
    if (own.length < SESSIONS_AT_ONCE) return true;
    const [longest] = own.filter(([, { open }]) => open === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (longest === undefined) return false;
    void end(longest[0]);
    return true;
  }

  return {
    end,
    /** The session of a request; null if it has ended, or is another visitor's. */
    find: (request: Request): Session | null => {
      const session = sessions.get(request.get(SESSION) ?? '');
      return session === undefined || session.user !== visitor(request).user || isOver(session)
        ? null
        : session;
    },
    /** Begins a session; it is found from its first response on. Null if the visitor has too many. */
    begin: async (request: Request): Promise<Session | null> => {
      const { user } = visitor(request);
      if (leaving.aborted || !makeRoom(user)) return null;
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, session),
        onsessionclosed: (id) => void sessions.delete(id),
      });
      const session: Session = { user, transport, usedAt: now(), open: 0 };
      await createAgentServer(serviceDesk(context, request), API_VERSION).connect(transport);
      return session;
    },
  };
}

/** Registers `/mcp`: the Model Context Protocol over streamable HTTP, for programs with a token or the key. */
export function registerMcp(context: PageContext, { tokens, people }: Door): void {
  const { web, env, now } = context;
  const sessions = createSessions(context);
  const mcp = Router();
  // Browsers have no business here, so their sessions do not count.
  const door: Door = { tokens, people: people === null ? null : { ...people, find: async () => null } };

  const knownPlace: RequestHandler = (request, response, next) => {
    const why = strangerAt(request, context);
    if (why === null) next();
    else sendRefusal(response, 403, why);
  };

  /** Passes a request to its session. */
  async function handle(session: Session, request: Request, response: Response): Promise<void> {
    const { transport } = session;
    session.open += 1;
    session.usedAt = now();
    response.once('close', () => {
      session.open -= 1;
      session.usedAt = now();
      if (response.writableFinished) return;
      // The agent has hung up: what it asked for is cancelled, as if it had said so.
      for (const requestId of requestsIn(request.body))
        transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    });
    await transport.handleRequest(request, response, request.body);
  }

  mcp.use(secured(env), noStore, knownPlace);
  mcp.use(
    requireVisitor(door, true, (status, why, _request, response) => sendRefusal(response, status, why)),
  );
  mcp.use(limitVisitors((why, _request, response) => sendRefusal(response, 429, why)));
  mcp.use(
    readBody,
    refusingBody((status, _request, response) =>
      sendRefusal(
        response,
        status,
        status === 413 ? 'The message is too large.' : 'The message cannot be read.',
      ),
    ),
  );
  mcp.post('/', async (request, response) => {
    const isNew = request.get(SESSION) === undefined;
    if (isNew && !isInitializeRequest(request.body))
      return sendRefusal(response, 400, `Begin with "initialize", then send its ${SESSION}.`);
    const session = isNew ? await sessions.begin(request) : sessions.find(request);
    if (session !== null) return handle(session, request, response);
    if (isNew) sendRefusal(response, 429, `At most ${SESSIONS_AT_ONCE} sessions at once.`);
    else sendRefusal(response, 404, 'This session has ended: begin a new one.', NO_SESSION);
  });
  mcp.delete('/', async (request, response) => {
    const session = sessions.find(request);
    if (session === null) return sendRefusal(response, 404, 'This session has ended.', NO_SESSION);
    await session.transport.handleRequest(request, response, request.body);
  });
  mcp.use((_request, response) => {
    response.set('allow', 'POST, DELETE');
    sendRefusal(response, 405, 'Send messages with POST. The service sends none of its own accord.');
  });
  web.use('/mcp', mcp);
}
