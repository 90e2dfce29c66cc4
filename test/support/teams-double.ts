import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import * as z from 'zod';

/** A message as it stands in Teams. */
export interface TeamsPost {
  id: string;
  /** With its thread: `19:…@thread.tacv2;messageid=…`. */
  conversation: string;
  activity: Sent;
  /** How often it was changed. */
  changes: number;
}

const Sent = z.looseObject({
  type: z.string(),
  summary: z.string().optional(),
  text: z.string().optional(),
  attachments: z.array(z.looseObject({ content: z.unknown() })).optional(),
});
type Sent = z.infer<typeof Sent>;

/** Everything that has a text, in the order in which it is read. */
function wordsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === 'text' || key === 'title') && typeof inner === 'string' ? [inner] : wordsIn(inner),
  );
}

export const textOfPost = ({ activity }: TeamsPost): string =>
  [
    activity.summary ?? '',
    activity.text ?? '',
    ...wordsIn(activity.attachments?.map(({ content }) => content)),
  ].join('\n');

/** A refusal that the next calls get. */
interface Refusal {
  status: number;
  times: number;
  retryAfter?: number;
  /** Only calls to this conversation. */
  conversation?: string;
}

/** The part of Teams that takes messages, over the wire. */
export async function startTeamsDouble() {
  const posts: TeamsPost[] = [];
  const members = new Map<string, Set<string>>();
  /** Files by their path; one that lies elsewhere answers where. */
  const files = new Map<string, string | { location: string }>();
  const calls: { method: string; path: string; at: number; authorization: string | undefined }[] = [];
  let refusal: Refusal | null = null;
  let held: Promise<void> | null = null;
  let nextId = 1_700_000_000_000;

  const app = express();
  app.use(express.json({ limit: '1mb' }));
  app.use((request, response, next) => {
    const { method, path, headers } = request;
    calls.push({ method, path, at: performance.now(), authorization: headers.authorization });
    const isMeant = decodeURIComponent(path).includes(refusal?.conversation ?? '');
    if (refusal !== null && refusal.times > 0 && isMeant) {
      refusal.times -= 1;
      if (refusal.retryAfter !== undefined) response.setHeader('retry-after', String(refusal.retryAfter));
      response.status(refusal.status).json({ error: { code: 'refused' } });
      return;
    }
    next();
  });
  app.post('/v3/conversations/:conversation/activities', (request, response) => {
    nextId += 1;
    const id = String(nextId);
    const activity = Sent.parse(request.body);
    posts.push({ id, conversation: request.params.conversation, activity, changes: 0 });
    response.status(201).json({ id });
  });
  app.put('/v3/conversations/:conversation/activities/:id', async (request, response) => {
    await held;
    const post = posts.find(({ id }) => id === request.params.id);
    if (post === undefined) {
      response.status(404).json({ error: { code: 'not found' } });
      return;
    }
    const changed = Sent.parse(request.body);
    // As Teams does, for which these are two messages.
    if ((changed.text ?? '') !== '' && (changed.attachments ?? []).length > 0) {
      response.status(400).json({ error: { code: 'BadSyntax', message: 'more than one message' } });
      return;
    }
    post.activity = changed;
    post.changes += 1;
    response.json({ id: post.id });
  });
  app.delete('/v3/conversations/:conversation/activities/:id', (request, response) => {
    const at = posts.findIndex(({ id }) => id === request.params.id);
    if (at >= 0) posts.splice(at, 1);
    response.status(at >= 0 ? 200 : 404).json({});
  });
  app.get('/v3/conversations/:conversation/members/:user', (request, response) => {
    const { conversation, user } = request.params;
    const isMember = members.get(conversation)?.has(user) === true;
    response
      .status(isMember ? 200 : 404)
      .json(isMember ? { id: user, aadObjectId: user, name: `Member ${user.slice(-4)}` } : {});
  });
  app.get('/v3/attachments/:id/views/original', (request, response) => {
    const file = files.get(request.path);
    if (file === undefined) response.status(404).json({});
    else if (typeof file === 'string') response.type('application/octet-stream').send(file);
    else response.redirect(302, file.location);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');

  return {
    url: `http://127.0.0.1:${address.port}`,
    posts,
    members,
    files,
    calls,
    /** The next calls are refused. */
    refuse: (next: Refusal) => {
      refusal = { ...next };
    },
    /** Changes of messages wait until the returned function was called. */
    hold: () => {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        held = null;
        release();
      };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
export type TeamsDouble = Awaited<ReturnType<typeof startTeamsDouble>>;
