import { isSplitTrial, type Trial } from '../benchmark/index.ts';
import { groupedBy } from '../common/index.ts';
import { createRandom, type Random, sum } from '../statistics/index.ts';

/** An answer that the judges decided. */
export interface DecidedAnswer {
  /** Index of the case in the dataset. */
  place: number;
  caseId: string;
  rubric: string;
  decision: 'pass' | 'fail';
  /** Whether the judges of the deciding round disagreed. */
  split: boolean;
}

/** What a trial decided; null without a decision of pass or fail. */
export function decidedAnswer(
  trial: Pick<Trial, 'caseId' | 'rubric' | 'decision' | 'decidedInRound' | 'judgements'>,
  place: number,
): DecidedAnswer | null {
  const { caseId, rubric, decision } = trial;
  if (decision !== 'pass' && decision !== 'fail') return null;
  return { place, caseId, rubric, decision, split: isSplitTrial(trial) };
}

/** Answers that are drawn with the same probability. */
export interface Stratum {
  /** `pass`, or `pass, split` and `pass, unanimous` where some verdicts are split. */
  name: string;
  decision: 'pass' | 'fail';
  /** Null: no verdict of the run is split, so that answers are divided by decision alone. */
  split: boolean | null;
  /** How many answers it has. */
  size: number;
  /** How many of them were drawn. */
  drawn: number;
}

export interface DrawnAnswer extends DecidedAnswer {
  stratum: string;
  /** The chance that this answer was drawn. */
  probability: number;
}

/** Fewer than two of a stratum say nothing about how much its answers differ. */
const LEAST = 2;

const least = (size: number): number => Math.min(LEAST, size);

/** Hands out `count` in proportion to the sizes: at least two each, at most all. */
export function allocate(sizes: readonly number[], count: number): number[] {
  const given = sizes.map(least);
  let left = Math.min(count, sum(sizes)) - sum(given);
  while (left > 0) {
    // The one that is furthest behind its share gets the next (Webster's method).
    const [next] = sizes
      .flatMap((size, index) => {
        const own = given[index] ?? 0;
        return own < size ? [{ index, share: (own + 0.5) / size }] : [];
      })
      .sort((a, b) => a.share - b.share || a.index - b.index);
    if (next === undefined) break;
    given[next.index] = (given[next.index] ?? 0) + 1;
    left -= 1;
  }
  return given;
}

/** `count` items, every set of them equally likely, in random order. */
function sampleOf<T>(random: Random, items: readonly T[], count: number): T[] {
  const left = [...items];
  return Array.from({ length: count }, () => {
    const at = random.below(left.length);
    const chosen = left[at];
    const last = left.pop();
    if (chosen === undefined || last === undefined) throw new RangeError('more were drawn than there are');
    if (at < left.length) left[at] = last;
    return chosen;
  });
}

/**
 * How many answers of each stratum are drawn: half of all from split verdicts, where the judges err most, and the rest from unanimous
 * ones; within either, in proportion to the decisions. What one half cannot fill goes to the other.
 */
function allocateStrata(strata: readonly { split: boolean | null; size: number }[], size: number): number[] {
  const indexesOf = (isSplit: boolean) =>
    [...strata.keys()].filter((index) => (strata[index]?.split ?? false) === isSplit);
  const sizesOf = (indexes: readonly number[]) => indexes.map((index) => strata[index]?.size ?? 0);
  const [split, unanimous] = [indexesOf(true), indexesOf(false)];
  const [ofSplit = 0, ofUnanimous = 0] = balanced(
    [split, unanimous].map((indexes) => sum(sizesOf(indexes))),
    [split, unanimous].map((indexes) => sum(sizesOf(indexes).map(least))),
    size,
  );
  const drawn = new Map([
    ...allocate(sizesOf(split), ofSplit).map((count, at) => [split[at], count] as const),
    ...allocate(sizesOf(unanimous), ofUnanimous).map((count, at) => [unanimous[at], count] as const),
  ]);
  return [...strata.keys()].map((index) => drawn.get(index) ?? 0);
}

/** Halves of `size`, each at least its minimum and at most what there is. */
function balanced(available: readonly number[], minimum: readonly number[], size: number): number[] {
  const [first = 0, second = 0] = available;
  const [leastFirst = 0, leastSecond = 0] = minimum;
  const all = Math.min(size, first + second);
  const wanted = Math.max(leastFirst, all - second, Math.min(first, all - leastSecond, Math.ceil(all / 2)));
  return [wanted, Math.max(leastSecond, all - wanted)];
}

/**
 * Draws answers of a run for people to check: by decision and by whether the judges disagreed, each answer of a stratum with the same
 * chance. The same run always gives the same sample, in the same random order, so that those who are asked first are a sample of it, too.
 */
export function drawSample(
  run: string,
  answers: readonly DecidedAnswer[],
  size: number,
): { strata: Stratum[]; drawn: DrawnAnswer[] } {
  const hasSplits = answers.some(({ split }) => split);
  const nameOf = ({ decision, split }: DecidedAnswer): string =>
    hasSplits ? `${decision}, ${split ? 'split' : 'unanimous'}` : decision;
  const groups = [...groupedBy(answers, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const whole = groups.flatMap(([name, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const { decision, split } = first;
    // In order of the dataset, not of the trials: those end in any order.
    const sorted = own.toSorted((a, b) => a.place - b.place);
    return [{ name, decision, split: hasSplits ? split : null, size: own.length, answers: sorted }];
  });
  const counts = allocateStrata(whole, size);
  const drawn = whole.flatMap(({ name, answers: own, size: all }, index) => {
    const count = counts[index] ?? 0;
    return sampleOf(createRandom('review', run, name), own, count).map((answer) => ({
      ...answer,
      stratum: name,
      probability: count / all,
    }));
  });
  return {
    strata: whole.map(({ answers: _, ...stratum }, index) => ({ ...stratum, drawn: counts[index] ?? 0 })),
    drawn: sampleOf(createRandom('review', run, 'order'), drawn, drawn.length),
  };
}
