import * as z from 'zod';
import { JuryError } from '../../common/index.ts';
import { counted, grouped } from '../../common/text/index.ts';
import { gapsIn } from '../../statistics/raters/index.ts';
import { AssistantReport } from '../assistant/index.ts';
import {
  byCase,
  commonest,
  countOutcomes,
  type Difference,
  fixed,
  type Gaps,
  signed,
  signedRange,
} from '../estimates/index.ts';
import {
  type CaseMark,
  outcome,
  type Setup,
  type TrialFacts,
  type TrialTable,
  truth,
} from '../facts/index.ts';
import { caseMeans, gapsText, scores as scoreList, scoreNames } from '../metrics/index.ts';
import { PairReport, pairReport, pTexts, withHolm } from './pair-report.ts';

/** A case with a different outcome. `fixed`: only the second is right; `broken`: only the first; `other`: neither; `unlabeled`: unknown. */
export const Flip = z.strictObject({
  caseId: z.string(),
  truth: truth.nullable(),
  category: z.string().nullable(),
  first: outcome,
  second: outcome,
  kind: z.enum(['fixed', 'broken', 'other', 'unlabeled']),
});
export type Flip = z.infer<typeof Flip>;

/** A case with a different score; means over its repeats. */
export const Move = z.strictObject({
  caseId: z.string(),
  first: z.number(),
  second: z.number(),
  labelScore: z.number().nullable(),
});
export type Move = z.infer<typeof Move>;

/** Two runs, or two setups, compared on the cases that are the same in both. */
export const Comparison = z.strictObject({
  first: z.string(),
  second: z.string(),
  /** The result in a sentence: about judges `comparisonLead`, about an assistant its headline; null if nothing was compared. */
  lead: z.string().nullable(),
  /** How the runs differ, in words. */
  changes: z.array(z.string()),
  /** Caveats for readers, in sentences. */
  notes: z.array(z.string()),
  cases: z.strictObject({
    shared: z.int(),
    /** Ids of cases with different content or labels, which are left out. */
    changed: z.array(z.string()),
    onlyFirst: z.int(),
    onlySecond: z.int(),
  }),
  /** The second run's assistant, with its change since the first; null if the second is about judges, or single setups are compared. */
  assistant: AssistantReport.nullable(),
  pairs: z.array(
    z.strictObject({
      pair: PairReport,
      flips: z.array(Flip),
      /** Largest change first. */
      moves: z.array(Move),
    }),
  ),
  /** Setups without a counterpart. */
  unmatched: z.strictObject({ first: z.array(z.string()), second: z.array(z.string()) }),
});
export type Comparison = z.infer<typeof Comparison>;

/** Maps the cases of a second run to their places in the first, if they are the same in both. */
export function matchCases(
  first: readonly CaseMark[],
  second: readonly CaseMark[],
): { places: Map<number, number>; cases: Comparison['cases'] } {
  const placesById = new Map(first.map(({ id, hash }, place) => [id, { hash, place }]));
  const places = new Map<number, number>();
  const changed: string[] = [];
  for (const [place, { id, hash }] of second.entries()) {
    const paired = placesById.get(id);
    if (paired === undefined) continue;
    if (paired.hash === hash) places.set(place, paired.place);
    else changed.push(id);
  }
  const inBoth = places.size + changed.length;
  return {
    places,
    cases: {
      shared: places.size,
      changed,
      onlyFirst: first.length - inBoth,
      onlySecond: second.length - inBoth,
    },
  };
}

/** Finds a setup by its id or a unique beginning of it; whole words count first. @throws JuryError `usage` */
export function findSetup(setups: readonly Setup[], text: string): Setup {
  const matches = [
    setups.filter(({ id }) => id === text),
    setups.filter(({ id }) => id.startsWith(`${text} `)),
    setups.filter(({ id }) => id.startsWith(text)),
  ];
  const [only] = matches.find(({ length }) => length === 1) ?? [];
  if (only !== undefined) return only;
  const problem = matches[2]?.length === 0 ? 'No configuration begins' : 'Several configurations begin';
  const all = setups.map(({ id }) => `\n  ${id}`).join('');
  throw new JuryError('usage', `${problem} with "${text}". Configurations:${all}`);
}

type SetupPair = readonly [Setup, Setup];

