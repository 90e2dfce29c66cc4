import { type Measure, measured, sum, tCdf, unmeasured } from '../index.ts';

type Answers<T> = ReadonlyMap<number, T>;

interface AltTestSettings {
  /** What a person costs more than the judge: 0.2 for experts, 0.15 for skilled annotators, 0.1 for crowd workers. */
  epsilon: number;
  /** Annotators with fewer items that others annotated too do not count. */
  minItems?: number;
  minPeople?: number;
  /** False discovery rate. */
  q?: number;
}

/** How well an answer fits others, as a number that only compares. */
function closeness<T extends string | number>(said: T, others: readonly T[]): number {
  if (typeof said !== 'number') return others.filter((other) => other === said).length;
  return -sum(others.map((other) => (typeof other === 'number' ? (said - other) ** 2 : 0)));
}

/** One-sided p-value of the t-test that the mean of some differences is below a bound. */
function pBelow(differences: readonly number[], bound: number): number {
  const n = differences.length;
  const mean = sum(differences) / n;
  const variance = sum(differences.map((one) => (one - mean) ** 2)) / (n - 1);
  if (variance === 0) return mean < bound ? 0 : 1;
  return tCdf((mean - bound) / Math.sqrt(variance / n), n - 1);
}

/** How many p-values are rejected at a false discovery rate, whatever they have in common. Benjamini and Yekutieli, Annals of Statistics 29, 2001. */
function rejections(pValues: readonly number[], q: number): number {
  const sorted = [...pValues].sort((a, b) => a - b);
  const m = sorted.length;
  const harmonic = sum(sorted.map((_, index) => 1 / (index + 1)));
  return sorted.findLastIndex((p, index) => p <= ((index + 1) / m) * (q / harmonic)) + 1;
}

/**
 * The alternative annotator test: whether a judge may stand in for people. Each annotator in turn is left out, and the judge is compared
 * with that annotator in how well they fit the others, item by item; the judge wins if it is not worse by `epsilon`. Calderon, Reichart and
 * Dror, arXiv 2501.10970, section 3: equal classes, or the squared distance of scores; t-tests; Benjamini and Yekutieli at 0.05.
 * @param judge answers by item
 * @param people answers by item, of each annotator
 * @returns `winningRate`: ω, the share of annotators that the judge wins against (at least 0.5 passes); `advantage`: ρ, the mean share of
 *   items on which it fits at least as well; `n` counts annotators. Undefined with fewer than three of them
 */
export function altTest<T extends string | number>(
  judge: Answers<T>,
  people: readonly Answers<T>[],
  { epsilon, minItems = 30, minPeople = 3, q = 0.05 }: AltTestSettings,
): { winningRate: Measure; advantage: Measure } {
  const byItem = new Map<number, number>();
  for (const answers of people)
    for (const item of answers.keys()) byItem.set(item, (byItem.get(item) ?? 0) + 1);
  const compared = people.flatMap((own, at) => {
    const items = [...own].flatMap(([item, said]) => {
      const answer = judge.get(item);
      if (answer === undefined || (byItem.get(item) ?? 0) < 2) return [];
      const others = people.flatMap((other, index) => {
        const one = index === at ? undefined : other.get(item);
        return one === undefined ? [] : [one];
      });
      return [closeness(answer, others) - closeness(said, others)];
    });
    return items.length < minItems ? [] : [items];
  });
  const n = compared.length;
  if (n < minPeople) {
    const none = unmeasured(`fewer than ${minPeople} people share ${minItems} cases or more with others`, n);
    return { winningRate: none, advantage: none };
  }
  // The annotator fits better (1), worse (−1), or both fit alike.
  const pValues = compared.map((items) =>
    pBelow(
      items.map((lead) => -Math.sign(lead)),
      epsilon,
    ),
  );
  const shares = compared.map((items) => items.filter((lead) => lead >= 0).length / items.length);
  return {
    winningRate: measured(rejections(pValues, q) / n, n),
    advantage: measured(sum(shares) / n, n),
  };
}
