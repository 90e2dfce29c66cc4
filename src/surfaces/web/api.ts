import { randomUUID } from 'node:crypto';
import { type Request, Router } from 'express';
import * as z from 'zod';
import { knownModels } from '../../judges/llm/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import { currentOf } from '../../judging/standards/index.ts';
import { type VisibleVerdict, visibleVerdict } from '../../labels/access/index.ts';
import { wordsIn } from '../../labels/record/index.ts';
import { standingVote } from '../../labels/voting/index.ts';
import { type Door, limitVisitors, requireVisitor } from './access.ts';
import { ApiError, answering, apiError, queryOf, refuseBody, sendError } from './api-contract.ts';
import { castBody, VoteBody, votedAs } from './api-vote.ts';
import {
  caseAddress,
  findFor,
  type PageContext,
  runFor,
  runsFor,
  runsOf,
  viewerOf,
  votingOf,
} from './context.ts';
import { openEventStream } from './event-stream.ts';
import { beginFor, outcomeFor, type ProgramOutcome } from './judge-requests.ts';
import { openApi } from './open-api.ts';
import { goneSignal } from './page.tsx';
import { noStore, secured } from './security-headers.ts';
import { readBody } from './web-host.ts';

const REFUSED = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'too-many-requests',
  503: 'store-unavailable',
} as const;

const MOST_KEY_CHARS = 200;

/**
 * What identifies a request for its sender, so that it can be sent again. Without the header, every request gets its own.
 * @throws ApiError if the header is empty or too long
 */
function keyOf({ headers }: Request): string {
  const key = headers['idempotency-key'];
  if (key === undefined) return randomUUID();
  if (Array.isArray(key) || key === '' || key.length > MOST_KEY_CHARS)
    throw new ApiError('bad-request', `Idempotency-Key: must have 1 to ${MOST_KEY_CHARS} characters.`);
  return key;
}

const EventId = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/**
 * The id of the last event that a client has of a stream it lost; null for a new request.
 * @throws ApiError if it is no id, or if there is no key that says which stream it was
 */
function lastEventOf({ headers }: Request): number | null {
  const last = headers['last-event-id'];
  if (last === undefined || last === '') return null;
  const id = EventId.safeParse(last).data;
  if (id === undefined) throw new ApiError('bad-request', 'Last-Event-ID: must be the id of an event.');
  if (headers['idempotency-key'] === undefined)
    throw new ApiError(
      'bad-request',
      'Last-Event-ID continues a lost stream: send the Idempotency-Key of that request too.',
    );
  return id;
}

/** A verdict as the API returns it; while it is hidden from the visitor, only its id and rubric. */
function answerOf({ kind, record }: VisibleVerdict): object {
  const { id, evalCase, verdict } = record;
  if (kind === 'hidden') return { id, rubric: verdict.rubric, hidden: true };
  return { id, ...verdict, case: evalCase };
}

/** The response to a request to judge. */
const answerTo = ({ verdict, limits }: ProgramOutcome): object => ({
  ...answerOf(verdict),
  ...(limits === undefined ? {} : { limits }),
});