/** Pairs equal setups; two single setups are paired in any case. */
export function matchSetups(
  first: readonly Setup[],
  second: readonly Setup[],
): { pairs: SetupPair[]; unmatched: Comparison['unmatched'] } {
  const pairs = first.flatMap((one): SetupPair[] => {
    const paired = second.find(({ id }) => id === one.id);
    return paired === undefined ? [] : [[one, paired]];
  });
  const [a, b] = [first[0], second[0]];
  if (pairs.length === 0 && a !== undefined && b !== undefined && first.length + second.length === 2)
    return { pairs: [[a, b]], unmatched: { first: [], second: [] } };
  const paired = new Set(pairs.map(([{ id }]) => id));
  const rest = (setups: readonly Setup[]) => setups.map(({ id }) => id).filter((id) => !paired.has(id));
  return { pairs, unmatched: { first: rest(first), second: rest(second) } };
}

function flipsOf(
  first: readonly TrialFacts[],
  second: readonly TrialFacts[],
  idAt: (place: number) => string,
): Flip[] {
  const others = byCase(second);
  return [...byCase(first)]
    .sort(([a], [b]) => a - b)
    .flatMap(([place, own]): Flip[] => {
      const paired = others.get(place);
      const [fact] = own;
      if (paired === undefined || fact === undefined) return [];
      const [before, after] = [commonest(countOutcomes(own)), commonest(countOutcomes(paired))];
      if (before === after) return [];
      const { truth, category } = fact;
      const kind =
        truth === null ? 'unlabeled' : before === truth ? 'broken' : after === truth ? 'fixed' : 'other';
      return [{ caseId: idAt(place), truth, category, first: before, second: after, kind }];
    });
}

function movesOf(
  first: readonly TrialFacts[],
  second: readonly TrialFacts[],
  idAt: (place: number) => string,
): Move[] {
  const labels = new Map(first.map(({ place, labelScore }) => [place, labelScore]));
  const others = caseMeans(second);
  return [...caseMeans(first)]
    .flatMap(([place, before]): Move[] => {
      const after = others.get(place);
      if (after === undefined || before === after) return [];
      return [{ caseId: idAt(place), first: before, second: after, labelScore: labels.get(place) ?? null }];
    })
    .sort((a, b) => Math.abs(b.second - b.first) - Math.abs(a.second - a.first));
}

/** Facts of a run whose cases are in no groups, in the groups of another run, which may have got them later. */
function inUnitsOf(facts: readonly TrialFacts[], others: readonly TrialFacts[]): readonly TrialFacts[] {
  if (facts.some(({ place, unit }) => place !== unit)) return facts;
  const units = new Map(others.map(({ place, unit }) => [place, unit]));
  return facts.map((fact) => ({ ...fact, unit: units.get(fact.place) ?? fact.unit }));
}

/** The numbers and flips of each pair. @param places of the second table's cases in the first */
export function comparePairs(
  pairs: readonly SetupPair[],
  first: TrialTable,
  second: TrialTable,
  places: ReadonlyMap<number, number>,
  ids: readonly CaseMark[],
): Comparison['pairs'] {
  const idAt = (place: number): string => ids[place]?.id ?? '';
  const compared = pairs.map(([one, other]) => {
    const facts = first.factsOf(one.id);
    const moved = second.factsOf(other.id).flatMap((fact) => {
      const place = places.get(fact.place);
      return place === undefined ? [] : [{ ...fact, place }];
    });
    const pair = pairReport({ id: one.id, facts: inUnitsOf(facts, moved) }, { id: other.id, facts: moved });
    return { pair, flips: flipsOf(facts, moved, idAt), moves: movesOf(facts, moved, idAt) };
  });
  const adjusted = withHolm(compared.map(({ pair }) => pair));
  return compared.map((one, at) => ({ ...one, pair: adjusted[at] ?? one.pair }));
}

/** How to read a comparison. */
export const COMPARISON_NOTE =
  'Intervals: 95 %, of the same cases. One that includes 0 means that there may be no change. A trial without a decision counts as wrong; beside it is the difference on the cases that both decided. A case that was judged several times counts by its most frequent decision, and as undecided if that is a tie. In names, t0 is temperature 0.';

