import * as z from 'zod';
import { Label, OpeningHours, Place, Turn } from '../../case/index.ts';
import { JudgeRequest } from '../../judging/index.ts';
import { Method, Persona, Rubric } from '../../judging/standards/index.ts';
import {
  CriterionVerdict,
  Decision,
  Fallback,
  Finding,
  Judge,
  Judgement,
  Preference,
  Reader,
  ScoredJudgement,
  TotalUsage,
  UnscoredJudgement,
  UnscoredReason,
  Usage,
  Verdict,
} from '../../judging/verdict/index.ts';
import { CaseAnswer, VerdictTally, VoteValue } from '../../labels/record/index.ts';
import type { Library } from '../../prompting/index.ts';
import { AssistantChange, AssistantReport } from '../../reports/assistant/index.ts';
import { Difference, Estimate, ReportInterval, ReportMeasure } from '../../reports/estimates/index.ts';
import { RunScore } from '../../reports/history/index.ts';
import { Report } from '../../reports/index.ts';
import { SetupReport } from '../../reports/metrics/index.ts';
import { RunSummary } from '../index.ts';
import { API_VERSION, Query, STATUS } from './api-contract.ts';
import { VoteBody } from './api-vote.ts';
import { Progress } from './live-views.ts';

/** The optional object of a case with this key, by a name of its own. */
function partOf(
  shape: Library['caseFormat']['shape'],
  key: string,
  name: string,
): Record<string, z.ZodObject> {
  const schema = shape[key];
  const part = schema instanceof z.ZodOptional ? schema.unwrap() : null;
  return part instanceof z.ZodObject ? { [name]: part } : {};
}

/** The parts of a case that stand in it more than once, or have many keys. */
const partsOf = ({ shape }: Library['caseFormat']) => ({
  ...{ Turn, Place, OpeningHours, Label },
  ...partOf(shape, 'context', 'Context'),
  ...partOf(shape, 'recommendation', 'Recommendation'),
});

/** What programs send, by the names that generated clients give it. */
function requestsOf({ caseFormat }: Pick<Library, 'caseFormat'>) {
  const { shape } = caseFormat;
  const PasteToJudge = JudgeRequest.extend({
    paste: z.string().describe('A conversation as text: "User: …" and "System: …" on lines of their own.'),
  });
  const CaseToJudge = z.strictObject({ ...shape, ...JudgeRequest.omit({ rubric: true }).shape });
  return { PasteToJudge, CaseToJudge, NewVote: VoteBody, OwnAnswer: CaseAnswer, ...partsOf(caseFormat) };
}

/** What the API returns, by the names that generated clients give it. */
function responsesOf({ caseFormat }: Pick<Library, 'caseFormat'>) {
  const Case = z.strictObject(caseFormat.shape);
  const limits = z
    .string()
    .optional()
    .describe('Your own daily limits that left judges unasked; only in the response to a request to judge.');
  const KeptVerdict = z.strictObject({ id: z.string(), ...Verdict.shape, case: Case, limits });
  const HiddenVerdict = z
    .strictObject({ id: z.string(), rubric: z.string(), hidden: z.literal(true), limits })
    .describe('A verdict that you see once you have voted.');
  const VerdictPage = z.strictObject({
    verdicts: z.array(z.union([KeptVerdict, HiddenVerdict])),
    cursor: z.string().nullable().describe('Where the next page begins; null after the last one.'),
  });
  const Problem = z.looseObject({
    code: z.enum(Object.keys(STATUS)),
    message: z.string().describe('What to do.'),
    missing: z
      .array(z.unknown())
      .optional()
      .describe('Of `unclear` and `refused`: what the case lacks, as fields or as lines to add.'),
    unsure: z
      .string()
      .optional()
      .describe('Of `unsure`: the lines that may or may not belong to the answer.'),
    readings: z
      .strictObject({ remark: Case, answer: Case })
      .optional()
      .describe('Of `unsure`: the case without these lines, and with them.'),
    read: z
      .strictObject({ case: Case, assumed: z.array(z.string()), reader: Reader })
      .optional()
      .describe('Of `unclear`: what a model read of a paste without labels. `trustReader` judges it.'),
  });
  const ErrorResponse = z.strictObject({ error: Problem });
  const about = { id: z.int().describe('Send it as `Last-Event-ID` to go on after it.') };
  const ProgressEvent = z.strictObject({ ...about, event: z.literal('progress'), data: Progress });
  const VerdictEvent = z.strictObject({
    ...about,
    event: z.literal('verdict'),
    data: z.union([KeptVerdict, HiddenVerdict]),
  });
  const ErrorEvent = z.strictObject({ event: z.literal('error'), data: Problem });
  const JudgingEvent = z
    .discriminatedUnion('event', [ProgressEvent, VerdictEvent, ErrorEvent])
    .describe('A server-sent event: `id` and `event` are its fields, and `data` is JSON.');
  const Vote = z.strictObject({
    vote: z
      .union([VoteValue, z.enum(['pass', 'fail']), z.number()])
      .nullable()
      .describe('Your vote; on an undecided verdict, what it says is right.'),
    tally: VerdictTally.nullable().describe('All votes; null while the verdict is hidden.'),
  });
  const Model = z.looseObject({
    id: z.string().describe('`provider/model`, or `rules` for the exact checks.'),
    ready: z.boolean().describe('Whether it can be asked: its provider has a key here.'),
  });
  return {
    ...{ Verdict: KeptVerdict, HiddenVerdict, VerdictPage, Case, Vote, VoteTally: VerdictTally },
    ...partsOf(caseFormat),
    ...{ Decision, Fallback, Preference, CriterionVerdict, Finding, Judge, TotalUsage, Usage },
    ...{ Judgement, ScoredJudgement, UnscoredJudgement, UnscoredReason },
    ...{ JudgingEvent, ProgressEvent, VerdictEvent, ErrorEvent, Progress, Problem, ErrorResponse },
    ...{ RunSummary, RunScore, Report, AssistantReport, AssistantChange, SetupReport },
    ...{ Estimate, ReportMeasure, ReportInterval, Difference },
    ...{ Rubric, Method, Persona, Model },
  };
}

