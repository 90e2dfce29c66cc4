import { type AnswerNames, answerNamesOf, isPair, swapped } from '../case/pair.ts';
import { oncePer } from '../case/words.ts';
import { firstSentence } from '../common/text.ts';
import { withoutFailures } from './deliberate.ts';
import {
  type Finding,
  isScored,
  type Judgement,
  leaderOf,
  type ScoredJudgement,
  type Sides,
  scoredOf,
} from './judgement.ts';
import type { Ask, Question } from './ports.ts';
import type { Rubric } from './rubric.ts';
import { usageOfAll } from './split-ask.ts';
import { type Better, betterOf, type CriterionVerdict, type Preference } from './verdict.ts';
import { ended, pairReason } from './why.ts';

/**
 * A preference between two answers is a score: −1 for the first, 0 for neither, 1 for the second. So the same engine decides, the same
 * votes count and the same statistics apply, and a pair in the other order has the negated scores.
 */
const SCALE = { min: -1, max: 1 };

/** The rubric for comparing two answers: by which of them each criterion is met better. */
export const comparing = oncePer((rubric: Rubric): Rubric => {
  const { overall: _overall, ...rest } = rubric;
  const criteria = rubric.criteria.map((criterion) => ({ ...criterion, scale: SCALE, mayNotApply: false }));
  return { ...rest, criteria, decide: 'pair' };
});

/** What the scored judgements of a round prefer. @param score the panel's; null without a decision */
export function preferenceOf(
  round: readonly Judgement[],
  score: number | null,
  [first, second]: AnswerNames,
): Preference {
  const scored = scoredOf(round);
  const better = score === null ? null : betterOf(score);
  const count = (wanted: Better) => scored.filter((one) => betterOf(one.score ?? 0) === wanted).length;
  const backer = scored.find((one) => betterOf(one.score ?? 0) === better && one.sides !== undefined);
  const { sides } = backer ?? scored.find((one) => one.sides !== undefined) ?? {};
  return {
    better,
    names: [first, second],
    judges: {
      A: count('A'),
      B: count('B'),
      same: count('same'),
      changed: scored.filter(({ changedWithOrder }) => changedWithOrder === true).length,
    },
    reasons: { A: firstSentence(sides?.first ?? ''), B: firstSentence(sides?.second ?? '') },
  };
}

/** The criteria with the score that most judges give each of them, 0 if they are split, and a reason for it. */
export const settledCriteria = (criteria: readonly CriterionVerdict[], round: readonly Judgement[]) =>
  criteria.map((criterion): CriterionVerdict => {
    const findings = round
      .flatMap((judgement) => judgement.criteria)
      .filter(({ id, decision }) => id === criterion.id && decision === 'scored');
    if (findings.length === 0) return criterion;
    const score = Number(leaderOf(findings.map((one) => [String(one.score), 1])) ?? 0);
    const { rationale } = findings.find((finding) => finding.score === score) ?? criterion;
    return { ...criterion, score, rationale };
  });

const negated = (score: number | null): number | null => (score === null || score === 0 ? score : -score);

function mirrored<Said extends { score: number | null; sides?: Sides | undefined }>(said: Said): Said {
  const { score, sides } = said;
  if (sides === undefined) return { ...said, score: negated(score) };
  return { ...said, score: negated(score), sides: { first: sides.second, second: sides.first } };
}

/** A judgement on the same pair in the other order. */
function mirroredJudgement(judgement: Judgement): Judgement {
  const criteria = judgement.criteria.map(mirrored);
  return isScored(judgement) ? { ...mirrored(judgement), criteria } : { ...judgement, criteria };
}

const CHANGED = 'prefers another answer when they come in the other order';

/** What a judge said of one thing in both orders: the same, or no preference. */
function joined<Said extends { score: number | null; rationale: string | null; sides?: Sides | undefined }>(
  one: Said,
  other: Said,
  names: AnswerNames,
): Said & { changed: boolean } {
  const changed = one.score !== other.score;
  const score = changed ? 0 : one.score;
  const reason =
    one.sides === undefined
      ? one.rationale
      : pairReason({
          better: betterOf(score ?? 0),
          names: [names[0], names[1]],
          reasons: { A: one.sides.first, B: one.sides.second },
        });
  return { ...one, score, rationale: reason, changed };
}

function joinedFindings(one: readonly Finding[], other: readonly Finding[], names: AnswerNames): Finding[] {
  return one.map((finding) => {
    const twin = other.find(({ id }) => id === finding.id) ?? finding;
    if (finding.decision !== 'scored' || twin.decision !== 'scored')
      return finding.decision === 'scored' ? twin : finding;
    const { changed, ...found } = joined(finding, twin, names);
    return changed ? { ...found, rationale: ended(CHANGED, found.rationale ?? '') } : found;
  });
}

/** A judge's answers in both orders as one. Without an answer in one of them, there is none. */
function inBothOrders(question: Question, one: Judgement, turned: Judgement): Judgement {
  const other = mirroredJudgement(turned);
  const names = answerNamesOf(question.evalCase);
  const questions = (one.calls ?? 1) + (other.calls ?? 1);
  const asked = {
    usage: usageOfAll([one.usage, other.usage]),
    criteria: joinedFindings(one.criteria, other.criteria, names),
    calls: questions,
  };
  if (!isScored(one)) return { ...one, ...asked };
  if (!isScored(other)) return { ...other, ...asked };
  const { changed, ...said } = joined<ScoredJudgement>(one, other, names);
  const confidence =
    one.confidence === null || other.confidence === null ? null : Math.min(one.confidence, other.confidence);
  return { ...said, ...asked, confidence, ...(changed ? { changedWithOrder: true } : {}) };
}

/**
 * Asks a judge about two answers in both orders, and joins its answers into one judgement. A judge that prefers something else in the
 * other order prefers neither. Questions about one answer are passed on.
 */
export function askInBothOrders(ask: Ask): Ask {
  const asked = withoutFailures(ask);
  return async (question) => {
    if (!isPair(question.evalCase)) return ask(question);
    const seen = question.seen.map((round) => round.map(mirroredJudgement));
    const [one, other] = await Promise.all([
      asked(question),
      asked({ ...question, evalCase: swapped(question.evalCase), seen }),
    ]);
    return inBothOrders(question, one, other);
  };
}