const differenceRow = (
  title: string,
  { first, second, difference, interval }: Difference,
  digits = 3,
  decided?: Difference,
): string[] => [
  title,
  fixed(first, digits),
  fixed(second, digits),
  signed(difference, digits),
  signedRange(interval, digits),
  ...(decided === undefined
    ? []
    : [`${signed(decided.difference, digits)} (${signedRange(decided.interval, digits)})`]),
];

/** The rows for which both sides have values: F1 and other scores need labels; without them, the pass rate. */
export function differenceRows({ scores, decided, decisions, points, cases }: PairReport): string[][] {
  const against = points?.against ?? null;
  return [
    ...(cases > 0
      ? scoreNames.map((name) => differenceRow(scoreList[name].title, scores[name], 3, decided.scores[name]))
      : []),
    ...(cases === 0 && points === null
      ? [differenceRow('Pass rate', decisions.passRate, 3, decisions.decided.passRate)]
      : []),
    ...(points === null ? [] : [differenceRow('Mean score', points.mean, 2)]),
    ...(against === null
      ? []
      : [
          differenceRow('Mean error', against.meanAbsoluteError, 2),
          differenceRow('Spearman', against.spearman),
        ]),
  ];
}

/** Whether some trial has no decision. If none lacks one, both sides decided every case. */
const hasGaps = ({ gaps, cases, decisions }: PairReport): boolean =>
  cases > 0 ? gapsIn(gaps.first) + gapsIn(gaps.second) > 0 : decisions.decided.cases < decisions.cases;

/** The titles of {@link differenceRows}: the last one is left out where both decided all. */
export function differenceTitles(pair: PairReport): string[] {
  const decided = pair.cases > 0 ? pair.decided.cases : pair.decisions.decided.cases;
  const titles = ['score', 'before', 'after', 'difference', '95 %'];
  return hasGaps(pair) ? [...titles, `both decided (n = ${grouped(decided)})`] : titles;
}

/** Number of cases that a pair is compared on. */
export const casesOf = ({ cases, decisions, points }: PairReport): number =>
  Math.max(cases, decisions.cases, points?.cases ?? 0);

const gapText = ({ n, ...counts }: Gaps): string =>
  `${gapsText(counts).join(', ') || 'none'} of ${grouped(n)}`;

/** Facts about a pair with labels that are not in the table of its numbers. */
export const labeledTexts = (pair: PairReport): string[] =>
  pair.cases === 0
    ? []
    : [
        `no decision before: ${gapText(pair.gaps.first)}, after: ${gapText(pair.gaps.second)}`,
        `right only before: ${grouped(pair.onlyFirst)}, only after: ${grouped(pair.onlySecond)}; McNemar's exact ${pTexts(pair)}`,
      ];

/** What is known of scores. @param shared how many cases are in both runs */
export function pointTexts({ points }: PairReport, shared: number): string[] {
  if (points === null) return [];
  return [
    ...(points.cases < shared
      ? [`scores compare the ${grouped(points.cases)} of ${counted(shared, 'case')} that both scored`]
      : []),
    `score higher in ${grouped(points.up)}, lower in ${grouped(points.down)}, the same in ${grouped(points.same)}`,
  ];
}

/** The first names of a list, with a mark if there are more. */
const firstOf = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ' …' : ''}`;

/** What only one run has, in one phrase: `3 cases and 2 configurations only in monday: io rules t0, …`. None if it has nothing alone. */
function onlyTexts(run: string, cases: number, setups: readonly string[], most: number): string[] {
  const parts = [
    ...(cases > 0 ? [counted(cases, 'case')] : []),
    ...(setups.length > 0 ? [counted(setups.length, 'configuration')] : []),
  ];
  if (parts.length === 0) return [];
  const names = setups.length === 0 ? '' : ` (${firstOf(setups, most)})`;
  return [`${parts.join(' and ')}${names} only in ${run}`];
}

/** What is not compared, and why. @param most ids of cases, and configurations of a run, that are named */
export function leftOutTexts(comparison: Comparison, most: number): string[] {
  const { first, second, cases, unmatched, assistant } = comparison;
  return [
    ...(cases.changed.length > 0 && assistant === null
      ? [
          `${counted(cases.changed.length, 'case')} with different content or label (${firstOf(cases.changed, most)})`,
        ]
      : []),
    ...onlyTexts(first, cases.onlyFirst, unmatched.first, most),
    ...onlyTexts(second, cases.onlySecond, unmatched.second, most),
  ];
}
