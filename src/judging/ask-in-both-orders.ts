import { type AnswerNames, answerNamesOf, isPair, swapped } from '../case/index.ts';
import { type Ask, type Question, withoutFailures } from './ask.ts';
import { usageOfAll } from './split-ask.ts';
import {
  betterOf,
  ended,
  type Finding,
  isScored,
  type Judgement,
  pairReason,
  type ScoredJudgement,
  type Sides,
} from './verdict/index.ts';

const negated = (score: number | null): number | null => (score === null || score === 0 ? score : -score);

function mirrored<Said extends { score: number | null; sides?: Sides | undefined }>(finding: Said): Said {
  const { score, sides } = finding;
  if (sides === undefined) return { ...finding, score: negated(score) };
  return { ...finding, score: negated(score), sides: { first: sides.second, second: sides.first } };
}

/** A judgement on the same pair in the other order. */
function mirroredJudgement(judgement: Judgement): Judgement {
  const criteria = judgement.criteria.map(mirrored);
  return isScored(judgement) ? { ...mirrored(judgement), criteria } : { ...judgement, criteria };
}

const CHANGED = 'prefers another answer when they come in the other order';

/** Joins what a judge said about one thing in both orders: the preference if it is the same, otherwise none. */
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

/** Joins a judge's answers in both orders into one. If either is missing, there is no answer. */
function inBothOrders(question: Question, one: Judgement, turned: Judgement): Judgement {
  const turnedBack = mirroredJudgement(turned);
  const names = answerNamesOf(question.evalCase);
  const questions = (one.calls ?? 1) + (turnedBack.calls ?? 1);
  const asked = {
    usage: usageOfAll([one.usage, turnedBack.usage]),
    criteria: joinedFindings(one.criteria, turnedBack.criteria, names),
    calls: questions,
  };
  if (!isScored(one)) return { ...one, ...asked };
  if (!isScored(turnedBack)) return { ...turnedBack, ...asked };
  const { changed, ...said } = joined<ScoredJudgement>(one, turnedBack, names);
  const confidence =
    one.confidence === null || turnedBack.confidence === null
      ? null
      : Math.min(one.confidence, turnedBack.confidence);
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
    const [asShown, turned] = await Promise.all([
      asked(question),
      asked({ ...question, evalCase: swapped(question.evalCase), seen }),
    ]);
    return inBothOrders(question, asShown, turned);
  };
}
