import * as z from 'zod';
import type { CaseFormat } from '../../case/format/index.ts';
import { type EvalCase, isRecord, KeptCase, pairParts, Turn } from '../../case/index.ts';
import { describeIssue, JuryError, withValue } from '../../common/index.ts';
import { plainKey } from '../../common/text/index.ts';
import type { LabeledCase } from '../../datasets/index.ts';
import type { Sendable } from './system-file.ts';
import type { Answer, System } from './system-under-test.ts';

/** Placeholder for the answer of a case that has none yet. */
const NOT_ASKED = '(not asked yet)';

/** The format of cases to send to a system: like the given format, but without a required answer. */
export const requestFormat = (format: CaseFormat): CaseFormat => ({
  ...format,
  schema: z.preprocess(
    (value) => (isRecord(value) && !('response' in value) ? { ...value, response: NOT_ASKED } : value),
    format.schema,
  ),
});

/** Cases with ids; those without one use their name. */
export const identified = (dataset: readonly Pick<LabeledCase, 'name' | 'evalCase'>[]): EvalCase[] =>
  dataset.map(({ name, evalCase }) => ({ ...evalCase, id: evalCase.id ?? name }));

/** Tag of a case without an answer; its value is the reason. */
const UNANSWERED = 'unanswered';

export const unansweredReason = ({ tags }: Pick<EvalCase, 'tags'>): string | null =>
  tags?.[UNANSWERED] ?? null;

/** A case in progress: the turns so far, each with the system's own answer. */
export interface AskedCase {
  evalCase: EvalCase;
  conversation: readonly Turn[];
  system: Pick<System, 'name' | 'build'>;
}

/**
 * The parts of a case that may be sent to the system: no earlier answer, nothing that reveals what is right, not even the id. Of turns,
 * only what was said: a system knows what it called itself.
 */
export function sendableOf({ evalCase, conversation }: AskedCase, session: string): Sendable {
  const { context, documents, language } = evalCase;
  const said = ({ role, text }: Turn) => ({ role, text });
  const history = evalCase.history?.map(said);
  return {
    request: conversation.at(-1)?.text,
    conversation: conversation.map(said),
    messages: conversation.map(({ role, text }) => ({
      role: role === 'user' ? 'user' : 'assistant',
      content: text,
    })),
    context,
    history,
    documents,
    language,
    session,
  };
}

const systemTags = ({ name, build }: AskedCase['system']) => ({
  system: name,
  ...(build === null ? {} : { build }),
});

/** Splits off a case's earlier answer (or two), its label, and everything else tied to that answer. */
function split(evalCase: EvalCase) {
  const { shared, first } = pairParts(evalCase);
  const { label, recommendations, closing, trace: _trace, ...asked } = shared;
  const { response: _answer, latencyMs: _latency, ...data } = first;
  const { [UNANSWERED]: _why, build: _build, ...tags } = evalCase.tags ?? {};
  return { asked, tags, label, earlier: defined({ recommendations, closing, ...data }) };
}

const defined = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Why a case has no answer. */
export interface Failure {
  reason: string;
  message: string;
}

/** The calls of tools in a reply; undefined if the system file reads none. */
const callsIn = (fields: Answer['fields']): unknown => fields.get('toolCalls');

const invalidReply = ({ key, message }: { key: string; message: string }) => ({
  problem: `the reply is not a valid case: ${key} ${message}`,
});

/** An answer as a turn of the conversation that goes on, or the problem with it. */
export function answeredTurn({ text, fields }: Answer): Turn | { problem: string } {
  const { data, error } = Turn.safeParse({
    role: 'system',
    text,
    ...defined({ toolCalls: callsIn(fields) }),
  });
  if (data !== undefined) return data;
  const [first] = error.issues.map((issue) => describeIssue(Turn, issue));
  return invalidReply(first ?? { key: 'response', message: 'is not valid' });
}

