import { frequencies } from '../../common/index.ts';
import { holm, sameDistributionTest } from '../../statistics/index.ts';
import type { Answer } from './answers.ts';
import type { Obstacle } from './assistant-report.ts';

/** Level at which a mix counts as changed, after Holm's adjustment. */
const LEVEL = 0.05;
/** Rarer values, by how many are expected in the smaller run, are counted together. */
const LEAST_EXPECTED = 5;
/** The least share of either run's requests that must have a counterpart of their kind for a tag, and for tags combined. */
const LEAST_COMMON = { one: 0.5, combined: 0.8 };
const LANGUAGE = 'language';

/** How the kinds of requests differ between two runs. */
export interface RequestMix {
  /** Requests are compared with those of the same kind: the same rubric, and the same values of these tags. */
  kindOf: (answer: Answer) => string;
  /** Tags whose mix changed beyond chance and is made the same. */
  adjusted: string[];
  /** Tags whose mix changed, but which have too little in common. */
  unadjusted: string[];
  /** Requests of either run without a counterpart of their kind. */
  leftOut: number;
  /** Why the runs can't be compared. */
  obstacles: Obstacle[];
}

type Side = readonly Answer[];
type KindOf = (answer: Answer) => string;

const tagOf =
  (name: string): KindOf =>
  ({ tags }) =>
    tags[name] ?? '';

/** Requests by value in each run. */
function countsOf(now: Side, then: Side, kindOf: KindOf): Map<string, [number, number]> {
  const [later, earlier] = [now, then].map((side) => frequencies(side.map(kindOf)));
  const values = new Set([...(later?.keys() ?? []), ...(earlier?.keys() ?? [])]);
  return new Map([...values].map((value) => [value, [later?.get(value) ?? 0, earlier?.get(value) ?? 0]]));
}

/** The least share of a run's requests whose value the other run has, too. */
function commonShare(counts: ReadonlyMap<string, readonly [number, number]>, now: Side, then: Side): number {
  const common = [...counts.values()].filter((both) => both.every((count) => count > 0));
  const shareOf = (at: 0 | 1, all: number) => common.reduce((total, both) => total + both[at], 0) / all;
  return Math.min(shareOf(0, now.length), shareOf(1, then.length));
}

/** Whether a tag only names the run, like the version that answered. */
const namesTheRun = (counts: ReadonlyMap<string, readonly [number, number]>): boolean =>
  counts.size === 2 && [...counts.values()].every((both) => both.includes(0));

/** Whether the mix of a tag changed. @param independent requests among all, 0 to 1: those of one user often have the same value */
function mixTest(
  counts: ReadonlyMap<string, readonly [number, number]>,
  now: Side,
  then: Side,
  independent: number,
) {
  const smaller = Math.min(now.length, then.length) / (now.length + then.length);
  const isRare = ([one, other]: readonly [number, number]) =>
    (one + other) * smaller * independent < LEAST_EXPECTED;
  const scaled = (both: readonly [number, number]): [number, number] => [
    both[0] * independent,
    both[1] * independent,
  ];
  const all = [...counts.values()];
  const rest = all
    .filter(isRare)
    .reduce<[number, number]>(([a, b], [one, other]) => [a + one, b + other], [0, 0]);
  const categories = [...all.filter((both) => !isRare(both)), ...(isRare(rest) ? [] : [rest])];
  return sameDistributionTest(categories.map(scaled));
}

/**
 * Compares the kinds of requests that only one of two runs has.
 * @param clusterBy the tag of requests that belong together; it says nothing of their kind
 */
export function requestMix(now: Side, then: Side, clusterBy: string): RequestMix {
  const all = [...now, ...then];
  const independent = new Set(all.map(({ tags }, at) => tags[clusterBy] ?? at)).size / all.length;
  const names = [...new Set(all.flatMap(({ tags }) => Object.keys(tags)))].filter(
    (name) => name !== 'build' && name !== clusterBy,
  );
  const tags = names.map((name) => ({ name, counts: countsOf(now, then, tagOf(name)) }));
  const tests = holm(tags.map(({ counts }) => mixTest(counts, now, then, independent)));
  const changed = tags
    .flatMap((tag, at) => {
      const test = tests[at];
      return test?.defined === true && test.value <= LEVEL ? [{ ...tag, p: test.value }] : [];
    })
    .filter(({ name, counts }) => name === LANGUAGE || !namesTheRun(counts))
    .sort((a, b) => a.p - b.p);
  let kindOf: KindOf = ({ rubric }) => rubric;
  const [adjusted, unadjusted]: [string[], string[]] = [[], []];
  for (const { name, counts } of changed) {
    const before = kindOf;
    const crossed: KindOf = (answer) => JSON.stringify([before(answer), tagOf(name)(answer)]);
    const least = adjusted.length === 0 ? LEAST_COMMON.one : LEAST_COMMON.combined;
    const isCommon = (of: ReturnType<typeof countsOf>) => commonShare(of, now, then) >= least;
    if (isCommon(counts) && isCommon(countsOf(now, then, crossed))) {
      adjusted.push(name);
      kindOf = crossed;
    } else unadjusted.push(name);
  }
  const leftOut = [...countsOf(now, then, kindOf).values()]
    .filter((both) => both.includes(0))
    .reduce((total, [one, other]) => total + one + other, 0);
  const languages = (side: Side) =>
    [...new Set(side.map(tagOf(LANGUAGE)))].filter((one) => one !== '').sort();
  const obstacles: Obstacle[] = unadjusted.includes(LANGUAGE)
    ? [{ kind: 'languages', now: languages(now), was: languages(then) }]
    : [];
  return { kindOf, adjusted, unadjusted, leftOut, obstacles };
}
