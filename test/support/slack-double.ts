import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createEmulator } from 'emulate';
import * as z from 'zod';
import { messageProblems, viewProblems } from './slack-limits.ts';
import { argsOf, bodyOf, freePort, type SharedFile, type SlackCall } from './slack-wire.ts';
import { acceptSocket, type ServerSocket } from './web-socket.ts';

export interface SlackDoubleOptions {
  /** Whether the workspace has native streams; default no. */
  streams?: boolean;
  /** The scopes of the bot's token; default: not said. */
  scopes?: readonly string[];
  port?: number;
}

const Chunks = z.array(z.looseObject({ blocks: z.array(z.unknown()).default([]) })).default([]);

const Answer = z.looseObject({});

const Message = z.looseObject({
  ts: z.string(),
  text: z.string().default(''),
  user: z.string(),
  blocks: z.array(z.looseObject({ type: z.string() })).default([]),
});
export type ShownMessage = z.infer<typeof Message>;

export type SlackDouble = Awaited<ReturnType<typeof startSlackDouble>>;

export const tokens = { bot: 'xoxb-jury-test', app: 'xapp-jury-test', ann: 'xoxp-ann', ben: 'xoxp-ben' };
export const TEAM = 'T000000001';

/**
 * A local Slack: a stateful emulator of the Web API, and before it what that lacks (Socket Mode, streams, forms opened by
 * people, files), a record of every call and scripted refusals. What Slack would refuse for its size or shape is refused.
 */
