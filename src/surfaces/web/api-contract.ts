import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import { describeIssue, isStoreAway, JuryError } from '../../common/index.ts';
import { JudgeRequest } from '../../judging/index.ts';
import { Decision, Verdict } from '../../judging/verdict/index.ts';
import { VerdictTally, VoteValue } from '../../labels/record/index.ts';
import type { Library } from '../../prompting/index.ts';
import { Report } from '../../reports/index.ts';
import { STORE_AWAY } from '../wording/index.ts';
import { RunSummary } from './run-summaries.ts';
import { refusingBody } from './web-host.ts';

/** The HTTP status of each error code. */
const STATUS = {
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

const Query = z.strictObject({
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

/** The JSON Schema of what a zod schema accepts (`input`) or returns (`output`), in the dialect of OpenAPI 3.1. */
function jsonOf(schema: z.ZodType, io: 'input' | 'output' = 'output'): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any' });
  return json;
}

const json = (schema: z.ZodType, description: string) => ({
  description,
  content: { 'application/json': { schema: jsonOf(schema) } },
});

const Failure = z.object({ error: z.looseObject({ code: z.string(), message: z.string() }) });
/** Error responses: those that every route can return, and `statuses`. */
const failures = (...statuses: number[]) =>
  Object.fromEntries(
    [401, 403, 503, ...statuses].map((status) => [status, json(Failure, 'What to do is in `message`')]),
  );

/** Describes a parameter. Only those in the path are required. */
const parameter = (
  name: string,
  place: 'query' | 'path' | 'header',
  description: string,
  type = 'string',
) => ({
  name,
  in: place,
  required: place === 'path',
  description,
  schema: { type },
});

/**
 * The OpenAPI 3.1 description of the HTTP API, generated from the schemas that parse its requests and responses.
 * @param vote the schema of a vote's body
 */
export function openApi(
  { caseFormat }: Pick<Library, 'caseFormat'>,
  version: string,
  vote: z.ZodType,
): object {
  const Answer = z.union([
    z.object({ id: z.string(), ...Verdict.shape, case: z.object(caseFormat.shape) }),
    z.object({ id: z.string(), rubric: z.string(), hidden: z.literal(true) }),
  ]);
  const limits = z.string().optional();
  const NewAnswer = z.union(Answer.options.map((one) => one.extend({ limits })));
  const asked = z.union([
    JudgeRequest.extend({ paste: z.string() }),
    z.strictObject({ ...caseFormat.shape, ...JudgeRequest.omit({ rubric: true }).shape }),
  ]);
  const list = (what: string) => ({
    get: {
      summary: `All ${what}`,
      responses: { 200: json(z.array(z.looseObject({ id: z.string() })), what), ...failures() },
    },
  });
  const id = parameter('id', 'path', 'a verdict’s id');
  return {
    openapi: '3.1.0',
    info: { title: 'Jury', version, description: 'Judges an assistant’s answers by a panel of LLM judges.' },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'One of JURY_API_TOKENS, or the key' },
      },
    },
    paths: {
      '/verdicts': {
        post: {
          summary: 'Judge a case',
          description:
            'The body is a case or `{"paste": "…"}`, with `method`, `models`, `panel` and `unsure` beside it. `unsure` says what becomes of lines of a paste that may or may not belong to the answer: `answer` (judged with them), `remark` (judged without them), `refuse`; without it, exact checks judge where they make no difference and models judge without them, which `leftOut` of the verdict says. Else the error `unsure` (422) has both readings: `{"error":{"code":"unsure","unsure":"…","readings":{"remark":{case},"answer":{case}}}}`. With `Accept: text/event-stream`, `progress` events come first, then one `verdict` or `error`.',
          parameters: [
            parameter('Idempotency-Key', 'header', 'the same key and body again are the same request'),
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonOf(asked, 'input') } },
          },
          responses: {
            200: json(
              NewAnswer,
              'The verdict; where people vote before they see it, that it is hidden. `limits` names your own daily limits that left judges unasked',
            ),
            ...failures(400, 409, 413, 422, 429, 502),
          },
        },
        get: {
          summary: 'Verdicts, the newest first',
          parameters: [
            parameter('q', 'query', 'words of the case or of what the panel said'),
            parameter('rubric', 'query', 'of one rubric'),
            parameter('decision', 'query', 'pass, fail, scored or undecided'),
            parameter('since', 'query', 'a day or a moment, ISO 8601'),
            parameter('cursor', 'query', 'where the page before ended'),
            parameter('limit', 'query', '1 to 100', 'integer'),
          ],
          responses: {
            200: json(z.object({ verdicts: z.array(Answer), cursor: z.string().nullable() }), 'A page'),
            ...failures(400),
          },
        },
      },
      '/verdicts/{id}': {
        get: {
          summary: 'One verdict',
          parameters: [id],
          responses: { 200: json(Answer, 'The verdict'), ...failures(404) },
        },
      },
      '/verdicts/{id}/vote': {
        put: {
          summary: 'Vote, change a vote or take it back',
          description:
            '`{"value":"agree"}`, `"disagree"` or `"unsure"`, with `criterion` or `comment`; `{"value":null}` takes the vote back. On an undecided verdict there is nothing to agree or disagree with: `{"right":"pass"}`, `{"right":"fail"}` or `{"right":3}`, a number by the rubric’s scale, alone, says what is right, a label about the case.',
          parameters: [id],
          requestBody: { required: true, content: { 'application/json': { schema: jsonOf(vote, 'input') } } },
          responses: {
            200: json(
              z.object({
                vote: z.union([VoteValue, z.enum(['pass', 'fail']), z.number()]).nullable(),
                tally: VerdictTally.nullable(),
              }),
              'The vote, and all votes: null while the verdict is hidden. On an undecided verdict `vote` is what it says is right, and `tally.right` counts how many say what: `{"fail":2,"pass":1}`',
            ),
            ...failures(400, 404, 409, 413, 422, 429),
          },
        },
      },
      '/runs': {
        get: {
          summary: 'All runs of benchmarks, the newest first',
          responses: { 200: json(z.array(RunSummary), 'Runs'), ...failures() },
        },
      },
      '/runs/{name}': {
        get: {
          summary: 'The report of one run',
          parameters: [parameter('name', 'path', 'a run’s name')],
          responses: {
            200: json(Report, 'As `jury bench report NAME --json` prints it'),
            ...failures(404),
          },
        },
      },
      '/rubrics': list('rubrics'),
      '/methods': list('methods'),
      '/personas': list('personas'),
      '/models': list('models'),
    },
  };
}
