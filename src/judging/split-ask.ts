import { joinJudgements } from './join-judgements.ts';
import type { Ask } from './ports.ts';

/**
 * Criteria that a rubric leaves to exact checks go to `rules`, the others to the judge; one judgement comes back. A
 * model is not asked about what can be counted.
 */
export function splitAsk(rules: () => Ask, judge: Ask): Ask {
  return async (question) => {
    const exact = question.criteria.filter(({ judgedBy }) => judgedBy === 'rules');
    if (exact.length === 0) return judge(question);
    const rest = question.criteria.filter(({ judgedBy }) => judgedBy !== 'rules');
    if (rest.length === 0) return rules()(question);
    const [checked, judgement] = await Promise.all([
      rules()({ ...question, criteria: exact }),
      judge({ ...question, criteria: rest }),
    ]);
    const { usage, promptHash, calls } = judgement;
    return joinJudgements(
      question,
      [{ asked: rest.map(({ id }) => id), judgement }],
      checked.criteria,
      calls === undefined ? { usage, promptHash } : { usage, promptHash, calls },
    );
  };
}
