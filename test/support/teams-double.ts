import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import * as z from 'zod';
import type { TeamsPace } from '../../src/surfaces/teams/pace.ts';
import { createStreamsDouble } from './teams-streams.ts';

/** A message as it stands in Teams. */
export interface TeamsPost {
  id: string;
  /** With its thread: `19:…@thread.tacv2;messageid=…`. */
  conversation: string;
  activity: Sent;
  /** How often it was changed. */
  changes: number;
  /** The account of the one person who sees it; absent if everyone does. */
  onlyFor?: string;
}

const Sent = z.looseObject({
  type: z.string(),
  summary: z.string().optional(),
  text: z.string().optional(),
  recipient: z.looseObject({ id: z.string() }).optional(),
  attachments: z.array(z.looseObject({ content: z.unknown() })).optional(),
  entities: z.array(z.looseObject({ type: z.string() })).optional(),
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

/** Who alone sees a targeted message. */
const seenBy = ({ recipient }: Sent, isTargeted: unknown): Pick<TeamsPost, 'onlyFor'> =>
  isTargeted === 'true' ? { onlyFor: z.string().parse(recipient?.id) } : {};

/** A refusal that the next calls get. */
interface Refusal {
  status: number;
  /** Teams' word for it. */
  code?: string;
  times: number;
  retryAfter?: number;
  /** Only calls with this in their body. */
  says?: string;
  /** Only calls to this conversation. */
  conversation?: string;
  /** Only calls about streams. */
  streams?: boolean;
  /** Only messages for one person. */
  targeted?: boolean;
  method?: string;
}

/**
 * The part of Teams that takes messages, over the wire.
 * @param pace of the services that write to it, if it takes more than Teams does
 */
export async function startTeamsDouble(pace?: TeamsPace) {
  const posts: TeamsPost[] = [];
  let nextId = 1_700_000_000_000;
  const newId = (): string => {
    nextId += 1;
    return String(nextId);
  };
  const streams = createStreamsDouble(newId, pace?.streamMs);
  let mute: { moment: 'begin' | 'end'; reached: () => void } | null = null;
  const members = new Map<string, Set<string>>();
  /** What Teams says of a member beside the name. */
  const kinds = new Map<string, { tenantId?: string; userRole?: string }>();
  const left = new Set<string>();
  /** Files by their path; one that lies elsewhere answers where. */
  const files = new Map<string, string | { location: string }>();
  const calls: { method: string; path: string; at: number; authorization: string | undefined }[] = [];
  let refusal: Refusal | null = null;
  let refused = 0;
  let held: Promise<void> | null = null;
  let hasStreams = true;

  const app = express();
  app.use(express.json({ limit: '1mb' }));
  app.use((request, response, next) => {
    const { method, path, headers } = request;
    calls.push({ method, path, at: performance.now(), authorization: headers.authorization });
    const isMeant =
      decodeURIComponent(path).includes(refusal?.conversation ?? '') &&
      JSON.stringify(request.body ?? '').includes(refusal?.says ?? '') &&
      (refusal?.targeted !== true || request.query.isTargetedActivity === 'true') &&
      (refusal?.method === undefined || refusal.method === method) &&
      (refusal?.streams !== true || /streaminfo/.test(JSON.stringify(request.body)));
    if (refusal !== null && refusal.times > 0 && isMeant) {
      refusal.times -= 1;
      refused += 1;
      if (refusal.retryAfter !== undefined) response.setHeader('retry-after', String(refusal.retryAfter));
      response.status(refusal.status).json({ error: { code: refusal.code ?? 'refused' } });
      return;
    }
    next();
  });
  app.post('/v3/conversations/:conversation/activities', async (request, response) => {
    const activity = Sent.parse(request.body);
    if (activity.entities?.some(({ type }) => type === 'streaminfo')) {
      if (!hasStreams) {
        response.status(403).json({ error: { code: 'refused' } });
        return;
      }
      const { conversation } = request.params;
      const { status, body, ended } = streams.take(conversation, activity);
      if (ended !== undefined) posts.push({ id: ended, conversation, activity, changes: 0 });
      const moment = activity.type === 'message' ? 'end' : status === 201 ? 'begin' : null;
      if (mute !== null && mute.moment === moment) {
        // Taken, but who sent it never hears so.
        mute.reached();
        return;
      }
      response.status(status).json(body);
      return;
    }
    const id = newId();
    const seen = seenBy(activity, request.query.isTargetedActivity);
    posts.push({ id, conversation: request.params.conversation, activity, changes: 0, ...seen });
    response.status(201).json({ id });
  });
  app.put('/v3/conversations/:conversation/activities/:id', async (request, response) => {
    await held;
    const { conversation, id: changedId } = request.params;
    if (streams.becomesMessage(changedId))
      posts.push({ id: changedId, conversation, activity: Sent.parse(request.body), changes: 0 });
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
  let isPlayground = false;
  app.get('/v3/conversations/:conversation/members', ({ params: { conversation } }, response) => {
    const users = [...(members.get(conversation) ?? [])];
    response.json(
      users.map((user, n) => ({
        id: `user-id-${n}`,
        objectId: user,
        name: `Member ${user.slice(-4)}`,
        ...kinds.get(user),
      })),
    );
  });
  app.get('/v3/conversations/:conversation/members/:user', (request, response) => {
    const { conversation, user } = request.params;
    const isMember = !isPlayground && members.get(conversation)?.has(user) === true;
    response
      .status(isMember ? 200 : 404)
      .json(
        isMember ? { id: user, aadObjectId: user, name: `Member ${user.slice(-4)}`, ...kinds.get(user) } : {},
      );
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
    pace,
    posts,
    streams: streams.all,
    violations: streams.violations,
    members,
    kinds,
    files,
    calls,
    /** Finds people by other ids than it sends with what they do, as the playground does. */
    actAsPlayground: () => {
      isPlayground = true;
    },
    /** Who acts in a conversation is in it, unless they have left. */
    enter: (conversation: string, user: string) => {
      if (left.has(`${conversation} ${user}`)) return;
      members.set(conversation, (members.get(conversation) ?? new Set()).add(user));
    },
    leave: (conversation: string, user: string) => {
      left.add(`${conversation} ${user}`);
      members.get(conversation)?.delete(user);
    },
    /** How many calls were refused. */
    refused: () => refused,
    /** The next calls are refused. */
    refuse: (next: Refusal) => {
      refusal = { ...next };
    },
    /** From now on there are no streams, as in some tenants: for tests that are not about them, since a stream takes one write a second. */
    withoutStreams: () => {
      hasStreams = false;
    },
    pass: streams.pass,
    stopStream: streams.stop,
    /** What begins or ends a stream is taken from now on and not answered; resolves at the first. */
    muteStreams: (moment: 'begin' | 'end') =>
      new Promise<void>((reached) => {
        mute = { moment, reached };
      }),
    unmuteStreams: () => {
      mute = null;
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
