import * as z from 'zod';
import { filled } from './filled.ts';
import { ExpectedCalls, State, ToolCalls } from './tool-calls.ts';

/** Whether a value is an object with keys, not an array. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maximum number of turns in a conversation, and in a history. */
export const MAX_TURNS = 500;

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
export const weekdays: readonly Weekday[] = WEEKDAYS;

export const Turn = z
  .strictObject({ role: z.enum(['user', 'system']), text: filled, toolCalls: ToolCalls.optional() })
  .refine(({ role, toolCalls }) => role === 'system' || toolCalls === undefined, {
    path: ['toolCalls'],
    message: 'only goes with the role "system"',
  });
export type Turn = z.infer<typeof Turn>;

/** WGS 84 coordinates in degrees, a name, or both. */
export const Place = z.strictObject({
  latitude: z.number().min(-90).max(90).optional().describe('WGS 84, in degrees.'),
  longitude: z.number().min(-180).max(180).optional().describe('WGS 84, in degrees.'),
  description: filled.optional().describe('A name or an address.'),
});
export type Place = z.infer<typeof Place>;

/** Formats a place as `Prenzlauer Berg, Berlin (52.53, 13.41)`, or only the part that is known. */
export function placeText({ latitude, longitude, description }: Place): string {
  const point = latitude === undefined || longitude === undefined ? '' : `${latitude}, ${longitude}`;
  if (description === undefined) return point;
  return point === '' ? description : `${description} (${point})`;
}

