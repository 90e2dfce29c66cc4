import * as z from 'zod';

const count = z.number().int().min(0).nullish().catch(null);

/** Content as text; some reasoning models send parts, of which only the text ones are the answer. */
const Content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .transform((content) =>
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join(''),
  );

/** What counts of a chat completion, as it comes off the wire. */
const ChatCompletion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({ content: Content.nullish(), refusal: z.string().nullish() }),
      }),
    )
    .nullish(),
  usage: z
    .looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish().catch(null),
      /** DeepSeek's name for cached tokens. */
      prompt_cache_hit_tokens: count,
    })
    .nullish()
    .catch(null),
  /** OpenRouter reports an upstream's error in a 200. */
  error: z
    .looseObject({ message: z.string().catch(''), code: z.union([z.number(), z.string()]).nullish() })
    .nullish()
    .catch(null),
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

/** Reads a completion off the wire: a reply, an error that came as one, or null when it is something else. */
export function chatReplyOf(
  wire: unknown,
): { reply: ChatReply } | { error: { code: string; message: string } } | null {
  const { data } = ChatCompletion.safeParse(wire);
  if (data === undefined) return null;
  const first = data.choices?.[0];
  if (first === undefined && data.error)
    return { error: { code: String(data.error.code ?? ''), message: data.error.message } };
  if (!data.choices) return null;
  const usage = data.usage ?? null;
  return {
    reply: {
      text: first?.message.content ?? '',
      refusal: first?.message.refusal || null,
      finishReason: first?.finish_reason ?? null,
      tokens:
        usage === null
          ? null
          : {
              prompt: usage.prompt_tokens ?? null,
              cached: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? null,
              completion: usage.completion_tokens ?? null,
            },
    },
  };
}
