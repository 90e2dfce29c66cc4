import * as z from 'zod';
import type { TrialStore } from '../benchmark/index.ts';
import { JuryError } from '../common/index.ts';
import { andList, counted, grouped, noSuch } from '../common/text/index.ts';
import { Estimate, percent, percentRange, pText } from './estimates/index.ts';
import { type ReadingWishes, readCaseFacts, readingOf, requireRun, tabulate } from './facts/index.ts';
import { estimateCell, plain, type ReportTable, valueCell } from './metrics/index.ts';
import { adjusted } from './panel-benefit.ts';
import { benefitRange, signedPoints } from './panel-words.ts';
import {
  againstBest,
  type Bench,
  createPanels,
  majority,
  type PanelCase,
  PanelReport,
  sharedErrors,
  shareOf,
} from './panels.ts';

/** A panel of some judges of a run, made without a call. */
const PooledPanel = z.strictObject({
  /** What the judges have in common, see `PanelReport`. */
  of: z.string(),
  judges: z.array(z.string()),
  cases: z.int(),
  accuracy: Estimate,
  undecided: z.int(),
  best: PanelReport.shape.best,
  effectiveVotes: Estimate,
});
type PooledPanel = z.infer<typeof PooledPanel>;

export const PooledPanels = z.strictObject({
  run: z.string(),
  /** Whether the labels are what several people said. */
  byPeople: z.boolean(),
  /** The most right first. */
  panels: z.array(PooledPanel),
});
export type PooledPanels = z.infer<typeof PooledPanels>;

/** More panels would take too long, and none of them could be told from chance. */
const MOST_PANELS = 2_000;

/** All sets of two to `upTo` of k judges. */
function setsOf(k: number, upTo: number): number[][] {
  const sets = Array.from({ length: k }, (_, judge) => [judge]);
  for (const set of sets) {
    if (set.length >= upTo) continue;
    for (let next = (set.at(-1) ?? 0) + 1; next < k; next += 1) {
      sets.push([...set, next]);
      if (sets.length > MOST_PANELS + k)
        throw new JuryError(
          'usage',
          `${counted(k, 'judge')} make more than ${grouped(MOST_PANELS)} panels of up to ${upTo}: lower --up-to, or name judges with --panels.`,
        );
    }
  }
  return sets.filter((set) => set.length > 1);
}

function pooled({ id, names, rows }: Bench, set: readonly number[]): PooledPanel {
  const judges = set.map((judge) => names[judge] ?? '');
  const cases = rows.map((one): PanelCase => ({ ...one, said: set.map((judge) => one.said[judge] ?? null) }));
  const decided = cases.map(({ said }) => majority(said));
  const isRight = cases.map(({ truth }, at) => decided[at] === truth);
  return {
    of: id,
    judges,
    cases: cases.length,
    accuracy: shareOf(cases.map(({ unit }, at) => ({ unit, has: isRight[at] === true }))),
    undecided: decided.filter((one) => one === null).length,
    best: againstBest(judges, cases, isRight),
    effectiveVotes: sharedErrors(judges, cases).effectiveVotes,
  };
}

/** The sets of judges that were named. @throws JuryError `usage` for a name that no judge has */
function namedSets(benches: readonly Bench[], wanted: readonly string[]) {
  const fitting = benches.filter(({ names }) => wanted.every((name) => names.includes(name)));
  const all = [...new Set(benches.flatMap(({ names }) => names))];
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw noSuch('judge', unknown, all);
  if (fitting.length === 0 || wanted.length < 2)
    throw new JuryError(
      'usage',
      `${andList([...wanted])} did not judge the same cases: name two or more judges that did.`,
    );
  return fitting.map((bench) => ({
    bench,
    set: wanted.map((name) => bench.names.indexOf(name)).sort((a, b) => a - b),
  }));
}

const valueIn = ({ measure }: Estimate): number => (measure.defined ? measure.value : -1);

/**
 * Makes panels of the judges of a run from what they said, without a call, and compares each with the best of its judges.
 * @param wanted judges of one panel; null: all panels of two judges to `upTo`
 * @throws JuryError `usage` if there is no such run or judge, or no two judges judged the same labeled cases
 */