/** Mean radius of the Earth in km (IUGG). */
const EARTH_KM = 6371.0088;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Great-circle distance in km (haversine formula); null if a coordinate is missing. */
export function greatCircleKm(from: Place | undefined, to: Place | undefined): number | null {
  if (from?.latitude === undefined || from.longitude === undefined) return null;
  if (to?.latitude === undefined || to.longitude === undefined) return null;
  const halfway = (a: number, b: number) => Math.sin(radians(b - a) / 2) ** 2;
  const h =
    halfway(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * halfway(from.longitude, to.longitude);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Whether an ISO date exists in the calendar. */
export const isCalendarDate = (value: string): boolean => {
  const parsed = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
};

export const Context = z.strictObject({
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date like 2026-03-02')
    .refine(isCalendarDate, 'is not a day of the calendar')
    .optional()
    .describe('The day of the request, local to the user: `2026-03-02`.'),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 20:35')
    .optional()
    .describe('The time of the request on the 24-hour clock, local to the user: `20:35`.'),
  location: Place.optional().describe('Where the user is.'),
});
export type Context = z.infer<typeof Context>;

/** Opening times by weekday: `12:00-14:30, 18:00-01:00`, `closed`, `00:00-24:00`. `parseHours` reads them. */
export const OpeningHours = z.partialRecord(z.enum(WEEKDAYS), filled);
export type OpeningHours = z.infer<typeof OpeningHours>;

export const Recommendation = z.strictObject({
  name: filled.optional(),
  location: Place.optional(),
  cuisine: filled.optional(),
  menu: z.array(filled).optional().describe('Its dishes.'),
  cost: filled.optional().describe('A price level: `low`, `medium`, `high`.'),
  rating: z.number().min(0).max(10).optional().describe('As stated, usually stars out of 5.'),
  openingHours: OpeningHours.optional().describe(
    'By weekday: `12:00-14:30, 18:00-01:00`, `closed` or `00:00-24:00`. A weekday that is missing is unknown, not closed.',
  ),
  distanceKm: z.number().min(0).optional().describe('The distance to it in km, as stated.'),
  durationMin: z.number().min(0).optional().describe('The drive to it in minutes, as stated.'),
});
export type Recommendation = z.infer<typeof Recommendation>;

export const Label = z.strictObject({
  decision: z.enum(['pass', 'fail']).optional(),
  score: z.number().optional().describe("On the rubric's scale."),
  errorType: filled
    .optional()
    .describe("What is wrong with a case that fails: a criterion's id, or one of the rubric's error types."),
  criteria: z
    .record(
      filled,
      z.union(
        [z.enum(['pass', 'fail', 'not-relevant']), z.number()],
        'must be pass, fail or not-relevant, or a score',
      ),
    )
    .optional()
    .describe(
      "The right result by criterion id: pass, fail, not-relevant, or a score on the criterion's scale.",
    ),
  answers: z
    .array(
      z.strictObject({
        by: z.int().min(1).nullable().describe('A number in place of a name; null if it is not known who.'),
        said: z.union([z.enum(['pass', 'fail', 'not-relevant', 'unsure']), z.number()]),
        criterion: filled.optional().describe('Absent: about the whole case.'),
      }),
    )
    .optional()
    .describe('What several people said, where the rest of the label is what they agree on.'),
});
export type Label = z.infer<typeof Label>;

/** The parts of a case that belong to one answer. Objects of declared fields belong to it too. */
export const Answer = z.strictObject({
  response: filled.describe('The answer to judge.'),
  recommendation: Recommendation.optional().describe('The one place that it recommends.'),
  latencyMs: z.number().min(0).optional().describe('How long it took, in milliseconds.'),
  toolCalls: ToolCalls.optional(),
});

/** The label of an answer on buttons. */
const AnswerName = filled.max(40);

/**
 * Tag that groups related cases, such as those of one user or one source document. Their outcomes are not statistically
 * independent.
 */
export const GROUP_TAG = 'group';

/** The item to judge: the conversation, the system's answer, and any other data that a rubric needs. */
export const EvalCase = z
  .strictObject({
    id: filled.max(200).optional().describe('Names the case in verdicts and reports. Judges never see it.'),
    rubric: filled
      .optional()
      .describe('Id of the rubric to judge it by. Default: the one that fits the fields of the case.'),
    conversation: z
      .array(Turn)
      .min(1, 'needs at least one turn')
      .max(MAX_TURNS, `has too many turns: at most ${MAX_TURNS}`)
      .refine(
        (turns) => turns.some((turn) => turn.role === 'user'),
        'needs at least one turn with role "user"',
      )
      .describe('The turns before the response, oldest first.'),
    response: filled.describe('The answer to judge.'),
    closing: filled
      .optional()
      .describe(
        'What the user says after the response. Only rubrics that judge the whole interaction read it.',
      ),
    alternative: Answer.optional().describe(
      'A second answer to the same request. Judges then say which of the two is better.',
    ),
    answerNames: z
      .tuple([AnswerName, AnswerName])
      .refine(([first, second]) => first !== second, 'must be two different names')
      .optional()
      .describe(
        'What people call the two answers, such as Old and New. Default: A and B. Judges never see it.',
      ),
    context: Context.optional().describe("The user's situation."),
    recommendation: Recommendation.optional().describe('The one place that the system recommends.'),
    toolCalls: ToolCalls.optional(),
    documents: z
      .array(z.strictObject({ id: filled.optional(), text: filled }))
      .optional()
      .describe('Sources that the answer must agree with, in retrieval order.'),
    recommendations: z
      .array(z.array(filled))
      .optional()
      .describe('Items that the system recommends: one list for each of its turns.'),
    groundTruth: filled.optional().describe('The item that the user wanted, or the expected answer.'),
    expectedCalls: ExpectedCalls.optional().describe(
      'The calls that are right. Only judged criteria that name it are shown it; a system under test never is.',
    ),
    initialState: State.optional().describe(
      'What the tools control, before the first call of the conversation. Shown like `expectedCalls`.',
    ),
    expectedState: State.optional().describe(
      'What the tools control, after the last call, if all is right. Shown like `expectedCalls`.',
    ),
    history: z
      .array(Turn)
      .max(MAX_TURNS, `has too many turns: at most ${MAX_TURNS}`)
      .optional()
      .describe('An earlier conversation with the user.'),
    latencyMs: z.number().min(0).optional().describe('How long the answer took, in milliseconds.'),
    language: filled.optional().describe('The language of the conversation, such as `en`.'),
    tags: z
      .record(filled, filled)
      .optional()
      .describe(
        'What the case belongs to, such as `{"system": "BARCOR"}`, for reports. Cases with the same `group` belong together, which widens intervals. Judges never see them.',
      ),
    trace: filled
      .max(200)
      .optional()
      .describe('The id of the trace that the case was made of. Judges never see it.'),
    label: Label.optional().describe('What is right, to measure judges by. Judges never see it.'),
  })
  .meta({ id: 'EvalCase' });
export type EvalCase = z.infer<typeof EvalCase>;

/**
 * Fields that say what is right, or what it is checked with. They are never sent to a system under test, and shown only to
 * criteria that name them.
 */
export const WITHHELD_FIELDS = ['expectedCalls', 'initialState', 'expectedState'] as const;

export const isWithheld = (field: string): field is (typeof WITHHELD_FIELDS)[number] =>
  WITHHELD_FIELDS.some((one) => one === field);

/** The part of a case that is judged: everything but id, rubric, tags, trace, label and answer names. */
export function contentOf({
  id: _id,
  rubric: _rubric,
  tags: _tags,
  trace: _trace,
  label: _label,
  answerNames: _names,
  ...content
}: EvalCase) {
  return content;
}

/** Some fields of a case. */
export type CaseParts = { [Key in keyof EvalCase]?: EvalCase[Key] | undefined };

const Kept = EvalCase.extend({
  context: Context.loose().optional(),
  recommendation: Recommendation.loose().optional(),
  alternative: Answer.extend({ recommendation: Recommendation.loose().optional() }).loose().optional(),
}).loose();

/**
 * A stored case. Declared fields can change between storing and reading, so unknown keys are allowed in the case and in
 * the objects that can hold declared fields.
 */
export const KeptCase: z.ZodType<EvalCase> = Kept;

const KeptParts = Kept.partial();

/** The valid fields of a stored partial case. Keys that the contract does not know are kept. */
export function keptParts(value: Readonly<Record<string, unknown>>): CaseParts {
  const wrong = new Set(
    Object.entries(Kept.shape).flatMap(([key, schema]) =>
      schema.safeParse(value[key]).success ? [] : [key],
    ),
  );
  return KeptParts.parse(Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key))));
}

