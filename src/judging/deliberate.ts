import type { EvalCase } from '../case/case.ts';
import { JuryError, messageOf } from '../common/errors.ts';
import {
  answerOf,
  freeUsage,
  type Judge,
  type Judgement,
  notRelevantOf,
  quorumOf,
  ranked,
  scoredOf,
  unknownUsage,
  weighed,
  withoutAnswer,
} from './judgement.ts';
import { type Method, ratingMethod } from './method.ts';
import type { Panel, Seat } from './panel.ts';
import type { Ask, Question, Ratings } from './ports.ts';
import { type Criterion, overallRubric, type Rubric } from './rubric.ts';

/**
 * The fewest further answers that could settle the majority, if they all went to the leading answer; 0 when it is
 * settled already or nobody is left to ask.
 *
 * Settled means: those not yet asked could neither tie nor overtake the leader, and a quorum has answered. With `lead`
 * = leader − runner-up and `left` seats not asked, `w` answers settle it when lead + w > left − w. Where a quorum is out
 * of reach there is nothing left to settle.
 */
export function callsToSettle(answered: readonly Judgement[], panelSize: number): number {
  const left = panelSize - answered.length;
  const scored = scoredOf(answered);
  if (notRelevantOf(answered).length >= quorumOf(panelSize)) return 0;
  if (scored.length + notRelevantOf(answered).length + left < quorumOf(panelSize)) return 0;
  const [first, second] = ranked(weighed(scored, () => 1));
  const lead = (first?.[1] ?? 0) - (second?.[1] ?? 0);
  const forLead = lead > left ? 0 : Math.floor((left - lead) / 2) + 1;
  const forQuorum = Math.max(0, quorumOf(panelSize) - scored.length);
  return Math.min(left, Math.max(forLead, forQuorum));
}

/** Whether every judge of the panel answered, and all the same. */
function isUnanimous(round: readonly Judgement[], panelSize: number): boolean {
  const scored = scoredOf(round);
  return scored.length === panelSize && new Set(scored.map(answerOf)).size === 1;
}

/** What is under way: the criteria are rated, or the panel speaks. */
export type Stage = 'rating' | 'panel';

/** What somebody who watches a deliberation sees: a judge is asked, a judge has answered. */
export type DeliberationEvent =
  | { kind: 'asked'; stage: Stage; round: number; judge: Judge }
  | { kind: 'answered'; stage: Stage; judgement: Judgement };

export interface DeliberationPlan {
  panel: Panel;
  /** Who rates the criteria first, where the method says so. */
  raters?: Panel | null;
  method: Method;
  rubric: Rubric;
  criteria: readonly Criterion[];
  evalCase: EvalCase;
  seed: number | null;
  /** When every judge must have answered, on the clock of `performance.now()` (ms). */
  deadlineAt: number;
  ask: Ask;
  /** When it aborts, nobody else is asked; what was said so far is kept. */
  signal: AbortSignal;
  /** Told of what happens as it happens, in order of arrival. */
  onEvent?: (event: DeliberationEvent) => void;
}

/** What was said: rounds oldest first, each in seat order whatever the order of arrival. */
export interface Deliberation {
  rounds: Judgement[][];
  /** What the raters found on the criteria before the panel spoke, where the method says so. */
  ratings?: Judgement[];
  cancelled: boolean;
}

/** One stage of a plan: what it is, and what was found before. */
interface StagePlan {
  plan: DeliberationPlan;
  stage: Stage;
  ratings: Ratings | null;
}

/** Asks one judge. Always resolves; when it has to wait is up to `ask`, which settles soon after the signal aborts. */
async function askOne(plan: DeliberationPlan, question: Question): Promise<Judgement> {
  if (plan.signal.aborted)
    return withoutAnswer(question, 'cancelled', 'stopped before this judge was asked', freeUsage);
  try {
    return await plan.ask(question);
  } catch (thrown) {
    return withoutAnswer(question, 'error', messageOf(thrown), unknownUsage);
  }
}

