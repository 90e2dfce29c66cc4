import { type Measure, measured } from './measure.ts';
import { indexOfCategories } from './tallies.ts';

/** Votes with numbers in place of names; each array has one entry per vote. */
interface IndexedVotes {
  item: Int32Array;
  voter: Int32Array;
  label: Int32Array;
  items: number;
  voters: number;
  classes: number;
}

/** The prevalence of each class, and each voter's confusion matrix. */
interface Model {
  prevalence: Float64Array;
  /** Voter by truth by label. */
  confusion: Float64Array;
}

/** Normalizes each run of `size` numbers to sum 1; runs of zeros become uniform. */
function normalizeRuns(values: Float64Array, size: number): Float64Array {
  for (let start = 0; start < values.length; start += size) {
    const run = values.subarray(start, start + size);
    const total = run.reduce((sum, value) => sum + value, 0);
    for (let k = 0; k < size; k += 1) run[k] = total === 0 ? 1 / size : (run[k] ?? 0) / total;
  }
  return values;
}

/** Initial posteriors: each item's shares of votes. */
function voteShares({ item, label, items, classes }: IndexedVotes): Float64Array {
  const shares = new Float64Array(items * classes);
  for (const [vote, of] of item.entries()) {
    const cell = of * classes + (label[vote] ?? 0);
    shares[cell] = (shares[cell] ?? 0) + 1;
  }
  return normalizeRuns(shares, classes);
}

/** Sets the posteriors of known items to certainty. @param truths the class of each item, null if unknown */
function anchored(
  posteriors: Float64Array,
  truths: readonly (number | null)[],
  classes: number,
): Float64Array {
  for (const [item, truth] of truths.entries()) {
    if (truth === null) continue;
    posteriors.fill(0, item * classes, (item + 1) * classes);
    posteriors[item * classes + truth] = 1;
  }
  return posteriors;
}

/** The model that fits posteriors best. Dawid and Skene, eq. 2.3 and 2.4, with `smoothing` votes added to every cell. */
function mStep(votes: IndexedVotes, posteriors: Float64Array, smoothing: number): Model {
  const { item, voter, label, classes } = votes;
  const prevalence = new Float64Array(classes).fill(smoothing);
  for (const [cell, probability] of posteriors.entries())
    prevalence[cell % classes] = (prevalence[cell % classes] ?? 0) + probability;
  const confusion = new Float64Array(votes.voters * classes * classes).fill(smoothing);
  for (let vote = 0; vote < item.length; vote += 1) {
    const from = (item[vote] ?? 0) * classes;
    const into = (voter[vote] ?? 0) * classes * classes + (label[vote] ?? 0);
    for (let truth = 0; truth < classes; truth += 1) {
      const cell = into + truth * classes;
      confusion[cell] = (confusion[cell] ?? 0) + (posteriors[from + truth] ?? 0);
    }
  }
  return { prevalence: normalizeRuns(prevalence, classes), confusion: normalizeRuns(confusion, classes) };
}

/** Log joint probability of each item's class and votes, item by class. */
function logJoint(votes: IndexedVotes, model: Model): Float64Array {
  const { item, voter, label, classes } = votes;
  const logConfusion = model.confusion.map(Math.log);
  const logs = new Float64Array(votes.items * classes);
  for (let cell = 0; cell < logs.length; cell += 1)
    logs[cell] = Math.log(model.prevalence[cell % classes] ?? 0);
  for (let vote = 0; vote < item.length; vote += 1) {
    const into = (item[vote] ?? 0) * classes;
    const from = (voter[vote] ?? 0) * classes * classes + (label[vote] ?? 0);
    for (let truth = 0; truth < classes; truth += 1)
      logs[into + truth] = (logs[into + truth] ?? 0) + (logConfusion[from + truth * classes] ?? 0);
  }
  return logs;
}

const highestOf = (run: Float64Array): number =>
  run.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);

/** The posteriors under a model. Dawid and Skene, eq. 2.5, in logarithms, because many small factors would underflow. */
function eStep(votes: IndexedVotes, model: Model): Float64Array {
  const { classes } = votes;
  const logs = logJoint(votes, model);
  for (let start = 0; start < logs.length; start += classes) {
    const run = logs.subarray(start, start + classes);
    const highest = highestOf(run);
    for (let k = 0; k < classes; k += 1) run[k] = Math.exp((run[k] ?? 0) - highest);
  }
  return normalizeRuns(logs, classes);
}

/**
 * Natural logarithm of the probability of all votes under a model, summed over possible truths (Dawid and Skene, section 2).
 *
 * @param truths the class of each item, null if unknown
 */
function logLikelihood(votes: IndexedVotes, model: Model, truths: readonly (number | null)[]): number {
  const { classes } = votes;
  const logs = logJoint(votes, model);
  let total = 0;
  for (const [item, truth] of truths.entries()) {
    const run = logs.subarray(item * classes, (item + 1) * classes);
    const highest = highestOf(run);
    total +=
      truth === null
        ? highest + Math.log(run.reduce((sum, value) => sum + Math.exp(value - highest), 0))
        : (run[truth] ?? 0);
  }
  return total;
}

export interface ItemVote<C> {
  item: string;
  voter: string;
  label: C;
}

