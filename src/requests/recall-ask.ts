import { createHash } from 'node:crypto';
import type { ReplyShelf } from '../benchmark/runs/trial-store.ts';
import { isScored, Judgement } from '../judging/judgement.ts';
import type { Ask, Question } from '../judging/ports.ts';

/** What a question is, within its trial: who is asked what in which round, after what was said. */
const questionId = ({ rubric, criteria, method, round, judge, seen, ratings }: Question): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        rubric.id,
        criteria.map(({ id }) => id),
        method.id,
        round,
        judge,
        seen,
        ratings?.judgements,
      ]),
    )
    .digest('hex');

function judgementOf(text: string | null): Judgement | null {
  try {
    return text === null ? null : (Judgement.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}

/**
 * A judge that keeps each answer before anything is made of it, and gives a kept one without being asked again: whoever
 * takes over a half-judged trial does not pay for it twice. What is wrong with the shelf costs no answer.
 */
export function recallAsk(ask: Ask, shelf: ReplyShelf, key: string): Ask {
  return async (question) => {
    const id = questionId(question);
    const kept = judgementOf(await shelf.read(key, id).catch(() => null));
    if (kept !== null) return kept;
    const judgement = await ask(question);
    if (isScored(judgement) && judgement.usage.attempts > 0)
      await shelf.write(key, id, JSON.stringify(judgement)).catch(() => {});
    return judgement;
  };
}
