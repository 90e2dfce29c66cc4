import { scoredOf } from './answer.ts';
import type { EvalCase } from './case.ts';
import { messageOf } from './errors.ts';
import { freeUsage, type Judgement, type UnscoredReason } from './judgement.ts';
import type { Method } from './method.ts';
import type { Panel, Seat } from './panel.ts';
import type { Ask, Question } from './ports.ts';
import type { Criterion, Rubric } from './rubric.ts';
import { callsToSettle, isUnanimous } from './stopping.ts';

export interface DeliberationPlan {
  panel: Panel;
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
  /** Told of each judgement as it comes in, in order of arrival. */
  onJudgement?: (judgement: Judgement) => void;
}

/** What was said: rounds oldest first, each in seat order whatever the order of arrival. */
export interface Deliberation {
  rounds: Judgement[][];
  cancelled: boolean;
}

/** A judgement that the engine makes itself, for a judge that was cut off or whose asking failed. */
function unanswered(question: Question, reason: UnscoredReason, message: string): Judgement {
  const { round, judge } = question;
  return {
    round,
    judge,
    status: 'unscored',
    reason,
    message,
    criteria: [],
    usage: freeUsage,
    promptHash: null,
  };
}

/** Asks one judge. Always resolves: at once when the signal aborts, whatever the judge does. */
function askOne(plan: DeliberationPlan, question: Question): Promise<Judgement> {
  return new Promise((resolve) => {
    const cutOff = () => resolve(unanswered(question, 'cancelled', 'stopped before this judge had answered'));
    if (plan.signal.aborted) return cutOff();
    plan.signal.addEventListener('abort', cutOff, { once: true });
    Promise.resolve()
      .then(() => plan.ask(question))
      .catch((thrown: unknown) => unanswered(question, 'error', messageOf(thrown)))
      .then((judgement) => {
        plan.signal.removeEventListener('abort', cutOff);
        resolve(judgement);
      });
  });
}

function questionFor(
  plan: DeliberationPlan,
  seat: Seat,
  round: number,
  said: readonly Judgement[][],
): Question {
  const { method, rubric, criteria, evalCase, panel, seed, deadlineAt, signal } = plan;
  const seen = method.sees === 'nothing' ? [] : said.slice(method.sees === 'last-round' ? -1 : 0);
  const { judge, persona } = seat;
  const { cast } = panel;
  const { temperature } = method;
  return {
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
}

/** One round: everybody at the same time, or in waves where the method stops once the majority is settled. */
async function askRound(
  plan: DeliberationPlan,
  round: number,
  said: readonly Judgement[][],
): Promise<Judgement[]> {
  const { seats } = plan.panel;
  const answered: Judgement[] = [];
  while (answered.length < seats.length && !plan.signal.aborted) {
    const size = plan.method.stop === 'decided' ? callsToSettle(answered, seats.length) : seats.length;
    if (size === 0) break;
    const wave = seats.slice(answered.length, answered.length + size).map(async (seat) => {
      const judgement = await askOne(plan, questionFor(plan, seat, round, said));
      plan.onJudgement?.(judgement);
      return judgement;
    });
    answered.push(...(await Promise.all(wave)));
  }
  return answered;
}

/**
 * The one loop that every method is a setting of: the panel answers, perhaps sees what was said and answers again,
 * until the method's condition holds. Deterministic in the answers: the order in which they arrive changes nothing.
 */
export async function deliberate(plan: DeliberationPlan): Promise<Deliberation> {
  const rounds: Judgement[][] = [];
  while (rounds.length < plan.method.rounds && !plan.signal.aborted) {
    const round = await askRound(plan, rounds.length, rounds);
    if (round.length > 0) rounds.push(round);
    if (plan.method.stop === 'unanimous' && isUnanimous(round, plan.panel.seats.length)) break;
    // Nobody has an argument that the others could answer: another round would only ask the same again.
    if (scoredOf(round).length === 0) break;
  }
  return { rounds, cancelled: plan.signal.aborted };
}