export interface DawidSkeneOptions<C = string> {
  /**
   * The class of items that are known for certain. It anchors the model, so that classes cannot come out swapped if voters are wrong
   * more often than right. Items without votes are ignored.
   */
  known?: ReadonlyMap<string, C>;
  /** Default 1000. */
  iterations?: number;
  /** Converged when no posterior changes by more; default 1e-6. */
  tolerance?: number;
  /**
   * Votes added to every estimated cell, default 0.01, so that a voter with one vote does not count as infallible. 0 is the paper's
   * maximum likelihood.
   */
  smoothing?: number;
}

export interface DawidSkene<C> {
  /** Share of each class among the items, in the order of the classes. */
  prevalence: number[];
  items: {
    item: string;
    votes: number;
    /** Probability of each class; sums to 1. */
    posterior: number[];
    /** The likeliest class; `null` if two are equally likely. */
    label: C | null;
  }[];
  voters: {
    voter: string;
    /** Row: truth; column: vote; each row sums to 1. */
    confusion: number[][];
    /** Share of items the voter gets right: the diagonal, weighted by prevalence. `n` is the number of votes. */
    reliability: Measure;
  }[];
  converged: boolean;
  iterations: number;
  /** Log-likelihood of the votes and the known classes under the fitted model; 0 without votes. */
  logLikelihood: number;
}

/** Numbers items and voters in order of appearance. */
function indexed<C extends string>(votes: readonly ItemVote<C>[], classes: readonly C[]) {
  const items = new Map<string, number>();
  const voters = new Map<string, number>();
  const place = (numbers: Map<string, number>, name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  };
  const position = indexOfCategories(classes);
  const data: IndexedVotes = {
    item: Int32Array.from(votes, (vote) => place(items, vote.item)),
    voter: Int32Array.from(votes, (vote) => place(voters, vote.voter)),
    label: Int32Array.from(votes, (vote) => position(vote.label)),
    items: items.size,
    voters: voters.size,
    classes: classes.length,
  };
  return { data, items: [...items.keys()], voters: [...voters.keys()] };
}

const countsOf = (positions: Int32Array, size: number): Int32Array => {
  const counts = new Int32Array(size);
  for (const position of positions) counts[position] = (counts[position] ?? 0) + 1;
  return counts;
};

/** The likeliest class; null if the two likeliest are equal up to floating-point error. */
function likeliest<C>(posterior: readonly number[], classes: readonly C[]): C | null {
  const best = Math.max(...posterior);
  const close = posterior.filter((probability) => best - probability < 1e-9);
  return close.length === 1 ? (classes[posterior.indexOf(best)] ?? null) : null;
}

/**
 * Estimates jointly the class of each item and the reliability of each voter from votes, by expectation maximization. Votes may be
 * missing. Dawid and Skene, Maximum Likelihood Estimation of Observer Error-Rates
 * Using the EM Algorithm, Applied Statistics 28, 1979; started, as there, from each item's shares of votes.
 *
 * The likelihood can have several maxima: if most voters are wrong more often than right, the classes come out swapped, unless enough
 * items are known for certain.
 *
 * @param classes the possible votes; with two classes this is the binary model
 */
export function dawidSkene<C extends string>(
  votes: readonly ItemVote<C>[],
  classes: readonly C[],
  options: DawidSkeneOptions<C> = {},
): DawidSkene<C> {
  const { data, items, voters } = indexed(votes, classes);
  const {
    iterations: most = 1000,
    tolerance = 1e-6,
    smoothing = 0.01,
    known = new Map<string, C>(),
  } = options;
  const position = indexOfCategories(classes);
  const truths = items.map((item) => {
    const truth = known.get(item);
    return truth === undefined ? null : position(truth);
  });
  let posteriors = anchored(voteShares(data), truths, classes.length);
  let model: Model = mStep(data, posteriors, smoothing);
  let iterations = 0;
  let change = items.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  while (change > tolerance && iterations < most) {
    const next = anchored(eStep(data, model), truths, classes.length);
    change = next.reduce(
      (widest, value, index) => Math.max(widest, Math.abs(value - (posteriors[index] ?? 0))),
      0,
    );
    posteriors = next;
    model = mStep(data, posteriors, smoothing);
    iterations += 1;
  }
  const k = classes.length;
  const itemVotes = countsOf(data.item, items.length);
  const voterVotes = countsOf(data.voter, voters.length);
  return {
    prevalence: [...model.prevalence],
    items: items.map((item, index) => {
      const posterior = [...posteriors.subarray(index * k, (index + 1) * k)];
      return { item, votes: itemVotes[index] ?? 0, posterior, label: likeliest(posterior, classes) };
    }),
    voters: voters.map((voter, index) => {
      const confusion = classes.map((_, truth) => {
        const start = (index * k + truth) * k;
        return [...model.confusion.subarray(start, start + k)];
      });
      const right = confusion.reduce(
        (total, row, truth) => total + (row[truth] ?? 0) * (model.prevalence[truth] ?? 0),
        0,
      );
      return { voter, confusion, reliability: measured(right, voterVotes[index] ?? 0) };
    }),
    converged: change <= tolerance,
    iterations,
    logLikelihood: logLikelihood(data, model, truths),
  };
}