const isSame = (schemas: readonly unknown[]): boolean =>
  new Set(schemas.map((schema) => JSON.stringify(schema))).size === 1;

/** Leaves out of a JSON Schema what says nothing to a reader, and writes a fixed number of equal items in the way that generators know. */
function tidy(json: z.core.JSONSchema.BaseSchema): void {
  if (json.format !== undefined) delete json.pattern;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  const { prefixItems } = json;
  if (prefixItems === undefined || !isSame(prefixItems)) return;
  delete json.prefixItems;
  Object.assign(json, { items: prefixItems[0], minItems: prefixItems.length, maxItems: prefixItems.length });
}

const COMPONENTS = '#/components/schemas/';

/** The JSON Schemas of what zod schemas accept (`input`) or return (`output`), by name; they refer to each other. */
function componentsOf(schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema),
    uri: (id) => `${COMPONENTS}${id}`,
  });
  return Object.fromEntries(
    Object.entries(converted.schemas).map(([id, { $schema: _s, $id: _i, ...json }]) => [id, json]),
  );
}

type Name = keyof ReturnType<typeof requestsOf> | keyof ReturnType<typeof responsesOf>;

const ref = (name: Name) => ({ $ref: `${COMPONENTS}${name}` });
const arrayOf = (name: Name) => ({ type: 'array', items: ref(name) });
const oneOf = (...names: Name[]) => ({ oneOf: names.map(ref) });

const json = (schema: object, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is not understood.',
  401: 'No token, or an unknown one.',
  403: 'A browser sent it from another site.',
  404: 'It does not exist, or is not for you.',
  409: 'Someone stopped it, or the verdict is hidden until you vote.',
  413: 'The body is too large.',
  422: 'Nothing can be judged or counted so.',
  429: 'The budget is spent, or there are too many requests.',
  502: 'A model’s endpoint refuses the key or the model.',
  503: 'The store cannot be reached, or the service is stopping. Try again later.',
};

/** Error responses: those that every route can return, and `statuses`. */
const failures = (...statuses: number[]) =>
  Object.fromEntries(
    [401, 403, 503, ...statuses].map((status) => [
      status,
      json(ref('ErrorResponse'), REASONS[status] ?? 'What to do is in `message`.'),
    ]),
  );

/** The schema of a parameter, without what only whole documents have. */
function parameterSchema(schema: z.ZodType) {
  if (schema instanceof z.ZodOptional && schema.unwrap() === Decision) return ref('Decision');
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return plain;
}

/** Describes a parameter. Only those in the path are required. */
const parameter = (
  name: string,
  place: 'query' | 'path' | 'header',
  description: string,
  schema: z.ZodType = z.string(),
) => ({ name, in: place, required: place === 'path', description, schema: parameterSchema(schema) });

const QUERY: Readonly<Record<keyof typeof Query.shape, string>> = {
  q: 'Words of the case or of what the panel said.',
  rubric: 'Of one rubric.',
  decision: 'Of one decision.',
  since: 'A day or a moment, ISO 8601.',
  cursor: 'Where the page before ended.',
  limit: 'How many verdicts a page has.',
};

