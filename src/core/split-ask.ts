import { asksForDecision, conclude } from './conclude.ts';
import type { Finding, Judgement } from './judgement.ts';
import type { Ask, Question } from './ports.ts';

/** Findings in the rubric's order, whoever made them. */
const inOrder = ({ criteria }: Question, findings: readonly Finding[]): Finding[] =>
  criteria.flatMap(({ id }) => findings.filter((finding) => finding.id === id));

/** A judge's own judgement with the exact findings beside its own, and what all of them come to. */
function joined(question: Question, judged: Judgement, exact: readonly Finding[]): Judgement {
  const criteria = inOrder(question, [...judged.criteria, ...exact]);
  const unanswered = judged.status === 'unscored' && judged.reason !== 'not-relevant';
  // A judge that was asked for the decision decides over its own criteria; exact findings can only add a fault.
  const own = asksForDecision(question.criteria, question.rubric.decide) && judged.status === 'scored';
  const conclusion = conclude(own ? exact : criteria, question.rubric.decide);
  if (unanswered || conclusion.kind === 'score') return { ...judged, criteria };
  const { round, judge, usage, promptHash } = judged;
  const asked = { round, judge, usage, promptHash, criteria };
  const words = judged.status === 'scored' ? judged.rationale : judged.message;
  switch (conclusion.kind) {
    case 'decision': {
      const faults = exact.filter(({ decision }) => decision === 'fail').map(({ rationale }) => rationale);
      const fails = conclusion.decision === 'fail' || (own && judged.decision === 'fail');
      const confidence = judged.status === 'scored' ? judged.confidence : null;
      const rationale = [...faults, words].join(' ');
      return {
        ...asked,
        status: 'scored',
        decision: fails ? 'fail' : 'pass',
        score: null,
        confidence,
        rationale,
      };
    }
    case 'not-relevant':
      return { ...asked, status: 'unscored', reason: 'not-relevant', message: words };
    case 'untold':
      return own && judged.decision === 'fail'
        ? { ...judged, criteria }
        : { ...asked, status: 'unscored', reason: 'unsupported', message: words };
  }
}

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
    const [checked, judged] = await Promise.all([
      rules()({ ...question, criteria: exact }),
      judge({ ...question, criteria: rest }),
    ]);
    return joined(question, judged, checked.criteria);
  };
}
