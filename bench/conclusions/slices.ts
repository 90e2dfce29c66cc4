import { rateOf, slicesReport } from '../../src/reports/assistant/make-assistant-report.ts';
import { slicesText } from '../../src/reports/assistant/slice-words.ts';
import { createRandom, type Random } from '../../src/statistics/random.ts';
import { type Asked, answersOf, aStudy, requestsOf, type Study } from './changes.ts';
import type { ConclusionRow } from './row.ts';

/** Two runs whose requests have one of several values of a tag. */
interface SliceStudy extends Pick<Study, 'share' | 'cluster' | 'same'> {
  values: number;
  /** Answers of each value. */
  each: number;
  /** By how much the share of the first value changes. */
  change: number;
}

/** How often a digest says that the first value got worse, and how often it says so of any. */
function said(study: SliceStudy, repetitions: number) {
  const { values, each, share, change, same } = study;
  const random = createRandom('slices', ...Object.values(study));
  const own = { ...aStudy, ...study, n: each };
  // A sentence names a language by its English name: these have none.
  const nameOf = (at: number): string => `value ${at}`;
  const asked = (from: string, n: number): Asked[] =>
    Array.from({ length: values }, (_, at) =>
      requestsOf(own, n, `${from} ${at}`, random).map((one) => ({ ...one, language: nameOf(at) })),
    ).flat();
  const changed = (all: readonly Asked[]) =>
    all.map((one) =>
      one.language === nameOf(0) ? { ...one, passes: one.passes * (1 + change / share) } : one,
    );
  const runOf = (all: readonly Asked[], name: string, from: Random) =>
    answersOf(all, name, (passes) => passes, from);
  let [first, any] = [0, 0];
  for (let at = 0; at < repetitions; at += 1) {
    const both = asked('both', Math.round(each * same));
    const alone = each - Math.round(each * same);
    const before = runOf([...both, ...asked('before', alone)], 'before', random);
    const after = runOf(changed([...both, ...asked('after', alone)]), 'after', random);
    const report = { slices: slicesReport('pass', after, before, 'language'), rate: rateOf('pass', after) };
    const text = slicesText(report, null);
    if (text !== null) any += 1;
    if (text?.includes(nameOf(0)) === true) first += 1;
  }
  return { first: first / repetitions, any: any / repetitions };
}

const nameOf = ({ values, each, share, cluster, same }: SliceStudy): string =>
  [
    `${values} values of ${each} answers`,
    `${100 * share} % pass`,
    same === 1 ? 'the same requests' : 'other requests',
    cluster === 1 ? 'one a user' : `${cluster} a user`,
  ].join(', ');

const unchanged: readonly SliceStudy[] = [
  ...[0, 1].flatMap((same) =>
    [1, 4].flatMap((cluster) =>
      [0.5, 0.8, 0.95].map((share) => ({ values: 6, each: 40, share, cluster, same, change: 0 })),
    ),
  ),
  { values: 12, each: 20, share: 0.8, cluster: 1, same: 0, change: 0 },
  { values: 2, each: 120, share: 0.8, cluster: 1, same: 0, change: 0 },
];

const fallen: readonly SliceStudy[] = [0, 1].flatMap((same) =>
  [3, 6].map((values) => ({ values, each: 80, share: 0.9, cluster: 1, same, change: -0.2 })),
);

/** No value of a tag is said to be worse without a reason, and one that fell clearly is found. */
export function slices(repetitions: number): ConclusionRow[] {
  return [
    ...unchanged.map(
      (study): ConclusionRow => ({
        what: `a value called worse: ${nameOf(study)}, none changed`,
        value: said(study, repetitions).any,
        from: 0,
        to: 0.05,
      }),
    ),
    ...fallen.map(
      (study): ConclusionRow => ({
        what: `found: ${nameOf(study)}, one fell to 70 %`,
        value: said(study, repetitions).first,
        from: 0.7,
        to: 1,
      }),
    ),
  ];
}
