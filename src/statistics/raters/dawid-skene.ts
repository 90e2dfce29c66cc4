import { indexOfCategories, measured, sum } from '../index.ts';

/** The votes for one item, with voters and labels as numbers. */
type Votes = readonly { voter: number; label: number }[];

/** The prevalence of each class, and each voter's confusion matrix (truth by label). */
interface Model {
  prevalence: number[];
  confusion: number[][][];
}

/** Scaled to sum to 1; all zeros become uniform. */
function normalized(values: readonly number[]): number[] {
  const total = values.reduce((all, value) => all + value, 0);
  return values.map((value) => (total === 0 ? 1 / values.length : value / total));
}

/** The model that best fits the posteriors. Dawid and Skene, eq. 2.3 and 2.4, with `smoothing` votes added to every cell. */
function fitModel(
  items: readonly Votes[],
  posteriors: readonly (readonly number[])[],
  voters: number,
  classes: number,
  smoothing: number,
): Model {
  const prevalence: number[] = new Array(classes).fill(smoothing);
  const confusion = Array.from({ length: voters }, () =>
    Array.from({ length: classes }, (): number[] => new Array(classes).fill(smoothing)),
  );
  for (const [item, votes] of items.entries())
    for (const [truth, probability] of (posteriors[item] ?? []).entries()) {
      prevalence[truth] = (prevalence[truth] ?? 0) + probability;
      for (const { voter, label } of votes) {
        const row = confusion[voter]?.[truth];
        if (row !== undefined) row[label] = (row[label] ?? 0) + probability;
      }
    }
  return { prevalence: normalized(prevalence), confusion: confusion.map((rows) => rows.map(normalized)) };
}

/** The logarithms of a model's probabilities. Products of many small factors would underflow. */
const logarithms = ({ prevalence, confusion }: Model): Model => ({
  prevalence: prevalence.map(Math.log),
  confusion: confusion.map((rows) => rows.map((row) => row.map(Math.log))),
});

/** Log joint probability of each class and an item's votes. Takes a model of logarithms. */
const logJoint = (votes: Votes, { prevalence, confusion }: Model): number[] =>
  prevalence.map((log, truth) => {
    let joint = log;
    for (const { voter, label } of votes) joint += confusion[voter]?.[truth]?.[label] ?? 0;
    return joint;
  });

/** An item's posteriors. Dawid and Skene, eq. 2.5. @param logs log joint probability of each class */
function posteriorOf(logs: readonly number[]): number[] {
  const highest = Math.max(...logs);
  return normalized(logs.map((log) => Math.exp(log - highest)));
}

/** Log probability of an item's votes, jointly with its class if that is known. */
function logLikelihoodOf(logs: readonly number[], truth: number | null): number {
  if (truth !== null) return logs[truth] ?? 0;
  const highest = Math.max(...logs);
  return highest + Math.log(logs.reduce((total, log) => total + Math.exp(log - highest), 0));
}

export interface ItemVote<C> {
  item: string;
  voter: string;
  label: C;
}

interface DawidSkeneOptions<C = string> {
  /**
   * The class of items known for certain. It anchors the model, so that classes cannot come out swapped if voters are wrong more often
   * than right. Items without votes are ignored.
   */
  known?: ReadonlyMap<string, C>;
  /** Default 1000. */
  iterations?: number;
  /** Stops when no posterior changes by more than this; default 1e-6. */
  tolerance?: number;
  /**
   * Votes added to every estimated cell, default 0.01, so that a voter with one vote does not count as infallible. 0 gives the paper's
   * maximum likelihood.
   */
  smoothing?: number;
}

/** Numbers voters in order of appearance, and collects each item's votes. */
function indexed<C extends string>(votes: readonly ItemVote<C>[], classes: readonly C[]) {
  const labelOf = indexOfCategories(classes);
  const items = new Map<string, { voter: number; label: number }[]>();
  const voters = new Map<string, { place: number; votes: number }>();
  for (const { item, voter, label } of votes) {
    const voterEntry = voters.get(voter) ?? { place: voters.size, votes: 0 };
    voterEntry.votes += 1;
    voters.set(voter, voterEntry);
    const vote = { voter: voterEntry.place, label: labelOf(label) };
    const others = items.get(item);
    if (others === undefined) items.set(item, [vote]);
    else others.push(vote);
  }
  return { items, voters };
}

