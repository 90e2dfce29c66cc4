import { createHash } from 'node:crypto';
import type { Request } from 'express';
import * as z from 'zod';
import { JudgeRequest } from '../../judging/index.ts';
import { type VisibleVerdict, visibleVerdict } from '../../labels/access/index.ts';
import type { ModelReading, NoReading } from '../../reading/index.ts';
import {
  askedCase,
  askReader,
  planRequest,
  recordRequest,
  requestId,
  verdictIdOf,
} from '../../requests/index.ts';
import { unsureQuestion } from '../chat/index.ts';
import { onlyOne, planningOf } from '../index.ts';
import { readingText, unreadProblem } from '../wording/index.ts';
import { visitor } from './access.ts';
import { ApiError } from './api-contract.ts';
import { type PageContext, votingOf } from './context.ts';
import { CONVERSATION, isProgram, PAGE } from './ids.ts';
import { isFinal, limitsViewOf, type ViewOf, viewOf } from './live-views.ts';

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
async function askedIn(context: PageContext, body: unknown, who: string) {
  if (body === undefined)
    throw new ApiError(
      'bad-request',
      'Send the case as JSON, with the header content-type: application/json.',
    );
  const {
    method: _method,
    models: _models,
    panel: _panel,
    unsure: _unsure,
    trustReader: _trustReader,
    ...evalCase
  } = Body.parse(body);
  const { paste, ...wish } =
    'paste' in evalCase ? Paste.parse(body) : { ...BesideCase.parse(body), paste: jsonOf(evalCase) };
  const parsed = onlyOne(await context.readPaste(paste, who));
  if ('problem' in parsed) {
    const { problem, missing, understood } = parsed;
    const read = 'paste' in evalCase ? await readRefused(context, paste, who) : null;
    if (read === null || 'noReading' in read) {
      const message = read === null ? problem : unreadProblem(problem, read);
      throw new ApiError('unclear', message, { missing, understood });
    }
    if (wish.trustReader !== true) throw readingError(context, problem, read);
    return { ...read, wish };
  }
  const { received, ...read } = parsed;
  // A case sent as fields was never text: what the parser received is only the JSON made above.
  return { ...read, ...('paste' in evalCase && received !== undefined ? { received } : {}), wish };
}

/** Has a model read a paste that plain reading refused. */
const readRefused = (
  context: PageContext,
  text: string,
  who: string,
): Promise<ModelReading | NoReading | null> =>
  askReader(
    context,
    { surface: PAGE, team: '', channel: CONVERSATION, requestedBy: who, isProgram: isProgram(who) },
    { text, signal: context.leaving, fresh: false },
  );

/** Nothing is judged, since who speaks is only what a model read. */
function readingError({ library }: PageContext, problem: string, read: ModelReading): ApiError {
  const { case: evalCase, assumed, reader } = read;
  const how = 'Nothing was judged. Send it with "trustReader": true to have it judged.';
  const message = readingText(problem, read, library.caseFormat, how);
  const shown = {
    case: library.redactor.case(evalCase),
    assumed: assumed.map(library.redactor.text),
    reader,
  };
  return new ApiError('unclear', library.redactor.text(message), { missing: [], read: shown });
}

const NO_STREAM =
  'No request of yours has this Idempotency-Key and this body, so there is no stream to continue. Send exactly the same again, or leave out Last-Event-ID to have it judged.';

/** The key of a request among all requests: the same key and body of a user give the same one, which does not name them. */
const recordedKey = (user: string, key: string, body: unknown): string =>
  `api:${createHash('sha256')
    .update(`${user}\n${key}\n${jsonOf(body)}`)
    .digest('hex')}`;

const problemError = ({ code, text, missing }: ViewOf<'problem'>): ApiError =>
  code === 'unreadable' || code === 'nothing'
    ? new ApiError('unclear', text)
    : new ApiError(code, text, missing.length === 0 ? {} : { missing });

const unsureError = ({ text, readings }: ViewOf<'unsure'>): ApiError =>
  new ApiError(
    'unsure',
    `${unsureQuestion({ text, readings }, 'en')} The outcome may depend on it, so nothing was judged. Send it with "unsure": "remark" to judge without it, or "unsure": "answer" to judge with it.`,
    { unsure: text, readings },
  );

const errorOf = (view: ViewOf<'problem' | 'unsure'>): ApiError =>
  view.kind === 'problem' ? problemError(view) : unsureError(view);

/** A program's request to judge one case. */
interface ProgramRequest {
  /** A case or `{"paste": …}`, with the options beside it. */
  body: unknown;
  /** The same key and body of a visitor are the same request. */
  key: string;
  /** The number of the last state that the program has; null for one that may be new. */
  lastEvent: number | null;
}

/** The verdict of a request, and the requester's own limits that left judges unasked: they are in no verdict. */
export interface ProgramOutcome {
  /** The number of the last state. */
  n: number;
  verdict: VisibleVerdict;
  limits?: string;
}

/**
 * Records a request, once per key, and starts judging it.
 * @returns the request's id
 * @throws ApiError, JuryError, ZodError if it cannot be judged
 */
export async function beginFor(
  context: PageContext,
  request: Request,
  { body, key: given, lastEvent }: ProgramRequest,
): Promise<string> {
  const { store, views, checks, now } = context;
  const { user } = visitor(request);
  const sender = { surface: PAGE, team: '', requestedBy: user };
  const key = recordedKey(user, given, body);
  const id = requestId({ ...sender, key });
  // Sent again: nothing is read or asked a second time.
  const isKnown = (await views.find(viewOf(id))) !== null;
  if (isKnown) return id;
  if (lastEvent !== null) throw new ApiError('refused', NO_STREAM);
  const { wish, ...asked } = await askedIn(context, body, user);
  // Throws if the case cannot be judged, before anything is recorded.
  planRequest(planningOf(context), asked, wish);
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
  return check.id;
}

/**
 * Waits for the verdict of a request.
 * @param id of the request
 * @param after the number of the last state that the caller has
 * @param signal ends the waiting, not the judging
 * @param onProgress called with every later state before the verdict; each is whole, so those that were missed are not missing
 * @returns the verdict, even if the caller has the last state
 * @throws ApiError if there is no verdict
 */
export async function outcomeFor(
  context: PageContext,
  request: Request,
  id: string,
  after: number,
  signal: AbortSignal,
  onProgress: (n: number, view: ViewOf<'progress'>) => void = () => {},
): Promise<ProgramOutcome> {
  const { store, views, now } = context;
  const current = await views.find(viewOf(id));
  const from = current !== null && isFinal(current.view) ? 0 : after;
  for await (const { n, view } of views.watch(viewOf(id), from, signal)) {
    if (view.kind === 'progress') onProgress(n, view);
    if (view.kind === 'problem' || view.kind === 'unsure') throw errorOf(view);
    if (!isFinal(view)) continue;
    const verdict = await visibleVerdict(store, verdictIdOf(id, 0), votingOf(context, request), now());
    if (verdict === null) throw new ApiError('not-found', 'This verdict is no longer kept.');
    const limits = (await views.find(limitsViewOf(id)))?.view;
    return { n, verdict, ...(limits?.kind === 'answer' ? { limits: limits.text } : {}) };
  }
  throw new ApiError(
    'store-unavailable',
    'The service is stopping. The request is kept: send it again with the same Idempotency-Key.',
  );
}