function questionFor(
  { plan, ratings }: StagePlan,
  seat: Seat,
  round: number,
  said: readonly Judgement[][],
): Question {
  const { method, rubric, criteria, evalCase, panel, seed, deadlineAt, signal } = plan;
  const seen = method.sees === 'nothing' ? [] : said.slice(method.sees === 'last-round' ? -1 : 0);
  const { judge, persona } = seat;
  const { cast } = panel;
  const { temperature } = method;
  const question: Question = {
    judge,
    persona,
    cast,
    rubric,
    criteria,
    method,
    evalCase,
    round,
    seen,
    temperature,
    seed,
    deadlineAt,
    signal,
  };
  if (ratings !== null) question.ratings = ratings;
  return question;
}

/** One round: everybody at the same time, or in waves where the method stops once the majority is settled. */
async function askRound(
  stagePlan: StagePlan,
  round: number,
  said: readonly Judgement[][],
): Promise<Judgement[]> {
  const { plan, stage } = stagePlan;
  const { seats } = plan.panel;
  const answered: Judgement[] = [];
  while (answered.length < seats.length && !plan.signal.aborted) {
    const size = plan.method.stop === 'decided' ? callsToSettle(answered, seats.length) : seats.length;
    if (size === 0) break;
    const wave = seats.slice(answered.length, answered.length + size).map(async (seat) => {
      plan.onEvent?.({ kind: 'asked', stage, round, judge: seat.judge });
      const judgement = await askOne(plan, questionFor(stagePlan, seat, round, said));
      plan.onEvent?.({ kind: 'answered', stage, judgement });
      return judgement;
    });
    answered.push(...(await Promise.all(wave)));
  }
  return answered;
}

/**
 * The one loop that every method is a setting of: the panel answers, perhaps sees what was said and answers again,
 * until the method's condition holds.
 */
async function askRounds(stagePlan: StagePlan): Promise<Judgement[][]> {
  const { plan } = stagePlan;
  const rounds: Judgement[][] = [];
  while (rounds.length < plan.method.rounds && !plan.signal.aborted) {
    const round = await askRound(stagePlan, rounds.length, rounds);
    if (round.length > 0) rounds.push(round);
    if (plan.method.stop === 'unanimous' && isUnanimous(round, plan.panel.seats.length)) break;
    // Nobody has an argument that the others could answer: another round would only ask the same again.
    if (scoredOf(round).length === 0) break;
  }
  return rounds;
}

const isRated = ({ criteria }: Judgement): boolean =>
  criteria.some(({ decision }) => decision !== 'unscored' && decision !== 'not-relevant');

/**
 * Runs a method: its panel over its rounds; where the method has criteria rated first, the raters once, then the panel on
 * the rubric's overall question, with the ratings before it. Where nothing could be rated there is nothing to discuss,
 * and the panel is not asked. Deterministic in the answers: the order in which they arrive changes nothing.
 */
export async function deliberate(plan: DeliberationPlan): Promise<Deliberation> {
  const { raters = null, rubric, signal } = plan;
  const [method, overall] = [ratingMethod(plan.method), overallRubric(rubric)];
  if (method === null) {
    const rounds = await askRounds({ plan, stage: 'panel', ratings: null });
    return { rounds, cancelled: signal.aborted };
  }
  if (raters === null || overall === null)
    throw new JuryError(
      'internal',
      `Method "${method.id}" needs raters and a rubric with an overall question.`,
    );
  const ratings = (
    await askRounds({ plan: { ...plan, panel: raters, method }, stage: 'rating', ratings: null })
  ).flat();
  if (!ratings.some(isRated)) return { rounds: [], ratings, cancelled: signal.aborted };
  const rounds = await askRounds({
    plan: { ...plan, rubric: overall, criteria: overall.criteria },
    stage: 'panel',
    ratings: { rubric, judgements: ratings },
  });
  return { rounds, ratings, cancelled: signal.aborted };
}
