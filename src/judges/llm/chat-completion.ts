import type OpenAI from 'openai';
import * as z from 'zod';
import { isRecord } from '../../case/case.ts';
import type { EndpointCapabilities } from './endpoint-capabilities.ts';
import type { Tokens } from './models.ts';

export type ChatBody = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

/** What is asked, whatever the model's endpoint takes. */
export interface ChatQuestion {
  system: string;
  user: string;
  /** The form of the reply; `system` describes it too, for endpoints that take no schema. */
  schema: { name: string; json: Record<string, unknown> };
  /** What a model is told whose reply could not be used. */
  repairText: (problem: string) => string;
  temperature: number;
  seed: number | null;
}

/** A reply that could not be used, and why, for the one further turn that a model gets. */
export interface Repair {
  text: string;
  problem: string;
}

/** The request for one JSON object, with no more settings than the endpoint takes. */
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

/** The most characters of a reply that a model is shown again: enough to see what was wrong with it. */
const maxRepeated = 20_000;

const beginningOf = (text: string): string =>
  text.length <= maxRepeated
    ? text
    : `${text.slice(0, maxRepeated)}… (${text.length - maxRepeated} characters more)`;

/** Some reasoning models send their content in parts, of which only the text ones are the answer. */
const Part = z.object({ type: z.string(), text: z.string().optional() });

/** The parts of a chat completion that are used. What is only reported beside the answer can never invalidate it. */
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
  /** The model's words where it declined to answer. */
  refusal: string | null;
  finishReason: string | null;
  /** Null where the endpoint reported none. */
  tokens: Tokens | null;
}

/** A count as it was reported; anything else was not reported. */
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
