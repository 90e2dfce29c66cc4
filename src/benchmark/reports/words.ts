import type { EvalCase } from '../../case/case.ts';
import type { Judgement } from '../../judging/judgement.ts';
import type { Verdict } from '../../judging/verdict.ts';
import type { Words } from './report.ts';

/** Most characters of one text that a report carries; what is left out is told. */
const LONGEST = 6000;

const shortened = (text: string): string =>
  text.length <= LONGEST
    ? text
    : `${text.slice(0, LONGEST).toWellFormed()} … (${text.length - LONGEST} more characters)`;

function said(judgement: Judgement): Words['judgements'][number] {
  const { round, judge } = judgement;
  const own = { round, persona: judge.persona, model: judge.model, sample: judge.sample };
  return judgement.status === 'scored'
    ? {
        ...own,
        decision: judgement.decision,
        score: judgement.score,
        confidence: judgement.confidence,
        reason: null,
        text: shortened(judgement.rationale),
      }
    : {
        ...own,
        decision: 'unscored',
        score: null,
        confidence: null,
        reason: judgement.reason,
        text: shortened(judgement.message),
      };
}

/** What the judges were given beside the conversation and the response. */
function givenIn(evalCase: EvalCase): string | null {
  const { id, rubric, conversation, response, label, ...rest } = evalCase;
  return Object.keys(rest).length === 0 ? null : shortened(JSON.stringify(rest, null, 1));
}

/** What was judged and what was said about it, as far as a report shows it. */
export const wordsOf = (evalCase: EvalCase, { judgements }: Verdict): Words => ({
  conversation: evalCase.conversation.map(({ role, text }) => ({ role, text: shortened(text) })),
  response: shortened(evalCase.response),
  given: givenIn(evalCase),
  judgements: judgements.map(said),
});
