import { createRandom } from '../statistics/random.ts';
import type { VotedVerdict } from './vote-queue.ts';

interface GoldMix {
  /** Every how many-th case of a channel's queue is one whose answer is known, in expectation; null: none. */
  every: (channel: string) => number | null;
  /** What the choice hangs on: whose queue, and which day. The same key gives the same mix. */
  key: readonly string[];
}

/**
 * A queue with cases among it whose answer is known, beside others of their channel that look alike: each case of the queue brings
 * one along with a chance of 1 in `every` − 1, before or after it, as long as there are any.
 */
export function mixGold<One extends VotedVerdict>(
  queue: readonly One[],
  gold: readonly One[],
  { every, key }: GoldMix,
): One[] {
  const left = [...gold].sort((a, b) => (a.record.id < b.record.id ? -1 : 1));
  return queue.flatMap((one) => {
    const { id, source, blind } = one.record;
    const rate = every(source.channel);
    if (rate === null) return [one];
    const random = createRandom('gold', ...key, id);
    if (random.below(rate - 1) > 0) return [one];
    const alike = left.filter(
      ({ record }) =>
        record.source.channel === source.channel && (record.blind ?? false) === (blind ?? false),
    );
    if (alike.length === 0) return [one];
    // Drawn for each by itself, so that one fewer changes no choice but its own.
    const ranks = new Map(
      alike.map((known) => [known, createRandom('gold', ...key, id, known.record.id).uint32()]),
    );
    const chosen = alike.reduce((best, known) =>
      (ranks.get(known) ?? 0) < (ranks.get(best) ?? 0) ? known : best,
    );
    left.splice(left.indexOf(chosen), 1);
    return random.below(2) === 0 ? [chosen, one] : [one, chosen];
  });
}
