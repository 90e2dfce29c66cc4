import { messageOf } from '../common/errors.ts';
import { joinJudgements, type Part, usageOfAll } from './join-judgements.ts';
import { unknownUsage, withoutAnswer } from './judgement.ts';
import type { Ask, Question } from './ports.ts';

/**
 * Where the method asks about the criteria one by one, asks the judge about each by itself, all at the same time, and
 * joins what it found into one judgement. Whatever happens to one question leaves the findings of the others.
 *
 * @param joinedHash the hash of wordings that were used together
 */
export function askOneByOne(ask: Ask, joinedHash: (...hashes: string[]) => string): Ask {
  async function partOf(question: Question): Promise<Part> {
    const asked = question.criteria.map(({ id }) => id);
    try {
      return { asked, judgement: await ask(question) };
    } catch (thrown) {
      return { asked, judgement: withoutAnswer(question, 'error', messageOf(thrown), unknownUsage) };
    }
  }

  return async (question) => {
    if (question.method.criteria === 'together' || question.criteria.length < 2) return ask(question);
    const parts = await Promise.all(
      question.criteria.map((criterion) => partOf({ ...question, criteria: [criterion] })),
    );
    const judgements = parts.map(({ judgement }) => judgement);
    const hashes = judgements.flatMap(({ promptHash }) => promptHash ?? []);
    return joinJudgements(question, parts, [], {
      usage: usageOfAll(judgements.map(({ usage }) => usage)),
      promptHash: hashes.length > 0 ? joinedHash(...hashes) : null,
      calls: parts.length,
    });
  };
}
