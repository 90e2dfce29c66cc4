import { createHash } from 'node:crypto';
import { readJson } from '../common/text.ts';
import { isScored, Judgement } from './judgement.ts';
import type { Ask, Question } from './ports.ts';

/** Where the answers of judges about one case are kept until its verdict is. */
export interface AnswerShelf {
  /** The kept judgement, as text; null if there is none. @param question names it among those about the case */
  read(question: string): Promise<string | null>;
  write(question: string, judgement: string): Promise<void>;
}

/**
 * Names a question: judge, criteria, round, the opinions it sees, and the case, as what a message refers to may be read anew and two
 * answers may change places.
 */
const questionId = ({ rubric, criteria, method, round, judge, seen, ratings, evalCase }: Question): string =>
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
        evalCase,
      ]),
    )
    .digest('hex');

/**
 * A judge that keeps each answer at once and uses kept ones, so that a process that takes over a case does not pay twice. Failures of
 * the shelf do not lose answers.
 */
export function recallAsk(ask: Ask, shelf: AnswerShelf): Ask {
  return async (question) => {
    const id = questionId(question);
    const kept = readJson(Judgement, (await shelf.read(id).catch(() => null)) ?? '');
    if (kept !== null) return kept.value;
    const judgement = await ask(question);
    if (isScored(judgement) && judgement.usage.attempts > 0)
      await shelf.write(id, JSON.stringify(judgement)).catch(() => {});
    return judgement;
  };
}