/** The dotted paths of an object schema's fields, including those of nested objects. */
export function pathsOf(shape: Record<string, z.core.$ZodType>, prefix: string): string[] {
  return Object.entries(shape).flatMap(([key, field]) => {
    const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
    const path = `${prefix}${key}`;
    return inner instanceof z.ZodObject ? [path, ...pathsOf(inner.shape, `${path}.`)] : [path];
  });
}

/** The user's last turn, or an empty string. */
export const lastRequest = ({ conversation }: Pick<EvalCase, 'conversation'>): string =>
  conversation.findLast(({ role }) => role === 'user')?.text ?? '';

/** The paths of the contract's own fields. */
const contractPaths: ReadonlySet<string> = new Set(pathsOf(EvalCase.shape, ''));

/**
 * The value at a path such as `context.date` or `documents.0.text`, or undefined.
 * @param whole a case, or any other data
 * @param path dotted, or as a list of keys
 */
export const fieldOf = (whole: unknown, path: string | readonly PropertyKey[]): unknown =>
  (typeof path === 'string' ? path.split('.') : path.map(String)).reduce((value, key) => {
    if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, whole);

/** An object without what is at some dotted paths; the object itself if there are none. */
export function withoutPaths<T extends object>(whole: T, paths: readonly string[]): Partial<T> {
  if (paths.length === 0) return whole;
  const copy = structuredClone(whole);
  for (const path of paths) {
    const keys = path.split('.');
    const holder: unknown = fieldOf(copy, keys.slice(0, -1));
    if (isRecord(holder)) Reflect.deleteProperty(holder, keys.at(-1) ?? '');
  }
  return copy;
}

/**
 * What a note on how a case was read is about: something the case lacks (`Missing: date`), part of the paste that was not
 * used (`left out: …`, `not used: …`), or an assumption. Recognized by the note's first words, which never come from the
 * paste.
 */
export function noteKind(note: string): 'missing' | 'left out' | 'assumed' {
  if (note.startsWith('Missing: ')) return 'missing';
  return /^(?:left out|not used): /.test(note) ? 'left out' : 'assumed';
}

/** The paths among `paths` at which the case has no value. */
export function missingFields(evalCase: CaseParts, paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const value = fieldOf(evalCase, path);
    // An empty list counts as missing in the contract's own fields, such as `documents`. In a declared field it is a
    // value: there are none.
    return value === undefined || (Array.isArray(value) && value.length === 0 && contractPaths.has(path));
  });
}

/**
 * Cuts a case's documents to what judges read, with a note if any were left out. Keeps whole documents in retrieval order
 * up to the first that does not fit. The first one is always kept.
 * @param limit total characters of all documents
 */
export function cutDocuments(evalCase: EvalCase, limit: number): { evalCase: EvalCase; note: string | null } {
  const documents = evalCase.documents ?? [];
  let length = 0;
  const end = documents.findIndex(({ text }, index) => {
    length += text.length;
    return length > limit && index > 0;
  });
  if (end === -1) return { evalCase, note: null };
  return {
    evalCase: { ...evalCase, documents: documents.slice(0, end) },
    note: `judges read the first ${end} of ${documents.length} documents; the rest exceed the limit of ${limit} characters`,
  };
}

/** Whether a case came from a chat, where its id is the id of its verdict. */
export const isFromChat = ({ id = '' }: Pick<EvalCase, 'id'>): boolean => /^[0-9a-f]{20}$/.test(id);
