import { createHash, randomUUID } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import * as z from 'zod';
import { knownModels } from '../../judges/llm/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import { JudgeRequest } from '../../judging/index.ts';
import { currentOf } from '../../judging/standards/index.ts';
import { type VisibleVerdict, visibleVerdict } from '../../labels/access/index.ts';
import { wordsIn } from '../../labels/record/index.ts';
import { standingVote } from '../../labels/voting/index.ts';
import { askedCase, planRequest, recordRequest, requestId, verdictIdOf } from '../../requests/index.ts';
import { unsureQuestion } from '../chat/index.ts';
import { onlyOne, planningOf } from '../index.ts';
import { type Door, limitVisitors, requireVisitor, visitor } from './access.ts';
import { ApiError, answering, apiError, queryOf, refuseBody, sendError } from './api-contract.ts';
import { castBody, VoteBody, votedAs } from './api-vote.ts';
import { findFor, type PageContext, runFor, runsFor, runsOf, viewerOf, votingOf } from './context.ts';
import { openEventStream } from './event-stream.ts';
import { CONVERSATION, PAGE } from './ids.ts';
import { isFinal, limitsViewOf, type ViewOf, viewOf } from './live-views.ts';
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

const Body = z.record(z.string(), z.unknown());
const Paste = JudgeRequest.extend({ paste: z.string() });
/** The judging options that can stand beside the fields of a case. No `rubric`: a case names its own. */
const BesideCase = z.object(JudgeRequest.omit({ rubric: true }).shape);

const EventId = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** @throws ApiError if the value is nested too deep for JSON.stringify */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new ApiError('bad-request', 'The JSON is nested too deep: write the case as docs/cases.md shows.');
  }
}

/**
 * Reads the case and the judging options from a body: a paste, or a case with the options beside its fields.
 * @throws ApiError, JuryError, ZodError
 */
async function askedIn({ readPaste }: PageContext, body: unknown, who: string) {
  if (body === undefined)
    throw new ApiError(
      'bad-request',
      'Send the case as JSON, with the header content-type: application/json.',
    );
  const { method: _method, models: _models, panel: _panel, unsure: _unsure, ...evalCase } = Body.parse(body);
  const { paste, ...wish } =
    'paste' in evalCase ? Paste.parse(body) : { ...BesideCase.parse(body), paste: jsonOf(evalCase) };
  const parsed = onlyOne(await readPaste(paste, who));
  if ('problem' in parsed) {
    const { problem, missing, understood } = parsed;
    throw new ApiError('unclear', problem, { missing, understood });
  }
  const { received, ...read } = parsed;
  // A case sent as fields was never text: what the parser received is only the JSON made above.
  return { ...read, ...('paste' in evalCase && received !== undefined ? { received } : {}), wish };
}

const MOST_KEY_CHARS = 200;
const NO_STREAM =
  'No request of yours has this Idempotency-Key and this body, so there is no stream to continue. Send exactly the same again, or leave out Last-Event-ID to have it judged.';

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

/** The key of a request among all requests: the same key and body of a user give the same one, which does not name them. */
const recordedKey = (user: string, key: string, body: unknown): string =>
  `api:${createHash('sha256')
    .update(`${user}\n${key}\n${jsonOf(body)}`)
    .digest('hex')}`;

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

const problemError = ({ code, text, missing }: ViewOf<'problem'>): ApiError =>
  code === 'unreadable' || code === 'nothing'
    ? new ApiError('unclear', text)
    : new ApiError(code, text, missing.length === 0 ? {} : { missing });

const unsureError = ({ text, readings }: ViewOf<'unsure'>): ApiError =>
  new ApiError(
    'unsure',
    `${unsureQuestion({ text, readings })} The outcome may depend on it, so nothing was judged. Send it with "unsure": "remark" to judge without it, or "unsure": "answer" to judge with it.`,
    { unsure: text, readings },
  );

const errorOf = (view: ViewOf<'problem' | 'unsure'>): ApiError =>
  view.kind === 'problem' ? problemError(view) : unsureError(view);