/** Registers the routes of the HTTP API under `/api/v1`. */
export function registerApi(context: PageContext, door: Door): void {
  const { web, env, store, library, models, now, leaving } = context;
  const api = Router();
  api.use(secured(env), noStore);
  api.use(
    requireVisitor(door, true, (status, why, _request, response) =>
      sendError(response, new ApiError(REFUSED[status], why)),
    ),
  );
  api.use(
    limitVisitors((why, _request, response) => sendError(response, new ApiError('too-many-requests', why))),
  );
  api.use(readBody, refuseBody);
  const isList = ({ method, path }: Request) =>
    path.replace(/\/$/, '') === '/verdicts' && ['GET', 'HEAD'].includes(method);
  api.use((request, response, next) => {
    const [name] = isList(request) ? [] : Object.keys(request.query);
    if (name === undefined) next();
    else sendError(response, new ApiError('bad-request', `${name}: this address takes no query`));
  });

  const visible = async (request: Request): Promise<VisibleVerdict> => {
    const verdict = await visibleVerdict(store, String(request.params.id), votingOf(context, request), now());
    if (verdict === null) throw new ApiError('not-found', 'There is no such verdict, or you may not see it.');
    return verdict;
  };

  api.post(
    '/verdicts',
    answering(async (request, response) => {
      const lastEvent = lastEventOf(request);
      const key = keyOf(request);
      const id = await beginFor(context, request, { body: request.body, key, lastEvent });
      // Who loses the response can send the same again.
      response.setHeader('idempotency-key', key);
      const gone = goneSignal(response, leaving);
      const outcome = (onProgress?: Parameters<typeof outcomeFor>[5]) =>
        outcomeFor(context, request, id, lastEvent ?? 0, gone, onProgress);
      if (request.accepts(['application/json', 'text/event-stream']) !== 'text/event-stream')
        return void response.json(answerTo(await outcome()));
      const stream = openEventStream(request, response);
      try {
        const judged = await outcome((n, { kind: _, ...progress }) =>
          stream.send({ id: n, name: 'progress', data: progress }),
        );
        stream.send({ id: judged.n, name: 'verdict', data: answerTo(judged) });
      } catch (thrown) {
        const { code, message, more } = apiError(thrown);
        stream.send({ name: 'error', data: { code, message, ...more } });
      } finally {
        stream.end();
      }
    }),
  );
  api.get(
    '/verdicts',
    answering(async (request, response) => {
      const { cursor, since, q, limit, rubric, decision } = queryOf(request.query);
      const viewer = viewerOf(context, request);
      if (cursor !== undefined && (await visibleVerdict(store, cursor, viewer, now())) === null)
        throw new ApiError('bad-request', 'cursor: no page ends there, or not any more; begin without it');
      const { found, next } = await findFor(
        context,
        request,
        {
          ...(cursor === undefined ? {} : { after: cursor }),
          ...(since === undefined ? {} : { since: Date.parse(since) }),
          ...(q === undefined ? {} : { words: wordsIn(q) }),
          ...(rubric === undefined ? {} : { rubric }),
          ...(decision === undefined ? {} : { decision }),
        },
        limit,
      );
      response.json({ verdicts: found.map(answerOf), cursor: next });
    }),
  );
  api.get(
    '/verdicts/:id',
    answering(async (request, response) => void response.json(answerOf(await visible(request)))),
  );
  api.put(
    '/verdicts/:id/vote',
    answering(async (request, response) => {
      const seen = await visible(request);
      const voting = votingOf(context, request, 'volunteer');
      await castBody(context, voting, seen, VoteBody.parse(request.body));
      const { id } = seen.record;
      const after = await visible(request);
      const ownVote = await standingVote(store, id, voting.voter);
      response.json({
        vote: votedAs(ownVote),
        tally: after.kind === 'hidden' ? null : await store.tally(id),
      });
    }),
  );
  api.get(
    '/runs',
    answering(async (request, response) => void response.json(await runsFor(context, request))),
  );
  api.get(
    '/runs/:name',
    answering(async (request, response) => {
      const manifest = await runFor(context, request, request.params.name);
      if (manifest === null) throw new ApiError('not-found', 'There is no such run, or you may not see it.');
      const { json } = await runsOf(context, request).report(manifest, caseAddress(manifest.name));
      response.type('json').send(json);
    }),
  );
  const lists: Readonly<Record<string, () => unknown>> = {
    rubrics: () => currentOf(library.rubrics),
    methods: () => [...library.methods.values()],
    personas: () => currentOf(library.personas),
    models: () => [
      { id: RULES, ready: true },
      ...knownModels().map((model) => ({
        ...model,
        price: env.prices.of(model.id),
        ready: models.includes(model.id),
      })),
    ],
    'openapi.json': () => openApi(library),
  };
  for (const [name, read] of Object.entries(lists))
    api.get(`/${name}`, (_request, response) => void response.json(read()));
  api.use((_request, response) =>
    sendError(response, new ApiError('not-found', 'There is no such address: see /api/v1/openapi.json.')),
  );
  web.use('/api/v1', api);
}
