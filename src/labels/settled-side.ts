import type { VoteTally } from './vote.ts';

/**
 * What most of those say who agree or disagree. `tied`: as many say the one as the other; `open`: nobody says either.
 * "Unsure" takes no side.
 */
export type SettledSide = 'agree' | 'disagree' | 'tied' | 'open';

export function settledSide({ agree, disagree }: VoteTally): SettledSide {
  if (agree > disagree) return 'agree';
  if (disagree > agree) return 'disagree';
  return agree > 0 ? 'tied' : 'open';
}
