import {
  accuracy,
  type BinaryCounts,
  balancedAccuracy,
  f1,
  mcc,
  precision,
  recall,
} from '../../statistics/classification.ts';
import type { Range } from '../../statistics/jackknife.ts';
import type { Measure } from '../../statistics/measure.ts';

/** A score of decisions against labels. `pass` is the positive class: the response is right. */
interface Score {
  /** Its title in tables. */
  title: string;
  of: (counts: BinaryCounts) => Measure;
  /** A terminal leaves it out. */
  pageOnly?: boolean;
  /** A share of which the score is a rising function (default: the share itself). It gives the score Wilson's interval. */
  share?: (counts: BinaryCounts) => { hits: number; of: number };
  ofShare?: (share: number) => number;
  /** Its possible values; default 0 to 1. */
  range?: Range;
}

/** Every score, in the order of reports. Tables, CSV files, comparisons and thresholds follow from this list. */
const registry = {
  f1: {
    title: 'F1',
    of: f1,
    // F1 grows with the share of true positives among all but the true negatives (Jaccard's index): F1 = 2J / (1 + J).
    share: ({ tp, fp, fn }) => ({ hits: tp, of: tp + fp + fn }),
    ofShare: (jaccard) => (2 * jaccard) / (1 + jaccard),
  },
  precision: { title: 'Precision', of: precision, share: ({ tp, fp }) => ({ hits: tp, of: tp + fp }) },
  recall: { title: 'Recall', of: recall, share: ({ tp, fn }) => ({ hits: tp, of: tp + fn }) },
  accuracy: {
    title: 'Accuracy',
    of: accuracy,
    share: ({ tp, fp, fn, tn }) => ({ hits: tp + tn, of: tp + fp + fn + tn }),
  },
  balancedAccuracy: { title: 'Balanced accuracy', of: balancedAccuracy, pageOnly: true },
  mcc: { title: 'MCC', of: mcc, range: 'correlation', pageOnly: true },
} satisfies Record<string, Score>;

export type ScoreName = keyof typeof registry;

export const scores: Readonly<Record<ScoreName, Score>> = registry;

const isScoreName = (name: string): name is ScoreName => Object.hasOwn(registry, name);

export const scoreNames: readonly ScoreName[] = Object.keys(registry).filter(isScoreName);

const isWhole = <T>(made: Partial<Record<ScoreName, T>>): made is Record<ScoreName, T> =>
  scoreNames.every((name) => Object.hasOwn(made, name));

/** An object with something for each score. */
export function eachScore<T>(of: (name: ScoreName) => T): Record<ScoreName, T> {
  const made: Partial<Record<ScoreName, T>> = Object.fromEntries(scoreNames.map((name) => [name, of(name)]));
  if (!isWhole(made)) throw new Error('A score is missing.');
  return made;
}
