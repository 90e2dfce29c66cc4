import * as z from 'zod';
import { isRecord } from '../../case/is-record.ts';
import type { ChatBody } from './chat-endpoint.ts';
import type { Dialect } from './endpoint-capabilities.ts';
import type { Endpoint } from './providers.ts';

/** What is asked, apart from how a model's endpoint wants it said. */
export interface Asked {
  system: string;
  user: string;
  /** The form of the reply; `system` describes it too, for endpoints that take no schema. */
  schema: { name: string; json: Record<string, unknown> };
  /** What a model is told whose reply could not be used. */
  repairText: (problem: string) => string;
  temperature: number;
  seed: number | null;
}

/** A reply that did not do, and why, for the one further turn that a model gets. */
export interface Repair {
  text: string;
  problem: string;
}

/** The request for one JSON object, in the dialect of the model's endpoint. */
export function askForObject(
  asked: Asked,
  endpoint: Endpoint,
  dialect: Dialect,
  repair: Repair | null,
): ChatBody {
  const { name, json } = asked.schema;
  return {
    model: endpoint.model,
    messages: [
      { role: 'system', content: asked.system },
      { role: 'user', content: asked.user },
      ...(repair === null
        ? []
        : [
            { role: 'assistant' as const, content: beginningOf(repair.text) || '(empty)' },
            { role: 'user' as const, content: asked.repairText(repair.problem) },
          ]),
    ],
    ...(dialect.temperature ? { temperature: asked.temperature } : {}),
    ...(dialect.seed && asked.seed !== null ? { seed: asked.seed } : {}),
    ...(dialect.format === 'json-schema'
      ? { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema: json } } }
      : dialect.format === 'json-object'
        ? { response_format: { type: 'json_object' } }
        : {}),
  };
}

/** The most characters of a reply that a model is shown again: enough to see what was wrong with it. */
const mostRepeated = 20_000;

const beginningOf = (text: string): string =>
  text.length <= mostRepeated
    ? text
    : `${text.slice(0, mostRepeated)}… (${text.length - mostRepeated} characters more)`;

/** Some reasoning models send their content in parts, of which only the text ones are the answer. */
const Part = z.object({ type: z.string(), text: z.string().optional() });

/** What counts of a chat completion, as it comes off the wire. What is only reported beside the answer never costs it. */
const ChatCompletion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.union([z.string(), z.array(Part)]).nullish(),
          refusal: z.string().nullish(),
        }),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
  /** OpenRouter reports an upstream's error in a 200. */
  error: z.unknown().optional(),
});

const Failure = z.object({
  message: z.unknown().optional(),
  code: z.union([z.number(), z.string()]).nullish().catch(null),
});

/** Tokens that one request took; null where not reported. `cached` is part of `prompt`. */
export interface Tokens {
  prompt: number | null;
  cached: number | null;
  completion: number | null;
}

export interface ChatReply {
  text: string;
  /** The model's words where it declined to answer. */
  refusal: string | null;
  finishReason: string | null;
  /** Null where the endpoint reported none. */
  tokens: Tokens | null;
}

/** A count as it was reported; anything else was not reported. */
const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Tokens as they were reported, in whatever form. */
function tokensOf(usage: unknown): Tokens | null {
  if (!isRecord(usage)) return null;
  const { prompt_tokens_details: details } = usage;
  const cached = isRecord(details) ? countOf(details.cached_tokens) : null;
  return {
    prompt: countOf(usage.prompt_tokens),
    // DeepSeek has another name for them.
    cached: cached ?? countOf(usage.prompt_cache_hit_tokens),
    completion: countOf(usage.completion_tokens),
  };
}

const textOf = (content: string | z.infer<typeof Part>[]): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');

/** Reads a completion off the wire: a reply, an error that came as one, or null when it is something else. */
export function chatReplyOf(
  wire: unknown,
): { reply: ChatReply } | { error: { code: string; message: string } } | null {
  const { data } = ChatCompletion.safeParse(wire);
  if (data === undefined) return null;
  const first = data.choices?.[0];
  if (first === undefined) {
    const { data: failure } = Failure.safeParse(data.error);
    if (failure !== undefined) {
      const message = typeof failure.message === 'string' ? failure.message : '';
      return { error: { code: String(failure.code ?? ''), message } };
    }
  }
  if (!data.choices) return null;
  return {
    reply: {
      text: textOf(first?.message.content ?? ''),
      refusal: first?.message.refusal || null,
      finishReason: first?.finish_reason ?? null,
      tokens: tokensOf(data.usage),
    },
  };
}

/** What a reply's text holds. */
export type ReplyObject = { ok: true; value: unknown } | { ok: false; problem: string };

/**
 * The JSON object that a reply consists of. Only a reply that is the object and nothing else counts: a judge that
 * quotes what it was shown must not be taken at the first JSON in its text, which the judged text may have put there.
 * Around the whole of it, a code fence and a leading block of thoughts are let pass, which models add by themselves.
 */
export function replyObjectOf(text: string): ReplyObject {
  const inner = unfence(text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim());
  if (inner === '') return { ok: false, problem: 'the reply was empty' };
  let value: unknown;
  try {
    value = JSON.parse(inner);
  } catch {
    return {
      ok: false,
      problem: inner.startsWith('{')
        ? 'the reply was not valid JSON'
        : 'the reply was not a JSON object alone',
    };
  }
  if (isRecord(value)) return { ok: true, value };
  return { ok: false, problem: 'the reply was JSON but not an object' };
}

function unfence(text: string): string {
  return /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i.exec(text)?.[1]?.trim() ?? text;
}
