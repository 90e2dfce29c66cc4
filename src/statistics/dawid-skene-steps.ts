/** Votes with numbers in place of names; one entry a vote in each array. */
export interface IndexedVotes {
  item: Int32Array;
  voter: Int32Array;
  label: Int32Array;
  items: number;
  voters: number;
  classes: number;
}

/** What the data look like if the model is right: how common each class is, and what each voter says of each. */
export interface Model {
  prevalence: Float64Array;
  /** Voter by truth by label. */
  confusion: Float64Array;
}

/** Makes each run of `size` numbers sum to 1; a run of nothing becomes even. */
function normalizeRuns(values: Float64Array, size: number): Float64Array {
  for (let start = 0; start < values.length; start += size) {
    const run = values.subarray(start, start + size);
    const total = run.reduce((sum, value) => sum + value, 0);
    for (let k = 0; k < size; k += 1) run[k] = total === 0 ? 1 / size : (run[k] ?? 0) / total;
  }
  return values;
}

/** Posteriors to start from: each item's shares of votes. */
export function voteShares({ item, label, items, classes }: IndexedVotes): Float64Array {
  const shares = new Float64Array(items * classes);
  for (const [vote, of] of item.entries()) {
    const cell = of * classes + (label[vote] ?? 0);
    shares[cell] = (shares[cell] ?? 0) + 1;
  }
  return normalizeRuns(shares, classes);
}

/** Posteriors in which what is known for certain is certain. @param truths the class of each item, null where it is not known */
export function anchored(
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
export function mStep(votes: IndexedVotes, posteriors: Float64Array, smoothing: number): Model {
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

/** Logarithms of the probability that an item is of a class and its votes are what they are, item by class. */
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

/** The posteriors that a model gives. Dawid and Skene, eq. 2.5, in logarithms: many small factors would come to 0. */
export function eStep(votes: IndexedVotes, model: Model): Float64Array {
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
 * Natural logarithm of the probability of all votes under a model, summed over what may be true (Dawid and Skene, section 2).
 *
 * @param truths the class of each item, null where it is not known
 */
export function logLikelihood(votes: IndexedVotes, model: Model, truths: readonly (number | null)[]): number {
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
