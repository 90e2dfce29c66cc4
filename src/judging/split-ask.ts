import { isEndpointRefused, messageOf } from '../common/errors.ts';
import { asksForDecision, conclude, describeFindings } from './conclude.ts';
import {
  type Finding,
  isScored,
  type Judgement,
  totalUsage,
  type UnscoredReason,
  type Usage,
  unknownUsage,
  withoutAnswer,
} from './judgement.ts';
import type { Ask, Question } from './ports.ts';

/** A judge's answer about some of the criteria. */
interface Part {
  /** Ids of those criteria. */
  asked: readonly string[];
  judgement: Judgement;
}

const isAnswered = ({ judgement }: Part): boolean =>
  isScored(judgement) || judgement.reason === 'not-relevant';

/** Why the joined judgement is unscored: the first failure of a part, otherwise `unsupported`. */
function reasonOf(parts: readonly Part[]): UnscoredReason {
  for (const { judgement } of parts)
    if (!isScored(judgement) && judgement.reason !== 'not-relevant' && judgement.reason !== 'unsupported')
      return judgement.reason;
  return 'unsupported';
}

/** A finding for every criterion of a part; criteria without one are unscored or not relevant. */
const findingsOf = ({ asked, judgement }: Part): Finding[] =>
  asked.map((id) => {
    const found = judgement.criteria.find((finding) => finding.id === id);
    const rationale = isScored(judgement) ? 'no finding was given' : judgement.message;
    const aside = !isScored(judgement) && judgement.reason === 'not-relevant';
    return found ?? { id, decision: aside ? 'not-relevant' : 'unscored', score: null, rationale };
  });

/** If a judge was asked for a decision, that decision replaces its findings. */
function decisive(part: Part, question: Question): Finding[] {
  const { judgement } = part;
  if (!asksForDecision(question.criteria, question.rubric.decide) || !isScored(judgement))
    return findingsOf(part);
  const { decision, score, rationale } = judgement;
  return [{ id: part.asked.join(' '), decision, score, rationale }];
}

/** The usage of concurrent questions: sums, but the latency of the slowest. */
export const usageOfAll = (usages: readonly Usage[]): Usage => ({
  ...totalUsage(usages),
  latencyMs: Math.max(0, ...usages.map(({ latencyMs }) => latencyMs)),
  attempts: usages.reduce((total, { attempts }) => total + attempts, 0),
  fromCache: usages.length > 0 && usages.every(({ fromCache }) => fromCache),
});

/** A judge's own words if it was asked once, otherwise a summary of its findings. */
function rationaleOf(question: Question, parts: readonly Part[], findings: readonly Finding[]): string {
  const [only, ...rest] = parts;
  if (only === undefined || rest.length > 0) return describeFindings(question.criteria, findings);
  return isScored(only.judgement) ? only.judgement.rationale : only.judgement.message;
}

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
  const words = rationaleOf(question, parts, criteria);
  const unscored = { ...record, status: 'unscored' as const, reason: reasonOf(parts), message: words };
  if (!parts.some(isAnswered)) return unscored;
  const conclusion = conclude(
    [...parts.flatMap((part) => decisive(part, question)), ...exact],
    rubric.decide,
  );
  const scored = parts.map(({ judgement }) => judgement).filter(isScored);
  const confidences = scored.map(({ confidence }) => confidence).filter((one) => one !== null);
  const caveats = scored.flatMap(({ caveat }) => caveat ?? []);
  const answer = {
    ...record,
    status: 'scored' as const,
    // The lowest confidence: the answer depends on every part.
    confidence: confidences.length > 0 ? Math.min(...confidences) : null,
    ...(caveats.length > 0 ? { caveat: caveats.join('; ') } : {}),
  };
  switch (conclusion.kind) {
    case 'decision': {
      const faults = exact.filter(({ decision }) => decision === 'fail').map(({ rationale }) => rationale);
      return {
        ...answer,
        decision: conclusion.decision,
        score: null,
        rationale: [...faults, words].join(' '),
      };
    }
    case 'score':
      return { ...answer, decision: 'scored', score: conclusion.score, rationale: words };
    case 'not-relevant':
      return { ...unscored, reason: 'not-relevant' };
    case 'inconclusive':
      return unscored;
  }
}

/**
 * If the method asks about criteria one by one, asks about all of them concurrently and joins the answers into one judgement. A
 * failed question does not affect the findings of the others.
 *
 * @param joinedHash the hash of several prompts
 */
export function askOneByOne(ask: Ask, joinedHash: (...hashes: string[]) => string): Ask {
  async function partOf(question: Question): Promise<Part> {
    const asked = question.criteria.map(({ id }) => id);
    try {
      return { asked, judgement: await ask(question) };
    } catch (thrown) {
      if (isEndpointRefused(thrown)) throw thrown;
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
    return joinJudgements(
      question,
      [{ asked: rest.map(({ id }) => id), judgement }],
      checked.criteria,
      calls === undefined ? { usage, promptHash } : { usage, promptHash, calls },
    );
  };
}
