import * as z from 'zod';
import { filled } from './filled.ts';

/** How deep the values of arguments, results and states may be nested. */
export const MAX_NESTING = 20;

/** Maximum number of calls of one turn. */
export const MAX_CALLS = 200;

const HALF_A_CHARACTER = 'contains half of a character (a lone surrogate)';

/** Why a value is not plain JSON data, as the rest of a sentence; null if it is. */
function jsonProblem(value: unknown, depth = 0): string | null {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string') return value.isWellFormed() ? null : HALF_A_CHARACTER;
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'must be a finite number';
  if (typeof value !== 'object') return 'must be a JSON value';
  if (depth >= MAX_NESTING) return `is nested more than ${MAX_NESTING} deep`;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') return 'must not have a key "__proto__"';
    if (!key.isWellFormed()) return HALF_A_CHARACTER;
    const problem = inner === undefined ? null : jsonProblem(inner, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function reportProblem({ value, issues }: z.core.ParsePayload): void {
  const message = jsonProblem(value);
  if (message !== null) issues.push({ code: 'custom', message, input: value });
}

/** Any JSON value. */
const Json = z.unknown().check(reportProblem);

/**
 * Values by name: the arguments of a call, or the state of what the tools control. Checked before it is read as an object,
 * because zod drops a key `__proto__` without a word.
 */
const JsonObject = Json.meta({ type: 'object' }).pipe(z.looseObject({}));

const ToolName = filled.max(200);

/** A call of a tool by the system, with what the tool answered. */
export const ToolCall = z.strictObject({
  name: ToolName.describe('The name of the tool: `set_temperature`.'),
  arguments: JsonObject.optional().describe('The arguments by name. Absent: none.'),
  result: Json.optional().describe('What the tool answered. Absent: not known.'),
});
export type ToolCall = z.infer<typeof ToolCall>;

export const ToolCalls = z
  .array(ToolCall)
  .max(MAX_CALLS, `has too many calls: at most ${MAX_CALLS}`)
  .describe('The tools that the system called, in order. Empty: it called none. Absent: not known.');

/** A call that one of the right ways has. */
export const ExpectedCall = z.strictObject({
  name: ToolName.describe('The name of the tool.'),
  arguments: JsonObject.optional().describe(
    'The arguments that it must have. Absent: it may have any arguments.',
  ),
  tolerance: z
    .record(filled, z.number().min(0))
    .optional()
    .describe(
      'How far off a number may be, by the path of the argument: `{"value": 0.5}`. Default: not at all.',
    ),
  optional: z.boolean().optional().describe('Whether the way is right without this call too. Default: no.'),
  moreArguments: z
    .boolean()
    .optional()
    .describe('Whether arguments that are not named here may have any value. Default: no.'),
});
export type ExpectedCall = z.infer<typeof ExpectedCall>;

export const ExpectedCalls = z.strictObject({
  anyOf: z
    .array(z.array(ExpectedCall).max(MAX_CALLS, `has too many calls: at most ${MAX_CALLS}`))
    .min(1, 'needs at least one way; [] is the way of calling nothing')
    .max(50, 'has too many ways: at most 50')
    .describe('The right ways. Each is a list of calls; an empty list calls nothing.'),
  ordered: z.boolean().optional().describe('Whether the order of the calls matters. Default: no.'),
});
export type ExpectedCalls = z.infer<typeof ExpectedCalls>;

/** Variables and their values, such as `{"window.driver": 0}`. */
export const State = JsonObject;
export type State = z.infer<typeof State>;

/** A call as one line of text: `set_temperature(zone: "driver", value: 22)`. */
export function callText({ name, arguments: given = {} }: Pick<ToolCall, 'name' | 'arguments'>): string {
  const parts = Object.entries(given).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${name}(${parts.join(', ')})`;
}

/** A call with its result: `open_window() → {"ok":true}`. */
const callWithResult = (call: ToolCall): string =>
  call.result === undefined ? callText(call) : `${callText(call)} → ${JSON.stringify(call.result)}`;

/** The calls of a turn for display, one a line. */
export const callsText = (calls: readonly ToolCall[]): string =>
  calls.length === 0 ? 'none' : calls.map(callWithResult).join('\n');

/** The right ways for display, one a line: `open_window(), then perhaps beep()`. */
export function expectedText({ anyOf, ordered = false }: ExpectedCalls): string {
  const text = ({ optional = false, arguments: given, name }: ExpectedCall) =>
    `${optional ? 'perhaps ' : ''}${callText({ name, arguments: given ?? {} })}`;
  const wayText = (way: readonly ExpectedCall[]) =>
    way.length === 0 ? 'no call' : way.map(text).join(ordered ? ', then ' : ' and ');
  return anyOf.map((way, at) => `${at === 0 ? '' : 'or '}${wayText(way)}`).join('\n');
}

/** A state for display, a variable a line. */
export const stateText = (state: State): string =>
  Object.entries(state)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n');
