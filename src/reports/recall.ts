import type { EvalCase } from '../case/index.ts';
import { groupedBy } from '../common/index.ts';
import { fold, grouped } from '../common/text/index.ts';
import { clusteredShareInterval, ratio } from '../statistics/index.ts';
import { kendallTau, spearman } from '../statistics/raters/index.ts';
import { type Estimate, fixed, NONE } from './estimates/index.ts';
import { inOrder } from './groups.ts';
import { estimateCell, plain, type ReportTable } from './metrics/index.ts';
import type { GroupValues, Recall, Report } from './report.ts';

/** The first items of a list that are looked at. Chen et al., CoRE, 6.3. */
const CUTOFFS = [1, 5, 10];

const plainItem = (item: string): string => fold(item).replaceAll(/\s+/g, ' ').trim();

/**
 * The place of the first wanted item, from 1, in all lists of the conversation joined in order without repeated items; null if no
 * list has it. Several wanted items are separated by semicolons or lines; any one will do.
 */
export function placeOfWanted(
  recommendations: readonly (readonly string[])[],
  groundTruth: string,
): number | null {
  const wanted = new Set([groundTruth, ...groundTruth.split(/[;\n]/)].map(plainItem));
  const items = [...new Set(recommendations.flat().map(plainItem))];
  const at = items.findIndex((item) => item !== '' && wanted.has(item));
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

/**
 * Recall of the recommendations, of all cases or of each group; empty if no case has recommendations and what was wanted.
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
  const rows: { unit: number; values: GroupValues; place: number | null; score: number | null }[] = [];
  let index = 0;
  for (const { recommendations, groundTruth, label } of cases) {
    if (recommendations !== undefined && groundTruth !== undefined && only?.has(index) !== false) {
      const place = placeOfWanted(recommendations, groundTruth);
      rows.push({ unit: unitOf(index), values: valuesAt(index), place, score: label?.score ?? null });
    }
    index += 1;
  }
  return [...groupedBy(rows.toSorted(inOrder), ({ values }) => JSON.stringify(values)).values()].map(
    (group): Recall => ({
      values: [...(group[0]?.values ?? [])],
      run: null,
      cases: group.length,
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
    }),
  );
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
          ...values.map((value) => plain(value ?? NONE)),
          plain(grouped(cases)),
          estimateCell(one.recall),
          ...(labeled ? [plain(fixed(one.spearman)), plain(fixed(one.kendall))] : []),
        ],
      })),
    ),
    note: `Share of cases whose wanted item is among the first of all recommended ones.${labeled ? ' Rank correlations: with the scores of labels.' : ''}`,
  };
}
