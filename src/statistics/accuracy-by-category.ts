import { accuracy } from './accuracy.ts';
import { binaryCounts, confusionOf, type Judged, type Unanswered } from './confusion.ts';
import type { Interval, Measure } from './measure.ts';
import { wilsonInterval } from './wilson.ts';

export interface CategoryAccuracy {
  category: string;
  accuracy: Measure;
  /** Wilson, 95 %. */
  interval: Interval;
  undecided: number;
  unscored: number;
}

/**
 * Accuracy on the cases of each category, such as the kind of error put into them; sorted by category. Habicht et al.,
 * Benchmarking Contextual Understanding, 6.4 (RQ3) and 7.4.
 *
 * @param unanswered as for `classify`
 */
export function accuracyByCategory(
  items: readonly (Judged & { category: string })[],
  unanswered: Unanswered = 'exclude',
): CategoryAccuracy[] {
  const groups = new Map<string, Judged[]>();
  for (const item of items) {
    const group = groups.get(item.category);
    if (group === undefined) groups.set(item.category, [item]);
    else group.push(item);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, group]) => {
      const confusion = confusionOf(group);
      const counts = binaryCounts(confusion, unanswered);
      const measure = accuracy(counts);
      return {
        category,
        accuracy: measure,
        interval: wilsonInterval(counts.tp + counts.tn, measure.n),
        undecided: confusion.pass.undecided + confusion.fail.undecided,
        unscored: confusion.pass.unscored + confusion.fail.unscored,
      };
    });
}
