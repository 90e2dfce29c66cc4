import { z } from 'zod';
import type { CompletionRequest } from '../../src/judges/llm/completion-client.ts';

const Reply = z.strictObject({ rationale: z.string(), decision: z.enum(['pass', 'fail']) });
export type Reply = z.infer<typeof Reply>;

/** A question to a model double whose answer is `{ rationale, decision }`. */
export function completionRequest(over: Partial<CompletionRequest<Reply>> = {}): CompletionRequest<Reply> {
  return {
    modelId: 'openai/double',
    system: 'You judge.',
    user: 'The case.',
    repairText: (problem) => `Your reply could not be used: ${problem}.`,
    schema: {
      name: 'reply',
      json: {
        type: 'object',
        properties: { rationale: { type: 'string' }, decision: { type: 'string', enum: ['pass', 'fail'] } },
        required: ['rationale', 'decision'],
        additionalProperties: false,
      },
    },
    accept: (value) => {
      const parsed = Reply.safeParse(value);
      return parsed.success
        ? { ok: true, value: parsed.data }
        : { ok: false, problem: z.prettifyError(parsed.error) };
    },
    temperature: 0,
    seed: null,
    variant: 'sample 0 round 0',
    signal: new AbortController().signal,
    ...over,
  };
}

/** Waits that a test can afford: the backoff's shape, a hundredth of its length. */
export const quickBackoff = { baseMs: 2, capMs: 20 };