/** Registers the routes of the HTTP API under `/api/v1`. */
export function registerApi(context: PageContext, door: Door): void {
  const { web, env, store, views, checks, library, models, now, leaving } = context;
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

  /**
   * Records a request, once per key, and starts judging it. The response names the key: who loses it can send the same again.
   * @returns the request's id, and the number of the last event that its sender has
   */
  const ask = async (request: Request, response: Response) => {
    const { user } = visitor(request);
    const lastEvent = lastEventOf(request);
    const idempotencyKey = keyOf(request);
    const { wish, ...asked } = await askedIn(context, request.body, user);
    // Throws if the case cannot be judged, before anything is recorded.
    planRequest(planningOf(context), asked, wish);
    const key = recordedKey(user, idempotencyKey, request.body);
    const sender = { surface: PAGE, team: '', requestedBy: user };
    const isKnown = async () => (await views.find(viewOf(requestId({ ...sender, key })))) !== null;
    if (lastEvent !== null && !(await isKnown())) throw new ApiError('refused', NO_STREAM);
    const { check, status } = await recordRequest(
      store,
      {
        ...sender,
        channel: CONVERSATION,
        thread: null,
        key,
        input: { kind: 'cases', cases: [askedCase(asked)] },
        wish,
      },
      now(),
    );
    await views.begin(viewOf(check.id), user, CONVERSATION);
    if (status === 'added') void checks.take(check.id);
    response.setHeader('idempotency-key', idempotencyKey);
    return { id: check.id, lastEvent: lastEvent ?? 0 };
  };

  /** The verdict of a request, with the limits that left judges unasked: they are the requester's own, so no verdict holds them. */
  const verdictFor = async (request: Request, id: string): Promise<object> => {
    const verdict = await visibleVerdict(store, verdictIdOf(id, 0), votingOf(context, request), now());
    if (verdict === null) throw new ApiError('not-found', 'This verdict is no longer kept.');
    const limits = (await views.find(limitsViewOf(id)))?.view;
    return { ...answerOf(verdict), ...(limits?.kind === 'answer' ? { limits: limits.text } : {}) };
  };

  /**
   * Waits for the verdict of a request.
   * @param after the number of the last state that the caller has
   * @param onProgress called with every later state before the verdict; each is whole, so those that were missed are not missing
   * @returns the response, and the number of its state; the last state is there even if the caller has it
   * @throws ApiError if there is no verdict
   */
  const outcomeOf = async (
    request: Request,
    response: Response,
    { id, lastEvent }: { id: string; lastEvent: number },
    onProgress: (n: number, view: ViewOf<'progress'>) => void = () => {},
  ): Promise<{ n: number; answer: object }> => {
    const current = await views.find(viewOf(id));
    const after = current !== null && isFinal(current.view) ? 0 : lastEvent;
    for await (const { n, view } of views.watch(viewOf(id), after, goneSignal(response, leaving))) {
      if (view.kind === 'progress') onProgress(n, view);
      if (view.kind === 'problem' || view.kind === 'unsure') throw errorOf(view);
      if (!isFinal(view)) continue;
      return { n, answer: await verdictFor(request, id) };
    }
    throw new ApiError(
      'store-unavailable',
      'The service is stopping. The request is kept: send it again with the same Idempotency-Key.',
    );
  };

  api.post(
    '/verdicts',
    answering(async (request, response) => {
      const asked = await ask(request, response);
      if (request.accepts(['application/json', 'text/event-stream']) !== 'text/event-stream')
        return void response.json((await outcomeOf(request, response, asked)).answer);
      const stream = openEventStream(request, response);
      try {
        const { n, answer } = await outcomeOf(request, response, asked, (id, { kind: _, ...progress }) =>
          stream.send({ id, name: 'progress', data: progress }),
        );
        stream.send({ id: n, name: 'verdict', data: answer });
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
      response.json((await runsOf(context, request).read(manifest.name)).report);
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
    'openapi.json': () => openApi(library, '1'),
  };
  for (const [name, read] of Object.entries(lists))
    api.get(`/${name}`, (_request, response) => void response.json(read()));
  api.use((_request, response) =>
    sendError(response, new ApiError('not-found', 'There is no such address: see /api/v1/openapi.json.')),
  );
  web.use('/api/v1', api);
}
