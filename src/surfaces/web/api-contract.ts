import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import { describeIssue, isStoreAway, JuryError } from '../../common/index.ts';
import { Decision } from '../../judging/verdict/index.ts';
import { STORE_AWAY } from '../wording/index.ts';
import { refusingBody } from './web-host.ts';

/** The version of what programs may rely on. */
export const API_VERSION = '1';

/** The HTTP status of each error code. */
export const STATUS = {
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'vote-first': 409,
  stopped: 409,
  'too-large': 413,
  unclear: 422,
  unsure: 422,
  refused: 422,
  'too-many-requests': 429,
  budget: 429,
  failed: 502,
  'store-unavailable': 503,
} as const;
type ErrorCode = keyof typeof STATUS;

/** A failure that the API reports to its caller. `more` goes into the error object beside `code` and `message`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.more = more;
  }
}

export function sendError(response: Response, { code, message, more }: ApiError): void {
  response.status(STATUS[code]).json({ error: { code, message, ...more } });
}

const SEND_OBJECT = 'Send one JSON object: {"paste": "…"}, or a case.';

/**
 * All problems of a request in one line, each after the field it is about.
 * @param schema the expected shape, to say which values are allowed
 */
const requestProblem = ({ issues }: z.ZodError, schema: z.ZodType = z.unknown()): string =>
  issues
    .map((issue) => {
      if (issue.path.length === 0 && issue.code === 'invalid_type') return SEND_OBJECT;
      const { key, message } = describeIssue(schema, issue);
      return `${key}: ${message}`;
    })
    .join('; ');

/** The query of the verdict list. */
export const Query = z.strictObject({
  q: z.string().max(1_000).optional(),
  rubric: z.string().optional(),
  decision: Decision.optional(),
  since: z.union([z.iso.datetime(), z.iso.date()], 'must be a day or a time, such as 2026-10-01').optional(),
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

/** The parsed query of the verdict list; empty parameters count as absent. @throws ApiError `bad-request` */
export function queryOf(query: Request['query']): z.output<typeof Query> {
  const named = Object.entries(query).map(([name, value]) => [name, value === '' ? undefined : value]);
  const read = Query.safeParse(Object.fromEntries(named));
  if (read.success) return read.data;
  throw new ApiError('bad-request', requestProblem(read.error, Query));
}

/** Turns a failure into an API error. Anything unexpected is rethrown. */
export function apiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof z.ZodError) return new ApiError('bad-request', requestProblem(thrown));
  if (!(thrown instanceof JuryError)) throw thrown;
  if (isStoreAway(thrown)) return new ApiError('store-unavailable', STORE_AWAY);
  return new ApiError(thrown.code === 'bad-input' ? 'unclear' : 'refused', thrown.message);
}

export const refuseBody = refusingBody((status, _request, response) =>
  sendError(
    response,
    status === STATUS['too-large']
      ? new ApiError('too-large', 'The body is too large: send fewer or shorter texts.')
      : new ApiError('bad-request', 'The body cannot be read: send one JSON object.'),
  ),
);

/** Wraps a route so that its failures are sent as API errors. */
export const answering =
  (handle: (request: Request, response: Response) => Promise<void> | void): RequestHandler =>
  async (request, response) => {
    try {
      await handle(request, response);
    } catch (thrown) {
      const error = apiError(thrown);
      if (!response.headersSent) sendError(response, error);
      else response.end();
    }
  };
