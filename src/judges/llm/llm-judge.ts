import * as z from 'zod';
import { isFromChat } from '../../case/index.ts';
import { jsonSchemaOf } from '../../common/index.ts';
import {
  type Ask,
  EndpointRefusedError,
  type Explain,
  type Question,
  type VerdictQuestion,
} from '../../judging/index.ts';
import type { Prompt, renderVerdictQuestion } from '../../prompting/index.ts';
import type { CompletionClient } from './completion-client.ts';

/** How cached answers may be used. */
export interface AnswerReuse {
  /** Number of the repeat, from 1. A cached answer is only reused for the same repeat. */
  repeat: number;
  /** Bypasses the cache. */
  fresh: boolean;
  /**
   * If set, only answers given under the same method are reused. Otherwise methods with the same prompt would share answers, and their
   * calls, tokens and costs could not be compared.
   */
  method?: string;
}

/** A judge that asks a language model. Rejects with a JuryError `endpoint-refused`, see `Ask`. */
export function createLlmJudge(
  render: (question: Question) => Prompt,
  client: CompletionClient,
  { repeat, fresh, method }: AnswerReuse = { repeat: 1, fresh: false },
): Ask {
  return async (question) => {
    const { round, judge, temperature, seed, signal, deadlineAt, payers } = question;
    const { system, user, reply, repairText, promptHash } = render(question);
    const outcome = await client.complete({
      modelId: judge.model,
      system,
      user,
      schema: { name: 'judgement', json: reply.json },
      repairText,
      accept: reply.read,
      temperature,
      // Samples of one judge need different seeds: some endpoints repeat themselves under one seed.
      seed: seed === null ? null : seed + judge.sample,
      variant: [
        `round ${round}, sample ${judge.sample}`,
        ...(repeat === 1 ? [] : [`repeat ${repeat}`]),
        ...(method === undefined ? [] : [`method ${method}`]),
      ].join(', '),
      // Cached answers would remain after a chat's data is erased.
      fresh: fresh || isFromChat(question.evalCase),
      signal,
      deadlineAt,
      payers,
    });
    const usage = { ...outcome.usage, latencyMs: Math.round(outcome.usage.latencyMs) };
    if (outcome.status === 'answered')
      return Object.assign({ round, judge, usage, promptHash }, outcome.value);
    const { reason, message, misconfigured, unavailable, trouble } = outcome;
    if (misconfigured) throw new EndpointRefusedError(message, trouble ?? null);
    return {
      ...{ round, judge, usage, promptHash, status: 'unscored', reason, message },
      ...(unavailable ? { unavailable } : {}),
      ...(trouble === undefined ? {} : { trouble }),
      criteria: [],
    };
  };
}

/** Answers questions about verdicts with a language model. */
export const createExplainer =
  (
    render: (question: VerdictQuestion) => ReturnType<typeof renderVerdictQuestion>,
    client: CompletionClient,
  ): Explain =>
  async (question) => {
    const { system, user, json, repairText, read } = render(question);
    const outcome = await client.complete({
      modelId: question.model,
      system,
      user,
      schema: { name: 'answer', json },
      repairText,
      accept: read,
      temperature: 0,
      seed: null,
      variant: 'question about a verdict',
      signal: question.signal,
      deadlineAt: question.deadlineAt,
      payers: question.payers,
    });
    if (outcome.status === 'unanswered') return outcome;
    return { status: 'answered', text: outcome.value.answer, words: outcome.value.words };
  };

const Answer = z.strictObject({ answer: z.enum(['ok']) });

/**
 * Checks whether a model's endpoint works, and if not, how to fix it. Makes one tiny call, for `jury doctor`; the client should have no
 * cache.
 * @returns `mode`: the reply format that the model accepted; null if it did not answer
 */
export async function probeModel(modelId: string, client: CompletionClient, signal: AbortSignal) {
  const startedAt = performance.now();
  const outcome = await client.complete({
    modelId,
    system: 'This checks a connection. Answer with a JSON object whose "answer" is "ok".',
    user: 'Answer now.',
    schema: { name: 'connection_check', json: jsonSchemaOf(Answer) },
    repairText: () => 'Answer with the JSON object alone.',
    accept: (value) => {
      const { data } = Answer.safeParse(value);
      return data === undefined ? { ok: false, problem: '"answer" must be "ok"' } : { ok: true, value: data };
    },
    temperature: 0,
    seed: null,
    variant: 'probe',
    signal,
    deadlineAt: startedAt + 30_000,
  });
  const latencyMs = performance.now() - startedAt;
  if (outcome.status === 'unanswered') return { ok: false, message: outcome.message, latencyMs, mode: null };
  const mode = client.capabilitiesOf(modelId).format;
  return { ok: true, message: `answers in ${Math.round(latencyMs)} ms, by ${mode}`, latencyMs, mode };
}
