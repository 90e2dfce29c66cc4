import type { EvalCase } from '../case/index.ts';
import { JuryError } from '../common/index.ts';
import { type Ask, type Question, type Ratings, withoutFailures } from './ask.ts';
import { callsToDecide } from './early-stop.ts';
import {
  type Criterion,
  type Method,
  overallRubric,
  type Panel,
  type Rubric,
  ratingMethod,
  type Seat,
} from './standards/index.ts';
import { answerOf, freeUsage, type Judge, type Judgement, scoredOf, withoutAnswer } from './verdict/index.ts';

/** `rating`: criteria are rated before the panel answers, if the method asks for that. */
export type Stage = 'rating' | 'panel';

/** A question to a judge, or its answer. Rounds count from 0. */
export type DeliberationEvent =
  | { kind: 'asked'; stage: Stage; round: number; judge: Judge }
  | { kind: 'answered'; stage: Stage; judgement: Judgement };

export interface DeliberationPlan {
  panel: Panel;
  /** Judges that rate the criteria first, if the method has them. */
  raters?: Panel | null;
  method: Method;
  rubric: Rubric;
  criteria: readonly Criterion[];
  evalCase: EvalCase;
  seed: number | null;
  /** Deadline of all answers, on the clock of `performance.now()` (ms). */
  deadlineAt: number;
  ask: Ask;
  /** An answer that exists already, so that the judge is not asked; null if there is none. */
  known?: (question: Question) => Judgement | null;
  /** After it aborts, no further judge is asked; earlier answers are kept. */
  signal: AbortSignal;
  /** Called in order of arrival. */
  onEvent?: (event: DeliberationEvent) => void;
}

/** Rounds are oldest first, each in seat order whatever the order of arrival. */
export interface Deliberation {
  rounds: Judgement[][];
  /** The raters' judgements, if the method has raters. */
  ratings?: Judgement[];
  cancelled: boolean;
}

/**
 * The loop behind every method: the panel answers, perhaps sees the answers and answers again, until the method's stop condition
 * holds. `ask` resolves soon after the signal aborts.
 */
async function askRounds(plan: DeliberationPlan, stage: Stage, ratings?: Ratings): Promise<Judgement[][]> {
  const { panel, method, rubric, criteria, evalCase, seed, deadlineAt, signal, onEvent } = plan;
  const { seats, cast } = panel;
  const { temperature, sees, stop } = method;
  const about = { cast, rubric, criteria, method, evalCase, temperature, seed, deadlineAt, signal };
  const ask = withoutFailures(plan.ask);
  const rounds: Judgement[][] = [];

  async function askJudge(seat: Seat): Promise<Judgement> {
    const round = rounds.length;
    const seen = sees === 'nothing' ? [] : rounds.slice(sees === 'last-round' ? -1 : 0);
    const question = { ...seat, ...about, round, seen, ...(ratings === undefined ? {} : { ratings }) };
    onEvent?.({ kind: 'asked', stage, round, judge: seat.judge });
    const judgement = signal.aborted
      ? withoutAnswer(question, 'cancelled', 'stopped before this judge was asked', freeUsage)
      : (plan.known?.(question) ?? (await ask(question)));
    onEvent?.({ kind: 'answered', stage, judgement });
    return judgement;
  }

  /** Asks all judges at once, or in waves if the method stops when the majority is decided. */
  async function askRound(): Promise<Judgement[]> {
    const answered: Judgement[] = [];
    while (answered.length < seats.length && !signal.aborted) {
      const size = stop === 'decided' ? callsToDecide(answered, seats.length) : seats.length;
      if (size === 0) break;
      const wave = seats.slice(answered.length, answered.length + size);
      answered.push(...(await Promise.all(wave.map(askJudge))));
    }
    return answered;
  }

  while (rounds.length < method.rounds && !signal.aborted) {
    const round = await askRound();
    if (round.length > 0) rounds.push(round);
    const answers = scoredOf(round).map(answerOf);
    const isUnanimous = answers.length === seats.length && new Set(answers).size === 1;
    if (stop === 'unanimous' && isUnanimous) break;
    // Without any arguments, another round would ask the same question again.
    if (answers.length === 0) break;
  }
  return rounds;
}

const isRated = ({ criteria }: Judgement): boolean =>
  criteria.some(({ decision }) => decision !== 'unscored' && decision !== 'not-relevant');

/**
 * Runs a method: its panel over its rounds. If the method rates criteria first, the raters answer once, and the panel then answers
 * the rubric's overall question with the ratings in view; if nothing could be rated, the panel is not asked. The order in which
 * answers arrive changes nothing.
 *
 * @throws JuryError `endpoint-refused`, with other questions still open: abort the signal
 */
export async function deliberate(plan: DeliberationPlan): Promise<Deliberation> {
  const { raters = null, rubric, signal } = plan;
  const [method, overall] = [ratingMethod(plan.method), overallRubric(rubric)];
  if (method === null) return { rounds: await askRounds(plan, 'panel'), cancelled: signal.aborted };
  if (raters === null || overall === null)
    throw new JuryError(
      'internal',
      `Method "${method.id}" needs raters and a rubric with an overall question.`,
    );
  const ratings = (await askRounds({ ...plan, panel: raters, method }, 'rating')).flat();
  if (!ratings.some(isRated)) return { rounds: [], ratings, cancelled: signal.aborted };
  const rated = { rubric, judgements: ratings };
  const rounds = await askRounds({ ...plan, rubric: overall, criteria: overall.criteria }, 'panel', rated);
  return { rounds, ratings, cancelled: signal.aborted };
}
