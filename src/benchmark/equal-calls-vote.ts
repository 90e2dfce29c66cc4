import type { Method, Panel, Seat } from '../judging/standards/index.ts';

/** For the votes of debates that run at temperature 0, where all samples would be alike: the temperature of the method `sc-3`. */
const SAMPLING_TEMPERATURE = 0.7;

/**
 * A debate's panel as a plain vote: one round with as many independent answers as the debate took. Everything else that the method asks for,
 * such as ratings, is kept, so that the number of calls is equal.
 * Voting explains most of what debates gain (arXiv 2508.17536), so a debate is worth only its gain over this vote.
 * Seats answer in turn; each further turn is another sample of the same judge.
 * @param answers number of answers in all rounds of the debate, at least 1
 * @param temperature the run's; null: the method's own
 */
export function voteOfEqualCalls(
  method: Method,
  panel: Panel,
  answers: number,
  temperature: number | null,
): { method: Method; panel: Panel } {
  const { seats } = panel;
  const dealt = Array.from({ length: answers }, (_, index): Seat[] => {
    const seat = seats[index % seats.length];
    if (seat === undefined) return [];
    const turn = Math.floor(index / seats.length);
    // If a panel seats the same judge several times, sample numbers continue after theirs.
    const alike = seats.filter(({ judge }) => sameVoice(judge, seat.judge)).length;
    return [{ ...seat, judge: { ...seat.judge, sample: seat.judge.sample + turn * alike } }];
  }).flat();
  return {
    method: voteMethod(method, temperature),
    panel: { ...panel, seats: dealt },
  };
}

const sameVoice = (a: Seat['judge'], b: Seat['judge']): boolean =>
  a.persona === b.persona && a.model === b.model;

/**
 * The method of such a vote, with an ID that no file can have.
 * @param temperature the run's; null: the method's own
 */
export const voteMethod = (method: Method, temperature: number | null): Method => ({
  ...method,
  id: `${method.id}/vote`,
  title: `${method.title}, as a vote of equal calls`,
  rounds: 1,
  sees: 'nothing',
  stop: 'never',
  reduce: method.reduce === 'weighted' ? 'majority' : method.reduce,
  confidence: false,
  temperature: temperature ?? (method.temperature > 0 ? method.temperature : SAMPLING_TEMPERATURE),
});
