import type { EvalCase } from '../case/index.ts';
import { groupedBy } from '../common/index.ts';
import { counted, fold, grouped, singleSpaced } from '../common/text/index.ts';
import { clusteredShareInterval, ratio, sum } from '../statistics/index.ts';
import { kendallTau, spearman } from '../statistics/raters/index.ts';
import { type Estimate, fixed, NONE } from './estimates/index.ts';
import { inOrder } from './groups.ts';
import { estimateCell, plain, type ReportTable } from './metrics/index.ts';
import type { GroupValues, Recall, Report } from './report.ts';

/** In place of a group's values, for all cases. */
const ALL = 'all';

/** The first items of a list that are looked at. Chen et al., CoRE, 6.3. */
const CUTOFFS = [1, 5, 10];

const plainItem = (item: string): string => singleSpaced(fold(item));

type Lists = readonly (readonly string[])[];

/** All lists of the conversation joined in order; an item that comes again counts at its first place alone. */
function joinedLists(recommendations: Lists): { items: string[]; repeats: number } {
  const all = recommendations.flat().map(plainItem);
  const items = [...new Set(all)];
  return { items, repeats: all.length - items.length };
}

/**
 * The place of the first wanted item, from 1, in the joined lists; null if no list has it. Several wanted items are separated by
 * semicolons or lines; any one will do.
 */
export function placeOfWanted(recommendations: Lists, groundTruth: string): number | null {
  const wanted = new Set([groundTruth, ...groundTruth.split(/[;\n]/)].map(plainItem));
  const at = joinedLists(recommendations).items.findIndex((item) => item !== '' && wanted.has(item));
  return at < 0 ? null : at + 1;
}

/** Wilson's interval of the share of cases that hold, by the units that they belong to. */
function wilsonOf(
  cases: readonly { unit: number; place: number | null }[],
  holds: (place: number | null) => boolean,
): Estimate['interval'] {
  const interval = clusteredShareInterval(
    [...groupedBy(cases, ({ unit }) => unit).values()].map((group) => ({
      value: { successes: group.filter(({ place }) => holds(place)).length, n: group.length },
      items: 1,
    })),
  );
  return interval.defined ? { ...interval, by: 'wilson' } : interval;
}

/** A case, as recall sees it. */
interface Row {
  unit: number;
  values: GroupValues;
  place: number | null;
  score: number | null;
  repeats: number;
}

function recallIn(values: GroupValues, group: readonly Row[]): Recall {
  const repeating = group.filter(({ repeats }) => repeats > 0);
  return {
    values: [...values],
    run: null,
    cases: group.length,
    repeats: { items: sum(repeating.map(({ repeats }) => repeats)), cases: repeating.length },
    at: CUTOFFS.map((cutoff) => {
      const hits = group.map(({ place }) => Number(place !== null && place <= cutoff));
      const count = hits.filter((hit) => hit === 1).length;
      const labels = group.map(({ score }) => score);
      return {
        cutoff,
        recall: {
          measure: ratio(count, group.length, group.length, 'there is no case'),
          interval: wilsonOf(group, (place) => place !== null && place <= cutoff),
        },
        spearman: spearman(hits, labels),
        kendall: kendallTau(hits, labels),
      };
    }),
  };
}

/**
 * Recall of the recommendations: of all cases, then of each group; empty if no case has recommendations and what was wanted.
 *
 * @param only places of the cases that count; null: all
 * @param unitOf see `Clusters`
 */
export function recallOf(
  cases: Iterable<Pick<EvalCase, 'recommendations' | 'groundTruth' | 'label'>>,
  valuesAt: (place: number) => GroupValues,
  only: ReadonlySet<number> | null = null,
  unitOf = (place: number): number => place,
): Recall[] {
  const rows: Row[] = [];
  let index = 0;
  for (const { recommendations, groundTruth, label } of cases) {
    if (recommendations !== undefined && groundTruth !== undefined && only?.has(index) !== false)
      rows.push({
        unit: unitOf(index),
        values: valuesAt(index),
        place: placeOfWanted(recommendations, groundTruth),
        score: label?.score ?? null,
        repeats: joinedLists(recommendations).repeats,
      });
    index += 1;
  }
  if (rows.length === 0) return [];
  const groups = [...groupedBy(rows.toSorted(inOrder), ({ values }) => JSON.stringify(values)).values()];
  const isGrouped = rows.some(({ values }) => values.length > 0);
  return [
    recallIn([], rows),
    ...(isGrouped ? groups.map((group) => recallIn(group[0]?.values ?? [], group)) : []),
  ];
}

/** What became of items that were recommended more than once. */
function repeatsText(recall: readonly Recall[]): string {
  const whole = recall.filter(({ values }) => values.length === 0).map(({ repeats }) => repeats);
  const [items, cases] = [sum(whole.map((one) => one.items)), sum(whole.map((one) => one.cases))];
  return items === 0
    ? 'No item comes again in a case.'
    : `An item that comes again counts at its first place alone: ${counted(items, 'repeat')} in ${counted(cases, 'case')}.`;
}

/** Whether what users wanted was recommended, and how that relates to the scores of labels, as in table 9 of Chen et al. */
export function recallTable({ recall, groups }: Report): ReportTable | null {
  if (recall.length === 0) return null;
  const by = (groups?.by ?? []).filter((one) => one.startsWith('tags.'));
  const runs = recall.some(({ run }) => run !== null);
  const labeled = recall.some(({ at }) => at.some((one) => one.spearman.n > 0));
  return {
    title: 'Recall of recommendations',
    head: 'Among the first',
    file: 'recall.csv',
    columns: [
      ...(runs ? [{ title: 'Run' }] : []),
      ...by.map((one) => ({ title: one.slice(5) })),
      { title: 'Cases' },
      { title: 'Recall', notes: '95 %' },
      ...(labeled ? [{ title: 'Spearman' }, { title: 'Kendall' }] : []),
    ],
    rows: recall.flatMap(({ values, run, cases, at }) =>
      at.map((one) => ({
        head: `Recall@${one.cutoff}`,
        cells: [
          ...(runs ? [plain(run ?? NONE)] : []),
          ...by.map((_, place) => plain(values.length === 0 ? ALL : (values[place] ?? NONE))),
          plain(grouped(cases)),
          estimateCell(one.recall),
          ...(labeled ? [plain(fixed(one.spearman)), plain(fixed(one.kendall))] : []),
        ],
      })),
    ),
    note: `Share of cases whose wanted item is among the first of all recommended ones. ${repeatsText(recall)}${labeled ? ' Rank correlations: with the scores of labels.' : ''}`,
  };
}
