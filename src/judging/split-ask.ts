import { messageOf } from '../common/errors.ts';
import { asksForDecision, conclude, describeFindings } from './conclude.ts';
import {
  type Finding,
  isScored,
  type Judgement,
  type UnscoredReason,
  type Usage,
  unknownUsage,
  withoutAnswer,
} from './judgement.ts';
import type { Ask, Question } from './ports.ts';

/** What one judge said when it was asked about some of the criteria. */
interface Part {
  /** The ids of the criteria that it was asked about. */
  asked: readonly string[];
  judgement: Judgement;
}

const isAnswered = ({ judgement }: Part): boolean =>
  isScored(judgement) || judgement.reason === 'not-relevant';

/** Why there is no answer on the whole: what kept a part from being answered, else that it could not be told. */
function reasonOf(parts: readonly Part[]): UnscoredReason {
  for (const { judgement } of parts)
    if (!isScored(judgement) && judgement.reason !== 'not-relevant' && judgement.reason !== 'unsupported')
      return judgement.reason;
  return 'unsupported';
}

/** What a part found, with a finding too for each criterion of which it says nothing: unscored, or not relevant. */
const findingsOf = ({ asked, judgement }: Part): Finding[] =>
  asked.map((id) => {
    const found = judgement.criteria.find((finding) => finding.id === id);
    const rationale = isScored(judgement) ? 'no finding was given' : judgement.message;
    const aside = !isScored(judgement) && judgement.reason === 'not-relevant';
    return found ?? { id, decision: aside ? 'not-relevant' : 'unscored', score: null, rationale };
  });

/** Where a judge was asked for its decision, that decision stands for all that it found. */
function decisive(part: Part, question: Question): Finding[] {
  const { judgement } = part;
  if (!asksForDecision(question.criteria, question.rubric.decide) || !isScored(judgement))
    return findingsOf(part);
  const { decision, score, rationale } = judgement;
  return [{ id: part.asked.join(' '), decision, score, rationale }];
}

const sum = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce<number | null>((total, one) => (total === null || one === null ? null : total + one), 0);

/** What asking at the same time took: sums, but for the time, which is that of the slowest. */
export function usageOfAll(usages: readonly Usage[]): Usage {
  const total = (key: 'promptTokens' | 'cachedTokens' | 'completionTokens' | 'costUsd') =>
    sum(usages.map((usage) => usage[key]));
  return {
    promptTokens: total('promptTokens'),
    cachedTokens: total('cachedTokens'),
    completionTokens: total('completionTokens'),
    costUsd: total('costUsd'),
    latencyMs: Math.max(0, ...usages.map(({ latencyMs }) => latencyMs)),
    attempts: usages.reduce((total, { attempts }) => total + attempts, 0),
    fromCache: usages.length > 0 && usages.every(({ fromCache }) => fromCache),
  };
}

/** What a judge says in its own words: as it is where it was asked once, else a summary of its findings. */
function wordsOf(question: Question, parts: readonly Part[], findings: readonly Finding[]): string {
  const [only, ...rest] = parts;
  if (only === undefined || rest.length > 0) return describeFindings(question.criteria, findings);
  return isScored(only.judgement) ? only.judgement.rationale : only.judgement.message;
}

/**
 * One judgement of what a judge said in parts, and of exact findings beside it. Its findings stand in the rubric's
 * order and come to what `conclude` makes of them: a criterion without an answer is an unscored finding, never left out.
 * A judge none of whose parts was answered has not answered.
 *
 * @param parts at least one
 * @param asked what the parts took, and the hash of the wording that they were asked with
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
  const words = wordsOf(question, parts, criteria);
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
    // As sure as where it is least sure: the whole rests on every part.
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
    case 'untold':
      return unscored;
  }
}

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