export async function startSlackDouble(options: SlackDoubleOptions = {}) {
  const emulator = await createEmulator({
    service: 'slack',
    port: await freePort(),
    seed: {
      tokens: {
        [tokens.bot]: { login: 'jury' },
        [tokens.ann]: { login: 'ann' },
        [tokens.ben]: { login: 'ben' },
      },
      slack: {
        team: { name: 'Acme', domain: 'acme' },
        users: ['jury', 'ann', 'ben'].map((name) => ({ name, real_name: name, email: `${name}@acme.test` })),
        channels: [{ name: 'evals' }, { name: 'other' }],
      },
    },
  });
  const calls: SlackCall[] = [];
  const problems: string[] = [];
  const refusals: { method: string; error: string; times: number; match: (call: SlackCall) => boolean }[] =
    [];
  const rooms = new Map<string, { members: string[]; isPrivate: boolean }>();
  const files = new Map<
    string,
    { name: string; body: string | Uint8Array; type: string; location?: string }
  >();
  const streams = new Map<string, 'open' | 'ended'>();
  const sockets = new Set<ServerSocket>();
  const acks = new Map<string, (payload: unknown) => void>();
  const cuts = new Map<string, number>();
  let isClosed = false;
  let waits: { method: string; until: Promise<void>; match: (call: SlackCall) => boolean } | null = null;

  // A request of `fetch` costs several times as much, and tests look here again and again. A connection that is kept may be closed
  // just when it is used again. One at a time: of two updates of a message the one that came later stands.
  const agent = new Agent({ keepAlive: false, maxSockets: 1 });
  const upstream = async (method: string, args: Record<string, unknown>, token: string) => {
    const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
    const form = new URLSearchParams(
      Object.entries(args).map(([key, value]): [string, string] => [key, text(value)]),
    );
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    };
    const sent = requestOf(`${emulator.url}/api/${method}`, { method: 'POST', headers, agent });
    const [response] = await once(sent.end(form.toString()), 'response');
    if (!(response instanceof IncomingMessage)) throw new Error('no response');
    return { status: response.statusCode ?? 0, body: Answer.parse(await json(response)) };
  };

  async function stream(method: string, args: Record<string, unknown>, token: string) {
    if (options.streams !== true) return { ok: false, error: 'unknown_method' };
    if (method === 'chat.startStream') {
      const posted = await upstream(
        'chat.postMessage',
        {
          channel: args.channel,
          thread_ts: args.thread_ts,
          text: ' …',
          blocks: Chunks.parse(args.chunks).flatMap(({ blocks }) => blocks),
        },
        token,
      );
      streams.set(String(posted.body.ts), 'open');
      return posted.body;
    }
    const ts = String(args.ts);
    if (streams.get(ts) !== 'open') return { ok: false, error: 'message_not_in_streaming_state' };
    if (method === 'chat.stopStream') streams.set(ts, 'ended');
    return { ok: true, channel: args.channel, ts };
  }

  interface Reply {
    status: number;
    body: Record<string, unknown>;
    headers?: Record<string, string>;
  }
  const ok = (body: Record<string, unknown>): Reply => ({ status: 200, body });

  /** What a test makes it answer. */
  function refused(call: SlackCall): Reply | null {
    const refusal = refusals.find((one) => one.method === call.method && one.times > 0 && one.match(call));
    if (refusal === undefined) return null;
    refusal.times -= 1;
    if (refusal.error === 'missing_scope')
      return ok({ ok: false, error: refusal.error, needed: 'chat:write', provided: 'commands' });
    if (refusal.error !== 'ratelimited') return ok({ ok: false, error: refusal.error });
    return { status: 429, body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': '1' } };
  }

  /** What Slack would refuse for its size or shape. */
  function misshapen({ method, args }: SlackCall): Reply | null {
    const isMessage = method === 'chat.postMessage' || method === 'chat.update';
    const wrong = method.startsWith('views.')
      ? viewProblems(args.view)
      : isMessage && args.blocks !== undefined
        ? messageProblems({ text: String(args.text ?? ''), blocks: args.blocks })
        : [];
    problems.push(...wrong);
    if (wrong.length > 0) return ok({ ok: false, error: 'invalid_blocks' });
    return isMessage && streams.get(String(args.ts)) === 'open'
      ? ok({ ok: false, error: 'streaming_state_conflict' })
      : null;
  }

  function connection(token: string): Reply {
    const url = `${api.replace('http', 'ws').replace('/api/', '')}/link`;
    return ok(token === tokens.app ? { ok: true, url } : { ok: false, error: 'invalid_auth' });
  }

  async function answer(call: SlackCall): Promise<Reply> {
    const { method, args, token } = call;
    const no = refused(call) ?? misshapen(call);
    if (no !== null) return no;
    if (method === 'apps.connections.open') return connection(token);
    const room = rooms.get(String(args.channel));
    if (room !== undefined && method === 'conversations.members')
      return ok({ ok: true, members: room.members });
    if (room !== undefined && method === 'conversations.info')
      return ok({ ok: true, channel: { id: args.channel, is_private: room.isPrivate } });
    if (method.endsWith('Stream')) return ok(await stream(method, args, token));
    if (method.startsWith('views.')) return ok({ ok: true, view: { id: `V${calls.length}`, hash: 'h' } });
    return upstream(method, args, token);
  }

  function sendFile(id: string, response: ServerResponse): void {
    const file = files.get(id);
    if (file?.location !== undefined) return void response.writeHead(302, { location: file.location }).end();
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' });
    response.end(file?.body ?? '');
  }

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (path.startsWith('/files/')) {
      calls.push({
        method: 'download',
        args: { path },
        token,
        at: performance.now(),
        refused: false,
        taken: true,
      });
      return sendFile(path.slice(7), response);
    }
    const call: SlackCall = {
      method: path.replace('/api/', ''),
      args: argsOf(await bodyOf(request)),
      token,
      at: performance.now(),
      refused: false,
      taken: false,
    };
    calls.push(call);
    if (waits?.method === call.method && waits.match(call)) await waits.until;
    const answered = await answer(call).catch((thrown: unknown) => {
      // What was under way when the test ended is no one's answer any more.
      if (isClosed) return null;
      throw thrown;
    });
    if (answered === null) return;
    const { status, body, headers } = answered;
    call.refused = body.ok !== true;
    call.taken = !call.refused;
    const left = cuts.get(call.method) ?? 0;
    if (left > 0) {
      cuts.set(call.method, left - 1);
      return void request.socket.destroy();
    }
    const said = options.scopes === undefined ? {} : { 'x-oauth-scopes': options.scopes.join(',') };
    response
      .writeHead(status, { 'content-type': 'application/json', ...said, ...headers })
      .end(JSON.stringify(body));
  });
  server.on('upgrade', (request, wire) => {
    const socket = acceptSocket(request, wire);
    sockets.add(socket);
    wire.on('close', () => sockets.delete(socket));
    socket.onText((text) => {
      const ack = z.object({ envelope_id: z.string(), payload: z.unknown() }).parse(JSON.parse(text));
      acks.get(ack.envelope_id)?.(ack.payload);
    });
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A1' } }));
  });
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const api = `http://127.0.0.1:${port}/api/`;

  const idOf = async (token: string) => String((await upstream('auth.test', {}, token)).body.user_id);
  const channels = z
    .object({ channels: z.array(z.object({ id: z.string(), name: z.string() })) })
    .parse((await upstream('conversations.list', {}, tokens.bot)).body).channels;
  const users = { jury: await idOf(tokens.bot), ann: await idOf(tokens.ann), ben: await idOf(tokens.ben) };
  const im = z
    .object({ channel: z.object({ id: z.string() }) })
    .parse((await upstream('conversations.open', { users: users.jury }, tokens.ann)).body).channel.id;

  async function messages(channel: string, thread?: string): Promise<ShownMessage[]> {
    const { body } = await upstream(
      thread === undefined ? 'conversations.history' : 'conversations.replies',
      { channel, limit: '200', ...(thread === undefined ? {} : { ts: thread }) },
      channel === im ? tokens.ann : tokens.bot,
    );
    return z.object({ messages: z.array(Message) }).parse(body).messages;
  }

  return {
    apiUrl: api,
    port,
    users,
    im,
    channel: channels.find(({ name }) => name === 'evals')?.id ?? '',
    calls,
    /** What Slack would have refused. */
    problems,
    called: (method: string) => calls.filter((call) => call.method === method),
    /** From now on a method answers so; `match` narrows it down. */
    refuse: (
      method: string,
      error: string,
      times = Number.POSITIVE_INFINITY,
      match = (_: SlackCall) => true,
    ) => refusals.push({ method, error, times, match }),
    /** So many calls are carried out, but their answers are lost on the way. */
    cut: (method: string, times: number) => cuts.set(method, times),
    allow: () => refusals.splice(0),
    /** Holds a method's calls back until the returned function is called; `match` narrows it down. */
    hold: (method: string, match = (_: SlackCall) => true): (() => void) => {
      let release = () => {};
      waits = {
        method,
        match,
        until: new Promise<void>((done) => {
          release = done;
        }),
      };
      return () => {
        waits = null;
        release();
      };
    },
    /** From now on these people are in a channel, and no one else. */
    room: (channel: string, members: string[], isPrivate: boolean) =>
      rooms.set(channel, { members, isPrivate }),
    /** A person writes; resolves to the message's ts. */
    say: async (
      text: string,
      where: { channel?: string; thread?: string; as?: 'ann' | 'ben' | 'bot' } = {},
    ): Promise<string> => {
      const channel = where.channel ?? channels.find(({ name }) => name === 'evals')?.id ?? '';
      const thread = where.thread === undefined ? {} : { thread_ts: where.thread };
      const { body } = await upstream(
        'chat.postMessage',
        { channel, text, ...thread },
        tokens[where.as ?? 'ann'],
      );
      return z.object({ ts: z.string() }).parse(body).ts;
    },
    /** The names of the reactions on a message. */
    reactions: async (channel: string, timestamp: string): Promise<string[]> => {
      const { body } = await upstream('reactions.get', { channel, timestamp }, tokens.ann);
      const { message } = z
        .object({ message: z.object({ reactions: z.array(z.object({ name: z.string() })).default([]) }) })
        .parse(body);
      return message.reactions.map(({ name }) => name);
    },
    /** A person does something beside writing, such as editing what they wrote. */
    asPerson: async (method: string, args: Record<string, unknown>, as: 'ann' | 'ben' = 'ann') =>
      (await upstream(method, args, tokens[as])).body,
    share: (
      name: string,
      body: string | Uint8Array,
      more: { type?: string; location?: string } = {},
    ): SharedFile => {
      const id = `F${files.size + 1}`;
      files.set(id, {
        name,
        body,
        type: more.type ?? 'text/plain',
        ...(more.location === undefined ? {} : { location: more.location }),
      });
      return { id, name, size: body.length, url_private_download: `http://127.0.0.1:${port}/files/${id}` };
    },
    messages,
    /** What the app has written in a thread or, without one, in a channel. */
    written: async (channel: string, thread?: string) =>
      (await messages(channel, thread)).filter(({ user }) => user === users.jury),
    message: async (channel: string, ts: string, thread?: string) =>
      (await messages(channel, thread ?? ts)).find((message) => message.ts === ts),
    streamStates: () => [...streams.values()],
    sockets,
    /** Sends an envelope over Socket Mode and resolves to what it was acknowledged with. */
    sendEnvelope: (type: string, payload: unknown): Promise<unknown> =>
      new Promise((resolve, reject) => {
        // That of a process that ends may still be open.
        const socket = [...sockets].at(-1);
        if (socket === undefined) return reject(new Error('no one is connected'));
        const envelope_id = randomUUID();
        acks.set(envelope_id, resolve);
        socket.send(
          JSON.stringify({ envelope_id, type, payload, accepts_response_payload: type !== 'events_api' }),
        );
      }),
    close: async () => {
      isClosed = true;
      for (const socket of sockets) socket.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      agent.destroy();
      await emulator.close();
    },
  };
}