export async function poolPanels(
  store: Pick<TrialStore, 'names' | 'readRun' | 'readCases' | 'readTrials'>,
  name: string,
  { wanted, upTo, ...wishes }: ReadingWishes & { wanted: readonly string[] | null; upTo: number },
): Promise<PooledPanels> {
  const manifest = await requireRun(store, name);
  const cases = await readCaseFacts(store, name);
  const panels = createPanels(manifest, cases);
  const { reading } = readingOf(cases, wishes);
  const each: Parameters<typeof tabulate>[2] = (trial, setup, facts) => {
    panels.add(trial, setup, facts);
    return null;
  };
  await tabulate(manifest, store.readTrials(name), each, null, reading);
  const benches = panels.benches();
  if (benches.length === 0)
    throw new JuryError(
      'usage',
      `No two judges of ${name} judged the same cases with labels pass or fail, or with a preference. There is nothing to pool.`,
    );
  const sets =
    wanted === null
      ? benches.flatMap((bench) => setsOf(bench.names.length, upTo).map((set) => ({ bench, set })))
      : namedSets(benches, wanted);
  const made = sets.map(({ bench, set }) => pooled(bench, set));
  return {
    run: name,
    byPeople: cases.some(({ label }) => label?.answers !== undefined),
    panels: adjusted(made).sort(
      (a, b) => valueIn(b.accuracy) - valueIn(a.accuracy) || a.judges.length - b.judges.length,
    ),
  };
}

/** Whether a panel is better (1) or worse (−1) than its best judge beyond chance, also among all panels; 0: not known. */
function signOf({ best: { difference, pValue, holm } }: PooledPanel): number {
  const p = holm ?? pValue;
  return difference.defined && p.defined && p.value <= 0.05 ? Math.sign(difference.value) : 0;
}

/** What pooling shows, in words. */
function poolWords({ panels, byPeople }: PooledPanels): string[] {
  const [first] = panels;
  const count = (sign: number) => panels.filter((panel) => signOf(panel) === sign).length;
  const [better, worse] = [count(1), count(-1)];
  return [
    `${better === 0 ? 'None' : grouped(better)} of ${counted(panels.length, 'panel')} ${better > 1 ? 'agree' : 'agrees'} with ${byPeople ? 'people' : 'the labels'} more than the best of ${better > 1 ? 'their' : 'its'} judges alone beyond chance; ${worse === 0 ? 'none' : grouped(worse)} less.`,
    ...(first === undefined
      ? []
      : [
          `The most right is ${andList(first.judges)}: ${percent(first.accuracy.measure)}, the best of them alone ${percent(first.best.accuracy.measure)}.`,
        ]),
  ];
}

/** Every pooled panel beside its best judge. @param most rows to show */
export function poolTable(result: PooledPanels, most: number): ReportTable {
  const { panels } = result;
  const more = panels.length - most;
  return {
    title: 'Panels',
    head: 'Judges',
    lead: poolWords(result),
    columns: [
      { title: 'Panel', notes: '95 %' },
      { title: 'Best alone' },
      { title: 'Points more', notes: '95 %' },
      { title: 'p, Holm' },
      { title: 'Effective votes' },
      { title: 'Undecided' },
    ],
    rows: panels.slice(0, most).map(({ judges, cases, accuracy, best, effectiveVotes, undecided }) => ({
      head: judges.join(' + '),
      cells: [
        valueCell(accuracy.measure, () => percent(accuracy.measure), percentRange(accuracy.interval)),
        plain(percent(best.accuracy.measure)),
        valueCell(best.difference, signedPoints, benefitRange(best, signedPoints)),
        plain(pText(best.holm ?? best.pValue)),
        estimateCell(effectiveVotes, 2),
        plain(`${grouped(undecided)} of ${grouped(cases)}`),
      ],
    })),
    note: `Made of what the judges of ${result.run} said, without a call; the majority decides, and a tie is not right. The best judge of each panel is chosen on one half of the cases and measured on the other. p is adjusted for the number of panels.${more > 0 ? ` ${counted(more, 'more panel')}: --json lists all.` : ''}`,
  };
}