const JUDGING = [
  'Judges a case, or a paste, and returns the verdict. `unsure` says what becomes of lines of a paste that may or may not belong to the answer: `answer` (judged with them), `remark` (judged without them), `refuse`; without it, exact checks judge where they make no difference and models judge without them, which `leftOut` of the verdict says. Else the error `unsure` (422) has both readings. If no label of a paste says who speaks and a model reads it, nothing is judged either: the error `unclear` (422) has what it read, and `trustReader` judges that.',
  'With `Accept: text/event-stream`, `progress` events come as the judges answer, then one `verdict` or `error`; a comment every 15 seconds keeps the connection open. If the stream is lost, send the same request with the same `Idempotency-Key` and the `Last-Event-ID`: nothing is judged again, and the events after that one come.',
].join('\n\n');

const VOTING =
  '`{"value":"agree"}`, `"disagree"` or `"unsure"`, with `criterion` or `comment`; `{"value":null}` takes the vote back. On an undecided verdict there is nothing to agree or disagree with: `{"right":"pass"}`, `{"right":"fail"}` or `{"right":3}`, a number by the rubric’s scale, alone, says what is right, a label about the case.';

const id = parameter('id', 'path', 'The id of a verdict.');

const list = (operationId: string, summary: string, of: Name) => ({
  get: {
    ...{ operationId, tags: ['library'], summary },
    responses: { 200: json(arrayOf(of), summary), ...failures() },
  },
});

const paths = {
  '/verdicts': {
    post: {
      ...{ operationId: 'judge', tags: ['verdicts'], summary: 'Judge a case', description: JUDGING },
      parameters: [
        parameter(
          'Idempotency-Key',
          'header',
          'Any text: the same key and body again are the same request. The response names the key, or one made for the request.',
          z.string().min(1).max(200),
        ),
        parameter(
          'Last-Event-ID',
          'header',
          'To continue a lost event stream: the id of the last event of it that you have.',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: oneOf('PasteToJudge', 'CaseToJudge') } },
      },
      responses: {
        200: {
          description:
            'The verdict, or that it is hidden until you vote; as a stream, what happens until then.',
          headers: {
            'Idempotency-Key': { description: 'The key of the request.', schema: { type: 'string' } },
          },
          content: {
            'application/json': { schema: oneOf('Verdict', 'HiddenVerdict') },
            'text/event-stream': { schema: ref('JudgingEvent') },
          },
        },
        ...failures(400, 404, 409, 413, 422, 429, 502),
      },
    },
    get: {
      ...{ operationId: 'listVerdicts', tags: ['verdicts'], summary: 'Verdicts, the newest first' },
      parameters: Object.entries(QUERY).map(([name, about]) =>
        parameter(name, 'query', about, Query.shape[name as keyof typeof QUERY]),
      ),
      responses: { 200: json(ref('VerdictPage'), 'A page of verdicts.'), ...failures(400) },
    },
  },
  '/verdicts/{id}': {
    get: {
      ...{ operationId: 'getVerdict', tags: ['verdicts'], summary: 'One verdict', parameters: [id] },
      responses: { 200: json(oneOf('Verdict', 'HiddenVerdict'), 'The verdict.'), ...failures(404) },
    },
  },
  '/verdicts/{id}/vote': {
    put: {
      ...{ operationId: 'vote', tags: ['verdicts'], summary: 'Vote, change a vote or take it back' },
      ...{ description: VOTING, parameters: [id] },
      requestBody: { required: true, content: { 'application/json': { schema: ref('NewVote') } } },
      responses: {
        200: json(ref('Vote'), 'Your vote, and all votes.'),
        ...failures(400, 404, 409, 413, 422, 429),
      },
    },
  },
  '/runs': {
    get: {
      ...{ operationId: 'listRuns', tags: ['runs'], summary: 'All runs of benchmarks, the newest first' },
      responses: { 200: json(arrayOf('RunSummary'), 'The runs.'), ...failures() },
    },
  },
  '/runs/{name}': {
    get: {
      ...{ operationId: 'getRun', tags: ['runs'], summary: 'The report of one run' },
      parameters: [parameter('name', 'path', 'The name of a run.')],
      responses: {
        200: json(ref('Report'), 'As `jury bench report NAME --json` prints it.'),
        ...failures(404),
      },
    },
  },
  '/rubrics': list('listRubrics', 'The standards that answers are judged by', 'Rubric'),
  '/methods': list('listMethods', 'The ways of judging', 'Method'),
  '/personas': list('listPersonas', 'The points of view that judges have', 'Persona'),
  '/models': list('listModels', 'The models that judges can be', 'Model'),
};

/** The OpenAPI 3.1 description of the HTTP API, generated from the schemas that parse its requests and responses. */
export const openApi = (library: Pick<Library, 'caseFormat'>): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Jury',
    version: API_VERSION,
    description: 'Judges an assistant’s answers by a panel of LLM judges.',
  },
  servers: [{ url: '/api/v1' }],
  security: [{ token: [] }],
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'One of JURY_API_TOKENS, or the key' },
    },
    schemas: {
      ...componentsOf(requestsOf(library), 'input'),
      ...componentsOf(responsesOf(library), 'output'),
    },
  },
  paths,
});
