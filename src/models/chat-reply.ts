import * as z from 'zod';
import { isRecord } from '../core/is-record.ts';

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
