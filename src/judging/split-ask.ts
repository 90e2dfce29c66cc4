import { type Ask, type Question, withoutFailures } from './ask.ts';
import { asksForDecision, conclude, describeFindings } from './reduce.ts';
import {
  type Finding,
  isScored,
  type Judgement,
  type Sides,
  saidBy,
  scoredOf,
  sequentialMsOf,
  totalUsage,
  type UnscoredReason,
  type Usage,
} from './verdict/index.ts';

/** A judge's answer about some of the criteria. */
interface Part {
  /** Ids of those criteria. */
  asked: readonly string[];
  judgement: Judgement;
}

/** Whether the judge found that no criterion of the part applies. */
const isAside = ({ judgement }: Part): boolean => !isScored(judgement) && judgement.reason === 'not-relevant';

/** Why the joined judgement is unscored: the first failure of a part, otherwise `unsupported`. */
const reasonOf = (parts: readonly Part[]): UnscoredReason =>
  parts
    .flatMap(({ judgement }) => (isScored(judgement) ? [] : judgement.reason))
    .find((reason) => reason !== 'not-relevant' && reason !== 'unsupported') ?? 'unsupported';

/** A finding for every criterion of a part; criteria without one are unscored or not relevant. */
const findingsOf = (part: Part): Finding[] =>
  part.asked.map((id) => {
    const { judgement } = part;
    const ownFinding = judgement.criteria.find((finding) => finding.id === id);
    const rationale = isScored(judgement) ? 'no finding was given' : judgement.message;
    return (
      ownFinding ?? { id, decision: isAside(part) ? 'not-relevant' : 'unscored', score: null, rationale }
    );
  });

/** If a judge was asked for a decision, or which answer is better, that replaces its findings. */
function decisive(part: Part, { criteria, rubric }: Question): Finding[] {
  const { judgement } = part;
  const isAsked = rubric.decide === 'pair' || asksForDecision(criteria, rubric.decide);
  if (!isAsked || !isScored(judgement)) return findingsOf(part);
  const { decision, score, rationale } = judgement;
  return [{ id: part.asked.join(' '), decision, score, rationale }];
}

/** The usage of concurrent questions: sums, but the latency of the slowest. */
export const usageOfAll = (usages: readonly Usage[]): Usage => ({
  ...totalUsage(usages),
  latencyMs: Math.max(0, ...usages.map(({ latencyMs }) => latencyMs)),
  sequentialMs: usages.reduce((total, usage) => total + sequentialMsOf(usage), 0),
  attempts: usages.reduce((total, { attempts }) => total + attempts, 0),
  fromCache: usages.length > 0 && usages.every(({ fromCache }) => fromCache),
});

/**
 * Joins a judge's partial answers and exact findings into one judgement. Findings are in the rubric's order; a criterion without an
 * answer is an unscored finding. Without any answered part the judgement is unscored.
 *
 * @param parts at least one
 * @param asked usage and prompt hash of the parts
 */
function joinJudgements(
  question: Question,
  parts: readonly Part[],
  exact: readonly Finding[],
  asked: Pick<Judgement, 'usage' | 'promptHash' | 'calls'>,
): Judgement {
  const { round, judge, rubric } = question;
  const all = [...parts.flatMap(findingsOf), ...exact];
  const criteria = question.criteria.flatMap(({ id }) => all.filter((finding) => finding.id === id));
  const record = { ...asked, round, judge, criteria };
  const [only, ...others] = parts;
  // A judge's own words if it was asked once, otherwise a summary of its findings.
  const words =
    only === undefined || others.length > 0
      ? describeFindings(question.criteria, criteria)
      : saidBy(only.judgement);
  const isDown = parts.every(({ judgement }) => !isScored(judgement) && judgement.unavailable === true);
  const unscored = {
    ...{ ...record, status: 'unscored' as const, reason: reasonOf(parts), message: words },
    ...(isDown && parts.length > 0 ? { unavailable: true as const } : {}),
  };
  if (!parts.some((part) => isScored(part.judgement) || isAside(part))) return unscored;
  // A check that cannot tell two answers apart takes no side.
  const counting = rubric.decide === 'pair' ? exact.filter(({ score }) => score !== null) : exact;
  const conclusion = conclude(
    [...parts.flatMap((part) => decisive(part, question)), ...counting],
    rubric.decide,
  );
  if (conclusion.kind === 'inconclusive') return unscored;
  if (conclusion.kind === 'not-relevant')
    return { ...record, status: 'unscored', reason: 'not-relevant', message: words };
  const scored = scoredOf(parts.map(({ judgement }) => judgement));
  const reasoned = parts.length === 0 || scored.some(({ rationale }) => rationale !== null);
  const confidences = scored.flatMap(({ confidence }) => confidence ?? []);
  const sides = scored.flatMap((one) => one.sides ?? []);
  const told = (side: keyof Sides): string => sides.map((one) => one[side]).join('; ');
  const caveats = scored.flatMap(({ caveat }) => caveat ?? []);
  const answer = {
    ...record,
    status: 'scored' as const,
    // The lowest confidence: the answer depends on every part.
    confidence: confidences.length > 0 ? Math.min(...confidences) : null,
    ...(caveats.length > 0 ? { caveat: caveats.join('; ') } : {}),
    ...(sides.length > 0 ? { sides: { first: told('first'), second: told('second') } } : {}),
  };
  if (conclusion.kind === 'score')
    return { ...answer, decision: 'scored', score: conclusion.score, rationale: reasoned ? words : null };
  const faults = exact.flatMap(({ decision, rationale }) => (decision === 'fail' ? (rationale ?? []) : []));
  const { decision } = conclusion;
  const reasons = [...faults, ...(reasoned ? [words] : [])];
  return { ...answer, decision, score: null, rationale: reasons.length === 0 ? null : reasons.join(' ') };
}

/**
 * If the method asks about criteria one by one, asks about all of them concurrently and joins the answers into one judgement. A
 * failed question does not affect the findings of the others.
 *
 * @param joinedHash the hash of several prompts
 */
export function askOneByOne(ask: Ask, joinedHash: (...hashes: string[]) => string): Ask {
  const askPart = withoutFailures(ask);
  return async (question) => {
    if (question.method.criteria === 'together' || question.criteria.length < 2) return ask(question);
    const parts = await Promise.all(
      question.criteria.map(async (criterion): Promise<Part> => {
        const judgement = await askPart({ ...question, criteria: [criterion] });
        return { asked: [criterion.id], judgement };
      }),
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

/**
 * Sends criteria that are judged by `rules` to the exact checks and the others to the judge, and joins both into one judgement.
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
    const part = { asked: rest.map(({ id }) => id), judgement };
    const asked = { usage, promptHash, ...(calls === undefined ? {} : { calls }) };
    return joinJudgements(question, [part], checked.criteria, asked);
  };
}
