import { completePairs, type Series } from './complete-pairs.ts';
import type { Measure } from './measure.ts';
import { pearson } from './pearson.ts';
import { ranks } from './ranks.ts';

/**
 * Spearman's rank correlation with mid-ranks for ties, of the items that both series know. Spearman, American Journal of
 * Psychology 15, 1904; used by Chen et al., CoRE, 7.1.
 */
export function spearman(first: Series, second: Series): Measure {
  const { xs, ys } = completePairs(first, second);
  return pearson(ranks(xs), ranks(ys));
}
