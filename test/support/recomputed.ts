/**
 * The papers' formulas, written from the papers and textbooks alone: nothing of src/statistics is imported, so that what reports print can
 * be computed again independently. Undefined is null.
 */

export type Decision = 'pass' | 'fail';
/** A decision with what is right; null is no decision. */
export interface Judged {
  truth: Decision;
  decided: Decision | null;
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** No decision counts as the wrong one. */
const asDecided = ({ truth, decided }: Judged): Decision => decided ?? (truth === 'pass' ? 'fail' : 'pass');

const countIf = (all: readonly Judged[], truth: Decision, decided: Decision): number =>
  all.filter((one) => one.truth === truth && asDecided(one) === decided).length;

/** Habicht et al., 6.4; Giebisch et al., equation 1. */
export function effectiveness(all: readonly Judged[]) {
  const [tp, fp, fn, tn] = [
    countIf(all, 'pass', 'pass'),
    countIf(all, 'fail', 'pass'),
    countIf(all, 'pass', 'fail'),
    countIf(all, 'fail', 'fail'),
  ];
  return {
    precision: share(tp, tp + fp),
    recall: share(tp, tp + fn),
    f1: share(2 * tp, 2 * tp + fp + fn),
    accuracy: share(tp + tn, all.length),
  };
}

/** Cohen's kappa of decisions and truth; null if chance alone agrees always. */
export function cohenKappa(all: readonly Judged[]): number | null {
  const n = all.length;
  const [tp, tn] = [countIf(all, 'pass', 'pass'), countIf(all, 'fail', 'fail')];
  const passes = all.filter((one) => asDecided(one) === 'pass').length / n;
  const rights = all.filter(({ truth }) => truth === 'pass').length / n;
  const byChance = passes * rights + (1 - passes) * (1 - rights);
  return byChance === 1 ? null : ((tp + tn) / n - byChance) / (1 - byChance);
}

/** The most frequent decision (Habicht et al., 4.3; Friedl et al., equation 1); null for a tie. */
export function mode(decisions: readonly Decision[]): Decision | null {
  const passes = decisions.filter((one) => one === 'pass').length;
  if (2 * passes === decisions.length) return null;
  return 2 * passes > decisions.length ? 'pass' : 'fail';
}

/** f(p) of Habicht et al., 4.4.3, in tenths, so that sums are exact. */
function calibrated(confidence: number): number {
  if (confidence === 1) return 10;
  if (confidence >= 0.9) return 8;
  if (confidence >= 0.8) return 5;
  return confidence >= 0.6 ? 3 : 1;
}

export function weighted(answers: readonly { decision: Decision; confidence: number }[]): Decision | null {
  const weightOf = (wanted: Decision) =>
    answers
      .filter(({ decision }) => decision === wanted)
      .reduce((sum, { confidence }) => sum + calibrated(confidence), 0);
  const [pass, fail] = [weightOf('pass'), weightOf('fail')];
  if (pass === fail) return null;
  return pass > fail ? 'pass' : 'fail';
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** With n − 1. */
export function deviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
};

/** Ranks from 1; equal values share the mean of their ranks. */
const ranks = (values: readonly number[]): number[] =>
  values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });

function pearsonOf(x: readonly number[], y: readonly number[]): number | null {
  const [mx, my] = [mean(x), mean(y)];
  let [xy, xx, yy] = [0, 0, 0];
  x.forEach((value, at) => {
    const [dx, dy] = [value - mx, (y[at] ?? 0) - my];
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  });
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy);
}

export const spearmanOf = (x: readonly number[], y: readonly number[]): number | null =>
  pearsonOf(ranks(x), ranks(y));

/** Kendall's tau-b: concordant less discordant pairs, over the root of the pairs untied in each. */
export function kendallOf(x: readonly number[], y: readonly number[]): number | null {
  let [lead, untiedX, untiedY] = [0, 0, 0];
  for (let a = 0; a < x.length; a += 1)
    for (let b = a + 1; b < x.length; b += 1) {
      const [dx, dy] = [Math.sign((x[a] ?? 0) - (x[b] ?? 0)), Math.sign((y[a] ?? 0) - (y[b] ?? 0))];
      lead += dx * dy;
      untiedX += dx * dx;
      untiedY += dy * dy;
    }
  return untiedX === 0 || untiedY === 0 ? null : lead / Math.sqrt(untiedX * untiedY);
}