/** The case with its new answer, or the problem with that answer. Anything known about an earlier answer is dropped, including its label. */
export function answeredCase(
  { evalCase, conversation, system }: AskedCase,
  { text, latencyMs, fields }: Answer,
  { format, maxCaseChars }: { format: Pick<CaseFormat, 'schema'>; maxCaseChars: number },
): { evalCase: EvalCase } | { problem: string } {
  const { asked, tags, label, earlier } = split(evalCase);
  const toolCalls = callsIn(fields);
  // What was said may be the same while something else was done.
  const isSame =
    plainKey(text) === plainKey(evalCase.response) &&
    JSON.stringify(toolCalls) === JSON.stringify(evalCase.toolCalls);
  let made: object = {
    ...asked,
    ...(isSame ? earlier : {}),
    ...(isSame || evalCase.response === NOT_ASKED ? defined({ label }) : {}),
    conversation,
    response: text,
    latencyMs: Math.round(latencyMs),
    tags,
  };
  for (const [path, value] of fields)
    made = withValue(made, path, path.startsWith('tags.') ? String(value) : value);
  made = { ...made, ...defined({ toolCalls }) };
  // Tags from the system file override tags from its replies.
  for (const [name, value] of Object.entries(systemTags(system)))
    made = withValue(made, `tags.${name}`, value);
  const { data, error } = format.schema.safeParse(made);
  if (data === undefined) {
    const [first] = error.issues.map((issue) => describeIssue(format.schema, issue));
    return invalidReply(first ?? { key: 'response', message: 'is not valid' });
  }
  const { length } = JSON.stringify(data);
  if (length <= maxCaseChars) return { evalCase: data };
  return {
    problem: `with its answer the case has ${length} characters, the limit is ${maxCaseChars} (JURY_MAX_CASE_CHARS)`,
  };
}

/** A case marked as unanswered. It keeps all user turns, so that it can be recognized later. */
export function unansweredCase(
  { evalCase, conversation, system }: AskedCase,
  { reason, message }: Failure,
): EvalCase {
  const { asked, tags } = split(evalCase);
  const isUser = ({ role }: Turn) => role === 'user';
  const rest = evalCase.conversation.filter(isUser).slice(conversation.filter(isUser).length);
  return KeptCase.parse({
    ...asked,
    conversation: [...conversation, ...rest],
    response: `(no answer: ${message})`,
    tags: { ...tags, ...systemTags(system), [UNANSWERED]: reason },
  });
}

const requestsOf = ({ conversation }: EvalCase): string =>
  JSON.stringify(conversation.flatMap(({ role, text }) => (role === 'user' ? [text] : [])));

/** Why a stored case is not this system's answer to a case of the dataset; null if it is. */
function strangeness(
  kept: EvalCase,
  asked: EvalCase | undefined,
  { name, build }: AskedCase['system'],
): string | null {
  const { system, build: keptBuild } = kept.tags ?? {};
  if (asked === undefined) return 'is not in the dataset';
  if (requestsOf(asked) !== requestsOf(kept)) return 'asks something else';
  if (system !== name)
    return `was answered by ${system === undefined ? 'an unknown system' : `"${system}"`}, not by "${name}"`;
  const isOther = build !== null && keptBuild !== build;
  return isOther ? `was answered by build "${keptBuild ?? 'unknown'}", not by "${build}"` : null;
}

/**
 * Cases by id.
 * @throws JuryError `bad-input` if a case has no id, or two share one
 */
export function casesById(cases: readonly EvalCase[]): Map<string, EvalCase> {
  const byId = new Map<string, EvalCase>();
  for (const evalCase of cases) {
    const { id } = evalCase;
    if (id === undefined) throw new JuryError('bad-input', 'A case has no id. Nothing was asked.');
    if (byId.has(id))
      throw new JuryError(
        'bad-input',
        `Two cases have the id "${id}": give each its own. Nothing was asked.`,
      );
    byId.set(id, evalCase);
  }
  return byId;
}

/** @throws JuryError `usage` if stored cases belong to another dataset, system or build */
export function requireSameOrigin(
  kept: ReadonlyMap<string, EvalCase>,
  asked: ReadonlyMap<string, EvalCase>,
  system: AskedCase['system'],
): void {
  for (const [id, keptCase] of kept) {
    const why = strangeness(keptCase, asked.get(id), system);
    if (why !== null)
      throw new JuryError(
        'usage',
        `There are answers already, but they belong to something else: the case "${id}" ${why}. Nothing was asked. Name another file, or delete this one.`,
      );
  }
}
