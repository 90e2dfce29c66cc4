import { isEndpointRefused, type JuryError } from '../common/index.ts';
import { EndpointRefusedError } from './ask.ts';
import { type CasePlan, type JudgeContext, judgeCase } from './judge-case.ts';
import {
  decisiveJudgements,
  type EndpointTrouble,
  type Fallback,
  gapOf,
  isExact,
  isNotAsked,
  NO_MODEL,
  totalUsage,
  type UnscoredReason,
  type Verdict,
} from './verdict/index.ts';

/** What kept the models from deciding. */
interface Obstacle {
  fallback: Fallback;
  /** The cause, shown next to the verdict where everyone can read it; null if the kind says enough. */
  cause: string | null;
  trouble: EndpointTrouble | null;
}

/** Reasons for a missing answer that are due to the endpoint, not to the model's reply. */
const SILENT: readonly UnscoredReason[] = ['error', 'timeout', 'rate-limited'];

/**
 * What kept a verdict's models from deciding: a budget that left them without a quorum, or silence from all of them. Null if they
 * decided, could not agree, were stopped, or gave unusable answers.
 */
export function obstacleOf(verdict: Verdict): Obstacle | null {
  const gap = gapOf(verdict);
  if (verdict.decision !== 'undecided' || verdict.cancelled || gap === 'undecided' || isExact(verdict))
    return null;
  const unscored = decisiveJudgements(verdict).filter((one) => one.status === 'unscored');
  if (unscored.some(({ reason }) => reason === 'budget'))
    return { fallback: 'budget', cause: null, trouble: null };
  const [first] = unscored;
  const isSilent = gap === 'unanswered' && unscored.every(({ reason }) => SILENT.includes(reason));
  return isSilent && first !== undefined
    ? { fallback: 'unreachable', cause: first.message, trouble: first.trouble ?? null }
    : null;
}

/** Whether exact checks found anything out about the case. */
const isOfUse = ({ cancelled, criteria, decision, preference }: Verdict): boolean =>
  !cancelled &&
  (preference !== undefined
    ? decision === 'scored'
    : criteria.some((one) => (one.decision === 'pass' || one.decision === 'fail') && !isNotAsked(one)));

/** The verdict of exact checks; null if they found nothing. Criteria that were set aside for the models count as unchecked. */
async function judgeByChecks(
  plan: CasePlan,
  { cause, fallback, trouble }: Obstacle,
  { onEvent: _, ...context }: JudgeContext,
): Promise<Verdict | null> {
  const remarks = cause === null ? plan.remarks : [...plan.remarks, `${NO_MODEL}${cause}`];
  const { criteria } = plan.rubric;
  const verdict = await judgeCase({ ...plan, criteria, setAside: [], remarks, fallback }, context);
  if (!isOfUse(verdict)) return null;
  return trouble === null ? verdict : { ...verdict, trouble };
}

/**
 * Judges a planned case. If the budget, a refusing endpoint or silent models keep the panel from a verdict, exact checks give one: fail
 * if a check fails, pass only if every criterion was checked, otherwise undecided.
 *
 * @param planChecks the same case with exact checks on every seat; null if models may not be replaced
 * @throws JuryError `endpoint-refused` if exact checks have nothing to say either; what `planChecks` throws
 */
export async function judgeOrCheck(
  plan: CasePlan,
  planChecks: () => Promise<CasePlan | null>,
  context: JudgeContext,
): Promise<Verdict> {
  const judged = await judgeCase(plan, context).then(
    (verdict) => ({ verdict, refusal: null, obstacle: obstacleOf(verdict) }),
    (thrown: unknown) => {
      if (!isEndpointRefused(thrown)) throw thrown;
      const trouble = thrown instanceof EndpointRefusedError ? thrown.trouble : null;
      const obstacle = { fallback: 'refused' as const, cause: thrown.message, trouble };
      return { verdict: null, refusal: thrown satisfies JuryError, obstacle };
    },
  );
  const { verdict, refusal, obstacle } = judged;
  const checks = obstacle === null || context.signal.aborted ? null : await planChecks();
  if (checks === null || obstacle === null) {
    if (verdict === null) throw refusal;
    return verdict;
  }
  // What the reader of the paste cost is in the models' verdict.
  const { reader, ...unread } = checks;
  const checked = await judgeByChecks(verdict === null ? checks : unread, obstacle, context);
  if (checked === null) {
    if (verdict === null) throw refusal;
    return verdict;
  }
  if (verdict === null) return checked;
  // The models' answers, too few to decide, still cost money.
  const usage = totalUsage([verdict.usage, checked.usage]);
  return { ...checked, ...(reader === undefined ? {} : { reader, calls: checked.calls + 1 }), usage };
}
