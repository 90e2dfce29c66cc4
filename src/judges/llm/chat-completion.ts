import type OpenAI from 'openai';
import * as z from 'zod';
import { isRecord } from '../../case/index.ts';
import { clipped, readJson } from '../../common/text/index.ts';
import type { EndpointCapabilities } from './endpoint-capabilities.ts';
import type { Tokens } from './models.ts';

/** A question, independent of what the endpoint supports. */
export interface ChatQuestion {
  system: string;
  user: string;
  /** The format of the reply. `system` describes it too, for endpoints without schema support. */
  schema: { name: string; json: Record<string, unknown> };
  /** Text that asks the model to repair an unusable reply. */
  repairText: (problem: string) => string;
  temperature: number;
  seed: number | null;
}

/** An unusable reply and the reason, for the model's second and last attempt. */
export interface Repair {
  text: string;
  problem: string;
}

/** A request to an OpenAI-compatible endpoint. */
export type ChatBody = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

/** A request for one JSON object, using only settings that the endpoint supports. */
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
            { role: 'assistant' as const, content: clipped(repair.text, maxRepeated) || '(empty)' },
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

/** A conversation to continue in free text. */
export interface Chat {
  messages: readonly { role: 'system' | 'user' | 'assistant'; content: string }[];
  /** Null for the endpoint's default. */
  temperature: number | null;
}

export const freeBodyOf = (
  { messages, temperature }: Chat,
  model: string,
  capabilities: EndpointCapabilities,
): ChatBody => ({
  model,
  messages: [...messages],
  ...(capabilities.temperature && temperature !== null ? { temperature } : {}),
});

/** Maximum characters of a bad reply that are repeated to the model. */
const maxRepeated = 20_000;

/** Some reasoning models return content in parts, of which only the text parts are the answer. */
const Part = z.object({ type: z.string(), text: z.string().optional() });

/** Anything but a count is treated as not reported. */
const Count = z.int().min(0).nullish().catch(null);
const Details = z.object({ cached_tokens: Count }).nullish().catch(null);

const Usage = z
  .object({
    prompt_tokens: Count,
    completion_tokens: Count,
    prompt_tokens_details: Details,
    /** DeepSeek's name for cached tokens. */
    prompt_cache_hit_tokens: Count,
  })
  .transform(
    (usage): Tokens => ({
      prompt: usage.prompt_tokens ?? null,
      cached: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? null,
      completion: usage.completion_tokens ?? null,
    }),
  )
  .nullable()
  .catch(null);

/** The parts of a chat completion that we use. Bad metadata never invalidates an answer. */
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
  usage: Usage,
  /** OpenRouter reports upstream errors in a 200 response. */
  error: z.unknown().optional(),
});

/** An error as endpoints report it. */
const WireError = z
  .object({ message: z.unknown(), code: z.unknown(), type: z.unknown(), param: z.unknown() })
  .partial();

export interface ReportedError {
  code: string;
  /** Code, type and parameter as one text, to search for known names. */
  about: string;
  message: string;
}

function reportedError(error: unknown): ReportedError | null {
  if (typeof error === 'string') return { code: '', about: '', message: error };
  const { data } = WireError.safeParse(error);
  if (data === undefined) return null;
  const { message, code, type, param } = data;
  return {
    code: String(code ?? ''),
    about: [code, type, param].join(' '),
    message: typeof message === 'string' && message !== '' ? message : JSON.stringify(message || error),
  };
}

/** The error in the body of a failed request. Some endpoints (Mistral, FastAPI) send it without the key `error`. */
export function errorIn(text: string): ReportedError {
  const error = readJson(z.object({ error: z.unknown() }), text)?.value.error;
  return reportedError(error) ?? { code: '', about: '', message: text || 'without a body' };
}

export interface ChatReply {
  text: string;
  /** The model's explanation if it declined to answer. */
  refusal: string | null;
  finishReason: string | null;
  /** Null if the endpoint reported none. */
  tokens: Tokens | null;
}

const textOf = (content: string | z.infer<typeof Part>[]): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');

/** Reads a completion: a reply, an error in place of one, or null if it is neither. */
export function chatReplyOf(wire: unknown): { reply: ChatReply } | { error: ReportedError } | null {
  const { data } = ChatCompletion.safeParse(wire);
  if (data === undefined) return null;
  const first = data.choices?.[0];
  if (first === undefined) {
    const error = reportedError(data.error);
    if (error !== null) return { error };
  }
  if (!data.choices) return null;
  return {
    reply: {
      text: textOf(first?.message.content ?? ''),
      refusal: first?.message.refusal || null,
      finishReason: first?.finish_reason ?? null,
      tokens: data.usage,
    },
  };
}

export type ReplyObject = { ok: true; value: unknown } | { ok: false; problem: string };

/**
 * The JSON object in a reply that contains nothing else. Other replies are rejected: the first JSON in them could be quoted from the judged
 * text. Only a code fence around the object and a leading <think> block are accepted, because models add them.
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
