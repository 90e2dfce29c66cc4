import { groupedBy } from '../../common/index.ts';
import {
  comparable,
  differenceOf,
  isOddlyDecided,
  type Matched,
  type RateKind,
  type RunChange,
  rateKindOf,
  resultOf,
} from './answer-changes.ts';
import type { Answer, Answers } from './answers.ts';

/** Values with fewer decided answers than this are counted together, and changes of fewer are not looked at. */
export const LEAST = 20;

/**
 * How likely it may be, if no value changed, that any of them is said to be worse. Below 5 %, as intervals of so few answers, at such high
 * levels, miss the truth a bit more often than they say.
 */
const LEVEL = 0.035;

/** The answers of a run that have one value of a tag. */
export interface RawSlice {
  /** Null: those without the tag (`values` is 0), or all rare values together. */
  value: string | null;
  /** How many values these are. */
  values: number;
  answers: readonly Answer[];
  /** Null if there is nothing to compare with, or too little. */
  difference: RunChange | null;
  isWorse: boolean;
}

type Sliced = Omit<RawSlice, 'isWorse'>;

/**
 * Which of these are worse beyond chance, by the intervals of the differences. Their levels allow for the number of values: Holm,
 * Scandinavian Journal of Statistics 6, 1979. Only worse is said of a value, so only that side counts; but none is worse whose own 95 %
 * interval holds 0.
 */
function worseAmong(slices: readonly Sliced[]): Set<Sliced> {
  const worse = new Set<Sliced>();
  const tested = slices.filter(({ difference }) => difference?.intervalAt !== undefined);
  for (;;) {
    const left = tested.filter((slice) => !worse.has(slice));
    const level = Math.max(0.95, 1 - (2 * LEVEL) / left.length);
    const found = left.filter(({ difference }) => {
      const interval = difference?.intervalAt?.(level);
      return interval?.defined === true && interval.high < 0;
    });
    if (found.length === 0) return worse;
    for (const slice of found) worse.add(slice);
  }
}

/** The difference of the answers that fit; null if there are too few, or judges decide another share of them. */
function changeAmong(
  { pairs, later, earlier, ...rest }: Matched,
  kind: RateKind,
  fits: (answer: Answer) => boolean,
): RunChange | null {
  const value = resultOf(kind);
  const isCounted = (answer: Answer) => fits(answer) && value(answer) !== null;
  const own = {
    ...rest,
    pairs: pairs.filter(({ now }) => fits(now)),
    later: later.filter(fits),
    earlier: earlier.filter(fits),
  };
  const both = own.pairs.filter(({ then, now }) => value(then) !== null && value(now) !== null).length;
  const [now, then] = [own.later, own.earlier].map((answers) => both + answers.filter(isCounted).length);
  if (Math.min(now ?? 0, then ?? 0) < LEAST || isOddlyDecided(own, value)) return null;
  return differenceOf(own, kind);
}

/**
 * The answers of a run by value of a tag, the largest first, and which of the values got worse.
 * @param then the earlier run; null: there is none
 */
export function slicesOf(now: Answers, then: Answers | null, tag: string): RawSlice[] {
  const kind = rateKindOf(now);
  const value = resultOf(kind);
  const taggedAs = ({ tags }: Answer): string | null => tags[tag] ?? null;
  const all = [...groupedBy(now.answers, taggedAs)].sort(([, a], [, b]) => b.length - a.length);
  const isRare = ([name, answers]: (typeof all)[number]) =>
    name !== null && answers.filter((answer) => value(answer) !== null).length < LEAST;
  const rare = all.filter(isRare);
  // A single rare value has nothing to be counted with.
  const own = rare.length > 1 ? all.filter((one) => !isRare(one)) : all;
  const names = new Set(own.map(([name]) => name));
  const isRest = (answer: Answer): boolean => {
    const name = taggedAs(answer);
    return name !== null && !names.has(name);
  };
  const groups = [
    ...own.map(([name, answers]) => ({
      value: name,
      values: name === null ? 0 : 1,
      answers,
      fits: (answer: Answer) => taggedAs(answer) === name,
    })),
    ...(rare.length > 1
      ? [
          {
            value: null,
            values: rare.length,
            answers: rare.flatMap(([, answers]) => answers),
            fits: isRest,
          },
        ]
      : []),
  ];
  const matched = then === null ? null : comparable(then, now);
  const slices = groups.map(
    ({ fits, ...one }): Sliced => ({
      ...one,
      difference: matched === null || matched.obstacles.length > 0 ? null : changeAmong(matched, kind, fits),
    }),
  );
  const worse = worseAmong(slices);
  return slices.map((slice) => ({ ...slice, isWorse: worse.has(slice) }));
}
