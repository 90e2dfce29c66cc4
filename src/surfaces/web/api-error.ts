import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import { isStoreAway, JuryError } from '../../common/errors.ts';
import { describeIssue } from '../../common/schema.ts';
import { STORE_AWAY } from '../wording.ts';
import { refusedStatus } from './web-host.ts';

/** Codes of errors by their status. */
const STATUS = {
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'vote-first': 409,
  stopped: 409,
  'too-large': 413,
  unclear: 422,
  refused: 422,
  'too-many-requests': 429,
  budget: 429,
  failed: 502,
  'store-unavailable': 503,
} as const;
type ErrorCode = keyof typeof STATUS;

/** What a program is answered instead. */
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

/** Every problem of a request in one line, each after the place where it is. */
const requestProblem = ({ issues }: z.ZodError): string =>
  issues
    .map((issue) => {
      if (issue.path.length === 0 && issue.code === 'invalid_type') return SEND_OBJECT;
      const { key, message } = describeIssue(z.unknown(), issue);
      return `${key}: ${message}`;
    })
    .join('; ');

/** What went wrong, as the API says it. */
export function apiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof z.ZodError) return new ApiError('bad-request', requestProblem(thrown));
  if (!(thrown instanceof JuryError)) throw thrown;
  if (isStoreAway(thrown)) return new ApiError('store-unavailable', STORE_AWAY);
  return new ApiError(thrown.code === 'bad-input' ? 'unclear' : 'refused', thrown.message);
}

/** A body that is not JSON, or too large. Express knows it by its four parameters. */
export const refuseBody: ErrorRequestHandler = (thrown, _request, response, next) => {
  const status = refusedStatus(thrown);
  if (status === null || response.headersSent) return next(thrown);
  sendError(
    response,
    status === STATUS['too-large']
      ? new ApiError('too-large', 'The body is too large: send fewer or shorter texts.')
      : new ApiError('bad-request', 'The body cannot be read: send one JSON object.'),
  );
};

/** A route whose failures are errors of the API. */
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
