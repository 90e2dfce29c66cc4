import { firstSentence } from '../common/text.ts';
import { answerOf, type Judgement, scoredOf, type UnscoredReason } from './judgement.ts';
import type { DecidingRound, Reduction } from './reduce.ts';
import type { CriterionVerdict, Range, Tally } from './verdict.ts';

const judges = (count: number): string => (count === 1 ? '1 judge' : `${count} judges`);
const tenths = (weight: number): string => (weight / 10).toFixed(1);
const rounded = (score: number): string => String(Math.round(score * 100) / 100);

/** The main reason behind the winning answer. */
function reasonFor(
  answer: string,
  round: readonly Judgement[],
  criteria: readonly CriterionVerdict[],
): string {
  if (answer === 'pass') {
    const judged = criteria.filter(({ decision }) => decision !== 'not-judged');
    const held = judged.filter(({ decision }) => decision === 'pass');
    if (judged.length > 1 && held.length === judged.length) return `all ${held.length} judged criteria hold`;
  }
  const winners = scoredOf(round).filter((judgement) => answerOf(judgement) === answer);
  if (answer === 'fail') {
    const byWeight = [...criteria].sort((a, b) => b.tally.fail - a.tally.fail);
    for (const { id } of byWeight)
      for (const winner of winners) {
        const failing = winner.criteria.find((finding) => finding.id === id && finding.decision === 'fail');
        if (failing !== undefined) {
          const others = criteria
            .filter((one) => one.id !== id && one.decision === 'fail')
            .map((one) => one.title);
          const also = others.length > 0 ? `; also failing: ${others.join(', ')}` : '';
          return `${firstSentence(failing.rationale)}${also}`;
        }
      }
  }
  return firstSentence(winners[0]?.rationale ?? '');
}

const REASONS: Record<UnscoredReason, string> = {
  malformed: 'no usable reply',
  refused: 'refused to answer',
  timeout: 'timed out',
  'rate-limited': 'rate-limited',
  budget: 'over the budget',
  unsupported: 'could not judge this',
  cancelled: 'stopped',
  error: 'failed',
  'not-relevant': 'not relevant',
};

/** Why judges did not answer: each reason with its count, and the first message that is not a cancellation. */
function obstacles(round: readonly Judgement[]): string {
  const unscored = round.filter((judgement) => judgement.status === 'unscored');
  const counts = new Map<UnscoredReason, number>();
  for (const { reason } of unscored) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const counted = [...counts].map(([reason, count]) => `${count} ${REASONS[reason]}`).join(', ');
  const example = unscored.find(({ reason }) => reason !== 'cancelled');
  return [counted, example === undefined ? '' : firstSentence(example.message)]
    .filter((part) => part !== '')
    .join(': ');
}

/** The criteria that hold and that are open, if every judge was unable to check something and nothing fails; otherwise null. */
function partialResult(round: readonly Judgement[], criteria: readonly CriterionVerdict[]): string | null {
  const unchecked = round.every((one) => one.status === 'unscored' && one.reason === 'unsupported');
  const [holding, open] = (['pass', 'undecided'] as const).map((decision) =>
    criteria.filter((one) => one.decision === decision),
  );
  if (!unchecked || holding === undefined || holding.length === 0 || open === undefined) return null;
  const verb = holding.length === 1 ? 'holds' : 'hold';
  return `${holding.length} of ${criteria.length} criteria ${verb}, not checked: ${open.map(({ title }) => title).join(', ')}`;
}

interface WhyInput {
  reduction: Reduction;
  deciding: DecidingRound;
  tally: Tally;
  criteria: readonly CriterionVerdict[];
  /** The raters' judgements; empty if the panel judged the criteria itself. */
  ratings: readonly Judgement[];
  scale: Range | null;
  cancelled: boolean;
}

/** The mean and spread of the scores; for a single judge, its reason. */
function describeMean(
  { score, lowest, highest }: Extract<Reduction, { kind: 'mean' }>,
  { deciding, scale }: WhyInput,
): string {
  const [first, ...others] = scoredOf(deciding.judgements);
  const of = scale === null ? '' : ` of ${scale.max}`;
  if (first !== undefined && others.length === 0)
    return `1 judge, ${rounded(score)}${of}: ${firstSentence(first.rationale)}`;
  const count = judges(others.length + 1);
  if (lowest === highest) return `${count}, all ${rounded(score)}${of}`;
  return `mean ${rounded(score)}${of}, ${count} from ${rounded(lowest)} to ${rounded(highest)}`;
}

function mainReason(input: WhyInput): string {
  const { reduction, deciding, tally, criteria, ratings, cancelled } = input;
  const round = deciding.judgements;
  switch (reduction.kind) {
    case 'answer': {
      const reason = reasonFor(reduction.answer, round, criteria);
      const weight =
        reduction.confidence === null
          ? ''
          : `, weight ${tenths(reduction.support)} against ${tenths(reduction.against)}`;
      const backers = scoredOf(round).filter((judgement) => answerOf(judgement) === reduction.answer).length;
      return `${backers} of ${judges(tally.panel)}${weight}: ${reason}`;
    }
    case 'mean':
      return describeMean(reduction, input);
    case 'tie': {
      const sides = reduction.sides.map(
        ({ answer, weight }) => `${reduction.weighted ? tenths(weight) : weight} for ${answer}`,
      );
      return `tied, ${sides.join(' against ')}`;
    }
    case 'not-relevant':
      return `${tally.notRelevant} of ${judges(tally.panel)} found the rubric not relevant to this case`;
    case 'no-quorum': {
      if (round.length === 0 && ratings.length > 0 && !cancelled)
        return `no criterion could be rated, so there was nothing to discuss (${obstacles(ratings)})`;
      if (round.length === 0)
        return cancelled ? 'no judge had answered' : 'the case lacks fields that every criterion needs';
      const checked = partialResult(round, criteria);
      if (checked !== null) return checked;
      const answered = tally.pass + tally.fail + tally.scored;
      const rule = tally.panel > 1 ? ', too few to decide' : '';
      return `${answered} of ${judges(tally.panel)} answered${rule} (${obstacles(round)})`;
    }
  }
}

/** The main reason for the outcome and what was left out, in one line. */
export function whyOf(input: WhyInput): string {
  const left = input.criteria.filter(({ decision }) => decision === 'not-judged');
  const byReason = new Map<string, string[]>();
  for (const { id, rationale } of left) byReason.set(rationale, [...(byReason.get(rationale) ?? []), id]);
  const notJudged = [...byReason].map(([reason, ids]) => `${ids.join(', ')} (${reason})`).join('; ');
  // A panel answers even if some ratings are missing; the reader must know which.
  const unrated =
    input.ratings.length > 0 && input.deciding.judgements.length > 0
      ? input.criteria.filter(({ decision }) => decision === 'undecided').map(({ id }) => id)
      : [];
  return [
    input.cancelled ? 'stopped early' : '',
    input.deciding.cutShort
      ? `round ${(input.deciding.index ?? 0) + 2} was not finished, after round ${(input.deciding.index ?? 0) + 1}`
      : '',
    mainReason(input),
    unrated.length > 0 ? `no rating of ${unrated.join(', ')}` : '',

    notJudged === '' ? '' : `not judged: ${notJudged}`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}