/** The most likely class; null if the top two are equal up to floating-point error. */
function likeliest<C>(posterior: readonly number[], classes: readonly C[]): C | null {
  const best = Math.max(...posterior);
  const close = posterior.filter((probability) => best - probability < 1e-9);
  return close.length === 1 ? (classes[posterior.indexOf(best)] ?? null) : null;
}

const widestChange = (before: readonly number[][], after: readonly number[][]): number => {
  let widest = 0;
  for (const [item, posterior] of after.entries())
    for (const [k, value] of posterior.entries())
      widest = Math.max(widest, Math.abs(value - (before[item]?.[k] ?? 0)));
  return widest;
};

/**
 * Jointly estimates each item's class and each voter's reliability by expectation maximization. Votes may be missing. Dawid and Skene,
 * Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm, Applied Statistics 28, 1979; as in the paper, it starts
 * from each item's vote shares.
 * The likelihood can have several maxima: if most voters are wrong more often than right, the classes come out swapped unless enough
 * items are known for certain.
 * @param classes the possible votes; with two classes this is the binary model
 */
export function dawidSkene<C extends string>(
  votes: readonly ItemVote<C>[],
  classes: readonly C[],
  {
    known = new Map(),
    iterations: most = 1000,
    tolerance = 1e-6,
    smoothing = 0.01,
  }: DawidSkeneOptions<C> = {},
) {
  const { items: byItem, voters } = indexed(votes, classes);
  const [names, items] = [[...byItem.keys()], [...byItem.values()]];
  const classOf = indexOfCategories(classes);
  const truths = names.map((name) => {
    const truth = known.get(name);
    return truth === undefined ? null : classOf(truth);
  });
  /** The posteriors of all items; 1 or 0 for items whose class is known. */
  const anchored = (of: (votes: Votes) => number[]): number[][] =>
    items.map((itemVotes, item) => {
      const truth = truths[item] ?? null;
      return truth === null ? of(itemVotes) : classes.map((_, k) => (k === truth ? 1 : 0));
    });
  const modelOf = (posteriors: readonly number[][]): Model =>
    fitModel(items, posteriors, voters.size, classes.length, smoothing);

  // Start from each item's vote shares.
  let posteriors = anchored((itemVotes) =>
    normalized(classes.map((_, k) => itemVotes.filter(({ label }) => label === k).length)),
  );
  let model = modelOf(posteriors);
  let iterations = 0;
  let change = items.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  while (change > tolerance && iterations < most) {
    const logs = logarithms(model);
    const next = anchored((itemVotes) => posteriorOf(logJoint(itemVotes, logs)));
    change = widestChange(posteriors, next);
    posteriors = next;
    model = modelOf(posteriors);
    iterations += 1;
  }
  const { prevalence, confusion } = model;
  const logs = logarithms(model);
  return {
    /** Share of each class among the items, in the order of the classes. */
    prevalence,
    /** Each item with the probability of each class and the most likely class, `null` if the top two are equally likely. */
    items: names.map((item, index) => {
      const posterior = posteriors[index] ?? [];
      return { item, votes: items[index]?.length ?? 0, posterior, label: likeliest(posterior, classes) };
    }),
    /**
     * Each voter with a confusion matrix (row: truth; column: vote; each row sums to 1) and a reliability, the expected share of items that
     * the voter gets right: the diagonal weighted by prevalence. `n` is the number of votes.
     */
    voters: [...voters].map(([voter, { place, votes: count }]) => {
      const voterConfusion = confusion[place] ?? [];
      const right = sum(voterConfusion.map((row, truth) => (row[truth] ?? 0) * (prevalence[truth] ?? 0)));
      return { voter, confusion: voterConfusion, reliability: measured(right, count) };
    }),
    converged: change <= tolerance,
    iterations,
    /** Log-likelihood of the votes and the known classes under the fitted model; 0 without votes. */
    logLikelihood: sum(
      items.map((itemVotes, item) => logLikelihoodOf(logJoint(itemVotes, logs), truths[item] ?? null)),
    ),
  };
}
