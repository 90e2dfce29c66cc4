import type OpenAI from 'openai';
import * as z from 'zod';
import { isRecord } from '../../case/case.ts';
import type { EndpointCapabilities } from './endpoint-capabilities.ts';
import type { Tokens } from './models.ts';

export type ChatBody = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

/** A question, independent of what the endpoint supports. */
export interface ChatQuestion {
  system: string;
  user: string;
  /** The form of the reply; `system` describes it too, for endpoints without schema support. */
  schema: { name: string; json: Record<string, unknown> };
  /** Asks the model to repair a reply that could not be used. */
  repairText: (problem: string) => string;
  temperature: number;
  seed: number | null;
}

/** A reply that could not be used, and why, for the model's second and last turn. */
export interface Repair {
  text: string;
  problem: string;
}

/** The request for one JSON object, with only the settings that the endpoint supports. */
export function chatBodyOf(
  question: ChatQuestion,
  model: string,
  capabilities: EndpointCapabilities,
  repair: Repair | null,
): ChatBody {
  const { name, json } = question.schema;
  return {
    model,
    messages: [
      { role: 'system', content: question.system },
      { role: 'user', content: question.user },
      ...(repair === null
        ? []
        : [
            { role: 'assistant' as const, content: beginningOf(repair.text) || '(empty)' },
            { role: 'user' as const, content: question.repairText(repair.problem) },
          ]),
    ],
    ...(capabilities.temperature ? { temperature: question.temperature } : {}),
    ...(capabilities.seed && question.seed !== null ? { seed: question.seed } : {}),
    ...(capabilities.format === 'json-schema'
      ? { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema: json } } }
      : capabilities.format === 'json-object'
        ? { response_format: { type: 'json_object' } }
        : {}),
  };
}

/** Characters of a bad reply that the model is shown again. */
const maxRepeated = 20_000;

const beginningOf = (text: string): string =>
  text.length <= maxRepeated
    ? text
    : `${text.slice(0, maxRepeated)}… (${text.length - maxRepeated} characters more)`;

/** Some reasoning models send their content in parts, of which only the text ones are the answer. */
const Part = z.object({ type: z.string(), text: z.string().optional() });

/** The parts of a chat completion that are used. Bad metadata never invalidates an answer. */
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

export interface ChatReply {
  text: string;
  /** The model's words if it declined to answer. */
  refusal: string | null;
  finishReason: string | null;
  /** Null if the endpoint reported none. */
  tokens: Tokens | null;
}

/** Anything but a count is treated as not reported. */
const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

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

/** Reads a completion: a reply, an error sent as one, or null if it is neither. */
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

export type ReplyObject = { ok: true; value: unknown } | { ok: false; problem: string };

/**
 * The JSON object that a reply consists of. A reply with anything else is rejected: the first JSON in it could be quoted from the
 * judged text. Only a code fence around the object and a leading <think> block are accepted, because models add them.
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
