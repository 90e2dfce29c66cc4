import type { Ask, Question } from '../core/ports.ts';
import type { Prompt } from '../prompting/render.ts';
import type { CompletionClient } from './complete.ts';

/** How answers that are kept may be used. */
export interface Asking {
  repeat: number;
  fresh: boolean;
}

/**
 * A judge that asks a language model: the question in words, one completion, its reply as a judgement.
 *
 * @param asking which time the same is asked for, 1 for the first: an answer that was kept is only used for its own; and
 *   whether no kept answer is used at all
 */
export function createLlmJudge(
  render: (question: Question) => Prompt,
  client: CompletionClient,
  { repeat, fresh }: Asking = { repeat: 1, fresh: false },
): Ask {
  return async (question) => {
    const { round, judge, temperature, seed, signal, deadlineAt } = question;
    const { system, user, reply, repairText, promptHash } = render(question);
    const outcome = await client.complete({
      modelId: judge.model,
      system,
      user,
      schema: { name: 'judgement', json: reply.json },
      repairText,
      accept: reply.read,
      temperature,
      // Samples of one judge are told apart for endpoints that repeat themselves under one seed.
      seed: seed === null ? null : seed + judge.sample,
      variant: `round ${round}, sample ${judge.sample}${repeat === 1 ? '' : `, repeat ${repeat}`}`,
      fresh,
      signal,
      deadlineAt,
    });
    const usage = { ...outcome.usage, latencyMs: Math.round(outcome.usage.latencyMs) };
    if (outcome.status === 'answered')
      return Object.assign({ round, judge, usage, promptHash }, outcome.value);
    const { reason, message } = outcome;
    return { round, judge, usage, promptHash, status: 'unscored', reason, message, criteria: [] };
  };
}
