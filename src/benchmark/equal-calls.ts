import { callsToSettle } from '../judging/deliberate.ts';
import type { Method, Panel, Seat } from '../judging/method.ts';

/** Temperature for votes of debates that run at 0: samples must be able to differ. */
const SAMPLING_TEMPERATURE = 0.7;

/**
 * A debate's panel as a plain vote: one round of independent answers, as many as the debate took. Everything else that the method
 * asks, such as ratings, is asked too, so that the number of calls is equal. Voting explains most of what debates gain (arXiv
 * 2508.17536), so a debate is only worth its gain over this.
 *
 * Seats answer in turn; each further turn is another sample of the same judge.
 *
 * @param answers number of answers in all rounds of the debate, at least 1
 * @param temperature that of the run; null: the method's own
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
    // If a panel seats the same judge several times, sample numbers continue after those.
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

/** The method of such a vote, with an id that no file can have. @param temperature as above */
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

/** The fewest and the most calls that a verdict can take. */
export function callsOf({ rounds, stop }: Method, seats: number): { min: number; max: number } {
  const max = rounds * seats;
  switch (stop) {
    case 'never':
      return { min: max, max };
    case 'unanimous':
      return { min: seats, max };
    case 'decided':
      return { min: callsToSettle([], seats), max };
  }
}
