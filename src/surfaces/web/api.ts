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
import { askedCase, planRequest, recordRequest, verdictIdOf } from '../../requests/index.ts';
import { unsureQuestion } from '../chat/index.ts';
import { onlyOne, planningOf } from '../index.ts';
import { type Door, limitVisitors, requireVisitor, visitor } from './access.ts';
import { ApiError, answering, apiError, openApi, queryOf, refuseBody, sendError } from './api-contract.ts';
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
import { CONVERSATION, PAGE } from './ids.ts';
import { isFinal, limitsViewOf, type ViewOf, viewOf } from './live-views.ts';
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

/**
 * The idempotency key of a request. The same header and body of a user give the same key, which does not name them; without the header, every
 * request gets its own.
 * @throws ApiError if the header is empty or too long
 */
function keyOf({ headers, body }: Request, user: string): string {
  const key = headers['idempotency-key'];
  if (key === undefined) return randomUUID();
  if (Array.isArray(key) || key === '' || key.length > MOST_KEY_CHARS)
    throw new ApiError('bad-request', `Idempotency-Key: must have 1 to ${MOST_KEY_CHARS} characters.`);
  return createHash('sha256')
    .update(`${user}\n${key}\n${jsonOf(body)}`)
    .digest('hex');
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

  /** Records a request, once per key, and starts judging it. @returns the request's id */
  const ask = async (request: Request): Promise<string> => {
    const user = visitor(request).user;
    const { wish, ...asked } = await askedIn(context, request.body, user);
    // Throws if the case cannot be judged, before anything is recorded.
    planRequest(planningOf(context), asked, wish);
    const { check, status } = await recordRequest(
      store,
      {
        surface: PAGE,
        team: '',
        channel: CONVERSATION,
        thread: null,
        requestedBy: user,
        key: `api:${keyOf(request, user)}`,
        input: { kind: 'cases', cases: [askedCase(asked)] },
        wish,
      },
      now(),
    );
    await views.begin(viewOf(check.id), user, CONVERSATION);
    if (status === 'added') void checks.take(check.id);
    return check.id;
  };

  /**
   * Waits for the verdict of a request.
   * @param onProgress called with every state before the verdict
   * @throws ApiError if there is no verdict
   */
  const outcomeOf = async (
    request: Request,
    response: Response,
    id: string,
    onProgress: (view: ViewOf<'progress'>) => void = () => {},
  ): Promise<object> => {
    for await (const { view } of views.watch(viewOf(id), 0, goneSignal(response, leaving))) {
      if (view.kind === 'progress') onProgress(view);
      if (view.kind === 'problem' || view.kind === 'unsure') throw errorOf(view);
      if (!isFinal(view)) continue;
      const verdict = await visibleVerdict(store, verdictIdOf(id, 0), votingOf(context, request), now());
      // The limits are the requester's own, so they go into this response and not into the verdict.
      const limits = (await views.find(limitsViewOf(id)))?.view;
      if (verdict !== null)
        return { ...answerOf(verdict), ...(limits?.kind === 'answer' ? { limits: limits.text } : {}) };
      throw new ApiError('not-found', 'This verdict is no longer kept.');
    }
    throw new ApiError(
      'store-unavailable',
      'The service is stopping. The request is kept: send it again with the same Idempotency-Key.',
    );
  };

  api.post(
    '/verdicts',
    answering(async (request, response) => {
      const id = await ask(request);
      if (request.accepts(['application/json', 'text/event-stream']) !== 'text/event-stream')
        return void response.json(await outcomeOf(request, response, id));
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      const event = (name: string, data: object) =>
        response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      try {
        event(
          'verdict',
          await outcomeOf(request, response, id, ({ kind: _, ...progress }) => event('progress', progress)),
        );
      } catch (thrown) {
        const { code, message, more } = apiError(thrown);
        event('error', { code, message, ...more });
      }
      response.end();
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
    'openapi.json': () => openApi(library, '1', VoteBody),
  };
  for (const [name, read] of Object.entries(lists))
    api.get(`/${name}`, (_request, response) => void response.json(read()));
  api.use((_request, response) =>
    sendError(response, new ApiError('not-found', 'There is no such address: see /api/v1/openapi.json.')),
  );
  web.use('/api/v1', api);
}
