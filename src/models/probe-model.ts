import * as z from 'zod';
import type { CompletionClient } from './complete.ts';
import type { ReplyFormat } from './dialect.ts';

/** Whether a model's endpoint works, and if not, how to mend it. */
export interface Probe {
  ok: boolean;
  message: string;
  latencyMs: number;
  /** How the model takes the form of its reply, where it answered. */
  mode: ReplyFormat | null;
}

const Answer = z.strictObject({ answer: z.literal('ok') });

/** Makes one tiny call, for `jury doctor`. The client should have no cache. */
export async function probeModel(
  modelId: string,
  client: CompletionClient,
  signal: AbortSignal,
): Promise<Probe> {
  const startedAt = performance.now();
  const outcome = await client.complete({
    modelId,
    system: 'This checks a connection. Answer with a JSON object whose "answer" is "ok".',
    user: 'Answer now.',
    schema: {
      name: 'connection_check',
      json: {
        type: 'object',
        properties: { answer: { type: 'string', enum: ['ok'] } },
        required: ['answer'],
        additionalProperties: false,
      },
    },
    repairText: () => 'Answer with the JSON object alone.',
    accept: (value) => {
      const parsed = Answer.safeParse(value);
      return parsed.success
        ? { ok: true, value: parsed.data }
        : { ok: false, problem: '"answer" must be "ok"' };
    },
    temperature: 0,
    seed: null,
    variant: 'probe',
    signal,
    deadlineAt: startedAt + 30_000,
  });
  const latencyMs = performance.now() - startedAt;
  if (outcome.status === 'unanswered') return { ok: false, message: outcome.message, latencyMs, mode: null };
  const mode = client.dialectOf(modelId).format;
  return { ok: true, message: `answers in ${Math.round(latencyMs)} ms, by ${mode}`, latencyMs, mode };
}
