import { callsToSettle } from '../judging/deliberate.ts';
import type { Method } from '../judging/method.ts';
import type { Panel, Seat } from '../judging/panel.ts';

/** How hot judges are sampled where the debate itself runs at 0: several samples must be able to differ. */
const SAMPLING = 0.7;

/**
 * A debate's own panel as a plain vote: one round, nobody sees anything, as many answers as the debate took. Whatever else
 * the method asks, such as ratings beforehand, is asked all the same, so that the calls are equal too. Voting
 * explains most of what debates gain (arXiv 2508.17536), so that a debate is only worth what it
 * gains over this.
 *
 * Seats are dealt in turn, each further turn another sample of the same judge.
 *
 * @param answers what the debate's panel gave on the case in all its rounds, at least 1
 */
export function voteOfEqualCalls(
  method: Method,
  panel: Panel,
  answers: number,
): { method: Method; panel: Panel } {
  const { seats } = panel;
  const dealt = Array.from({ length: answers }, (_, index): Seat[] => {
    const seat = seats[index % seats.length];
    if (seat === undefined) return [];
    const turn = Math.floor(index / seats.length);
    // A panel may seat the same judge several times; its samples go on counting after those.
    const alike = seats.filter(({ judge }) => sameVoice(judge, seat.judge)).length;
    return [{ ...seat, judge: { ...seat.judge, sample: seat.judge.sample + turn * alike } }];
  }).flat();
  return {
    method: voteMethod(method),
    panel: { ...panel, seats: dealt },
  };
}

const sameVoice = (a: Seat['judge'], b: Seat['judge']): boolean =>
  a.persona === b.persona && a.model === b.model;

/** The method of such a vote. Its id is one that no file can have. */
export const voteMethod = (method: Method): Method => ({
  ...method,
  id: `${method.id}/vote`,
  title: `${method.title}, as a vote of equal calls`,
  rounds: 1,
  sees: 'nothing',
  stop: 'never',
  reduce: method.reduce === 'weighted' ? 'majority' : method.reduce,
  confidence: false,
  temperature: method.temperature > 0 ? method.temperature : SAMPLING,
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
